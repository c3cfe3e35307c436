//! Passes once little is new.
//!
//! Instead of W and L there is one plane of each problem then: what is undecided with side 0 to move, which packs well. Turned, it is
//! what is undecided with side 1 to move. A pass goes by what the last one found (`follow.rs`), which is kept in
//! tiles as well. All moves of an undecided position that is lost lead to decided ones: none of these is lost, or else it would have
//! been won before.

use hindsight_run::{Budget, Error, Progress};
use rayon::prelude::*;

use crate::out_of_core::frontier_tiles::MoveFrontiers;
use crate::out_of_core::state::{OutOfCoreRun, RowSlice};
use crate::out_of_core::tile_io::PlaneSource;
use crate::pass::incremental::{UnmovePass, UnmoveRow};
use crate::pass::recorder::Observers;
use crate::pass::schedule::{
    BLOCKS_PER_REPORT, PassOptions, UnmoveKernel, in_batches, sweep_canonical_row,
};
use crate::pass::sweep::{SweepPass, SweepRow};
use crate::plane::complement::{Complement, ComplementMode};
use crate::plane::plane::Plane;
use crate::simd::dispatch::Instructions;
use crate::space::sets::set_rank;
use crate::space::subproblem::{after_capture, subproblem_of};

/// Bytes that a thread copies at once.
const COPY_BYTES: usize = 1 << 20;

