//! Numbers of the positions of Quixo up to symmetry: tiers by numbers of marks, ranks by the two
//! parts of the board.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use hindsight_core::{MoveSummary, OrbitRun, Ranked, Retro, Tiers, Value};

use super::board_parts::{BoardParts, SYMMETRIES};
use super::marked_parts::{AnchorList, AnchorWays, RestWays};
use super::{Quixo, QuixoPosition};

/// Numbers of the ways to mark a board, up to symmetry.
///
/// A *mark class* is the ways with the same numbers of own and of other marks. In it, the ways are
/// sorted by the list of their anchor. The ways of one list are a block, numbered
/// `offset + number of the anchor in its list * stride + number of the rest in its list`.
///
/// A way stands for its images. Where a symmetry maps the anchor to itself, only the way with the
/// least number has a position; the numbers of its images are holes.
#[derive(Clone, Debug)]
pub(super) struct QuixoRanks {
    squares: u32,
    parts: BoardParts,
    anchors: AnchorWays,
    rests: RestWays,
    /// Blocks of each mark class. Index: `class * lists of anchors + list`.
    blocks: Vec<RankBlock>,
    /// Length of each mark class, holes included.
    lens: Vec<u64>,
    /// The greater and the smaller number of marks in each tier.
    tiers: Vec<[u32; 2]>,
}

/// Ways with the same mark class of the board and list of the anchor.
#[derive(Clone, Copy, Default, Debug)]
struct RankBlock {
    offset: u64,
    stride: u64,
}

/// Numbers of marks of the player to move and of the opponent.
#[derive(Clone, Copy, Debug)]
struct Marks {
    own: u32,
    other: u32,
}

/// Number of a way in its mark class.
#[derive(Clone, Copy, Debug)]
struct NumberedWay {
    number: u64,
    /// Number of symmetries that map the way to itself.
    stabilizer: u8,
}

impl QuixoRanks {
    pub(super) fn new(size: u8) -> Self {
        let squares = u32::from(size).pow(2);
        let parts = BoardParts::new(size);
        let mut ranks = Self {
            squares,
            anchors: AnchorWays::new(&parts.anchor),
            rests: RestWays::new(&parts.rest),
            parts,
            blocks: Vec::new(),
            lens: Vec::new(),
            tiers: (0..=squares).rev().flat_map(tiers_of).collect(),
        };
        for class in 0..(squares + 1).pow(2) {
            let [own, other] = [class / (squares + 1), class % (squares + 1)];
            ranks.add_mark_class(Marks { own, other });
        }
        ranks
    }

    /// Bytes of the ways to mark the parts.
    pub(super) fn bytes(&self) -> u64 {
        (self.anchors.bytes() + self.rests.bytes()) as u64
    }

    /// Adds the blocks of a mark class.
    fn add_mark_class(&mut self, marks: Marks) {
        let mut offset = 0;
        for list in &self.anchors.lists {
            let stride = self.rest_ways(marks, list).len() as u64;
            self.blocks.push(RankBlock { offset, stride });
            offset += stride * list.ways.len() as u64;
        }
        self.lens.push(offset);
    }

    /// Ways to mark the rest beside an anchor of a list.
    #[inline]
    fn rest_ways(&self, marks: Marks, anchor: &AnchorList) -> &[[u16; 2]] {
        let [own, other] = anchor.marks;
        match (marks.own.checked_sub(own), marks.other.checked_sub(other)) {
            (Some(own), Some(other)) => self.rests.list([own, other]),
            _ => &[],
        }
    }

    fn mark_class(&self, marks: Marks) -> usize {
        (marks.own * (self.squares + 1) + marks.other) as usize
    }

    fn blocks(&self, marks: Marks) -> &[RankBlock] {
        let lists = self.anchors.lists.len();
        let first = self.mark_class(marks) * lists;
        &self.blocks[first..first + lists]
    }

    /// Tier of the positions with these marks, whoever has which.
    #[inline]
    fn tier(&self, marks: Marks) -> u64 {
        let most = u64::from(marks.own + marks.other);
        let squares = u64::from(self.squares);
        let more = u64::from(marks.own.max(marks.other));
        // With n marks there are n / 2 + 1 tiers, with 0 to n marks (n + 2)^2 / 4.
        let up_to = |n: u64| (n + 2) * (n + 2) / 4;
        up_to(squares) - up_to(most) + more - most.div_ceil(2)
    }

    /// Number of a way in its mark class, whose blocks are given.
    #[inline]
    fn numbered(&self, blocks: &[RankBlock], own: u32, other: u32) -> NumberedWay {
        let [own, other] = [own, other].map(|set| self.parts.split(set));
        let anchor = [own.anchor, other.anchor];
        let rest = [own.rest, other.rest];
        let place = self.anchors.place(self.parts.anchor.index(0, anchor));
        let list = usize::from(place.list);
        let block = blocks[list];
        let first = block.offset + u64::from(place.number) * block.stride;
        let rest_number = |symmetry| self.rests.number(self.parts.rest.index(symmetry, rest));
        if self.anchors.lists[list].orbit_size == SYMMETRIES {
            return NumberedWay {
                number: first + u64::from(rest_number(place.symmetry)),
                stabilizer: 1,
            };
        }
        let listed = self.parts.anchor.index(place.symmetry, anchor);
        let leads_there = |&symmetry: &u8| self.parts.anchor.index(symmetry, anchor) == listed;
        let numbers = || (0..SYMMETRIES).filter(leads_there).map(rest_number);
        let least = numbers().fold(u32::MAX, u32::min);
        NumberedWay {
            number: first + u64::from(least),
            stabilizer: numbers().filter(|&number| number == least).count() as u8,
        }
    }

