//! Lanes: the rows of a context, a word of 32 bits each, in arrays so long that the compiler makes the loops
//! wide.

/// The rows of a lane. `R` is at least the number of squares; rows without a square are 0 or meaningless.
pub(super) type Lane<const R: usize> = [u32; R];

/// Sets bit `at` of the words whose bit is set in `rows`.
#[inline(always)]
pub(super) fn or_column<const R: usize>(out: &mut Lane<R>, rows: u32, at: usize) {
    for (i, word) in out.iter_mut().enumerate() {
        *word |= (rows >> i & 1) << at;
    }
}

/// The lowest bits of each word in reversed order.
#[inline(always)]
pub(super) fn reverse(words: &mut [u32; 32], bits: usize) {
    for word in words {
        let mut w = *word;
        w = w >> 1 & 0x5555_5555 | (w & 0x5555_5555) << 1;
        w = w >> 2 & 0x3333_3333 | (w & 0x3333_3333) << 2;
        w = w >> 4 & 0x0F0F_0F0F | (w & 0x0F0F_0F0F) << 4;
        w = w >> 8 & 0x00FF_00FF | (w & 0x00FF_00FF) << 8;
        *word = w.rotate_left(16) >> (32 - bits);
    }
}

/// Bit i of word j and bit j of word i change places.
///
/// # Source
/// H. S. Warren, *Hacker's Delight*, section 7-3.
#[inline(always)]
pub(super) fn transpose(words: &mut [u32; 32]) {
    transpose_by::<16>(words, 0x0000_FFFF);
    transpose_by::<8>(words, 0x00FF_00FF);
    transpose_by::<4>(words, 0x0F0F_0F0F);
    transpose_by::<2>(words, 0x3333_3333);
    transpose_by::<1>(words, 0x5555_5555);
}

#[inline(always)]
fn transpose_by<const BY: usize>(words: &mut [u32; 32], mask: u32) {
    // Each word with the one `BY` away, the lower of them first.
    let mut others = [0; 32];
    for i in 0..32 {
        others[i] = words[i ^ BY];
    }
    for i in 0..32 {
        let low = i & BY == 0;
        let (kept, moved) = if low {
            (words[i] & mask, (others[i] & mask) << BY)
        } else {
            (words[i] & !mask, (others[i] & !mask) >> BY)
        };
        words[i] = kept | moved;
    }
}

#[cfg(test)]
mod tests {
    use super::transpose;

    #[test]
    fn transposing_exchanges_rows_and_columns() {
        let word = |i: usize| 0x9E37_79B9_u32.rotate_left(i as u32).wrapping_mul(77);
        let mut words: [u32; 32] = std::array::from_fn(word);
        let before = words;
        transpose(&mut words);
        for (i, word) in words.iter().enumerate() {
            for (j, row) in before.iter().enumerate() {
                assert_eq!(word >> j & 1, row >> i & 1);
            }
        }
    }
}
