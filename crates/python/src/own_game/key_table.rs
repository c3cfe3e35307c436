//! Hash table that numbers keys of Python in the order of their insertion.

use pyo3::prelude::*;

use super::{game_error, game_fault};

/// Mark of an empty slot. Never the number of a key.
const EMPTY: u32 = u32::MAX;

/// A slot: the number of a key with 32 bits of its hash.
#[derive(Clone, Copy)]
struct KeySlot {
    hash: u32,
    number: u32,
}

/// Different keys, numbered from 0 in the order of their insertion.
///
/// Cost per key: 8 bytes in the list, and 11 to 21 in the table, which is at most 3/4 full.
pub(super) struct KeyTable {
    keys: Vec<Py<PyAny>>,
    slots: Vec<KeySlot>,
}

/// Returns 32 mixed bits of a hash of Python, whose low bits may be all that differs.
fn mixed(hash: isize) -> u32 {
    let product = u128::from(hash as u64 ^ 0x9E37_79B9_7F4A_7C15) * 0xD1B5_4A32_D192_ED03;
    ((product as u64) ^ (product >> 64) as u64) as u32
}

/// Returns the mixed hash of a key, or a `GameError` if it has none.
fn hash_of(key: &Bound<'_, PyAny>) -> PyResult<u32> {
    let hash = key.hash().map_err(|cause| {
        let text = "a position, or its key, cannot be hashed: it must be a tuple, a string or \
                    another object that never changes";
        game_error(key.py(), text, key, cause)
    });
    hash.map(mixed)
}

impl KeyTable {
    pub(super) fn new() -> Self {
        let empty = KeySlot { hash: 0, number: EMPTY };
        Self { keys: Vec::new(), slots: vec![empty; 1 << 10] }
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    pub(super) fn keys(&self) -> &[Py<PyAny>] {
        &self.keys
    }

    pub(super) fn bytes(&self) -> u64 {
        let keys = self.keys.capacity() * size_of::<Py<PyAny>>();
        (keys + size_of_val(&*self.slots)) as u64
    }

    /// Returns the number of a key, or else the index of the slot it should get.
    fn lookup(&self, key: &Bound<'_, PyAny>, hash: u32) -> PyResult<Result<u32, usize>> {
        let mut index = self.home_slot(hash);
        loop {
            let slot = self.slots[index];
            if slot.number == EMPTY {
                return Ok(Err(index));
            }
            if slot.hash == hash && self.is_key(slot.number, key)? {
                return Ok(Ok(slot.number));
            }
            index = self.next_slot(index);
        }
    }

    /// Returns true if a key equals that of a number.
    fn is_key(&self, number: u32, key: &Bound<'_, PyAny>) -> PyResult<bool> {
        let own = &self.keys[number as usize];
        if own.is(key) {
            return Ok(true);
        }
        let equal = own.bind(key.py()).eq(key);
        equal.map_err(|cause| game_error(key.py(), "two positions cannot be compared", key, cause))
    }

    /// Returns the number of a key, if it has one.
    pub(super) fn find(&self, key: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
        Ok(self.lookup(key, hash_of(key)?)?.ok())
    }

    /// Returns the number of a key, and true if it is new.
    pub(super) fn get_or_insert(&mut self, key: &Bound<'_, PyAny>) -> PyResult<(u32, bool)> {
        let hash = hash_of(key)?;
        let index = match self.lookup(key, hash)? {
            Ok(number) => return Ok((number, false)),
            Err(index) => index,
        };
        let number = self.keys.len() as u32;
        self.slots[index] = KeySlot { hash, number };
        self.keys.push(key.clone().unbind());
        if self.keys.len() > self.slots.len() / 4 * 3 {
            self.grow();
        }
        Ok((number, true))
    }

    /// Checks that the key of a number still has the hash that it was inserted with.
    pub(super) fn check_unchanged(&self, py: Python<'_>, number: usize) -> PyResult<()> {
        let key = self.keys[number].bind(py);
        let hash = hash_of(key)?;
        let mut index = self.home_slot(hash);
        loop {
            let slot = self.slots[index];
            if slot.number as usize == number {
                return Ok(());
            }
            if slot.number == EMPTY {
                let text = "a position, or its key, has changed since it was met: moves, play, \
                            result and key must leave positions as they are";
                return Err(game_fault(py, text, key));
            }
            index = self.next_slot(index);
        }
    }

    fn home_slot(&self, hash: u32) -> usize {
        (hash >> (32 - self.slots.len().ilog2())) as usize
    }

    fn next_slot(&self, index: usize) -> usize {
        (index + 1) & (self.slots.len() - 1)
    }

    /// Doubles the table. Home slots keep their order.
    #[cold]
    fn grow(&mut self) {
        let empty = KeySlot { hash: 0, number: EMPTY };
        let larger = vec![empty; 2 * self.slots.len()];
        let old = std::mem::replace(&mut self.slots, larger);
        for slot in old.into_iter().filter(|slot| slot.number != EMPTY) {
            let mut index = self.home_slot(slot.hash);
            while self.slots[index].number != EMPTY {
                index = self.next_slot(index);
            }
            self.slots[index] = slot;
        }
    }
}
