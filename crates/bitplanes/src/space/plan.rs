//! Bytes and positions of a solve, known before it starts.

use hindsight_core::{Ranked, TwoSided, TwoSidedRules};
use hindsight_run::{Error, Limits, Store};

use crate::pass::frontier::{Encoding, Frontier};
use crate::pass::sweep::bytes_of_scratch;
use crate::pass::value_layers::{max_store_bytes, total_ranks};
use crate::space::board_tables::BoardTables;
use crate::space::move_lists::MoveLists;
use crate::space::subproblem::Subproblem;

/// Positions in ten blocks, and a lane of them, up to which a pass lists the wins or the losses that it finds. A whole block
/// then takes as long as so many positions in a pass that follows, about, however many followers there are.
const TENTHS_LISTED: [(u64, u64); 2] = [(6, 1), (12, 2)];

/// Bytes up to which what a solve takes is counted exactly.
const EXACT_COUNT_LIMIT: u64 = 1 << 42;

/// What a solve takes, known before it starts.
pub struct BitplanePlan {
    pub(crate) tables: BoardTables,
    /// Problems by followers of side 0, then of side 1.
    pub(crate) subproblems: Vec<Subproblem>,
}

impl BitplanePlan {
    /// Counts positions and bytes; allocates only lists of sets of squares.
    #[must_use]
    pub fn new<G: TwoSided>(game: &G) -> Self {
        Self::up_to(game, u32::MAX)
    }

    /// The plan for positions of at most so many followers a side.
    #[must_use]
    pub fn up_to<G: TwoSided>(game: &G, followers: u32) -> Self {
        let rules: TwoSidedRules = game.two_sided_rules();
        let tables = BoardTables::new(&rules);
        let followers = followers.min(rules.max_followers.into());
        let pairs = (0..=followers).flat_map(|i| (0..=followers).map(move |j| [i, j]));
        let fits = |[i, j]: &[u32; 2]| i + j + 2 <= u32::from(rules.squares);
        let stuck = |mover| (0..=followers).map(move |n| (mover, n));
        let stuck = [stuck(0), stuck(1)].map(|of| -> Vec<bool> {
            of.map(|(mover, n)| tables.can_be_stuck(mover, n)).collect()
        });
        let subproblem = |followers: [u32; 2]| {
            let stuck = [0, 1].map(|side| stuck[side][followers[side] as usize]);
            Subproblem::new(&tables, followers, stuck)
        };
        Self {
            subproblems: pairs.filter(fits).map(subproblem).collect(),
            tables,
        }
    }

    /// Positions from the mover's view, none of them over.
    #[must_use]
    pub fn positions(&self) -> u64 {
        let positions = |subproblem: &Subproblem| subproblem.positions(&self.tables);
        self.subproblems.iter().map(positions).sum()
    }

    /// Bytes of memory at the peak of a solve with the threads of this pool that may take so many, or the fewest
    /// it takes, if these are more: lists of what passes find are as long as there is room for.
    #[must_use]
    pub fn peak(&self, memory: u64) -> u64 {
        let least = self.bytes_without_frontiers();
        least + self.bytes_of_frontiers().min(memory.saturating_sub(least))
    }

    /// The same for a solve that keeps every value.
    #[must_use]
    pub fn peak_with_values<G: Ranked>(&self, game: &G, memory: u64) -> u64 {
        let ranks = total_ranks(game);
        ranks.saturating_add(self.peak(memory.saturating_sub(ranks)))
    }

    /// The same for a solve that puts its layers into a store.
    pub fn peak_with_store<G: Ranked>(&self, game: &G, store: &dyn Store, memory: u64) -> u64 {
        let beside = max_store_bytes(game, store);
        let peak = self.peak_with_values(game, memory.saturating_sub(beside));
        peak.saturating_add(beside)
    }

    /// Bytes without lists.
    fn bytes_without_frontiers(&self) -> u64 {
        let planes = |subproblem: &Subproblem| {
            let blocks = subproblem.canonical_blocks(0) + subproblem.canonical_blocks(1);
            blocks * subproblem.block_bytes as u64
        };
        let moved = |subproblem: &Subproblem| -> u64 {
            let len = |mover| 4 * subproblem.block_after_move_len(&self.tables, mover) as u64;
            len(0) + len(1)
        };
        let subproblems = self.subproblems.iter();
        let kept: u64 = subproblems
            .map(|subproblem| planes(subproblem) + moved(subproblem))
            .sum();
        let threads = rayon::current_num_threads() as u64;
        kept + self.bytes_of_move_lists()
            + threads * bytes_of_scratch(&self.tables, &self.subproblems)
    }