    /// Index of the anchor's list at a number of a mark class.
    #[inline]
    fn list_at(&self, marks: Marks, number: u64) -> usize {
        let blocks = self.blocks(marks);
        blocks.partition_point(|block| block.offset <= number) - 1
    }

    /// Position of an anchor and a rest.
    #[inline]
    fn joined(&self, anchor: [u16; 2], rest: [u16; 2]) -> QuixoPosition {
        let join = |anchor: u16, rest: u16| {
            self.parts.anchor.on_board(anchor) | self.parts.rest.on_board(rest)
        };
        QuixoPosition { player: 0, own: join(anchor[0], rest[0]), other: join(anchor[1], rest[1]) }
    }

    /// Position of a number of a mark class; `None` for a hole.
    #[inline]
    fn position(&self, marks: Marks, number: u64) -> Option<QuixoPosition> {
        let blocks = self.blocks(marks);
        let list = self.list_at(marks, number);
        let (anchors, block) = (&self.anchors.lists[list], blocks[list]);
        let in_block = number - block.offset;
        let anchor = anchors.ways[(in_block / block.stride) as usize];
        let rest = self.rest_ways(marks, anchors)[(in_block % block.stride) as usize];
        let position = self.joined(anchor, rest);
        self.is_ranked(anchors, blocks, number, position).then_some(position)
    }

    /// True if the position is the one that stands for its images: none has a smaller number.
    #[inline]
    fn is_ranked(
        &self,
        anchors: &AnchorList,
        blocks: &[RankBlock],
        number: u64,
        position: QuixoPosition,
    ) -> bool {
        let numbered = || self.numbered(blocks, position.own, position.other);
        anchors.orbit_size == SYMMETRIES || numbered().number == number
    }

    /// Appends the positions of some numbers of a mark class, each with its number plus
    /// `first_rank`.
    fn append(
        &self,
        marks: Marks,
        numbers: Range<u64>,
        first_rank: u64,
        out: &mut Vec<(u64, QuixoPosition)>,
    ) {
        let blocks = self.blocks(marks);
        let mut number = numbers.start;
        while number < numbers.end {
            let list = self.list_at(marks, number);
            let (anchors, block) = (&self.anchors.lists[list], blocks[list]);
            let in_block = number - block.offset;
            let anchor = anchors.ways[(in_block / block.stride) as usize];
            let rests = &self.rest_ways(marks, anchors)[(in_block % block.stride) as usize..];
            let left = (numbers.end - number).min(rests.len() as u64);
            let positions = rests[..left as usize].iter();
            let numbered = (number..).zip(positions.map(|&rest| self.joined(anchor, rest)));
            let ranked = numbered
                .filter(|&(number, position)| self.is_ranked(anchors, blocks, number, position));
            out.extend(ranked.map(|(number, position)| (first_rank + number, position)));
            number += left;
        }
    }

    /// Ways that a number of a mark class stands for, and the numbers from it on that stand for as
    /// many.
    fn orbit_run(&self, marks: Marks, number: u64) -> OrbitRun {
        let blocks = self.blocks(marks);
        let lists = &self.anchors.lists;
        if lists[self.list_at(marks, number)].orbit_size == SYMMETRIES {
            let large = lists.partition_point(|list| list.orbit_size == SYMMETRIES);
            let end = blocks.get(large).map(|block| block.offset);
            return OrbitRun {
                ranks: number..end.unwrap_or(self.lens[self.mark_class(marks)]),
                orbit_size: SYMMETRIES.into(),
            };
        }
        let way = self.position(marks, number);
        let stabilizer = way.map_or(1, |way| self.numbered(blocks, way.own, way.other).stabilizer);
        OrbitRun { ranks: number..number + 1, orbit_size: (SYMMETRIES / stabilizer).into() }
    }
}

/// Tiers of the positions with `marks` marks: the greater and the smaller number.
fn tiers_of(marks: u32) -> impl Iterator<Item = [u32; 2]> {
    (marks.div_ceil(2)..=marks).map(move |more| [more, marks - more])
}

impl Marks {
    fn exchanged(self) -> Self {
        Self { own: self.other, other: self.own }
    }
}

impl QuixoPosition {
    fn marks(self) -> Marks {
        Marks { own: self.own.count_ones(), other: self.other.count_ones() }
    }
}

