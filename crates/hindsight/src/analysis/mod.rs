//! Analyses of positions of any game, reviews of played games, and the cache of both. Agents are
//! not known here.

pub(crate) mod cache;
mod glance;
pub(crate) mod memory;
pub(crate) mod review;

use std::time::Duration;

use hindsight_analysis::{AnalysedMove, Analysis, AnalysisSource};
use hindsight_engine::checkpoint::Blobs;
use hindsight_engine::{Limits, Progress};

use crate::error::GamesError;
use crate::games::game::AnyGame;
use crate::positions::any_value::Position;
use crate::positions::rated_move::AnyRatedMove;
use crate::tasks::analysis::{AnalysisWatcher, AnyAnalysis};
use crate::tasks::options::Options;
use crate::values::{Values, ValuesReader};
use cache::AnalysisStore;

impl AnyGame {
    /// Analyses a position until all is proved, or the time of the options is over; without a time,
    /// until its value is proved or, with `every_move`, the result of each move.
    ///
    /// More time never knows less, and what was proved of a position is kept: by this game for its
    /// last positions, and in `cache`. The next analysis begins with it.
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
        cache: Option<&dyn AnalysisStore>,
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
        cache: Option<&dyn AnalysisStore>,
        watcher: &mut dyn AnalysisWatcher,
    ) -> Result<AnyAnalysis, GamesError> {
        // A table that cannot be read is no reason to say nothing.
        let values = cache.and_then(|cache| cache.values_of(self));
        if let Some(Ok(analysis)) = values.map(|values| values.analysis(position)) {
            return Ok(analysis);
        }
        let cache = cache.map(|cache| cache as &dyn Blobs);
        // Symmetric moves have one value, whatever a solve of this game counts as one.
        self.with_symmetry().parts().run_analysis(position, limits, cache, watcher)
    }
}

impl Values {
    /// Returns the analysis of a position by known values alone.
    ///
    /// # Errors
    /// As [`Values::line`].
    pub fn analysis(&self, position: &Position) -> Result<AnyAnalysis, GamesError> {
        let reader = self.reader();
        let mut analysis = reader.values_of_moves(position)?;
        for analysed in &mut analysis.moves {
            if analysed.answer.exact().is_some() {
                let rest = reader.line(&analysed.to)?.plies;
                analysed.line.extend(rest.into_iter().map(|ply| ply.mv));
            }
        }
        Ok(analysis)
    }
}

impl ValuesReader<'_> {
    /// Returns the analysis of a position by known values, without the play after its moves.
    pub(crate) fn values_of_moves(&self, position: &Position) -> Result<AnyAnalysis, GamesError> {
        let analysed = |rated: AnyRatedMove| AnalysedMove {
            line: vec![rated.mv],
            mv: rated.mv,
            to: rated.next,
            answer: rated.value,
            bound: None,
            estimate: None,
        };
        let rated = self.rated_moves(position)?.into_iter();
        Ok(Analysis {
            position: *position,
            answer: self.probe(position)?,
            bound: None,
            estimate: None,
            moves: rated.map(analysed).collect(),
            sources: vec![AnalysisSource::Table],
            work: 0,
            elapsed: Duration::ZERO,
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

    fn wants_every_move(&self) -> bool {
        self.0.every_move
    }
}
