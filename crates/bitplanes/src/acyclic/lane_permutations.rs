//! Blocks of bytes, and how their bytes are put in another order.

use crate::simd::byte_permutation::Order;
use crate::simd::chunk::{Chunk, WIDE};
use crate::space::board_tables::{Frame, Step};

/// What is looked up to go over lanes.
pub(crate) struct Orders {
    /// Chunks of a lane.
    pub(crate) chunks: usize,
    /// From what moves lead to, a row for each square of the mover's leader, to a block as it is kept, or to its image.
    pub(crate) turned: [Order; 2],
    /// The image of a block.
    pub(crate) image: Order,
    /// For each kind of move how the leader goes.
    pub(crate) leaders: Vec<Vec<Shift>>,
    /// Chunks that a leader's moves may lead beyond a lane.
    pub(crate) margin: usize,
}

/// Moves of the leader that go equally far.
pub(crate) struct Shift {
    /// By how many bytes.
    pub(crate) by: isize,
    /// All ones for the bytes of squares where there is no such move.
    pub(crate) barred: Vec<Chunk>,
}

impl Orders {
    #[inline]
    pub(crate) fn new(frame: &Frame) -> Self {
        let squares = frame.squares;
        let bytes = squares * squares;
        let image = |square| {
            frame
                .mirror
                .as_ref()
                .map_or(square, |mirror| mirror.square(square))
        };
        let turned = |at: usize, image: &dyn Fn(usize) -> usize| {
            let [row, column] = [at / squares, at % squares].map(image);
            (squares - 1 - column) * squares + squares - 1 - row
        };
        let shifts = |group: usize| {
            let steps = frame.groups[group].moves[0].steps.iter();
            let shift = |step: &Step| Shift {
                by: step.distance * squares as isize,
                barred: barred(squares, step.from),
            };
            steps.map(shift).collect::<Vec<_>>()
        };
        let leaders: Vec<Vec<Shift>> = (0..frame.groups.len()).map(shifts).collect();
        let all = leaders.iter().flatten();
        let margin = all.map(|shift| shift.by.unsigned_abs()).max();
        Self {
            chunks: bytes.div_ceil(WIDE),
            turned: [
                Order::new(bytes, |at| turned(at, &|square| square)),
                Order::new(bytes, |at| turned(at, &image)),
            ],
            image: Order::new(bytes, |at| {
                image(at / squares) * squares + image(at % squares)
            }),
            leaders,
            margin: margin.unwrap_or(0).div_ceil(WIDE),
        }
    }
}

/// All ones for the rows of other squares than these.
#[inline]
fn barred(squares: usize, from: u32) -> Vec<Chunk> {
    let bytes = squares * squares;
    let of = |at: usize| match at < bytes && from >> (at / squares) & 1 == 1 {
        true => 0,
        false => u8::MAX,
    };
    let chunk = |chunk| Chunk(std::array::from_fn(|at| of(chunk * WIDE + at)));
    (0..bytes.div_ceil(WIDE)).map(chunk).collect()
}
