//! Every position of a game whose sides rearrange themselves ([`game::Arrangements`]), by planes of bits.
//!
//! Side 0 with i followers against side 1 with j is a *problem* of two planes: W, a bit for each position
//! with side 0 to move that it wins, and L, one for each with side 1 to move that it loses. W needs L of
//! the same problem and of the one with a follower of side 1 fewer, L needs W of the same and of the one with
//! a follower of side 0 fewer; (i, j) and (j, i) do not need each other. Seen from the side to move, each
//! position has its win in the W of one problem and its loss in the L of another, so all problems together
//! are all positions. They go in lock-step: a pass over all W, a pass over all L, and so on. What a pass
//! finds is won or lost in as many plies as there were passes, so remoteness is exact. What no pass finds
//! is a draw.

mod checkpoint;
#[expect(unsafe_code, reason = "instructions that were found")]
mod cpu;
mod dense;
mod open;
mod pack;
mod pass;
mod record;
mod run;
mod shape;
mod sparse;
mod words;

use game::{Arranged, ArrangementRules, Arrangements, Ranked, Wdl};
use rayon::prelude::*;

use crate::{Error, Limits, Monitor};

pub use checkpoint::{Checkpoint, NoCheckpoint, Stage};
use cpu::Family;
pub use cpu::Instructions;
use pass::{Found, Pass, Row, Scratch};
pub use run::{solve, solve_and_store, solve_planes};
use shape::{Frame, Plane, Problem};

/// Blocks between two looks at the monitor: a second at most.
const BLOCKS_A_REPORT: usize = 1 << 17;

/// What a solve takes, known before it starts.
pub struct Plan {
    frame: Frame,
    /// Problems by followers of side 0, then of side 1.
    problems: Vec<Problem>,
    /// The most followers of a side.
    followers: u32,
}

impl Plan {
    /// Counts positions and bytes; allocates only lists of sets of squares.
    #[must_use]
    pub fn new<G: Arrangements>(game: &G) -> Self {
        Self::up_to(game, u32::MAX)
    }

    /// The plan for positions of at most so many followers a side.
    #[must_use]
    pub fn up_to<G: Arrangements>(game: &G, followers: u32) -> Self {
        let rules: ArrangementRules = game.arrangement_rules();
        let frame = Frame::new(&rules);
        let followers = followers.min(rules.followers.into());
        let pairs = (0..=followers).flat_map(|i| (0..=followers).map(move |j| [i, j]));
        let fits = |[i, j]: &[u32; 2]| i + j + 2 <= u32::from(rules.squares);
        let problem = |followers| Problem::new(&frame, followers);
        Self {
            problems: pairs.filter(fits).map(problem).collect(),
            frame,
            followers,
        }
    }

    /// Positions from the mover's view, none of them over.
    #[must_use]
    pub fn positions(&self) -> u64 {
        let positions = |problem: &Problem| problem.positions(&self.frame);
        self.problems.iter().map(positions).sum()
    }

    /// Bytes of memory at the peak of a solve with the threads of this pool.
    #[must_use]
    pub fn peak(&self) -> u64 {
        let lanes = self.frame.lanes as u64;
        let of = |problem: &Problem| {
            let planes = 2 + u64::from(self.has_columns(problem));
            let open = 2 * 4 * lanes;
            problem.blocks() * (planes * (problem.stride as u64 + 4) + open)
        };
        let planes: u64 = self.problems.iter().map(of).sum();
        // What is undecided has a third form while it is made.
        let most = self.problems.iter().map(Problem::blocks).max();
        let third = 4 * lanes * most.unwrap_or(0);
        let moved = |problem: &Problem| -> u64 {
            let len = |mover| 4 * problem.len_of_moved(&self.frame, mover) as u64;
            len(0) + len(1)
        };
        let moved: u64 = self.problems.iter().map(moved).sum();
        let threads = rayon::current_num_threads() as u64;
        let scratch = |problem| pass::bytes_of_scratch(&self.frame, problem);
        planes + third + moved + threads * self.problems.iter().map(scratch).max().unwrap_or(0)
    }

    /// Bytes of memory at the peak of a solve that keeps every value.
    #[must_use]
    pub fn peak_with_values<G: Ranked>(&self, game: &G) -> u64 {
        self.peak().saturating_add(record::ranks(game))
    }

    /// Refuses a solve that takes so many bytes.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if fewer are allowed.
    pub fn check(&self, needed: u64, limits: Limits) -> Result<(), Error> {
        if needed > limits.memory {
            return Err(Error::TooLarge {
                ranks: self.positions(),
                needed,
                limit: limits.memory,
            });
        }
        Ok(())
    }

    /// Whether captures of side 0's followers lead to a problem, so that its W is kept both ways.
    fn has_columns(&self, problem: &Problem) -> bool {
        problem.followers[0] < self.followers
    }
}

