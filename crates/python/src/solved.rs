//! Games that were solved.

use hindsight_games::SolvedGame;
use pyo3::prelude::*;

use crate::game::Game;
use crate::values::{ValuePair, Values, pair};

/// Solved game.
#[pyclass(frozen)]
pub(crate) struct Solved(pub(crate) SolvedGame);

#[pymethods]
impl Solved {
    fn game(&self) -> Game {
        Game::of_values(self.0.values().game())
    }

    fn values(&self) -> Values {
        Values(self.0.values().clone())
    }

    fn start(&self) -> Option<ValuePair> {
        pair(self.0.start_value())
    }

    /// Returns the numbers of positions, moves, wins, losses and draws.
    fn counts(&self) -> [u64; 5] {
        let summary = self.0.summary();
        [
            summary.positions,
            summary.edges,
            summary.wins,
            summary.losses,
            summary.draws,
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

    fn signature(&self) -> String {
        self.0.signature()
    }

    fn has_values(&self) -> bool {
        self.0.has_values()
    }
}
