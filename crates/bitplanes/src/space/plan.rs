//! Bytes and positions of a solve, known before it starts.

use hindsight_core::{PackedGame, Tiers, TwoSided, TwoSidedRules};
use hindsight_engine::{Error, Limits, Store};

use crate::decided::needs::StorePlan;
use crate::pass::frontier::{Encoding, Frontier};
use crate::pass::sweep::bytes_of_scratch;
use crate::space::board_tables::BoardTables;
use crate::space::move_lists::MoveLists;
use crate::space::subproblem::Subproblem;

/// Weights of [`BitplanePlan::frontier_limits`], for wins and for losses.
const FRONTIER_LIMITS: [FrontierLimit; 2] =
    [FrontierLimit { block: 6, lane: 1 }, FrontierLimit { block: 12, lane: 2 }];

/// Positions that a pass may find, in tenths: `block` for each block and `lane` for each lane of
/// it.
struct FrontierLimit {
    block: u64,
    lane: u64,
}

/// Bytes up to which a plan is always made, so that its needs are told exactly.
const EXACT_COUNT_LIMIT: u64 = 1 << 42;

/// Subproblems of a game, with the bytes that a solve takes, known before it starts.
pub struct BitplanePlan {
    /// Rules of the game, tabulated.
    pub(crate) tables: BoardTables,
    /// Subproblems by followers of side 0, then of side 1.
    pub(crate) subproblems: Vec<Subproblem>,
}

/// Length of the frontiers of one side to move.
#[derive(Clone, Copy)]
pub(crate) struct FrontierBudget {
    /// Most positions that a pass may find for the next pass to be incremental.
    pub(crate) positions: u64,
    /// Most pages, a thread and pass.
    pub(crate) pages: u32,
}

impl BitplanePlan {
    /// Plans for all positions of a game.
    ///
    /// Allocates lists of sets of squares, but no planes.
    #[must_use]
    pub fn new(game: &PackedGame) -> Self {
        Self::up_to(game, u32::MAX)
    }

    /// Plans for the positions with at most `followers` followers a side.
    #[must_use]
    pub fn up_to(game: &PackedGame, followers: u32) -> Self {
        let rules: TwoSidedRules = game.two_sided_rules();
        let tables = BoardTables::new(&rules);
        let followers = followers.min(rules.max_followers.into());
        let pairs = (0..=followers).flat_map(|i| (0..=followers).map(move |j| [i, j]));
        let fits = |[i, j]: &[u32; 2]| i + j + 2 <= u32::from(rules.squares);
        let can_be_stuck = [0, 1].map(|mover| -> Vec<bool> {
            let counts = 0..=followers;
            counts.map(|n| tables.can_be_stuck(mover, n)).collect()
        });
        let subproblem = |followers: [u32; 2]| {
            let can_be_stuck = [0, 1].map(|side| can_be_stuck[side][followers[side] as usize]);
            Subproblem::new(&tables, followers, can_be_stuck)
        };
        Self { subproblems: pairs.filter(fits).map(subproblem).collect(), tables }
    }

    /// Number of positions, exchanged ones counted once; terminal ones are left out.
    #[must_use]
    pub fn positions(&self) -> u64 {
        let positions = |subproblem: &Subproblem| subproblem.positions(&self.tables);
        self.subproblems.iter().map(positions).sum()
    }

    /// Bytes at the peak of a solve in memory that may take `memory` bytes.
    ///
    /// Frontiers take what is left of `memory`, up to a useful size. The result is above `memory`
    /// if even a solve without frontiers is. It depends on the threads of the current rayon pool.
    #[must_use]
    pub fn peak(&self, memory: u64) -> u64 {
        let least = self.bytes_without_frontiers();
        least + self.bytes_of_frontiers().min(memory.saturating_sub(least))
    }

    /// As [`BitplanePlan::peak`], for a solve that also puts its layers into a store. With a
    /// checkpoint, values that do not fit in memory are kept there until all passes are over.
    pub fn peak_with_store(
        &self,
        game: &PackedGame,
        store: &dyn Store,
        memory: u64,
        has_checkpoint: bool,
    ) -> u64 {
        StorePlan::new(game, store, self, memory, has_checkpoint).peak
    }

    /// Bytes of a solve in memory without frontiers.
    fn bytes_without_frontiers(&self) -> u64 {
        let planes = |subproblem: &Subproblem| {
            let blocks = subproblem.canonical_blocks(0) + subproblem.canonical_blocks(1);
            blocks * subproblem.block_bytes as u64
        };
        let blocks_after_moves = |subproblem: &Subproblem| -> u64 {
            let bytes = |mover| 4 * subproblem.block_after_move_len(&self.tables, mover) as u64;
            bytes(0) + bytes(1)
        };
        let subproblems = self.subproblems.iter();
        let resident: u64 =
            subproblems.map(|subproblem| planes(subproblem) + blocks_after_moves(subproblem)).sum();
        let threads = rayon::current_num_threads() as u64;
        resident
            + self.bytes_of_move_lists()
            + threads * bytes_of_scratch(&self.tables, &self.subproblems)
    }

