//! Objects of Python as bytes: all that is kept of a game's positions beside solvers.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use super::codec::{Codec, Encoded, KEPT, LEAST_BYTES, PLAYER};
use super::faults::game_error;
use super::kept::{BytesMap, KeptObjects};

/// Way in which an object becomes bytes.
enum Way {
    /// By its parts.
    Parts,
    /// By its key, which tells positions apart. The objects are kept until they are expanded, or
    /// for good. `find` returns those of other keys.
    Key { objects: BytesMap<KeyedObject>, keeps: bool, find: Option<Py<PyAny>> },
    /// By functions of the user.
    Packed { pack: Py<PyAny>, unpack: Py<PyAny>, tells_turns: bool },
}

/// Position that is known by its key.
struct KeyedObject {
    /// The object, unless it was expanded and given back.
    object: Option<Py<PyAny>>,
    /// Number of moves, once it was expanded.
    moves: Option<u16>,
}

/// Keys of symmetry, each with the first position that was met with it.
struct Keys {
    codec: Codec,
    kept: KeptObjects,
    /// Bytes of a key.
    bytes: usize,
    numbers: BytesMap<u32>,
    positions: Vec<u8>,
}

/// Tables of a game.
pub(super) struct Tables {
    way: Way,
    codec: Codec,
    kept: KeptObjects,
    /// Objects that are equal to those that their bytes make, but not the same.
    exotic: BytesMap<Py<PyAny>>,
    keys: Option<Keys>,
}

impl Tables {
    /// Returns tables for a door, and the bytes of a position. `most` is the most of them.
    pub(super) fn new(
        door: &Bound<'_, PyAny>,
        tells_turns: bool,
        most: usize,
    ) -> PyResult<(Self, usize)> {
        let samples: Vec<Bound<'_, PyAny>> = door.getattr("samples")?.extract()?;
        let stated: Option<usize> = door.getattr("position_bytes")?.extract()?;
        let keys: Option<Vec<Bound<'_, PyAny>>> = door.getattr("key_samples")?.extract()?;
        let identities: Option<Vec<Bound<'_, PyAny>>> =
            door.getattr("identity_samples")?.extract()?;
        let mut codec = Codec::default();
        let (pack, unpack) = (door.getattr("pack")?, door.getattr("unpack")?);
        let (way, bytes) = if !pack.is_none() {
            let start = pack.call1((door.getattr("start")?,))?;
            let start = start.cast_into::<PyBytes>()?.as_bytes().len();
            let way = Way::Packed { pack: pack.unbind(), unpack: unpack.unbind(), tells_turns };
            (way, start + usize::from(tells_turns))
        } else {
            let are_to_last = door.getattr("has_lasting_bytes")?.extract()?;
            let learned = codec.learn(identities.as_ref().unwrap_or(&samples), are_to_last)?;
            let needed = stated.map_or(learned, |stated| stated.max(learned)).max(LEAST_BYTES);
            // The rest of a word costs nothing.
            let player = usize::from(!tells_turns);
            let bytes = ((needed + player).next_multiple_of(4) - player).min(most);
            codec.set_bytes(bytes);
            let way = match identities {
                None => Way::Parts,
                Some(_) => Way::Key {
                    objects: BytesMap::new(bytes),
                    keeps: door.getattr("keeps_objects")?.extract()?,
                    find: door.getattr("find")?.extract()?,
                },
            };
            (way, bytes)
        };
        let keys = match keys {
            None => None,
            Some(samples) => {
                let mut codec = Codec::default();
                let learned = codec.learn(&samples, false)?.max(LEAST_BYTES);
                let bytes = if learned <= 8 { 8 } else { learned.next_multiple_of(16) }.min(32);
                codec.set_bytes(bytes);
                let (kept, numbers) = (KeptObjects::default(), BytesMap::new(bytes));
                Some(Keys { codec, kept, bytes, numbers, positions: Vec::new() })
            }
        };
        let exotic = BytesMap::new(bytes);
        let kept = KeptObjects::default();
        Ok((Self { way, codec, kept, exotic, keys }, bytes))
    }

    pub(super) fn is_by_key(&self) -> bool {
        matches!(self.way, Way::Key { .. })
    }

    pub(super) fn has_keys(&self) -> bool {
        self.keys.is_some()
    }

