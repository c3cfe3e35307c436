//! Analysis of a packed position.

use std::time::{Duration, Instant};

use hindsight_analysis::{
    AnalysedMove, Analysis, AnalysisListener, AnalysisTask, Decide, EstimateLimits, KeptFindings,
    analyse, glance, keep_endgame,
};
use hindsight_core::{Game, Notation, Packed};
use hindsight_engine::checkpoint::Blobs;
use hindsight_engine::{Limits, Monitor, Progress};
use hindsight_rules::onitama::ProvedDeal;
use hindsight_solve::plan::{Choice, Request, SolveNeeds};

use super::game::NamedGame;
use super::structure::GameParts;
use crate::error::GamesError;
use crate::positions::any_value::Position;
use crate::tasks::analysis::{AnalysisWatcher, AnyAnalysis};
use crate::tasks::kept_findings::{TIME_WORTH_KEEPING, read_findings, write_findings};

/// Time of a graph whose positions were counted, because they are few.
const COUNTED_GRAPH_TIME: Duration = Duration::from_millis(400);

/// Hands an analysis on, with positions of the library.
struct WrappingListener<'a> {
    game: &'a NamedGame,
    watcher: &'a mut dyn AnalysisWatcher,
}

impl AnalysisListener for WrappingListener<'_> {
    fn report(&mut self, progress: Progress) -> bool {
        self.watcher.report(progress)
    }

    fn improved(&mut self, analysis: &Analysis) -> bool {
        let analysis = self.game.wrap_analysis(analysis);
        self.watcher.improved(&analysis);
        self.watcher.is_enough(&analysis)
    }

    fn wants_every_move(&self) -> bool {
        self.watcher.wants_every_move()
    }
}

impl NamedGame {
    /// Returns what ships with the program of a position in its canonical form: of the start of a
    /// proved deal.
    fn proved_start(&self, position: Packed) -> Option<KeptFindings> {
        let (game, start) = (&self.game, self.game.start());
        if position != game.canonical(start) {
            return None;
        }
        let deal = ProvedDeal::shipped(&self.spec)?;
        let best = deal.best_move.map(|text| game.parse_move(start, &text)).transpose().ok()?;
        let best = best.map(|mv| game.play(start, mv));
        Some(KeptFindings::of_proof(game, start, deal.value, deal.plies, best))
    }

    pub(super) fn wrap_analysis(&self, analysis: &Analysis) -> AnyAnalysis {
        let line = |mv: &AnalysedMove| {
            let mut position = analysis.position;
            let moves = mv.line.iter().map(|&mv| {
                let wrapped = self.wrap_move(position, mv);
                position = self.game.play(position, mv);
                wrapped
            });
            moves.collect()
        };
        let wrap = |mv: &AnalysedMove| AnalysedMove {
            mv: self.wrap_move(analysis.position, mv.mv),
            to: self.wrap(mv.to),
            answer: mv.answer,
            bound: mv.bound,
            estimate: mv.estimate,
            line: line(mv),
        };
        Analysis {
            position: self.wrap(analysis.position),
            answer: analysis.answer,
            bound: analysis.bound,
            estimate: analysis.estimate,
            moves: analysis.moves.iter().map(wrap).collect(),
            sources: analysis.sources.clone(),
            work: analysis.work,
            elapsed: analysis.elapsed,
        }
    }
}

impl GameParts {
    /// Returns what the rules alone tell of a position, with estimates if there is time for them.
    pub(crate) fn glance(
        &self,
        position: &Position,
        estimate: Option<EstimateLimits>,
    ) -> Result<AnyAnalysis, GamesError> {
        let analysis = glance(&self.named.game, self.named.unwrap(position)?, estimate)?;
        Ok(self.named.wrap_analysis(&analysis))
    }

    /// Returns the estimated time for the graph of what is reachable from the position, if few
    /// positions are known to be.
    ///
    /// The estimate does not depend on the time of the analysis, so that a longer one begins as a
    /// shorter one does.
    fn graph_time(&self, position: Packed, limits: Limits) -> Option<Duration> {
        let request = Request { limits: Limits { time: None, ..limits }, ..Request::default() };
        let plan = self.structure.plan(position, &request).ok();
        let needs = plan.map(|plan| plan.needs());
        let is_small = |needs: &SolveNeeds| {
            let choice = needs.choice;
            choice.is_some_and(Choice::has_small_graph)
        };
        let time = |needs: SolveNeeds| {
            let seconds = needs.seconds.map(Duration::from_secs_f64);
            seconds.unwrap_or(COUNTED_GRAPH_TIME)
        };
        needs.filter(is_small).map(time)
    }

    /// Returns the proofs of earlier analyses of a position in its canonical form, with those that
    /// ship with the program.
    fn kept_findings(&self, position: Packed, cache: Option<&dyn Blobs>) -> Option<KeptFindings> {
        let kept = self.kept.get(&self.named.game.format(position));
        let kept = kept.or_else(|| read_findings(&self.named.game, position, cache?));
        match (kept, self.named.proved_start(position)) {
            (Some(mut kept), Some(proved)) => {
                kept.add(&proved);
                Some(kept)
            }
            (kept, proved) => kept.or(proved),
        }
    }

    /// Keeps an endgame for analyses of a position and of all that may follow it, if half of the
    /// time seems enough.
    pub(crate) fn keep_endgame(
        &self,
        position: &Position,
        limits: Limits,
        cache: &dyn Blobs,
        monitor: &mut dyn Monitor,
    ) -> Result<(), GamesError> {
        let position = self.named.unwrap(position)?;
        Ok(keep_endgame(&self.named.game, position, cache, limits, monitor)?)
    }

    /// Analyses a position. Begins with what earlier analyses have proved, and keeps what this one
    /// proves.
    pub(crate) fn run_analysis(
        &self,
        position: &Position,
        limits: Limits,
        cache: Option<&dyn Blobs>,
        watcher: &mut dyn AnalysisWatcher,
    ) -> Result<AnyAnalysis, GamesError> {
        let begin = Instant::now();
        let position = self.named.unwrap(position)?;
        let graph_time = self.graph_time(position, limits);
        let canonical = self.named.game.canonical(position);
        let kept = self.kept_findings(canonical, cache);
        let task = AnalysisTask {
            game: &self.named.game,
            position,
            limits,
            cache,
            kept: kept.as_ref(),
            graph_time,
            decide: Decide::of(&self.named.game),
        };
        let mut listener = WrappingListener { game: &self.named, watcher };
        let found = analyse(task, &mut listener)?;
        if found.kept.has_proofs() && kept.as_ref() != Some(&found.kept) {
            let cache = cache.filter(|_| begin.elapsed() > TIME_WORTH_KEEPING);
            let mut proved = found.kept;
            // Another program may have written meanwhile.
            let written = cache.and_then(|cache| read_findings(&self.named.game, canonical, cache));
            if let Some(written) = written {
                proved.add(&written);
            }
            let proved = self.kept.add(self.named.game.format(canonical), proved);
            if let Some(cache) = cache {
                write_findings(&self.named.game, canonical, &proved, cache);
            }
        }
        Ok(self.named.wrap_analysis(&found.analysis))
    }
}
