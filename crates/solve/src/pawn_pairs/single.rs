//! Solver of single tiers, for a solve whose tiers do not lie in one process.
//!
//! The exits of a tier are not looked up: each finished table lowers the exit codes of the tiers
//! that lead to it. So a process needs no table but its own and those that it receives, each once
//! and in any order.

use hindsight_core::{PackedGame, PawnPairs};
use hindsight_engine::Error;

use super::code::HOLE;
use super::images::ExitBefore;
use super::order::lower_codes;
use super::row::RowBits;
use super::solver::{PairScratch, PairSolver};

/// Exit code of a pair of squares that no table has lowered. A new tier is filled with it.
pub const NO_EXIT: u8 = HOLE;

/// Solver of single tiers of a game, in the order of its layers. It belongs to one thread.
///
/// A tier has [`tier_ranks`](Self::tier_ranks) bytes. First they are its exit codes,
///
/// ```text
/// index = (side * squares + own) * squares + other
/// ```
///
/// where `side` is to move. They begin as [`NO_EXIT`], and [`lower`](Self::lower) lowers them by
/// each finished table of the layer before. Then [`solve`](Self::solve) replaces them by the codes
/// of the tier by rank, which stand for the values of [`palette`](super::palette).
///
/// # Examples
/// ```
/// use hindsight_core::{Game, Ranked, Tiers, Value};
/// use hindsight_solve::pawn_pairs::{NO_EXIT, PairTierSolver, palette};
/// use hindsight_solve::tiered::TierPlan;
///
/// let game = hindsight_rules::by_name("quoridor:3x3:1", &Default::default())?;
/// let plan = TierPlan::new(&game);
/// let mut solver = PairTierSolver::new(&game);
/// let ranks = solver.tier_ranks();
/// let mut codes = vec![NO_EXIT; plan.tiers(0).len() * ranks];
/// for layer in 1..game.layers() {
///     let before = plan.tiers(layer);
///     let mut exit_codes = vec![NO_EXIT; before.len() * ranks];
///     for (&tier, table) in plan.tiers(layer - 1).iter().zip(codes.chunks_mut(ranks)) {
///         solver.solve(tier, table)?;
///         let mut offset_of = |tier| Some(before.binary_search(&tier).ok()? * ranks);
///         solver.lower(tier, table, &mut exit_codes, &mut offset_of);
///     }
///     codes = exit_codes;
/// }
/// // The last layer is the tier of the start.
/// let (tier, rank) = game.rank(game.start()).expect("a rank");
/// solver.solve(tier, &mut codes)?;
/// assert_eq!(palette()[usize::from(codes[rank as usize])], Some(Value::Loss(8)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct PairTierSolver<'g>(Box<dyn SolvePairTier + Send + 'g>);

impl<'g> PairTierSolver<'g> {
    /// Creates the solver, with the narrowest word that holds the squares.
    #[inline]
    #[must_use]
    pub fn new(game: &'g PackedGame) -> Self {
        Self(match game.squares() {
            0..=32 => Box::new(OwnScratch::<u32>::new(game)),
            33..=64 => Box::new(OwnScratch::<u64>::new(game)),
            _ => Box::new(OwnScratch::<u128>::new(game)),
        })
    }

    /// Returns the number of ranks of every tier, holes included; also that of its exit codes.
    #[must_use]
    pub fn tier_ranks(&self) -> usize {
        self.0.tier_ranks()
    }

    /// Replaces the exit codes of a tier by its codes by rank.
    ///
    /// # Errors
    /// [`Error::TooLong`] for a remoteness of more than 253 plies.
    ///
    /// # Panics
    /// If the length of `codes` is not that of a tier.
    pub fn solve(&mut self, tier: u64, codes: &mut [u8]) -> Result<(), Error> {
        self.0.solve(tier, codes)
    }

    /// Overwrites `out` with the tiers of the next layer whose exits lead to `tier`: ascending,
    /// each once, those without a position too.
    ///
    /// A [`lower`](Self::lower) by the same tier costs less afterwards.
    pub fn tiers_before(&mut self, tier: u64, out: &mut Vec<u64>) {
        self.0.tiers_before(tier, out);
    }

