//! The last passes: little is undecided, so all of it is in memory, with what it leads to.
//!
//! What is undecided with side 0 to move is listed, and numbered: of two images one, as in planes. For each such position the
//! numbers of those that its moves lead to, seen by who moves then, are kept. It leads to nothing that is lost, or else it would
//! have been won before, so it is lost once all of these are decided. Passes go over numbers alone. Nothing of this is kept on
//! the disk: a solve that is killed here goes on from the tiles, before the first of these passes.

use hindsight_run::{Budget, Error, Progress};
use rayon::prelude::*;

use crate::out_of_core::explicit::index::{Left, LeftRow};
use crate::out_of_core::explicit::successors::{Graph, GraphRow, Known, Lead};
use crate::out_of_core::state::Run;
use crate::out_of_core::tile_io::Source;
use crate::pass::schedule::each_few;
use crate::simd::dispatch::Instructions;
use crate::space::subproblem::Problem;
use crate::values::found_twice;

/// Of all positions such a part may be left at most: what is more is found faster in planes.
const PART: u64 = 256;

/// Bytes of a position with what it leads to: number and count, and some four others.
const BYTES: u64 = 20;

/// The error of tiles that do not fit together.
const UNLIKE: &str = "what is undecided in the tiles is not what was counted";

/// Rows between two looks at the monitor.
const ROWS_A_REPORT: usize = 64;

