//! Games whose rules are an object of Python, as Python sees them.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use hindsight_foreign::{
    Abilities, BrokenLaw, CheckedLaws, Description, ForeignRules, MOST_BYTES, Turns,
    bytes_of_packed, check_laws, foreign_game, packed_position,
};
use hindsight_games::{
    Answer, AnyGame, Options, Position, Random, Symmetry, Value, forget_game, know_game, memory,
};
use numpy::PyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList};

use super::array_rules::ArrayRules;
use super::class_rules::ClassRules;
use super::faults::catch_rules;
use super::pace::Pace;
use super::tables::Tables;
use crate::errors::{OrRaise, exception, named};
use crate::game::Game;
use crate::solved::Solved;
use crate::typed_text::TypedText;
use crate::values::{ValueArrays, ValuePair, pair, value_arrays};
use crate::watch::watched;

/// Positions, their results and their plies.
type ReachedArrays<'py> = (Bound<'py, PyAny>, Bound<'py, PyArray1<i8>>, Bound<'py, PyArray1<u16>>);

/// Positions of a solve that are looked through at a time.
const REACHED_A_TIME: usize = 1 << 16;

enum Rules {
    Class(ClassRules),
    Array(ArrayRules),
}

/// Rules of an object of Python. Positions of a class are objects, those of arrays are bytes.
#[pyclass(frozen)]
pub(crate) struct OwnRules {
    rules: Rules,
    game: AnyGame,
    tells_turns: bool,
    /// Bytes of a position.
    bytes: usize,
}

impl Rules {
    fn foreign(&self) -> Arc<dyn ForeignRules> {
        match self {
            Self::Class(rules) => Arc::new(rules.clone()),
            Self::Array(rules) => Arc::new(rules.clone()),
        }
    }

    fn with_pace(&self, pace: Pace) -> Self {
        match self {
            Self::Class(rules) => Self::Class(rules.with_pace(pace)),
            Self::Array(rules) => Self::Array(rules.with_pace(pace)),
        }
    }

    fn game(&self) -> AnyGame {
        AnyGame::from(foreign_game(self.foreign(), Symmetry::All))
    }
}

#[pymethods]
impl OwnRules {
    /// Takes the door to the rules of a class or, if it has `start_bytes`, to those over arrays.
    #[new]
    fn new(door: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = door.py();
        let tells_turns: bool = door.getattr("tells_turns")?.extract()?;
        let start_bytes: Option<Vec<u8>> = door.getattr("start_bytes")?.extract()?;
        let mut description = Description {
            name: door.getattr("name")?.extract()?,
            spec: door.getattr("spec")?.extract()?,
            version: door.getattr("version")?.extract()?,
            object: door.getattr("object")?.extract()?,
            encoding: String::new(),
            players: door.getattr("players")?.extract()?,
            turns: if tells_turns { Turns::Told } else { Turns::Alternate },
            start: Vec::new(),
            abilities: Abilities {
                names: true,
                texts: true,
                symmetries: door.getattr("has_symmetry")?.extract()?,
            },
            tiers: door.getattr("tiers")?.extract()?,
        };
        let unbound = door.clone().unbind();
        let rules = if let Some(start) = start_bytes {
            description.start = start;
            check(py, &description)?;
            let is_parallel = door.getattr("is_parallel")?.extract()?;
            Rules::Array(ArrayRules::new(description, unbound, is_parallel))
        } else {
            let (mut tables, bytes) = Tables::new(door, tells_turns, MOST_BYTES)?;
            if door.getattr("has_lasting_bytes")?.extract()? {
                let bytes = tables.bytes_of_lasting();
                let sum = py.import("zlib")?.call_method1("crc32", (&bytes[..],))?;
                description.encoding = format!("{:08x}", sum.extract::<u32>()?);
            }
            description.start = vec![0; bytes];
            check(py, &description)?;
            let (start, mark) = (door.getattr("start")?, door.getattr("start_mark")?);
            let mark = Some(mark).filter(|mark| !mark.is_none());
            tables.write(&start, mark.as_ref(), 0, &mut description.start, true)?;
            Rules::Class(ClassRules::new(description, unbound, tables))
        };
        let bytes = rules.foreign().description().position_bytes();
        let game = rules.game();
        Ok(Self { rules, game, tells_turns, bytes })
    }

    /// Returns the game, whose positions are texts.
    fn game(&self) -> Game {
        Game::of_own(&self.game)
    }

    /// Returns the bytes of a position.
    fn position_bytes(&self) -> usize {
        self.bytes
    }

    /// Makes the game known to this process by its spec, or unknown again.
    fn set_known(&self, is_known: bool) {
        if is_known {
            let game = foreign_game(self.rules.foreign(), Symmetry::All);
            know_game(game.clone(), game);
        } else {
            forget_game(self.game.spec());
        }
    }

