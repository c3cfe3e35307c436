//! The last passes: little is undecided, so all of it is in memory, with what it leads to.
//!
//! What is undecided with side 0 to move is listed, and numbered: of two images one, as in planes. For each such position the
//! numbers of those that its moves lead to, seen by who moves then, are kept. It leads to nothing that is lost, or else it would
//! have been won before, so it is lost once all of these are decided. Passes go over numbers alone. Nothing of this is kept on
//! the disk: a solve that is killed here goes on from the tiles, before the first of these passes.

use hindsight_run::{Budget, Error, Progress};
use rayon::prelude::*;

use crate::out_of_core::explicit::index::{IndexRow, UndecidedIndex};
use crate::out_of_core::explicit::successors::{DecidedBits, EdgeKernel, EdgeRow, ExplicitGraph};
use crate::out_of_core::state::OutOfCoreRun;
use crate::out_of_core::tile_io::PlaneSource;
use crate::pass::schedule::in_batches;
use crate::simd::dispatch::Instructions;
use crate::space::subproblem::Subproblem;
use crate::values::counted_twice;

/// Of all positions such a part may be left at most: what is more is found faster in planes.
const UNDECIDED_PART: u64 = 256;

/// Bytes of a position with what it leads to: number and count, and some four others.
const BYTES_PER_POSITION: u64 = 20;

/// The error of tiles that do not fit together.
const MISMATCH: &str = "what is undecided in the tiles is not what was counted";

/// Rows between two looks at the monitor.
const ROWS_PER_REPORT: usize = 64;

