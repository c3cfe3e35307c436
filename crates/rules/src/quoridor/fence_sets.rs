use alloc::vec;
use alloc::vec::Vec;

/// How many sets of `placed` fences neither overlap nor cross, on a board of so many anchors in a row and
/// rows of them; the greatest number there is, where there are more.
///
/// Anchor by anchor, row by row. What matters of those before is in which columns the last fence is
/// vertical (it bars another above) and whether the last one is horizontal (it bars one beside):
/// `2^(row + 1)` states, each with a count for every number of fences.
#[inline]
pub(super) fn count_fence_sets(row: u8, rows: u8, placed: u8) -> u128 {
    let placed = usize::from(placed);
    let states = 2_usize << row;
    let mut counts = vec![vec![0_u128; placed + 1]; states];
    counts[0][0] = 1;
    for _ in 0..rows {
        for column in 0..row {
            let vertical = 2_usize << column;
            let mut next = vec![vec![0_u128; placed + 1]; states];
            for (state, counts) in counts.iter().enumerate() {
                let barred_beside = column > 0 && state & 1 == 1;
                let without = state & !vertical & !1;
                add(&mut next[without], counts, 0);
                if !barred_beside {
                    add(&mut next[without | 1], counts, 1);
                }
                if state & vertical == 0 {
                    add(&mut next[without | vertical], counts, 1);
                }
            }
            counts = next;
        }
    }
    let all = counts.iter().map(|counts: &Vec<u128>| counts[placed]);
    all.fold(0, u128::saturating_add)
}

/// Adds counts, with so many fences more.
#[inline]
fn add(sums: &mut [u128], counts: &[u128], more: usize) {
    for (sum, &count) in sums[more..].iter_mut().zip(counts) {
        *sum = sum.saturating_add(count);
    }
}

#[cfg(test)]
mod tests {
    use super::count_fence_sets;

    #[test]
    fn few_fences_are_counted_by_hand() {
        for (row, rows) in [(1_u8, 1_u8), (1, 8), (2, 1), (4, 4), (8, 8)] {
            let anchors = u128::from(row) * u128::from(rows);
            assert_eq!(count_fence_sets(row, rows, 0), 1);
            assert_eq!(count_fence_sets(row, rows, 1), 2 * anchors);
            // Two of all fences, but for the pairs that cross or overlap.
            let overlapping =
                u128::from(rows) * u128::from(row - 1) + u128::from(row) * u128::from(rows - 1);
            let pairs = anchors * (2 * anchors - 1);
            assert_eq!(
                count_fence_sets(row, rows, 2),
                pairs - anchors - overlapping
            );
        }
        assert_eq!(count_fence_sets(2, 1, 3), 0);
        assert_eq!(count_fence_sets(1, 1, 2), 0);
    }
}
