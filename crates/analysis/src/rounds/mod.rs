//! Rounds of an analysis: all sources in turn, for longer and longer.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::{Duration, Instant};

use hindsight_core::{Answer, Game, Packed, Probe, Wdl};
use hindsight_engine::{Error, Limits, Monitor, Progress};
use hindsight_solve::best_line;
use hindsight_solve::proof::{
    MoveProof, OracleValue, ProofProblem, ProofSession, ProofSolution, ProofWithMoves,
    solve_with_moves,
};

use crate::analyse::{AnalysisListener, AnalysisOutcome, AnalysisTask};
use crate::analysis::AnalysisSource;
use crate::decide::{Decision, DecisionTask, KnownValues, LongJob, RunJob, graph_job};
use crate::estimate::estimate_moves;
use crate::findings::Findings;
use crate::known::Known;
use crate::short_wins::{ShortWinLimits, find_short_wins, search_sides};

/// Unit of time of the first round: short wins and estimates take one each, the search takes
/// [`SEARCH_UNITS`]. Each round has twice the unit of the last.
const FIRST_UNIT: Duration = Duration::from_millis(16);
/// Most time of a unit, far more than any analysis has.
const MAX_UNIT: Duration = Duration::from_secs(1 << 20);
const SEARCH_UNITS: u32 = 6;
/// Units of a search for the plies of a win whose winner is known.
const PLIES_UNITS: u32 = 4;
/// Share of the memory for the search, which keeps its tables while others work.
const SEARCH_MEMORY: f64 = 0.375;
/// Most time for estimates in one round.
const MAX_ESTIMATE_TIME: Duration = Duration::from_secs(2);
/// A long job begins once this part of its time has passed.
const JOB_DIVISOR: u32 = 2;
/// Least estimate of a job whose time tells that the machine is slow.
const LEAST_TELLING_TIME: Duration = Duration::from_millis(100);
/// Most that a job may take longer than estimated.
const MAX_SLOWNESS: u32 = 1000;
/// Least and most time for the plies of a proved win, if there is no limit of time.
const PLIES_TIME: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(5)];
/// Time between two reports of moves that are settled one after the other.
const REPORT_INTERVAL: Duration = Duration::from_millis(100);
/// Rounds that end long before their time, one after the other, after which nothing more is found.
const MAX_IDLE_ROUNDS: u32 = 16;

/// Monitor of a source that reports to a listener.
struct SourceMonitor<'l> {
    listener: &'l mut dyn AnalysisListener,
    stopped: bool,
}

impl Monitor for SourceMonitor<'_> {
    fn report(&mut self, progress: Progress) -> bool {
        self.stopped |= !self.listener.report(progress);
        !self.stopped
    }
}

/// Values of a function, to be probed.
struct ProbeOf<'v, 'a>(&'v KnownValues<'a>);

impl Probe for ProbeOf<'_, '_> {
    type Error = Infallible;

    fn probe(&self, position: Packed) -> Result<Answer, Infallible> {
        Ok((self.0)(position).answer)
    }
}

/// Values found by a long job, with the memory that they take.
struct JobValues<'a> {
    known: Option<KnownValues<'a>>,
    bytes: u64,
    /// See [`Decision::followers`].
    followers: u32,
}

/// A long job whose turn has come.
struct DueJob<'a> {
    time: Duration,
    run: RunJob<'a>,
}

/// An analysis on its way.
pub(crate) struct AnalysisRun<'a, 'l> {
    task: AnalysisTask<'a>,
    findings: Findings<'a>,
    monitor: SourceMonitor<'l>,
    unit: Duration,
    /// End of an analysis without a limit of time, once the value is proved.
    end: Option<Instant>,
    /// True once short wins were looked for after the value was proved with its plies.
    has_sought_line: bool,
    /// Factor by which long jobs take longer than estimated.
    slowness: u32,
    /// True if the result of every move is wanted first.
    wants_every_move: bool,
}

impl<'a, 'l> AnalysisRun<'a, 'l> {
    pub(crate) fn new(task: AnalysisTask<'a>, listener: &'l mut dyn AnalysisListener) -> Self {
        let mut findings = Findings::new(task.game, task.position);
        if let Some(kept) = task.kept {
            findings.note_kept(kept);
        }
        Self {
            findings,
            task,
            wants_every_move: listener.wants_every_move(),
            monitor: SourceMonitor { listener, stopped: false },
            unit: FIRST_UNIT,
            end: None,
            has_sought_line: false,
            slowness: 1,
        }
    }

    pub(crate) fn outcome(&self) -> AnalysisOutcome {
        AnalysisOutcome { analysis: self.findings.analysis(), kept: self.findings.kept() }
    }

