//! Numbers of the positions of Quixo: tiers by numbers of marks, ranks by halves of the board.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use hindsight_core::{MoveSummary, Ranked, Retro, Tiers, Value};

use super::half_boards::HalfBoards;
use super::{Quixo, QuixoPosition};

/// Numbers of the ways to mark a board.
///
/// A *class* is the ways with the same numbers of own and of other marks. In a class, the ways are
/// sorted by the class of their low half. Such a block has
/// `offset + place of the low half * stride + place of the high half`.
#[derive(Clone, Debug)]
pub(super) struct QuixoRanks {
    squares: u32,
    low_squares: u32,
    low: HalfBoards,
    high: HalfBoards,
    /// Blocks of each class. Index: `class * classes of the low half + class of the low half`.
    blocks: Vec<RankBlock>,
    /// Number of ways of each class.
    lens: Vec<u64>,
    /// The greater and the smaller number of marks in each tier.
    tiers: Vec<[u32; 2]>,
}

/// Ways with the same class of the board and of its low half.
#[derive(Clone, Copy, Default, Debug)]
struct RankBlock {
    offset: u64,
    stride: u64,
}

/// Marks of the player to move and of the opponent.
#[derive(Clone, Copy, Debug)]
struct Marks {
    own: u32,
    other: u32,
}

impl QuixoRanks {
    pub(super) fn new(size: u8) -> Self {
        let squares = u32::from(size).pow(2);
        let low_squares = squares.div_ceil(2);
        let mut ranks = Self {
            squares,
            low_squares,
            low: HalfBoards::new(low_squares),
            high: HalfBoards::new(squares - low_squares),
            blocks: Vec::new(),
            lens: Vec::new(),
            tiers: (0..=squares).rev().flat_map(tiers_of).collect(),
        };
        for class in 0..(squares + 1).pow(2) {
            let [own, other] = [class / (squares + 1), class % (squares + 1)];
            ranks.add_class([own, other]);
        }
        ranks
    }

    /// Adds the blocks of a class with `[own, other]` marks.
    fn add_class(&mut self, marks: [u32; 2]) {
        let mut len = 0;
        for low_class in 0..self.low.class_count() as u32 {
            let [own, other] = self.low.marks(low_class);
            let high = [marks[0].checked_sub(own), marks[1].checked_sub(other)];
            let stride = match high {
                [Some(own), Some(other)] if own.max(other) <= self.squares - self.low_squares => {
                    self.high.list(self.high.class([own, other])).len() as u64
                }
                _ => 0,
            };
            let offset = len;
            self.blocks.push(RankBlock { offset, stride });
            len += stride * self.low.list(low_class).len() as u64;
        }
        self.lens.push(len);
    }

    fn class(&self, marks: Marks) -> usize {
        (marks.own * (self.squares + 1) + marks.other) as usize
    }

    fn blocks(&self, marks: Marks) -> &[RankBlock] {
        let first = self.class(marks) * self.low.class_count();
        &self.blocks[first..first + self.low.class_count()]
    }

    /// Tier of the positions with these marks, whoever has which.
    #[inline]
    fn tier(&self, marks: Marks) -> u64 {
        let most = u64::from(marks.own + marks.other);
        let squares = u64::from(self.squares);
        let more = u64::from(marks.own.max(marks.other));
        // A layer of n marks has n / 2 + 1 tiers. The layers of 0 to n marks have (n + 2)^2 / 4.
        let up_to = |n: u64| (n + 2) * (n + 2) / 4;
        up_to(squares) - up_to(most) + more - most.div_ceil(2)
    }

    /// Number of a way in its class.
    #[inline]
    fn rank_in_class(&self, blocks: &[RankBlock], own: u32, other: u32) -> u64 {
        let low_mask = (1 << self.low_squares) - 1;
        let low = self.low.place(own & low_mask, other & low_mask);
        let high = self
            .high
            .place(own >> self.low_squares, other >> self.low_squares);
        let block = blocks[low.class as usize];
        block.offset + u64::from(low.place) * block.stride + u64::from(high.place)
    }

