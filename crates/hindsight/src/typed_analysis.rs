//! Analysis of a position of a known type.

use hindsight_analysis::{AnalysedMove, Analysis, AnalysisListener, AnalysisTask, analyse};
use hindsight_core::Notation;
use hindsight_run::{Limits, Progress};
use hindsight_solve::plan::{Method, Request};

use crate::analysis_task::{AnalysisWatcher, AnyAnalysis, AnyAnalysisTask};
use crate::error::GamesError;
use crate::memory::resident_bytes;
use crate::structure::Structure;
use crate::typed_game::TypedGame;

/// Listener of a typed analysis.
struct ErasingListener<'a, G, S> {
    game: &'a TypedGame<G, S>,
    watcher: &'a mut dyn AnalysisWatcher,
}

impl<G: Notation + Send + 'static, S> AnalysisListener<G> for ErasingListener<'_, G, S> {
    fn report(&mut self, progress: Progress) -> bool {
        self.watcher.report(progress)
    }

    fn improved(&mut self, analysis: &Analysis<G::Position, G::Move>) {
        self.watcher.improved(&self.game.wrap_analysis(analysis));
    }
}

impl<G: Notation + Send + 'static, S> TypedGame<G, S> {
    fn wrap_analysis(&self, analysis: &Analysis<G::Position, G::Move>) -> AnyAnalysis {
        let wrap = |mv: &AnalysedMove<G::Position, G::Move>| AnalysedMove {
            mv: self.wrap_move(mv.mv),
            to: self.wrap(mv.to),
            answer: mv.answer,
            bound: mv.bound,
            estimate: mv.estimate,
            line: mv.line.iter().map(|&mv| self.wrap_move(mv)).collect(),
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

impl<G: Notation + Send + 'static, S: Structure<G>> TypedGame<G, S> {
    /// Returns true if few positions are known to be reachable from the position.
    fn has_small_graph(&self, task: &AnyAnalysisTask<'_>) -> Result<bool, GamesError> {
        let request = Request {
            limits: task.limits,
            ..Request::default()
        };
        let plan = S::plan(&self.game, self.unwrap(task.position)?, &request);
        let choice = plan.ok().and_then(|plan| plan.needs().choice);
        Ok(choice.is_some_and(|choice| choice.method == Method::Reachable))
    }

    /// Analyses a position.
    pub(crate) fn run_analysis(
        &self,
        task: &AnyAnalysisTask<'_>,
        watcher: &mut dyn AnalysisWatcher,
    ) -> Result<AnyAnalysis, GamesError> {
        let bytes_before = resident_bytes();
        let has_small_graph = self.has_small_graph(task)?;
        // The game has made the tables that number its positions.
        let table_bytes = resident_bytes().saturating_sub(bytes_before);
        let task = AnalysisTask {
            game: &self.game,
            position: self.unwrap(task.position)?,
            limits: Limits {
                memory: task.limits.memory.saturating_sub(table_bytes),
                ..task.limits
            },
            cache: task.cache,
            has_small_graph,
            decide: S::DECIDE,
        };
        let mut listener = ErasingListener {
            game: self,
            watcher,
        };
        let analysis = analyse(task, &mut listener)?;
        Ok(self.wrap_analysis(&analysis))
    }
}