impl OutOfCoreRun<'_> {
    /// Before a pass with side 1 to move: makes all that are left, if there is room for what is undecided.
    pub(crate) fn solve_explicitly(
        &mut self,
        instructions: Instructions,
        clock: &mut Budget<'_>,
    ) -> Result<bool, Error> {
        let stage = &self.stage.passes;
        let is_between = self.stage.converted > 0 && stage.planes_done == 0;
        if !is_between || stage.found.len().is_multiple_of(2) || !self.explicit_fits() {
            return Ok(false);
        }
        for memory in &mut self.buffers[..2] {
            *memory = Vec::new();
        }
        let left = self.index_undecided(clock)?;
        let Some(graph) = self.build_graph(&left, instructions, clock)? else {
            self.incremental.failed_tries += 1;
            return Ok(false);
        };
        let watched = self.tracked.undecided();
        let watched = watched.map(|(number, position)| {
            let found = left.number_of_placement((&self.tables, &self.subproblems), position);
            let found = found.ok_or_else(|| Error::damaged(MISMATCH))?;
            Ok((number, found))
        });
        let watched: Vec<(usize, u32)> = watched.collect::<Result<_, Error>>()?;
        drop(left);
        self.explicit_passes(&graph, &watched, clock)?;
        Ok(true)
    }

    /// Whether there is room for what is undecided, as far as can be told before.
    fn explicit_fits(&self) -> bool {
        let left = self.positions - self.decided;
        let numbers = match self.tables.mirror {
            // Rows that are their own images have both.
            Some(_) => left / 2 + left / 16,
            None => left,
        };
        let blocks = self
            .subproblems
            .iter()
            .map(|subproblem| subproblem.canonical_blocks(1));
        let blocks = 4 * blocks.sum::<u64>();
        let bits = self
            .subproblems
            .iter()
            .map(|subproblem| 8 * subproblem.block_bytes);
        let tries = self.incremental.failed_tries;
        left <= (self.positions / UNDECIDED_PART) >> tries
            && numbers <= u32::MAX.into()
            && bits.max() <= Some(1 << 16)
            && blocks + (numbers << tries) * BYTES_PER_POSITION <= self.incremental.explicit_bytes
    }

    /// Lists what is undecided.
    fn index_undecided(&mut self, clock: &mut Budget<'_>) -> Result<UndecidedIndex, Error> {
        let empty = |subproblem: &Subproblem| -> Vec<IndexRow> {
            let rows = subproblem.canonical_rows[1].sets.iter();
            rows.map(|_| IndexRow::default()).collect()
        };
        let mut rows: Vec<Vec<IndexRow>> = self.subproblems.iter().map(empty).collect();
        for (_, slice) in self.slices_of_mover(0) {
            let of_slice = self.rows(slice);
            let source = PlaneSource::accumulated(slice.subproblem, 0);
            let mut plane = self.load_rows(source, &of_slice, 2)?;
            let stride = plane.block_bytes;
            let blocks: Vec<&mut [u8]> = plane.rows_mut().collect();
            let blocks = blocks.into_par_iter();
            let listed: Vec<IndexRow> = blocks.map(|row| IndexRow::new(row, stride)).collect();
            for (row, listed) in of_slice.into_iter().zip(listed) {
                rows[slice.subproblem][row] = listed;
            }
            self.recycle(2, Some(plane));
            self.report(clock)?;
        }
        let (mut first, mut positions) = (0, 0);
        for (rows, subproblem) in rows.iter_mut().zip(&self.subproblems) {
            for (row, &set) in rows.iter_mut().zip(&subproblem.canonical_rows[1].sets) {
                row.first = first;
                first += row.bits.len() as u32;
                positions += self.tables.orbit_size(set) * row.bits.len() as u64;
            }
        }
        let mut subproblems = rows.iter().zip(&self.subproblems);
        let are_places = subproblems.all(|(rows, subproblem)| {
            let mut bits = rows.iter().flat_map(|row| &row.bits);
            bits.all(|&bit| subproblem.has_bit(bit.into()))
        });
        if !are_places || positions != self.positions - self.decided {
            return Err(Error::damaged(MISMATCH));
        }
        let most = self
            .subproblems
            .iter()
            .flat_map(|subproblem| subproblem.followers);
        let side = most.max().unwrap_or(0) as usize + 1;
        let mut subproblem_of = vec![usize::MAX; side * side];
        for (i, subproblem) in self.subproblems.iter().enumerate() {
            let [own, other] = subproblem.followers.map(|n| n as usize);
            subproblem_of[own * side + other] = i;
        }
        Ok(UndecidedIndex {
            rows,
            count: first,
            side,
            subproblem_of: subproblem_of,
        })
    }

    /// What all of it leads to; `None` if there is no room for that.
    fn build_graph(
        &self,
        left: &UndecidedIndex,
        instructions: Instructions,
        clock: &mut Budget<'_>,
    ) -> Result<Option<ExplicitGraph>, Error> {
        let mut graph = ExplicitGraph {
            rows: Vec::new(),
            count: left.count,
        };
        let rows = left.rows.iter().enumerate();
        let rows = rows.flat_map(|(subproblem, rows)| {
            let rows = rows.iter().enumerate();
            let rows = rows.filter(|(_, row)| !row.bits.is_empty());
            rows.map(move |(row, _)| (subproblem, row))
        });
        let bytes = left.bytes();
        let room = self.incremental.explicit_bytes.saturating_sub(bytes);
        let (mut taken, mut is_room) = (0, true);
        let of = (&self.tables, &self.subproblems[..]);
        in_batches(rows, ROWS_PER_REPORT, &mut |rows| {
            if !is_room {
                return Ok(());
            }
            let rows = rows.into_par_iter();
            let new: Vec<EdgeRow> = rows
                .map(|row| {
                    instructions.dispatch(EdgeKernel {
                        of,
                        index: left,
                        row,
                    })
                })
                .collect();
            taken += new.iter().map(EdgeRow::bytes).sum::<u64>();
            is_room = taken <= room;
            graph.rows.extend(new);
            self.report(clock)
        })?;
        Ok(Some(graph).filter(|_| is_room))
    }

    /// Pass by pass, until one finds nothing.
    fn explicit_passes(
        &mut self,
        graph: &ExplicitGraph,
        watched: &[(usize, u32)],
        clock: &mut Budget<'_>,
    ) -> Result<(), Error> {
        let known = DecidedBits::new(graph.count);
        while self.stage.passes.found.last() != Some(&0) {
            let pass = self.current_pass();
            let is_loss = pass.is_multiple_of(2);
            let rows = graph.rows.par_iter();
            let new: Vec<Vec<u32>> = rows.map(|row| row.newly_decided(is_loss, &known)).collect();
            new.par_iter().for_each(|new| known.add(new, is_loss));
            let found = graph.rows.iter().zip(&new);
            let found = found
                .map(|(row, new)| row.orbit_size * new.len() as u64)
                .sum();
            for &(number, at) in watched {
                let decided_by = &mut self.tracked.passes[number];
                if *decided_by == 0 && known.is_decided(at) {
                    *decided_by = pass;
                }
            }
            self.decided += found;
            if self.decided > self.positions {
                return Err(counted_twice());
            }
            self.stage.passes.found.push(found);
            self.report(clock)?;
        }
        // Before the tiles are forgotten.
        self.save_stage()
    }

    fn report(&self, clock: &mut Budget<'_>) -> Result<(), Error> {
        let progress = Progress {
            phase: "solving",
            done: self.decided,
            total: Some(self.positions),
        };
        clock.check(progress, self.decided, 0, 0)
    }
}
