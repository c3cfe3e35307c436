use alloc::boxed::Box;
use alloc::vec::Vec;

use index::{ByteRanks, Classes, Subsets, subsets};
use once_cell::race::OnceBox;

use super::images::Images;
use super::{Base, Board, OstleSetup};

/// A dense numbering of positions up to the eight symmetries, as seen by the side to move.
///
/// The hole goes to one of the squares of a triangle (six on 5x5), one for each class of squares. The
/// mover's pieces go to the least of their images under the symmetries that leave that hole where it
/// is; each such set has a row of ranks. A row has a rank for each set of the other's pieces on what is
/// free; where the mover's pieces are symmetric, only for the least of its images.
#[derive(Debug)]
pub(super) struct Ranks {
    pub(super) images: Images,
    squares: u32,
    /// The class of each square, and the symmetry that takes it to the class's own square.
    class_of: Vec<(u8, u8)>,
    holes: Vec<Hole>,
    tiers: Vec<Tier>,
    /// `tier_of[own][other]`: tier and half.
    tier_of: Vec<Vec<(u8, u8)>>,
    /// One symmetry after another: `composed[first][then]`.
    composed: [[u8; 8]; 8],
    of_sets: ByteRanks,
    free: Free,
}

/// Sets of squares counted on the free squares only, a look-up a file.
#[derive(Debug)]
struct Free {
    size: u32,
    /// `compressed[taken][set]`, squares of a file each.
    compressed: [[u8; 32]; 32],
}

impl Free {
    fn new(size: u8) -> Self {
        let compressed = |taken: usize, set: usize| {
            let set = set & !taken;
            without(set as u32, taken as u32) as u8
        };
        Self {
            size: size.into(),
            compressed: core::array::from_fn(|taken| {
                core::array::from_fn(|set| compressed(taken, set))
            }),
        }
    }

    /// A set as [`without`] gives it.
    #[inline]
    fn of(&self, set: u32, taken: u32) -> u32 {
        let file = (1 << self.size) - 1;
        let (mut set, mut taken) = (set, taken);
        let (mut out, mut at) = (0, 0);
        for _ in 0..self.size {
            let of_file = taken & file;
            let row = &self.compressed[(of_file & 31) as usize];
            out |= u32::from(row[(set & file & 31) as usize]) << at;
            at += self.size - of_file.count_ones();
            set >>= self.size;
            taken >>= self.size;
        }
        out
    }
}

/// A square that stands for its class.
#[derive(Debug)]
struct Hole {
    square: u8,
    /// The symmetries, without the one that changes nothing, that leave it where it is.
    group: Vec<u8>,
}

/// The positions with two numbers of pieces, whoever has more: halves by the number of the mover.
#[derive(Debug)]
struct Tier {
    halves: Vec<Half>,
    len: u64,
}

/// The positions in which the mover has `own` pieces and the other `other`.
#[derive(Debug)]
struct Half {
    own: u32,
    other: u32,
    begin: u64,
    /// By hole.
    parts: Vec<Part>,
    columns: Subsets,
}

/// The rows of a hole.
#[derive(Debug)]
struct Part {
    begin: u64,
    end: u64,
    /// By the rank of the mover's set: which row it has, or [`NONE`].
    row_of: Vec<u32>,
    rows: Vec<Row>,
}

/// The positions with the same pieces of the mover.
#[derive(Debug)]
struct Row {
    /// Its first rank in the part.
    begin: u64,
    own: u32,
    /// Where the mover's set is symmetric: the symmetries that leave it as it is, and which of the
    /// other's sets have a rank.
    symmetric: Option<Box<Symmetric>>,
}

#[derive(Debug)]
struct Symmetric {
    group: Vec<u8>,
    columns: OnceBox<Classes>,
}

const NONE: u32 = u32::MAX;

/// Where a position is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Found {
    pub(super) tier: u64,
    pub(super) rank: u64,
    /// The symmetry that takes the position to the ranked one.
    pub(super) symmetry: usize,
    /// Whether the ranked position is its own image under a symmetry.
    pub(super) symmetric: bool,
}