/// How to solve.
pub struct Terms<'a> {
    /// The processor's.
    pub instructions: Instructions,
    /// Memory and time.
    pub limits: Limits,
    /// Is told how far it has come.
    pub monitor: &'a mut dyn Monitor,
    /// Keeps it, once two passes are over: when it is time, between two planes, and when the solve is stopped.
    pub checkpoint: &'a mut dyn Checkpoint,
}

/// How a pass goes.
struct How<'a> {
    mover: usize,
    /// Whether it is the first with this side to move.
    first: bool,
    /// Whether so much was found in the last pass that most blocks lead to some of it.
    all_changed: bool,
    instructions: Instructions,
    tell: Option<&'a Found<'a>>,
}

/// Every position of a game: won, lost, or neither so far.
pub struct Planes {
    frame: Frame,
    problems: Vec<Problem>,
    /// For each side to move and problem [`Problem::moved`].
    moved: [Vec<Vec<u32>>; 2],
    /// `planes[0]`: what side 0, to move, has not won, of each problem; `planes[1]`: L.
    planes: [Vec<Plane>; 2],
    /// The first with rows and bits exchanged, of the problems that captures of side 1 lead to.
    columns: Vec<Option<Plane>>,
    /// For each side to move, problem, block and lane the rows with undecided positions.
    open: Option<[Vec<Vec<u32>>; 2]>,
}

impl Planes {
    fn new(plan: Plan) -> Self {
        // A pass goes over rows of the side that does not move.
        let plane = |major| {
            let problems = plan.problems.iter();
            problems.map(|problem| Plane::new(problem, major)).collect()
        };
        let column = |problem| plan.has_columns(problem).then(|| Plane::new(problem, 1));
        Self {
            planes: [plane(1), plane(0)],
            columns: plan.problems.iter().map(column).collect(),
            open: None,
            moved: [0, 1].map(|mover| {
                let moved = |problem: &Problem| problem.moved(&plan.frame, mover);
                plan.problems.iter().map(moved).collect()
            }),
            frame: plan.frame,
            problems: plan.problems,
        }
    }

    /// Without what only a solve needs.
    fn for_answers(self) -> Self {
        Self {
            columns: Vec::new(),
            open: None,
            ..self
        }
    }

    /// The bytes of all planes.
    fn parts(&self) -> Vec<&[u8]> {
        let planes = self.planes.iter().flatten();
        let planes = planes.chain(self.columns.iter().flatten());
        planes.map(|plane| &*plane.bytes).collect()
    }

    /// The bytes of all planes, to be filled.
    fn parts_mut(&mut self) -> Vec<&mut [u8]> {
        let planes = self.planes.iter_mut().flatten();
        let planes = planes.chain(self.columns.iter_mut().flatten());
        planes.map(|plane| &mut *plane.bytes).collect()
    }

    /// What is known of a position after the passes so far, for the side to move. Its pieces must be on
    /// different squares of the board, no leader on its goal.
    #[must_use]
    pub fn wdl(&self, position: Arranged) -> Wdl {
        let moves = self.seen_by(position, 0);
        if !self.bit(0, moves) {
            Wdl::Win
        } else if self.bit(1, self.seen_by(position, 1)) {
            Wdl::Loss
        } else {
            Wdl::Draw
        }
    }

    /// As [`Planes::wdl`] after the last pass; `None` for more followers than were solved.
    #[must_use]
    pub fn known(&self, position: Arranged) -> Option<Wdl> {
        let followers = position.followers.map(u32::count_ones);
        self.problem(followers).map(|_| self.wdl(position))
    }

