//! Permutations of the bytes of a lane, and distances that the leader's moves go in it.

use crate::simd::byte_permutation::BytePermutation;
use crate::simd::chunk::{CHUNK_BYTES, Chunk};
use crate::space::board_tables::{BoardTables, Translation};

/// Tables that every look at a block needs.
#[derive(Clone, Copy)]
pub(crate) struct AcyclicTables<'a> {
    /// Rules of the game.
    pub(crate) board: &'a BoardTables,
    /// Permutations of a lane's bytes.
    pub(crate) permutations: &'a LanePermutations,
}

/// Permutations of a lane's bytes, and the moves of a leader as distances between bytes.
///
/// Byte `line * squares + square` of a lane belongs to two leaders, as in
/// [`crate::acyclic::tier::ByteTier`].
pub(crate) struct LanePermutations {
    pub(crate) chunks: usize,
    /// Lanes with a line for each square of the mover's leader, brought to the order of a tier.
    ///
    /// Lines and bytes are transposed, and the board is turned by 180 degrees. Index 1 also mirrors
    /// the board, for a block that is stored as its image.
    pub(crate) half_turns: [BytePermutation; 2],
    /// Mirror image of a lane; the identity where there is no mirror.
    pub(crate) image: BytePermutation,
    /// Moves of the mover's leader. Index: kind of move.
    pub(crate) leader_shifts: Vec<Vec<LeaderShift>>,
    /// Chunks by which a leader's move may lead beyond the first or last lane, at most.
    pub(crate) margin: usize,
}

/// Moves of the leader by the same distance.
pub(crate) struct LeaderShift {
    /// Bytes from the leader's line to the line of its target.
    pub(crate) by: isize,
    /// 0 for the bytes of lines that the move starts from, 255 for all others.
    pub(crate) barred: Vec<Chunk>,
}

impl LanePermutations {
    /// Tabulates the permutations and moves of a board.
    #[inline]
    pub(crate) fn new(tables: &BoardTables) -> Self {
        let squares = tables.squares;
        let bytes = squares * squares;
        let image =
            |square| tables.mirror.as_ref().map_or(square, |mirror| mirror.image_square(square));
        let half_turn = |at: usize, image: &dyn Fn(usize) -> usize| {
            let [line, square] = [at / squares, at % squares].map(image);
            (squares - 1 - square) * squares + squares - 1 - line
        };
        let shifts_of_kind = |kind: usize| {
            let translations = tables.kinds[kind].moves[0].translations.iter();
            let shift = |translation: &Translation| LeaderShift {
                by: translation.distance * squares as isize,
                barred: barred_bytes(squares, translation.sources),
            };
            translations.map(shift).collect::<Vec<_>>()
        };
        let leader_shifts: Vec<Vec<LeaderShift>> =
            (0..tables.kinds.len()).map(shifts_of_kind).collect();
        let all = leader_shifts.iter().flatten();
        let margin = all.map(|shift| shift.by.unsigned_abs()).max();
        Self {
            chunks: bytes.div_ceil(CHUNK_BYTES),
            half_turns: [
                BytePermutation::new(bytes, |at| half_turn(at, &|square| square)),
                BytePermutation::new(bytes, |at| half_turn(at, &image)),
            ],
            image: BytePermutation::new(bytes, |at| {
                image(at / squares) * squares + image(at % squares)
            }),
            leader_shifts,
            margin: margin.unwrap_or(0).div_ceil(CHUNK_BYTES),
        }
    }
}

/// A lane of bytes: 0 in the lines of the squares `sources`, 255 everywhere else.
#[inline]
fn barred_bytes(squares: usize, sources: u32) -> Vec<Chunk> {
    let bytes = squares * squares;
    let byte =
        |at: usize| if at < bytes && sources >> (at / squares) & 1 == 1 { 0 } else { u8::MAX };
    let chunk = |chunk| Chunk(std::array::from_fn(|at| byte(chunk * CHUNK_BYTES + at)));
    (0..bytes.div_ceil(CHUNK_BYTES)).map(chunk).collect()
}