    /// For each side to move, number of its followers, and kind of move what it leads to.
    pub(crate) fn move_lists(&self) -> [Vec<Vec<MoveLists>>; 2] {
        [0, 1].map(|mover| {
            let of = |followers| {
                let groups = self.tables.kinds.iter();
                let new = |group| MoveLists::new(&self.tables, group, mover, followers);
                groups.map(new).collect()
            };
            (0..=self.most_followers()).map(of).collect()
        })
    }

    /// Bytes of [`Plan::rearranged`].
    pub(crate) fn bytes_of_move_lists(&self) -> u64 {
        let bytes = |(mover, followers)| -> u64 {
            let groups = self.tables.kinds.iter();
            groups
                .map(|group| MoveLists::bytes(&self.tables, group, mover, followers))
                .sum()
        };
        let sides = (0..=self.most_followers()).flat_map(|n| [(0, n), (1, n)]);
        sides.map(bytes).sum()
    }

    /// How many followers a side has at most.
    pub(crate) fn most_followers(&self) -> u32 {
        let followers = self
            .subproblems
            .iter()
            .flat_map(|subproblem| subproblem.followers);
        followers.max().unwrap_or(0)
    }

    /// Bytes of lists that are as long as they are of use.
    pub(crate) fn bytes_of_frontiers(&self) -> u64 {
        let threads = rayon::current_num_threads() as u64;
        let pages = self.frontier_pages().map(u64::from);
        threads * Frontier::bytes_for(pages[0] + pages[1])
    }

    /// Refuses, without listing anything, a game whose lists of sets would take long and for nothing: the bits of positions
    /// alone are more than the memory allowed, and terabytes.
    ///
    /// # Errors
    /// [`Error::TooLarge`] with rough figures, somewhat below what a solve needs.
    pub fn check_roughly<G: TwoSided + Ranked>(game: &G, limits: Limits) -> Result<(), Error> {
        let ranks = (0..game.layers()).map(|layer| game.estimated_ranks(layer));
        let ranks = ranks.fold(0, u64::saturating_add);
        // Two bits each, one if half of them are kept.
        let kept = 1 + u64::from(game.two_sided_rules().mirror.is_some());
        let needed = ranks / 4 / kept;
        if needed > limits.memory.max(EXACT_COUNT_LIMIT) {
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
    pub(crate) fn frontier_limits(&self) -> [u64; 2] {
        if !self
            .subproblems
            .iter()
            .all(|subproblem| Encoding::new(&self.tables, subproblem).is_some())
        {
            return [0; 2];
        }
        let blocks: u64 = self.subproblems.iter().map(Subproblem::blocks).sum();
        TENTHS_LISTED.map(|(block, lane)| blocks * (block + lane * self.tables.lanes as u64) / 10)
    }

    /// Pages a thread and pass for as many.
    fn frontier_pages(&self) -> [u32; 2] {
        let threads = rayon::current_num_threads() as u64;
        let sets = |subproblem: &Subproblem| subproblem.sets[0].len().max(subproblem.sets[1].len());
        let chains = self.subproblems.iter().map(sets).sum();
        self.frontier_limits().map(|listed| {
            if listed == 0 {
                return 0;
            }
            let pages = Frontier::pages_for(listed.div_ceil(threads), chains);
            u32::try_from(pages).unwrap_or(u32::MAX)
        })
    }

    /// How many wins and losses a pass finds at most for the next one of its side to list what it finds, and
    /// pages a thread and pass for these, in a solve that takes so many bytes at most.
    pub(crate) fn frontiers_within(&self, memory: u64) -> [(u64, u32); 2] {
        let wanted = u128::from(self.bytes_of_frontiers().max(1));
        let bytes = u128::from(memory.saturating_sub(self.bytes_without_frontiers())).min(wanted);
        let share = |n: u64| (u128::from(n) * bytes / wanted) as u64;
        let (listed, pages) = (self.frontier_limits(), self.frontier_pages());
        [0, 1].map(|side| (share(listed[side]), share(pages[side].into()) as u32))
    }
}
