//! Numbers of the undecided positions.

use hindsight_core::Placement;
use hindsight_core::combinatorics::SetBits;

use crate::plane::packing::line_begin_bit;
use crate::simd::portable::Portable;
use crate::simd::token::Simd;
use crate::space::board_tables::BoardTables;
use crate::space::sets::set_rank;
use crate::space::subproblem::Subproblem;

/// Undecided positions with side 0 to move, numbered from 0.
///
/// Numbers ascend by subproblem, canonical row, block and bit of the block.
pub(crate) struct UndecidedIndex {
    /// Rows. Index: `[subproblem][canonical row]`.
    pub(crate) rows: Vec<Vec<IndexRow>>,
    pub(crate) count: u32,
    /// Subproblem with `i` and `j` followers, at `i * side + j`; `usize::MAX` if there is none.
    subproblem_of: Vec<usize>,
    side: usize,
}

/// Undecided positions with one follower set of side 1.
#[derive(Default)]
pub(crate) struct IndexRow {
    /// Number of the first position.
    pub(crate) first: u32,
    /// Index into `bits` of each block's first position, then the number of all positions.
    begins: Vec<u32>,
    /// Bit of each position in its block.
    pub(crate) bits: Vec<u16>,
}

impl IndexRow {
    /// Lists the bits that are set in a row of blocks; the caller sets [`IndexRow::first`].
    pub(crate) fn new(blocks: &[u8], block_bytes: usize) -> Self {
        let (mut begins, mut bits) = (vec![0], Vec::new());
        for block in blocks.chunks_exact(block_bytes) {
            for (n, bytes) in block.chunks(8).enumerate() {
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                let word = SetBits(u64::from_le_bytes(word));
                bits.extend(word.map(|bit| (64 * n) as u16 + u16::from(bit)));
            }
            begins.push(bits.len() as u32);
        }
        bits.shrink_to_fit();
        Self { first: 0, begins, bits }
    }

    /// Bits of a block's positions, with the index of the first in [`IndexRow::bits`].
    #[inline(always)]
    pub(crate) fn block(&self, block: usize) -> (usize, &[u16]) {
        let [begin, end] = [self.begins[block], self.begins[block + 1]].map(|at| at as usize);
        (begin, &self.bits[begin..end])
    }
}

/// A position with side 0 to move, or the exchanged one of a position with side 1 to move.
#[derive(Clone, Copy)]
pub(crate) struct SidePosition {
    /// Followers of sides 0 and 1.
    pub(crate) followers: [u32; 2],
    /// Leader squares of sides 0 and 1.
    pub(crate) leaders: [usize; 2],
    /// Lane of the context.
    pub(crate) lane: usize,
}

impl SidePosition {
    /// The exchanged position: sides exchanged, board turned by 180 degrees.
    #[inline(always)]
    pub(crate) fn exchanged(self, tables: &BoardTables) -> Self {
        let [own, other] = self.followers;
        let last = tables.squares - 1;
        Self {
            followers: [tables.half_turn(other), tables.half_turn(own)],
            leaders: [last - self.leaders[1], last - self.leaders[0]],
            lane: tables.exchanged_lane[self.lane],
        }
    }
}

impl UndecidedIndex {
    /// Puts rows of all subproblems together. Their `first` numbers are set already.
    pub(crate) fn new(subproblems: &[Subproblem], rows: Vec<Vec<IndexRow>>, count: u32) -> Self {
        let followers = subproblems.iter().flat_map(|subproblem| subproblem.followers);
        let side = followers.max().unwrap_or(0) as usize + 1;
        let mut subproblem_of = vec![usize::MAX; side * side];
        for (i, subproblem) in subproblems.iter().enumerate() {
            let [own, other] = subproblem.followers.map(|n| n as usize);
            subproblem_of[own * side + other] = i;
        }
        Self { rows, count, subproblem_of, side }
    }

    /// Bytes of the lists.
    pub(crate) fn bytes(&self) -> u64 {
        let rows = self.rows.iter().flatten();
        rows.map(|row| 4 * row.begins.len() as u64 + 2 * row.bits.len() as u64).sum()
    }

    /// Number of a position; `None` if it is decided.
    #[inline(always)]
    pub(crate) fn number_of<S: Simd>(
        &self,
        simd: S,
        tables: &BoardTables,
        subproblems: &[Subproblem],
        position: SidePosition,
    ) -> Option<u32> {
        let SidePosition { followers: [mut own, mut major], mut leaders, mut lane } = position;
        let [i, j] = [own, major].map(|set| set.count_ones() as usize);
        let subproblem = self.subproblem_of[i * self.side + j];
        let (row, is_image) = subproblems[subproblem].canonical_rows[1].row_of(set_rank(major));
        let row = &self.rows[subproblem][row];
        if row.bits.is_empty() {
            return None;
        }
        if let Some(mirror) = tables.mirror.as_ref().filter(|_| is_image) {
            (own, major) = (mirror.image(own), mirror.image(major));
            leaders = [mirror.image_square(leaders[0]), mirror.image_square(leaders[1])];
            lane = mirror.lane_images[lane];
        }
        let block = set_rank(simd.extract(own.into(), (!major).into()) as u32);
        let (begin, bits) = row.block(block);
        let free = tables.board() & !(own | major);
        let below = free & ((1 << leaders[1]) - 1);
        let bit = 8 * subproblems[subproblem].lane_bytes * lane
            + line_begin_bit(free, leaders[0])
            + below.count_ones() as usize;
        let at = bits.partition_point(|&other| usize::from(other) < bit);
        match bits.get(at) {
            Some(&other) if usize::from(other) == bit => Some(row.first + (begin + at) as u32),
            _ => None,
        }
    }

    /// As [`UndecidedIndex::number_of`], for a placement with side 0 to move.
    pub(crate) fn number_of_placement(
        &self,
        tables: &BoardTables,
        subproblems: &[Subproblem],
        position: Placement,
    ) -> Option<u32> {
        let position = SidePosition {
            followers: position.followers,
            leaders: position.leaders.map(usize::from),
            lane: tables.lane_of_context[usize::from(position.context)],
        };
        self.number_of(Portable, tables, subproblems, position)
    }
}
