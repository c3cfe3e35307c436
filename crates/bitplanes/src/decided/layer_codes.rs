//! Codes of a layer of a table, from the passes that decided its positions.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

use hindsight_core::{PackedGame, Placement, Ranked, TwoSided, Value};
use hindsight_engine::{Error, Layer, LayerCodes, Monitor, PIECE_RANKS, Progress, TakeCodes};
use rayon::prelude::*;

use crate::decided::row_passes::{DecidedPlanes, PlaneKey};
use crate::space::board_tables::BoardTables;
use crate::space::sets::squares;
use crate::space::subproblem::{PlaneShape, Subproblem};
use crate::values::value_of_pass;

const HOLE: u8 = 0;

/// Code of a draw. A win or loss in `n` plies has the code `DRAW + n`.
const DRAW: u8 = 1;

/// Longest remoteness that has a code, in plies.
pub(crate) const MAX_PLIES: u16 = 254;

/// Longest remoteness that a solve with a store keeps, in plies.
///
/// Solves that only count have no such limit.
pub const LONGEST_STORED: u16 = MAX_PLIES;

/// Values of the codes, if the longest remoteness is `plies`.
pub(crate) fn palette(plies: u16) -> Vec<Option<Value>> {
    let decided = (1..=usize::from(plies)).map(|pass| Some(value_of_pass(pass)));
    [None, Some(Value::Draw)].into_iter().chain(decided).collect()
}

/// A solved game, in the order of the planes.
#[derive(Clone, Copy)]
pub(crate) struct PlaneOrder<'a> {
    pub(crate) game: &'a PackedGame,
    pub(crate) tables: &'a BoardTables,
    pub(crate) subproblems: &'a [Subproblem],
    pub(crate) decided: &'a dyn DecidedPlanes,
}

/// Codes of a layer, put in the order of ranks piece by piece.
pub(crate) struct PlaneLayerCodes<'a> {
    pub(crate) solved: PlaneOrder<'a>,
    /// The layer, without codes.
    pub(crate) layer: &'a Layer,
    /// Most ranks in memory at once, at least [`PIECE_RANKS`].
    pub(crate) most_ranks: u64,
    pub(crate) monitor: &'a mut dyn Monitor,
    /// Ranks of the layers before, and of all layers.
    pub(crate) done: u64,
    pub(crate) total: u64,
    /// Number of rounds in which all codes are taken, and of those that are over.
    pub(crate) rounds: u64,
    pub(crate) round: u64,
    /// Codes of the piece that was made last.
    pub(crate) codes: Vec<u8>,
    /// First rank of that piece.
    pub(crate) made: Option<u64>,
}

impl LayerCodes for PlaneLayerCodes<'_> {
    fn for_each_piece(&mut self, take: &mut TakeCodes<'_>) -> Result<(), Error> {
        let ranks = self.layer.starts.last().copied().unwrap_or(0);
        let step = self.most_ranks - self.most_ranks % PIECE_RANKS;
        for first in (0..ranks).step_by(step as usize) {
            let progress = Progress {
                phase: "writing",
                done: self.done + (self.round * ranks + first) / self.rounds,
                total: Some(self.total),
            };
            if !self.monitor.report(progress) {
                return Err(Error::Stopped);
            }
            if self.made.take() != Some(first) {
                let len = step.min(ranks - first) as usize;
                let codes = cleared(std::mem::take(&mut self.codes), len);
                self.codes = self.solved.codes(self.layer, first, codes)?;
            }
            self.made = Some(first);
            take(first, &self.codes).map_err(Error::Store)?;
        }
        self.round += 1;
        Ok(())
    }
}

/// `len` holes, in the memory of earlier codes if they were as many. The system would clear fresh
/// memory page by page.
fn cleared(mut codes: Vec<u8>, len: usize) -> Vec<u8> {
    if codes.len() < len {
        drop(codes);
        return vec![HOLE; len];
    }
    codes.truncate(len);
    codes.par_chunks_mut(PIECE_RANKS as usize).for_each(|codes| codes.fill(HOLE));
    codes
}