    /// Goes through rounds, and does each long job once it is due.
    pub(crate) fn run(&mut self) -> Result<(), Error> {
        if self.findings.is_proved() {
            self.improved();
        }
        if self.is_over() {
            return Ok(());
        }
        // However short the time is, open moves have an estimate.
        self.estimates(FIRST_UNIT, self.task.limits.memory / 4)?;
        let mut jobs = self.jobs();
        let mut values = JobValues::NONE;
        loop {
            jobs.retain(|job| values.followers < job.useless_with);
            let Some(job) = self.rounds(&values, &mut jobs)? else {
                return Ok(());
            };
            // Their memory is free for the job.
            drop(values);
            values = self.job(job)?;
        }
    }

    /// Returns the long jobs, the shortest first.
    fn jobs(&self) -> VecDeque<LongJob<'a>> {
        let task = DecisionTask {
            game: self.task.game,
            position: self.task.position,
            memory: self.task.limits.memory,
            cache: self.task.cache,
        };
        let graph = self.task.graph_time.map(|time| graph_job(task, time));
        let mut jobs = match graph {
            Some(graph) => vec![graph],
            None => (self.task.decide.jobs)(task),
        };
        jobs.sort_by_key(|job| job.time);
        jobs.into()
    }

    /// Goes through rounds until a long job is due, and returns it; `None` if the analysis is over.
    fn rounds(
        &mut self,
        values: &JobValues<'a>,
        jobs: &mut VecDeque<LongJob<'a>>,
    ) -> Result<Option<DueJob<'a>>, Error> {
        let (game, implied) = (self.task.game, self.task.decide.implied);
        let oracle = |position| {
            let value = implied(game, position).map(OracleValue::from);
            value.or_else(|| {
                let known = values.known.as_ref()?(position);
                let wdl = known.answer.wdl()?;
                let plies = known.most_plies();
                Some(OracleValue { wdl, plies })
            })
        };
        let problem = ProofProblem { game, start: self.task.position, oracle: &oracle };
        let free = self.task.limits.memory.saturating_sub(values.bytes);
        let memory = (free as f64 * SEARCH_MEMORY) as u64;
        let (mut session, mut searched) = (ProofSession::new(problem, memory), 0);
        let mut idle = 0;
        loop {
            let (begin, unit) = (Instant::now(), self.unit);
            if self.is_over() {
                return Ok(None);
            }
            // However short a job is, the first short wins and estimates come before it.
            if unit > FIRST_UNIT
                && let Some(job) = self.due_job(jobs)
            {
                return Ok(Some(job));
            }
            let settles_moves = self.findings.is_proved() && self.wants_open_moves();
            let has_all = self.findings.is_exact() && self.findings.has_line();
            if !has_all && !settles_moves {
                let units = if self.findings.is_proved() { PLIES_UNITS } else { 1 };
                self.short_wins(unit * units, problem)?;
            }
            if self.is_over() {
                return Ok(None);
            }
            if unit > FIRST_UNIT {
                self.estimates(unit.min(MAX_ESTIMATE_TIME), free / 4)?;
            }
            if self.is_over() {
                return Ok(None);
            }
            if let Some(job) = self.due_job(jobs) {
                return Ok(Some(job));
            }
            let due = jobs.front().map(|job| self.due(job));
            let to_due = due.map(|due| due.saturating_sub(self.findings.started().elapsed()));
            let whole = unit * SEARCH_UNITS;
            let time = whole.min(self.time_left()).min(to_due.unwrap_or(whole));
            if self.findings.is_proved() {
                self.settle_moves(time, problem)?;
            } else if !time.is_zero() {
                let for_moves = if self.wants_open_moves() { time / 2 } else { Duration::ZERO };
                let found = session.advance(time - for_moves, &mut self.monitor)?;
                self.note_work(found.0.expansions - searched);
                searched = found.0.expansions;
                self.note_proof(&found);
                if !for_moves.is_zero() {
                    self.settle_moves(for_moves, problem)?;
                }
            }
            if time == whole {
                self.unit = (unit * 2).min(MAX_UNIT);
            }
            idle = if begin.elapsed() < unit / 8 { idle + 1 } else { 0 };
            let is_unlimited = self.task.limits.time.is_none();
            if idle > MAX_IDLE_ROUNDS || is_unlimited && session.has_failed() {
                return Ok(next_job(jobs, |_| true));
            }
        }
    }

    /// Estimates the moves if the value is not proved.
    fn estimates(&mut self, time: Duration, memory: u64) -> Result<(), Error> {
        if self.findings.is_proved() || !self.findings.has_open_moves() {
            return Ok(());
        }
        let time = time.min(self.time_left());
        estimate_moves(&mut self.findings, time, memory)?;
        self.improved();
        Ok(())
    }

    /// True if the results of moves are wanted that are not known.
    fn wants_open_moves(&self) -> bool {
        self.wants_every_move && self.findings.has_open_moves()
    }

    fn improved(&mut self) {
        let analysis = self.findings.analysis();
        self.monitor.stopped |= self.monitor.listener.improved(&analysis);
    }

    /// True if nothing is left to be found, time is over, or the analysis was stopped.
    fn is_over(&mut self) -> bool {
        let findings = &self.findings;
        let is_done = findings.is_complete() && (findings.has_line() || self.has_sought_line);
        is_done || self.monitor.stopped || self.time_left().is_zero()
    }

    /// Returns the time of the analysis at which a job is due.
    fn due(&self, job: &LongJob<'a>) -> Duration {
        job.time.saturating_mul(self.slowness) / JOB_DIVISOR
    }

    fn due_job(&self, jobs: &mut VecDeque<LongJob<'a>>) -> Option<DueJob<'a>> {
        next_job(jobs, |job| self.findings.started().elapsed() >= self.due(job))
    }

    fn time_left(&mut self) -> Duration {
        self.limited_time_left().unwrap_or(MAX_UNIT)
    }

    /// Returns the time left; `None` if it is not limited.
    fn limited_time_left(&mut self) -> Option<Duration> {
        let spent = self.findings.started().elapsed();
        if let Some(time) = self.task.limits.time {
            return Some(time.saturating_sub(spent));
        }
        if !self.findings.is_proved() || self.wants_open_moves() {
            return None;
        }
        if self.findings.is_exact() {
            return Some(Duration::ZERO);
        }
        let [least, most] = PLIES_TIME;
        let latest = Instant::now() + spent.clamp(least, most);
        let end = *self.end.get_or_insert(latest);
        Some(end.saturating_duration_since(Instant::now()))
    }

    fn short_wins(&mut self, time: Duration, problem: ProofProblem<'_>) -> Result<(), Error> {
        let limits = ShortWinLimits::of_time(time.min(self.time_left()), self.task.limits.memory);
        self.has_sought_line |= self.findings.is_exact();
        find_short_wins(&mut self.findings, problem, limits, &mut self.monitor)?;
        self.improved();
        Ok(())
    }

    /// Proves moves whose result is not known, or else looks for their plies, each in its share of
    /// some time.
    fn settle_moves(&mut self, time: Duration, problem: ProofProblem<'_>) -> Result<(), Error> {
        let classes = self.findings.classes().iter();
        let mut inexact: Vec<(Packed, Option<Wdl>)> = classes
            .filter(|class| class.known.answer.exact().is_none())
            .map(|class| (class.to, class.known.answer.wdl()))
            .collect();
        if inexact.iter().any(|(_, wdl)| wdl.is_none()) {
            inexact.retain(|(_, wdl)| wdl.is_none());
        }
        let share = time / inexact.len().max(1) as u32;
        let mut reported = Instant::now();
        for (to, wdl) in inexact {
            if self.is_over() {
                break;
            }
            let problem = ProofProblem { start: to, ..problem };
            match wdl {
                None => self.prove_move(share, problem)?,
                Some(wdl) => self.plies_of_move(share, problem, wdl)?,
            }
            // Many moves take little time each, and a report tells of all.
            if reported.elapsed() >= REPORT_INTERVAL {
                self.improved();
                reported = Instant::now();
            }
        }
        self.improved();
        Ok(())
    }

    /// Searches for the result of the move to a position.
    fn prove_move(&mut self, time: Duration, problem: ProofProblem<'_>) -> Result<(), Error> {
        let limits = Limits { memory: self.task.limits.memory / 4, time: Some(time) };
        let (solution, moves) = solve_with_moves(problem, limits, &mut self.monitor)?;
        self.note_work(solution.expansions);
        if let Some(wdl) = solution.value() {
            let known = Known::of_wdl(wdl, solution.plies());
            let line = best_play(&solution, &moves);
            self.findings.note_move(problem.start, known, line);
        }
        Ok(())
    }

    /// Searches for the plies of the move to a position. `wdl` is its result for the side that
    /// makes it.
    fn plies_of_move(
        &mut self,
        time: Duration,
        problem: ProofProblem<'_>,
        wdl: Wdl,
    ) -> Result<(), Error> {
        let limits = ShortWinLimits::of_time(time, self.task.limits.memory);
        let attacks = wdl == Wdl::Loss;
        for found in search_sides(problem, &[attacks], limits, Duration::ZERO, &mut self.monitor)? {
            self.findings.work += found.nodes;
            if let Some(plies) = found.plies {
                let known = Known::of_win(attacks, plies);
                self.findings.note_move(problem.start, known, found.line);
            }
        }
        Ok(())
    }

    /// Does a long job. Returns its values.
    fn job(&mut self, job: DueJob<'a>) -> Result<JobValues<'a>, Error> {
        let limits = Limits { memory: self.task.limits.memory, time: self.limited_time_left() };
        let begin = Instant::now();
        match (job.run)(limits, &mut self.monitor) {
            Ok(Some(decision)) => {
                // Values that were only read tell nothing of the time of a solve.
                if decision.work > 0 {
                    self.note_time(begin.elapsed(), job.time);
                }
                Ok(self.note_decision(decision))
            }
            Ok(None) | Err(Error::Stopped) => Ok(JobValues::NONE),
            Err(error) if error.is_lack() => Ok(JobValues::NONE),
            Err(error) => Err(error),
        }
    }

    /// Notes that a job took longer than was estimated: the machine is slow or busy, and later jobs
    /// will take longer too.
    fn note_time(&mut self, taken: Duration, estimated: Duration) {
        if estimated >= LEAST_TELLING_TIME {
            let times = taken.as_secs_f64() / estimated.as_secs_f64();
            self.slowness = self.slowness.max((times as u32).min(MAX_SLOWNESS));
        }
    }

    /// Notes the values of a long job. Returns them.
    fn note_decision(&mut self, decision: Decision<'a>) -> JobValues<'a> {
        let (game, position) = (self.task.game, self.task.position);
        self.findings.work += decision.work;
        if decision.known.is_some() {
            self.findings.add_source(decision.source);
        }
        let known_of = |value: Option<&Option<_>>| {
            let value = value.copied().flatten();
            value.map_or(Known::NOTHING, Known::exact)
        };
        let mut successors = Vec::new();
        if game.terminal(position).is_none() {
            game.successors(position, &mut successors);
        }
        for (index, &to) in successors.iter().enumerate() {
            let known = known_of(decision.values.get(index + 1));
            self.findings.note_move(to, known, Vec::new());
        }
        self.findings.note_root(known_of(decision.values.first()));
        if let Some((&to, line)) = decision.line.split_first() {
            self.findings.note_move(to, Known::NOTHING, line.to_vec());
        }
        if let Some(known) = &decision.known {
            self.findings.note_successors(known);
            self.findings.note_root(known(position));
            self.findings.set_lines(|from| {
                let line = best_line(game, &ProbeOf(known), from);
                let mut at = from;
                let plies = line.map_or(Vec::new(), |line| line.plies);
                let next = |mv| {
                    at = game.play(at, mv);
                    at
                };
                plies.iter().map(|ply| ply.mv).map(next).collect()
            });
        }
        self.improved();
        JobValues { known: decision.known, bytes: decision.bytes, followers: decision.followers }
    }

    fn note_work(&mut self, positions: u64) {
        self.findings.work += positions;
        self.findings.add_source(AnalysisSource::Proof { positions });
    }

    /// Notes the result of the search, as far as it has come.
    fn note_proof(&mut self, found: &ProofWithMoves) {
        let (solution, moves) = found;
        for mv in moves {
            if let Some(wdl) = mv.value() {
                let known = Known::of_wdl(wdl.before(), mv.plies);
                self.findings.note_move(mv.to, known, mv.line.clone());
            }
        }
        if let Some(wdl) = solution.value() {
            let known = Known::of_wdl(wdl, solution.plies());
            if let Some(best) = solution.best() {
                self.findings.note_move(best, known.after(), Vec::new());
            }
            self.findings.note_root(known);
        }
        self.improved();
    }
}

impl JobValues<'_> {
    const NONE: Self = Self { known: None, bytes: 0, followers: 0 };
}

/// Returns the first job that suits the position, as long as those before it may begin.
fn next_job<'a>(
    jobs: &mut VecDeque<LongJob<'a>>,
    may_begin: impl Fn(&LongJob<'a>) -> bool,
) -> Option<DueJob<'a>> {
    while jobs.front().is_some_and(&may_begin) {
        let LongJob { time, plan, .. } = jobs.pop_front()?;
        if let Some(run) = plan() {
            return Some(DueJob { time, run });
        }
    }
    None
}

/// Returns the play from the start of a search on, as far as the search knows it.
fn best_play(solution: &ProofSolution, moves: &[MoveProof]) -> Vec<Packed> {
    let best = match solution.best() {
        Some(best) => moves.iter().find(|mv| mv.to == best),
        None => moves.iter().max_by_key(|mv| mv.plies),
    };
    let play = |mv: &MoveProof| [mv.to].into_iter().chain(mv.line.clone()).collect();
    best.map_or(Vec::new(), play)
}

#[cfg(test)]
mod tests;
