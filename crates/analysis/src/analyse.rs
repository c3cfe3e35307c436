//! The analysis: all sources in turn.

use std::convert::Infallible;
use std::time::Duration;

use hindsight_checkpoint::Blobs;
use hindsight_core::{Answer, Game, Probe};
use hindsight_run::{Error, Limits, Monitor, Progress};
use hindsight_solve::{best_line, graph};

use crate::analysis::{Analysis, AnalysisSource};
use crate::decide::{Decide, DecideOnce, Decision, DecisionTask, KnownValues};
use crate::estimate::estimate_moves;
use crate::findings::Findings;
use crate::known::Known;
use crate::short_wins::{ShortWinLimits, find_short_wins};

/// Share of the time for the first search for short wins.
const FIRST_SHARE: f64 = 0.02;
/// Share of the time for the graph.
const GRAPH_SHARE: f64 = 0.8;
/// Share of the time for estimates, and its limit.
const ESTIMATE_SHARE: f64 = 0.1;
const MAX_ESTIMATE_TIME: Duration = Duration::from_secs(2);
/// Least and most time for the plies of a win that is proved already.
const PLIES_TIME: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(5)];
/// Bytes that a search for short wins fills in a second, about.
const SHORT_WIN_BYTES_PER_SECOND: f64 = 1e8;
/// Most bytes of the tables of a search for short wins.
const MAX_SHORT_WIN_BYTES: u64 = 1 << 28;

/// Position to be analysed, with the means.
pub struct AnalysisTask<'a, 'g, G: Game> {
    /// Rules.
    pub game: &'g G,
    /// The position.
    pub position: G::Position,
    /// Memory and time allowed; without a time the analysis goes on until the value is proved.
    pub limits: Limits,
    /// Endgames that earlier analyses have kept.
    pub cache: Option<&'a dyn Blobs>,
    /// True if few positions are known to be reachable, so that their graph is solved in time.
    pub has_small_graph: bool,
    /// Decisions by the structure of the game.
    pub decide: Decide<G>,
}

/// Hears of an analysis, and may stop it.
pub trait AnalysisListener<G: Game> {
    /// Hears of the progress of a source; false stops the analysis.
    fn report(&mut self, progress: Progress) -> bool;

    /// Hears of more knowledge.
    fn improved(&mut self, analysis: &Analysis<G::Position, G::Move>);
}

/// Values of positions for their side to move.
type ValuesByPosition<'a, P> = dyn Fn(P) -> Answer + 'a;

/// Values of a function, to be probed.
struct ProbeOf<'a, P>(&'a ValuesByPosition<'a, P>);

impl<G: Game> Probe<G> for ProbeOf<'_, G::Position> {
    type Error = Infallible;

    fn probe(&self, position: G::Position) -> Result<Answer, Infallible> {
        Ok((self.0)(position))
    }
}

/// Monitor of a source that reports to a listener.
struct SourceMonitor<'a, G: Game> {
    listener: &'a mut dyn AnalysisListener<G>,
    stopped: bool,
}

impl<G: Game> Monitor for SourceMonitor<'_, G> {
    fn report(&mut self, progress: Progress) -> bool {
        self.stopped |= !self.listener.report(progress);
        !self.stopped
    }
}

/// Analyses a position until its value is proved, time is over, or the listener stops it.
///
/// The result of a stopped analysis is what was known by then.
///
/// # Errors
/// [`Error::Thread`] if no thread can be started, or any other failure of a source but a lack of
/// time or memory.
pub fn analyse<G: Game + 'static>(
    task: AnalysisTask<'_, '_, G>,
    listener: &mut dyn AnalysisListener<G>,
) -> Result<Analysis<G::Position, G::Move>, Error> {
    let mut run = AnalysisRun {
        findings: Findings::new(task.game, task.position),
        task,
        monitor: SourceMonitor {
            listener,
            stopped: false,
        },
    };
    run.sources()?;
    Ok(run.findings.analysis())
}

/// An analysis on its way.
struct AnalysisRun<'a, 'g, 'l, G: Game> {
    task: AnalysisTask<'a, 'g, G>,
    findings: Findings<'g, G>,
    monitor: SourceMonitor<'l, G>,
}

