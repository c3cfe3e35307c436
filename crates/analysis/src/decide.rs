//! Long jobs that decide positions, by the structure of their game: planes for Onitama, subgames
//! for Quoridor, tiers or states for small games of the rest.

use std::time::Duration;

use hindsight_core::{Answer, Game, Packed, PackedGame, Probe, Ranked, Structure, TwoSided, Value};
use hindsight_engine::checkpoint::Blobs;
use hindsight_engine::{Error, Limits, Monitor};
use hindsight_solve::graph;
use hindsight_solve::pawn_pairs::SubgamePlan;
use hindsight_solve::plan::{self, KeptValues, Method, PlanError, Request, SolveIo, SolvePlan};
use hindsight_solve::proof::{
    EndgameIo, PlanesCost, ProofTables, SolvedPlanes, planes_to_read, planes_to_solve,
    read_endgame, solve_endgame, value_by_planes,
};

use crate::analysis::AnalysisSource;
use crate::known::Known;
use crate::window_jobs::window_jobs;

/// Ranks of subgames that a thread solves in a second, about
/// (`runs/2026-11-26-epyc-2c/subgames.md`).
const SUBGAME_RANKS_PER_SECOND: f64 = 4e7;
/// Estimated times of jobs that solve a subgame, if it is small enough for that. In seconds.
const SUBGAME_SECONDS: [f64; 6] = [0.1, 0.5, 2.5, 12.0, 60.0, 300.0];

/// Values of positions for their side to move, as far as they are known.
pub(crate) type KnownValues<'a> = Box<dyn Fn(Packed) -> Known + Sync + 'a>;

/// Result of a long job.
pub(crate) struct Decision<'a> {
    /// Values of the position and of its successors, in their order, as far as they were found;
    /// none if the job does not tell them by themselves.
    pub(crate) values: Vec<Option<Value>>,
    /// Values of all positions, as far as they are known.
    pub(crate) known: Option<KnownValues<'a>>,
    /// Best play from the position, up to symmetry, if the job tells it by itself.
    pub(crate) line: Vec<Packed>,
    pub(crate) source: AnalysisSource,
    /// Positions that were solved.
    pub(crate) work: u64,
    /// Bytes of the values.
    pub(crate) bytes: u64,
    /// Most followers of the planes that have the values of all positions; 0 without planes.
    pub(crate) followers: u32,
}

/// Position to be decided, with the means.
#[derive(Clone, Copy)]
pub(crate) struct DecisionTask<'a> {
    pub(crate) game: &'a PackedGame,
    pub(crate) position: Packed,
    /// Bytes of memory allowed.
    pub(crate) memory: u64,
    /// Endgames that earlier decisions have kept.
    pub(crate) cache: Option<&'a dyn Blobs>,
}

/// Long job, whose time is estimated.
pub(crate) struct LongJob<'a> {
    pub(crate) time: Duration,
    /// Followers of known planes with which the job tells nothing more.
    pub(crate) useless_with: u32,
    /// Plans the work; `None` if it does not suit the position.
    pub(crate) plan: Box<dyn FnOnce() -> Option<RunJob<'a>> + 'a>,
}

/// Work of a long job.
pub(crate) type RunJob<'a> = Box<dyn FnOnce(Limits, &mut dyn Monitor) -> RunResult<'a> + 'a>;

/// Result of a long job; `None` if nothing was found.
type RunResult<'a> = Result<Option<Decision<'a>>, Error>;

impl<'a> LongJob<'a> {
    /// Followers that no planes have: the job tells more, whatever is known.
    pub(crate) const ALWAYS_USEFUL: u32 = u32::MAX;

    /// Returns a job that needs no plan and is always useful.
    pub(crate) fn new<R>(time: Duration, run: R) -> Self
    where
        R: FnOnce(Limits, &mut dyn Monitor) -> RunResult<'a> + 'a,
    {
        Self { time, useless_with: Self::ALWAYS_USEFUL, plan: Box::new(|| Some(Box::new(run))) }
    }
}

/// Function that lists the jobs for a position.
type JobsOf = for<'a> fn(DecisionTask<'a>) -> Vec<LongJob<'a>>;

/// Means to decide positions of one structure of games.
#[derive(Clone, Copy)]
pub struct Decide {
    pub(crate) jobs: JobsOf,
    /// Value of a position that its rules give at once.
    pub(crate) implied: fn(&PackedGame, Packed) -> Option<Value>,
}

