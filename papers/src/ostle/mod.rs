//! Tables 1, 2 and 3 of H. Takizawa, "Strongly solved Ostle: calculating a strong solution helps
//! compose high-quality puzzles for recent games" (PeerJ Computer Science 9:e1560, 2023), and the
//! numbers of its text; for any variant.
//!
//! In the game of the paper's tables, rule 8 forbids a little more than the rule says
//! ([`Rule8::Paper`](hindsight_rules::ostle::Rule8::Paper)). The distances of Table 3 even go
//! through forbidden moves. The published numbers stand beside ours by both readings of the rule,
//! the paper's and the exact one. Cells whose solve does not fit the limits are "not computed".

mod counts;
mod figure_states;
mod options;
mod shortest_line;
mod study;
mod table;

use hindsight_rules::ostle::OstleSetup;

use crate::step_monitor::StepFn;
use hindsight_study::{Caption, StudyReport, selected_or_all};
pub use options::{OstlePaperOptions, OstleStateValues, SolvedReading};
use study::OstleStudy;
pub use table::OstlePaperTable;

/// Computes the tables. Cells whose solve `on_step` stopped are "not computed".
pub fn run(options: &OstlePaperOptions, on_step: &mut StepFn<'_>) -> StudyReport {
    let tables = selected_or_all(&options.tables, &OstlePaperTable::ALL);
    let mut study = OstleStudy {
        options,
        is_paper_game: options.setup
            == OstleSetup { rule8: options.setup.rule8, ..OstleSetup::OFFICIAL },
        solved: None,
    };
    let mut report = StudyReport::default();
    for table in tables {
        report.cells.extend(match table {
            OstlePaperTable::Positions => study.positions(),
            OstlePaperTable::Plies => study.plies(on_step),
            OstlePaperTable::Distances => study.distances(on_step),
            OstlePaperTable::Totals => study.totals(on_step),
            OstlePaperTable::Figures => study.figures(on_step),
        });
        report.captions.push(Caption {
            table: table.name().to_string(),
            text: table.caption().to_string(),
            note: table.note().map(String::from),
        });
    }
    report
}
