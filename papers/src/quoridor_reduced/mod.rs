//! Table 1 of S. Ikeda, T. Iwanaga, M. Sakamoto, T. Ito, "An analysis of Quoridor by reusing
//! results from the reduced version" (2024), the percentages in its argument, and the partitions
//! that it leaves to future work; for any board and stock.
//!
//! `S_k` is the set of positions with at most `k` fences on the board, `S'_k` the layer with
//! exactly `k`. Cells whose solve does not fit the limits are "not computed".

mod boards;
mod cost;
mod partitions;
mod published;
mod sets;
mod stocks;
mod study;
mod table;
mod top_down;

use hindsight_core::Symmetry;
use hindsight_engine::Limits;
use hindsight_rules::quoridor::{Quoridor, QuoridorSetup};

use crate::step_monitor::StepFn;
use hindsight_study::{Caption, StudyReport, selected_or_all};
use published::PublishedQuoridor;
use study::QuoridorStudy;
pub use table::QuoridorPaperTable;

/// Options of the study of Quoridor.
#[derive(Clone, Debug)]
pub struct QuoridorPaperOptions {
    /// Board, fences and variants.
    pub setup: QuoridorSetup,
    /// Tables to compute; all if empty.
    pub tables: Vec<QuoridorPaperTable>,
    /// Limits of each solve.
    pub limits: Limits,
}

/// Computes the tables. Cells whose solve `on_step` stopped are "not computed".
pub fn run(options: &QuoridorPaperOptions, on_step: &mut StepFn<'_>) -> StudyReport {
    let tables = selected_or_all(&options.tables, &QuoridorPaperTable::ALL);
    let game = Quoridor::new(options.setup, Symmetry::None);
    let published = PublishedQuoridor::read(&options.setup);
    let plan = top_down::plan_within_limits(&game, options.limits);
    let mut study = QuoridorStudy {
        setup: &options.setup,
        game: &game,
        limits: options.limits,
        plan,
        bottom_up: None,
        bottom_up_seconds: None,
        published: published.as_ref(),
    };
    if tables != [QuoridorPaperTable::Stocks] {
        study.solve_bottom_up(on_step);
    }
    let mut report = StudyReport::default();
    for table in tables {
        report.cells.extend(match table {
            QuoridorPaperTable::Positions => sets::positions(&study),
            QuoridorPaperTable::Changes => sets::changes(&study),
            QuoridorPaperTable::Sets => sets::sets(&study),
            QuoridorPaperTable::Shares => sets::shares(&study),
            QuoridorPaperTable::Cost => cost::cells(&study, on_step),
            QuoridorPaperTable::Partitions => partitions::cells(&study),
            QuoridorPaperTable::Stocks => stocks::cells(&study, on_step),
            QuoridorPaperTable::Boards => boards::cells(&study, on_step),
        });
        report.captions.push(Caption {
            table: table.name().to_string(),
            text: table.caption().to_string(),
            note: match table {
                QuoridorPaperTable::Positions => sets::positions_note(&study),
                _ => table.note().map(String::from),
            },
        });
    }
    report
}
