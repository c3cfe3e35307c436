//! Tables 1 to 11 of L. Elderbroek, "Constructing a forward-looking adaptation of retrograde analysis
//! through the lens of Onitama", bachelor thesis, Leiden 2025; its bounds and its Theorem 1.
//!
//! Each board is solved once for all tables that need it. A cell whose board does not fit the limits
//! is "not computed"; nothing is guessed.

mod boards;
mod published;
mod theorem;

use std::time::Duration;

use hindsight_solve::Limits;

use crate::bounds;
use crate::report::{Caption, Cell, Report, wanted};
use boards::{Board, Needs};
use published::Published;

/// A table of the thesis, or what it has between them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Table {
    /// Table 1: the winner.
    Winner,
    /// Table 2: time of state graph and retrograde analysis.
    GraphTime,
    /// Table 3: time of retrograde analysis alone.
    RetrogradeTime,
    /// Table 4: upper bound (1) of boards.
    UpperBound,
    /// Table 5: lower bound (3) of boards.
    LowerBound,
    /// Table 6: reachable states.
    States,
    /// Table 7: moves between them.
    Edges,
    /// Table 8: time of the forward-looking search.
    ForwardTime,
    /// Table 9: states it visited.
    ForwardStates,
    /// Table 10: its time with player-swap symmetry.
    SymmetricTime,
    /// Table 11: states it visited with player-swap symmetry.
    SymmetricStates,
    /// Formulas (2), (4), (5) and the numbers of section 3.3.
    Bounds,
    /// Theorem 1: every board it counts is reached.
    Theorem1,
    /// Plies to the end from the start; the thesis has no such table.
    Remoteness,
}

impl Table {
    /// All, in the order in which they are printed.
    pub const ALL: [Self; 14] = [
        Self::Winner,
        Self::GraphTime,
        Self::RetrogradeTime,
        Self::UpperBound,
        Self::LowerBound,
        Self::States,
        Self::Edges,
        Self::ForwardTime,
        Self::ForwardStates,
        Self::SymmetricTime,
        Self::SymmetricStates,
        Self::Bounds,
        Self::Theorem1,
        Self::Remoteness,
    ];

    /// `1` to `11`, `bounds`, `theorem1` or `remoteness`.
    #[must_use]
    pub fn name(self) -> &'static str {
        const NAMES: [&str; 14] = [
            "1",
            "2",
            "3",
            "4",
            "5",
            "6",
            "7",
            "8",
            "9",
            "10",
            "11",
            "bounds",
            "theorem1",
            "remoteness",
        ];
        NAMES[self as usize]
    }

    /// Reads a name as [`Table::name`] has it.
    ///
    /// # Errors
    /// A sentence with the names there are.
    pub fn parse(text: &str) -> Result<Self, String> {
        let found = Self::ALL
            .into_iter()
            .find(|table| table.name().eq_ignore_ascii_case(text));
        found.ok_or_else(|| {
            format!(
                "there is no table '{text}'; there are 1 to 11, bounds, theorem1 and remoteness"
            )
        })
    }

    fn caption(self) -> &'static str {
        match self {
            Self::Winner => "Table 1: the winner, five boar cards",
            Self::GraphTime => "Table 2: seconds for state graph and retrograde analysis",
            Self::RetrogradeTime => "Table 3: seconds for retrograde analysis alone",
            Self::UpperBound => "Table 4: upper bound (1) of the number of boards",
            Self::LowerBound => "Table 5: lower bound (3) of the number of reachable boards",
            Self::States => "Table 6: states reachable from the start",
            Self::Edges => "Table 7: moves between them",
            Self::ForwardTime => "Table 8: seconds for forward-looking retrograde analysis",
            Self::ForwardStates => {
                "Table 9: states it visited, in the order of the thesis's program"
            }
            Self::SymmetricTime => "Table 10: seconds with player-swap symmetry",
            Self::SymmetricStates => "Table 11: states visited with player-swap symmetry",
            Self::Bounds => "Formulas (2), (4), (5) and section 3.3, exactly",
            Self::Theorem1 => {
                "Theorem 1: boards it counts, and how many of them the state graph reaches"
            }
            Self::Remoteness => {
                "Plies from the start to the end: the winner hurries, the loser delays"
            }
        }
    }

    fn note(self) -> Option<&'static str> {
        match self {
            Self::GraphTime => Some(
                "the thesis's times: Ryzen 5 2600; most of them is its hash function, which has at most 16 values",
            ),
            Self::LowerBound => Some(
                "the thesis prints this table with width and height exchanged: (3) gives 60 for n=4, m=3 and 111 for n=3, m=4; its numbers are compared after that exchange",
            ),
            Self::ForwardTime | Self::SymmetricTime => Some(
                "our time is for the order of the thesis's program, so that both did the same work",
            ),
            _ => None,
        }
    }
}

/// What to compute, and how long to try.
#[derive(Clone, Debug)]
pub struct Options {
    /// The tables wanted; all if empty.
    pub tables: Vec<Table>,
    /// For each solve of a cell.
    pub limits: Limits,
}