/// A placement of a block.
#[derive(Clone, Copy)]
struct PutPlace {
    /// Index of its first context, as of [`PieceCodes::index`].
    index: usize,
    /// Index of its pass in each lane of the block.
    in_lane: usize,
}

/// Codes of some ranks of a layer, on the way.
struct PieceCodes<'a> {
    layer: &'a Layer,
    /// Index of the first rank in the layer.
    first: usize,
    codes: &'a [AtomicU8],
}

impl PieceCodes<'_> {
    /// Returns true if the piece has any of some ranks of a tier.
    fn has_any(&self, tier: u64, ranks: &Range<u64>) -> bool {
        let Ok(i) = self.layer.tiers.binary_search(&tier) else {
            return false;
        };
        let start = self.layer.starts[i];
        let end = (self.first + self.codes.len()) as u64;
        start + ranks.start < end && self.first as u64 <= start + ranks.end.saturating_sub(1)
    }

    /// Index of a rank of a tier, minus the index of the first rank; it wraps before that one.
    /// `None` for a tier of another layer.
    fn index(&self, tier: u64, rank: u64) -> Option<usize> {
        let i = match self.layer.tiers[..] {
            [only] => (only == tier).then_some(0)?,
            ref tiers => tiers.binary_search(&tier).ok()?,
        };
        let index = (self.layer.starts[i] + rank) as usize;
        Some(index.wrapping_sub(self.first))
    }

    /// Loads codes of some placements. These lie far apart, and the cache misses of one after the
    /// other would add up; loaded together, the misses overlap.
    #[inline]
    fn load(&self, places: &[PutPlace], lanes: usize) {
        let load = |index: usize| {
            let code = self.codes.get(index);
            code.map_or(HOLE, |code| code.load(Ordering::Relaxed))
        };
        let loaded = places.iter().fold(HOLE, |all, place| {
            let last = place.index.wrapping_add(lanes - 1);
            all | load(place.index) | load(last)
        });
        std::hint::black_box(loaded);
    }

    /// Puts the codes of all contexts of a placement.
    #[inline]
    fn put(&self, place: PutPlace, view: &BlockView, block: &BlockPasses<'_>) {
        let PutPlace { index, in_lane } = place;
        let lanes = view.contexts.len();
        let whole = index.checked_add(lanes).and_then(|end| self.codes.get(index..end));
        for (lane, &context) in view.contexts.iter().enumerate() {
            let old = match whole {
                Some(whole) => Some(&whole[context]),
                // The placement is cut by an end of the piece, or outside.
                None => self.codes.get(index.wrapping_add(context)),
            };
            if let Some(old) = old {
                view.put(old, DRAW.saturating_add(block.pass(lane, in_lane)));
            }
        }
    }
}

/// Passes of a block, lane by lane.
struct BlockPasses<'a> {
    /// A byte for each bit of the block, or nothing if all are 0.
    bytes: &'a [u8],
    /// Bytes of a lane.
    lane_len: usize,
}

impl BlockPasses<'_> {
    /// The pass of a bit of a lane.
    #[inline]
    fn pass(&self, lane: usize, bit: usize) -> u8 {
        let pass = self.bytes.get(lane * self.lane_len + bit);
        pass.copied().unwrap_or(0)
    }
}

impl BlockView {
    /// Puts the code of a position in one of its two planes. No race: every position is in one
    /// block of a plane, and the planes follow one another.
    #[inline]
    fn put(&self, old: &AtomicU8, code: u8) {
        let code = if self.is_exchanged { code.max(old.load(Ordering::Relaxed)) } else { code };
        old.store(code, Ordering::Relaxed);
    }
}

/// A block as one of the positions that it stands for: itself, its mirror image, or either of them
/// with the sides exchanged. Side 0 is to move.
struct BlockView {
    followers: [u32; 2],
    /// True if the lines of the block are the squares of side 1's leader.
    is_exchanged: bool,
    /// Number of the context of each lane.
    contexts: Vec<usize>,
    /// Square of the view for each square of the block.
    square_of: [u8; 32],
}

/// A block of a row that has positions of a piece.
struct TouchingBlock {
    /// Number of the block in its row.
    number: usize,
    followers: [u32; 2],
    view: BlockView,
    /// Squares of side 0's leader in the view with positions of the piece.
    leaders: u32,
}

