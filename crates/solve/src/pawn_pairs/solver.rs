//! Solver of a tier: exit values, then the kernel.

use std::marker::PhantomData;
use std::sync::Mutex;

use hindsight_core::{Game, PackedGame, PawnPairRules, PawnPairSymmetry, PawnPairs, Ranked};
use hindsight_engine::Error;

use super::code::{DRAW, HOLE, loss, win};
use super::images::{ExitBefore, TableImages};
use super::kernel::PairKernel;
use super::lookup::TierLookup;
use super::order::{PairOrder, lower_codes, pair_orders};
use super::row::RowBits;
use super::streamed::StreamedLayer;

/// Source of the values of exits.
#[derive(Clone, Copy)]
pub(super) enum ExitValues<'a> {
    /// No layer: exits do not count.
    Nothing,
    Layer(&'a TierLookup<'a>),
    Streamed(&'a StreamedLayer),
}

/// Consecutive tiers solved by one thread.
pub(super) const TIERS_PER_TASK: usize = 32;
/// Most groups of [`TIERS_PER_TASK`] tiers between two calls of the monitor.
pub(super) const TASKS_PER_REPORT: u64 = 256;

/// Solver of the tiers of a game; rows are words of type `R`.
pub(super) struct PairSolver<'a, R> {
    pub(super) game: &'a PackedGame,
    pub(super) symmetries: Vec<PawnPairSymmetry>,
    /// Permutation of pairs for each symmetry.
    pub(super) orders: Vec<PairOrder>,
    pub(super) squares: usize,
    /// Exit values of layer 1, from the end of the streamed layer 0 until they are taken.
    pub(super) streamed: Mutex<Option<StreamedLayer>>,
    rows: PhantomData<R>,
}

/// Buffers of one thread, reused from tier to tier.
pub(super) struct PairScratch<R> {
    pub(super) kernel: PairKernel<R>,
    pub(super) rules: PawnPairRules,
    pub(super) exits: Vec<(u64, u8)>,
    pub(super) before: Vec<ExitBefore>,
    pub(super) images: TableImages,
    /// For each symmetry, the byte-wise minimum of the tables that exits lead to.
    least_by_symmetry: Vec<Vec<u8>>,
    is_gathered: Vec<bool>,
    pub(super) exit_codes: [Vec<u8>; 2],
    /// Exit codes by the previous values of the layer below.
    previous_exit_codes: [Vec<u8>; 2],
}

impl<'a, R: RowBits> PairSolver<'a, R> {
    #[inline]
    pub(super) fn new(game: &'a PackedGame) -> Self {
        let symmetries = game.symmetries();
        let squares = usize::from(game.squares());
        Self {
            game,
            orders: pair_orders(&symmetries),
            symmetries,
            squares,
            streamed: Mutex::new(None),
            rows: PhantomData,
        }
    }

    #[inline]
    pub(super) fn take_streamed(&self) -> Option<StreamedLayer> {
        let mut streamed = self.streamed.lock().expect("no thread panics with the lock");
        streamed.take()
    }

    #[inline]
    pub(super) fn scratch(&self) -> PairScratch<R> {
        let table = || vec![HOLE; self.squares * self.squares];
        PairScratch {
            kernel: PairKernel::new(self.squares),
            rules: PawnPairRules::default(),
            exits: Vec::new(),
            before: Vec::new(),
            images: TableImages::new(self.symmetries.len()),
            least_by_symmetry: self.symmetries.iter().map(|_| table()).collect(),
            is_gathered: vec![false; self.symmetries.len()],
            exit_codes: [table(), table()],
            previous_exit_codes: [table(), table()],
        }
    }

    /// Overwrites `scratch.before` with all exits of tiers of the next layer to `tier`. An exit has
    /// an entry for each symmetry that maps the one tier to the other.
    #[inline]
    pub(super) fn list_exits_before(&self, tier: u64, scratch: &mut PairScratch<R>) {
        scratch.before.clear();
        for side in 0..2_u8 {
            scratch.exits.clear();
            self.game.tiers_before(tier, side.into(), &mut scratch.exits);
            let mover = 1 - side;
            let before = scratch.exits.iter().map(|&(tier, symmetry)| {
                let swaps = self.symmetries[usize::from(symmetry)].exchanges_players;
                ExitBefore { tier, side: if swaps { mover } else { side }, mover, symmetry }
            });
            scratch.before.extend(before);
        }
    }

