//! The pass that decided each position, in the order of the planes.

use std::ops::Range;
use std::sync::{PoisonError, RwLock};

use hindsight_engine::Error;

use crate::decided::new_bits::DecidedRow;
use crate::space::subproblem::{PlaneShape, Subproblem};

/// A plane of a solve.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PlaneKey {
    /// Side to move, 0 or 1.
    pub(crate) mover: usize,
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

/// Bytes of a chunk of rows, so that most of its memory comes in pages of 2 MiB.
const CHUNK_BYTES: usize = 1 << 25;

/// Least number of chunks of a plane, or all rows: a thread that enters a pass locks a chunk.
const MIN_CHUNKS: usize = 64;

/// Passes of a plane: a byte for each bit, in chunks of rows.
struct PlanePasses {
    row_len: usize,
    /// Rows of each chunk but the last.
    chunk_rows: usize,
    chunks: Vec<RwLock<Vec<u8>>>,
}

impl PlanePasses {
    /// Allocates rows of zeros.
    fn new(rows: usize, row_len: usize) -> Self {
        let chunk_rows = (CHUNK_BYTES / row_len).min(rows / MIN_CHUNKS).max(1);
        let chunk = |first: usize| RwLock::new(vec![0; chunk_rows.min(rows - first) * row_len]);
        Self { row_len, chunk_rows, chunks: (0..rows).step_by(chunk_rows).map(chunk).collect() }
    }

    /// The chunk of a row, and its bytes in it.
    fn place(&self, row: usize) -> (&RwLock<Vec<u8>>, Range<usize>) {
        let begin = row % self.chunk_rows * self.row_len;
        let bytes = begin..begin + self.row_len;
        (&self.chunks[row / self.chunk_rows], bytes)
    }

    fn rows_mut(&mut self) -> impl Iterator<Item = &mut [u8]> {
        let chunks = self.chunks.iter_mut();
        chunks.flat_map(|chunk| {
            let chunk = chunk.get_mut().unwrap_or_else(PoisonError::into_inner);
            chunk.chunks_exact_mut(self.row_len)
        })
    }
}

/// Passes of all planes in memory: a byte for each bit.
pub(crate) struct RowPasses {
    /// Index: `[mover][subproblem]`.
    planes: [Vec<PlanePasses>; 2],
}

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
                PlanePasses::new(shape.row_sets().len(), len)
            };
            subproblems.iter().map(rows).collect()
        };
        Self { planes: [rows(0), rows(1)] }
    }

    /// Enters a pass for the new bits of a row.
    pub(crate) fn add(&self, plane: PlaneKey, decided: &DecidedRow<'_>, pass: u8) {
        let passes = &self.planes[plane.mover][plane.subproblem];
        let (chunk, bytes) = passes.place(decided.row);
        let mut chunk = chunk.write().unwrap_or_else(PoisonError::into_inner);
        add_pass(&mut chunk[bytes], decided.new, pass);
    }

    /// Returns true if no byte is greater than `pass`.
    pub(crate) fn are_within(&mut self, pass: usize) -> bool {
        let mut rows = self.parts().into_iter();
        rows.all(|row| row.iter().all(|&by| usize::from(by) <= pass))
    }

    /// Bytes of all rows, for a checkpoint.
    pub(crate) fn parts(&mut self) -> Vec<&mut [u8]> {
        let planes = self.planes.iter_mut().flatten();
        planes.flat_map(PlanePasses::rows_mut).collect()
    }
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
        let (chunk, bytes) = self.place(row);
        let chunk = chunk.read().unwrap_or_else(PoisonError::into_inner);
        act(&chunk[bytes]);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_a_chunk_do_not_overlap() {
        let mut passes = PlanePasses::new(200, 8);
        assert_eq!((passes.chunk_rows, passes.chunks.len()), (3, 67));
        for pass in 0..200 {
            let (chunk, bytes) = passes.place(pass.into());
            let mut chunk = chunk.write().expect("no thread has failed");
            add_pass(&mut chunk[bytes], &[0b1000_0010], pass);
        }
        let rows = passes.rows_mut().map(|row| row.to_vec());
        assert!(rows.eq((0..200).map(|pass| [0, pass, 0, 0, 0, 0, 0, pass])));
        let mut read = |row: &[u8]| assert_eq!(row, [0, 199, 0, 0, 0, 0, 0, 199]);
        let last = (&passes).with_row(199, 0..1, &mut read);
        last.expect("a row in memory");
    }
}
