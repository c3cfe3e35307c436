//! The analysis of a position: what goes in, what comes out, and who hears of it.

use std::time::Duration;

use hindsight_core::{Packed, PackedGame};
use hindsight_engine::checkpoint::Blobs;
use hindsight_engine::{Error, Limits, Progress};

use crate::analysis::Analysis;
use crate::decide::Decide;
use crate::kept::KeptFindings;
use crate::rounds::AnalysisRun;

/// Position to be analysed, with the means.
pub struct AnalysisTask<'a> {
    /// Rules.
    pub game: &'a PackedGame,
    /// The position.
    pub position: Packed,
    /// Memory and time allowed; without a time the analysis goes on until the value is proved.
    pub limits: Limits,
    /// Endgames that earlier analyses have kept.
    pub cache: Option<&'a dyn Blobs>,
    /// Proofs of an earlier analysis of the position.
    pub kept: Option<&'a KeptFindings>,
    /// Estimated time for the graph of what is reachable, if few positions are known to be.
    pub graph_time: Option<Duration>,
    /// Decisions by the structure of the game.
    pub decide: Decide,
}

/// Result of an analysis.
#[derive(Clone, PartialEq, Debug)]
pub struct AnalysisOutcome {
    /// Knowledge of the position and its moves.
    pub analysis: Analysis,
    /// Proved part of it, for later analyses.
    pub kept: KeptFindings,
}

/// Hears of an analysis, and may stop it.
pub trait AnalysisListener {
    /// Hears of the progress of a source; false stops the analysis.
    fn report(&mut self, progress: Progress) -> bool;

    /// Hears of more knowledge; true ends the analysis, because it is enough.
    fn improved(&mut self, analysis: &Analysis) -> bool;

    /// Returns true if the result of every move is wanted, and not the best move first. By default
    /// it is not.
    fn wants_every_move(&self) -> bool {
        false
    }
}

/// Analyses a position until all is proved, time is over, or the listener stops it.
///
/// The work does not depend on the time, but on its end: a longer analysis begins with what a
/// shorter one does. What an earlier analysis has proved is part of the result.
///
/// # Errors
/// [`Error::Thread`] if no thread can be started, or any other failure of a source but a lack of
/// time or memory.
pub fn analyse(
    task: AnalysisTask<'_>,
    listener: &mut dyn AnalysisListener,
) -> Result<AnalysisOutcome, Error> {
    let mut run = AnalysisRun::new(task, listener);
    run.run()?;
    Ok(run.outcome())
}