    /// Halves of the ways around a number of a class.
    #[inline]
    fn halves(&self, marks: Marks, number: u64) -> BoardHalves<'_> {
        let blocks = self.blocks(marks);
        let low_class = blocks.partition_point(|block| block.offset <= number) - 1;
        let RankBlock { offset, stride } = blocks[low_class];
        let [own, other] = self.low.marks(low_class as u32);
        let high_class = self.high.class([marks.own - own, marks.other - other]);
        let in_block = number - offset;
        BoardHalves {
            low: self.low.list(low_class as u32)[(in_block / stride) as usize],
            highs: &self.high.list(high_class)[(in_block % stride) as usize..],
        }
    }

    /// Position of a low and a high half.
    #[inline]
    fn joined(&self, low: [u16; 2], high: [u16; 2]) -> QuixoPosition {
        let join = |low: u16, high: u16| u32::from(low) | u32::from(high) << self.low_squares;
        QuixoPosition {
            player: 0,
            own: join(low[0], high[0]),
            other: join(low[1], high[1]),
        }
    }

    /// Appends the positions of some numbers of a class, each with its number plus `first_rank`.
    fn append(
        &self,
        marks: Marks,
        numbers: Range<u64>,
        first_rank: u64,
        out: &mut Vec<(u64, QuixoPosition)>,
    ) {
        let mut number = numbers.start;
        while number < numbers.end {
            let BoardHalves { low, highs } = self.halves(marks, number);
            let left = (numbers.end - number).min(highs.len() as u64);
            let highs = &highs[..left as usize];
            let positions = highs.iter().map(|&high| self.joined(low, high));
            out.extend((first_rank + number..).zip(positions));
            number += left;
        }
    }
}

/// A low half of a board, and high halves that follow each other with it.
struct BoardHalves<'a> {
    low: [u16; 2],
    highs: &'a [[u16; 2]],
}

/// Tiers of the positions with `marks` marks: the greater and the smaller number.
fn tiers_of(marks: u32) -> impl Iterator<Item = [u32; 2]> {
    (marks.div_ceil(2)..=marks).map(move |more| [more, marks - more])
}

impl QuixoPosition {
    fn marks(self) -> Marks {
        Marks {
            own: self.own.count_ones(),
            other: self.other.count_ones(),
        }
    }
}

/// A tier holds the positions with the same two numbers of marks, whichever side has more. A layer
/// holds those with equally many marks: layer 0 is the board without blank cubes.
impl Tiers for Quixo {
    fn layers(&self) -> u32 {
        self.ranks.squares + 1
    }
    fn tiers(&self, layer: u32, out: &mut Vec<u64>) {
        let marks = self.ranks.squares - layer;
        out.extend(tiers_of(marks).map(|[own, other]| self.ranks.tier(Marks { own, other })));
    }
    fn layer_successors(&self, layer: u32) -> Vec<u32> {
        layer.checked_sub(1).into_iter().collect()
    }
    fn layer_name(&self, layer: u32) -> String {
        match self.ranks.squares - layer {
            1 => "1 mark".into(),
            marks => format!("{marks} marks"),
        }
    }
    fn tier_len(&self, tier: u64) -> u64 {
        let [own, other] = self.ranks.tiers[tier as usize];
        let orders = if own == other { 1 } else { 2 };
        orders * self.ranks.lens[self.ranks.class(Marks { own, other })]
    }
}

