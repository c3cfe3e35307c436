//! Tables on disk.

use std::path::PathBuf;

use hindsight_answers::{TableDescription, TableStats};
use hindsight_games::{KeptBlocks, Tablebase};
use pyo3::prelude::*;

use crate::errors::OrRaise;
use crate::game::Game;
use crate::values::Values;

/// Bytes of decoded blocks that a table keeps.
const KEPT_BYTES: u64 = 1 << 28;

/// Table on disk.
#[pyclass(frozen)]
pub(crate) struct Table(pub(crate) Tablebase);

#[pymethods]
impl Table {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let table = py.detach(|| hindsight_games::open(path)).or_raise(py)?;
        table.keep_blocks(&KeptBlocks::new(KEPT_BYTES));
        Ok(Self(table))
    }

    fn game(&self) -> Game {
        Game(self.0.game().clone())
    }

    fn values(&self) -> Values {
        Values(self.0.values().clone())
    }

    fn layout(&self) -> String {
        self.0.info().layout.to_string()
    }

    /// Returns the JSON of `hindsight info`.
    fn info(&self, py: Python<'_>) -> PyResult<String> {
        let bytes = self.0.path().metadata()?.len();
        let described = TableDescription::new(self.file(), bytes, &self.0).or_raise(py)?;
        Ok(serde_json::to_string(&described).expect("texts and numbers"))
    }

    /// Returns the JSON of `hindsight stats`.
    fn stats(&self) -> String {
        let stats = TableStats::new(self.file(), &self.0, 0..self.0.stats().len());
        serde_json::to_string(&stats).expect("texts and numbers")
    }
}

impl Table {
    fn file(&self) -> String {
        self.0.path().display().to_string()
    }
}
