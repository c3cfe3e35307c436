//! Lanes: the rows of a context, a word of 32 bits each, in arrays so long that the compiler makes the loops
//! wide.

use std::ops::{Deref, DerefMut};

/// The rows of a lane. `R` is at least the number of squares; `R` is even; rows without a square are 0 or meaningless.
pub(super) type Lane<const R: usize> = [u32; R];

/// Words in board order, from the beginning of a cache line on, so that no wide of a lane crosses into the next.
pub(super) struct Words {
    words: Vec<u32>,
    begin: usize,
}

/// Words of a cache line.
const LINE: usize = 16;

impl Words {
    /// So many zeros.
    pub(super) fn new(len: usize) -> Self {
        let words = vec![0; len + LINE - 1];
        // Where it cannot be told no wide is misplaced, only read more slowly.
        let begin = words.as_ptr().align_offset(4 * LINE).min(LINE - 1);
        Self { words, begin }
    }
}

impl Deref for Words {
    type Target = [u32];

    #[inline(always)]
    fn deref(&self) -> &[u32] {
        &self.words[self.begin..]
    }
}

impl DerefMut for Words {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u32] {
        &mut self.words[self.begin..]
    }
}

/// Sets bit `at` of the words whose bit is set in `rows`.
#[inline(always)]
pub(super) fn or_column<const R: usize>(out: &mut Lane<R>, rows: u32, at: usize) {
    for (i, word) in out.iter_mut().enumerate() {
        *word |= (rows >> i & 1) << at;
    }
}

/// Bit i of word j and bit 31 - j of word 31 - i change places.
///
/// # Source
/// H. S. Warren, *Hacker's Delight*, section 7-3, with the other diagonal.
#[inline(always)]
pub(super) fn transpose_back(words: &mut [u32; 32]) {
    exchange::<16>(words, 0x0000_FFFF);
    exchange::<8>(words, 0x00FF_00FF);
    exchange::<4>(words, 0x0F0F_0F0F);
    exchange::<2>(words, 0x3333_3333);
    exchange::<1>(words, 0x5555_5555);
}

/// Two of the four quarters of each square of twice `BY` words and bits change places.
#[inline(always)]
fn exchange<const BY: usize>(words: &mut [u32; 32], mask: u32) {
    // Each word with the one `BY` away, the lower of them first.
    let mut others = [0; 32];
    for i in 0..32 {
        others[i] = words[i ^ BY];
    }
    for i in 0..32 {
        let low = i & BY == 0;
        let (kept, moved) = match low {
            true => (words[i] & !mask, (others[i] & !mask) >> BY),
            false => (words[i] & mask, (others[i] & mask) << BY),
        };
        words[i] = kept | moved;
    }
}

#[cfg(test)]
mod tests {
    use super::transpose_back;

    #[test]
    fn transposing_exchanges_rows_and_columns() {
        let word = |i: usize| 0x9E37_79B9_u32.rotate_left(i as u32).wrapping_mul(77);
        let before: [u32; 32] = std::array::from_fn(word);
        let mut back = before;
        transpose_back(&mut back);
        for (i, word) in back.iter().enumerate() {
            for j in 0..32 {
                assert_eq!(word >> j & 1, before[31 - j] >> (31 - i) & 1);
            }
        }
    }
}
