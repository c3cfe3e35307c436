//! Rules whose positions are codes in arrays of NumPy.

use std::sync::Arc;

use hindsight_foreign::{Answers, Description, ForeignRules, RankedPositions, RulesFault};
use hindsight_games::Wdl;
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::caller::call_python;
use super::faults::{fault_of, stop_fault};
use super::pace::Pace;
use crate::wish::look;

/// Rules over codes.
#[derive(Clone)]
pub(crate) struct ArrayRules {
    shared: Arc<ArrayParts>,
    pace: Option<Arc<Pace>>,
}

/// Parts that all forms of the rules share.
struct ArrayParts {
    description: Description,
    /// The object of `_array_door.py` that calls the methods of the user.
    door: Py<PyAny>,
    /// True if several threads may call at the same time.
    is_parallel: bool,
}

/// Successors of some positions, where those of each begin, and results.
type ExpandedArrays<'py> =
    (Bound<'py, PyArray1<u8>>, Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i8>>);

impl ArrayRules {
    pub(super) fn new(description: Description, door: Py<PyAny>, is_parallel: bool) -> Self {
        let shared = ArrayParts { description, door, is_parallel };
        Self { shared: Arc::new(shared), pace: None }
    }

    /// Returns the same rules with limits.
    pub(super) fn with_pace(&self, pace: Pace) -> Self {
        Self { pace: Some(Arc::new(pace)), ..self.clone() }
    }

    fn ask<T: Send + 'static>(
        &self,
        call: impl FnOnce(&Self, Python<'_>) -> PyResult<T> + Send + 'static,
    ) -> Result<T, RulesFault> {
        let rules = self.clone();
        let is_parallel = self.shared.is_parallel;
        let call = move |py: Python<'_>| {
            let answer = call(&rules, py).map_err(|error| fault_of(py, error));
            // References are given back with the lock of the interpreter.
            drop(rules);
            answer
        };
        let answer = if is_parallel { Some(Python::attach(call)) } else { call_python(call) };
        answer.unwrap_or_else(|| Err(stop_fault()))
    }

    fn call<'py>(
        &self,
        py: Python<'py>,
        method: &str,
        positions: &[u8],
    ) -> PyResult<Bound<'py, PyAny>> {
        self.shared.door.bind(py).call_method1(method, (PyBytes::new(py, positions),))
    }

    fn expand_here(&self, py: Python<'_>, positions: &[u8]) -> PyResult<Answers> {
        if let Some(pace) = &self.pace {
            let count = positions.len() / self.shared.description.position_bytes();
            pace.step(py, count as u64, 0, 0)?;
        }
        let (successors, offsets, results): ExpandedArrays<'_> =
            self.call(py, "expand", positions)?.extract()?;
        let (offsets, results) = (offsets.readonly(), results.readonly());
        let (offsets, results) = (offsets.as_slice()?, results.as_slice()?);
        if offsets.len() != results.len() + 1 {
            return Err(PyTypeError::new_err("there is an offset more than results"));
        }
        let ends = offsets.windows(2).zip(results);
        let answer = |(ends, result): (&[i64], &i8)| {
            let result = match result {
                1 => Some(Wdl::Win),
                0 => Some(Wdl::Draw),
                -1 => Some(Wdl::Loss),
                _ => None,
            };
            (result, u32::try_from(ends[1] - ends[0]).unwrap_or(u32::MAX))
        };
        let answers = Answers {
            positions: ends.map(answer).collect(),
            successors: successors.readonly().as_slice()?.to_vec(),
        };
        if !self.shared.is_parallel {
            look(py)?;
        }
        Ok(answers)
    }
}

impl ForeignRules for ArrayRules {
    fn description(&self) -> &Description {
        &self.shared.description
    }

    fn expand(&self, positions: &[u8], answers: &mut Answers) -> Result<(), RulesFault> {
        let positions = positions.to_vec();
        *answers = self.ask(move |rules, py| rules.expand_here(py, &positions))?;
        Ok(())
    }

    fn players(&self, positions: &[u8], players: &mut Vec<u8>) -> Result<(), RulesFault> {
        let positions = positions.to_vec();
        let told = self.ask(move |rules, py| {
            let told: Bound<'_, PyArray1<u8>> =
                rules.call(py, "player_numbers", &positions)?.extract()?;
            Ok(told.readonly().as_slice()?.to_vec())
        });
        players.extend(told?);
        Ok(())
    }

    fn canonicalize(&self, positions: &mut [u8]) -> Result<(), RulesFault> {
        let asked = positions.to_vec();
        let canonical: Vec<u8> = self.ask(move |rules, py| {
            let canonical: Bound<'_, PyArray1<u8>> =
                rules.call(py, "symmetric", &asked)?.extract()?;
            Ok(canonical.readonly().as_slice()?.to_vec())
        })?;
        if canonical.len() != positions.len() {
            return Err(RulesFault::new("canonical() returns as many codes as it gets"));
        }
        positions.copy_from_slice(&canonical);
        Ok(())
    }

    fn rank(
        &self,
        positions: &[u8],
        addresses: &mut Vec<Option<(u64, u64)>>,
    ) -> Result<(), RulesFault> {
        let positions = positions.to_vec();
        let told: (Vec<u64>, Vec<i64>) = self.ask(move |rules, py| {
            let (tiers, ranks): (Bound<'_, PyArray1<u64>>, Bound<'_, PyArray1<i64>>) =
                rules.call(py, "ranks", &positions)?.extract()?;
            Ok((tiers.readonly().as_slice()?.to_vec(), ranks.readonly().as_slice()?.to_vec()))
        })?;
        let (tiers, ranks) = told;
        let address = |(tier, rank)| u64::try_from(rank).ok().map(|rank| (tier, rank));
        addresses.extend(tiers.into_iter().zip(ranks).map(address));
        Ok(())
    }

    fn unrank(
        &self,
        tier: u64,
        ranks: &[u64],
        out: &mut RankedPositions,
    ) -> Result<(), RulesFault> {
        let ranks: Vec<i64> = ranks.iter().map(|&rank| rank as i64).collect();
        *out = self.ask(move |rules, py| {
            let door = rules.shared.door.bind(py);
            let ranks = PyArray1::from_vec(py, ranks);
            let (positions, exist): (Bound<'_, PyArray1<u8>>, Bound<'_, PyArray1<bool>>) =
                door.call_method1("positions_of", (tier, ranks))?.extract()?;
            let positions = positions.readonly().as_slice()?.to_vec();
            Ok(RankedPositions { positions, exist: exist.readonly().as_slice()?.to_vec() })
        })?;
        Ok(())
    }

    fn move_names(&self, position: &[u8]) -> Result<Vec<String>, RulesFault> {
        let position = position.to_vec();
        self.ask(move |rules, py| rules.call(py, "names", &position)?.extract())
    }

    fn format(&self, position: &[u8]) -> Result<String, RulesFault> {
        let position = position.to_vec();
        self.ask(move |rules, py| rules.call(py, "format", &position)?.extract())
    }

    fn parse(&self, text: &str) -> Result<Result<Vec<u8>, String>, RulesFault> {
        let text = text.to_string();
        self.ask(move |rules, py| {
            let answer = rules.shared.door.bind(py).call_method1("parse", (text,))?;
            let (bytes, fault): (Option<Vec<u8>>, Option<String>) = answer.extract()?;
            Ok(bytes.ok_or_else(|| fault.unwrap_or_default()))
        })
    }
}
