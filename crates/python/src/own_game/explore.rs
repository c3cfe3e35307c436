//! Exploration from the start, breadth first.

use hindsight_games::Wdl;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyInt, PyList, PyTuple};

use super::game_fault;
use super::graph::{ExplicitGraph, PositionEnd};
use super::key_table::KeyTable;
use super::pace::{ExploredSize, Pace};
use crate::errors::exception;

/// The most moves of a position, which the solver counts in 15 bits.
const MAX_MOVES: usize = 32_766;
/// The most positions and the most moves, whose numbers have 32 bits.
pub(super) const MAX_NUMBER: u64 = u32::MAX as u64 - (1 << 28);

/// Positions of a game that has been explored.
pub(super) struct Explored {
    pub(super) keys: KeyTable,
    /// The first position met with each key; empty if keys are positions or none are kept.
    pub(super) positions: Vec<Py<PyAny>>,
    pub(super) graph: ExplicitGraph,
}

/// Which positions an exploration keeps beside their keys.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum KeptPositions {
    /// None: each position is its own key.
    AreKeys,
    /// The first position of each key.
    All,
    /// Those that are not expanded yet.
    Waiting,
}

/// Exploration that is under way.
pub(super) struct Explorer<'a, 'py> {
    expand: &'a Bound<'py, PyAny>,
    kept: KeptPositions,
    most_positions: u64,
    explored: Explored,
}

impl<'a, 'py> Explorer<'a, 'py> {
    pub(super) fn new(
        expand: &'a Bound<'py, PyAny>,
        kept: KeptPositions,
        most_positions: u64,
    ) -> Self {
        Self {
            expand,
            kept,
            most_positions,
            explored: Explored {
                keys: KeyTable::new(),
                positions: Vec::new(),
                graph: ExplicitGraph::new(),
            },
        }
    }

    /// Explores every position that can be reached from the start.
    pub(super) fn run(
        mut self,
        start: &Bound<'py, PyAny>,
        key: &Bound<'py, PyAny>,
        pace: &mut Pace<'_, 'py>,
    ) -> PyResult<Explored> {
        self.number(start, key)?;
        let mut expanded = 0;
        while expanded < self.explored.keys.len() {
            self.expand(start.py(), expanded)?;
            expanded += 1;
            if self.explored.keys.len() as u64 > self.most_positions {
                return Err(pace.too_many(start.py(), self.size()));
            }
            pace.look(start.py(), || self.size())?;
        }
        pace.tell(self.size())?;
        if self.kept == KeptPositions::Waiting {
            self.explored.positions = Vec::new();
        }
        Ok(self.explored)
    }

    fn size(&self) -> ExploredSize {
        let Explored { keys, positions, graph } = &self.explored;
        let list = positions.capacity() * size_of::<Py<PyAny>>();
        ExploredSize {
            expanded: graph.ends.len() as u64,
            positions: keys.len() as u64,
            edges: graph.to.len() as u64,
            bytes: keys.bytes() + graph.bytes() + list as u64,
        }
    }

    /// Returns the number of a position, by its key.
    fn number(&mut self, position: &Bound<'py, PyAny>, key: &Bound<'py, PyAny>) -> PyResult<u32> {
        let (number, is_new) = self.explored.keys.get_or_insert(key)?;
        if is_new && self.kept != KeptPositions::AreKeys {
            self.explored.positions.push(position.clone().unbind());
        }
        Ok(number)
    }

    /// Expands the next position, which has this number.
    fn expand(&mut self, py: Python<'py>, number: usize) -> PyResult<()> {
        self.explored.keys.check_unchanged(py, number)?;
        let position = match self.kept {
            KeptPositions::AreKeys => self.explored.keys.keys()[number].bind(py).clone(),
            KeptPositions::All => self.explored.positions[number].bind(py).clone(),
            KeptPositions::Waiting => {
                std::mem::replace(&mut self.explored.positions[number], py.None()).into_bound(py)
            }
        };
        let answer = self.expand.call1((&position,))?;
        self.explored.keys.check_unchanged(py, number)?;
        if let Ok(result) = answer.cast::<PyInt>() {
            let wdl = match result.extract::<i8>()? {
                1.. => Wdl::Win,
                0 => Wdl::Draw,
                _ => Wdl::Loss,
            };
            self.explored.graph.finish_position(PositionEnd::Over(wdl));
            return Ok(());
        }
        let pair = answer.cast::<PyTuple>().map_err(PyErr::from)?;
        let (positions, keys) = (pair.get_item(0)?, pair.get_item(1)?);
        let positions = positions.cast::<PyList>().map_err(PyErr::from)?;
        let keys = keys.cast::<PyList>().map_err(PyErr::from)?;
        self.add_moves(&position, positions, keys)?;
        self.explored.graph.finish_position(PositionEnd::Open);
        Ok(())
    }

    fn add_moves(
        &mut self,
        position: &Bound<'py, PyAny>,
        successors: &Bound<'py, PyList>,
        keys: &Bound<'py, PyList>,
    ) -> PyResult<()> {
        let py = position.py();
        if successors.len() != keys.len() {
            return Err(PyTypeError::new_err("a key for each position is needed"));
        }
        if keys.len() > MAX_MOVES {
            let text = "a position has more than 32,766 moves";
            return Err(game_fault(py, text, position));
        }
        if self.explored.graph.to.len() as u64 > MAX_NUMBER {
            let text = "more than 4,000,000,000 moves: too many for a graph in memory";
            return Err(exception(py, "LimitError", text));
        }
        self.explored.graph.to.reserve(keys.len());
        for (successor, key) in successors.iter().zip(keys.iter()) {
            let number = self.number(&successor, &key)?;
            self.explored.graph.to.push(number);
        }
        Ok(())
    }
}
