//! Decisions of positions, by the structure of their game.

use std::time::{Duration, Instant};

use hindsight_checkpoint::Blobs;
use hindsight_core::{
    Answer, ForbiddenMove, Game, Notation, Probe, Ranked, Retro, Subgames, TwoSided, Value,
};
use hindsight_run::{Error, Limits, Monitor};
use hindsight_solve::pawn_pairs::SubgamePlan;
use hindsight_solve::plan::{self, KeptValues, Method, PlanError, Request, SolveIo, SolvePlan};
use hindsight_solve::proof::{
    MoveProof, Oracle, ProofProblem, ProofSolution, ProofTables, SolvedPlanes, StagedProof,
    endgame_time, read_endgame, solve_endgame, solve_staged, solve_with_moves,
};

use crate::analysis::AnalysisSource;

/// Share of the time within which a subgame is solved.
const SUBGAME_SHARE: f64 = 0.6;
/// Ranks of subgames that a thread solves in a second, about
/// (`runs/2026-11-26-epyc-2c/subgames.md`).
const SUBGAME_RANKS_PER_SECOND: f64 = 4e7;
/// Share of the time within which every position of a game is solved.
const WHOLE_GAME_SHARE: f64 = 0.3;
/// Share of the time within which planes that hold a position are solved.
const PLANES_SHARE: f64 = 0.7;

/// Values of positions for their side to move, as far as they are known.
pub type KnownValues<'g, P> = Box<dyn Fn(P) -> Answer + Sync + 'g>;

/// Decision of a position, as far as it was found.
pub struct Decision<'g, P> {
    /// Result of a search; `None` if no search was needed.
    pub solution: Option<ProofSolution<P>>,
    /// Moves that the search decided, each successor up to symmetry once.
    pub moves: Vec<MoveProof<P>>,
    /// Values of the position and of its successors, in their order, if they are known with their
    /// plies.
    pub values: Option<Vec<Value>>,
    /// Values of other positions.
    pub known: Option<KnownValues<'g, P>>,
    /// Most plies of any win or loss among the known values.
    pub longest: Option<u16>,
    /// Sources that were used.
    pub sources: Vec<AnalysisSource>,
}

/// Position to be decided, with the means.
pub struct DecisionTask<'a, 'g, G: Game> {
    /// Rules.
    pub game: &'g G,
    /// Position to be decided.
    pub position: G::Position,
    /// Memory and time allowed.
    pub limits: Limits,
    /// Endgames that earlier decisions have kept.
    pub cache: Option<&'a dyn Blobs>,
}

/// Function that decides a position; `None` if it would take too long.
pub type DecideOnce<G> =
    for<'a, 'g> fn(
        DecisionTask<'a, 'g, G>,
        &mut dyn Monitor,
    ) -> Result<Option<Decision<'g, <G as Game>::Position>>, Error>;

/// Functions that decide positions of one structure of games.
///
/// # Errors
/// [`Error::Thread`] if no thread can be started; [`Error::Stopped`] if the monitor stops the work.
pub struct Decide<G: Game> {
    /// Solves all positions that may follow, if that takes a small share of the time.
    pub complete: DecideOnce<G>,
    /// Searches for the winner.
    pub search: DecideOnce<G>,
}

impl<G: Game> Clone for Decide<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G: Game> Copy for Decide<G> {}

impl<G: Game> Decide<G> {
    /// Decisions by the rules alone.
    pub const BY_RULES: Self = Self {
        complete: |_, _| Ok(None),
        search: search_by_rules,
    };
}

impl<G: Retro + Notation + 'static> Decide<G> {
    /// Decisions of games that are solved by tiers.
    pub const BY_TIERS: Self = Self {
        complete: solve_tiers,
        search: search_by_implied_values,
    };
}

impl<G: ForbiddenMove + Notation + 'static> Decide<G> {
    /// Decisions of games in which a move may be forbidden.
    pub const BY_STATES: Self = Self {
        complete: solve_states,
        search: search_by_rules,
    };
}

impl<G: Subgames> Decide<G> {
    /// Decisions of games whose subgames have ranks.
    pub const BY_SUBGAMES: Self = Self {
        complete: solve_subgame,
        search: search_by_rules,
    };
}

impl<G: Subgames + Ranked> Decide<G> {
    /// Decisions of games that have ranks, as their subgames do.
    pub const BY_RANKED_SUBGAMES: Self = Self {
        complete: solve_subgame,
        search: search_by_implied_values,
    };
}