impl Default for Options {
    /// All tables, twenty seconds and 16 GiB a cell.
    fn default() -> Self {
        Self {
            tables: Vec::new(),
            limits: Limits {
                memory: 16 << 30,
                time: Some(Duration::from_secs(20)),
            },
        }
    }
}

/// Computes the tables. `watch` is told what is being done, and stops the study by `false`: what was
/// computed so far is in the report.
pub fn run(options: &Options, watch: &mut dyn FnMut(&str) -> bool) -> Report {
    let tables = wanted(&options.tables, &Table::ALL);
    let published = Published::read();
    let boards = boards::solve_all(&Needs::of(&tables), options.limits, watch);
    let mut report = Report::default();
    for table in tables {
        report.captions.push(Caption {
            table: table.name().to_string(),
            text: table.caption().to_string(),
            note: table.note().map(String::from),
        });
        report.cells.extend(match table {
            Table::LowerBound => lower_bounds(&published),
            Table::Bounds => formulas(),
            _ => by_board(table, &boards, &published),
        });
    }
    report
}

fn names(n: u8, m: u8) -> (String, String) {
    (format!("m={m}"), format!("n={n}"))
}

/// The tables over the boards up to 5 x 5.
fn by_board(table: Table, boards: &[Board], published: &Published) -> Vec<Cell> {
    let mut cells = Vec::new();
    for board in boards {
        let (row, column) = names(board.n, board.m);
        let theirs = published.cell(table, board.n, board.m);
        if table == Table::Theorem1 && (board.n < 3 || board.m < 3) {
            continue;
        }
        let (ours, seconds) = match table {
            Table::Winner => (board.winner(), None),
            Table::UpperBound => (
                bounds::upper(board.n.into(), board.m.into()).map(|n| n.to_string()),
                None,
            ),
            Table::States => (
                board.graph.as_ref().map(|graph| graph.states.to_string()),
                None,
            ),
            Table::Edges => (
                board.graph.as_ref().map(|graph| graph.edges.to_string()),
                None,
            ),
            Table::ForwardStates => (
                board
                    .forward
                    .as_ref()
                    .map(|search| search.states.to_string()),
                None,
            ),
            Table::SymmetricStates => (
                board
                    .symmetric
                    .as_ref()
                    .map(|search| search.states.to_string()),
                None,
            ),
            Table::Theorem1 => (
                board.graph.as_ref().and_then(|graph| graph.theorem.clone()),
                None,
            ),
            Table::Remoteness => (
                board.graph.as_ref().map(|graph| graph.value.to_string()),
                None,
            ),
            Table::GraphTime => (None, board.graph.as_ref().map(|graph| graph.seconds)),
            Table::RetrogradeTime => (
                None,
                board.graph.as_ref().map(|graph| graph.retrograde_seconds),
            ),
            Table::ForwardTime => (None, board.forward.as_ref().map(|search| search.seconds)),
            Table::SymmetricTime => (None, board.symmetric.as_ref().map(|search| search.seconds)),
            Table::LowerBound | Table::Bounds => unreachable!("not by board"),
        };
        let is_time = matches!(
            table,
            Table::GraphTime | Table::RetrogradeTime | Table::ForwardTime | Table::SymmetricTime
        );
        cells.push(if is_time {
            Cell::time(table.name(), row, column, theirs.as_deref(), seconds)
        } else {
            Cell::new(table.name(), row, column, theirs, ours)
        });
    }
    cells
}

fn lower_bounds(published: &Published) -> Vec<Cell> {
    let mut cells = Vec::new();
    for m in 3..=6 {
        for n in 3..=6 {
            let (row, column) = names(n, m);
            let ours = bounds::lower(n.into(), m.into()).map(|boards| boards.to_string());
            cells.push(Cell::new(
                Table::LowerBound.name(),
                row,
                column,
                published.lower_bound(m, n),
                ours,
            ));
        }
    }
    cells
}

fn formulas() -> Vec<Cell> {
    let cell = |row: String, column: &str, published: Option<&str>, ours: Option<String>| {
        Cell::new(
            Table::Bounds.name(),
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
            cells.push(cell(
                row(),
                "(2)",
                None,
                bounds::upper_order(n, m).map(|x| x.to_string()),
            ));
            cells.push(cell(row(), "(4)", None, fraction));
            cells.push(cell(
                row(),
                "(5)",
                None,
                bounds::lower_power(n, m).map(|x| x.to_string()),
            ));
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
    // The thesis rounds to four figures; ours in full stands in the next row.
    let rounded = drawings.map(|x| format!("{:.3}e35", x as f64 / 1e35));
    cells.push(cell(
        String::from("five cards of 2^25"),
        "drawings",
        Some("3.545e35"),
        rounded,
    ));
    cells.push(cell(
        String::from("the same in full"),
        "drawings",
        None,
        drawings.map(|x| x.to_string()),
    ));
    cells
}
