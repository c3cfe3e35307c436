//! Objects that have no form, by number.

use std::collections::HashMap;

use pyo3::prelude::*;
use pyo3::types::PyDict;

use super::faults::game_error;

/// Objects that are kept, each with the number by which it is known.
#[derive(Default)]
pub(super) struct KeptObjects {
    numbers: Option<Py<PyDict>>,
    objects: Vec<Py<PyAny>>,
}

impl KeptObjects {
    /// Returns the number of an object that is equal to a kept one.
    ///
    /// # Errors
    /// A `GameError` if the object cannot be hashed or compared.
    pub(super) fn find(&self, object: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
        let py = object.py();
        object.hash().map_err(|cause| {
            let text = "a position, or its key, cannot be hashed: it must be a tuple, a string or \
                        another object that never changes";
            game_error(py, text, object, Some(cause))
        })?;
        let Some(numbers) = &self.numbers else { return Ok(None) };
        let number = numbers.bind(py).get_item(object).map_err(|cause| {
            let text = "two positions cannot be compared, or their keys";
            game_error(py, text, object, Some(cause))
        })?;
        number.map(|number| number.extract()).transpose()
    }

    /// Returns the number of an object, which is kept from now on.
    ///
    /// # Errors
    /// As [`KeptObjects::find`].
    pub(super) fn number(&mut self, object: &Bound<'_, PyAny>) -> PyResult<u32> {
        if let Some(number) = self.find(object)? {
            return Ok(number);
        }
        let py = object.py();
        let numbers = self.numbers.get_or_insert_with(|| PyDict::new(py).unbind());
        let number = self.objects.len() as u32;
        numbers.bind(py).set_item(object, number)?;
        self.objects.push(object.clone().unbind());
        Ok(number)
    }

    pub(super) fn get<'py>(&self, py: Python<'py>, number: u32) -> Option<Bound<'py, PyAny>> {
        self.objects.get(number as usize).map(|object| object.bind(py).clone())
    }

    pub(super) fn len(&self) -> usize {
        self.objects.len()
    }
}

/// Map from bytes, as many for each key.
pub(super) enum BytesMap<V> {
    Short(HashMap<[u8; 8], V>),
    Middle(HashMap<[u8; 16], V>),
    Long(HashMap<[u8; 32], V>),
}

/// Returns some bytes with zeros after them.
fn padded<const N: usize>(bytes: &[u8]) -> [u8; N] {
    let mut all = [0; N];
    all[..bytes.len()].copy_from_slice(bytes);
    all
}

impl<V> BytesMap<V> {
    /// Returns a map whose keys have at most a number of bytes.
    pub(super) fn new(bytes: usize) -> Self {
        match bytes {
            ..=8 => Self::Short(HashMap::new()),
            9..=16 => Self::Middle(HashMap::new()),
            _ => Self::Long(HashMap::new()),
        }
    }

    pub(super) fn get(&self, key: &[u8]) -> Option<&V> {
        match self {
            Self::Short(map) => map.get(&padded(key)),
            Self::Middle(map) => map.get(&padded(key)),
            Self::Long(map) => map.get(&padded(key)),
        }
    }

    pub(super) fn get_mut(&mut self, key: &[u8]) -> Option<&mut V> {
        match self {
            Self::Short(map) => map.get_mut(&padded(key)),
            Self::Middle(map) => map.get_mut(&padded(key)),
            Self::Long(map) => map.get_mut(&padded(key)),
        }
    }

    /// Returns the value of a key, which is made if there is none.
    pub(super) fn get_or_insert(&mut self, key: &[u8], make: impl FnOnce() -> V) -> &mut V {
        match self {
            Self::Short(map) => map.entry(padded(key)).or_insert_with(make),
            Self::Middle(map) => map.entry(padded(key)).or_insert_with(make),
            Self::Long(map) => map.entry(padded(key)).or_insert_with(make),
        }
    }

    pub(super) fn len(&self) -> usize {
        match self {
            Self::Short(map) => map.len(),
            Self::Middle(map) => map.len(),
            Self::Long(map) => map.len(),
        }
    }
}
