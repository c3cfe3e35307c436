//! Left-right mirror of the board, for games whose values are invariant under it.
//!
//! A plane then keeps one of each two mirror images of a row. A line of the other is the line of
//! the mirrored leader square, with the bits of each row of the board reversed.

use hindsight_core::TwoSidedRules;

use crate::simd::token::Simd;

/// Mirror images of squares, sets and lanes.
pub(crate) struct Mirror {
    /// Squares of the middle column, which are their own images.
    middle: u32,
    /// Squares of each column left of the middle, and the distance of its image column.
    columns: Vec<(u32, i32)>,
    /// Image of each square; numbers beyond the board are their own images.
    pub(crate) square_images: [u32; 32],
    pub(crate) lane_images: Vec<usize>,
}

impl Mirror {
    /// Tabulates the mirror; `None` if the rules have none, or if every square is its own image.
    #[inline]
    pub(crate) fn new(rules: &TwoSidedRules, contexts: &[u16], lane_of: &[usize]) -> Option<Self> {
        let mirror = rules.mirror.as_ref().filter(|mirror| mirror.width > 1)?;
        let (width, squares) = (u32::from(mirror.width), u32::from(rules.squares));
        let column = |at| (at..squares).step_by(width as usize).fold(0, |all, i| all | 1_u32 << i);
        let image = |square: u32| {
            if square < squares {
                square - square % width + width - 1 - square % width
            } else {
                square
            }
        };
        let lane = |&context: &u16| lane_of[usize::from(mirror.contexts[usize::from(context)])];
        Some(Self {
            middle: column(width / 2),
            columns: (0..width / 2).map(|at| (column(at), (width - 1 - 2 * at) as i32)).collect(),
            square_images: std::array::from_fn(|square| image(square as u32)),
            lane_images: contexts.iter().map(lane).collect(),
        })
    }

    /// Width of the board, in squares.
    #[inline]
    pub(crate) fn width(&self) -> u32 {
        2 * self.columns.len() as u32 + 1
    }

    #[inline(always)]
    pub(crate) fn image(&self, set: u32) -> u32 {
        let mut image = set & self.middle;
        for &(column, by) in &self.columns {
            image |= (set & column) << by | set >> by & column;
        }
        image
    }

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

    #[inline(always)]
    pub(crate) fn image_square(&self, square: usize) -> usize {
        self.square_images[square & 31] as usize
    }
}
