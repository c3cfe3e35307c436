use alloc::vec::Vec;

use hindsight_core::combinatorics::{Subsets, subset_count};

/// Positions of a tier in which the mover has `own` students and the opponent `other`.
///
/// Ranks see a position from the mover's seat: with Blue to move, the players are exchanged first.
/// A rank is a mixed-radix number. Digits, the most significant first:
///
/// | digit | radix |
/// |---|---|
/// | set of the mover's pieces | `subsets(squares, own + 1)` |
/// | number of the mover's master among the mover's pieces | `own + 1` |
/// | set of the opponent's pieces on the free squares | `subsets(squares - own - 1, other + 1)` |
/// | number of the opponent's master among the opponent's pieces | `other + 1` |
/// | deal | number of deals |
///
/// Holes are the finished games with a master on the opponent's arch.
#[derive(Clone, Debug)]
pub(super) struct OnitamaTierHalf {
    pub(super) own: u32,
    pub(super) other: u32,
    pub(super) own_sets: Subsets,
    pub(super) other_sets: Subsets,
    pub(super) len: u64,
}

impl OnitamaTierHalf {
    #[inline]
    fn new(squares: u32, own: u32, other: u32, deals: u64) -> Self {
        Self {
            own,
            other,
            own_sets: Subsets::new(squares, own + 1),
            other_sets: Subsets::new(squares - own - 1, other + 1),
            len: half_len(squares, own, other, deals).expect("positions that fit 64 bits"),
        }
    }
}

/// Number of ranks of a tier half; `None` if it exceeds 64 bits or the pieces do not fit on the
/// board.
#[inline]
fn half_len(squares: u32, own: u32, other: u32, deals: u64) -> Option<u64> {
    let free = squares.checked_sub(own + 1)?;
    subset_count(squares, own + 1)
        .checked_mul(u64::from(own + 1))?
        .checked_mul(subset_count(free, other + 1))?
        .checked_mul(u64::from(other + 1))?
        .checked_mul(deals)
}

/// Tiers by the greater and the smaller number of students of a side. Each tier is a layer.
///
/// Both halves of a pair of numbers form one tier, because moves lead from one to the other.
#[derive(Clone, Debug)]
pub(super) struct OnitamaTiers {
    /// Tier halves by tier: one for equal numbers of students, else two.
    tiers: Vec<Vec<OnitamaTierHalf>>,
    /// `tier_of[own][other]`
    tier_of: Vec<Vec<u64>>,
}

/// Exclusive limit for the number of all ranks. Sums of up to four numbers below it fit 64 bits.
const MAX_RANKS: u64 = 1 << 62;

impl OnitamaTiers {
    /// Returns true if the number of all ranks is below [`MAX_RANKS`].
    #[inline]
    pub(super) fn fit(squares: u8, students: u8, deals: usize) -> bool {
        let mut all = 0_u64;
        for [more, fewer] in student_counts(squares, students) {
            for [own, other] in halves_of(more, fewer) {
                let len = half_len(squares.into(), own, other, deals as u64);
                match len.and_then(|len| all.checked_add(len)) {
                    Some(sum) => all = sum,
                    None => return false,
                }
            }
        }
        all < MAX_RANKS
    }

    /// Tiers of a board for which [`OnitamaTiers::fit`] is true.
    #[inline]
    pub(super) fn new(squares: u8, students: u8, deals: usize) -> Self {
        let most = usize::from(students);
        let mut index =
            Self { tiers: Vec::new(), tier_of: alloc::vec![alloc::vec![0; most + 1]; most + 1] };
        for (tier, [more, fewer]) in (0..).zip(student_counts(squares, students)) {
            let halves = halves_of(more, fewer).map(|[own, other]| {
                index.tier_of[own as usize][other as usize] = tier;
                OnitamaTierHalf::new(squares.into(), own, other, deals as u64)
            });
            let halves = halves.collect();
            index.tiers.push(halves);
        }
        index
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.tiers.len()
    }

    /// The tier in which one side has `own` students and the other side `other`.
    #[inline]
    pub(super) fn tier(&self, own: u32, other: u32) -> u64 {
        self.tier_of[own as usize][other as usize]
    }

    /// Halves of a tier; in the first half the mover has `more` students, or the sides have equally
    /// many.
    #[inline]
    pub(super) fn halves(&self, tier: u64) -> &[OnitamaTierHalf] {
        &self.tiers[tier as usize]
    }
}

/// Greater and smaller number of students of each tier, in the order of the tiers.
#[inline]
fn student_counts(squares: u8, students: u8) -> Vec<[u32; 2]> {
    let mut counts: Vec<[u32; 2]> = (0..=u32::from(students))
        .flat_map(|more| (0..=more).map(move |fewer| [more, fewer]))
        .filter(|[more, fewer]| more + fewer + 2 <= u32::from(squares))
        .collect();
    counts.sort_by_key(|&[more, fewer]| (more + fewer, more));
    counts
}

/// Numbers of students of the mover and of the opponent in each half of a tier.
#[inline]
fn halves_of(more: u32, fewer: u32) -> impl Iterator<Item = [u32; 2]> {
    core::iter::once([more, fewer]).chain((more != fewer).then_some([fewer, more]))
}
