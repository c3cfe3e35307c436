//! Tables 1, 2 and 3 of H. Takizawa, "Strongly solved Ostle: calculating a strong solution helps compose
//! high-quality puzzles for recent games" (PeerJ Computer Science 9:e1560, 2023), and the numbers of its
//! text; for any variant.
//!
//! The paper's tables are of a game in which rule 8 forbids a little more than it says
//! ([`Rule8::Paper`]); its Table 3 follows forbidden moves as well. Beside its numbers stand those of
//! the rule as it is written. What does not fit the limits is "not computed".

mod figures;
mod shortest;

use std::collections::HashMap;

use hindsight_core::{Symmetry, Value};
use hindsight_rules::ostle::{Ostle, OstleSetup, Rule8};
use hindsight_solve::distance::{self, NextStates};
use hindsight_solve::forbidden_move::{self, ForbiddenMoveSolution};
use hindsight_solve::{Histogram, Limits};
use hindsight_testkit::golden;

use crate::report::{Caption, Cell, Report, wanted};
use crate::stop::Stop;
pub use figures::Values;

/// A table of the paper, or the numbers of its text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Table {
    /// Table 1: positions by the square of the hole and the pieces.
    Positions,
    /// Table 2: states by plies to a position that is won at once.
    Plies,
    /// Table 3: states by plies from the start.
    Distances,
    /// Positions and states in all, the longest win, the start.
    Totals,
    /// What the figures show.
    Figures,
}

impl Table {
    /// All, in the order in which they are printed.
    pub const ALL: [Self; 5] = [
        Self::Positions,
        Self::Plies,
        Self::Distances,
        Self::Totals,
        Self::Figures,
    ];

    /// The number in the paper, or what the table is about.
    #[must_use]
    pub fn name(self) -> &'static str {
        ["1", "2", "3", "totals", "figures"][self as usize]
    }

    /// Reads a name as [`Table::name`] has it.
    ///
    /// # Errors
    /// A sentence with the names there are.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut all = Self::ALL.into_iter();
        let found = all.find(|table| table.name().eq_ignore_ascii_case(text));
        let names = Self::ALL.map(Self::name).join(", ");
        found.ok_or_else(|| format!("there is no table '{text}'; there are {names}"))
    }

    fn caption(self) -> &'static str {
        match self {
            Self::Positions => "Table 1: positions up to symmetry, by the square of the hole",
            Self::Plies => "Table 2: non-trivial states by plies to a checkmate position",
            Self::Distances => "Table 3: states by plies from the start",
            Self::Totals => "Numbers of the text",
            Self::Figures => "What the figures show",
        }
    }

    fn note(self) -> Option<&'static str> {
        match self {
            Self::Positions => {
                Some("columns: pieces of the player to move against those of the other")
            }
            Self::Plies => Some(
                "a win in n plies is n - 1 plies from a checkmate position. paper: rule 8 up to symmetry, as in Algorithm 6; exact: as rule 8 is written",
            ),
            Self::Distances => Some(
                "paper: forbidden moves up to symmetry, and played as well when it comes to distances, as the published table has it; exact: rule 8 as it is written, and obeyed",
            ),
            Self::Totals => None,
            Self::Figures => Some(
                "figures 3 and 4: shortest lines to the very position; 1 and 5: positions that are as the text says, by the tables of --solved",
            ),
        }
    }
}

/// What to compute, and how long to try.
#[derive(Debug)]
pub struct Options {
    /// The board and the pieces; the reading of rule 8 does not matter, both are solved.
    pub setup: OstleSetup,
    /// The tables wanted; all if empty.
    pub tables: Vec<Table>,
    /// What is known already of every state.
    pub known: Vec<Known>,
    /// How many states each number of plies reaches first, by rule 8 as it is written, if that is known.
    pub distances: Option<Vec<u64>>,
    /// For each solve.
    pub limits: Limits,
}

/// What is known of every state by one reading of rule 8.
#[derive(Debug)]
pub struct Known {
    /// The reading.
    pub rule8: Rule8,
    /// The counts.
    pub outcome: ForbiddenMoveSolution,
    /// The value of each.
    pub values: Values,
}

/// Tells what is being done; `false` stops the study.
type Watch<'a> = dyn FnMut(&str) -> bool + 'a;

const READINGS: [(Rule8, &str); 2] = [(Rule8::Paper, "paper"), (Rule8::Exact, "exact")];