impl Decide {
    /// Decisions by the rules alone.
    pub const BY_RULES: Self = Self { jobs: |_| Vec::new(), implied: |_, _| None };

    /// Returns the means that the structure of a game allows.
    #[must_use]
    pub fn of(game: &PackedGame) -> Self {
        let by_rules = Self::BY_RULES;
        let ranked = Self { implied: PackedGame::implied_value, ..by_rules };
        match game.structure() {
            Structure::Plain if game.countdown().is_some() => {
                Self { jobs: window_jobs, ..by_rules }
            }
            Structure::Plain => by_rules,
            Structure::Subgames => Self { jobs: subgame_jobs, ..by_rules },
            Structure::ForbiddenMove => Self { jobs: tier_jobs, ..by_rules },
            Structure::Ranked => Self { jobs: tier_jobs, ..ranked },
            Structure::PawnPairs => Self { jobs: subgame_jobs, ..ranked },
            Structure::TwoSided => Self { jobs: plane_jobs, ..ranked },
        }
    }
}

impl<'a> Decision<'a> {
    fn of_values(
        source: AnalysisSource,
        work: u64,
        known: impl Fn(Packed) -> Answer + Sync + 'a,
    ) -> Self {
        Self {
            values: Vec::new(),
            known: Some(Box::new(move |position| Known::of_answer(known(position), None))),
            line: Vec::new(),
            source,
            work,
            bytes: 0,
            followers: 0,
        }
    }
}

/// Solves the graph of what is reachable.
pub(crate) fn graph_job<'a>(task: DecisionTask<'a>, time: Duration) -> LongJob<'a> {
    let DecisionTask { game, position, .. } = task;
    LongJob::new(time, move |limits, monitor| {
        let solution = graph::solve_from(game, position, limits, monitor)?;
        let positions = solution.summary().positions;
        let source = AnalysisSource::Graph { positions };
        let known = move |position| {
            let Ok(answer) = solution.reader(game).probe(position);
            answer
        };
        Ok(Some(Decision::of_values(source, positions, known)))
    })
}

/// Solves every position, or every state.
fn tier_jobs(task: DecisionTask<'_>) -> Vec<LongJob<'_>> {
    let game = task.game;
    whole_game_job(task, move |limits| plan::plan(game, game.start(), &every_position(limits)))
}

/// Request for the values of every position in memory.
fn every_position(limits: Limits) -> Request<'static> {
    Request {
        method: Method::Tiered,
        limits,
        kept_values: KeptValues::IfTheyFit,
        ..Request::default()
    }
}

/// Solves every position by a plan, if it fits into the memory.
fn whole_game_job<'a>(
    task: DecisionTask<'a>,
    plan: impl Fn(Limits) -> Result<SolvePlan<'a>, PlanError> + 'a,
) -> Vec<LongJob<'a>> {
    let limits = Limits { memory: task.memory, time: None };
    let planned = plan(limits).ok().filter(|plan| plan.check().is_ok());
    let Some(seconds) = planned.and_then(|plan| plan.needs().seconds) else {
        return Vec::new();
    };
    let game = task.game;
    let time = Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX);
    let job = LongJob::new(time, move |limits, monitor| {
        let Ok(plan) = plan(limits) else {
            return Ok(None);
        };
        let positions = plan.needs().extent.positions().unwrap_or(0);
        let solved = plan.run(SolveIo::new(monitor))?;
        if solved.reader(game).is_none() {
            return Ok(None);
        }
        let source = AnalysisSource::EveryPosition { positions };
        let known = move |position| {
            let answer = solved.reader(game).map(|reader| reader.probe(position));
            match answer {
                Some(Ok(answer)) => answer,
                None => Answer::Unknown,
            }
        };
        Ok(Some(Decision::of_values(source, positions, known)))
    });
    vec![job]
}

