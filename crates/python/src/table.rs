//! Tables on disk.

use std::path::PathBuf;
use std::sync::Mutex;

use hindsight_answers::{TableDescription, TableStats};
use hindsight_games::{Answer, Error, KeptBlocks, LayerScan, ScannedRanks, Tablebase};
use numpy::{IntoPyArray, PyArray1, PyReadonlyArray1};
use pyo3::prelude::*;
use rayon::prelude::*;

use crate::errors::OrRaise;
use crate::exit::detached;
use crate::game::Game;
use crate::pool::on_shared_threads;
use crate::reading::{read_here, read_in_parts};
use crate::typed_text::TypedText;
use crate::values::{ValueArrays, ValuePair, Values, pair, prepare_arrays, value_arrays};
use crate::watch::watched;

/// Tier and rank in arrays of a text that has none.
const NO_RANK: u64 = u64::MAX;

/// Bytes of decoded blocks that a table keeps.
const KEPT_BYTES: u64 = 1 << 28;

/// Table on disk.
#[pyclass(frozen)]
pub(crate) struct Table {
    pub(crate) table: Tablebase,
    /// Length of the file when it was opened.
    bytes: u64,
    is_on_server: bool,
}

#[pymethods]
impl Table {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        let is_on_server = path.to_str().is_some_and(|name| name.contains("://"));
        let opened = read_here(py, is_on_server, || hindsight_games::open(path));
        let table = opened?.or_raise(py)?;
        table.keep_blocks(&KeptBlocks::new(KEPT_BYTES));
        let bytes = table.bytes();
        Ok(Self { table, bytes, is_on_server })
    }

    fn game(&self) -> Game {
        Game::of_values(self.table.game())
    }

    fn values(&self) -> Values {
        Values { values: self.table.values().clone(), is_on_server: self.is_on_server }
    }

    fn file(&self) -> String {
        self.table.path().display().to_string()
    }

    /// Returns what tells whether a file is still the same table: its length and its header.
    fn digest(&self, py: Python<'_>) -> PyResult<(u64, u32)> {
        let read = read_here(py, self.is_on_server, || self.table.header_checksum());
        Ok((self.bytes, read?.or_raise(py)?))
    }

    fn layout(&self) -> String {
        self.table.info().layout.to_string()
    }

    /// Returns the JSON of `hindsight info`.
    fn info(&self, py: Python<'_>) -> PyResult<String> {
        let described = TableDescription::new(self.file(), self.bytes, &self.table);
        let described = described.or_raise(py)?;
        Ok(serde_json::to_string(&described).expect("texts and numbers"))
    }

    /// Returns the JSON of `hindsight stats`.
    fn stats(&self) -> String {
        let stats = TableStats::new(self.file(), &self.table, 0..self.table.stats().len());
        serde_json::to_string(&stats).expect("texts and numbers")
    }

    /// Returns tiers and ranks of positions; with `mask`, `NO_RANK` for texts that have none.
    fn ranks<'py>(
        &self,
        py: Python<'py>,
        positions: Vec<TypedText>,
        mask: bool,
    ) -> PyResult<[Bound<'py, PyArray1<u64>>; 2]> {
        let address = |text: &TypedText| {
            let position = self.table.game().parse(text)?;
            let address = self.table.address(&position)?;
            address.ok_or_else(|| Error::Unknown { position: text.to_string() })
        };
        prepare_arrays(py)?;
        let addresses = read_in_parts(py, false, &positions, |texts| {
            let addresses = texts.par_iter().map(|text| match address(text) {
                Err(_) if mask => Ok((NO_RANK, NO_RANK)),
                address => address,
            });
            addresses.collect::<Result<Vec<_>, _>>()
        });
        let (tiers, ranks): (Vec<_>, Vec<_>) = addresses?.into_iter().unzip();
        Ok([tiers, ranks].map(|numbers: Vec<u64>| numbers.into_pyarray(py)))
    }

    /// Returns the values at some tiers and ranks; unknown where both are `NO_RANK`. One tier
    /// stands for all.
    fn probe_ranks<'py>(
        &self,
        py: Python<'py>,
        tiers: PyReadonlyArray1<'py, u64>,
        ranks: PyReadonlyArray1<'py, u64>,
    ) -> PyResult<ValueArrays<'py>> {
        prepare_arrays(py)?;
        let ranks = ranks.as_array().to_vec();
        let tiers = tiers.as_array().to_vec();
        let answers = match *tiers {
            [tier] if tier != NO_RANK => read_in_parts(py, self.is_on_server, &ranks, |ranks| {
                self.table.probe_ranks(tier, ranks)
            }),
            _ => {
                let addresses: Vec<_> = tiers.into_iter().zip(ranks).collect();
                read_in_parts(py, self.is_on_server, &addresses, |part| self.at_addresses(part))
            }
        };
        value_arrays(py, &answers?)
    }

    /// Returns the position at a rank; `None` for a hole.
    fn position_at(&self, py: Python<'_>, tier: u64, rank: u64) -> PyResult<Option<String>> {
        let position = self.table.position_at(tier, rank);
        let text = position.map(|position| self.table.game().format(&position));
        text.transpose().or_raise(py)
    }

    fn layers(&self) -> usize {
        self.table.stats().len()
    }

    fn scan(&self, py: Python<'_>, layer: u32, memory: Option<u64>) -> PyResult<Scan> {
        let scan = watched(py, None, None, |watch| self.table.scan(layer, &watch.options(memory)));
        let scan = scan?.or_raise(py)?;
        Ok(Scan { table: self.table.clone(), scan: Mutex::new(scan) })
    }

    /// Returns the number of positions checked, and the faults: their layer, tier, rank, position
    /// and description.
    fn verify(
        &self,
        py: Python<'_>,
        memory: Option<u64>,
        threads: Option<usize>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<(u64, Vec<FaultTuple>)> {
        let verdict = watched(py, threads, progress.as_ref(), |watch| {
            self.table.verify(&watch.options(memory))
        })?;
        let verdict = verdict.or_raise(py)?;
        let faults = verdict.faults.into_iter().map(|fault| {
            let position =
                fault.address.and_then(|(tier, rank)| self.table.position_at(tier, rank));
            let text = position.and_then(|position| self.table.game().format(&position).ok());
            (fault.layer, fault.address, text, fault.description)
        });
        Ok((verdict.positions_checked, faults.collect()))
    }

    /// Returns the numbers of positions compared and of those that differ, and the first
    /// differences: layer, address, position and both values.
    fn compare(
        &self,
        py: Python<'_>,
        other: &Self,
        memory: Option<u64>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<(u64, u64, Vec<DifferenceTuple>)> {
        let compared = watched(py, None, progress.as_ref(), |watch| {
            self.table.compare(&other.table, &watch.options(memory))
        })?;
        let compared = compared.or_raise(py)?;
        let differences = compared.differences.into_iter().map(|difference| {
            let position = difference.position.as_ref();
            let text = position.and_then(|position| self.table.game().format(position).ok());
            let values = difference.values.map(|value| pair(Answer::Exact(value?)));
            (difference.layer, (difference.tier, difference.rank), text, values)
        });
        Ok((compared.positions, compared.different, differences.collect()))
    }
}

impl Table {
    /// Returns the values at some addresses, tier by tier.
    fn at_addresses(&self, addresses: &[(u64, u64)]) -> Result<Vec<Answer>, Error> {
        let mut order: Vec<usize> = (0..addresses.len()).collect();
        order.sort_unstable_by_key(|&i| addresses[i]);
        let mut answers = vec![Answer::Unknown; addresses.len()];
        for of_tier in order.chunk_by(|&a, &b| addresses[a].0 == addresses[b].0) {
            let tier = addresses[of_tier[0]].0;
            let has_rank = |&&i: &&usize| addresses[i] != (NO_RANK, NO_RANK);
            let of_tier: Vec<usize> = of_tier.iter().filter(has_rank).copied().collect();
            if of_tier.is_empty() {
                continue;
            }
            let ranks: Vec<u64> = of_tier.iter().map(|&i| addresses[i].1).collect();
            for (&i, answer) in of_tier.iter().zip(self.table.probe_ranks(tier, &ranks)?) {
                answers[i] = answer;
            }
        }
        Ok(answers)
    }
}

/// Layer, tier and rank, position and description of a fault.
type FaultTuple = (Option<u32>, Option<(u64, u64)>, Option<String>, String);

/// Layer, tier and rank, position and both values of a difference.
type DifferenceTuple = (u32, (u64, u64), Option<String>, [Option<ValuePair>; 2]);

/// Batches of the values of a layer.
#[pyclass(frozen)]
pub(crate) struct Scan {
    table: Tablebase,
    scan: Mutex<LayerScan>,
}

/// Tiers, ranks and copies; results; plies; texts if they are asked for.
type ScannedArrays<'py> = (
    [Bound<'py, PyArray1<u64>>; 3],
    Bound<'py, PyArray1<i8>>,
    Bound<'py, PyArray1<u16>>,
    Option<Vec<String>>,
);

#[pymethods]
impl Scan {
    /// Returns the next batch, or `None` at the end.
    fn next<'py>(&self, py: Python<'py>, texts: bool) -> PyResult<Option<ScannedArrays<'py>>> {
        let batch = detached(py, || self.scan.lock().ok().and_then(|mut scan| scan.next()));
        let Some(batch) = batch else {
            return Ok(None);
        };
        let positions = if texts {
            Some(on_shared_threads(py, || self.texts(&batch))?.or_raise(py)?)
        } else {
            None
        };
        let answers: Vec<Answer> = batch.values.into_iter().map(Answer::Exact).collect();
        let (wdl, plies) = value_arrays(py, &answers)?;
        let numbers = [batch.tiers, batch.ranks, batch.copies];
        let numbers = numbers.map(|numbers| numbers.into_pyarray(py));
        Ok(Some((numbers, wdl, plies, positions)))
    }
}

impl Scan {
    fn texts(&self, batch: &ScannedRanks) -> Result<Vec<String>, Error> {
        let text = |(&tier, &rank)| {
            let position = self.table.position_at(tier, rank);
            self.table.game().format(&position.expect("a rank with a value has a position"))
        };
        batch.tiers.par_iter().zip(&batch.ranks).map(text).collect()
    }
}