/// `rank = behind * ways + number of the way in its class`. `behind` is 1 if the player to move has
/// fewer marks, else 0. The players are exchanged so that a rank has X to move. There are no holes.
impl Ranked for Quixo {
    fn rank(&self, position: QuixoPosition) -> Option<(u64, u64)> {
        let marks = position.marks();
        let blocks = self.ranks.blocks(marks);
        let number = self
            .ranks
            .rank_in_class(blocks, position.own, position.other);
        Some((self.ranks.tier(marks), self.first_rank(marks) + number))
    }
    fn tier(&self, position: QuixoPosition) -> Option<u64> {
        Some(self.ranks.tier(position.marks()))
    }
    fn unrank(&self, tier: u64, rank: u64) -> Option<QuixoPosition> {
        let [more, fewer] = self.ranks.tiers[tier as usize];
        let ways = self.ranks.lens[self.ranks.class(Marks {
            own: more,
            other: fewer,
        })];
        let (own, other, number) = match rank.checked_sub(ways) {
            None => (more, fewer, rank),
            Some(number) => (fewer, more, number),
        };
        let BoardHalves { low, highs } = self.ranks.halves(Marks { own, other }, number);
        Some(self.ranks.joined(low, highs[0]))
    }
    fn unrank_range(&self, tier: u64, ranks: Range<u64>, out: &mut Vec<(u64, QuixoPosition)>) {
        let [more, fewer] = self.ranks.tiers[tier as usize];
        let ahead = Marks {
            own: more,
            other: fewer,
        };
        let behind = Marks {
            own: fewer,
            other: more,
        };
        let ways = self.ranks.lens[self.ranks.class(ahead)];
        let [start, end] = [ranks.start.min(ways), ranks.end.min(ways)];
        self.ranks.append(ahead, start..end, 0, out);
        let [start, end] = [ranks.start.max(ways) - ways, ranks.end.max(ways) - ways];
        self.ranks.append(behind, start..end, ways, out);
    }
}

impl Quixo {
    /// Rank of the first way of a class in its tier.
    #[inline]
    fn first_rank(&self, marks: Marks) -> u64 {
        match marks.own < marks.other {
            true => self.ranks.lens[self.ranks.class(marks)],
            false => 0,
        }
    }

    /// Calls `visit` with each position before a push of a cube that had the mark already.
    fn each_predecessor(&self, position: QuixoPosition, mut visit: impl FnMut(QuixoPosition)) {
        let may_have_line = [position.own, position.other].map(|set| self.cubes.is_near_line(set));
        let is_suspect = may_have_line.contains(&true);
        for push in &self.cubes.pushes {
            if position.other & push.to == 0 {
                continue;
            }
            let before = QuixoPosition {
                player: 1 - position.player,
                own: push.shifted_back(position.other) | push.from,
                other: push.shifted_back(position.own),
            };
            if !is_suspect || !self.is_over(before) {
                visit(before);
            }
        }
    }
}

impl Retro for Quixo {
    fn predecessors(&self, position: QuixoPosition, out: &mut Vec<QuixoPosition>) {
        self.each_predecessor(position, |before| out.push(before));
    }

    fn summarize_moves(
        &self,
        _tier: u64,
        position: QuixoPosition,
        outside: &mut Vec<QuixoPosition>,
    ) -> MoveSummary {
        let [own, other] = [position.own, position.other];
        let may_win = self.cubes.is_near_line(own);
        let may_lose = self.cubes.is_near_line(other);
        let mut summary = MoveSummary::default();
        for (_, push) in self.pushes(position) {
            let next = position.after(push);
            // A line that the mover makes for the opponent loses, even beside an own one.
            if may_lose && self.cubes.has_line(next.own) {
                summary.best = summary.best.max(Some(Value::Loss(1)));
            } else if may_win && self.cubes.has_line(next.other) {
                summary.best = Some(Value::Win(1));
                return summary;
            } else if own & push.from != 0 {
                summary.open += 1;
            } else {
                outside.push(next);
            }
        }
        summary
    }

    fn predecessor_ranks(&self, position: QuixoPosition, out: &mut Vec<u64>) {
        let Marks { own, other } = position.marks();
        let before = Marks {
            own: other,
            other: own,
        };
        let (blocks, first) = (self.ranks.blocks(before), self.first_rank(before));
        self.each_predecessor(position, |before| {
            out.push(first + self.ranks.rank_in_class(blocks, before.own, before.other));
        });
    }
}
