//! Lanes: the rows of a context, a word of 32 bits each, in arrays so long that the compiler makes the loops
//! wide.

/// The rows of a lane. `R` is at least the number of squares; `R` is even; rows without a square are 0 or meaningless.
pub(super) type Lane<const R: usize> = [u32; R];

/// Sets bit `at` of the words whose bit is set in `rows`.
#[inline(always)]
pub(super) fn or_column<const R: usize>(out: &mut Lane<R>, rows: u32, at: usize) {
    for (i, word) in out.iter_mut().enumerate() {
        *word |= (rows >> i & 1) << at;
    }
}

/// Bit i of word j and bit j of word i change places.
///
/// # Source
/// H. S. Warren, *Hacker's Delight*, section 7-3.
#[inline(always)]
pub(super) fn transpose(words: &mut [u32; 32]) {
    exchange_all::<false>(words);
}

/// Bit i of word j and bit 31 - j of word 31 - i change places.
#[inline(always)]
pub(super) fn transpose_back(words: &mut [u32; 32]) {
    exchange_all::<true>(words);
}

#[inline(always)]
fn exchange_all<const BACK: bool>(words: &mut [u32; 32]) {
    exchange::<16, BACK>(words, 0x0000_FFFF);
    exchange::<8, BACK>(words, 0x00FF_00FF);
    exchange::<4, BACK>(words, 0x0F0F_0F0F);
    exchange::<2, BACK>(words, 0x3333_3333);
    exchange::<1, BACK>(words, 0x5555_5555);
}

/// Two of the four quarters of each square of twice `BY` words and bits change places.
#[inline(always)]
fn exchange<const BY: usize, const BACK: bool>(words: &mut [u32; 32], mask: u32) {
    // Each word with the one `BY` away, the lower of them first.
    let mut others = [0; 32];
    for i in 0..32 {
        others[i] = words[i ^ BY];
    }
    for i in 0..32 {
        let low = i & BY == 0;
        let (kept, moved) = match (low, BACK) {
            (true, false) => (words[i] & mask, (others[i] & mask) << BY),
            (false, false) => (words[i] & !mask, (others[i] & !mask) >> BY),
            (true, true) => (words[i] & !mask, (others[i] & !mask) >> BY),
            (false, true) => (words[i] & mask, (others[i] & mask) << BY),
        };
        words[i] = kept | moved;
    }
}

#[cfg(test)]
mod tests {
    use super::{transpose, transpose_back};

    #[test]
    fn transposing_exchanges_rows_and_columns() {
        let word = |i: usize| 0x9E37_79B9_u32.rotate_left(i as u32).wrapping_mul(77);
        let before: [u32; 32] = std::array::from_fn(word);
        let (mut words, mut back) = (before, before);
        transpose(&mut words);
        transpose_back(&mut back);
        for i in 0..32 {
            for j in 0..32 {
                assert_eq!(words[i] >> j & 1, before[j] >> i & 1);
                assert_eq!(back[i] >> j & 1, before[31 - j] >> (31 - i) & 1);
            }
        }
    }
}