    /// Bytes of the planes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.parts().iter().map(|part| part.len() as u64).sum()
    }

    /// The position with a side to move, turned if it is the other's turn.
    fn seen_by(&self, position: Arranged, mover: usize) -> Arranged {
        if position.mover == mover {
            return position;
        }
        let frame = &self.frame;
        let last = frame.squares as u8 - 1;
        let lane = frame.exchanged[frame.lane_of[usize::from(position.context)]];
        let [one, other] = position.followers.map(|set| frame.turned(set));
        Arranged {
            mover,
            followers: [other, one],
            leaders: [last - position.leaders[1], last - position.leaders[0]],
            context: frame.contexts[lane],
        }
    }

    /// The bit of a position with this side to move.
    fn bit(&self, mover: usize, position: Arranged) -> bool {
        let followers = position.followers.map(u32::count_ones);
        let problem = self
            .problem(followers)
            .expect("followers that there can be");
        let plane = &self.planes[mover][problem];
        let free = self.frame.board() & !(position.followers[0] | position.followers[1]);
        let lane = self.frame.lane_of[usize::from(position.context)];
        let [row, bit] = position.leaders.map(usize::from);
        let packed = plane.block(plane.index::<cpu::Portable>(position.followers));
        pack::word_of::<cpu::Portable>(&packed[lane * plane.lane..], free, pack::bit_of(free, row))
            >> bit
            & 1
            == 1
    }

    /// The problem with so many followers, if there is one.
    fn problem(&self, followers: [u32; 2]) -> Option<usize> {
        let mut problems = self.problems.iter();
        problems.position(|problem| problem.followers == followers)
    }

    /// One pass over the positions of a problem with a side to move; tells from time to time how many are
    /// new.
    fn pass(
        &mut self,
        i: usize,
        how: &How<'_>,
        found: &mut dyn FnMut(u64) -> Result<(), Error>,
    ) -> Result<(), Error> {
        let How { mover, first, .. } = *how;
        let problem = &self.problems[i];
        let mut fewer = problem.followers;
        let captured = fewer[1 - mover].checked_sub(1).and_then(|left| {
            fewer[1 - mover] = left;
            self.problem(fewer)
        });
        let [wins, losses] = &mut self.planes;
        let (plane, others) = match mover {
            0 => (&mut wins[i], &*losses),
            _ => (&mut losses[i], &*wins),
        };
        let (mut own_columns, columns) = match (mover, captured) {
            (0, _) => (self.columns[i].as_mut(), None),
            (_, Some(captured)) => (None, self.columns[captured].as_ref()),
            _ => (None, None),
        };
        let pass = Pass {
            frame: &self.frame,
            problem,
            moved: &self.moved[mover][i],
            first,
            all_changed: how.all_changed,
            inside: &others[i],
            captured: captured.map(|i| &others[i]),
            columns,
            found: how.tell,
        };
        let open = self.open.as_ref().map(|open| &open[mover][i][..]);
        let (sets, blocks) = (&problem.sets[1 - mover], plane.row);
        let (size, words) = (blocks * plane.stride, blocks * self.frame.lanes);
        let at_once = BLOCKS_A_REPORT.div_ceil(blocks);
        for from in (0..sets.len() as usize).step_by(at_once) {
            let until = (from + at_once).min(sets.len() as usize);
            let bytes = from * size..until * size;
            let columns = own_columns.as_mut();
            let mut columns = columns.map(|all| all.bytes[bytes.clone()].chunks_mut(size));
            let blocks_of = plane.bytes[bytes].chunks_mut(size);
            let changed = plane.changed[from * blocks..until * blocks].chunks_mut(blocks);
            let rows = (from..until).zip(blocks_of).zip(changed);
            let rows = rows.map(|((n, blocks), changed)| Row {
                followers: sets.unrank(n as u64) as u32,
                blocks,
                changed,
                columns: columns.as_mut().and_then(Iterator::next),
                open: open.map(|open| &open[n * words..(n + 1) * words]),
            });
            let rows: Vec<Row<'_>> = rows.collect();
            let go_over = match self.frame.rows() {
                16 => go_over::<16>,
                20 => go_over::<20>,
                26 => go_over::<26>,
                _ => go_over::<32>,
            };
            found(go_over(rows, &pass, mover, how.instructions))?;
        }
        Ok(())
    }
}

/// Goes over rows, several at once. `R` is at least the number of squares.
fn go_over<const R: usize>(
    rows: Vec<Row<'_>>,
    pass: &Pass<'_>,
    mover: usize,
    instructions: Instructions,
) -> u64 {
    let scratch = || Scratch::<R>::new(pass.frame, pass.problem);
    let each = |scratch: &mut Scratch<R>, row| go(instructions, mover, pass, row, scratch);
    rows.into_par_iter().map_init(scratch, each).sum()
}

/// Enters the code for the instructions of this processor.
#[expect(unsafe_code, reason = "instructions that were found")]
fn go<const R: usize>(
    instructions: Instructions,
    mover: usize,
    pass: &Pass<'_>,
    row: Row<'_>,
    scratch: &mut Scratch<R>,
) -> u64 {
    match instructions.family() {
        Family::Portable => go_on::<cpu::Portable, R>(mover, pass, row, scratch),
        #[cfg(target_arch = "x86_64")]
        // SAFETY: only `Instructions::all` makes this one, where the processor has it.
        Family::Avx2 => unsafe { go_avx2(mover, pass, row, scratch) },
    }
}

#[inline(always)]
fn go_on<C: cpu::Cpu, const R: usize>(
    mover: usize,
    pass: &Pass<'_>,
    row: Row<'_>,
    scratch: &mut Scratch<R>,
) -> u64 {
    match mover {
        0 => pass::go::<C, R, false>(pass, row, scratch),
        _ => pass::go::<C, R, true>(pass, row, scratch),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
fn go_avx2<const R: usize>(
    mover: usize,
    pass: &Pass<'_>,
    row: Row<'_>,
    scratch: &mut Scratch<R>,
) -> u64 {
    go_on::<cpu::Avx2, R>(mover, pass, row, scratch)
}