    /// Solves the game.
    #[expect(clippy::too_many_arguments, reason = "the options of a solve")]
    fn solve(
        &self,
        py: Python<'_>,
        solver: TypedText,
        start: Option<Bound<'_, PyAny>>,
        max_positions: u64,
        memory: Option<u64>,
        seconds: Option<f64>,
        threads: Option<usize>,
        progress: Option<Bound<'_, PyAny>>,
    ) -> PyResult<Solved> {
        use hindsight_games::Method;
        let method = named(&solver, &Method::ALL.map(|method| (method.name(), method)))?;
        let start = start.map(|start| self.learned(&start)).transpose()?;
        let pace = Pace::new(max_positions, memory::limit(memory), seconds);
        let game = self.rules.with_pace(pace).game();
        let threads = match &self.rules {
            // One thread meets positions in one order.
            Rules::Class(rules) if rules.depends_on_order(py) => Some(1),
            _ => threads,
        };
        let solved = watched(py, threads, progress.as_ref(), |watch| {
            let options = Options { seconds, ..watch.options(memory) };
            match &start {
                Some(start) => game.solve_from(start, &options),
                None => game.solve(method, &options),
            }
        })?;
        crate::solving::finished(py, &game, solved.or_raise(py)?, seconds.is_some())
    }

    /// Checks the laws of any game at some positions of random games. Returns the broken law and
    /// the text of the position, if there is one.
    fn broken_law(
        &self,
        py: Python<'_>,
        positions: u64,
        seed: u64,
    ) -> PyResult<Option<(String, String)>> {
        let game = self.game.rules();
        let checked = watched(py, Some(1), None, |watch| {
            let mut goes_on = |checked: &CheckedLaws| {
                checked.positions < positions && !watch.stop().load(Ordering::Relaxed)
            };
            check_laws(game, &mut SplitMix(seed), &mut goes_on)
        })?;
        let broken = checked.err();
        Ok(broken.map(|BrokenLaw { law, met, position }| match met.as_str() {
            "" => (law.to_string(), position),
            met => (format!("{law}: {met}"), position),
        }))
    }

    /// Returns the value of a position that a solve has reached.
    fn value(
        &self,
        py: Python<'_>,
        solved: &Solved,
        position: &Bound<'_, PyAny>,
    ) -> PyResult<Option<ValuePair>> {
        let bytes = match &self.rules {
            Rules::Class(rules) => rules.known_bytes(position)?,
            Rules::Array(_) => self.bytes_of(position, false)?,
        };
        let Some(bytes) = bytes else { return Ok(None) };
        let position = self.position(&bytes);
        let value = catch_rules(py, || solved.reached_value(&position))?.or_raise(py)?;
        Ok(value.and_then(|value| pair(Answer::Exact(value))))
    }

