use alloc::vec::Vec;

use super::OstleBoard;
use super::images::SquareSetImages;

/// Classes of the hole's squares under the eight symmetries, and the symmetries themselves.
#[derive(Debug)]
pub(super) struct HoleClasses {
    pub(super) images: SquareSetImages,
    /// Number of squares of the board.
    pub(super) squares: u32,
    /// `class_of[square]`: the class, and the first symmetry that takes the square to the class's
    /// representative.
    pub(super) class_of: Vec<(u8, u8)>,
    pub(super) classes: Vec<HoleClass>,
    /// `composed[first][then]`: symmetry `first`, followed by symmetry `then`.
    pub(super) composed: [[u8; 8]; 8],
}

/// A class of squares, named by its least square, the representative.
#[derive(Debug)]
pub(super) struct HoleClass {
    pub(super) square: u8,
    /// Symmetries that fix the representative, without the identity.
    pub(super) group: Vec<u8>,
}

impl HoleClasses {
    #[inline]
    pub(super) fn new(board: &OstleBoard) -> Self {
        let images = SquareSetImages::new(board);
        let mut class_of = Vec::new();
        let mut classes: Vec<HoleClass> = Vec::new();
        for square in 0..board.squares() {
            let image = |symmetry: usize| board.map_square(symmetry, square);
            let all = || 0..board.symmetries();
            let found = classes.iter().enumerate().find_map(|(class, hole)| {
                let symmetry = all().find(|&symmetry| image(symmetry) == hole.square)?;
                Some((class as u8, symmetry as u8))
            });
            class_of.push(found.unwrap_or_else(|| {
                let group = all().skip(1).filter(|&symmetry| image(symmetry) == square);
                classes.push(HoleClass {
                    square,
                    group: group.map(|symmetry| symmetry as u8).collect(),
                });
                (classes.len() as u8 - 1, 0)
            }));
        }
        Self {
            composed: compose_symmetries(board, &images),
            images,
            squares: board.squares().into(),
            class_of,
            classes,
        }
    }
}

/// Table of compositions: `composed[first][then]`.
#[inline]
fn compose_symmetries(board: &OstleBoard, images: &SquareSetImages) -> [[u8; 8]; 8] {
    // The images of the squares 0 and 1, neighbours in a corner, identify a symmetry.
    let corner = [1, 2];
    let map = |symmetry, sets: [u32; 2]| sets.map(|set| images.get(symmetry, set));
    let compose = |first: usize, then: usize| {
        let wanted = map(then, map(first, corner));
        let found = (0..board.symmetries()).find(|&symmetry| map(symmetry, corner) == wanted);
        found.expect("symmetries are a group") as u8
    };
    core::array::from_fn(|first| core::array::from_fn(|then| compose(first, then)))
}