impl Run<'_> {
    /// Before a pass with side 1 to move: makes all that are left, if there is room for what is undecided.
    pub(crate) fn rest(
        &mut self,
        instructions: Instructions,
        clock: &mut Budget<'_>,
    ) -> Result<bool, Error> {
        let stage = &self.stage.stage;
        let is_between = self.stage.turned > 0 && stage.planes == 0;
        if !is_between || stage.found.len().is_multiple_of(2) || !self.rest_fits() {
            return Ok(false);
        }
        for memory in &mut self.memory[..2] {
            *memory = Vec::new();
        }
        let left = self.left(clock)?;
        let Some(graph) = self.graph(&left, instructions, clock)? else {
            self.late.tries += 1;
            return Ok(false);
        };
        let watched = self.watch.undecided();
        let watched = watched.map(|(number, position)| {
            let found = left.find_position((&self.frame, &self.problems), position);
            let found = found.ok_or_else(|| Error::damaged(UNLIKE))?;
            Ok((number, found))
        });
        let watched: Vec<(usize, u32)> = watched.collect::<Result<_, Error>>()?;
        drop(left);
        self.rest_of_passes(&graph, &watched, clock)?;
        Ok(true)
    }

    /// Whether there is room for what is undecided, as far as can be told before.
    fn rest_fits(&self) -> bool {
        let left = self.positions - self.decided;
        let numbers = match self.frame.mirror {
            // Rows that are their own images have both.
            Some(_) => left / 2 + left / 16,
            None => left,
        };
        let blocks = self.problems.iter().map(|problem| problem.kept_blocks(1));
        let blocks = 4 * blocks.sum::<u64>();
        let bits = self.problems.iter().map(|problem| 8 * problem.stride);
        let tries = self.late.tries;
        left <= (self.positions / PART) >> tries
            && numbers <= u32::MAX.into()
            && bits.max() <= Some(1 << 16)
            && blocks + (numbers << tries) * BYTES <= self.late.room_of_rest
    }

    /// Lists what is undecided.
    fn left(&mut self, clock: &mut Budget<'_>) -> Result<Left, Error> {
        let empty = |problem: &Problem| -> Vec<LeftRow> {
            let rows = problem.kept[1].sets.iter();
            rows.map(|_| LeftRow::default()).collect()
        };
        let mut rows: Vec<Vec<LeftRow>> = self.problems.iter().map(empty).collect();
        for (_, slice) in self.slices_to_move(0) {
            let of_slice = self.rows(slice);
            let source = Source::known(slice.problem, 0);
            let mut plane = self.load_rows(source, &of_slice, 2)?;
            let stride = plane.stride;
            let blocks: Vec<&mut [u8]> = plane.rows_mut().collect();
            let blocks = blocks.into_par_iter();
            let listed: Vec<LeftRow> = blocks.map(|row| LeftRow::new(row, stride)).collect();
            for (row, listed) in of_slice.into_iter().zip(listed) {
                rows[slice.problem][row] = listed;
            }
            self.give_back(2, Some(plane));
            self.tell(clock)?;
        }
        let (mut first, mut positions) = (0, 0);
        for (rows, problem) in rows.iter_mut().zip(&self.problems) {
            for (row, &set) in rows.iter_mut().zip(&problem.kept[1].sets) {
                row.first = first;
                first += row.bits.len() as u32;
                positions += self.frame.stands_for(set) * row.bits.len() as u64;
            }
        }
        let mut problems = rows.iter().zip(&self.problems);
        let are_places = problems.all(|(rows, problem)| {
            let mut bits = rows.iter().flat_map(|row| &row.bits);
            bits.all(|&bit| problem.has_bit(bit.into()))
        });
        if !are_places || positions != self.positions - self.decided {
            return Err(Error::damaged(UNLIKE));
        }
        let most = self.problems.iter().flat_map(|problem| problem.followers);
        let side = most.max().unwrap_or(0) as usize + 1;
        let mut problem_of = vec![usize::MAX; side * side];
        for (i, problem) in self.problems.iter().enumerate() {
            let [own, other] = problem.followers.map(|n| n as usize);
            problem_of[own * side + other] = i;
        }
        Ok(Left {
            rows,
            count: first,
            side,
            problem_of,
        })
    }

    /// What all of it leads to; `None` if there is no room for that.
    fn graph(
        &self,
        left: &Left,
        instructions: Instructions,
        clock: &mut Budget<'_>,
    ) -> Result<Option<Graph>, Error> {
        let mut graph = Graph {
            rows: Vec::new(),
            count: left.count,
        };
        let rows = left.rows.iter().enumerate();
        let rows = rows.flat_map(|(problem, rows)| {
            let rows = rows.iter().enumerate();
            let rows = rows.filter(|(_, row)| !row.bits.is_empty());
            rows.map(move |(row, _)| (problem, row))
        });
        let bytes = left.bytes();
        let room = self.late.room_of_rest.saturating_sub(bytes);
        let (mut taken, mut is_room) = (0, true);
        let of = (&self.frame, &self.problems[..]);
        each_few(rows, ROWS_A_REPORT, &mut |rows| {
            if !is_room {
                return Ok(());
            }
            let rows = rows.into_par_iter();
            let new: Vec<GraphRow> = rows
                .map(|row| instructions.run(Lead { of, left, row }))
                .collect();
            taken += new.iter().map(GraphRow::bytes).sum::<u64>();
            is_room = taken <= room;
            graph.rows.extend(new);
            self.tell(clock)
        })?;
        Ok(Some(graph).filter(|_| is_room))
    }

    /// Pass by pass, until one finds nothing.
    fn rest_of_passes(
        &mut self,
        graph: &Graph,
        watched: &[(usize, u32)],
        clock: &mut Budget<'_>,
    ) -> Result<(), Error> {
        let known = Known::new(graph.count);
        while self.stage.stage.found.last() != Some(&0) {
            let pass = self.pass();
            let is_loss = pass.is_multiple_of(2);
            let rows = graph.rows.par_iter();
            let new: Vec<Vec<u32>> = rows.map(|row| row.found(is_loss, &known)).collect();
            new.par_iter().for_each(|new| known.add(new, is_loss));
            let found = graph.rows.iter().zip(&new);
            let found = found.map(|(row, new)| row.times * new.len() as u64).sum();
            for &(number, at) in watched {
                let decided_by = &mut self.watch.passes[number];
                if *decided_by == 0 && known.is_decided(at) {
                    *decided_by = pass;
                }
            }
            self.decided += found;
            if self.decided > self.positions {
                return Err(found_twice());
            }
            self.stage.stage.found.push(found);
            self.tell(clock)?;
        }
        // Before the tiles are forgotten.
        self.keep()
    }

    fn tell(&self, clock: &mut Budget<'_>) -> Result<(), Error> {
        let progress = Progress {
            phase: "solving",
            done: self.decided,
            total: Some(self.positions),
        };
        clock.check(progress, self.decided, 0, 0)
    }
}
