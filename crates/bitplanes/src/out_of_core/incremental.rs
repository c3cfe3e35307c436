//! Passes once little is new.
//!
//! Instead of W and L there is one plane of each problem then: what is undecided with side 0 to move, which packs well. Turned, it is
//! what is undecided with side 1 to move. A pass goes by what the last one found (`follow.rs`), which is kept in
//! tiles as well. All moves of an undecided position that is lost lead to decided ones: none of these is lost, or else it would have
//! been won before.

use hindsight_run::{Budget, Error, Progress};
use rayon::prelude::*;

use crate::out_of_core::frontier_tiles::Lists;
use crate::out_of_core::state::{Run, Slice};
use crate::out_of_core::tile_io::Source;
use crate::pass::incremental::{Follow, FollowRow};
use crate::pass::recorder::Listeners;
use crate::pass::schedule::{BLOCKS_A_REPORT, GoAfter, How, each_few, go_over};
use crate::pass::sweep::{Pass, Row};
use crate::plane::complement::{Turn, Turned};
use crate::plane::plane::Plane;
use crate::simd::dispatch::Instructions;
use crate::space::sets::rank;
use crate::space::subproblem::{captured, problem_of};

/// Bytes that a thread copies at once.
const CHUNK: usize = 1 << 20;

impl Run<'_> {
    /// Before a pass with side 1 to move, if the last two found little: from W and L to what is undecided.
    pub(crate) fn turn(
        &mut self,
        instructions: Instructions,
        clock: &mut Budget<'_>,
    ) -> Result<(), Error> {
        let stage = &self.stage.stage;
        let is_time = stage.planes == 0
            && !stage.found.len().is_multiple_of(2)
            && matches!(stage.found[..], [.., losses, wins] if losses + wins <= self.late.few);
        if self.stage.turned == 0 {
            if !is_time {
                return Ok(());
            }
            self.stage.turned = 1;
            self.keep()?;
        }
        let slices = self.slices_to_move(0).into_iter();
        for (number, slice) in slices.skip(self.stage.turned as usize - 1) {
            let rows = self.rows(slice);
            let source = Source::known(slice.problem, 0);
            let mut plane = self.load_rows(source, &rows, 2)?;
            let lost = self.turned(slice, &rows, None)?;
            self.combine(
                (slice, &rows),
                &mut plane,
                &lost,
                (instructions, Turned::Removed),
            );
            self.give_back(1, Some(lost));
            let before = self.write_rows((number, slice), (&plane, &rows))?;
            self.give_back(2, Some(plane));
            self.stage.turned += 1;
            self.replace(&[((number, slice), before)])?;
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
    pub(crate) fn rows(&self, slice: Slice) -> Vec<usize> {
        let of = (&self.problems[slice.problem], 1 - slice.mover);
        self.cut.rows(of, slice.slice)
    }

    /// The problem with the sides exchanged.
    fn twin(&self, problem: usize) -> usize {
        let [own, other] = self.problems[problem].followers;
        problem_of(&self.problems, [other, own]).expect("problems come with their mirror images")
    }

    /// What is known of the positions of some rows with the sides exchanged, or what a pass found.
    fn turned(
        &mut self,
        slice: Slice,
        rows: &[usize],
        found_by: Option<u16>,
    ) -> Result<Plane, Error> {
        let source = Source {
            problem: self.twin(slice.problem),
            mover: 1 - slice.mover,
            found_by,
        };
        let sets = &self.problems[slice.problem].kept[1 - slice.mover].sets;
        let kept = &self.problems[source.problem].kept[slice.mover];
        let rows = rows.iter().map(|&row| {
            let (row, _) = kept.place(rank(self.frame.turned(sets[row])));
            row
        });
        let rows: Vec<usize> = rows.collect();
        self.load_rows(source, &rows, 1)
    }

    /// Combines the blocks of rows with those of the same positions with the sides exchanged.
    fn combine(
        &self,
        (slice, rows): (Slice, &[usize]),
        plane: &mut Plane,
        other: &Plane,
        (instructions, what): (Instructions, Turned),
    ) {
        let problem = &self.problems[slice.problem];
        let (mover, stride) = (slice.mover, problem.stride);
        let sets = &problem.kept[1 - mover].sets;
        let rows: Vec<(&usize, &mut [u8])> = rows.iter().zip(plane.rows_mut()).collect();
        rows.into_par_iter().for_each(|(&row, blocks)| {
            let major = sets[row];
            let beside = problem.sets_beside[mover].iter();
            for (&own, block) in beside.zip(blocks.chunks_exact_mut(stride)) {
                let own = hindsight_combinatorics::expand(own.into(), !u64::from(major)) as u32;
                let mut followers = [own, major];
                followers.rotate_right(mover);
                instructions.run(Turn {
                    of: (&self.frame, other),
                    followers,
                    block,
                    what,
                });
            }
        });
    }

    /// Whether the last pass found anything that bears on a slice.
    pub(crate) fn has_late_news(&self, slice: Slice) -> bool {
        let Slice { problem, mover, .. } = slice;
        if mover == 1 && !self.follows() {
            return true;
        }
        let has = |problem| self.has_any(self.news(problem, mover));
        let fewer = captured(&self.problems, problem, mover);
        // What is lost is to be removed.
        has(problem) || fewer.is_some_and(has) || mover == 0 && has(self.twin(problem))
    }

    /// What the last pass found in a problem, before one with a side to move.
    pub(crate) fn news(&self, problem: usize, mover: usize) -> Source {
        Source {
            problem,
            mover: 1 - mover,
            found_by: Some(self.pass() - 1),
        }
    }

    /// Whether it is known what the last pass with side 0 to move found.
    fn follows(&self) -> bool {
        let wins = &self.stage.written[self.slices.len()..];
        let last = u32::from(self.pass()) - 1;
        wins.iter().any(|written| written >> 1 == last)
    }

    /// Goes over a slice, and keeps what is new.
    pub(crate) fn late(
        &mut self,
        slice: (usize, Slice),
        how: &How<'_>,
        captured: Option<&Plane>,
        clock: &mut Budget<'_>,
    ) -> Result<(), Error> {
        match how.mover {
            0 => self.late_wins(slice, how, clock),
            _ => self.late_losses(slice, how, captured, clock),
        }
    }

    /// Where side 0 moves: what leads to a new loss is won.
    fn late_wins(
        &mut self,
        (number, slice): (usize, Slice),
        how: &How<'_>,
        clock: &mut Budget<'_>,
    ) -> Result<(), Error> {
        let rows = self.rows(slice);
        let source = Source::known(slice.problem, 0);
        let mut plane = self.load_rows(source, &rows, 2)?;
        let news = self.news(self.twin(slice.problem), 0);
        if self.has_any(news) {
            let lost = self.turned(slice, &rows, news.found_by)?;
            self.combine(
                (slice, &rows),
                &mut plane,
                &lost,
                (how.instructions, Turned::Removed),
            );
            self.give_back(1, Some(lost));
        }
        let mut found = std::mem::take(&mut self.memory[0]);
        found.resize(plane.bytes.len(), 0);
        let copy = |(found, plane): (&mut [u8], &[u8])| found.copy_from_slice(plane);
        let chunks = found.par_chunks_mut(CHUNK);
        chunks.zip(plane.bytes.par_chunks(CHUNK)).for_each(copy);
        let mut new = 0;
        let mut begin = 0;
        while begin < rows.len() {
            let (lists, count) = self.lists(slice, &rows[begin..], how.instructions)?;
            let mut tally = self.tally(clock);
            let few = Few {
                rows: &rows[begin..begin + count],
                slice,
                how,
                lists,
            };
            let blocks = plane.rows_mut().skip(begin);
            let gone = self.follow(&few, None, blocks, false, &mut |new| tally.add(new));
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
        let chunks = found.par_chunks_mut(CHUNK);
        chunks.zip(plane.bytes.par_chunks(CHUNK)).for_each(remove);
        let mut replaced = vec![(
            (number, slice),
            self.write_rows((number, slice), (&plane, &rows))?,
        )];
        self.give_back(2, Some(plane));
        let found = Plane::of_rows(&self.problems[slice.problem], 1, &rows, found);
        if new > 0 {
            self.note(slice, (&found, true));
            let number = number + self.slices.len();
            let before = self.write_rows((number, slice), (&found, &rows))?;
            replaced.push(((number, slice), before));
        }
        self.give_back(0, Some(found));
        self.done(new, &replaced)
    }

    /// Where side 1 moves: what only leads to wins is lost.
    fn late_losses(
        &mut self,
        (number, slice): (usize, Slice),
        how: &How<'_>,
        captured: Option<&Plane>,
        clock: &mut Budget<'_>,
    ) -> Result<(), Error> {
        let rows = self.rows(slice);
        let undecided = self.turned(slice, &rows, None)?;
        let memory = std::mem::take(&mut self.memory[2]);
        let mut plane = Plane::of_rows(&self.problems[slice.problem], 0, &rows, memory);
        self.combine(
            (slice, &rows),
            &mut plane,
            &undecided,
            (how.instructions, Turned::Instead),
        );
        self.give_back(1, Some(undecided));
        let inside = Source::known(slice.problem, 0);
        let last = self.stage.stage.found.last().copied().unwrap_or(0);
        let mut new = 0;
        if self.follows() && last <= self.late.listed {
            let mut begin = 0;
            while begin < rows.len() {
                let (lists, count) = self.lists(slice, &rows[begin..], how.instructions)?;
                let inside = self.load(inside, &self.column(inside, slice.slice), 1)?;
                let mut tally = self.tally(clock);
                let few = Few {
                    rows: &rows[begin..begin + count],
                    slice,
                    how,
                    lists,
                };
                let blocks = plane.rows_mut().skip(begin);
                let wins = Some((&inside, captured));
                let gone = self.follow(&few, wins, blocks, true, &mut |new| tally.add(new));
                new += tally.found;
                self.give_back(1, Some(inside));
                gone?;
                begin += count;
            }
        } else {
            let inside = self.load(inside, &self.column(inside, slice.slice), 1)?;
            let mut tally = self.tally(clock);
            let gone = self.go_over_undecided(
                (slice, &rows),
                how,
                (&inside, captured),
                &mut plane,
                &mut |new| tally.add(new),
            );
            new = tally.found;
            self.give_back(1, Some(inside));
            gone?;
        }
        let mut replaced = Vec::new();
        if new > 0 {
            self.note(slice, (&plane, true));
            let before = self.write_rows((number, slice), (&plane, &rows))?;
            replaced.push(((number, slice), before));
        }
        self.give_back(2, Some(plane));
        self.done(new, &replaced)
    }

    /// Goes over undecided positions with side 1 to move; what is new is left of the rows.
    fn go_over_undecided(
        &self,
        (slice, rows): (Slice, &[usize]),
        how: &How<'_>,
        (inside, captured): (&Plane, Option<&Plane>),
        plane: &mut Plane,
        report: &mut dyn FnMut(u64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let problem = &self.problems[slice.problem];
        let pass = Pass {
            frame: &self.frame,
            problem,
            rearranged: &self.rearranged[1][problem.followers[1] as usize],
            first: false,
            undecided: true,
            inside,
            captured,
            listeners: Listeners::default(),
        };
        let sets = &problem.kept[0].sets;
        let each = |(&row, blocks): (&usize, &mut [u8])| {
            self.leave_new(blocks, |blocks| {
                let row = Row {
                    followers: sets[row],
                    blocks,
                };
                go_over(row, (&pass, how), (&self.scratch, &self.problems))
            })
        };
        let at_once = BLOCKS_A_REPORT.div_ceil(problem.row(1));
        each_few(rows.iter().zip(plane.rows_mut()), at_once, &mut |rows| {
            report(rows.into_par_iter().map(each).sum())
        })
    }

    /// Leaves of a row what something removes.
    fn leave_new(&self, blocks: &mut [u8], remove: impl FnOnce(&mut [u8]) -> u64) -> u64 {
        let mut before = std::mem::take(&mut *self.late.before.own());
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
        *self.late.before.own() = before;
        count
    }

    /// Goes over rows by lists. What is new is left of them, or removed.
    fn follow<'b>(
        &self,
        few: &Few<'_>,
        wins: Option<(&Plane, Option<&Plane>)>,
        blocks: impl Iterator<Item = &'b mut [u8]>,
        leaves_new: bool,
        report: &mut dyn FnMut(u64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let Slice { problem, mover, .. } = few.slice;
        let problem = &self.problems[problem];
        let (inside, captured) = &few.lists;
        let pass = Follow {
            frame: &self.frame,
            problem,
            moved: &problem.moved(&self.frame, mover),
            inside,
            captured: captured
                .as_ref()
                .map(|(listed, fewer)| (listed, &self.problems[*fewer])),
            wins,
            listeners: Listeners::default(),
        };
        let sets = &problem.kept[1 - mover].sets;
        let instructions = few.how.instructions;
        let follow = |followers: u32, blocks: &mut [u8]| {
            let row = FollowRow {
                followers,
                blocks,
                undecided: None,
            };
            let times = self.frame.stands_for(followers);
            let mut scratch = self.late.scratch.own();
            times
                * instructions.run(GoAfter {
                    pass: &pass,
                    mover,
                    row,
                    scratch: &mut scratch,
                })
        };
        let each = |(&row, blocks): (&usize, &mut [u8])| match leaves_new {
            true => self.leave_new(blocks, |blocks| follow(sets[row], blocks)),
            false => follow(sets[row], blocks),
        };
        let at_once = BLOCKS_A_REPORT.div_ceil(problem.row(mover));
        each_few(few.rows.iter().zip(blocks), at_once, &mut |rows| {
            report(rows.into_par_iter().map(each).sum())
        })
    }
}

/// Some rows of a slice, and what the last pass found where their moves lead.
struct Few<'a> {
    rows: &'a [usize],
    slice: Slice,
    how: &'a How<'a>,
    lists: Lists,
}
