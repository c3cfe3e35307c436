use alloc::vec;
use alloc::vec::Vec;

use super::position::Fences;

/// Number of sets of `placed` allowed fences that neither overlap nor cross; saturates at
/// `u128::MAX`.
///
/// The board has `columns` x `rows` anchors. The count goes anchor by anchor, row by row. Its state
/// has `columns + 1` bits, so there are `2^(columns + 1)` states:
///
/// - Bit `1 + c`: the last anchor of column `c` has a vertical fence, which bars a vertical fence
///   at the anchor above.
/// - Bit 0: the last anchor has a horizontal fence, which bars a horizontal fence at the next
///   anchor of the row.
///
/// Each state has a count for every number of fences.
#[inline]
pub(super) fn count_fence_sets(columns: u8, rows: u8, allowed: Fences, placed: u8) -> u128 {
    let placed = usize::from(placed);
    let states = 2_usize << columns;
    let mut counts = vec![vec![0_u128; placed + 1]; states];
    counts[0][0] = 1;
    for row in 0..rows {
        for column in 0..columns {
            let anchor = row * columns + column;
            let is_allowed = |fences: u64| fences >> anchor & 1 == 1;
            let vertical = 2_usize << column;
            let mut next = vec![vec![0_u128; placed + 1]; states];
            for (state, counts) in counts.iter().enumerate() {
                let is_barred_beside = column > 0 && state & 1 == 1;
                let without = state & !vertical & !1;
                add_counts(&mut next[without], counts, 0);
                if !is_barred_beside && is_allowed(allowed.horizontal) {
                    add_counts(&mut next[without | 1], counts, 1);
                }
                if state & vertical == 0 && is_allowed(allowed.vertical) {
                    add_counts(&mut next[without | vertical], counts, 1);
                }
            }
            counts = next;
        }
    }
    let all = counts.iter().map(|counts: &Vec<u128>| counts[placed]);
    all.fold(0, u128::saturating_add)
}

/// Adds `counts[n]` to `sums[n + more]` for each `n`.
#[inline]
fn add_counts(sums: &mut [u128], counts: &[u128], more: usize) {
    for (sum, &count) in sums[more..].iter_mut().zip(counts) {
        *sum = sum.saturating_add(count);
    }
}

#[cfg(test)]
mod tests {
    use super::{Fences, count_fence_sets};

    const ALL: Fences = Fences { vertical: u64::MAX, horizontal: u64::MAX };

    #[test]
    fn few_fences_are_counted_by_hand() {
        for (columns, rows) in [(1_u8, 1_u8), (1, 8), (2, 1), (4, 4), (8, 8)] {
            let anchors = u128::from(columns) * u128::from(rows);
            assert_eq!(count_fence_sets(columns, rows, ALL, 0), 1);
            assert_eq!(count_fence_sets(columns, rows, ALL, 1), 2 * anchors);
            // Pairs of different fences, less the crossing and the overlapping pairs.
            let overlapping = u128::from(rows) * u128::from(columns - 1)
                + u128::from(columns) * u128::from(rows - 1);
            let pairs = anchors * (2 * anchors - 1);
            assert_eq!(count_fence_sets(columns, rows, ALL, 2), pairs - anchors - overlapping);
        }
        assert_eq!(count_fence_sets(2, 1, ALL, 3), 0);
        assert_eq!(count_fence_sets(1, 1, ALL, 2), 0);
    }
}
