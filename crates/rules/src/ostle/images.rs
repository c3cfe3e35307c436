use alloc::vec::Vec;

use super::OstleBoard;

/// Table of the images of sets of squares under the eight symmetries. An image takes one lookup for
/// each of five files.
#[derive(Debug)]
pub(super) struct SquareSetImages {
    size: u32,
    /// `of_file[symmetry][file][squares of the file]`: image of the squares of one file.
    of_file: Vec<[[u32; 32]; 5]>,
}

impl SquareSetImages {
    #[inline]
    pub(super) fn new(board: &OstleBoard) -> Self {
        let size = u32::from(board.size());
        let of_file = (0..board.symmetries()).map(|symmetry| {
            let mut files = [[0; 32]; 5];
            for (file, images) in (0..size).zip(&mut files) {
                for (squares, image) in (0..1_u32 << size).zip(images) {
                    *image = board.map_squares(symmetry, squares << (file * size));
                }
            }
            files
        });
        Self { size, of_file: of_file.collect() }
    }

    #[inline]
    pub(super) fn get(&self, symmetry: usize, squares: u32) -> u32 {
        let files = &self.of_file[symmetry];
        let file =
            |i: u32| files[i as usize][(squares >> (i * self.size) & 31) as usize & self.mask()];
        file(0) | file(1) | file(2) | file(3) | file(4)
    }

    #[inline]
    fn mask(&self) -> usize {
        (1 << self.size) - 1
    }
}
