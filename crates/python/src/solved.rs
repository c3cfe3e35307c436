//! Games that were solved.

use hindsight_games::{Method, Options, SolvedGame};
use pyo3::prelude::*;
use std::path::PathBuf;

use crate::errors::OrRaise;
use crate::foreign::catch_rules;
use crate::game::Game;
use crate::values::{ValuePair, Values, pair};
use crate::watch::watched;

/// Solved game.
#[pyclass(frozen)]
pub(crate) struct Solved(pub(crate) SolvedGame);

#[pymethods]
impl Solved {
    fn game(&self) -> Game {
        Game::of_values(self.0.values().game())
    }

    fn values(&self) -> Values {
        Values { values: self.0.values().clone(), is_on_server: false }
    }

    fn start(&self) -> ValuePair {
        pair(self.0.start_value()).expect("a solve without it is an error")
    }

    /// Returns the numbers of positions, moves, wins, losses and draws; `None` for what was not
    /// counted. A search for the value of the start counts nothing.
    fn counts(&self) -> [Option<u64>; 5] {
        if self.0.winner().is_some() {
            return [None; 5];
        }
        let summary = self.0.summary();
        [
            Some(summary.positions),
            Some(summary.edges).filter(|&edges| edges > 0),
            Some(summary.wins),
            Some(summary.losses),
            Some(summary.draws),
        ]
    }

    /// Returns the number of positions of each value; `None` if plies are not known.
    fn histogram(&self) -> Option<Vec<(i8, Option<u16>, u64)>> {
        let rows = self.0.histogram()?.rows().into_iter();
        let row = |(value, positions)| {
            let (wdl, plies) = pair(hindsight_games::Answer::Exact(value)).expect("it is known");
            (wdl, plies, positions)
        };
        Some(rows.map(row).collect())
    }

    /// Returns counts and a hash of the histogram; `None` if nothing was counted.
    fn signature(&self) -> Option<String> {
        let is_search = self.0.winner().is_some();
        (!is_search).then(|| self.0.signature())
    }

    /// Writes the positions that were reached to a table.
    fn save(&self, py: Python<'_>, path: PathBuf, threads: Option<usize>) -> PyResult<()> {
        let saved = watched(py, threads, None, |watch| {
            self.0.save(&Options { table: Some(path), ..watch.options(None) })
        })?;
        saved.or_raise(py)
    }

    fn has_values(&self) -> bool {
        self.0.has_values()
    }

    /// Returns true if a table of the game can be written here.
    fn has_possible_table(&self, py: Python<'_>) -> PyResult<bool> {
        let game = self.0.values().game();
        catch_rules(py, || game.has_possible_table(&Options::default()))
    }

    /// Returns true unless it is known that what can be reached does not fit in memory.
    fn has_possible_graph(&self, py: Python<'_>) -> PyResult<bool> {
        let game = self.0.values().game();
        let plan =
            catch_rules(py, || game.possible_solve(None, Method::Reachable, &Options::default()));
        Ok(plan?.is_some())
    }
}
