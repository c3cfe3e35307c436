//! One-byte codes, ordered as the values they stand for.
//!
//! | code | value |
//! |---|---|
//! | `step`, 0 to 126 | loss in `2 * step` plies |
//! | 127 | draw |
//! | `254 - step`, 128 to 254 | win in `2 * step + 1` plies |
//! | 255 | hole |

use hindsight_core::Value;
use hindsight_engine::Palette;

/// Code of a rank without a position.
pub(super) const HOLE: u8 = u8::MAX;
pub(super) const DRAW: u8 = 127;
/// The greatest step: a loss in `2 * step` plies, a win in `2 * step + 1`.
pub(super) const MAX_STEP: u8 = DRAW - 1;

/// Code of a loss in `2 * step` plies.
///
/// Greater codes are better for the side to move. So the best successor has the least code; holes,
/// the greatest code, are never chosen.
#[inline]
pub(super) const fn loss(step: u8) -> u8 {
    step
}

/// Code of a win in `2 * step + 1` plies.
#[inline]
pub(super) const fn win(step: u8) -> u8 {
    HOLE - 1 - step
}

/// Code of a value, or of a hole for `None`; `None` for a remoteness without a code.
#[inline]
pub(super) fn code(value: Option<Value>) -> Option<u8> {
    let step = |plies: u16| u8::try_from(plies / 2).ok().filter(|&step| step <= MAX_STEP);
    match value {
        None => Some(HOLE),
        Some(Value::Draw) => Some(DRAW),
        Some(Value::Loss(plies)) if plies % 2 == 0 => step(plies).map(loss),
        Some(Value::Win(plies)) if plies % 2 == 1 => step(plies).map(win),
        Some(_) => None,
    }
}

/// Returns the values of all codes that the solvers of this module write. Index: code.
#[inline]
#[must_use]
pub fn palette() -> Palette {
    let value = |code: u8| match code {
        HOLE => None,
        DRAW => Some(Value::Draw),
        step if step < DRAW => Some(Value::Loss(2 * u16::from(step))),
        code => Some(Value::Win(2 * u16::from(HOLE - 1 - code) + 1)),
    };
    (0..=u8::MAX).map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::{DRAW, HOLE, MAX_STEP, code, loss, palette, win};
    use hindsight_core::Value;

    #[test]
    fn codes_are_ordered_as_their_values() {
        let palette = palette();
        let values: Vec<Value> = palette.iter().copied().flatten().collect();
        assert_eq!(values.len(), 255);
        assert!(values.windows(2).all(|pair| pair[0] < pair[1]));
        assert_eq!(palette[usize::from(loss(0))], Some(Value::Loss(0)));
        assert_eq!(palette[usize::from(win(0))], Some(Value::Win(1)));
        assert_eq!(palette[usize::from(loss(MAX_STEP))], Some(Value::Loss(252)));
        assert_eq!(palette[usize::from(win(MAX_STEP))], Some(Value::Win(253)));
        assert_eq!(palette[usize::from(DRAW)], Some(Value::Draw));
        assert_eq!(palette[usize::from(HOLE)], None);
        for (i, &value) in (0..=u8::MAX).zip(&palette) {
            assert_eq!(code(value), Some(i));
        }
        for wrong in [Value::Loss(1), Value::Win(2), Value::Loss(254), Value::Win(255)] {
            assert_eq!(code(Some(wrong)), None, "{wrong}");
        }
    }
}