/// Computes the tables. `watch` is told what is being done, and stops the study by `false`: what was
/// computed so far is in the report.
pub fn run(options: &Options, watch: &mut Watch<'_>) -> Report {
    let tables = wanted(&options.tables, &Table::ALL);
    let mut study = Study {
        options,
        published: options.setup
            == OstleSetup {
                rule8: options.setup.rule8,
                ..OstleSetup::OFFICIAL
            },
        solved: None,
    };
    let mut report = Report::default();
    for table in tables {
        report.cells.extend(match table {
            Table::Positions => study.positions(),
            Table::Plies => study.plies(watch),
            Table::Distances => study.distances(watch),
            Table::Totals => study.totals(watch),
            Table::Figures => study.figures(watch),
        });
        report.captions.push(Caption {
            table: table.name().to_string(),
            text: table.caption().to_string(),
            note: table.note().map(String::from),
        });
    }
    report
}

struct Study<'a> {
    options: &'a Options,
    /// Whether this is the paper's game.
    published: bool,
    /// By reading, once they were tried.
    solved: Option<[Option<ForbiddenMoveSolution>; 2]>,
}

impl Study<'_> {
    fn game(&self, rule8: Rule8) -> Ostle {
        let setup = OstleSetup {
            rule8,
            ..self.options.setup
        };
        Ostle::new(setup, Symmetry::None)
    }

    /// Rows of a golden file, the last column by the others.
    fn golden(&self, text: &str) -> HashMap<String, String> {
        if !self.published {
            return HashMap::new();
        }
        let rows = golden(text).expect("the golden file is in the program");
        let row = |mut row: Vec<&str>| {
            let last = row.pop().unwrap_or_default().to_string();
            (row.join(" "), last)
        };
        rows.into_iter().map(row).collect()
    }

    fn positions(&self) -> Vec<Cell> {
        let published = self.golden(include_str!("../../../../golden/ostle_table1.csv"));
        let game = self.game(Rule8::Exact);
        let OstleSetup {
            size,
            pieces,
            lost_at,
            ..
        } = self.options.setup;
        let mut cells = Vec::new();
        for own in (lost_at + 1..=pieces).rev() {
            for other in (lost_at + 1..=pieces).rev() {
                let mut sum = 0;
                for (square, positions) in game.unrestricted().positions_by_hole(own, other) {
                    let hole = name(square, size);
                    let theirs = published.get(&format!("{hole} {own} {other}")).cloned();
                    sum += positions;
                    let column = format!("{own} against {other}");
                    let ours = Some(positions.to_string());
                    cells.push(Cell::new("1", hole, column, theirs, ours));
                }
                let sums = [
                    ((5, 5), 1_544_534_100),
                    ((5, 4), 514_856_700),
                    ((4, 5), 514_856_700),
                    ((4, 4), 160_900_185_u64),
                ];
                let theirs = sums
                    .iter()
                    .find(|row| self.published && row.0 == (own, other));
                let theirs = theirs.map(|row| row.1.to_string());
                let column = format!("{own} against {other}");
                cells.push(Cell::new(
                    "1",
                    "all".into(),
                    column,
                    theirs,
                    Some(sum.to_string()),
                ));
            }
        }
        cells
    }

    /// Every state by both readings.
    fn solved(&mut self, watch: &mut Watch<'_>) -> &[Option<ForbiddenMoveSolution>; 2] {
        if self.solved.is_none() {
            self.solved = Some(READINGS.map(|(rule8, _)| {
                let mut known = self.options.known.iter();
                if let Some(known) = known.find(|known| known.rule8 == rule8) {
                    return Some(known.outcome.clone());
                }
                let game = self.game(rule8);
                let limits = self.options.limits;
                let spec = game.setup().spec();
                let go_on = watch(&format!("{spec}, every state"));
                let mut stop = Stop::new(watch);
                let solve = || forbidden_move::solve(&game, limits, &mut stop, &mut |_| Ok(()));
                go_on.then(solve).and_then(Result::ok)
            }));
        }
        self.solved.as_ref().expect("it was just made")
    }

    fn plies(&mut self, watch: &mut Watch<'_>) -> Vec<Cell> {
        let published = self.golden(include_str!("../../../../golden/ostle_table2.csv"));
        let solved = self.solved(watch).clone();
        let counts = solved.map(|solved| solved.map(|solved| by_plies(&solved.nontrivial)));
        let row_of = |plies: &String| match plies.as_str() {
            "inf" => Some(DRAWN),
            plies => plies.parse::<u16>().ok(),
        };
        let keys = published.keys().filter_map(row_of);
        let ours = counts
            .iter()
            .flatten()
            .flat_map(|counts| counts.keys().copied());
        let mut rows: Vec<u16> = keys.chain(ours).collect();
        rows.sort_unstable();
        rows.dedup();
        let mut cells = Vec::new();
        for plies in rows {
            let row = if plies == DRAWN {
                String::from("inf")
            } else {
                plies.to_string()
            };
            for ((rule8, column), counts) in READINGS.into_iter().zip(&counts) {
                let theirs = published
                    .get(&row)
                    .filter(|_| rule8 == Rule8::Paper)
                    .cloned();
                let ours = counts
                    .as_ref()
                    .map(|counts| counts.get(&plies).copied().unwrap_or(0));
                let ours = ours.map(|n: u64| n.to_string());
                cells.push(Cell::new("2", row.clone(), column.into(), theirs, ours));
            }
        }
        cells
    }

    fn distances(&mut self, watch: &mut Watch<'_>) -> Vec<Cell> {
        let published = self.golden(include_str!("../../../../golden/ostle_table3.csv"));
        let following = [NextStates::All, NextStates::Allowed];
        let found: Vec<Option<Vec<u64>>> = READINGS
            .into_iter()
            .zip(following)
            .map(|((rule8, _), following)| {
                let known = self.options.distances.as_ref();
                if let Some(known) = known.filter(|_| rule8 == Rule8::Exact) {
                    return Some(known.clone());
                }
                let game = self.game(rule8);
                let go_on = watch(&format!("{}, distances", game.setup().spec()));
                let mut stop = Stop::new(watch);
                let solve = || distance::solve(&game, following, self.options.limits, &mut stop);
                let found = go_on.then(solve).and_then(Result::ok);
                found.map(|found| found.states_by_distance())
            })
            .collect();
        let rows = found.iter().flatten().map(Vec::len);
        let rows = rows.chain([published.len()]).max().unwrap_or(0);
        let mut cells = Vec::new();
        for plies in 0..rows {
            for ((rule8, column), found) in READINGS.into_iter().zip(&found) {
                let theirs = published
                    .get(&plies.to_string())
                    .filter(|_| rule8 == Rule8::Paper);
                let ours = found
                    .as_ref()
                    .map(|found| found.get(plies).copied().unwrap_or(0));
                let ours = ours.map(|n| n.to_string());
                cells.push(Cell::new(
                    "3",
                    plies.to_string(),
                    column.into(),
                    theirs.cloned(),
                    ours,
                ));
            }
        }
        cells
    }

    fn totals(&mut self, watch: &mut Watch<'_>) -> Vec<Cell> {
        let official = self.published;
        let solved = self.solved(watch);
        let mut cells = Vec::new();
        type Number = fn(&ForbiddenMoveSolution) -> String;
        let rows: [(&str, &str, Number); 8] = [
            ("positions", "2735147685", |solved| {
                solved.positions.positions().to_string()
            }),
            ("checkmate positions", "399102582", |solved| {
                let rows = solved.positions.rows().into_iter();
                let at_once = rows.filter(|row| row.0 == Value::Win(1)).map(|row| row.1);
                at_once.sum::<u64>().to_string()
            }),
            ("non-trivial states", "11148725918", |solved| {
                solved.nontrivial.positions().to_string()
            }),
            ("all states", "12919984336", |solved| {
                solved.states.positions().to_string()
            }),
            ("longest win in plies", "147", |solved| {
                longest(&solved.nontrivial).0.to_string()
            }),
            ("states won as late", "7", |solved| {
                longest(&solved.nontrivial).1.to_string()
            }),
            ("positions won as late, no move forbidden", "2", |solved| {
                let plies = longest(&solved.nontrivial).0;
                let rows = solved.positions.rows().into_iter();
                let late = rows.filter(|row| row.0 == Value::Win(plies));
                late.map(|row| row.1).sum::<u64>().to_string()
            }),
            ("the start", "draw", |solved| solved.start.to_string()),
        ];
        for (row, theirs, number) in rows {
            for ((rule8, column), solved) in READINGS.into_iter().zip(solved) {
                let theirs = (official && rule8 == Rule8::Paper).then(|| theirs.to_string());
                let ours = solved.as_ref().map(number);
                cells.push(Cell::new("totals", row.into(), column.into(), theirs, ours));
            }
        }
        cells
    }
}

/// The plies of the longest win, and how many there are.
fn longest(histogram: &Histogram) -> (u16, u64) {
    let rows = histogram.rows().into_iter();
    let wins = rows.filter_map(|(value, count)| match value {
        Value::Win(plies) => Some((plies, count)),
        _ => None,
    });
    wins.max().unwrap_or_default()
}

/// The row of draws.
const DRAWN: u16 = u16::MAX;

/// States by plies to a position that is won at once.
fn by_plies(histogram: &Histogram) -> HashMap<u16, u64> {
    let mut counts = HashMap::new();
    for (value, states) in histogram.rows() {
        let plies = value
            .remoteness()
            .map_or(DRAWN, |plies| plies.saturating_sub(1));
        *counts.entry(plies).or_default() += states;
    }
    counts
}

/// The name of a square, such as `a1`.
fn name(square: u8, size: u8) -> String {
    format!("{}{}", char::from(b'a' + square / size), square % size + 1)
}
