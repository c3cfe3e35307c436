//! Values of the moves that a person may play.

use anyhow::Result;
use hindsight_answers::{AnalysisAnswer, MoveAnalysis};
use hindsight_games::{AnyAnalysis, AnyGame, Position, Values};

use crate::analyse::{LiveAnalysis, Subject};
use crate::args::SearchArgs;
use crate::context::Context;
use crate::errors::game_error;
use crate::signals::take_interrupt;

/// Seconds of the analysis for a hint.
const HINT_SECONDS: f64 = 2.0;

/// Most moves that a hint shows if none of them is proved to be best.
const HINT_MOVES: usize = 3;

/// Advisor on the moves of a game.
pub(super) struct Advisor<'a> {
    pub(super) game: &'a AnyGame,
    pub(super) values: Option<&'a Values>,
    pub(super) context: &'a Context,
}

impl Advisor<'_> {
    /// Returns the legal moves, best first if their values are known.
    pub(super) fn moves(&self, position: &Position) -> Result<Vec<MoveAnalysis>> {
        let analysis = match self.values {
            Some(values) => values.analysis(position).map_err(game_error)?,
            None => self.game.unknown_analysis(position).map_err(game_error)?,
        };
        self.reports(&analysis)
    }

    /// Returns the best moves: of known value, or those that an analysis of two seconds puts first.
    /// Ctrl-C ends the analysis earlier.
    pub(super) fn best_moves(&self, position: &Position) -> Result<Vec<MoveAnalysis>> {
        let subject = self.subject(position);
        let search = SearchArgs {
            seconds: HINT_SECONDS,
            cache: None,
        };
        let mut live = LiveAnalysis::hidden(&subject, self.context);
        let mut analysis = subject.analyse(None, &search, self.context, &mut live)?;
        if !take_interrupt() {
            live.stopped()?;
        }
        let best = analysis.moves.first().map(|best| best.answer);
        match best {
            Some(best) if best.exact().is_some() => {
                analysis.moves.retain(|analysed| analysed.answer == best);
            }
            _ => analysis.moves.truncate(HINT_MOVES),
        }
        self.reports(&analysis)
    }

    fn subject(&self, position: &Position) -> Subject {
        Subject {
            game: self.game.clone(),
            position: position.clone(),
            table: self.values.cloned(),
        }
    }

    fn reports(&self, analysis: &AnyAnalysis) -> Result<Vec<MoveAnalysis>> {
        let answer = AnalysisAnswer::new(self.game, analysis).map_err(game_error)?;
        Ok(answer.moves)
    }
}
