//! Analysis of a position: the task and its outcome.

use hindsight_analysis::Analysis;
use hindsight_engine::Progress;

use crate::positions::any_value::{AnyMove, Position};

/// Analysis of a position of any game.
pub type AnyAnalysis = Analysis<Position, AnyMove>;

/// Hears of an analysis, and may stop it.
pub trait AnalysisWatcher {
    /// Hears of the progress of a source; false stops the analysis.
    fn report(&mut self, progress: Progress) -> bool;

    /// Hears of more knowledge.
    fn improved(&mut self, analysis: &AnyAnalysis);

    /// Returns true if the result of every move is wanted, and not the best move first. By default
    /// it is not.
    fn wants_every_move(&self) -> bool {
        false
    }

    /// Returns true if an analysis tells enough, and so ends. By default none does but the last.
    fn is_enough(&self, _analysis: &AnyAnalysis) -> bool {
        false
    }
}