/// A set without the given squares of the board, which it does not have: squares after them move up.
#[inline]
fn without(set: u32, taken: u32) -> u32 {
    let (mut set, mut rest) = (set, taken);
    while rest != 0 {
        // The highest first, so that the others stay where they are.
        let top = 1_u32 << (31 - rest.leading_zeros());
        set = set & (top - 1) | set >> 1 & !(top - 1);
        rest ^= top;
    }
    set
}

/// The inverse of [`without`].
#[inline]
fn with(set: u32, taken: u32) -> u32 {
    let (mut set, mut rest) = (set, taken);
    while rest != 0 {
        let low = rest & rest.wrapping_neg();
        set = set & (low - 1) | (set & !(low - 1)) << 1;
        rest ^= low;
    }
    set
}

impl Ranks {
    pub(super) fn new(board: &Board, setup: &OstleSetup) -> Self {
        let images = Images::new(board);
        let squares = u32::from(board.squares());
        let mut class_of = Vec::new();
        let mut holes: Vec<Hole> = Vec::new();
        for square in 0..board.squares() {
            let to = |symmetry: usize| board.map_square(symmetry, square);
            let all = || 0..board.symmetries();
            let found = holes.iter().enumerate().find_map(|(class, hole)| {
                let symmetry = all().find(|&symmetry| to(symmetry) == hole.square)?;
                Some((class as u8, symmetry as u8))
            });
            class_of.push(found.unwrap_or_else(|| {
                let group = all().skip(1).filter(|&symmetry| to(symmetry) == square);
                holes.push(Hole {
                    square,
                    group: group.map(|symmetry| symmetry as u8).collect(),
                });
                (holes.len() as u8 - 1, 0)
            }));
        }
        // The images of two neighbours in a corner tell a symmetry.
        let both = |symmetry, [a, b]: [u32; 2]| [images.of(symmetry, a), images.of(symmetry, b)];
        let compose = |first: usize, then: usize| {
            let wanted = both(then, both(first, [1, 2]));
            let found = (0..board.symmetries()).find(|&symmetry| both(symmetry, [1, 2]) == wanted);
            found.expect("symmetries are a group") as u8
        };
        let composed =
            core::array::from_fn(|first| core::array::from_fn(|then| compose(first, then)));
        let mut ranks = Self {
            of_sets: ByteRanks::new(setup.pieces),
            free: Free::new(board.size()),
            composed,
            images,
            squares,
            class_of,
            holes,
            tiers: Vec::new(),
            tier_of: Vec::new(),
        };
        ranks.add_tiers(setup);
        ranks
    }

    /// Tiers by the number of all pieces, then by the greater number of a side.
    fn add_tiers(&mut self, setup: &OstleSetup) {
        let (least, most) = (u32::from(setup.lost_at) + 1, u32::from(setup.pieces));
        let mut pairs: Vec<(u32, u32)> = (least..=most)
            .flat_map(|i| (least..=i).map(move |j| (i, j)))
            .collect();
        pairs.sort_by_key(|&(i, j)| (i + j, i));
        self.tier_of = alloc::vec![alloc::vec![(0, 0); most as usize + 1]; most as usize + 1];
        for (i, j) in pairs {
            let sides = [(i, j), (j, i)];
            let tier = self.tiers.len() as u8;
            let mut len = 0;
            let mut halves = Vec::new();
            for &(own, other) in &sides[..if i == j { 1 } else { 2 }] {
                let half = self.half(own, other, len);
                len = half.begin + half.parts.last().map_or(0, |part| part.end);
                self.tier_of[own as usize][other as usize] = (tier, halves.len() as u8);
                halves.push(half);
            }
            self.tiers.push(Tier { halves, len });
        }
    }