    /// Solves a tier, and returns true, if its exits have other values by `current` than by
    /// `previous`. Always solves it if `previous` is `None`.
    #[inline]
    pub(super) fn solve_tier(
        &self,
        tier: u64,
        previous: Option<ExitValues<'_>>,
        current: ExitValues<'_>,
        scratch: &mut PairScratch<R>,
        out: &mut [u8],
    ) -> Result<bool, Error> {
        self.game.pawn_pair_rules(tier, &mut scratch.rules);
        scratch.kernel.read_rules(&scratch.rules);
        if let Some(previous) = previous {
            self.read_exits(tier, previous, scratch);
            std::mem::swap(&mut scratch.exit_codes, &mut scratch.previous_exit_codes);
        }
        self.read_exits(tier, current, scratch);
        if previous.is_some() && !self.exits_differ(scratch, out) {
            return Ok(false);
        }
        for (side, exit_codes) in scratch.exit_codes.iter().enumerate() {
            scratch.kernel.read_exits(side, exit_codes);
        }
        scratch.kernel.solve(out)?;
        Ok(true)
    }

    /// Finds the least code that the exits of each side lead to.
    #[inline]
    pub(super) fn read_exits(
        &self,
        tier: u64,
        source: ExitValues<'_>,
        scratch: &mut PairScratch<R>,
    ) {
        for side in 0..2 {
            if let ExitValues::Streamed(streamed) = source {
                streamed.read_exit_codes(tier, side, &mut scratch.exit_codes[side]);
                continue;
            }
            scratch.exits.clear();
            self.game.tiers_after(tier, side, &mut scratch.exits);
            match source {
                ExitValues::Layer(lookup) if !scratch.exits.is_empty() => {
                    self.gather_exits(side, lookup, scratch);
                }
                _ => self.drop_exits(tier, side, scratch),
            }
        }
    }

    /// Ignores exits whose layer is missing. A position with no other move is a draw, not a loss.
    #[inline]
    fn drop_exits(&self, tier: u64, side: usize, scratch: &mut PairScratch<R>) {
        let exit_codes = &mut scratch.exit_codes[side];
        exit_codes.fill(HOLE);
        if scratch.exits.is_empty() {
            return;
        }
        for (second, first) in scratch.kernel.without_moves_inside(side) {
            let [own, other] = if side == 0 { [first, second] } else { [second, first] };
            let position = self.game.unrank(tier, self.rank(side, own, other) as u64);
            if position.is_some_and(|position| self.game.terminal(position).is_none()) {
                exit_codes[own * self.squares + other] = DRAW;
            }
        }
    }

    #[inline]
    pub(super) fn rank(&self, side: usize, own: usize, other: usize) -> usize {
        (side * self.squares + other) * self.squares + own
    }

    /// True if an exit of an unsettled position has another value than before. A position that is
    /// terminal, or won in one ply, is settled.
    #[inline]
    fn exits_differ(&self, scratch: &PairScratch<R>, codes: &[u8]) -> bool {
        let settled = [HOLE, loss(0), win(0)];
        (0..2).any(|side| {
            let [previous, current] =
                [&scratch.previous_exit_codes[side], &scratch.exit_codes[side]];
            let mut pairs = 0..previous.len();
            previous != current
                && pairs.any(|pair| {
                    let rank = self.rank(side, pair / self.squares, pair % self.squares);
                    previous[pair] != current[pair] && !settled.contains(&codes[rank])
                })
        })
    }

    /// Finds the least code that the exits of a side lead to.
    #[inline]
    fn gather_exits(&self, side: usize, source: &TierLookup<'_>, scratch: &mut PairScratch<R>) {
        let exit_codes = &mut scratch.exit_codes[side];
        scratch.is_gathered.fill(false);
        for &(tier, symmetry) in &scratch.exits {
            let symmetry = usize::from(symmetry);
            let mover = if self.symmetries[symmetry].exchanges_players { side } else { 1 - side };
            let Some(table) = source.side_codes(tier, mover) else {
                // The tier has no position.
                continue;
            };
            let gathered = &mut scratch.least_by_symmetry[symmetry];
            if scratch.is_gathered[symmetry] {
                lower_codes(gathered, table);
            } else {
                gathered.copy_from_slice(table);
                scratch.is_gathered[symmetry] = true;
            }
        }
        exit_codes.fill(HOLE);
        for (symmetry, order) in self.orders.iter().enumerate().rev() {
            if !scratch.is_gathered[symmetry] {
                continue;
            }
            // The reverse of another symmetry is merged into that one, if it has a table: reversing
            // is cheap.
            let (earlier, rest) = scratch.least_by_symmetry.split_at_mut(symmetry);
            match order.reverse_of {
                Some(other) if scratch.is_gathered[other] => {
                    lower_codes(&mut earlier[other], rest[0].iter().rev());
                }
                _ => order.lower(exit_codes, &rest[0]),
            }
        }
    }
}
