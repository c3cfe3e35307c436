//! Games in Python that were solved.

use hindsight_games::{Answer, Histogram, Packed, PackedGame, Summary, Value};
use hindsight_solve::graph::GraphSolution;
use numpy::{IntoPyArray, PyArray1};
use pyo3::PyTraverseError;
use pyo3::gc::PyVisit;
use pyo3::prelude::*;

use super::key_table::KeyTable;
use crate::values::{ValuePair, pair, value_arrays};

/// Solved game whose rules are in Python.
#[pyclass(frozen)]
pub(crate) struct OwnSolved {
    keys: KeyTable,
    /// As in [`super::explore::Explored`].
    positions: Vec<Py<PyAny>>,
    values: Vec<Value>,
    /// Number of moves of each position.
    moves: Vec<u16>,
    summary: Summary,
    histogram: Histogram,
}

/// Arrays of results, plies and numbers of moves.
type PositionArrays<'py> =
    (Bound<'py, PyArray1<i8>>, Bound<'py, PyArray1<u16>>, Bound<'py, PyArray1<u16>>);

impl OwnSolved {
    pub(super) fn new(
        keys: KeyTable,
        positions: Vec<Py<PyAny>>,
        moves: Vec<u16>,
        game: &PackedGame,
        solved: &GraphSolution,
    ) -> Self {
        let value = |position| {
            let number = solved.number(game, Packed::new([position]));
            solved.value(number.expect("each position was met from the start"))
        };
        let values = (0..keys.len() as u32).map(value).collect();
        Self {
            keys,
            positions,
            values,
            moves,
            summary: solved.summary(),
            histogram: solved.histogram(),
        }
    }
}

#[pymethods]
impl OwnSolved {
    /// Returns the number of the position with a key, or `None` if it was not met.
    fn number(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
        self.keys.find(key)
    }

    /// Returns the value of the position with a key, or `None` if it was not met.
    fn value(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<ValuePair>> {
        let number = self.keys.find(key)?;
        let value = |number: u32| pair(Answer::Exact(self.values[number as usize]));
        Ok(number.and_then(value))
    }

    /// Returns the key of a number.
    fn key(&self, py: Python<'_>, number: usize) -> Option<Py<PyAny>> {
        self.keys.keys().get(number).map(|key| key.clone_ref(py))
    }

    /// Returns the first position met with the key of a number.
    fn position(&self, py: Python<'_>, number: usize) -> Option<Py<PyAny>> {
        match self.positions.get(number) {
            Some(position) => Some(position.clone_ref(py)),
            None => self.key(py, number),
        }
    }

    /// Returns results, plies and numbers of moves, in the order of numbers.
    fn arrays<'py>(&self, py: Python<'py>) -> PyResult<PositionArrays<'py>> {
        let answers: Vec<_> = self.values.iter().copied().map(Answer::Exact).collect();
        let (wdl, plies) = value_arrays(py, &answers)?;
        Ok((wdl, plies, self.moves.clone().into_pyarray(py)))
    }

    /// Returns the numbers of positions, moves, wins, losses and draws.
    fn counts(&self) -> [u64; 5] {
        let summary = self.summary;
        [summary.positions, summary.edges, summary.wins, summary.losses, summary.draws]
    }

    /// Returns the number of positions of each value.
    fn histogram(&self) -> Vec<(i8, Option<u16>, u64)> {
        let rows = self.histogram.rows().into_iter();
        let row = |(value, positions)| {
            let (wdl, plies) = pair(Answer::Exact(value)).expect("it is known");
            (wdl, plies, positions)
        };
        rows.map(row).collect()
    }

    fn signature(&self) -> String {
        self.summary.signature(Some(&self.histogram))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        let keys = self.keys.keys().iter();
        keys.chain(&self.positions).try_for_each(|object| visit.call(object))
    }
}
