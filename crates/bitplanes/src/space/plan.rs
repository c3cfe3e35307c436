//! Bytes and positions of a solve, known before it starts.

use hindsight_core::{Ranked, TwoSided, TwoSidedRules};
use hindsight_run::{Error, Limits, Store};

use crate::pass::frontier::{Form, Listed};
use crate::pass::sweep::bytes_of_scratch;
use crate::pass::value_layers::{beside, ranks};
use crate::space::board_tables::Frame;
use crate::space::move_lists::Rearranged;
use crate::space::subproblem::Problem;

/// Positions in ten blocks, and a lane of them, up to which a pass lists the wins or the losses that it finds. A whole block
/// then takes as long as so many positions in a pass that follows, about, however many followers there are.
const LISTED: [(u64, u64); 2] = [(6, 1), (12, 2)];

/// Bytes up to which what a solve takes is counted exactly.
const TERABYTES: u64 = 1 << 42;

/// What a solve takes, known before it starts.
pub struct Plan {
    pub(crate) frame: Frame,
    /// Problems by followers of side 0, then of side 1.
    pub(crate) problems: Vec<Problem>,
}

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
        let ranks = ranks(game);
        ranks.saturating_add(self.peak(memory.saturating_sub(ranks)))
    }

    /// The same for a solve that puts its layers into a store.
    pub fn peak_with_store<G: Ranked>(&self, game: &G, store: &dyn Store, memory: u64) -> u64 {
        let beside = beside(game, store);
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
        kept + self.bytes_of_rearranged() + threads * bytes_of_scratch(&self.frame, &self.problems)
    }

    /// For each side to move, number of its followers, and kind of move what it leads to.
    pub(crate) fn rearranged(&self) -> [Vec<Vec<Rearranged>>; 2] {
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
    pub(crate) fn bytes_of_rearranged(&self) -> u64 {
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
    pub(crate) fn most_followers(&self) -> u32 {
        let followers = self.problems.iter().flat_map(|problem| problem.followers);
        followers.max().unwrap_or(0)
    }

    /// Bytes of lists that are as long as they are of use.
    pub(crate) fn bytes_of_lists(&self) -> u64 {
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
    pub(crate) fn listed(&self) -> [u64; 2] {
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
    pub(crate) fn lists(&self, memory: u64) -> [(u64, u32); 2] {
        let wanted = u128::from(self.bytes_of_lists().max(1));
        let bytes = u128::from(memory.saturating_sub(self.least())).min(wanted);
        let share = |n: u64| (u128::from(n) * bytes / wanted) as u64;
        let (listed, pages) = (self.listed(), self.pages());
        [0, 1].map(|side| (share(listed[side]), share(pages[side].into()) as u32))
    }
}
