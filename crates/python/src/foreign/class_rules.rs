//! Rules whose positions are objects of Python.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hindsight_foreign::{Answers, Description, ForeignRules, RankedPositions, RulesFault};
use hindsight_games::Wdl;
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::MutexExt;
use pyo3::types::{PyInt, PyList, PyTuple};

use super::caller::call_python;
use super::codec::PLAYER;
use super::faults::{fault_of, stop_fault};
use super::pace::Pace;
use super::tables::Tables;
use crate::wish::look;

/// Time that a call of Python should take, so that signals and limits are seen to.
const CALL_TIME: Duration = Duration::from_millis(4);

/// Positions that a call of Python makes: so few that its collector of garbage, which looks at new
/// objects every 700, seldom meets them.
const OBJECTS_A_CALL: usize = 256;

/// Rules of a class.
#[derive(Clone)]
pub(crate) struct ClassRules {
    shared: Arc<ClassParts>,
    pace: Option<Arc<Pace>>,
}

/// Parts that all forms of the rules share.
struct ClassParts {
    description: Description,
    /// The object of `_own_door.py` that calls the methods of the user.
    door: Py<PyAny>,
    tells_turns: bool,
    tables: Mutex<Tables>,
    /// Positions of the next call.
    positions_a_call: AtomicUsize,
}

impl ClassRules {
    pub(super) fn new(description: Description, door: Py<PyAny>, tables: Tables) -> Self {
        let tells_turns = description.turns == hindsight_foreign::Turns::Told;
        let shared = ClassParts {
            description,
            door,
            tells_turns,
            tables: Mutex::new(tables),
            positions_a_call: AtomicUsize::new(1),
        };
        Self { shared: Arc::new(shared), pace: None }
    }

    /// Returns the same rules with limits.
    pub(super) fn with_pace(&self, pace: Pace) -> Self {
        Self { pace: Some(Arc::new(pace)), ..self.clone() }
    }