impl OutOfCoreRun<'_> {
    /// Before a pass with side 1 to move, if the last two found little: from W and L to what is undecided.
    pub(crate) fn convert_to_undecided(
        &mut self,
        instructions: Instructions,
        clock: &mut Budget<'_>,
    ) -> Result<(), Error> {
        let stage = &self.stage.passes;
        let is_time = stage.planes_done == 0
            && !stage.found.len().is_multiple_of(2)
            && matches!(stage.found[..], [.., losses, wins] if losses + wins <= self.incremental.max_found);
        if self.stage.converted == 0 {
            if !is_time {
                return Ok(());
            }
            self.stage.converted = 1;
            self.save_stage()?;
        }
        let slices = self.slices_of_mover(0).into_iter();
        for (number, slice) in slices.skip(self.stage.converted as usize - 1) {
            let rows = self.rows(slice);
            let source = PlaneSource::accumulated(slice.subproblem, 0);
            let mut plane = self.load_rows(source, &rows, 2)?;
            let lost = self.load_exchanged(slice, &rows, None)?;
            self.complement_rows(
                (slice, &rows),
                &mut plane,
                &lost,
                (instructions, ComplementMode::RemoveFromBlock),
            );
            self.recycle(1, Some(lost));
            let before = self.write_rows((number, slice), (&plane, &rows))?;
            self.recycle(2, Some(plane));
            self.stage.converted += 1;
            self.commit(&[((number, slice), before)])?;
            let progress = Progress {
                phase: "solving",
                done: self.decided,
                total: Some(self.positions),
            };
            clock.check(progress, self.decided, 0, 0)?;
        }
        Ok(())
    }

    /// The rows of a slice.
    pub(crate) fn rows(&self, slice: RowSlice) -> Vec<usize> {
        let of = (&self.subproblems[slice.subproblem], 1 - slice.mover);
        self.partition.rows(of, slice.slice)
    }

    /// The problem with the sides exchanged.
    fn exchanged_subproblem(&self, subproblem: usize) -> usize {
        let [own, other] = self.subproblems[subproblem].followers;
        subproblem_of(&self.subproblems, [other, own])
            .expect("subproblems come with their mirror images")
    }

    /// What is known of the positions of some rows with the sides exchanged, or what a pass found.
    fn load_exchanged(
        &mut self,
        slice: RowSlice,
        rows: &[usize],
        found_by: Option<u16>,
    ) -> Result<Plane, Error> {
        let source = PlaneSource {
            subproblem: self.exchanged_subproblem(slice.subproblem),
            mover: 1 - slice.mover,
            found_by,
        };
        let sets = &self.subproblems[slice.subproblem].canonical_rows[1 - slice.mover].sets;
        let kept = &self.subproblems[source.subproblem].canonical_rows[slice.mover];
        let rows = rows.iter().map(|&row| {
            let (row, _) = kept.row_of(set_rank(self.tables.half_turn(sets[row])));
            row
        });
        let rows: Vec<usize> = rows.collect();
        self.load_rows(source, &rows, 1)
    }

    /// Combines the blocks of rows with those of the same positions with the sides exchanged.
    fn complement_rows(
        &self,
        (slice, rows): (RowSlice, &[usize]),
        plane: &mut Plane,
        other: &Plane,
        (instructions, what): (Instructions, ComplementMode),
    ) {
        let subproblem = &self.subproblems[slice.subproblem];
        let (mover, stride) = (slice.mover, subproblem.block_bytes);
        let sets = &subproblem.canonical_rows[1 - mover].sets;
        let rows: Vec<(&usize, &mut [u8])> = rows.iter().zip(plane.rows_mut()).collect();
        rows.into_par_iter().for_each(|(&row, blocks)| {
            let major = sets[row];
            let beside = subproblem.sets_beside[mover].iter();
            for (&own, block) in beside.zip(blocks.chunks_exact_mut(stride)) {
                let own = hindsight_combinatorics::expand(own.into(), !u64::from(major)) as u32;
                let mut followers = [own, major];
                followers.rotate_right(mover);
                instructions.dispatch(Complement {
                    source: (&self.tables, other),
                    followers,
                    block,
                    mode: what,
                });
            }
        });
    }

    /// Whether the last pass found anything that bears on a slice.
    pub(crate) fn has_new_frontier(&self, slice: RowSlice) -> bool {
        let RowSlice {
            subproblem, mover, ..
        } = slice;
        if mover == 1 && !self.has_wins_frontier() {
            return true;
        }
        let has = |subproblem| self.has_any(self.frontier_source(subproblem, mover));
        let fewer = after_capture(&self.subproblems, subproblem, mover);
        // What is lost is to be removed.
        has(subproblem)
            || fewer.is_some_and(has)
            || mover == 0 && has(self.exchanged_subproblem(subproblem))
    }

    /// What the last pass found in a problem, before one with a side to move.
    pub(crate) fn frontier_source(&self, subproblem: usize, mover: usize) -> PlaneSource {
        PlaneSource {
            subproblem,
            mover: 1 - mover,
            found_by: Some(self.current_pass() - 1),
        }
    }

    /// Whether it is known what the last pass with side 0 to move found.
    fn has_wins_frontier(&self) -> bool {
        let wins = &self.stage.versions[self.slices.len()..];
        let last = u32::from(self.current_pass()) - 1;
        wins.iter().any(|written| written >> 1 == last)
    }

    /// Goes over a slice, and keeps what is new.
    pub(crate) fn incremental_slice(
        &mut self,
        slice: (usize, RowSlice),
        how: &PassOptions<'_>,
        captured: Option<&Plane>,
        clock: &mut Budget<'_>,
    ) -> Result<(), Error> {
        match how.mover {
            0 => self.unmove_wins(slice, how, clock),
            _ => self.unmove_losses(slice, how, captured, clock),
        }
    }

    /// Where side 0 moves: what leads to a new loss is won.
    fn unmove_wins(
        &mut self,
        (number, slice): (usize, RowSlice),
        how: &PassOptions<'_>,
        clock: &mut Budget<'_>,
    ) -> Result<(), Error> {
        let rows = self.rows(slice);
        let source = PlaneSource::accumulated(slice.subproblem, 0);
        let mut plane = self.load_rows(source, &rows, 2)?;
        let news = self.frontier_source(self.exchanged_subproblem(slice.subproblem), 0);
        if self.has_any(news) {
            let lost = self.load_exchanged(slice, &rows, news.found_by)?;
            self.complement_rows(
                (slice, &rows),
                &mut plane,
                &lost,
                (how.instructions, ComplementMode::RemoveFromBlock),
            );
            self.recycle(1, Some(lost));
        }
        let mut found = std::mem::take(&mut self.buffers[0]);
        found.resize(plane.bytes.len(), 0);
        let copy = |(found, plane): (&mut [u8], &[u8])| found.copy_from_slice(plane);
        let chunks = found.par_chunks_mut(COPY_BYTES);
        chunks
            .zip(plane.bytes.par_chunks(COPY_BYTES))
            .for_each(copy);
        let mut new = 0;
        let mut begin = 0;
        while begin < rows.len() {
            let (lists, count) = self.load_frontiers(slice, &rows[begin..], how.instructions)?;
            let mut tally = self.tally(clock);
            let few = RowBatch {
                rows: &rows[begin..begin + count],
                slice,
                how,
                lists,
            };
            let blocks = plane.rows_mut().skip(begin);
            let gone = self.unmove_rows(&few, None, blocks, false, &mut |new| tally.add(new));
            new += tally.found;
            gone?;
            begin += count;
        }
        let remove = |(found, left): (&mut [u8], &[u8])| {
            found
                .iter_mut()
                .zip(left)
                .for_each(|(found, left)| *found &= !left);
        };
        let chunks = found.par_chunks_mut(COPY_BYTES);
        chunks
            .zip(plane.bytes.par_chunks(COPY_BYTES))
            .for_each(remove);
        let mut replaced = vec![(
            (number, slice),
            self.write_rows((number, slice), (&plane, &rows))?,
        )];
        self.recycle(2, Some(plane));
        let found = Plane::of_rows(&self.subproblems[slice.subproblem], 1, &rows, found);
        if new > 0 {
            self.track(slice, (&found, true));
            let number = number + self.slices.len();
            let before = self.write_rows((number, slice), (&found, &rows))?;
            replaced.push(((number, slice), before));
        }
        self.recycle(0, Some(found));
        self.finish_slice(new, &replaced)
    }

    /// Where side 1 moves: what only leads to wins is lost.
    fn unmove_losses(
        &mut self,
        (number, slice): (usize, RowSlice),
        how: &PassOptions<'_>,
        captured: Option<&Plane>,
        clock: &mut Budget<'_>,
    ) -> Result<(), Error> {
        let rows = self.rows(slice);
        let undecided = self.load_exchanged(slice, &rows, None)?;
        let memory = std::mem::take(&mut self.buffers[2]);
        let mut plane = Plane::of_rows(&self.subproblems[slice.subproblem], 0, &rows, memory);
        self.complement_rows(
            (slice, &rows),
            &mut plane,
            &undecided,
            (how.instructions, ComplementMode::Replace),
        );
        self.recycle(1, Some(undecided));
        let inside = PlaneSource::accumulated(slice.subproblem, 0);
        let last = self.stage.passes.found.last().copied().unwrap_or(0);
        let mut new = 0;
        if self.has_wins_frontier() && last <= self.incremental.max_wins {
            let mut begin = 0;
            while begin < rows.len() {
                let (lists, count) =
                    self.load_frontiers(slice, &rows[begin..], how.instructions)?;
                let inside =
                    self.load_tiles(inside, &self.tiles_of_column(inside, slice.slice), 1)?;
                let mut tally = self.tally(clock);
                let few = RowBatch {
                    rows: &rows[begin..begin + count],
                    slice,
                    how,
                    lists,
                };
                let blocks = plane.rows_mut().skip(begin);
                let wins = Some((&inside, captured));
                let gone = self.unmove_rows(&few, wins, blocks, true, &mut |new| tally.add(new));
                new += tally.found;
                self.recycle(1, Some(inside));
                gone?;
                begin += count;
            }
        } else {
            let inside = self.load_tiles(inside, &self.tiles_of_column(inside, slice.slice), 1)?;
            let mut tally = self.tally(clock);
            let gone = self.sweep_undecided(
                (slice, &rows),
                how,
                (&inside, captured),
                &mut plane,
                &mut |new| tally.add(new),
            );
            new = tally.found;
            self.recycle(1, Some(inside));
            gone?;
        }
        let mut replaced = Vec::new();
        if new > 0 {
            self.track(slice, (&plane, true));
            let before = self.write_rows((number, slice), (&plane, &rows))?;
            replaced.push(((number, slice), before));
        }
        self.recycle(2, Some(plane));
        self.finish_slice(new, &replaced)
    }

    /// Goes over undecided positions with side 1 to move; what is new is left of the rows.
    fn sweep_undecided(
        &self,
        (slice, rows): (RowSlice, &[usize]),
        how: &PassOptions<'_>,
        (inside, captured): (&Plane, Option<&Plane>),
        plane: &mut Plane,
        report: &mut dyn FnMut(u64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let subproblem = &self.subproblems[slice.subproblem];
        let pass = SweepPass {
            tables: &self.tables,
            subproblem,
            move_lists: &self.move_lists[1][subproblem.followers[1] as usize],
            first: false,
            undecided: true,
            quiet: inside,
            captured,
            observers: Observers::default(),
        };
        let sets = &subproblem.canonical_rows[0].sets;
        let each = |(&row, blocks): (&usize, &mut [u8])| {
            self.keep_removed(blocks, |blocks| {
                let row = SweepRow {
                    followers: sets[row],
                    blocks,
                };
                sweep_canonical_row(row, (&pass, how), (&self.scratch, &self.subproblems))
            })
        };
        let at_once = BLOCKS_PER_REPORT.div_ceil(subproblem.blocks_per_row(1));
        in_batches(rows.iter().zip(plane.rows_mut()), at_once, &mut |rows| {
            report(rows.into_par_iter().map(each).sum())
        })
    }

    /// Leaves of a row what something removes.
    fn keep_removed(&self, blocks: &mut [u8], remove: impl FnOnce(&mut [u8]) -> u64) -> u64 {
        let mut before = std::mem::take(&mut *self.incremental.before.own());
        before.clear();
        before.extend_from_slice(blocks);
        let count = remove(blocks);
        match count {
            0 => blocks.fill(0),
            _ => {
                for (new, before) in blocks.iter_mut().zip(&before) {
                    *new = before & !*new;
                }
            }
        }
        *self.incremental.before.own() = before;
        count
    }

    /// Goes over rows by lists. What is new is left of them, or removed.
    fn unmove_rows<'b>(
        &self,
        few: &RowBatch<'_>,
        wins: Option<(&Plane, Option<&Plane>)>,
        blocks: impl Iterator<Item = &'b mut [u8]>,
        leaves_new: bool,
        report: &mut dyn FnMut(u64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let RowSlice {
            subproblem, mover, ..
        } = few.slice;
        let subproblem = &self.subproblems[subproblem];
        let (inside, captured) = &few.lists;
        let pass = UnmovePass {
            tables: &self.tables,
            subproblem,
            block_after_move: &subproblem.block_after_move(&self.tables, mover),
            quiet: inside,
            captured: captured
                .as_ref()
                .map(|(listed, fewer)| (listed, &self.subproblems[*fewer])),
            wins,
            observers: Observers::default(),
        };
        let sets = &subproblem.canonical_rows[1 - mover].sets;
        let instructions = few.how.instructions;
        let follow = |followers: u32, blocks: &mut [u8]| {
            let row = UnmoveRow {
                followers,
                blocks,
                undecided: None,
            };
            let times = self.tables.orbit_size(followers);
            let mut scratch = self.incremental.scratch.own();
            times
                * instructions.dispatch(UnmoveKernel {
                    pass: &pass,
                    mover,
                    row,
                    scratch: &mut scratch,
                })
        };
        let each = |(&row, blocks): (&usize, &mut [u8])| match leaves_new {
            true => self.keep_removed(blocks, |blocks| follow(sets[row], blocks)),
            false => follow(sets[row], blocks),
        };
        let at_once = BLOCKS_PER_REPORT.div_ceil(subproblem.blocks_per_row(mover));
        in_batches(few.rows.iter().zip(blocks), at_once, &mut |rows| {
            report(rows.into_par_iter().map(each).sum())
        })
    }
}

/// Some rows of a slice, and what the last pass found where their moves lead.
struct RowBatch<'a> {
    rows: &'a [usize],
    slice: RowSlice,
    how: &'a PassOptions<'a>,
    lists: MoveFrontiers,
}
