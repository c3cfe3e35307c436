//! Every position of a game whose sides rearrange themselves ([`hindsight_core::Arrangements`]), by planes of bits.
//!
//! Side 0 with i followers against side 1 with j is a *problem* of two planes: W, a bit for each position
//! with side 0 to move that it wins, and L, one for each with side 1 to move that it loses. W needs L of
//! the same problem and of the one with a follower of side 1 fewer, L needs W of the same and of the one with
//! a follower of side 0 fewer; (i, j) and (j, i) do not need each other. Seen from the side to move, each
//! position has its win in the W of one problem and its loss in the L of another, so all problems together
//! are all positions. They go in lock-step: a pass over all W, a pass over all L, and so on. What a pass
//! finds is won or lost in as many plies as there were passes, so remoteness is exact. What no pass finds
//! is a draw.

#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "instructions that were found")]
mod avx2;
#[cfg(target_arch = "x86_64")]
#[expect(unsafe_code, reason = "instructions that were found")]
mod avx512;
mod checkpoint;
#[expect(unsafe_code, reason = "instructions that were found")]
mod cpu;
mod dense;
mod fold;
mod follow;
mod mirror;
mod news;
mod notes;
mod onward;
mod pack;
mod pass;
mod places;
mod plane;
mod record;
mod rows;
mod run;
mod sample;
mod shape;
mod sliced;
mod slices;
mod threads;
mod undecided;
mod words;

use hindsight_core::{Placement, Ranked, TwoSided, TwoSidedRules, Wdl};

use crate::{Error, Limits, Monitor, Store};

pub use checkpoint::{Checkpoint, NoCheckpoint, Stage};
pub use cpu::Instructions;
use news::{Form, Listed};
pub use onward::{OnwardPlan, OnwardTerms, solve_onward};
use pass::Scratch;
use plane::Plane;
use rows::Lists;
pub use run::{solve, solve_and_store, solve_planes};
pub use sample::{Checked, Fault, Sample};
use shape::{Frame, Problem, Rearranged};
pub use sliced::{
    Given, SlicedPlan, SlicedStage, SlicedTerms, Tile, Tiles, Wanted, solve_by_slices,
};
use threads::PerThread;

/// Positions in ten blocks, and a lane of them, up to which a pass lists the wins or the losses that it finds. A whole block
/// then takes as long as so many positions in a pass that follows, about, however many followers there are.
const LISTED: [(u64, u64); 2] = [(6, 1), (12, 2)];

/// Bytes up to which what a solve takes is counted exactly.
const TERABYTES: u64 = 1 << 42;

/// What a solve takes, known before it starts.
pub struct Plan {
    frame: Frame,
    /// Problems by followers of side 0, then of side 1.
    problems: Vec<Problem>,
}

/// The longest remoteness, in plies, that is kept in the layers of a table, a byte a position. Planes alone
/// only count, and have no such limit.
pub const LONGEST_STORED: u16 = record::MOST_PLIES;

impl Plan {
    /// Counts positions and bytes; allocates only lists of sets of squares.
    #[must_use]
    pub fn new<G: TwoSided>(game: &G) -> Self {
        Self::up_to(game, u32::MAX)
    }

    /// The plan for positions of at most so many followers a side.
    #[must_use]
    pub fn up_to<G: TwoSided>(game: &G, followers: u32) -> Self {
        let rules: TwoSidedRules = game.two_sided_rules();
        let frame = Frame::new(&rules);
        let followers = followers.min(rules.followers.into());
        let pairs = (0..=followers).flat_map(|i| (0..=followers).map(move |j| [i, j]));
        let fits = |[i, j]: &[u32; 2]| i + j + 2 <= u32::from(rules.squares);
        let stuck = |mover| (0..=followers).map(move |n| (mover, n));
        let stuck = [stuck(0), stuck(1)].map(|of| -> Vec<bool> {
            of.map(|(mover, n)| frame.is_ever_stuck(mover, n)).collect()
        });
        let problem = |followers: [u32; 2]| {
            let stuck = [0, 1].map(|side| stuck[side][followers[side] as usize]);
            Problem::new(&frame, followers, stuck)
        };
        Self {
            problems: pairs.filter(fits).map(problem).collect(),
            frame,
        }
    }

    /// Positions from the mover's view, none of them over.
    #[must_use]
    pub fn positions(&self) -> u64 {
        let positions = |problem: &Problem| problem.positions(&self.frame);
        self.problems.iter().map(positions).sum()
    }