    fn half(&self, own: u32, other: u32, begin: u64) -> Half {
        let mut end = 0;
        let parts = self.holes.iter().map(|hole| {
            let part = self.part(hole, own, other, end);
            end = part.end;
            part
        });
        let parts = parts.collect();
        Half {
            own,
            other,
            begin,
            parts,
            columns: Subsets::new(self.squares - 1 - own, other),
        }
    }

    fn part(&self, hole: &Hole, own: u32, other: u32, begin: u64) -> Part {
        let taken = 1 << hole.square;
        let sets = Subsets::new(self.squares - 1, own);
        let mut part = Part {
            begin,
            end: begin,
            row_of: alloc::vec![NONE; sets.len() as usize],
            rows: Vec::new(),
        };
        for rank in 0..sets.len() {
            let own = with(sets.unrank(rank) as u32, taken);
            let images = || {
                hole.group
                    .iter()
                    .map(|&symmetry| self.images.of(symmetry.into(), own))
            };
            if images().any(|image| image < own) {
                continue;
            }
            let group: Vec<u8> = hole
                .group
                .iter()
                .zip(images())
                .filter(|(_, image)| *image == own)
                .map(|(&symmetry, _)| symmetry)
                .collect();
            part.row_of[rank as usize] = part.rows.len() as u32;
            let begin = part.end - part.begin;
            part.end += self.row_len(hole, own, other, &group);
            part.rows.push(Row {
                begin,
                own,
                symmetric: (!group.is_empty()).then(|| {
                    Box::new(Symmetric {
                        group,
                        columns: OnceBox::new(),
                    })
                }),
            });
        }
        part
    }

    /// The number of sets of the other's pieces up to a group: the mean of how many each symmetry leaves
    /// as they are (Burnside's lemma).
    fn row_len(&self, hole: &Hole, own: u32, other: u32, group: &[u8]) -> u64 {
        let free: Vec<u32> = (0..self.squares)
            .map(|square| 1 << square)
            .filter(|square| (own | 1 << hole.square) & square == 0)
            .collect();
        let fixed = |symmetry: u8| {
            // sets[k]: how many sets of k squares are unions of cycles.
            let mut sets = alloc::vec![0_u64; other as usize + 1];
            sets[0] = 1;
            for &square in &free {
                let (mut cycle, mut least, mut at) = (1, square, square);
                loop {
                    at = self.images.of(symmetry.into(), at);
                    if at == square {
                        break;
                    }
                    least = least.min(at);
                    cycle += 1;
                }
                if least == square {
                    for k in (cycle..sets.len()).rev() {
                        sets[k] += sets[k - cycle];
                    }
                }
            }
            sets[other as usize]
        };
        let all = subsets(free.len() as u32, other);
        let sum: u64 = group.iter().map(|&symmetry| fixed(symmetry)).sum();
        (all + sum) / (group.len() as u64 + 1)
    }

    pub(super) fn tiers(&self) -> usize {
        self.tiers.len()
    }

    pub(super) fn tier_len(&self, tier: u64) -> u64 {
        self.tiers[tier as usize].len
    }

    /// The numbers of pieces in a tier, the greater first.
    pub(super) fn counts(&self, tier: u64) -> (u32, u32) {
        let half = &self.tiers[tier as usize].halves[0];
        (half.own, half.other)
    }

    /// The tier with these numbers of pieces of the mover and the other. Neither may have lost.
    pub(super) fn tier(&self, own: u32, other: u32) -> u64 {
        self.tier_of[own as usize][other as usize].0.into()
    }

    /// Positions up to symmetry in which the mover has `own` pieces, by the square that stands for the
    /// hole's class.
    pub(super) fn counts_by_hole(&self, own: u32, other: u32) -> Vec<(u8, u64)> {
        let (tier, half) = self.tier_of[own as usize][other as usize];
        let half = &self.tiers[usize::from(tier)].halves[usize::from(half)];
        let lens = half.parts.iter().map(|part| part.end - part.begin);
        self.holes
            .iter()
            .map(|hole| hole.square)
            .zip(lens)
            .collect()
    }