    fn door<'py>(&self, py: Python<'py>) -> &Bound<'py, PyAny> {
        self.shared.door.bind(py)
    }

    fn tables(&self, py: Python<'_>) -> MutexGuard<'_, Tables> {
        self.shared.tables.lock_py_attached(py).unwrap_or_else(PoisonError::into_inner)
    }

    fn size(&self) -> usize {
        self.shared.description.position_bytes()
    }

    /// Does something in Python; an exception becomes a fault.
    fn ask<T: Send + 'static>(
        &self,
        call: impl FnOnce(&Self, Python<'_>) -> PyResult<T> + Send + 'static,
    ) -> Result<T, RulesFault> {
        let rules = self.clone();
        let answer = call_python(move |py| {
            let answer = call(&rules, py).map_err(|error| fault_of(py, error));
            // References are given back with the lock of the interpreter.
            drop(rules);
            answer
        });
        answer.unwrap_or_else(|| Err(stop_fault()))
    }

    /// Returns the object of a position.
    pub(super) fn object<'py>(&self, py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        let object = self.tables(py).object(py, bytes)?;
        object.ok_or_else(|| PyValueError::new_err("the position is not kept any more"))
    }

    /// Returns the object of a position, or its key if objects are given back.
    pub(super) fn label<'py>(&self, py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
        let label = self.tables(py).label(py, bytes)?;
        label.ok_or_else(|| PyValueError::new_err("the position is not kept any more"))
    }

    /// True if other processes have the same bytes for a position that has these.
    pub(super) fn lasts(&self, py: Python<'_>, bytes: &[u8]) -> bool {
        self.tables(py).lasts(bytes)
    }

    /// Returns the moves of the position with a key; `None` if it was not met.
    pub(super) fn moves_of_key(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<u16>> {
        let mut bytes = vec![0; self.size()];
        let mut tables = self.tables(key.py());
        let is_known = tables.write(key, None, 0, &mut bytes, false)?;
        Ok(tables.moves(&bytes).filter(|_| is_known))
    }

    /// True if what positions are depends on the order in which they are met.
    pub(super) fn depends_on_order(&self, py: Python<'_>) -> bool {
        let tables = self.tables(py);
        tables.is_by_key() || tables.has_keys()
    }

    fn objects<'py>(&self, py: Python<'py>, positions: &[u8]) -> PyResult<Bound<'py, PyList>> {
        let tables = self.tables(py);
        let positions = positions.chunks_exact(self.size());
        let mut objects = Vec::with_capacity(positions.len());
        for position in positions {
            let object = tables.object(py, position)?;
            let gone = || PyValueError::new_err("the position is not kept any more");
            objects.push(object.ok_or_else(gone)?);
        }
        PyList::new(py, objects)
    }

    /// Returns the bytes of a position; `None` if it is new and `learns` is false.
    pub(super) fn bytes_of(
        &self,
        object: &Bound<'_, PyAny>,
        learns: bool,
    ) -> PyResult<Option<Vec<u8>>> {
        let py = object.py();
        let mark = if self.tables(py).is_by_key() {
            Some(self.door(py).call_method1("identity", (object,))?)
        } else {
            None
        };
        let player = if self.shared.tells_turns {
            self.door(py)
                .call_method1("player_number", (object, learns))?
                .extract::<Option<u8>>()?
        } else {
            Some(0)
        };
        let Some(player) = player else { return Ok(None) };
        let mut bytes = vec![0; self.size()];
        let is_known = self.tables(py).write(object, mark.as_ref(), player, &mut bytes, learns)?;
        Ok(is_known.then_some(bytes))
    }

    /// Returns the bytes of what stands for a position; `None` if it was not met. Nothing is
    /// learned.
    pub(super) fn known_bytes(&self, object: &Bound<'_, PyAny>) -> PyResult<Option<Vec<u8>>> {
        let py = object.py();
        if !self.shared.description.abilities.symmetries {
            return self.bytes_of(object, false);
        }
        let marks = self.door(py).call_method1("symmetric", ([object], false))?;
        let mark = marks.get_item(0)?;
        if self.tables(py).has_keys() {
            return self.tables(py).position_with_key(&mark, self.size());
        }
        let mark = if self.shared.tells_turns { mark.get_item(0)? } else { mark };
        self.bytes_of(&mark, false)
    }

    fn expand_here(&self, py: Python<'_>, positions: &[u8]) -> PyResult<Answers> {
        let size = self.size();
        let mut answers = Answers::default();
        let mut rest = positions;
        while !rest.is_empty() {
            let most = self.shared.positions_a_call.load(Ordering::Relaxed);
            let (part, others) = rest.split_at(rest.len().min(most * size));
            rest = others;
            let count = part.len() / size;
            if let Some(pace) = &self.pace {
                let (kept, met) = self.tables(py).counts();
                pace.step(py, count as u64, kept, met)?;
            }
            let begin = Instant::now();
            let before = answers.successors.len();
            self.expand_part(py, part, &mut answers)?;
            let made = count + (answers.successors.len() - before) / size;
            let few = (OBJECTS_A_CALL * count / made).max(1);
            let next = match begin.elapsed() {
                time if time < CALL_TIME && count == most => (2 * most).min(few),
                time if time > 2 * CALL_TIME => (most / 2).max(1),
                _ => most,
            };
            self.shared.positions_a_call.store(next, Ordering::Relaxed);
            look(py)?;
        }
        Ok(answers)
    }

    fn expand_part(&self, py: Python<'_>, positions: &[u8], answers: &mut Answers) -> PyResult<()> {
        let objects = self.objects(py, positions)?;
        let expanded = self.door(py).call_method1("expand", (&objects,))?;
        let expanded = expanded.cast_into::<PyList>()?;
        if expanded.len() != objects.len() {
            return Err(PyTypeError::new_err("an answer is needed for each position"));
        }
        let mut tables = self.tables(py);
        let mut bytes = vec![0; self.size()];
        let asked = objects.iter().zip(positions.chunks_exact(self.size()));
        for (answer, (object, position)) in expanded.iter().zip(asked) {
            tables.check_unchanged(&object, position)?;
            if answer.is_exact_instance_of::<PyInt>() {
                let wdl = match answer.extract::<i8>()? {
                    1 => Wdl::Win,
                    0 => Wdl::Draw,
                    _ => Wdl::Loss,
                };
                answers.positions.push((Some(wdl), 0));
                continue;
            }
            let (after, marks) = match answer.cast::<PyTuple>() {
                Ok(pair) => {
                    let marks = pair.get_item(1)?.cast_into::<PyList>()?;
                    (pair.get_item(0)?.cast_into::<PyList>()?, Some(marks))
                }
                Err(_) => (answer.cast_into::<PyList>()?, None),
            };
            for (i, successor) in after.iter().enumerate() {
                let mark = marks.as_ref().map(|marks| marks.get_item(i)).transpose()?;
                let player = match &mark {
                    Some(mark) if self.shared.tells_turns => mark.extract()?,
                    _ => 0,
                };
                let mark = mark.filter(|_| !self.shared.tells_turns);
                tables.write(&successor, mark.as_ref(), player, &mut bytes, true)?;
                answers.successors.extend_from_slice(&bytes);
            }
            answers.positions.push((None, after.len() as u32));
        }
        let moves = &answers.positions[answers.positions.len() - objects.len()..];
        for (position, &(_, moves)) in positions.chunks_exact(self.size()).zip(moves) {
            tables.set_expanded(position, moves);
        }
        Ok(())
    }

    fn canonicalize_here(&self, py: Python<'_>, positions: &[u8]) -> PyResult<Vec<u8>> {
        let mut all = Vec::with_capacity(positions.len());
        for part in positions.chunks(OBJECTS_A_CALL * self.size()) {
            self.canonicalize_part(py, part, &mut all)?;
            look(py)?;
        }
        Ok(all)
    }

    fn canonicalize_part(
        &self,
        py: Python<'_>,
        positions: &[u8],
        all: &mut Vec<u8>,
    ) -> PyResult<()> {
        let objects = self.objects(py, positions)?;
        let marks = self.door(py).call_method1("symmetric", (&objects,))?;
        let marks = marks.cast_into::<PyList>()?;
        let mut tables = self.tables(py);
        if tables.has_keys() {
            for (position, key) in positions.chunks_exact(self.size()).zip(&marks) {
                all.extend_from_slice(tables.first_with_key(&key, position)?);
            }
            return Ok(());
        }
        let mut bytes = vec![0; self.size()];
        for canonical in &marks {
            let (object, player) = match self.shared.tells_turns {
                true => canonical.extract::<(Bound<'_, PyAny>, u8)>()?,
                false => (canonical, 0),
            };
            tables.write(&object, None, player, &mut bytes, true)?;
            all.extend_from_slice(&bytes);
        }
        Ok(())
    }

    /// Returns the position of a text, or what is wrong with it.
    pub(super) fn object_of_text<'py>(
        &self,
        py: Python<'py>,
        text: &str,
    ) -> PyResult<Result<Bound<'py, PyAny>, String>> {
        let answer = self.door(py).call_method1("parse", (text,))?;
        let (object, fault): (Bound<'_, PyAny>, Option<String>) = answer.extract()?;
        Ok(fault.map_or(Ok(object), Err))
    }
}

