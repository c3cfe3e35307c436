//! Left and right exchanged: with cards that are each other's images, half of the blocks tell all.
//!
//! A plane keeps the rows of one of two images each. What is in the others is read from their images, by the
//! words of a lane in reversed order within each row of the board, and so are the bits of the words.

use hindsight_core::TwoSidedRules;

use crate::simd::token::Simd;

/// The images of squares and lanes.
pub(crate) struct Mirror {
    /// The column in the middle.
    middle: u32,
    /// Columns left of it, and how far away their images are.
    columns: Vec<(u32, i32)>,
    /// The image of each square; of others themselves.
    pub(crate) square_images: [u32; 32],
    /// The image of each lane.
    pub(crate) lane_images: Vec<usize>,
}

impl Mirror {
    /// `None` if a game has none, or if every set is its own image.
    #[inline]
    pub(crate) fn new(rules: &TwoSidedRules, contexts: &[u16], lane_of: &[usize]) -> Option<Self> {
        let mirror = rules.mirror.as_ref().filter(|mirror| mirror.width > 1)?;
        let (width, squares) = (u32::from(mirror.width), u32::from(rules.squares));
        let column = |at| {
            (at..squares)
                .step_by(width as usize)
                .fold(0, |all, i| all | 1_u32 << i)
        };
        let image = |square: u32| match square < squares {
            true => square - square % width + width - 1 - square % width,
            false => square,
        };
        let lane = |&context: &u16| lane_of[usize::from(mirror.contexts[usize::from(context)])];
        Some(Self {
            middle: column(width / 2),
            columns: (0..width / 2)
                .map(|at| (column(at), (width - 1 - 2 * at) as i32))
                .collect(),
            square_images: std::array::from_fn(|square| image(square as u32)),
            lane_images: contexts.iter().map(lane).collect(),
        })
    }

    /// Squares of a row of the board.
    #[inline]
    pub(crate) fn width(&self) -> u32 {
        2 * self.columns.len() as u32 + 1
    }

    /// The image of a set of squares.
    #[inline(always)]
    pub(crate) fn image(&self, set: u32) -> u32 {
        let mut image = set & self.middle;
        for &(column, by) in &self.columns {
            image |= (set & column) << by | set >> by & column;
        }
        image
    }

    /// The images of sixteen sets.
    #[inline(always)]
    pub(crate) fn image_words<S: Simd>(&self, simd: S, sets: S::Wide) -> S::Wide {
        let mut images = simd.and(sets, simd.splat(self.middle));
        for &(column, by) in &self.columns {
            let column = simd.splat(column);
            images = simd.or(images, simd.shift(simd.and(sets, column), -by));
            images = simd.or(images, simd.and(simd.shift(sets, by), column));
        }
        images
    }

    /// The image of a square.
    #[inline(always)]
    pub(crate) fn image_square(&self, square: usize) -> usize {
        self.square_images[square & 31] as usize
    }
}