    /// Returns the number of objects that are kept, and the least number of positions met.
    pub(super) fn counts(&self) -> (usize, usize) {
        let objects = match &self.way {
            Way::Key { objects, .. } => objects.len(),
            Way::Parts | Way::Packed { .. } => 0,
        };
        let keys = self.keys.as_ref();
        let kept = self.kept.len() + keys.map_or(0, |keys| keys.kept.len()) + objects;
        let met = match keys {
            Some(keys) => keys.numbers.len(),
            None => self.kept.len().max(objects),
        };
        (kept, met)
    }

    /// Writes the bytes of a position. Returns false if it is new and not to be learned. `mark` is
    /// its key, where that tells positions apart.
    pub(super) fn write(
        &mut self,
        object: &Bound<'_, PyAny>,
        mark: Option<&Bound<'_, PyAny>>,
        player: u8,
        bytes: &mut [u8],
        learns: bool,
    ) -> PyResult<bool> {
        bytes.fill(0);
        let is_known = match &mut self.way {
            Way::Parts => {
                let encoded = self.codec.encode(object, bytes, learns)?;
                let is_exotic = matches!(encoded, Encoded::Written { is_exotic: true });
                let is_known = finish(encoded, &mut self.kept, object, bytes, learns)?;
                if is_exotic && learns {
                    self.exotic.get_or_insert(bytes, || object.clone().unbind());
                }
                is_known
            }
            Way::Key { objects, .. } => {
                let key = mark.unwrap_or(object);
                let encoded = self.codec.encode(key, bytes, learns)?;
                let is_known = finish(encoded, &mut self.kept, key, bytes, learns)?;
                if is_known && learns {
                    objects.get_or_insert(bytes, || KeyedObject {
                        object: Some(object.clone().unbind()),
                        moves: None,
                    });
                }
                is_known
            }
            Way::Packed { pack, tells_turns, .. } => {
                let begin = usize::from(*tells_turns);
                let packed = pack.bind(object.py()).call1((object,))?;
                let packed = packed
                    .cast_into::<PyBytes>()
                    .map_err(|_| PyTypeError::new_err("pack() of a position returns bytes"))?;
                let (packed, room) = (packed.as_bytes(), bytes.len() - begin);
                if packed.len() != room {
                    let text = format!(
                        "pack() of a position returned {} bytes, not {room} as of the start",
                        packed.len()
                    );
                    return Err(PyValueError::new_err(text));
                }
                bytes[begin..].copy_from_slice(packed);
                true
            }
        };
        bytes[0] |= PLAYER * player;
        Ok(is_known)
    }

