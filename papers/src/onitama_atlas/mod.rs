//! Atlas of Onitama: every set of five cards on a board, for designers who ask if a set is fair.
//! Each set has the winner and the length of the game from each of its 30 deals, and the share of
//! drawn positions.
//!
//! No such numbers were published. One solve of a set by [`hindsight_bitplanes`] gives the values
//! of all its deals. Red moves first, whatever the stamps of the cards say. Sets come in an order
//! drawn from the seed, so that the sets of a stopped study are a random sample.

mod charts;
mod csv;
mod entry;
mod options;
mod survey;
mod tables;

use std::collections::BTreeMap;

use crate::abort::Abort;
pub use entry::AtlasEntry;
use hindsight_study::{BoardSize, Chart, ResultStore, StudyReport};
pub use options::AtlasOptions;
use options::BoardProgressFn;
pub use survey::{Survey, check_sets};

/// Result of the atlas.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct AtlasFindings {
    /// Summary of each board, with its fairest and its least fair sets.
    pub report: StudyReport,
    /// Solved sets of each board. Boards without any are left out.
    pub surveys: BTreeMap<BoardSize, Survey>,
    /// Reason why other boards are missing, as a sentence, if something failed.
    pub failure: Option<String>,
}

/// Solves the sets of each board on all threads. The values of a set depend on no option; the seed
/// and the time decide which sets are solved.
pub fn run(
    options: &AtlasOptions,
    store: &dyn ResultStore<AtlasEntry>,
    on_progress: BoardProgressFn<'_>,
) -> AtlasFindings {
    let mut findings = AtlasFindings::default();
    for size in options.boards_to_survey() {
        let (survey, abort) = survey::survey_board(size, options, store, on_progress);
        findings.surveys.insert(size, survey);
        match abort {
            None => {}
            Some(Abort::Stopped) => break,
            Some(Abort::Failed(message)) => {
                findings.failure = Some(message);
                break;
            }
        }
    }
    findings.surveys.retain(|_, survey| !survey.entries.is_empty());
    findings.report = tables::report(&findings.surveys);
    findings
}

impl AtlasFindings {
    /// Returns the four charts of a board, or none if the board was not surveyed.
    #[must_use]
    pub fn charts(&self, size: BoardSize) -> Vec<Chart> {
        let survey = self.surveys.get(&size);
        survey.map_or_else(Vec::new, charts::board_charts)
    }
}