/// A tier, the only one of its layer, holds the positions with the same two numbers of marks,
/// whichever side has more. Layer 0 is the full board whose two numbers differ least.
impl Tiers for Quixo {
    fn layers(&self) -> u32 {
        self.ranks.tiers.len() as u32
    }
    fn layer_successors(&self, layer: u32) -> Vec<u32> {
        let [more, fewer] = self.ranks.tiers[layer as usize];
        if more + fewer == self.ranks.squares {
            return Vec::new();
        }
        let next = [[more + 1, fewer], [more, fewer + 1]];
        let mut layers = next.map(|[own, other]| self.ranks.tier(Marks { own, other }) as u32);
        layers.sort_unstable();
        let mut layers = Vec::from(layers);
        layers.dedup();
        layers
    }
    fn layer_name(&self, layer: u32) -> String {
        match self.ranks.tiers[layer as usize] {
            [0, 0] => "no mark".into(),
            [more, fewer] => format!("{more} and {fewer} marks"),
        }
    }
    fn tier_len(&self, tier: u64) -> u64 {
        let [own, other] = self.ranks.tiers[tier as usize];
        let orders = if own == other { 1 } else { 2 };
        orders * self.ranks.lens[self.ranks.mark_class(Marks { own, other })]
    }
    fn orbit_run(&self, tier: u64, rank: u64) -> OrbitRun {
        let (marks, first) = self.mark_class_at(tier, rank);
        let mut run = self.ranks.orbit_run(marks, rank - first);
        run.ranks = run.ranks.start + first..run.ranks.end + first;
        run
    }
}

/// `rank = behind * numbers of the mark class + number in it`. `behind` is 1 if the player to
/// move has fewer marks, else 0. The players are exchanged so that a rank has X to move.
impl Ranked for Quixo {
    #[inline]
    fn rank(&self, position: QuixoPosition) -> Option<(u64, u64)> {
        let marks = position.marks();
        let blocks = self.ranks.blocks(marks);
        let way = self.ranks.numbered(blocks, position.own, position.other);
        Some((self.ranks.tier(marks), self.first_rank(marks) + way.number))
    }
    fn tier(&self, position: QuixoPosition) -> Option<u64> {
        Some(self.ranks.tier(position.marks()))
    }
    fn unrank(&self, tier: u64, rank: u64) -> Option<QuixoPosition> {
        let (marks, first) = self.mark_class_at(tier, rank);
        self.ranks.position(marks, rank - first)
    }
    fn unrank_range(&self, tier: u64, ranks: Range<u64>, out: &mut Vec<(u64, QuixoPosition)>) {
        let mut next = ranks.start;
        while next < ranks.end {
            let (marks, first) = self.mark_class_at(tier, next);
            let end = ranks.end.min(first + self.ranks.lens[self.ranks.mark_class(marks)]);
            self.ranks.append(marks, next - first..end - first, first, out);
            next = end;
        }
    }
}

impl Quixo {
    /// Rank of the first way of a mark class in its tier.
    #[inline]
    fn first_rank(&self, marks: Marks) -> u64 {
        if marks.own < marks.other { self.ranks.lens[self.ranks.mark_class(marks)] } else { 0 }
    }

    /// Mark class of the position at a rank, with its first rank.
    fn mark_class_at(&self, tier: u64, rank: u64) -> (Marks, u64) {
        let [own, other] = self.ranks.tiers[tier as usize];
        let ahead = Marks { own, other };
        let len = self.ranks.lens[self.ranks.mark_class(ahead)];
        if rank < len { (ahead, 0) } else { (ahead.exchanged(), len) }
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

    /// Calls `visit` with each position of [`Quixo::each_predecessor`] and the number of its way,
    /// once for each push of the ranked way that leads to an image of `position`.
    ///
    /// A push back from a position with `s` symmetries to one with `t` stands for `t / s` pushes
    /// forward.
    fn each_ranked_predecessor(
        &self,
        position: QuixoPosition,
        mut visit: impl FnMut(QuixoPosition, u64),
    ) {
        let marks = position.marks();
        let blocks = self.ranks.blocks(marks);
        let numbered = self.ranks.numbered(blocks, position.own, position.other);
        let blocks = self.ranks.blocks(marks.exchanged());
        let number = |before: QuixoPosition| self.ranks.numbered(blocks, before.own, before.other);
        if numbered.stabilizer == 1 {
            self.each_predecessor(position, |before| {
                let way = number(before);
                (0..way.stabilizer).for_each(|_| visit(before, way.number));
            });
            return;
        }
        let mut found = Vec::new();
        self.each_predecessor(position, |before| found.push((number(before), before)));
        found.sort_unstable_by_key(|(way, _)| way.number);
        for equal in found.chunk_by(|one, next| one.0.number == next.0.number) {
            let (way, before) = equal[0];
            let pushes = equal.len() * usize::from(way.stabilizer);
            (0..pushes / usize::from(numbered.stabilizer)).for_each(|_| visit(before, way.number));
        }
    }
}

impl Retro for Quixo {
    fn predecessors(&self, position: QuixoPosition, out: &mut Vec<QuixoPosition>) {
        self.each_ranked_predecessor(position, |before, _| out.push(before));
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
        let first = self.first_rank(position.marks().exchanged());
        self.each_ranked_predecessor(position, |_, number| out.push(first + number));
    }
}
