//! Analysis of positions without their types.

use hindsight_analysis::{
    AnalysedMove, Analysis, AnalysisListener, AnalysisSource, AnalysisTask, analyse,
};
use hindsight_checkpoint::Blobs;
use hindsight_core::Notation;
use hindsight_run::{Limits, Progress};
use hindsight_solve::plan::{Method, Request};

use crate::any_value::{AnyMove, Position};
use crate::cache::AnalysisCache;
use crate::error::GamesError;
use crate::game::AnyGame;
use crate::options::Options;
use crate::structure::Structure;
use crate::typed_game::TypedGame;
use crate::values::Values;

/// Analysis of a position of any game.
pub type AnyAnalysis = Analysis<Position, AnyMove>;

/// Hears of an analysis, and may stop it.
pub trait AnalysisWatcher {
    /// Hears of the progress of a source; false stops the analysis.
    fn report(&mut self, progress: Progress) -> bool;

    /// Hears of more knowledge.
    fn improved(&mut self, analysis: &AnyAnalysis);
}

impl AnyGame {
    /// Analyses a position until its value is proved, or the time of the options is over.
    ///
    /// Values come from the table of the game in `cache`, if there is one. Endgames are kept in
    /// `cache` and taken from there. The listener of the options hears of the
    /// progress and may stop the analysis, which then returns what it has found.
    ///
    /// # Errors
    /// As [`AnyGame::format`]; [`Error::Solve`](crate::Error::Solve) if no thread can be started.
    ///
    /// ```
    /// use hindsight_games::Options;
    ///
    /// let game = hindsight_games::game("tic-tac-toe")?;
    /// let position = game.parse("xx./oo./...")?;
    /// let analysis = game.analyse(&position, &Options::default(), None)?;
    /// assert_eq!(analysis.answer.to_string(), "win in 1 ply");
    /// assert_eq!(game.format_move(&position, &analysis.moves[0].mv)?, "c3");
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn analyse(
        &self,
        position: &Position,
        options: &Options,
        cache: Option<&AnalysisCache>,
    ) -> Result<AnyAnalysis, GamesError> {
        let mut watcher = OptionsWatcher(options);
        self.analyse_watched(position, options.limits(), cache, &mut watcher)
    }

    /// As [`AnyGame::analyse`], with a watcher that hears of all knowledge on the way.
    ///
    /// # Errors
    /// As [`AnyGame::analyse`].
    pub fn analyse_watched(
        &self,
        position: &Position,
        limits: Limits,
        cache: Option<&AnalysisCache>,
        watcher: &mut dyn AnalysisWatcher,
    ) -> Result<AnyAnalysis, GamesError> {
        // A table that cannot be read is no reason to say nothing.
        let values = cache.and_then(|cache| cache.values(self));
        if let Some(Ok(analysis)) = values.map(|values| values.analysis(position)) {
            return Ok(analysis);
        }
        let task = AnyAnalysisTask {
            position,
            limits,
            cache: cache.map(|cache| cache as &dyn Blobs),
        };
        self.erased().analyse(task, watcher)
    }
}

impl Values {
    /// Returns the analysis of a position by known values alone.
    ///
    /// # Errors
    /// As [`Values::line`].
    pub fn analysis(&self, position: &Position) -> Result<AnyAnalysis, GamesError> {
        let reader = self.reader();
        let analysed = |rated: crate::AnyRatedMove| {
            let mut line = vec![rated.mv.clone()];
            if rated.value.exact().is_some() {
                let rest = reader.line(&rated.next)?.plies;
                line.extend(rest.into_iter().map(|ply| ply.mv));
            }
            Ok(AnalysedMove {
                mv: rated.mv,
                to: rated.next,
                answer: rated.value,
                bound: None,
                estimate: None,
                line,
            })
        };
        let rated = reader.rated_moves(position)?.into_iter();
        let moves: Result<Vec<_>, GamesError> = rated.map(analysed).collect();
        Ok(Analysis {
            position: position.clone(),
            answer: reader.probe(position)?,
            bound: None,
            estimate: None,
            moves: moves?,
            sources: vec![AnalysisSource::Table],
            work: 0,
            elapsed: std::time::Duration::ZERO,
        })
    }
}

/// Watcher that reports to the listener of options.
struct OptionsWatcher<'a>(&'a Options);

impl AnalysisWatcher for OptionsWatcher<'_> {
    fn report(&mut self, progress: Progress) -> bool {
        let listener = self.0.progress.as_ref();
        listener.is_none_or(|listener| listener(progress))
    }

    fn improved(&mut self, _: &AnyAnalysis) {}
}

/// Position to be analysed, without its type.
pub(crate) struct AnyAnalysisTask<'a> {
    pub(crate) position: &'a Position,
    pub(crate) limits: Limits,
    pub(crate) cache: Option<&'a dyn Blobs>,
}

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
        let task = AnalysisTask {
            game: &self.game,
            position: self.unwrap(task.position)?,
            limits: task.limits,
            cache: task.cache,
            has_small_graph: self.has_small_graph(task)?,
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
