//! What is undecided, listed and numbered.

use hindsight_core::Placement;

use crate::plane::packing::line_begin_bit;
use crate::simd::portable::Portable;
use crate::simd::token::Simd;
use crate::space::board_tables::BoardTables;
use crate::space::sets::set_rank;
use crate::space::subproblem::Subproblem;

/// What is undecided with side 0 to move.
pub(crate) struct UndecidedIndex {
    /// For each problem the rows that are kept.
    pub(crate) rows: Vec<Vec<IndexRow>>,
    pub(crate) count: u32,
    /// The problem with so many followers, in a square with sides of so many numbers.
    pub(crate) subproblem_of: Vec<usize>,
    pub(crate) side: usize,
}

/// With these followers of side 1.
#[derive(Default)]
pub(crate) struct IndexRow {
    /// The number of the first.
    pub(crate) first: u32,
    /// For each block where it begins, then where the last one ends.
    pub(crate) begins: Vec<u32>,
    /// Bits in their blocks.
    pub(crate) bits: Vec<u16>,
}

impl IndexRow {
    pub(crate) fn new(blocks: &[u8], stride: usize) -> Self {
        let (mut begins, mut bits) = (vec![0], Vec::new());
        for block in blocks.chunks_exact(stride) {
            for (n, bytes) in block.chunks(8).enumerate() {
                let mut word = [0; 8];
                word[..bytes.len()].copy_from_slice(bytes);
                let mut word = u64::from_le_bytes(word);
                while word != 0 {
                    bits.push((64 * n) as u16 + word.trailing_zeros() as u16);
                    word &= word - 1;
                }
            }
            begins.push(bits.len() as u32);
        }
        bits.shrink_to_fit();
        Self {
            first: 0,
            begins,
            bits,
        }
    }

    /// The bits of a block.
    #[inline(always)]
    pub(crate) fn block(&self, block: usize) -> (usize, &[u16]) {
        let [begin, end] = [self.begins[block], self.begins[block + 1]].map(|at| at as usize);
        (begin, &self.bits[begin..end])
    }
}

/// A position with side 0 to move.
#[derive(Clone, Copy)]
pub(crate) struct SidePosition {
    pub(crate) followers: [u32; 2],
    pub(crate) leaders: [usize; 2],
    pub(crate) lane: usize,
}

impl SidePosition {
    /// Seen by side 1.
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
    pub(crate) fn bytes(&self) -> u64 {
        let rows = self.rows.iter().flatten();
        rows.map(|row| 4 * row.begins.len() as u64 + 2 * row.bits.len() as u64)
            .sum()
    }

    /// The number of a position, if it is undecided.
    #[inline(always)]
    pub(crate) fn number_of<S: Simd>(
        &self,
        simd: S,
        (tables, subproblems): (&BoardTables, &[Subproblem]),
        position: SidePosition,
    ) -> Option<u32> {
        let SidePosition {
            followers: [own, major],
            leaders,
            lane,
        } = position;
        let [i, j] = [own, major].map(|set| set.count_ones() as usize);
        let subproblem = self.subproblem_of[i * self.side + j];
        let (row, is_image) = subproblems[subproblem].canonical_rows[1].row_of(set_rank(major));
        let row = &self.rows[subproblem][row];
        if row.bits.is_empty() {
            return None;
        }
        let (mut own, mut major, mut leaders, mut lane) = (own, major, leaders, lane);
        if let Some(mirror) = tables.mirror.as_ref().filter(|_| is_image) {
            (own, major) = (mirror.image(own), mirror.image(major));
            leaders = [
                mirror.image_square(leaders[0]),
                mirror.image_square(leaders[1]),
            ];
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

    pub(crate) fn number_of_placement(
        &self,
        of: (&BoardTables, &[Subproblem]),
        position: Placement,
    ) -> Option<u32> {
        let position = SidePosition {
            followers: position.followers,
            leaders: position.leaders.map(usize::from),
            lane: of.0.lane_of_context[usize::from(position.context)],
        };
        self.number_of(Portable, of, position)
    }
}