impl<G: TwoSided> Decide<G> {
    /// Decisions of games that are solved by planes.
    pub const BY_PLANES: Self = Self {
        complete: decide_endgame,
        search: search_in_stages,
    };
}

impl<'g, P> Decision<'g, P> {
    fn of_values(source: AnalysisSource, known: impl Fn(P) -> Answer + Sync + 'g) -> Self {
        Self {
            solution: None,
            moves: Vec::new(),
            values: None,
            known: Some(Box::new(known)),
            longest: None,
            sources: vec![source],
        }
    }

    fn of_search(solution: ProofSolution<P>, moves: Vec<MoveProof<P>>) -> Self {
        let source = AnalysisSource::Proof {
            positions: solution.expansions,
        };
        Self {
            solution: Some(solution),
            moves,
            values: None,
            known: None,
            longest: None,
            sources: vec![source],
        }
    }
}

/// Searches by the rules alone.
fn search_by_rules<'g, G: Game>(
    task: DecisionTask<'_, 'g, G>,
    monitor: &mut dyn Monitor,
) -> Result<Option<Decision<'g, G::Position>>, Error> {
    search(&task, &|_| None, monitor)
}

/// Searches with the values that [`Ranked::implied_value`] gives.
fn search_by_implied_values<'g, G: Ranked>(
    task: DecisionTask<'_, 'g, G>,
    monitor: &mut dyn Monitor,
) -> Result<Option<Decision<'g, G::Position>>, Error> {
    let implied = |position| Some(task.game.implied_value(position)?.wdl());
    search(&task, &implied, monitor)
}

/// Searches with values that are known beforehand.
fn search<'g, G: Game>(
    task: &DecisionTask<'_, 'g, G>,
    oracle: Oracle<'_, G::Position>,
    monitor: &mut dyn Monitor,
) -> Result<Option<Decision<'g, G::Position>>, Error> {
    let problem = ProofProblem {
        game: task.game,
        start: task.position,
        oracle,
    };
    let (solution, moves) = solve_with_moves(problem, task.limits, monitor)?;
    Ok(Some(Decision::of_search(solution, moves)))
}

/// Solves every position.
fn solve_tiers<'g, G: Retro + Notation + 'static>(
    task: DecisionTask<'_, 'g, G>,
    monitor: &mut dyn Monitor,
) -> Result<Option<Decision<'g, G::Position>>, Error> {
    let request = every_position(task.limits);
    let plan = plan::ranked(task.game, task.game.start(), &request);
    solve_by_plan(&task, plan, monitor)
}

/// Solves every state.
fn solve_states<'g, G: ForbiddenMove + Notation + 'static>(
    task: DecisionTask<'_, 'g, G>,
    monitor: &mut dyn Monitor,
) -> Result<Option<Decision<'g, G::Position>>, Error> {
    let request = every_position(task.limits);
    let plan = plan::forbidden_move(task.game, task.game.start(), &request);
    solve_by_plan(&task, plan, monitor)
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

/// Solves every position by a plan, if its estimated time is a small share of the time allowed.
fn solve_by_plan<'g, G: Game>(
    task: &DecisionTask<'_, 'g, G>,
    plan: Result<SolvePlan<'g, G>, PlanError>,
    monitor: &mut dyn Monitor,
) -> Result<Option<Decision<'g, G::Position>>, Error> {
    let allowed = share_of_time(task.limits.time, WHOLE_GAME_SHARE);
    let is_short = |plan: &SolvePlan<'_, G>| {
        let seconds = plan.needs().seconds;
        seconds.is_some_and(|seconds| seconds <= allowed.as_secs_f64()) && plan.check().is_ok()
    };
    let Some(plan) = plan.ok().filter(is_short) else {
        return Ok(None);
    };
    let positions = plan.needs().extent.positions().unwrap_or(0);
    let game = task.game;
    let solved = plan.run(SolveIo::new(monitor))?;
    if solved.reader(game).is_none() {
        return Ok(None);
    }
    let source = AnalysisSource::EveryPosition { positions };
    Ok(Some(Decision::of_values(source, move |position| {
        let answer = solved.reader(game).map(|reader| reader.probe(position));
        match answer {
            Some(Ok(answer)) => answer,
            None => Answer::Unknown,
        }
    })))
}