    /// The place of a position in which neither side has lost.
    #[inline]
    pub(super) fn find(&self, own: u32, other: u32, hole: u8) -> Found {
        let (class, symmetry) = self.class_of[usize::from(hole)];
        let mut found = symmetry;
        let (mut own, mut other) = if symmetry == 0 {
            (own, other)
        } else {
            let image = |set| self.images.of(symmetry.into(), set);
            (image(own), image(other))
        };
        let at = &self.holes[usize::from(class)];
        let (first_own, first_other) = (own, other);
        for &more in &at.group {
            let image = self.images.of(more.into(), first_own);
            if image > own {
                continue;
            }
            let image_other = self.images.of(more.into(), first_other);
            if image < own || image_other < other {
                (own, other) = (image, image_other);
                found = self.composed[usize::from(symmetry)][usize::from(more)];
            }
        }
        let (tier, half) = self.tier_of[own.count_ones() as usize][other.count_ones() as usize];
        let half = &self.tiers[usize::from(tier)].halves[usize::from(half)];
        let part = &half.parts[usize::from(class)];
        let below = (1 << at.square) - 1;
        let row = self.of_sets.rank(own & below | own >> 1 & !below);
        let row = part.row_of[row as usize];
        let row = &part.rows[row as usize];
        let free = self.free.of(other, own | 1 << at.square);
        let mut column = self.of_sets.rank(free);
        let mut symmetric = false;
        if let Some(group) = &row.symmetric {
            let columns = self.columns(half, at, row.own, group);
            column = columns
                .rank(column)
                .expect("the least of the images has a rank");
            let same = |&symmetry: &u8| self.images.of(symmetry.into(), other) == other;
            symmetric = group.group.iter().any(same);
        }
        Found {
            tier: tier.into(),
            rank: half.begin + part.begin + row.begin + column,
            symmetry: found.into(),
            symmetric,
        }
    }

    /// The sets of the other's pieces that have a rank in a symmetric row.
    fn columns<'a>(&self, half: &Half, hole: &Hole, own: u32, row: &'a Symmetric) -> &'a Classes {
        row.columns.get_or_init(|| {
            let taken = own | 1 << hole.square;
            let least = |column: u64| {
                let other = with(half.columns.unrank(column) as u32, taken);
                let images = row
                    .group
                    .iter()
                    .map(|&symmetry| self.images.of(symmetry.into(), other));
                images.min().is_none_or(|image| image >= other)
            };
            Box::new(Classes::new(half.columns.len(), least))
        })
    }

    /// The ranked position of a rank, Black to move.
    pub(super) fn unrank(&self, tier: u64, rank: u64) -> Base {
        let tier = &self.tiers[tier as usize];
        let half = tier
            .halves
            .iter()
            .rfind(|half| half.begin <= rank)
            .expect("a rank of the tier");
        let rank = rank - half.begin;
        let class = half.parts.partition_point(|part| part.end <= rank);
        let (part, hole) = (&half.parts[class], &self.holes[class]);
        let rank = rank - part.begin;
        let row = &part.rows[part.rows.partition_point(|row| row.begin <= rank) - 1];
        let mut column = rank - row.begin;
        if let Some(group) = &row.symmetric {
            column = self.columns(half, hole, row.own, group).unrank(column);
        }
        Base {
            own: row.own,
            other: with(
                half.columns.unrank(column) as u32,
                row.own | 1 << hole.square,
            ),
            hole: hole.square,
            white: false,
        }
    }

    /// Whether a ranked position is its own image under a symmetry.
    pub(super) fn is_symmetric(&self, base: Base) -> bool {
        let (class, _) = self.class_of[usize::from(base.hole)];
        let same = |&symmetry: &u8| {
            let of = |set| self.images.of(symmetry.into(), set);
            of(base.own) == base.own && of(base.other) == base.other
        };
        self.holes[usize::from(class)].group.iter().any(same)
    }
}
