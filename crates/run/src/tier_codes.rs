//! One-byte codes of values.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use crate::{Error, Palette};
use hindsight_core::Value;

/// Code of a rank without a position.
pub const HOLE: u8 = 0;
/// Code of a draw, or of a position that is not decided yet.
pub const DRAW: u8 = 1;

/// First code that is assigned to a win or a loss.
pub const FIRST_VALUE_CODE: usize = 2;

/// One-byte codes of values, assigned in the order in which values appear.
///
/// A value has two codes. *Settled* values need not be propagated to predecessors: values of
/// terminal positions, and values that the rules give at once. Predecessors see these
/// values when their moves are counted. All other values are *open*.
#[derive(Debug)]
pub struct TierCodes {
    /// `by_value[kind][plies]` is a code, or 0 if none is assigned. Kinds: 0 open win, 1 open loss,
    /// 2 settled win, 3 settled loss.
    by_value: [[AtomicU8; MAX_PLIES]; 4],
    /// `plies << 2 | kind` of each code, with the kinds of `by_value`; `u32::MAX` if not assigned.
    packed_values: [AtomicU32; 256],
    next_code: Mutex<usize>,
}

/// Exclusive bound of the remoteness in plies. Smaller remotenesses occur too, so one-byte codes
/// run out before it.
const MAX_PLIES: usize = 256;

impl TierCodes {
    /// Creates codes of which only [`HOLE`] and [`DRAW`] are assigned.
    #[inline]
    #[must_use]
    pub fn new() -> Self {
        Self {
            by_value: [const { [const { AtomicU8::new(0) }; MAX_PLIES] }; 4],
            packed_values: [const { AtomicU32::new(u32::MAX) }; 256],
            next_code: Mutex::new(FIRST_VALUE_CODE),
        }
    }

    /// Returns the code of a value, and assigns one if need be.
    ///
    /// # Errors
    /// [`Error::TooLong`] if there is no code left.
    #[inline]
    pub fn code_for(&self, value: Value, settled: bool) -> Result<u8, Error> {
        let (kind, plies) = match value {
            Value::Win(n) => (0, n),
            Value::Loss(n) => (1, n),
            Value::Draw => return Ok(DRAW),
        };
        let Some(slot) = self.by_value[kind + 2 * usize::from(settled)].get(usize::from(plies))
        else {
            return Err(Error::TooLong(MAX_PLIES as u16 - 1));
        };
        match slot.load(Ordering::Acquire) {
            0 => self.add(slot, kind + 2 * usize::from(settled), plies),
            code => Ok(code),
        }
    }

    /// Returns the values of all assigned codes in order, each with `true` if it is settled.
    #[inline]
    #[must_use]
    pub fn assigned(&self) -> Vec<(Value, bool)> {
        let used = *self.next_code.lock().expect("no thread panics with the lock");
        let codes =
            (FIRST_VALUE_CODE..used).map(|code| self.packed_values[code].load(Ordering::Acquire));
        codes.map(|meaning| (unpack_value(meaning), meaning & 2 != 0)).collect()
    }

    /// Assigns codes to the values of a list, in its order. Fails unless they are the codes from 2
    /// on.
    ///
    /// # Errors
    /// An error of a damaged checkpoint, if they are not.
    #[inline]
    pub fn restore(&self, list: &[(Value, bool)]) -> Result<(), Error> {
        for (code, &(value, settled)) in (FIRST_VALUE_CODE..).zip(list) {
            match self.code_for(value, settled) {
                Ok(given) if usize::from(given) == code => {}
                Ok(_) => return Err(Error::damaged("a stopped layer lists a code twice")),
                Err(_) => return Err(Error::damaged("a stopped layer has too many codes")),
            }
        }
        Ok(())
    }

    /// True for the code of a settled win or loss.
    #[inline]
    #[must_use]
    pub fn is_settled(&self, code: u8) -> bool {
        usize::from(code) >= FIRST_VALUE_CODE
            && self.packed_values[usize::from(code)].load(Ordering::Acquire) & 2 != 0
    }

    #[inline]
    fn add(&self, slot: &AtomicU8, kind: usize, plies: u16) -> Result<u8, Error> {
        let mut used = self.next_code.lock().expect("no thread panics with the lock");
        let known = slot.load(Ordering::Acquire);
        if known != 0 {
            return Ok(known);
        }
        let code = u8::try_from(*used).map_err(|_| Error::TooLong(plies.saturating_sub(1)))?;
        *used += 1;
        let meaning = u32::from(plies) << 2 | kind as u32;
        self.packed_values[usize::from(code)].store(meaning, Ordering::Release);
        slot.store(code, Ordering::Release);
        Ok(code)
    }

    /// Returns the open code of a value, if it is assigned.
    #[inline]
    #[must_use]
    pub fn open_code(&self, value: Value) -> Option<u8> {
        let (kind, plies) = match value {
            Value::Win(n) => (0, n),
            Value::Loss(n) => (1, n),
            Value::Draw => return None,
        };
        let code = self.by_value[kind].get(usize::from(plies))?;
        Some(code.load(Ordering::Acquire)).filter(|&code| code != 0)
    }

    /// Returns the value of an assigned code; `None` for a hole.
    #[inline]
    #[must_use]
    pub fn value(&self, code: u8) -> Option<Value> {
        match code {
            HOLE => None,
            DRAW => Some(Value::Draw),
            _ => Some(unpack_value(self.packed_values[usize::from(code)].load(Ordering::Acquire))),
        }
    }

    /// Returns the values of all codes assigned so far.
    #[inline]
    #[must_use]
    pub fn palette(&self) -> Palette {
        let used = *self.next_code.lock().expect("no thread panics with the lock");
        (0..used).map(|code| self.value(code as u8)).collect()
    }
}

impl Default for TierCodes {
    fn default() -> Self {
        Self::new()
    }
}

#[inline]
fn unpack_value(meaning: u32) -> Value {
    let plies = (meaning >> 2) as u16;
    if meaning & 1 == 0 { Value::Win(plies) } else { Value::Loss(plies) }
}
