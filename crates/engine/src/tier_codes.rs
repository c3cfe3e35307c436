//! One-byte codes of values.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering};

use crate::{Error, Palette};
use hindsight_core::{MoveSummary, Value};

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
    fn open_code(&self, value: Value) -> Option<u8> {
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

/// First count of a position with a move out of the tier that does not lose. At most 254 open moves
/// are counted down, so the count never reaches 0.
pub const NEVER_LOST: u8 = u8::MAX;

/// Knowledge of a position while its tier is solved ply by ply.
///
/// The code is the best value known so far. The count is the number of moves inside the tier that
/// are not known to lose, or at most [`NEVER_LOST`] if a move out of the tier does not lose. A win
/// in `n` plies is final once all plies before `n` are propagated; a loss also needs a count of 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Known {
    /// Code of the best value.
    pub code: u8,
    /// Open moves.
    pub count: u8,
}

/// Codes of the values that may become final at a ply; [`HOLE`] for a value without a code.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlyCodes {
    win: u8,
    loss: u8,
}

impl PlyCodes {
    /// True if a code is one of the two.
    #[inline]
    #[must_use]
    pub fn has(self, code: u8) -> bool {
        (code == self.win || code == self.loss) && code != HOLE
    }

    /// Returns true for a position that is won at the ply, false for one that is lost; `None` if it
    /// is not decided there.
    #[inline]
    #[must_use]
    pub fn decided(self, known: Known) -> Option<bool> {
        if !self.has(known.code) {
            return None;
        }
        let won = known.code == self.win;
        (won || known.count == 0).then_some(won)
    }
}

/// Steps of a solve by plies.
impl TierCodes {
    /// Returns the codes of the values that may become final at a ply.
    #[inline]
    #[must_use]
    pub fn at_ply(&self, ply: u16) -> PlyCodes {
        let code = |value| self.open_code(value).unwrap_or(HOLE);
        PlyCodes { win: code(Value::Win(ply)), loss: code(Value::Loss(ply)) }
    }

    /// Returns what is known of a position by a look at its moves.
    ///
    /// # Errors
    /// [`Error::TooManyMoves`] if the count is none of a byte; [`Error::TooLong`] if there is no
    /// code left.
    #[inline]
    pub fn begin(&self, moves: MoveSummary) -> Result<Known, Error> {
        let count = match u8::try_from(moves.open) {
            Ok(NEVER_LOST) | Err(_) => return Err(Error::TooManyMoves(u16::from(NEVER_LOST) - 1)),
            Ok(count) => count,
        };
        let known = Known { code: DRAW, count };
        moves.best.map_or(Ok(known), |best| self.raise(known, best))
    }

    /// Returns what is known of a position once another move out of the tier has a value, for the
    /// one who makes it.
    ///
    /// # Errors
    /// [`Error::TooLong`] if there is no code left.
    #[inline]
    pub fn raise(&self, known: Known, value: Value) -> Result<Known, Error> {
        // The code of a draw stands for no known value until some move does not lose.
        let best = match self.value(known.code) {
            Some(Value::Draw) if known.count != NEVER_LOST => None,
            best => best,
        };
        Ok(Known {
            code: if best < Some(value) { self.code_for(value, false)? } else { known.code },
            count: if matches!(value, Value::Loss(_)) { known.count } else { NEVER_LOST },
        })
    }

    /// Returns the code and the plies of a position whose last open move is known to lose in `next`
    /// plies. A move out of the tier may lose later.
    ///
    /// # Errors
    /// [`Error::TooLong`] if there is no code left.
    #[inline]
    pub fn lost(&self, code: u8, next: u16) -> Result<(u8, u16), Error> {
        let plies = match self.value(code) {
            Some(Value::Loss(plies)) => plies.max(next),
            _ => next,
        };
        Ok((self.code_for(Value::Loss(plies), false)?, plies))
    }

    /// True if a win in `next` plies, which has the code `win`, is better than what is known.
    #[inline]
    #[must_use]
    pub fn improves(&self, win: u8, next: u16, known: u8) -> bool {
        known != win && !matches!(self.value(known), Some(Value::Win(plies)) if plies <= next)
    }

    /// Returns the final code of a position after the last ply: a loss that is not proved is a
    /// draw, for a move inside the tier is still open.
    #[inline]
    #[must_use]
    pub fn finish(&self, known: Known) -> u8 {
        match self.value(known.code) {
            Some(Value::Loss(_)) if known.count != 0 => DRAW,
            _ => known.code,
        }
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

#[cfg(test)]
mod tests {
    use hindsight_core::{MoveSummary, Value};

    use super::{DRAW, Known, NEVER_LOST, TierCodes};

    #[test]
    fn a_position_is_won_by_its_soonest_move_and_lost_by_its_last() {
        let codes = TierCodes::new();
        let begin = |best, open| codes.begin(MoveSummary { best, open }).expect("a code");
        // Two open moves, and one out of the tier that loses in 6.
        let known = begin(Some(Value::Loss(6)), 2);
        assert_eq!((codes.value(known.code), known.count), (Some(Value::Loss(6)), 2));
        assert_eq!(codes.at_ply(6).decided(known), None);
        assert_eq!(codes.finish(known), DRAW);
        let (lost, plies) = codes.lost(known.code, 4).expect("a code");
        assert_eq!((codes.value(lost), plies), (Some(Value::Loss(6)), 6));
        assert_eq!(codes.at_ply(6).decided(Known { code: lost, count: 0 }), Some(false));
        let win = codes.code_for(Value::Win(5), false).expect("a code");
        assert!(codes.improves(win, 5, known.code) && !codes.improves(win, 5, win));
        let sooner = begin(Some(Value::Win(3)), 2);
        assert_eq!(sooner.count, NEVER_LOST);
        assert!(!codes.improves(win, 5, sooner.code));
        assert_eq!(codes.at_ply(3).decided(sooner), Some(true));
    }

    #[test]
    fn a_move_that_draws_is_better_than_one_that_loses() {
        let codes = TierCodes::new();
        let known = codes.begin(MoveSummary { best: None, open: 1 }).expect("a code");
        assert_eq!(known, Known { code: DRAW, count: 1 });
        let lost = codes.raise(known, Value::Loss(2)).expect("a code");
        assert_eq!((codes.value(lost.code), lost.count), (Some(Value::Loss(2)), 1));
        let drawn = codes.raise(lost, Value::Draw).expect("a code");
        assert_eq!(drawn, Known { code: DRAW, count: NEVER_LOST });
        assert_eq!(codes.raise(drawn, Value::Loss(8)).expect("a code"), drawn);
        assert!(codes.begin(MoveSummary { best: None, open: 255 }).is_err());
    }
}
