//! Lists of what the last pass found, made of its tiles: positions with the same followers of the mover together (`news.rs`), for
//! as many rows of a slice as there is room for.

use hindsight_run::Error;
use rayon::prelude::*;

use crate::out_of_core::partition::Slices;
use crate::out_of_core::state::{Run, Slice};
use crate::out_of_core::tile_io::Source;
use crate::pass::frontier::{Form, Listed, Writers};
use crate::pass::recorder::Listeners;
use crate::plane::packing::{Free, is_zero, unpack};
use crate::plane::plane::Plane;
use crate::simd::dispatch::Instructions;
use crate::simd::token::{Cpu, Work};
use crate::space::board_tables::Frame;
use crate::space::sets::{rank, squares};
use crate::space::subproblem::{Problem, captured};

/// What the last pass found where moves lead that capture nothing, and where captures lead.
pub(crate) type Lists = (Listed, Option<(Listed, usize)>);

impl Run<'_> {
    /// What the last pass found where moves of the first of some rows lead, and of how many of them: as many as there is room for.
    pub(crate) fn lists(
        &mut self,
        slice: Slice,
        rows: &[usize],
        instructions: Instructions,
    ) -> Result<(Lists, usize), Error> {
        let mut count = rows.len().min(self.late.rows);
        loop {
            // One row alone takes what it takes.
            let room = if count == 1 {
                u32::MAX
            } else {
                self.late.pages
            };
            if let Some(lists) = self.lists_of(slice, &rows[..count], (instructions, room))? {
                return Ok((lists, count));
            }
            count = count.div_ceil(2);
            self.late.rows = count;
        }
    }

    /// The same of all rows, if there is room for it.
    fn lists_of(
        &mut self,
        slice: Slice,
        rows: &[usize],
        (instructions, room): (Instructions, u32),
    ) -> Result<Option<Lists>, Error> {
        let Slice { problem, mover, .. } = slice;
        let sets = &self.problems[problem].kept[1 - mover].sets;
        let sets: Vec<u32> = rows.iter().map(|&row| sets[row]).collect();
        let inside = self.news(problem, mover);
        let Some(inside) = self.list(inside, &sets, (instructions, room))? else {
            return Ok(None);
        };
        let Some(fewer) = captured(&self.problems, problem, mover) else {
            return Ok(Some((inside, None)));
        };
        let left = |&set: &u32| squares(set).map(move |at| set & !(1 << at));
        let left: Vec<u32> = sets.iter().flat_map(left).collect();
        let room = room - inside.most_pages();
        let listed = self.list(self.news(fewer, mover), &left, (instructions, room))?;
        Ok(listed.map(|listed| (inside, Some((listed, fewer)))))
    }

    /// What a pass found with some sets of the mover's followers, if there is room for it.
    fn list(
        &mut self,
        source: Source,
        sets: &[u32],
        (instructions, room): (Instructions, u32),
    ) -> Result<Option<Listed>, Error> {
        let problem = &self.problems[source.problem];
        let side = source.mover;
        let slices = self.cut.of(problem, side);
        let mut wanted = vec![false; problem.sets[side].len() as usize];
        let mut columns = vec![false; slices.len()];
        for &set in sets {
            wanted[rank(set)] = true;
            columns[slices.of(set)] = true;
        }
        let form = Form::new(&self.frame, problem).expect("positions of four bytes");
        let writers = Writers::of_some(form, &wanted, room);
        for column in (0..columns.len()).filter(|&column| columns[column]) {
            if !self.has_any(source) {
                break;
            }
            let parts = self.column(source, column);
            let plane = self.load(source, &parts, 1)?;
            let problem = &self.problems[source.problem];
            let of = Column {
                frame: &self.frame,
                problem,
                side,
                plane: &plane,
                slices: self.cut.of(problem, side),
                column,
                wanted: &wanted,
                writers: &writers,
            };
            let majors = problem.kept[1 - side].sets.par_iter();
            majors.for_each(|&major| instructions.run(ListRow { of: &of, major }));
            self.give_back(1, Some(plane));
        }
        Ok(writers.finish())
    }
}

/// A slice of the blocks of a plane, to be listed.
struct Column<'a> {
    frame: &'a Frame,
    problem: &'a Problem,
    /// Which moved.
    side: usize,
    plane: &'a Plane,
    /// Of its followers.
    slices: &'a Slices,
    column: usize,
    /// Sets of them, by number.
    wanted: &'a [bool],
    writers: &'a Writers,
}

/// To list a row of it.
struct ListRow<'a> {
    of: &'a Column<'a>,
    /// The other side's followers.
    major: u32,
}

impl Work for ListRow<'_> {
    type Done = ();

    #[inline(always)]
    fn run<C: Cpu>(self, cpu: C) {
        let Self { of, major } = self;
        let outside = of.frame.board() & !major;
        let listeners = Listeners {
            news: Some(of.writers),
            found: None,
        };
        let mut notes = listeners.notes::<false>(of.frame, major);
        for &pattern in of.slices.patterns(of.column) {
            let count = of.slices.beside(pattern, major) as usize;
            let first = of.slices.first(pattern, major);
            let begin = rank(cpu.extract(first.into(), outside.into()) as u32);
            let beside = &of.problem.sets_beside[of.side];
            for &set in beside.iter().skip(begin).take(count) {
                let own = cpu.deposit(set.into(), outside.into()) as u32;
                let image = of.frame.mirrored(own);
                if !of.wanted[rank(own)] && !of.wanted[rank(image)] {
                    continue;
                }
                let place = of
                    .plane
                    .find_in_row(cpu, of.frame, rank(major), [major, own]);
                let block = of.plane.block(place.block);
                if is_zero(&block[..of.plane.stride]) {
                    continue;
                }
                let spot = notes.spot(cpu, own);
                let free_squares = outside & !own;
                let free = Free::<C, 32>::new(cpu, free_squares);
                for lane in 0..of.frame.lanes {
                    let packed = &block[lane * of.plane.lane..];
                    if is_zero(&packed[..of.plane.lane]) {
                        continue;
                    }
                    let mut words = [0; 32];
                    unpack::<C, 32>(cpu, packed, &free, &mut words);
                    for row in squares(free_squares) {
                        if words[row] != 0 {
                            notes.take(spot, own, lane, row, words[row]);
                        }
                    }
                }
            }
        }
    }
}