    /// Move lists. Index: `[mover][number of its followers][kind of move]`.
    pub(crate) fn move_lists(&self) -> [Vec<Vec<MoveLists>>; 2] {
        [0, 1].map(|mover| {
            let lists_by_kind = |followers| {
                let kinds = self.tables.kinds.iter();
                let lists = |kind| MoveLists::new(&self.tables, kind, mover, followers);
                kinds.map(lists).collect()
            };
            (0..=self.most_followers()).map(lists_by_kind).collect()
        })
    }

    pub(crate) fn bytes_of_move_lists(&self) -> u64 {
        let bytes = |(mover, followers)| -> u64 {
            let kinds = self.tables.kinds.iter();
            let bytes = kinds.map(|kind| MoveLists::bytes(&self.tables, kind, mover, followers));
            bytes.sum()
        };
        let sides = (0..=self.most_followers()).flat_map(|n| [(0, n), (1, n)]);
        sides.map(bytes).sum()
    }

    /// Most followers of a side.
    pub(crate) fn most_followers(&self) -> u32 {
        let followers = self.subproblems.iter().flat_map(|subproblem| subproblem.followers);
        followers.max().unwrap_or(0)
    }

    /// Bytes of frontiers as long as [`BitplanePlan::frontier_limits`].
    pub(crate) fn bytes_of_frontiers(&self) -> u64 {
        let threads = rayon::current_num_threads() as u64;
        let pages = self.frontier_pages().map(u64::from);
        threads * Frontier::bytes_for(pages[0] + pages[1])
    }

    /// Refuses a hopeless game without listing its sets, which would take long.
    ///
    /// A game is hopeless if the bits of its positions alone exceed both the memory allowed and
    /// four terabytes.
    ///
    /// # Errors
    /// [`Error::TooLarge`] with rough figures, somewhat below what a solve needs.
    pub fn check_roughly(game: &PackedGame, limits: Limits) -> Result<(), Error> {
        let ranks = (0..game.layers()).map(|layer| game.estimated_ranks(layer));
        let ranks = ranks.fold(0, u64::saturating_add);
        // Two bits a rank; one if a mirror halves the planes.
        let images = 1 + u64::from(game.two_sided_rules().mirror.is_some());
        let needed = ranks / 4 / images;
        if needed > limits.memory.max(EXACT_COUNT_LIMIT) {
            return Err(Error::TooLarge { ranks, needed, limit: limits.memory });
        }
        Ok(())
    }

    /// Refuses a solve that needs more than the memory allowed.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if `needed` bytes are more than `limits.memory`.
    pub fn check(&self, needed: u64, limits: Limits) -> Result<(), Error> {
        if needed > limits.memory {
            return Err(Error::TooLarge { ranks: self.positions(), needed, limit: limits.memory });
        }
        Ok(())
    }

    /// Most wins, and most losses, that a pass may find for the next pass to be incremental.
    ///
    /// Up to `blocks * (block + lane * lanes) / 10` positions, taking their moves back is about as
    /// fast as a sweep over all blocks. Both are 0 if a position does not fit into an entry.
    pub(crate) fn frontier_limits(&self) -> [u64; 2] {
        let is_encodable =
            |subproblem: &Subproblem| Encoding::new(&self.tables, subproblem).is_some();
        if !self.subproblems.iter().all(is_encodable) {
            return [0; 2];
        }
        let blocks: u64 = self.subproblems.iter().map(Subproblem::blocks).sum();
        FRONTIER_LIMITS
            .map(|limit| blocks * (limit.block + limit.lane * self.tables.lanes as u64) / 10)
    }

    /// Pages that frontiers of this length take, a thread: for wins, and for losses.
    fn frontier_pages(&self) -> [u32; 2] {
        let threads = rayon::current_num_threads() as u64;
        let sets = |subproblem: &Subproblem| subproblem.sets[0].len().max(subproblem.sets[1].len());
        let lists = self.subproblems.iter().map(sets).sum();
        self.frontier_limits().map(|positions| {
            if positions == 0 {
                return 0;
            }
            let pages = Frontier::pages_for(positions.div_ceil(threads), lists);
            u32::try_from(pages).unwrap_or(u32::MAX)
        })
    }

    /// Frontier limits of a solve that takes at most `memory` bytes: for wins, and for losses.
    pub(crate) fn frontiers_within(&self, memory: u64) -> [FrontierBudget; 2] {
        let wanted = u128::from(self.bytes_of_frontiers().max(1));
        let bytes = u128::from(memory.saturating_sub(self.bytes_without_frontiers())).min(wanted);
        let share = |n: u64| (u128::from(n) * bytes / wanted) as u64;
        let (positions, pages) = (self.frontier_limits(), self.frontier_pages());
        [0, 1].map(|side| FrontierBudget {
            positions: share(positions[side]),
            pages: share(pages[side].into()) as u32,
        })
    }
}
