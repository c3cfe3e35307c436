//! Passes over the explicit graph, until one finds nothing.

use hindsight_engine::{Budget, Error};
use rayon::prelude::*;

use crate::out_of_core::explicit::index::{IndexRow, UndecidedIndex};
use crate::out_of_core::explicit::successors::{DecidedBits, EdgeKernel, EdgeRow, ExplicitGraph};
use crate::out_of_core::state::{Buffer, OutOfCoreRun};
use crate::out_of_core::tile_io::PlaneSource;
use crate::pass::schedule::in_batches;
use crate::simd::dispatch::Instructions;
use crate::space::subproblem::Subproblem;
use crate::values::counted_twice;

/// At most one position in this number may be undecided; with more, planes are faster.
const UNDECIDED_PART: u64 = 256;

/// Estimated bytes of a position: its number, its count, and some four edges.
const BYTES_PER_POSITION: u64 = 20;

/// Error text for tiles that do not fit together.
const MISMATCH: &str = "what is undecided in the tiles is not what was counted";

/// Rows between two reports.
const ROWS_PER_REPORT: usize = 64;

/// A tracked position that is undecided.
struct TrackedNumber {
    /// Index among the tracked positions.
    tracked: usize,
    /// Number in the explicit graph.
    number: u32,
}

impl OutOfCoreRun<'_> {
    /// Makes all passes that are left, if the explicit graph fits; returns true if it did.
    ///
    /// Tried before each pass over losses of the incremental phase.
    pub(crate) fn solve_explicitly(
        &mut self,
        instructions: Instructions,
        budget: &mut Budget<'_>,
    ) -> Result<bool, Error> {
        let passes = &self.stage.passes;
        let is_between = self.stage.converted > 0 && passes.planes_done == 0;
        if !is_between || passes.found.len().is_multiple_of(2) || !self.explicit_fits() {
            return Ok(false);
        }
        for buffer in [Buffer::Capture, Buffer::Quiet] {
            self.buffers[buffer as usize] = Vec::new();
        }
        let index = self.index_undecided(budget)?;
        let Some(graph) = self.build_graph(&index, instructions, budget)? else {
            self.incremental.failed_tries += 1;
            return Ok(false);
        };
        let tracked = self.tracked.undecided().map(|(tracked, position)| {
            let number = index.number_of_placement(&self.tables, &self.subproblems, position);
            let number = number.ok_or_else(|| Error::damaged(MISMATCH))?;
            Ok(TrackedNumber { tracked, number })
        });
        let tracked: Vec<TrackedNumber> = tracked.collect::<Result<_, Error>>()?;
        drop(index);
        self.explicit_passes(&graph, &tracked, budget)?;
        Ok(true)
    }

    /// Returns true if the explicit graph will probably fit; each failed try doubles the estimate.
    fn explicit_fits(&self) -> bool {
        let undecided = self.positions - self.decided;
        let numbers = match self.tables.mirror {
            // Rows that are their own mirror images have both positions: a sixteenth on top.
            Some(_) => undecided / 2 + undecided / 16,
            None => undecided,
        };
        let subproblems = self.subproblems.iter();
        let blocks: u64 = subproblems.map(|subproblem| subproblem.canonical_blocks(1)).sum();
        let subproblems = self.subproblems.iter();
        let block_bits = subproblems.map(|subproblem| 8 * subproblem.block_bytes);
        let tries = self.incremental.failed_tries;
        let bytes = 4 * blocks + (numbers << tries) * BYTES_PER_POSITION;
        undecided <= (self.positions / UNDECIDED_PART) >> tries
            && numbers <= u32::MAX.into()
            && block_bits.max() <= Some(1 << 16)
            && bytes <= self.incremental.explicit_bytes
    }

    fn index_undecided(&mut self, budget: &mut Budget<'_>) -> Result<UndecidedIndex, Error> {
        let mut rows = self.list_undecided(budget)?;
        let (mut first, mut positions) = (0, 0);
        for (rows, subproblem) in rows.iter_mut().zip(&self.subproblems) {
            for (row, &set) in rows.iter_mut().zip(&subproblem.canonical_rows[1].sets) {
                row.first = first;
                first += row.bits.len() as u32;
                positions += self.tables.orbit_size(set) * row.bits.len() as u64;
            }
        }
        let mut subproblems = rows.iter().zip(&self.subproblems);
        let are_positions = subproblems.all(|(rows, subproblem)| {
            let mut bits = rows.iter().flat_map(|row| &row.bits);
            bits.all(|&bit| subproblem.has_bit(bit.into()))
        });
        if !are_positions || positions != self.positions - self.decided {
            return Err(Error::damaged(MISMATCH));
        }
        Ok(UndecidedIndex::new(&self.subproblems, rows, first))
    }

    /// Lists the bits of all undecided planes. Index: `[subproblem][canonical row]`.
    fn list_undecided(&mut self, budget: &mut Budget<'_>) -> Result<Vec<Vec<IndexRow>>, Error> {
        let empty = |subproblem: &Subproblem| -> Vec<IndexRow> {
            let rows = subproblem.canonical_rows[1].sets.iter();
            rows.map(|_| IndexRow::default()).collect()
        };
        let mut all: Vec<Vec<IndexRow>> = self.subproblems.iter().map(empty).collect();
        for slice in self.slices_of_mover(0) {
            let rows = self.rows(slice);
            let source = PlaneSource::accumulated(slice.subproblem, 0);
            let mut plane = self.load_rows(source, &rows, Buffer::Rows)?;
            let block_bytes = plane.block_bytes;
            let blocks: Vec<&mut [u8]> = plane.rows_mut().collect();
            let listed = blocks.into_par_iter();
            let listed: Vec<IndexRow> = listed.map(|row| IndexRow::new(row, block_bytes)).collect();
            for (row, listed) in rows.into_iter().zip(listed) {
                all[slice.subproblem][row] = listed;
            }
            self.recycle(Buffer::Rows, Some(plane));
            self.report(budget)?;
        }
        Ok(all)
    }

    /// Finds the undecided successors of all undecided positions; `None` if they do not fit.
    fn build_graph(
        &self,
        index: &UndecidedIndex,
        instructions: Instructions,
        budget: &mut Budget<'_>,
    ) -> Result<Option<ExplicitGraph>, Error> {
        let mut graph = ExplicitGraph { rows: Vec::new(), count: index.count };
        let rows = index.rows.iter().enumerate();
        let rows = rows.flat_map(|(subproblem, rows)| {
            let rows = rows.iter().enumerate();
            let rows = rows.filter(|(_, row)| !row.bits.is_empty());
            rows.map(move |(row, _)| (subproblem, row))
        });
        let allowed = self.incremental.explicit_bytes.saturating_sub(index.bytes());
        let (mut bytes, mut fits) = (0, true);
        in_batches(rows, ROWS_PER_REPORT, &mut |rows| {
            if !fits {
                return Ok(());
            }
            let edges = |(subproblem, row)| {
                instructions.dispatch(EdgeKernel {
                    tables: &self.tables,
                    subproblems: &self.subproblems,
                    index,
                    subproblem,
                    row,
                })
            };
            let rows: Vec<EdgeRow> = rows.into_par_iter().map(edges).collect();
            bytes += rows.iter().map(EdgeRow::bytes).sum::<u64>();
            fits = bytes <= allowed;
            graph.rows.extend(rows);
            self.report(budget)
        })?;
        Ok(Some(graph).filter(|_| fits))
    }

    /// Makes passes over the graph until one finds nothing, then saves the stage.
    fn explicit_passes(
        &mut self,
        graph: &ExplicitGraph,
        tracked: &[TrackedNumber],
        budget: &mut Budget<'_>,
    ) -> Result<(), Error> {
        let known = DecidedBits::new(graph.count);
        while self.stage.passes.found.last() != Some(&0) {
            let pass = self.current_pass();
            let is_loss = pass.is_multiple_of(2);
            let rows = graph.rows.par_iter();
            let new: Vec<Vec<u32>> = rows.map(|row| row.newly_decided(is_loss, &known)).collect();
            new.par_iter().for_each(|new| known.record(new, is_loss));
            let found_of_rows = graph.rows.iter().zip(&new);
            let found = found_of_rows.map(|(row, new)| row.orbit_size * new.len() as u64).sum();
            for position in tracked {
                let decided_by = &mut self.tracked.passes[position.tracked];
                if *decided_by == 0 && known.is_decided(position.number) {
                    *decided_by = pass;
                }
            }
            self.decided += found;
            if self.decided > self.positions {
                return Err(counted_twice());
            }
            self.stage.passes.found.push(found);
            self.report(budget)?;
        }
        // The tiles are removed next; a solve that is killed meanwhile must not need them.
        self.save_stage()
    }
}