impl PlaneOrder<'_> {
    /// Puts the codes of ranks of a layer, from index `first` on, into as many `holes`.
    fn codes(&self, layer: &Layer, first: u64, holes: Vec<u8>) -> Result<Vec<u8>, Error> {
        let codes: Vec<AtomicU8> = holes.into_iter().map(AtomicU8::new).collect();
        let piece = PieceCodes { layer, first: first as usize, codes: &codes };
        // Wins come first, since they tell draws from holes.
        for mover in 0..2 {
            for subproblem in 0..self.subproblems.len() {
                self.put_plane(PlaneKey { mover, subproblem }, &piece)?;
            }
        }
        Ok(codes.into_iter().map(AtomicU8::into_inner).collect())
    }

    /// Puts the codes of a plane, if it has positions of the layer.
    fn put_plane(&self, plane: PlaneKey, piece: &PieceCodes<'_>) -> Result<(), Error> {
        let subproblem = &self.subproblems[plane.subproblem];
        if !self.belongs(plane, piece) {
            return Ok(());
        }
        let shape = PlaneShape { subproblem, major: 1 - plane.mover };
        let decided = self.decided.plane(plane)?;
        let rows = shape.row_sets().par_iter().enumerate();
        let block_bytes = subproblem.block_bytes;
        rows.try_for_each(|(row, &major)| {
            let blocks = self.touching_blocks(plane, major, piece);
            let (Some(first), Some(last)) = (blocks.first(), blocks.last()) else {
                return Ok(());
            };
            let needed = first.number * block_bytes..(last.number + 1) * block_bytes;
            let mut put = |passes: &[u8]| {
                for touching in &blocks {
                    let begin = 8 * touching.number * block_bytes;
                    let block = passes.get(begin..begin + 8 * block_bytes);
                    self.put_block(touching, block.unwrap_or_default(), piece);
                }
            };
            decided.with_row(row, needed, &mut put)
        })
    }

    /// Returns true if the positions of a plane belong to the layer. All of them lie in one tier.
    fn belongs(&self, plane: PlaneKey, piece: &PieceCodes<'_>) -> bool {
        let [own, other] = self.subproblems[plane.subproblem].followers;
        let mut counts = [own, other];
        if plane.mover == 1 {
            counts.reverse();
        }
        // Followers on the first free squares between the goals, then the leaders.
        let [goal, other_goal] = self.tables.goals;
        let open = squares(self.tables.board() & !goal & !other_goal);
        let goals = squares(goal | other_goal);
        let mut free = goals.chain(open);
        let mut take = |n: u32| free.by_ref().take(n as usize).fold(0, |set, i| set | 1_u32 << i);
        let followers = [take(counts[0]), take(counts[1])];
        let leaders =
            squares(self.tables.board() & !followers[0] & !followers[1] & !goal & !other_goal);
        let leaders: Vec<usize> = leaders.take(2).collect();
        let [one, two] = leaders[..] else {
            return true;
        };
        let placement =
            Placement { mover: 0, followers, leaders: [one as u8, two as u8], context: 0 };
        let address = self.game.rank(self.game.position_of(placement));
        address.is_some_and(|(tier, _)| piece.layer.tiers.binary_search(&tier).is_ok())
    }

    /// Blocks of a row that have positions of a piece. The row's major side has the followers
    /// `major`.
    fn touching_blocks(
        &self,
        plane: PlaneKey,
        major: u32,
        piece: &PieceCodes<'_>,
    ) -> Vec<TouchingBlock> {
        let subproblem = &self.subproblems[plane.subproblem];
        let mirror = self.tables.mirror.as_ref();
        let mirror = mirror.filter(|mirror| mirror.image(major) != major);
        let mut blocks = Vec::new();
        for (number, &minor) in subproblem.sets_beside[plane.mover].iter().enumerate() {
            let minor =
                hindsight_core::combinatorics::expand(minor.into(), !u64::from(major)) as u32;
            let mut followers = [minor, major];
            if plane.mover == 1 {
                followers.reverse();
            }
            let image = mirror.map(|_| self.image_view(plane.mover, followers));
            for view in [self.view(plane.mover, followers)].into_iter().chain(image) {
                let leaders = self.leaders_in(&view, piece);
                if leaders != 0 {
                    blocks.push(TouchingBlock { number, followers, view, leaders });
                }
            }
        }
        blocks
    }

    /// Squares of side 0's leader in a view with positions of a piece.
    fn leaders_in(&self, view: &BlockView, piece: &PieceCodes<'_>) -> u32 {
        let [own, other] = view.followers;
        let free = squares(self.tables.board() & !own & !other);
        let touching = free.filter(|&leader| {
            let others = other.count_ones();
            let (tier, ranks) = self.game.ranks_beside(own, leader as u8, others);
            piece.has_any(tier, &ranks)
        });
        touching.fold(0, |set, leader| set | 1 << leader)
    }

    /// The block with these followers of sides 0 and 1.
    fn view(&self, mover: usize, followers: [u32; 2]) -> BlockView {
        let last = self.tables.squares as u8 - 1;
        let context = |lane: usize| usize::from(self.tables.contexts[lane]);
        let lanes = 0..self.tables.lanes;
        match mover {
            0 => BlockView {
                followers,
                is_exchanged: false,
                contexts: lanes.map(context).collect(),
                square_of: std::array::from_fn(|square| square as u8),
            },
            _ => BlockView {
                followers: [1, 0].map(|side: usize| self.tables.half_turn(followers[side])),
                is_exchanged: true,
                contexts: lanes.map(|lane| context(self.tables.exchanged_lane[lane])).collect(),
                square_of: std::array::from_fn(|square| last.wrapping_sub(square as u8)),
            },
        }
    }

    /// The mirror image of the block with these followers of sides 0 and 1.
    fn image_view(&self, mover: usize, followers: [u32; 2]) -> BlockView {
        let mirror = self.tables.mirror.as_ref().expect("a mirror");
        let view = self.view(mover, followers.map(|set| mirror.image(set)));
        let images = mirror.lane_images.iter();
        BlockView {
            contexts: images.map(|&lane| view.contexts[lane]).collect(),
            square_of: std::array::from_fn(|square| {
                view.square_of[mirror.image_square(square) & 31]
            }),
            ..view
        }
    }

    /// Puts the codes of a block. `block` has its passes, or nothing if all are 0.
    fn put_block(&self, touching: &TouchingBlock, block: &[u8], piece: &PieceCodes<'_>) {
        let TouchingBlock { followers, view, .. } = touching;
        let [goal, other_goal] = self.tables.goals;
        let free = self.tables.board() & !followers[0] & !followers[1];
        let count = free.count_ones() as usize;
        let block = BlockPasses { bytes: block, lane_len: 8 * (count * count).div_ceil(8) };
        let lines = squares(free).enumerate().filter(|(_, line)| goal >> line & 1 == 0);
        let mut places = Vec::with_capacity(count);
        for (i, line) in lines {
            places.clear();
            let bits = squares(free)
                .enumerate()
                .filter(|&(_, bit)| bit != line && other_goal >> bit & 1 == 0);
            places.extend(bits.filter_map(|(j, bit)| {
                let index = self.index(touching, [line, bit], piece)?;
                let in_lane = i * count + j;
                Some(PutPlace { index, in_lane })
            }));
            piece.load(&places, view.contexts.len());
            for &place in &places {
                piece.put(place, view, &block);
            }
        }
    }

    /// Index of the placement with leaders on a line and a bit of a block; `None` if no position of
    /// it belongs to the piece.
    #[inline]
    fn index(
        &self,
        touching: &TouchingBlock,
        [line, bit]: [usize; 2],
        piece: &PieceCodes<'_>,
    ) -> Option<usize> {
        let view = &touching.view;
        let mut leaders = [view.square_of[line], view.square_of[bit]];
        if view.is_exchanged {
            leaders.reverse();
        }
        if touching.leaders >> leaders[0] & 1 == 0 {
            return None;
        }
        let placement = Placement { mover: 0, followers: view.followers, leaders, context: 0 };
        let (tier, rank) = self.game.rank(self.game.position_of(placement))?;
        piece.index(tier, rank)
    }
}