    /// Returns the values of positions in an array of bytes, with the result `None` for those that
    /// a solve has not reached.
    fn values<'py>(
        &self,
        py: Python<'py>,
        solved: &Solved,
        positions: &[u8],
    ) -> PyResult<ValueArrays<'py>> {
        let positions = positions.chunks_exact(self.bytes).map(|bytes| self.position(bytes));
        let positions: Vec<Position> = positions.collect();
        let answers = crate::exit::detached(py, || {
            hindsight_foreign::catch_faults(|| {
                let values = positions.iter().map(|position| solved.reached_value(position));
                values.collect::<Result<Vec<Option<Value>>, _>>()
            })
        });
        let values = answers.map_err(|fault| super::faults::exception_of_fault(py, fault))?;
        let answers: Vec<Answer> = values
            .or_raise(py)?
            .into_iter()
            .map(|value| value.map_or(Answer::Unknown, Answer::Exact))
            .collect();
        value_arrays(py, &answers)
    }

    /// Returns the first position that a solve has reached, or its key, for which other processes
    /// have other bytes; an empty list if there is none. Without a solve it is asked of the start.
    fn without_lasting_bytes<'py>(
        &self,
        py: Python<'py>,
        solved: Option<&Solved>,
    ) -> PyResult<Vec<Bound<'py, PyAny>>> {
        let Rules::Class(rules) = &self.rules else { return Ok(Vec::new()) };
        let Some(solved) = solved else {
            let start = &rules.description().start;
            let odd = (!rules.lasts(py, start)).then(|| rules.label(py, start));
            return odd.into_iter().collect();
        };
        for begin in (0..).step_by(REACHED_A_TIME) {
            let numbers = begin..begin + REACHED_A_TIME as u64;
            let reached = catch_rules(py, || solved.reached(numbers))?.or_raise(py)?;
            for (position, _) in &reached {
                let bytes = bytes_of_packed(&self.game.packed(position).or_raise(py)?);
                let bytes = &bytes[..self.bytes];
                if !rules.lasts(py, bytes) {
                    return Ok(vec![rules.label(py, bytes)?]);
                }
            }
            if reached.len() < REACHED_A_TIME {
                break;
            }
        }
        Ok(Vec::new())
    }

    /// Returns the moves of the position with a key, of a game whose positions are known by them;
    /// `None` if it was not met.
    fn moves_of_key(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<u16>> {
        match &self.rules {
            Rules::Class(rules) => rules.moves_of_key(key),
            Rules::Array(_) => Ok(None),
        }
    }

    /// Returns the positions that a solve has reached, from a number up to another: a list of
    /// objects, or of keys if positions are known by them, or the bytes of all.
    fn reached<'py>(
        &self,
        py: Python<'py>,
        solved: &Solved,
        begin: u64,
        end: u64,
    ) -> PyResult<ReachedArrays<'py>> {
        let reached = catch_rules(py, || solved.reached(begin..end))?.or_raise(py)?;
        let answers: Vec<Answer> = reached.iter().map(|&(_, value)| Answer::Exact(value)).collect();
        let (wdl, plies) = value_arrays(py, &answers)?;
        let bytes = reached.iter().map(|(position, _)| {
            let packed = self.game.packed(position).or_raise(py)?;
            Ok::<_, PyErr>(bytes_of_packed(&packed))
        });
        let positions = match &self.rules {
            Rules::Class(rules) => {
                let list = PyList::empty(py);
                for bytes in bytes {
                    list.append(rules.label(py, &bytes?[..self.bytes])?)?;
                }
                list.into_any()
            }
            Rules::Array(_) => {
                let mut all = Vec::with_capacity(self.bytes * reached.len());
                for bytes in bytes {
                    all.extend_from_slice(&bytes?[..self.bytes]);
                }
                PyBytes::new(py, &all).into_any()
            }
        };
        Ok((positions, wdl, plies))
    }

    /// Returns results and plies of all positions that a solve has reached.
    fn arrays<'py>(&self, py: Python<'py>, solved: &Solved) -> PyResult<ValueArrays<'py>> {
        let reached = catch_rules(py, || solved.reached(0..u64::MAX))?.or_raise(py)?;
        let answers: Vec<Answer> = reached.iter().map(|&(_, value)| Answer::Exact(value)).collect();
        value_arrays(py, &answers)
    }

    /// Returns the text of a position, as the game writes it.
    fn text(&self, py: Python<'_>, position: &Bound<'_, PyAny>) -> PyResult<String> {
        let position = self.learned(position)?;
        catch_rules(py, || self.game.format(&position))?.or_raise(py)
    }

    /// Returns the position of a text.
    fn object<'py>(&self, py: Python<'py>, text: TypedText) -> PyResult<Bound<'py, PyAny>> {
        let position = catch_rules(py, || self.game.parse(&text))?.or_raise(py)?;
        let bytes = bytes_of_packed(&self.game.packed(&position).or_raise(py)?);
        match &self.rules {
            Rules::Class(rules) => rules.object(py, &bytes[..self.bytes]),
            Rules::Array(_) => Ok(PyBytes::new(py, &bytes[..self.bytes]).into_any()),
        }
    }

    /// Returns the bytes of a position; `None` if it was not met.
    fn encoded(&self, position: &Bound<'_, PyAny>, learns: bool) -> PyResult<Option<Vec<u8>>> {
        self.bytes_of(position, learns)
    }

    /// Returns the position of some bytes.
    fn decoded<'py>(&self, py: Python<'py>, bytes: Vec<u8>) -> PyResult<Bound<'py, PyAny>> {
        match &self.rules {
            Rules::Class(rules) if bytes.len() == self.bytes => rules.object(py, &bytes),
            _ => Ok(PyBytes::new(py, &bytes).into_any()),
        }
    }
}

impl OwnRules {
    fn bytes_of(&self, position: &Bound<'_, PyAny>, learns: bool) -> PyResult<Option<Vec<u8>>> {
        match &self.rules {
            Rules::Class(rules) => rules.bytes_of(position, learns),
            Rules::Array(_) => {
                let bytes: Vec<u8> = position.extract()?;
                Ok(Some(bytes).filter(|bytes| bytes.len() == self.bytes))
            }
        }
    }

    fn position(&self, bytes: &[u8]) -> Position {
        let player = (!self.tells_turns).then_some(0);
        self.game.position_of(packed_position(bytes, player))
    }

    fn learned(&self, position: &Bound<'_, PyAny>) -> PyResult<Position> {
        let bytes = self.bytes_of(position, true)?;
        let bytes = bytes.ok_or_else(|| PyValueError::new_err("this is no position"))?;
        Ok(self.position(&bytes))
    }
}

/// Random bits by SplitMix64.
struct SplitMix(u64);

impl Random for SplitMix {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }
}

fn check(py: Python<'_>, description: &Description) -> PyResult<()> {
    description.check().map_err(|fault| exception(py, "GameError", &fault.to_string()))
}
