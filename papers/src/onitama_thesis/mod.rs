//! Tables 1 to 11 of L. Elderbroek, "Constructing a forward-looking adaptation of retrograde
//! analysis through the lens of Onitama", bachelor thesis, Leiden 2025; its bounds and its Theorem
//! 1.
//!
//! Each board is solved once for all tables that need it. A cell whose board does not fit the
//! limits is "not computed".

mod boards;
mod published;
mod table;
mod theorem;

use std::time::Duration;

use hindsight_engine::Limits;

use crate::bounds;
use crate::step_monitor::StepFn;
use boards::{BoardResults, SolvesNeeded};
use hindsight_study::{Caption, Cell, StudyReport, selected_or_all};
use published::PublishedThesis;
pub use table::ThesisTable;

/// Options of the study of the thesis.
#[derive(Clone, Debug)]
pub struct ThesisOptions {
    /// Tables to compute; all if empty.
    pub tables: Vec<ThesisTable>,
    /// Limits of each solve.
    pub limits: Limits,
}

impl Default for ThesisOptions {
    /// All tables, 20 seconds and 16 GiB per solve.
    fn default() -> Self {
        Self {
            tables: Vec::new(),
            limits: Limits { memory: 16 << 30, time: Some(Duration::from_secs(20)) },
        }
    }
}

/// Computes the tables. Cells whose solve `on_step` stopped are "not computed".
pub fn run(options: &ThesisOptions, on_step: &mut StepFn<'_>) -> StudyReport {
    let tables = selected_or_all(&options.tables, &ThesisTable::ALL);
    let published = PublishedThesis::read();
    let boards = boards::solve_all(&SolvesNeeded::for_tables(&tables), options.limits, on_step);
    let mut report = StudyReport::default();
    for table in tables {
        report.captions.push(Caption {
            table: table.name().to_string(),
            text: table.caption().to_string(),
            note: table.note().map(String::from),
        });
        report.cells.extend(match table {
            ThesisTable::LowerBound => lower_bound_cells(&published),
            ThesisTable::Bounds => formula_cells(),
            _ => board_cells(table, &boards, &published),
        });
    }
    report
}

/// Returns the names of the row and the column of a board of `n` x `m` squares.
fn row_and_column(n: u8, m: u8) -> (String, String) {
    (format!("m={m}"), format!("n={n}"))
}

/// Returns the cells of a table over the boards up to 5 x 5.
fn board_cells(
    table: ThesisTable,
    boards: &[BoardResults],
    published: &PublishedThesis,
) -> Vec<Cell> {
    let mut cells = Vec::new();
    for board in boards {
        let (row, column) = row_and_column(board.n, board.m);
        let theirs = published.cell(table, board.n, board.m);
        if table == ThesisTable::Theorem1 && (board.n < 3 || board.m < 3) {
            continue;
        }
        let (ours, seconds) = match table {
            ThesisTable::Winner => (board.winner(), None),
            ThesisTable::UpperBound => {
                (bounds::upper(board.n.into(), board.m.into()).map(|n| n.to_string()), None)
            }
            ThesisTable::States => {
                (board.graph.as_ref().map(|graph| graph.states.to_string()), None)
            }
            ThesisTable::Edges => (board.graph.as_ref().map(|graph| graph.edges.to_string()), None),
            ThesisTable::ForwardStates => {
                (board.forward.as_ref().map(|search| search.states.to_string()), None)
            }
            ThesisTable::SymmetricStates => {
                (board.symmetric.as_ref().map(|search| search.states.to_string()), None)
            }
            ThesisTable::Theorem1 => {
                (board.graph.as_ref().and_then(|graph| graph.theorem.clone()), None)
            }
            ThesisTable::Remoteness => (board.value().map(|value| value.to_string()), None),
            ThesisTable::GraphTime => (None, board.graph.as_ref().map(|graph| graph.seconds)),
            ThesisTable::RetrogradeTime => {
                (None, board.graph.as_ref().map(|graph| graph.retrograde_seconds))
            }
            ThesisTable::ForwardTime => (None, board.forward.as_ref().map(|search| search.seconds)),
            ThesisTable::SymmetricTime => {
                (None, board.symmetric.as_ref().map(|search| search.seconds))
            }
            ThesisTable::LowerBound | ThesisTable::Bounds => unreachable!("not by board"),
        };
        let is_time = matches!(
            table,
            ThesisTable::GraphTime
                | ThesisTable::RetrogradeTime
                | ThesisTable::ForwardTime
                | ThesisTable::SymmetricTime
        );
        cells.push(if is_time {
            Cell::time(table.name(), row, column, theirs.as_deref(), seconds)
        } else {
            Cell::new(table.name(), row, column, theirs, ours)
        });
    }
    cells
}

fn lower_bound_cells(published: &PublishedThesis) -> Vec<Cell> {
    let mut cells = Vec::new();
    for m in 3..=6 {
        for n in 3..=6 {
            let (row, column) = row_and_column(n, m);
            let ours = bounds::lower(n.into(), m.into()).map(|boards| boards.to_string());
            cells.push(Cell::new(
                ThesisTable::LowerBound.name(),
                row,
                column,
                published.lower_bound(m, n),
                ours,
            ));
        }
    }
    cells
}

fn formula_cells() -> Vec<Cell> {
    let cell = |row: String, column: &str, published: Option<&str>, ours: Option<String>| {
        Cell::new(
            ThesisTable::Bounds.name(),
            row,
            column.to_string(),
            published.map(String::from),
            ours,
        )
    };
    let mut cells = Vec::new();
    for n in 3..=5_u64 {
        for m in 3..=5_u64 {
            let fraction = bounds::lower_product(n, m).map(|(numerator, denominator)| {
                if numerator % denominator == 0 {
                    (numerator / denominator).to_string()
                } else {
                    format!("{numerator}/{denominator}")
                }
            });
            let row = || format!("n={n} m={m}");
            cells.push(cell(row(), "(2)", None, bounds::upper_order(n, m).map(|x| x.to_string())));
            cells.push(cell(row(), "(4)", None, fraction));
            cells.push(cell(row(), "(5)", None, bounds::lower_power(n, m).map(|x| x.to_string())));
        }
    }
    let distributions = bounds::card_distributions().map(|x| x.to_string());
    let drawings = bounds::card_drawings();
    cells.push(cell(
        String::from("five different cards"),
        "distributions",
        Some("30"),
        distributions,
    ));
    // The thesis rounds to four digits. The next row has our number in full.
    let rounded = drawings.map(|x| format!("{:.3}e35", x as f64 / 1e35));
    cells.push(cell(String::from("five cards of 2^25"), "drawings", Some("3.545e35"), rounded));
    cells.push(cell(
        String::from("the same in full"),
        "drawings",
        None,
        drawings.map(|x| x.to_string()),
    ));
    cells
}