    /// Bytes of memory at the peak of a solve with the threads of this pool that may take so many, or the fewest
    /// it takes, if these are more: lists of what passes find are as long as there is room for.
    #[must_use]
    pub fn peak(&self, memory: u64) -> u64 {
        let least = self.least();
        least + self.bytes_of_lists().min(memory.saturating_sub(least))
    }

    /// The same for a solve that keeps every value.
    #[must_use]
    pub fn peak_with_values<G: Ranked>(&self, game: &G, memory: u64) -> u64 {
        let ranks = record::ranks(game);
        ranks.saturating_add(self.peak(memory.saturating_sub(ranks)))
    }

    /// The same for a solve that puts its layers into a store.
    pub fn peak_with_store<G: Ranked>(&self, game: &G, store: &dyn Store, memory: u64) -> u64 {
        let beside = record::beside(game, store);
        let peak = self.peak_with_values(game, memory.saturating_sub(beside));
        peak.saturating_add(beside)
    }

    /// Bytes without lists.
    fn least(&self) -> u64 {
        let planes = |problem: &Problem| {
            let blocks = problem.kept_blocks(0) + problem.kept_blocks(1);
            blocks * problem.stride as u64
        };
        let moved = |problem: &Problem| -> u64 {
            let len = |mover| 4 * problem.len_of_moved(&self.frame, mover) as u64;
            len(0) + len(1)
        };
        let problems = self.problems.iter();
        let kept: u64 = problems
            .map(|problem| planes(problem) + moved(problem))
            .sum();
        let threads = rayon::current_num_threads() as u64;
        kept + self.bytes_of_rearranged()
            + threads * pass::bytes_of_scratch(&self.frame, &self.problems)
    }

    /// For each side to move, number of its followers, and kind of move what it leads to.
    fn rearranged(&self) -> [Vec<Vec<Rearranged>>; 2] {
        [0, 1].map(|mover| {
            let of = |followers| {
                let groups = self.frame.groups.iter();
                let new = |group| Rearranged::new(&self.frame, group, mover, followers);
                groups.map(new).collect()
            };
            (0..=self.most_followers()).map(of).collect()
        })
    }

    /// Bytes of [`Plan::rearranged`].
    fn bytes_of_rearranged(&self) -> u64 {
        let bytes = |(mover, followers)| -> u64 {
            let groups = self.frame.groups.iter();
            groups
                .map(|group| Rearranged::bytes(&self.frame, group, mover, followers))
                .sum()
        };
        let sides = (0..=self.most_followers()).flat_map(|n| [(0, n), (1, n)]);
        sides.map(bytes).sum()
    }

    /// How many followers a side has at most.
    fn most_followers(&self) -> u32 {
        let followers = self.problems.iter().flat_map(|problem| problem.followers);
        followers.max().unwrap_or(0)
    }

    /// Bytes of lists that are as long as they are of use.
    fn bytes_of_lists(&self) -> u64 {
        let threads = rayon::current_num_threads() as u64;
        let pages = self.pages().map(u64::from);
        threads * Listed::bytes(pages[0] + pages[1])
    }