impl<'g, G: Game + 'static> AnalysisRun<'_, 'g, '_, G> {
    /// Asks all sources in turn.
    fn sources(&mut self) -> Result<(), Error> {
        if self.findings.is_complete() {
            return Ok(());
        }
        self.short_wins(self.share(FIRST_SHARE), None)?;
        let mut known = None;
        if self.task.has_small_graph && !self.is_over() {
            self.graph()?;
        } else if !self.is_over() {
            known = self.decide(self.task.decide.complete)?;
        }
        if self.is_over() {
            return Ok(());
        }
        if self.findings.has_open_moves() {
            let time = self.share(ESTIMATE_SHARE).min(MAX_ESTIMATE_TIME);
            estimate_moves(&mut self.findings, time, self.task.limits.memory)?;
            self.improved();
        }
        if self.findings.is_exact() || self.is_over() {
            return Ok(());
        }
        if !self.findings.is_proved() {
            known = self.decide(self.task.decide.search)?;
        }
        if !self.findings.is_exact() && self.findings.is_proved() {
            let spent = self.findings.started().elapsed();
            let [least, most] = PLIES_TIME;
            let time = self.time_left().min(spent.clamp(least, most));
            self.short_wins(time, known.as_ref())?;
        }
        Ok(())
    }

    fn improved(&mut self) {
        let analysis = self.findings.analysis();
        self.monitor.listener.improved(&analysis);
    }

    /// True if nothing is left to be found, time is over, or the analysis was stopped.
    fn is_over(&self) -> bool {
        self.findings.is_complete() || self.monitor.stopped || self.time_left().is_zero()
    }

    fn time_left(&self) -> Duration {
        let spent = self.findings.started().elapsed();
        let time = self.task.limits.time;
        time.map_or(Duration::MAX / 4, |time| time.saturating_sub(spent))
    }

    /// Returns a share of the whole time, as far as it is left; without a limit the same of ten
    /// seconds.
    fn share(&self, share: f64) -> Duration {
        let time = self.task.limits.time.unwrap_or(Duration::from_secs(10));
        time.mul_f64(share).min(self.time_left())
    }

    /// Looks for short wins; `known` are values known beforehand.
    fn short_wins(
        &mut self,
        time: Duration,
        known: Option<&KnownValues<'_, G::Position>>,
    ) -> Result<(), Error> {
        let useful = (time.as_secs_f64() * SHORT_WIN_BYTES_PER_SECOND) as u64;
        let limits = ShortWinLimits {
            time,
            memory: (self.task.limits.memory / 4)
                .min(MAX_SHORT_WIN_BYTES)
                .min(useful),
        };
        let oracle = |position| known.and_then(|known| known(position).wdl());
        find_short_wins(&mut self.findings, &oracle, limits, &mut self.monitor)?;
        self.improved();
        Ok(())
    }

    /// Solves the graph of what is reachable.
    fn graph(&mut self) -> Result<(), Error> {
        let limits = Limits {
            memory: self.task.limits.memory,
            time: self.task.limits.time.map(|_| self.share(GRAPH_SHARE)),
        };
        let (game, position) = (self.task.game, self.task.position);
        let solved = graph::solve_from(game, position, limits, &mut self.monitor);
        let solution = match solved {
            Ok(solution) => solution,
            Err(error) if error.is_lack() => return Ok(()),
            Err(error) => return Err(error),
        };
        let positions = solution.summary().positions;
        self.findings.work += positions;
        self.findings
            .add_source(AnalysisSource::Graph { positions });
        let reader = solution.reader(game);
        let values = |position| match reader.probe(position) {
            Ok(answer) => answer,
            Err(never) => match never {},
        };
        self.note_values(&values, None);
        self.improved();
        Ok(())
    }

    /// Notes the values of the position and of its successors, with lines where all values of a
    /// line are known.
    fn note_values(&mut self, values: &ValuesByPosition<'_, G::Position>, bound: Option<u16>) {
        let known = |position| Known::of_answer(values(position), bound);
        self.findings.note_root(known(self.task.position));
        self.findings.note_successors(known);
        let (game, values) = (self.task.game, ProbeOf(values));
        self.findings.set_lines(|from| {
            let line = best_line(game, &values, from);
            line.map_or(Vec::new(), |line| {
                line.plies.iter().map(|ply| ply.mv).collect()
            })
        });
    }

    /// Decides the position by its structure. Returns the values that the decision has found.
    fn decide(
        &mut self,
        decide: DecideOnce<G>,
    ) -> Result<Option<KnownValues<'g, G::Position>>, Error> {
        let task = DecisionTask {
            game: self.task.game,
            position: self.task.position,
            limits: Limits {
                memory: self.task.limits.memory,
                time: self.task.limits.time.map(|_| self.time_left()),
            },
            cache: self.task.cache,
        };
        match decide(task, &mut self.monitor) {
            Ok(Some(decision)) => Ok(self.note_decision(decision)),
            Ok(None) => Ok(None),
            Err(error) if error.is_lack() => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Notes a decision. Returns its values.
    fn note_decision(
        &mut self,
        decision: Decision<'g, G::Position>,
    ) -> Option<KnownValues<'g, G::Position>> {
        let (game, position) = (self.task.game, self.task.position);
        for &source in &decision.sources {
            self.findings.add_source(source);
        }
        let searched = decision
            .solution
            .as_ref()
            .map_or(0, |solution| solution.expansions);
        self.findings.work += searched;
        let bound = decision.longest;
        if let Some(values) = &decision.values {
            let mut successors = Vec::new();
            game.successors(position, &mut successors);
            let value_of = |to| successors.iter().position(|&successor| successor == to);
            self.findings.note_root(Known::exact(values[0]));
            self.findings.note_successors(|to| {
                value_of(to).map_or(Known::NOTHING, |index| Known::exact(values[index + 1]))
            });
        }
        if let Some(known) = &decision.known {
            self.note_values(known, bound);
        }
        let proved = |to| {
            let to = game.canonical(to);
            let mv = decision.moves.iter().find(|mv| mv.to == to);
            let value = mv.and_then(|mv| mv.value());
            value.map_or(Known::NOTHING, |wdl| Known::of_wdl(wdl.before(), bound))
        };
        self.findings.note_successors(proved);
        let solution = decision.solution.as_ref();
        if let Some(wdl) = solution.and_then(|solution| solution.value()) {
            self.findings.note_root(Known::of_wdl(wdl, bound));
        }
        self.improved();
        decision.known
    }
}
