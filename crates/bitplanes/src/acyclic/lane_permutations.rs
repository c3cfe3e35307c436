//! Blocks of bytes, and how their bytes are put in another order.

use crate::simd::byte_permutation::BytePermutation;
use crate::simd::chunk::{CHUNK_BYTES, Chunk};
use crate::space::board_tables::{BoardTables, Translation};

/// What is looked up to go over lanes.
pub(crate) struct LanePermutations {
    /// Chunks of a lane.
    pub(crate) chunks: usize,
    /// From what moves lead to, a row for each square of the mover's leader, to a block as it is kept, or to its image.
    pub(crate) half_turns: [BytePermutation; 2],
    /// The image of a block.
    pub(crate) image: BytePermutation,
    /// For each kind of move how the leader goes.
    pub(crate) leader_shifts: Vec<Vec<LeaderShift>>,
    /// Chunks that a leader's moves may lead beyond a lane.
    pub(crate) margin: usize,
}

/// Moves of the leader that go equally far.
pub(crate) struct LeaderShift {
    /// By how many bytes.
    pub(crate) by: isize,
    /// All ones for the bytes of squares where there is no such move.
    pub(crate) barred: Vec<Chunk>,
}

impl LanePermutations {
    #[inline]
    pub(crate) fn new(tables: &BoardTables) -> Self {
        let squares = tables.squares;
        let bytes = squares * squares;
        let image = |square| {
            tables
                .mirror
                .as_ref()
                .map_or(square, |mirror| mirror.image_square(square))
        };
        let turned = |at: usize, image: &dyn Fn(usize) -> usize| {
            let [row, column] = [at / squares, at % squares].map(image);
            (squares - 1 - column) * squares + squares - 1 - row
        };
        let shifts = |group: usize| {
            let steps = tables.kinds[group].moves[0].translations.iter();
            let shift = |step: &Translation| LeaderShift {
                by: step.distance * squares as isize,
                barred: barred_bytes(squares, step.sources),
            };
            steps.map(shift).collect::<Vec<_>>()
        };
        let leaders: Vec<Vec<LeaderShift>> = (0..tables.kinds.len()).map(shifts).collect();
        let all = leaders.iter().flatten();
        let margin = all.map(|shift| shift.by.unsigned_abs()).max();
        Self {
            chunks: bytes.div_ceil(CHUNK_BYTES),
            half_turns: [
                BytePermutation::new(bytes, |at| turned(at, &|square| square)),
                BytePermutation::new(bytes, |at| turned(at, &image)),
            ],
            image: BytePermutation::new(bytes, |at| {
                image(at / squares) * squares + image(at % squares)
            }),
            leader_shifts: leaders,
            margin: margin.unwrap_or(0).div_ceil(CHUNK_BYTES),
        }
    }
}

/// All ones for the rows of other squares than these.
#[inline]
fn barred_bytes(squares: usize, from: u32) -> Vec<Chunk> {
    let bytes = squares * squares;
    let of = |at: usize| match at < bytes && from >> (at / squares) & 1 == 1 {
        true => 0,
        false => u8::MAX,
    };
    let chunk = |chunk| Chunk(std::array::from_fn(|at| of(chunk * CHUNK_BYTES + at)));
    (0..bytes.div_ceil(CHUNK_BYTES)).map(chunk).collect()
}