impl ForeignRules for ClassRules {
    fn description(&self) -> &Description {
        &self.shared.description
    }

    fn expand(&self, positions: &[u8], answers: &mut Answers) -> Result<(), RulesFault> {
        let positions = positions.to_vec();
        *answers = self.ask(move |rules, py| rules.expand_here(py, &positions))?;
        Ok(())
    }

    fn players(&self, positions: &[u8], players: &mut Vec<u8>) -> Result<(), RulesFault> {
        let first = positions.iter().step_by(self.size());
        players.extend(first.map(|byte| u8::from(byte & PLAYER != 0)));
        Ok(())
    }

    fn canonicalize(&self, positions: &mut [u8]) -> Result<(), RulesFault> {
        let asked = positions.to_vec();
        let canonical = self.ask(move |rules, py| rules.canonicalize_here(py, &asked))?;
        positions.copy_from_slice(&canonical);
        Ok(())
    }

    fn rank(
        &self,
        positions: &[u8],
        addresses: &mut Vec<Option<(u64, u64)>>,
    ) -> Result<(), RulesFault> {
        let positions = positions.to_vec();
        let told: Result<Vec<Option<(u64, u64)>>, RulesFault> = self.ask(move |rules, py| {
            let mut all = Vec::new();
            for part in positions.chunks(OBJECTS_A_CALL * rules.size()) {
                let objects = rules.objects(py, part)?;
                let ranks = rules.door(py).call_method1("rank", (objects,))?;
                all.extend(ranks.extract::<Vec<Option<(u64, u64)>>>()?);
                look(py)?;
            }
            Ok(all)
        });
        addresses.extend(told?);
        Ok(())
    }

    fn unrank(
        &self,
        tier: u64,
        ranks: &[u64],
        out: &mut RankedPositions,
    ) -> Result<(), RulesFault> {
        let ranks = ranks.to_vec();
        *out = self.ask(move |rules, py| {
            let mut out = RankedPositions::default();
            for part in ranks.chunks(OBJECTS_A_CALL) {
                let objects = rules.door(py).call_method1("unrank", (tier, part.to_vec()))?;
                for object in objects.cast_into::<PyList>()? {
                    out.exist.push(!object.is_none());
                    let bytes =
                        if object.is_none() { None } else { rules.bytes_of(&object, true)? };
                    out.positions.extend(bytes.unwrap_or_else(|| vec![0; rules.size()]));
                }
                look(py)?;
            }
            Ok(out)
        })?;
        Ok(())
    }

    fn move_names(&self, position: &[u8]) -> Result<Vec<String>, RulesFault> {
        let position = position.to_vec();
        self.ask(move |rules, py| {
            let object = rules.object(py, &position)?;
            rules.door(py).call_method1("names", (object,))?.extract()
        })
    }

    fn format(&self, position: &[u8]) -> Result<String, RulesFault> {
        let position = position.to_vec();
        self.ask(move |rules, py| {
            let object = rules.object(py, &position)?;
            rules.door(py).call_method1("format", (object,))?.extract()
        })
    }

    fn parse(&self, text: &str) -> Result<Result<Vec<u8>, String>, RulesFault> {
        let text = text.to_string();
        self.ask(move |rules, py| {
            let object = match rules.object_of_text(py, &text)? {
                Ok(object) => object,
                Err(fault) => return Ok(Err(fault)),
            };
            let bytes = rules.bytes_of(&object, true)?;
            Ok(bytes.ok_or_else(|| String::from("this is no position")))
        })
    }
}
