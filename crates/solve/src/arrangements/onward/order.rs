//! Blocks of bytes, and how their bytes are put in another order.

use super::super::cpu::Chunk;
use super::super::shape::{self, Frame};

/// Bytes that are taken at once.
pub(super) const WIDE: usize = 64;

/// Another order of the bytes of a lane.
pub(in super::super) struct Order {
    /// Which byte comes at each place.
    sources: Vec<u16>,
    /// The same from two chunks a step, by the chunk they come to.
    pub(in super::super) steps: Vec<Step>,
    /// How many steps each chunk takes.
    pub(in super::super) steps_of: Vec<usize>,
}

/// To take bytes from two chunks.
pub(in super::super) struct Step {
    pub(in super::super) from: [usize; 2],
    /// Which of these 128 bytes comes at each place.
    pub(in super::super) bytes: Chunk,
    /// Places where one of them comes.
    pub(in super::super) places: u64,
}

impl Order {
    /// Of so many bytes, of which some are filled up to chunks.
    #[inline]
    pub(in super::super) fn new(bytes: usize, source: impl Fn(usize) -> usize) -> Self {
        let chunks = bytes.div_ceil(WIDE);
        let source = |at| if at < bytes { source(at) } else { at };
        let sources: Vec<u16> = (0..chunks * WIDE).map(|at| source(at) as u16).collect();
        let mut steps = Vec::new();
        let mut steps_of = Vec::new();
        for of in sources.chunks(WIDE) {
            let begin = steps.len();
            for pair in 0..chunks.div_ceil(2) {
                let is_there = |source: u16| usize::from(source) / (2 * WIDE) == pair;
                let places = (0..WIDE).filter(|&place| is_there(of[place]));
                let places = places.fold(0, |all, place| all | 1_u64 << place);
                if places != 0 {
                    steps.push(Step {
                        from: [2 * pair, (2 * pair + 1).min(chunks - 1)],
                        bytes: Chunk(std::array::from_fn(|place| of[place] as u8 & 127)),
                        places,
                    });
                }
            }
            steps_of.push(steps.len() - begin);
        }
        Self {
            sources,
            steps,
            steps_of,
        }
    }

    /// Puts bytes in this order, one by one.
    #[inline(always)]
    pub(in super::super) fn arrange(&self, bytes: &[Chunk], to: &mut [Chunk]) {
        for (to, sources) in to.iter_mut().zip(self.sources.as_chunks::<WIDE>().0) {
            for (to, &source) in to.0.iter_mut().zip(sources) {
                let source = usize::from(source);
                *to = bytes[source / WIDE].0[source % WIDE];
            }
        }
    }
}

/// What is looked up to go over lanes.
pub(super) struct Orders {
    /// Chunks of a lane.
    pub(super) chunks: usize,
    /// From what moves lead to, a row for each square of the mover's leader, to a block as it is kept, or to its image.
    pub(super) turned: [Order; 2],
    /// The image of a block.
    pub(super) image: Order,
    /// For each kind of move how the leader goes.
    pub(super) leaders: Vec<Vec<Shift>>,
    /// Chunks that a leader's moves may lead beyond a lane.
    pub(super) margin: usize,
}

/// Moves of the leader that go equally far.
pub(super) struct Shift {
    /// By how many bytes.
    pub(super) by: isize,
    /// All ones for the bytes of squares where there is no such move.
    pub(super) barred: Vec<Chunk>,
}

impl Orders {
    #[inline]
    pub(super) fn new(frame: &Frame) -> Self {
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
            let shift = |step: &shape::Step| Shift {
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
