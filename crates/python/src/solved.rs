//! Games that were solved.

use std::ops::Range;
use std::path::PathBuf;

use hindsight_games::{Answer, Error, Method, Options, Position, SolvedGame, Tablebase, Value};
use pyo3::prelude::*;

use crate::errors::OrRaise;
use crate::foreign::catch_rules;
use crate::game::Game;
use crate::table::Table;
use crate::values::{ValuePair, Values, pair};
use crate::watch::watched;

/// Values with their numbers of positions.
type Rows = Vec<(i8, Option<u16>, u64)>;

/// Solved game, of this process or from a pickle.
#[pyclass(frozen)]
pub(crate) struct Solved {
    source: Source,
    start: ValuePair,
    counts: [Option<u64>; 5],
    rows: Option<Rows>,
    signature: Option<String>,
}

/// Values of a solved game.
enum Source {
    Solve(SolvedGame),
    /// Table of the positions that a solve has reached.
    Table(Tablebase),
}

impl Solved {
    pub(crate) fn new(solved: SolvedGame) -> Self {
        // A search for the value of the start counts nothing.
        let is_search = solved.winner().is_some();
        let summary = solved.summary();
        let counts = [
            Some(summary.positions),
            Some(summary.edges).filter(|&edges| edges > 0),
            Some(summary.wins),
            Some(summary.losses),
            Some(summary.draws),
        ];
        let row = |(value, positions)| {
            let (wdl, plies) = pair(Answer::Exact(value)).expect("it is known");
            (wdl, plies, positions)
        };
        Self {
            start: pair(solved.start_value()).expect("a solve without it is an error"),
            counts: if is_search { [None; 5] } else { counts },
            rows: solved.histogram().map(|known| known.rows().into_iter().map(row).collect()),
            signature: (!is_search).then(|| solved.signature()),
            source: Source::Solve(solved),
        }
    }

    fn any_values(&self) -> &hindsight_games::Values {
        match &self.source {
            Source::Solve(solved) => solved.values(),
            Source::Table(table) => table.values(),
        }
    }

    /// Returns the value of a position that was reached; `None` if it was not.
    pub(crate) fn reached_value(&self, position: &Position) -> Result<Option<Value>, Error> {
        match &self.source {
            Source::Solve(solved) => solved.reached_value(position),
            Source::Table(table) => match table.address(position)? {
                Some((tier, rank)) => Ok(table.probe_ranks(tier, &[rank])?[0].exact()),
                None => Ok(None),
            },
        }
    }

    /// Returns positions that were reached, by number, with their values. The start comes first.
    pub(crate) fn reached(&self, numbers: Range<u64>) -> Result<Vec<(Position, Value)>, Error> {
        let table = match &self.source {
            Source::Solve(solved) => return Ok(solved.reached(numbers)),
            Source::Table(table) => table,
        };
        let (_, first) = table.address(&table.game().start())?.ok_or(Error::Inconsistent)?;
        let numbers = numbers.start..numbers.end.min(table.info().layers[0].ranks);
        let ranks: Vec<u64> = numbers.map(|i| start_first(i, first)).collect();
        let values = table.probe_ranks(0, &ranks)?.into_iter();
        let known = values.zip(ranks).map(|(answer, rank)| {
            let position = table.position_at(0, rank).ok_or(Error::Inconsistent)?;
            Ok((position, answer.exact().ok_or(Error::Inconsistent)?))
        });
        known.collect()
    }
}

/// Returns the rank of a number, if the number 0 is that of the start and the others ascend.
fn start_first(number: u64, start: u64) -> u64 {
    match number {
        0 => start,
        number if number <= start => number - 1,
        number => number,
    }
}

#[pymethods]
impl Solved {
    /// Takes a table of the positions that a solve has reached, and what was known besides.
    #[new]
    fn of_table(
        table: &Table,
        start: ValuePair,
        counts: [Option<u64>; 5],
        histogram: Option<Rows>,
        signature: Option<String>,
    ) -> Self {
        let source = Source::Table(table.table.clone());
        Self { source, start, counts, rows: histogram, signature }
    }

    fn game(&self) -> Game {
        Game::of_values(self.any_values().game())
    }

    fn values(&self) -> Values {
        Values { values: self.any_values().clone(), is_on_server: false }
    }

    fn start(&self) -> ValuePair {
        self.start
    }

    /// Returns the numbers of positions, moves, wins, losses and draws; `None` for what was not
    /// counted.
    fn counts(&self) -> [Option<u64>; 5] {
        self.counts
    }

    /// Returns the number of positions of each value; `None` if plies are not known.
    fn histogram(&self) -> Option<Rows> {
        self.rows.clone()
    }

    /// Returns counts and a hash of the histogram; `None` if nothing was counted.
    fn signature(&self) -> Option<String> {
        self.signature.clone()
    }

    /// Writes the positions that were reached to a table.
    fn save(&self, py: Python<'_>, path: PathBuf, threads: Option<usize>) -> PyResult<()> {
        let saved = watched(py, threads, None, |watch| {
            let options = Options { table: Some(path), ..watch.options(None) };
            match &self.source {
                Source::Solve(solved) => solved.save(&options),
                Source::Table(table) => table.save(&options),
            }
        })?;
        saved.or_raise(py)
    }

    fn has_values(&self) -> bool {
        match &self.source {
            Source::Solve(solved) => solved.has_values(),
            Source::Table(_) => true,
        }
    }

    /// Returns true if a table of the game can be written here.
    fn has_possible_table(&self, py: Python<'_>) -> PyResult<bool> {
        let game = self.any_values().game();
        catch_rules(py, || game.has_possible_table(&Options::default()))
    }

    /// Returns true unless it is known that what can be reached does not fit in memory.
    fn has_possible_graph(&self, py: Python<'_>) -> PyResult<bool> {
        let game = self.any_values().game();
        let plan =
            catch_rules(py, || game.possible_solve(None, Method::Reachable, &Options::default()));
        Ok(plan?.is_some())
    }
}
