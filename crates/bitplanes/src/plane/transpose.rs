//! Transposing a lane along the other diagonal, which exchanges both leaders and turns the board.

/// Transposes along the other diagonal: bit `i` of word `j` and bit `31 - j` of word `31 - i`
/// change places.
///
/// # Source
/// H. S. Warren, *Hacker's Delight*, section 7-3, with the other diagonal.
#[inline(always)]
pub(crate) fn transpose_anti(words: &mut [u32; 32]) {
    exchange::<16>(words, 0x0000_FFFF);
    exchange::<8>(words, 0x00FF_00FF);
    exchange::<4>(words, 0x0F0F_0F0F);
    exchange::<2>(words, 0x3333_3333);
    exchange::<1>(words, 0x5555_5555);
}

/// Exchanges two of the four quarters of each square of `2 * BY` words and bits.
#[inline(always)]
fn exchange<const BY: usize>(words: &mut [u32; 32], mask: u32) {
    // `others[i]` is the word `BY` away from word `i`.
    let mut others = [0; 32];
    for i in 0..32 {
        others[i] = words[i ^ BY];
    }
    for i in 0..32 {
        let low = i & BY == 0;
        let (kept, moved) = if low {
            (words[i] & !mask, (others[i] & !mask) >> BY)
        } else {
            (words[i] & mask, (others[i] & mask) << BY)
        };
        words[i] = kept | moved;
    }
}

#[cfg(test)]
mod tests {
    use super::transpose_anti;

    #[test]
    fn transposing_exchanges_rows_and_columns() {
        let word = |i: usize| 0x9E37_79B9_u32.rotate_left(i as u32).wrapping_mul(77);
        let before: [u32; 32] = std::array::from_fn(word);
        let mut back = before;
        transpose_anti(&mut back);
        for (i, word) in back.iter().enumerate() {
            for j in 0..32 {
                assert_eq!(word >> j & 1, before[31 - j] >> (31 - i) & 1);
            }
        }
    }
}
