use alloc::vec::Vec;

/// Dense numbering of the deals of a multiset of cards into piles of fixed sizes.
///
/// A deal says how many cards of each kind lie in each pile; their order in a pile does not matter.
/// Deals are ranked in descending lexicographic order of these counts, pile by pile. So deal 0 has
/// the first kinds in the first piles. Memory: `len * piles * kinds` bytes.
#[derive(Clone, Debug)]
pub struct Deals {
    piles: usize,
    kinds: usize,
    /// `counts[(deal * piles + pile) * kinds + kind]`
    counts: Vec<u8>,
}

impl Deals {
    /// Returns the deals of `copies[k]` cards of each kind `k` into piles of the given sizes.
    ///
    /// # Panics
    /// If the sizes do not add up to the number of cards.
    #[must_use]
    #[inline]
    pub fn new(copies: &[u8], sizes: &[u8]) -> Self {
        let cards: usize = copies.iter().map(|&n| usize::from(n)).sum();
        let room: usize = sizes.iter().map(|&n| usize::from(n)).sum();
        assert_eq!(cards, room, "the piles hold as many cards as there are");
        let mut deals = Self { piles: sizes.len(), kinds: copies.len(), counts: Vec::new() };
        let mut left = copies.to_vec();
        deals.fill(sizes, &mut left, &mut Vec::new());
        deals
    }

    /// Appends all deals that begin with the counts in `dealt`; `left[k]` cards of kind `k` remain.
    #[inline]
    fn fill(&mut self, sizes: &[u8], left: &mut Vec<u8>, dealt: &mut Vec<u8>) {
        let done = dealt.len();
        let (pile, kind) = match self.kinds {
            0 => (sizes.len(), 0),
            kinds => (done / kinds, done % kinds),
        };
        if pile == sizes.len() {
            self.counts.extend_from_slice(dealt);
            return;
        }
        let inside: u8 = dealt[done - kind..].iter().sum();
        let space = sizes[pile] - inside;
        let most = space.min(left[kind]);
        let least = if kind + 1 == self.kinds { space } else { 0 };
        for n in (least..=most).rev() {
            left[kind] -= n;
            dealt.push(n);
            self.fill(sizes, left, dealt);
            dealt.pop();
            left[kind] += n;
        }
    }

    /// Returns the number of deals.
    #[must_use]
    #[inline]
    pub fn len(&self) -> usize {
        self.counts.len() / (self.piles * self.kinds).max(1)
    }

    /// Returns true if there is no deal: the numbering has no pile or no kind.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of cards of each kind in a pile of a deal.
    ///
    /// # Panics
    /// If `deal` or `pile` is out of range.
    #[must_use]
    #[inline]
    pub fn pile(&self, deal: usize, pile: usize) -> &[u8] {
        assert!(pile < self.piles, "pile {pile} of {}", self.piles);
        let from = (deal * self.piles + pile) * self.kinds;
        &self.counts[from..from + self.kinds]
    }

    /// Returns the rank of a deal; `None` if there is no such deal.
    ///
    /// `counts[pile * kinds + kind]` is the number of cards of a kind in a pile. Cost: `O(log len)`
    /// comparisons of counts.
    #[must_use]
    #[inline]
    pub fn rank(&self, counts: &[u8]) -> Option<usize> {
        let width = self.piles * self.kinds;
        if counts.len() != width || width == 0 {
            return None;
        }
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            match self.counts[middle * width..(middle + 1) * width].cmp(counts) {
                core::cmp::Ordering::Equal => return Some(middle),
                core::cmp::Ordering::Greater => low = middle + 1,
                core::cmp::Ordering::Less => high = middle,
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::Deals;

    #[test]
    fn counts_agree_with_the_multinomial() {
        for hand in 1..=4_u8 {
            let deals = Deals::new(&vec![1; usize::from(2 * hand + 1)], &[hand, hand, 1]);
            let expected =
                crate::combinatorics::multinomial(&[u64::from(hand), u64::from(hand), 1]);
            assert_eq!(Some(deals.len() as u128), expected);
        }
    }

    #[test]
    fn equal_cards_have_fewer_deals() {
        assert_eq!(Deals::new(&[5], &[2, 2, 1]).len(), 1);
        assert_eq!(Deals::new(&[4, 1], &[2, 2, 1]).len(), 3);
        assert_eq!(Deals::new(&[2, 2, 1], &[2, 2, 1]).len(), 11);
    }

    #[test]
    fn rank_is_the_inverse_and_deals_are_in_order() {
        let deals = Deals::new(&[2, 1, 2, 2], &[3, 3, 1]);
        let rows: Vec<Vec<u8>> = (0..deals.len())
            .map(|d| (0..3).flat_map(|p| deals.pile(d, p)).copied().collect())
            .collect();
        assert!(rows.windows(2).all(|w| w[0] > w[1]));
        for (d, row) in rows.iter().enumerate() {
            assert_eq!(deals.rank(row), Some(d));
            assert_eq!(
                (0..3).map(|p| row[p * 4..p * 4 + 4].iter().sum::<u8>()).collect::<Vec<_>>(),
                [3, 3, 1]
            );
        }
        assert_eq!(deals.rank(&[0; 12]), None);
        assert_eq!(deals.rank(&[1]), None);
    }

    extern crate std;
    use alloc::vec;
    use std::vec::Vec;
}
