//! Values of the moves that a person may play.

use std::collections::HashMap;

use anyhow::Result;
use hindsight_answers::{AnalysisAnswer, MoveAnalysis};
use hindsight_core::{Answer, Wdl};
use hindsight_games::{AnyAnalysis, AnyGame, Position, Values};

use crate::analyse::{LiveAnalysis, Subject};
use crate::args::SearchArgs;
use crate::context::Context;
use crate::process::signals::take_interrupt;

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

/// Analyses for hints by the texts of their positions, so that a hint stays the same.
pub(super) type KeptAnalyses = HashMap<String, AnyAnalysis>;

/// Moves to be played next.
pub(super) struct Hint {
    /// The first moves of the analysis, best first; none if it knows nothing of any move.
    pub(super) moves: Vec<MoveAnalysis>,
    /// True if no move is better than the first one: that is proved.
    pub(super) is_certain: bool,
}

impl Advisor<'_> {
    /// Returns the legal moves, best first if their values are known.
    pub(super) fn moves(&self, position: &Position) -> Result<Vec<MoveAnalysis>> {
        let analysis = match self.values {
            Some(values) => values.analysis(position),
            None => self.game.glance(position, None),
        };
        self.reports(&analysis?)
    }

    /// Returns the best moves: of known value, or those that an analysis of two seconds puts first.
    /// Ctrl-C ends the analysis earlier, and the next hint then analyses again.
    pub(super) fn hint(&self, position: &Position, kept: &mut KeptAnalyses) -> Result<Hint> {
        let text = self.game.format(position)?;
        let mut analysis = match kept.get(&text) {
            Some(analysis) => analysis.clone(),
            None => {
                let (analysis, is_whole) = self.analyse(position)?;
                if is_whole {
                    kept.insert(text, analysis.clone());
                }
                analysis
            }
        };
        let is_certain = is_best_proved(&analysis);
        let best = analysis.moves.first().map(|best| best.answer);
        match best {
            Some(best) if is_certain => analysis.moves.retain(|mv| mv.answer == best),
            _ => analysis.moves.truncate(HINT_MOVES),
        }
        if best.is_some_and(|best| best.exact().is_none()) && is_certain {
            // Of wins whose plies are not known, the first is as short as any is known to be.
            analysis.moves.truncate(1);
        }
        let is_known =
            |mv: &MoveAnalysis| mv.known.answer() != Answer::Unknown || mv.known.estimate.is_some();
        let mut moves = self.reports(&analysis)?;
        if !moves.first().is_some_and(is_known) {
            moves.clear();
        }
        Ok(Hint { moves, is_certain })
    }

    /// Analyses a position for a hint. Returns true with it if it was not ended by Ctrl-C.
    fn analyse(&self, position: &Position) -> Result<(AnyAnalysis, bool)> {
        let subject =
            Subject { game: self.game.clone(), position: *position, table: self.values.cloned() };
        let search = SearchArgs { seconds: HINT_SECONDS, cache: None };
        let mut live = LiveAnalysis::hidden(&subject, self.context);
        live.wants_value = true;
        let analysis = subject.analyse(None, &search, self.context, &mut live)?;
        let is_interrupted = take_interrupt();
        if !is_interrupted {
            live.stopped()?;
        }
        Ok((analysis, !is_interrupted))
    }

    fn reports(&self, analysis: &AnyAnalysis) -> Result<Vec<MoveAnalysis>> {
        let answer = AnalysisAnswer::new(self.game, analysis)?;
        Ok(answer.moves)
    }
}

/// Returns true if the first move is proved to be as good as any other.
fn is_best_proved(analysis: &AnyAnalysis) -> bool {
    let moves = || analysis.moves.iter().map(|mv| mv.answer.wdl());
    match moves().next().flatten() {
        Some(Wdl::Win) => true,
        Some(wdl) => analysis.answer.wdl() == Some(wdl) || moves().all(|wdl| wdl.is_some()),
        None => false,
    }
}
