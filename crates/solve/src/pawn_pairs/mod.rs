//! Every position of a game whose tiers are pairs of squares ([`PawnPairs`]): millions of small
//! tiers, each solved in microseconds.
//!
//! A tier fits the first-level cache. Its positions are rows of bits: one row per square of one
//! piece, one bit per square of the other. A step of all positions at once is a few shifts. Moves
//! out of the tier keep both squares. So the exit values are the byte-wise minimum of the tables
//! that they lead to, taken once per symmetry before the tier begins
//! (`docs/decisions/0006-pairs.md`).
//!
//! [`TierPlan::streamed`] solves layer 0 without keeping it: each of its tables lowers the exit
//! codes of layer 1 and is dropped. [`PairTierSolver`] does so with every layer, a tier at a time,
//! for a solve in several processes. [`SubgamePlan`] solves only the tiers that may follow one
//! position, which are few where few fences are left. They have numbers of 64 bits on any board,
//! because the fences of that position are fixed.

mod code;
mod images;
mod kernel;
mod lookup;
mod order;
mod row;
mod single;
mod solver;
mod stream;
mod streamed;
mod subgame;

use hindsight_core::{PackedGame, PawnPairs};
use hindsight_engine::{Error, Histogram, Layer, Limits, Monitor, Pace, Store, StrongSolution};
use rayon::prelude::*;

use crate::solve_layer::{LayerProgress, SolveLayer};
use crate::tiered::{TierPlan, TierStorage, layer_by_layer};

pub use code::palette;
use code::{MAX_STEP, code};
use lookup::TierLookup;
use row::RowBits;
pub use single::{NO_EXIT, PairTierSolver};
use solver::{ExitValues, PairSolver, TASKS_PER_REPORT, TIERS_PER_TASK};
pub use subgame::{SolvedSubgame, SubgamePlan};

/// The longest remoteness, in plies, that is stored.
pub(crate) const MAX_REMOTENESS: u16 = 2 * MAX_STEP as u16 + 1;

/// Solves every position of a game, to the same values as [`crate::tiered::solve`].
///
/// # Errors
/// Same as [`crate::tiered::solve`]; the longest remoteness is 253 plies.
#[inline]
pub fn solve(
    game: &PackedGame,
    plan: &TierPlan,
    store: &mut dyn Store,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<StrongSolution, Error> {
    let storage = TierStorage { layers: store, checkpoint: None };
    solve_from(game, plan, storage, limits, monitor)
}

/// Same as [`solve`], with a checkpoint: a layer that was solved but not stored is stored.
///
/// # Errors
/// Same as [`solve`], and any error of the checkpoint.
#[inline]
pub fn solve_from(
    game: &PackedGame,
    plan: &TierPlan,
    storage: TierStorage<'_>,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<StrongSolution, Error> {
    let solver = layer_solver(game);
    layer_by_layer(game, plan, storage, limits, monitor, &*solver)
}

/// Creates the solver with the narrowest word that holds the squares.
#[inline]
#[must_use]
pub fn layer_solver<'a>(game: &'a PackedGame) -> Box<dyn SolveLayer + 'a> {
    match game.squares() {
        0..=32 => Box::new(PairSolver::<u32>::new(game)),
        33..=64 => Box::new(PairSolver::<u64>::new(game)),
        _ => Box::new(PairSolver::<u128>::new(game)),
    }
}

impl<R: RowBits> SolveLayer for PairSolver<'_, R> {
    #[inline]
    fn solve(
        &self,
        layer: &mut Layer,
        previous: Option<&[Layer]>,
        current: &[Layer],
        report: &mut LayerProgress<'_>,
    ) -> Result<Vec<bool>, Error> {
        let len = 2 * self.squares * self.squares;
        let solved_before = previous.is_some();
        let number = layer.layer;
        let current = lookup_lower_layer(current, number, len);
        let previous = previous.and_then(|previous| lookup_lower_layer(previous, number, len));
        let streamed = if layer.layer == 1 { self.take_streamed() } else { None };
        let current = match (&streamed, &current) {
            (Some(streamed), _) => ExitValues::Streamed(streamed),
            (None, Some(lookup)) => ExitValues::Layer(lookup),
            (None, None) => ExitValues::Nothing,
        };
        let previous =
            solved_before.then(|| previous.as_ref().map_or(ExitValues::Nothing, ExitValues::Layer));
        let mut again = vec![false; layer.tiers.len()];
        let mut done = 0;
        let mut pace = Pace::new(TASKS_PER_REPORT);
        let (mut tiers_left, mut again_left) = (&layer.tiers[..], &mut again[..]);
        let mut out_left = &mut layer.codes[..];
        while !tiers_left.is_empty() {
            let most = pace.portion() as usize * TIERS_PER_TASK;
            let tiers = tiers_left.split_off(..most.min(tiers_left.len()));
            let tiers = tiers.expect("at most all tiers");
            let again = again_left.split_off_mut(..tiers.len());
            let again = again.expect("a mark for each tier");
            let out = out_left.split_off_mut(..tiers.len() * len);
            let out = out.expect("codes for each tier");
            done += out.len() as u64;
            let tiers = tiers.par_chunks(TIERS_PER_TASK);
            let again = again.par_chunks_mut(TIERS_PER_TASK);
            let tasks = tiers.zip(again).zip(out.par_chunks_mut(TIERS_PER_TASK * len));
            tasks.try_for_each_init(
                || self.scratch(),
                |scratch, ((tiers, again), out)| {
                    let mut tasks = tiers.iter().zip(again).zip(out.chunks_mut(len));
                    tasks.try_for_each(|((&tier, again), out)| {
                        *again = self.solve_tier(tier, previous, current, scratch, out)?;
                        Ok::<(), Error>(())
                    })
                },
            )?;
            report("solving", done)?;
        }
        layer.palette = palette();
        Ok(again)
    }

    #[inline]
    fn adopt(&self, layer: &mut Layer) -> Result<(), Error> {
        let foreign =
            || Error::Store("a layer that was read back has values this game cannot have".into());
        let codes = layer.palette.iter().map(|&value| code(value));
        // A palette may list values that no rank has.
        let codes: Vec<Option<u8>> = codes.collect();
        let recode = |code: &mut u8| {
            *code = codes.get(usize::from(*code)).copied().flatten().ok_or_else(foreign)?;
            Ok::<(), Error>(())
        };
        layer.codes.par_iter_mut().try_for_each(recode)?;
        layer.palette = palette();
        Ok(())
    }

    #[inline]
    fn solve_streamed(
        &self,
        tiers: &[u64],
        above: &[u64],
        report: &mut LayerProgress<'_>,
    ) -> Result<Option<Histogram>, Error> {
        let (streamed, histogram) = stream::stream_layer(self, tiers, above, report)?;
        *self.streamed.lock().expect("no thread panics with the lock") = Some(streamed);
        Ok(Some(histogram))
    }
}

/// Creates the lookup of the layer just below `layer`, if it is loaded.
#[inline]
fn lookup_lower_layer(layers: &[Layer], layer: u32, len: usize) -> Option<TierLookup<'_>> {
    let lower = layers.iter().find(|kept| kept.layer + 1 == layer);
    lower.map(|lower| TierLookup::new(lower, len))
}
