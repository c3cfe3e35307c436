//! Encoding of a block by models.
//!
//! The last symbol is encoded first, so the slots of all symbols are listed before.

use std::convert::Infallible;
use std::sync::LazyLock;

use super::block_history::{BlockExtent, BlockStep, ClassedSymbol, HISTORY, Place, walk};
use super::model::{
    ContextModel, ESCAPE, ESCAPED_SLOTS, FREQUENCY_BITS, FREQUENCY_TOTAL, MIN_STATE, Row,
};

/// Most steps of a block: two for each symbol, if all are escaped.
const MAX_STEPS: usize = 2 * HISTORY;

/// Bytes of a block at most: two per step, and the state.
const MAX_BYTES: usize = 2 * MAX_STEPS + 4;

/// `2^63 / n + 1` for each frequency `n`.
static RECIPROCALS: LazyLock<Vec<u64>> = LazyLock::new(|| {
    let reciprocals = (1..=u64::from(FREQUENCY_TOTAL)).map(|n| (1 << 63) / n + 1);
    std::iter::once(0).chain(reciprocals).collect()
});

/// Slots of the symbols of a block, in the order of decoding: `begin << 16 | freq`.
struct Steps<'a> {
    required: &'a [u16],
    slots: Box<[u32; MAX_STEPS]>,
    len: usize,
}

impl Steps<'_> {
    #[inline(always)]
    fn push(&mut self, begin: u32, freq: u32) {
        // No block has more steps.
        self.slots[self.len % MAX_STEPS] = begin << 16 | freq;
        self.len += 1;
    }

    /// Adds a symbol that is none of the first ones of its row. Escapes it if the context lacks it.
    #[inline(always)]
    fn push_further(&mut self, place: &Place<'_>, symbol: u8) {
        let (begin, freq, is_listed) = further_slots(place.model, place.row, symbol);
        self.push(begin, freq);
        if !is_listed {
            self.push(u32::from(symbol) * ESCAPED_SLOTS, ESCAPED_SLOTS);
        }
    }
}

/// Begin and number of the slots of a symbol, and true; or those of the escape, and false.
#[inline(never)]
fn further_slots(model: &ContextModel, row: &Row, symbol: u8) -> (u32, u32, bool) {
    let mut begin = row.last_end();
    for further in model.further(row) {
        let end = u32::from(further.end);
        let is_listed = further.symbol == u16::from(symbol);
        if is_listed || further.symbol == ESCAPE {
            return (begin, end - begin, is_listed);
        }
        begin = end;
    }
    unreachable!("an escape ends every context")
}

impl BlockStep for Steps<'_> {
    type Error = Infallible;

    #[inline(always)]
    fn step(&mut self, place: Place<'_>) -> Result<ClassedSymbol, Infallible> {
        let row = place.row;
        let symbol = row.likeliest_or(self.required[place.index]);
        let [first, second, third] = row.ends.map(u32::from);
        let class = if symbol == row.symbols[0] && first > 0 {
            self.push(0, first);
            row.classes[0]
        } else if symbol == row.symbols[1] && second > first {
            self.push(first, second - first);
            row.classes[1]
        } else if symbol == row.symbols[2] && third > second {
            self.push(second, third - second);
            row.classes[2]
        } else {
            self.push_further(&place, symbol);
            place.class_of(symbol)
        };
        Ok(ClassedSymbol { symbol, class })
    }
}

/// Appends a block. `first` is the ordinal of its first symbol in the layer.
pub(crate) fn encode_block(
    models: &[ContextModel],
    first: u64,
    required: &[u16],
    out: &mut Vec<u8>,
) {
    assert!(required.len() <= HISTORY, "a block of too many symbols");
    let slots = vec![0; MAX_STEPS].try_into();
    let steps = Steps { required, slots: slots.expect("a list of this length"), len: 0 };
    let len = required.len();
    let Ok(steps) = walk(models, BlockExtent { first, len }, steps);
    put_steps(&steps.slots[..steps.len], out);
}

/// Appends the state and the words. The words are found from the last one on.
fn put_steps(steps: &[u32], out: &mut Vec<u8>) {
    let reciprocals = &**RECIPROCALS;
    let mut bytes = [0; MAX_BYTES];
    let mut begin = MAX_BYTES;
    let mut state = MIN_STATE;
    for &slots in steps.iter().rev() {
        let (slots_begin, freq) = (slots >> 16, slots & 0xFFFF);
        let word = (state as u16).to_le_bytes();
        bytes[begin - 2..begin].copy_from_slice(&word);
        if u64::from(state) >= u64::from(freq) << (32 - FREQUENCY_BITS) {
            begin -= 2;
            state >>= 16;
        }
        let reciprocal = u128::from(reciprocals[freq as usize]);
        let quotient = ((u128::from(2 * u64::from(state)) * reciprocal) >> 64) as u32;
        let rest = state - quotient * freq;
        state = (quotient << FREQUENCY_BITS) + rest + slots_begin;
    }
    out.extend_from_slice(&state.to_le_bytes());
    out.extend_from_slice(&bytes[begin..]);
}

#[cfg(test)]
mod tests {
    use super::RECIPROCALS;
    use crate::models::model::FREQUENCY_TOTAL;

    #[test]
    fn reciprocals_divide_every_state() {
        for freq in (1..=FREQUENCY_TOTAL).step_by(7).chain([FREQUENCY_TOTAL]) {
            let most = (u64::from(freq) << 17) - 1;
            for quotient in [0, 1, 2, 1000, most / u64::from(freq)] {
                let exact = quotient * u64::from(freq);
                for state in [exact.saturating_sub(1), exact, exact + 1] {
                    let state = state.min(most);
                    let reciprocal = u128::from(RECIPROCALS[freq as usize]);
                    let found = ((u128::from(2 * state) * reciprocal) >> 64) as u64;
                    assert_eq!(found, state / u64::from(freq), "{state} / {freq}");
                }
            }
        }
    }
}
