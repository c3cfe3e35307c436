//! The pass that decided each position, in the order of the planes.

use std::ops::Range;
use std::sync::{Mutex, PoisonError};

use hindsight_run::Error;

use crate::decided::new_bits::DecidedRow;
use crate::space::subproblem::{PlaneShape, Subproblem};

/// A plane of a solve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PlaneKey {
    /// Side to move.
    pub(crate) mover: usize,
    /// Index of the subproblem.
    pub(crate) subproblem: usize,
}

/// Source of the passes that decided the positions of all planes.
pub(crate) trait DecidedPlanes: Sync {
    /// The passes of a plane.
    ///
    /// # Errors
    /// Any error of reading what was kept.
    fn plane(&self, plane: PlaneKey) -> Result<Box<dyn DecidedPlane + '_>, Error>;
}

/// Source of the passes that decided the positions of a plane.
pub(crate) trait DecidedPlane: Sync {
    /// Calls `act` with a byte for each bit of a row: the pass that decided it, or 0. An empty
    /// slice stands for zeros.
    ///
    /// `needed` is a range of the row's bytes, which have eight bits each. Passes of other bits may
    /// be wrong.
    ///
    /// # Errors
    /// As [`DecidedPlanes::plane`].
    fn with_row(
        &self,
        row: usize,
        needed: Range<usize>,
        act: &mut dyn FnMut(&[u8]),
    ) -> Result<(), Error>;
}

/// `SPREAD[byte]` has the byte 255 for each bit of `byte`, the lowest first.
static SPREAD: [u64; 256] = {
    let mut table = [0; 256];
    let mut byte = 0;
    while byte < 256 {
        let mut bit = 0;
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte] |= 255 << (8 * bit);
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// Enters a pass for each new bit of a row. `passes` has a byte for each bit.
pub(crate) fn add_pass(passes: &mut [u8], new: &[u8], pass: u8) {
    let (bytes, _) = passes.as_chunks_mut::<8>();
    let (words, rest) = new.as_chunks::<8>();
    let (of_words, of_rest) = bytes.split_at_mut(8 * words.len());
    for (bytes, word) in of_words.chunks_exact_mut(8).zip(words) {
        // Most words of most passes have no new bit.
        if u64::from_ne_bytes(*word) != 0 {
            add_bytes(bytes, word, pass);
        }
    }
    add_bytes(of_rest, rest, pass);
}

/// Enters a pass for the new bits of some bytes.
#[inline]
fn add_bytes(passes: &mut [[u8; 8]], new: &[u8], pass: u8) {
    let everywhere = u64::from_le_bytes([pass; 8]);
    for (passes, &new) in passes.iter_mut().zip(new) {
        let marked = u64::from_le_bytes(*passes) | everywhere & SPREAD[usize::from(new)];
        *passes = marked.to_le_bytes();
    }
}

/// Rows of a plane, each with its bytes.
type PlanePasses = Vec<Mutex<Vec<u8>>>;

/// Passes of all planes in memory: a byte for each bit.
pub(crate) struct RowPasses {
    /// Index: `[mover][subproblem]`.
    planes: [Vec<PlanePasses>; 2],
}

/// Bytes of [`RowPasses`].
pub(crate) fn bytes_of_row_passes(subproblems: &[Subproblem]) -> u64 {
    let bytes = |subproblem: &Subproblem| {
        let blocks = subproblem.canonical_blocks(0) + subproblem.canonical_blocks(1);
        blocks * 8 * subproblem.block_bytes as u64
    };
    subproblems.iter().map(bytes).sum()
}

impl RowPasses {
    /// Allocates all rows, with zeros.
    pub(crate) fn new(subproblems: &[Subproblem]) -> Self {
        let rows = |mover: usize| {
            let rows = |subproblem: &Subproblem| {
                let major = 1 - mover;
                let shape = PlaneShape { subproblem, major };
                let len = 8 * shape.blocks_per_row() * subproblem.block_bytes;
                let rows = shape.row_sets().iter();
                rows.map(|_| Mutex::new(vec![0; len])).collect()
            };
            subproblems.iter().map(rows).collect()
        };
        Self {
            planes: [rows(0), rows(1)],
        }
    }

    /// Enters a pass for the new bits of a row.
    pub(crate) fn add(&self, plane: PlaneKey, decided: &DecidedRow<'_>, pass: u8) {
        let row = &self.planes[plane.mover][plane.subproblem][decided.row];
        let mut passes = row.lock().unwrap_or_else(PoisonError::into_inner);
        add_pass(&mut passes, decided.new, pass);
    }

    /// Returns true if no byte is greater than `pass`.
    pub(crate) fn are_within(&mut self, pass: usize) -> bool {
        let mut rows = self.parts().into_iter();
        rows.all(|row| row.iter().all(|&by| usize::from(by) <= pass))
    }

    /// Bytes of all rows, for a checkpoint.
    pub(crate) fn parts(&mut self) -> Vec<&mut [u8]> {
        let rows = self.planes.iter_mut().flatten().flatten();
        rows.map(bytes_mut).collect()
    }
}

fn bytes_mut(row: &mut Mutex<Vec<u8>>) -> &mut [u8] {
    row.get_mut().unwrap_or_else(PoisonError::into_inner)
}

impl DecidedPlanes for RowPasses {
    fn plane(&self, plane: PlaneKey) -> Result<Box<dyn DecidedPlane + '_>, Error> {
        let PlaneKey { mover, subproblem } = plane;
        Ok(Box::new(&self.planes[mover][subproblem]))
    }
}

impl DecidedPlane for &PlanePasses {
    fn with_row(
        &self,
        row: usize,
        _: Range<usize>,
        act: &mut dyn FnMut(&[u8]),
    ) -> Result<(), Error> {
        act(&self[row].lock().unwrap_or_else(PoisonError::into_inner));
        Ok(())
    }
}