    /// Lowers the exit codes of the tiers before `tier` by its `table`, the codes by rank.
    ///
    /// `offset_of` returns where the exit codes of a tier begin in `exit_codes`, or `None` if they
    /// are not there. It is called at least once for every tier before `tier`, those without a
    /// position too.
    ///
    /// # Panics
    /// If `exit_codes` is shorter than an offset says, or `table` has not the length of a tier.
    pub fn lower(
        &mut self,
        tier: u64,
        table: &[u8],
        exit_codes: &mut [u8],
        offset_of: &mut dyn FnMut(u64) -> Option<usize>,
    ) {
        self.0.lower(tier, table, exit_codes, offset_of);
    }
}

/// [`PairTierSolver`] without the types of the game and of the rows.
trait SolvePairTier {
    fn tier_ranks(&self) -> usize;
    fn solve(&mut self, tier: u64, codes: &mut [u8]) -> Result<(), Error>;
    fn tiers_before(&mut self, tier: u64, out: &mut Vec<u64>);
    fn lower(
        &mut self,
        tier: u64,
        table: &[u8],
        exit_codes: &mut [u8],
        offset_of: &mut dyn FnMut(u64) -> Option<usize>,
    );
}

/// A solver with the buffers of its thread.
struct OwnScratch<'g, R> {
    solver: PairSolver<'g, R>,
    scratch: PairScratch<R>,
    /// The tier whose exits the buffers hold.
    before_of: Option<u64>,
    /// Exits of the caller's tiers, each with the offset of the tier's exit codes.
    found: Vec<(ExitBefore, usize)>,
}

impl<'g, R: RowBits> OwnScratch<'g, R> {
    #[inline]
    fn new(game: &'g PackedGame) -> Self {
        let solver = PairSolver::new(game);
        let scratch = solver.scratch();
        Self { solver, scratch, before_of: None, found: Vec::new() }
    }

    /// Lists the exits to a tier, unless they are listed.
    #[inline]
    fn list_exits_before(&mut self, tier: u64) {
        if self.before_of != Some(tier) {
            self.solver.list_exits_before(tier, &mut self.scratch);
            self.before_of = Some(tier);
        }
    }
}

impl<R: RowBits> SolvePairTier for OwnScratch<'_, R> {
    #[inline]
    fn tier_ranks(&self) -> usize {
        2 * self.solver.squares * self.solver.squares
    }

    #[inline]
    fn solve(&mut self, tier: u64, codes: &mut [u8]) -> Result<(), Error> {
        assert_eq!(codes.len(), self.tier_ranks(), "ranks of a tier");
        let PairScratch { rules, kernel, .. } = &mut self.scratch;
        self.solver.game.pawn_pair_rules(tier, rules);
        kernel.read_rules(rules);
        for (side, exit_codes) in codes.chunks(codes.len() / 2).enumerate() {
            kernel.read_exits(side, exit_codes);
        }
        kernel.solve(codes)
    }

    #[inline]
    fn tiers_before(&mut self, tier: u64, out: &mut Vec<u64>) {
        self.list_exits_before(tier);
        out.clear();
        out.extend(self.scratch.before.iter().map(|exit| exit.tier));
        out.sort_unstable();
        out.dedup();
    }

    #[inline]
    fn lower(
        &mut self,
        tier: u64,
        table: &[u8],
        exit_codes: &mut [u8],
        offset_of: &mut dyn FnMut(u64) -> Option<usize>,
    ) {
        assert_eq!(table.len(), self.tier_ranks(), "ranks of a tier");
        self.list_exits_before(tier);
        // All look-ups first, so that they do not wait for one another.
        let before = self.scratch.before.iter();
        self.found.clear();
        self.found.extend(before.filter_map(|&exit| Some((exit, offset_of(exit.tier)?))));
        let images = &mut self.scratch.images;
        images.clear();
        for &(exit, offset) in &self.found {
            let codes = images.codes(exit, &self.solver.orders, table);
            let from = offset + usize::from(exit.side) * codes.len();
            lower_codes(&mut exit_codes[from..from + codes.len()], codes);
        }
    }
}