    /// Returns the object of a position; `None` if it is kept no more.
    pub(super) fn object<'py>(
        &self,
        py: Python<'py>,
        position: &[u8],
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match &self.way {
            Way::Parts => {
                if self.exotic.len() > 0 {
                    let mut bytes = position.to_vec();
                    bytes[0] &= !PLAYER;
                    if let Some(object) = self.exotic.get(&bytes) {
                        return Ok(Some(object.bind(py).clone()));
                    }
                }
                if position[0] & !PLAYER == KEPT {
                    return Ok(self.kept.get(py, number_of(position)));
                }
                self.codec.decode(py, position)
            }
            Way::Key { objects, find, .. } => {
                let object = objects.get(position).and_then(|keyed| keyed.object.as_ref());
                match (object, find) {
                    (Some(object), _) => Ok(Some(object.bind(py).clone())),
                    (None, Some(find)) => match self.key(py, position)? {
                        Some(key) => find.bind(py).call1((key,)).map(Some),
                        None => Ok(None),
                    },
                    (None, None) => Ok(None),
                }
            }
            Way::Packed { unpack, tells_turns, .. } => {
                let packed = PyBytes::new(py, &position[usize::from(*tells_turns)..]);
                unpack.bind(py).call1((packed,)).map(Some)
            }
        }
    }

    /// Returns the object of a position, or its key if that tells positions apart and objects are
    /// given back.
    pub(super) fn label<'py>(
        &self,
        py: Python<'py>,
        position: &[u8],
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        match &self.way {
            Way::Key { keeps: false, .. } => self.key(py, position),
            _ => self.object(py, position),
        }
    }

    /// Returns the key of a position.
    fn key<'py>(&self, py: Python<'py>, position: &[u8]) -> PyResult<Option<Bound<'py, PyAny>>> {
        match position[0] {
            KEPT => Ok(self.kept.get(py, number_of(position))),
            _ => self.codec.decode(py, position),
        }
    }

    /// True if other processes have the same bytes for a position that has these.
    pub(super) fn lasts(&self, position: &[u8]) -> bool {
        let mut bytes = position.to_vec();
        bytes[0] &= !PLAYER;
        self.codec.lasts(&bytes) && self.exotic.get(&bytes).is_none()
    }

    /// Returns bytes that are the same in processes in which objects have the same lasting bytes.
    pub(super) fn bytes_of_lasting(&self) -> Vec<u8> {
        self.codec.bytes_of_lasting()
    }

    /// Notes that a position was expanded, so that its object may be given back.
    pub(super) fn set_expanded(&mut self, position: &[u8], moves: u32) {
        if let Way::Key { objects, keeps, .. } = &mut self.way
            && let Some(keyed) = objects.get_mut(position)
        {
            keyed.moves = Some(moves as u16);
            if !*keeps {
                keyed.object = None;
            }
        }
    }

    /// Returns the moves of a position that is known by its key; `None` if it was not expanded.
    pub(super) fn moves(&self, position: &[u8]) -> Option<u16> {
        let Way::Key { objects, .. } = &self.way else { return None };
        objects.get(position).and_then(|keyed| keyed.moves)
    }

    /// Checks that a position that is kept has not changed since it was met.
    pub(super) fn check_unchanged(
        &self,
        object: &Bound<'_, PyAny>,
        position: &[u8],
    ) -> PyResult<()> {
        if position[0] & !PLAYER != KEPT || !matches!(self.way, Way::Parts) {
            return Ok(());
        }
        if self.kept.find(object).is_ok_and(|number| number == Some(number_of(position))) {
            return Ok(());
        }
        let text = "a position, or its key, has changed since it was met: moves, play, result and \
                    key must leave positions as they are";
        Err(game_error(object.py(), text, object, None))
    }

    /// Returns the first position that was met with a key: this one, if it is new.
    pub(super) fn first_with_key(
        &mut self,
        key: &Bound<'_, PyAny>,
        position: &[u8],
    ) -> PyResult<&[u8]> {
        let keys = self.keys.as_mut().expect("a game with keys");
        let mut bytes = vec![0; keys.bytes];
        keys.write(key, &mut bytes, true)?;
        let next = (keys.positions.len() / position.len()) as u32;
        let number = *keys.numbers.get_or_insert(&bytes, || next);
        if number == next {
            keys.positions.extend_from_slice(position);
        }
        Ok(&keys.positions[number as usize * position.len()..][..position.len()])
    }

    /// Returns the first position that was met with a key, which has `size` bytes; `None` if none
    /// was.
    pub(super) fn position_with_key(
        &mut self,
        key: &Bound<'_, PyAny>,
        size: usize,
    ) -> PyResult<Option<Vec<u8>>> {
        let keys = self.keys.as_mut().expect("a game with keys");
        let mut bytes = vec![0; keys.bytes];
        let is_known = keys.write(key, &mut bytes, false)?;
        let number = keys.numbers.get(&bytes).filter(|_| is_known);
        Ok(number.map(|&number| keys.positions[number as usize * size..][..size].to_vec()))
    }
}

impl Keys {
    /// Writes the bytes of a key. Returns false if it is new and not to be learned.
    fn write(&mut self, key: &Bound<'_, PyAny>, bytes: &mut [u8], learns: bool) -> PyResult<bool> {
        let encoded = self.codec.encode(key, bytes, learns)?;
        finish(encoded, &mut self.kept, key, bytes, learns)
    }
}

/// Writes the number of an object that has no form.
fn finish(
    encoded: Encoded,
    kept: &mut KeptObjects,
    object: &Bound<'_, PyAny>,
    bytes: &mut [u8],
    learns: bool,
) -> PyResult<bool> {
    if let Encoded::Written { .. } = encoded {
        return Ok(true);
    }
    let number = if learns { Some(kept.number(object)?) } else { kept.find(object)? };
    let Some(number) = number else { return Ok(false) };
    bytes.fill(0);
    bytes[0] = KEPT;
    bytes[1..5].copy_from_slice(&number.to_be_bytes());
    Ok(true)
}

fn number_of(position: &[u8]) -> u32 {
    let digits = position.get(1..5).and_then(|bytes| bytes.as_array());
    digits.map_or(u32::MAX, |&bytes| u32::from_be_bytes(bytes))
}