    /// Refuses, without listing anything, a game whose lists of sets would take long and for nothing: the bits of positions
    /// alone are more than the memory allowed, and terabytes.
    ///
    /// # Errors
    /// [`Error::TooLarge`] with rough figures, somewhat below what a solve needs.
    pub fn check_roughly<G: TwoSided + Ranked>(game: &G, limits: Limits) -> Result<(), Error> {
        let ranks = (0..game.layers()).map(|layer| game.ranks_about(layer));
        let ranks = ranks.fold(0, u64::saturating_add);
        // Two bits each, one if half of them are kept.
        let kept = 1 + u64::from(game.two_sided_rules().mirror.is_some());
        let needed = ranks / 4 / kept;
        if needed > limits.memory.max(TERABYTES) {
            return Err(Error::TooLarge {
                ranks,
                needed,
                limit: limits.memory,
            });
        }
        Ok(())
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

    /// Up to how many wins, and losses, lists are of use.
    fn listed(&self) -> [u64; 2] {
        if !self
            .problems
            .iter()
            .all(|problem| Form::new(&self.frame, problem).is_some())
        {
            return [0; 2];
        }
        let blocks: u64 = self.problems.iter().map(Problem::blocks).sum();
        LISTED.map(|(block, lane)| blocks * (block + lane * self.frame.lanes as u64) / 10)
    }

    /// Pages a thread and pass for as many.
    fn pages(&self) -> [u32; 2] {
        let threads = rayon::current_num_threads() as u64;
        let sets = |problem: &Problem| problem.sets[0].len().max(problem.sets[1].len());
        let chains = self.problems.iter().map(sets).sum();
        self.listed().map(|listed| {
            if listed == 0 {
                return 0;
            }
            let pages = Listed::pages(listed.div_ceil(threads), chains);
            u32::try_from(pages).unwrap_or(u32::MAX)
        })
    }

    /// How many wins and losses a pass finds at most for the next one of its side to list what it finds, and
    /// pages a thread and pass for these, in a solve that takes so many bytes at most.
    fn lists(&self, memory: u64) -> [(u64, u32); 2] {
        let wanted = u128::from(self.bytes_of_lists().max(1));
        let bytes = u128::from(memory.saturating_sub(self.least())).min(wanted);
        let share = |n: u64| (u128::from(n) * bytes / wanted) as u64;
        let (listed, pages) = (self.listed(), self.pages());
        [0, 1].map(|side| (share(listed[side]), share(pages[side].into()) as u32))
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

/// Every position of a game: won, lost, or neither so far.
pub struct Planes {
    frame: Frame,
    problems: Vec<Problem>,
    /// For each side to move and problem [`Problem::moved`].
    moved: [Vec<Vec<u32>>; 2],
    /// For each side to move, number of its followers, and kind of move.
    rearranged: [Vec<Vec<Rearranged>>; 2],
    /// `planes[0]`: what side 0, to move, has not won, of each problem; `planes[1]`: L, or what is undecided.
    planes: [Vec<Plane>; 2],
    undecided: bool,
    /// What the last passes found.
    news: Lists,
    /// Pages that each thread has left in this pass.
    room: u32,
    /// For passes over everything; made by the thread that needs it, so that none has memory next to another's.
    scratch: PerThread<Option<Scratch>>,
}

impl Planes {
    fn new(plan: Plan) -> Self {
        // A pass goes over rows of the side that does not move.
        let plane = |major| {
            let problems = plan.problems.iter();
            problems.map(|problem| Plane::new(problem, major)).collect()
        };
        Self {
            planes: [plane(1), plane(0)],
            undecided: false,
            room: 0,
            news: [Vec::new(), Vec::new()],
            scratch: PerThread::new(|| None),
            rearranged: plan.rearranged(),
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
            news: [Vec::new(), Vec::new()],
            moved: [Vec::new(), Vec::new()],
            rearranged: [Vec::new(), Vec::new()],
            scratch: PerThread::default(),
            ..self
        }
    }

    /// The bytes of all planes.
    fn parts(&self) -> Vec<&[u8]> {
        let planes = self.planes.iter().flatten();
        planes.map(|plane| &*plane.bytes).collect()
    }

    /// The bytes of all planes, to be filled.
    fn parts_mut(&mut self) -> Vec<&mut [u8]> {
        let planes = self.planes.iter_mut().flatten();
        planes.map(|plane| &mut *plane.bytes).collect()
    }

    /// What is known of a position after the passes so far, for the side to move. Its pieces must be on
    /// different squares of the board, no leader on its goal.
    #[must_use]
    pub fn wdl(&self, position: Placement) -> Wdl {
        if !self.bit(0, position) {
            Wdl::Win
        } else if self.bit(1, position) != self.undecided {
            Wdl::Loss
        } else {
            Wdl::Draw
        }
    }

    /// As [`Planes::wdl`] after the last pass; `None` for more followers than were solved.
    #[must_use]
    pub fn known(&self, position: Placement) -> Option<Wdl> {
        let followers = position.followers.map(u32::count_ones);
        self.problem(followers).map(|_| self.wdl(position))
    }

    /// Bytes of the planes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.parts().iter().map(|part| part.len() as u64).sum()
    }

    /// The bit of a position, seen by this side to move.
    fn bit(&self, mover: usize, position: Placement) -> bool {
        let seen = self.frame.seen_by(position, mover);
        let problem = self.problem(seen.followers.map(u32::count_ones));
        let problem = problem.expect("followers that there can be");
        self.planes[mover][problem].bit(&self.frame, seen)
    }

    /// The problem with so many followers, if there is one.
    fn problem(&self, followers: [u32; 2]) -> Option<usize> {
        problem_of(&self.problems, followers)
    }
}

/// The problem with so many followers, if there is one.
fn problem_of(problems: &[Problem], followers: [u32; 2]) -> Option<usize> {
    let mut problems = problems.iter();
    problems.position(|problem| problem.followers == followers)
}