/// Solves all positions that may follow, in jobs of more and more ranks.
fn subgame_jobs(task: DecisionTask<'_>) -> Vec<LongJob<'_>> {
    let threads = rayon::current_num_threads() as f64;
    let DecisionTask { game, position, memory, .. } = task;
    let job = |seconds: f64| {
        let most_ranks = (seconds * threads * SUBGAME_RANKS_PER_SECOND) as u64;
        let plan = move || {
            let plan = SubgamePlan::new(game, position, most_ranks)?;
            if plan.peak() > memory {
                return None;
            }
            let run = move |limits: Limits, monitor: &mut dyn Monitor| {
                let ranks = plan.ranks();
                let source = AnalysisSource::Subgame { ranks };
                let solved = plan.solve(limits, monitor)?;
                Ok(Some(Decision::of_values(source, ranks, move |position| {
                    let Ok(answer) = solved.probe(position);
                    answer
                })))
            };
            Some(Box::new(run) as RunJob<'_>)
        };
        LongJob {
            time: Duration::from_secs_f64(seconds),
            useless_with: LongJob::ALWAYS_USEFUL,
            plan: Box::new(plan),
        }
    };
    SUBGAME_SECONDS.into_iter().map(job).collect()
}

/// Reads the planes that are kept, and solves planes of more and more followers. The last hold the
/// position.
fn plane_jobs(task: DecisionTask<'_>) -> Vec<LongJob<'_>> {
    let DecisionTask { game, position, memory, cache } = task;
    let mut jobs: Vec<LongJob<'_>> = Vec::new();
    let kept =
        cache.and_then(|cache| Some((cache, planes_to_read(game, position, cache, memory)?)));
    if let Some((cache, cost)) = kept {
        let run = move |limits, _: &mut dyn Monitor| {
            let read = read_endgame(game, position, cache, limits);
            Ok(read.map(|(planes, tables)| decision_by_planes(game, tables, Some(planes))))
        };
        jobs.push(LongJob { useless_with: cost.followers, ..LongJob::new(cost.time, run) });
    }
    for cost in planes_to_solve(game, position, memory) {
        let run = move |limits, monitor: &mut dyn Monitor| {
            let io = EndgameIo { cache, limits, monitor };
            let solved = solve_endgame(game, position, cost.followers, io)?;
            Ok(solved.map(|endgame| Decision {
                values: endgame.values,
                ..decision_by_planes(game, endgame.tables, endgame.planes)
            }))
        };
        jobs.push(LongJob {
            // Planes that were read do not tell the plies.
            useless_with: if cost.holds_start { LongJob::ALWAYS_USEFUL } else { cost.followers },
            ..LongJob::new(cost.time, run)
        });
    }
    jobs
}

/// Solves the largest endgame of a position that takes half of the time at most, by estimate, and
/// keeps it in `cache`, for analyses of the position and of all that may follow it. Does nothing if
/// as much is kept, or if no endgame of the game can be kept.
///
/// # Errors
/// [`Error::Stopped`] if the monitor stops the work.
pub fn keep_endgame(
    game: &PackedGame,
    position: Packed,
    cache: &dyn Blobs,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<(), Error> {
    if game.structure() != Structure::TwoSided {
        return Ok(());
    }
    let kept = planes_to_read(game, position, cache, limits.memory);
    let kept = kept.map_or(0, |cost| cost.followers);
    let most = limits.time.map_or(Duration::MAX, |time| time / 2);
    let mut largest_first = planes_to_solve(game, position, limits.memory).into_iter().rev();
    let fits = |cost: &PlanesCost| cost.followers > kept && cost.time <= most;
    if let Some(cost) = largest_first.find(fits) {
        let io = EndgameIo { cache: Some(cache), limits, monitor };
        solve_endgame(game, position, cost.followers, io)?;
    }
    Ok(())
}

fn decision_by_planes(
    game: &PackedGame,
    tables: ProofTables,
    planes: Option<SolvedPlanes>,
) -> Decision<'_> {
    Decision {
        values: Vec::new(),
        line: Vec::new(),
        bytes: planes.as_ref().map_or(0, SolvedPlanes::bytes),
        followers: planes.as_ref().map_or(0, |_| tables.followers),
        known: planes.map(|planes| known_by_planes(game, planes)),
        source: AnalysisSource::Planes {
            followers: tables.followers,
            positions: tables.positions,
            were_kept: tables.were_kept,
        },
        work: if tables.were_kept { 0 } else { tables.positions },
    }
}

fn known_by_planes(game: &PackedGame, planes: SolvedPlanes) -> KnownValues<'_> {
    Box::new(move |position| {
        let placement = game.placement(position);
        let known = placement.and_then(|placement| value_by_planes(&planes, placement));
        known.map_or(Known::NOTHING, |known| Known::of_wdl(known.wdl, known.plies))
    })
}