/// Solves all positions that may follow.
fn solve_subgame<'g, G: Subgames>(
    task: DecisionTask<'_, 'g, G>,
    monitor: &mut dyn Monitor,
) -> Result<Option<Decision<'g, G::Position>>, Error> {
    let allowed = share_of_time(task.limits.time, SUBGAME_SHARE);
    let threads = rayon::current_num_threads() as f64;
    let most_ranks = (allowed.as_secs_f64() * threads * SUBGAME_RANKS_PER_SECOND) as u64;
    let plan = SubgamePlan::new(task.game, task.position, most_ranks);
    let Some(plan) = plan.filter(|plan| plan.peak() <= task.limits.memory) else {
        return Ok(None);
    };
    let source = AnalysisSource::Subgame {
        ranks: plan.ranks(),
    };
    let solved = plan.solve(task.limits, monitor)?;
    Ok(Some(Decision::of_values(source, move |position| {
        let Ok(answer) = solved.probe(position);
        answer
    })))
}

/// Returns a share of the time; that of a few seconds if there is no limit.
fn share_of_time(time: Option<Duration>, share: f64) -> Duration {
    time.unwrap_or(Duration::from_secs(3)).mul_f64(share)
}

/// Decides a position by the planes that hold it: solved, for the plies, or else kept.
fn decide_endgame<'g, G: TwoSided>(
    task: DecisionTask<'_, 'g, G>,
    monitor: &mut dyn Monitor,
) -> Result<Option<Decision<'g, G::Position>>, Error> {
    let begin = Instant::now();
    let (game, position) = (task.game, task.position);
    let kept = task.cache.and_then(|cache| {
        let (planes, tables) = read_endgame(game, position, cache, task.limits)?;
        Some(Decision {
            solution: None,
            moves: Vec::new(),
            values: None,
            longest: Some(planes.longest),
            known: Some(known_by_planes(game, planes)),
            sources: vec![planes_source(tables)],
        })
    });
    let left = task.limits.time;
    let left = left.map(|time| time.saturating_sub(begin.elapsed()));
    match solve_endgame_within(&task, PLANES_SHARE, left, monitor) {
        Ok(solved) => Ok(solved.or(kept)),
        Err(Error::Stopped) if kept.is_some() => Ok(kept),
        Err(error) => Err(error),
    }
}

/// Searches with planes of few followers as leaves, which are kept in the cache.
fn search_in_stages<'g, G: TwoSided>(
    task: DecisionTask<'_, 'g, G>,
    monitor: &mut dyn Monitor,
) -> Result<Option<Decision<'g, G::Position>>, Error> {
    let (game, position, cache) = (task.game, task.position, task.cache);
    let found = solve_staged(game, position, cache, task.limits, monitor)?;
    Ok(Some(decision_of_stages(game, found)))
}

/// Solves the endgame of the position, if a share of the time left is enough.
fn solve_endgame_within<'g, G: TwoSided>(
    task: &DecisionTask<'_, 'g, G>,
    share: f64,
    time_left: Option<Duration>,
    monitor: &mut dyn Monitor,
) -> Result<Option<Decision<'g, G::Position>>, Error> {
    let allowed = share_of_time(time_left, share);
    let needed = endgame_time(task.game, task.position, task.limits.memory);
    if needed.is_none_or(|needed| needed > allowed) {
        return Ok(None);
    }
    let limits = Limits {
        time: time_left,
        ..task.limits
    };
    let solved = solve_endgame(task.game, task.position, task.cache, limits, monitor)?;
    Ok(solved.map(|endgame| Decision {
        solution: None,
        moves: Vec::new(),
        values: Some(endgame.values),
        longest: Some(endgame.planes.longest),
        sources: vec![planes_source(endgame.tables)],
        known: Some(known_by_planes(task.game, endgame.planes)),
    }))
}

fn decision_of_stages<G: TwoSided>(
    game: &G,
    found: StagedProof<G::Position>,
) -> Decision<'_, G::Position> {
    let mut decision = Decision::of_search(found.solution, found.moves);
    decision.values = found.values;
    if let Some(planes) = found.planes {
        decision.sources.insert(0, planes_source(found.tables));
        decision.longest = Some(planes.longest);
        decision.known = Some(known_by_planes(game, planes));
    }
    decision
}

fn planes_source(tables: ProofTables) -> AnalysisSource {
    AnalysisSource::Planes {
        followers: tables.followers,
        positions: tables.positions,
        were_kept: tables.were_kept,
    }
}

fn known_by_planes<G: TwoSided>(game: &G, planes: SolvedPlanes) -> KnownValues<'_, G::Position> {
    Box::new(move |position| {
        let placement = game.placement(position);
        let known = placement.and_then(|placement| planes.known(placement));
        known.map_or(Answer::Unknown, Answer::Wdl)
    })
}
