//! Every position of a game whose tiers are pairs of squares ([`hindsight_core::Pairs`]): millions of small tiers,
//! each solved in microseconds.
//!
//! A tier fits the first cache. Its positions are rows of bits, one row for each square of one piece and
//! one bit for each square of the other, so a step of all positions at once is a few shifts. Moves out of
//! the tier keep both squares: what they are worth is the byte-wise minimum of the tables they lead to,
//! taken before the tier begins, once for each symmetry.

mod check;
mod code;
mod kernel;
mod lookup;
mod row;
mod streamed;

use std::marker::PhantomData;
use std::sync::Mutex;

use hindsight_core::{PairRules, PairSymmetry, PawnPairs};
use rayon::prelude::*;

use crate::StrongSolution;
use crate::solve_layer::{LayerProgress, SolveLayer};
use crate::tiered::{TierPlan, layer_by_layer};
use crate::{Error, Histogram, Layer, Limits, Monitor, Store};

pub use check::{recode, wrong_ranks};
use code::{DRAW, HOLE, MAX_STEP, code, loss, palette, win};
use kernel::PairKernel;
use lookup::TierLookup;
use row::RowBits;
use streamed::StreamedLayer;

/// The longest remoteness, in plies, that is kept.
pub const MAX_REMOTENESS: u16 = 2 * MAX_STEP as u16 + 1;

/// Solves every position of a game, as [`crate::tiered::solve`] does, and to the same values.
///
/// # Errors
/// As there; the longest remoteness is 253 plies.
#[inline]
pub fn solve<G: PawnPairs>(
    game: &G,
    plan: &TierPlan,
    store: &mut dyn Store,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<StrongSolution, Error> {
    let images = game.symmetries();
    let solver = layer_solver(game, &images);
    layer_by_layer(game, plan, store, limits, monitor, &*solver)
}

/// The solver of layers with the least word that holds the squares.
#[inline]
pub(crate) fn layer_solver<'a, G: PawnPairs>(
    game: &'a G,
    symmetries: &'a [PairSymmetry],
) -> Box<dyn SolveLayer + 'a> {
    match game.squares() {
        0..=32 => Box::new(PairSolver::<G, u32>::new(game, symmetries)),
        33..=64 => Box::new(PairSolver::<G, u64>::new(game, symmetries)),
        _ => Box::new(PairSolver::<G, u128>::new(game, symmetries)),
    }
}

/// What is known of the layer before.
#[derive(Clone, Copy)]
enum ExitValues<'a> {
    /// Moves there do not count.
    Nothing,
    Layer(&'a TierLookup<'a>),
    Streamed(&'a StreamedLayer),
}

/// Tiers that one thread solves one after the other.
const TIERS_PER_TASK: usize = 32;
/// Tiers between two looks at the monitor.
const TIERS_PER_REPORT: usize = 8192;

struct PairSolver<'a, G, R> {
    game: &'a G,
    images: &'a [PairSymmetry],
    /// How each image orders the pairs of a side to move.
    orders: Vec<PairOrder>,
    squares: usize,
    /// What layer 1 needs of layer 0, from when that was folded until it is taken.
    streamed: Mutex<Option<StreamedLayer>>,
    rows: PhantomData<R>,
}

/// What a thread needs for one tier, kept from tier to tier.
struct PairScratch<R> {
    kernel: PairKernel<R>,
    rules: PairRules,
    exits: Vec<(u64, u8)>,
    /// For each image the byte-wise least of the tables that exits lead to.
    least_by_symmetry: Vec<Vec<u8>>,
    is_gathered: Vec<bool>,
    exit_codes: [Vec<u8>; 2],
    /// What `least` was when the tier was solved before.
    previous_exit_codes: [Vec<u8>; 2],
}

impl<'a, G: PawnPairs, R: RowBits> PairSolver<'a, G, R> {
    #[inline]
    fn new(game: &'a G, images: &'a [PairSymmetry]) -> Self {
        let squares = usize::from(game.squares());
        Self {
            game,
            images,
            orders: pair_orders(images),
            squares,
            streamed: Mutex::new(None),
            rows: PhantomData,
        }
    }

    #[inline]
    fn take_streamed(&self) -> Option<StreamedLayer> {
        let mut folded = self
            .streamed
            .lock()
            .expect("no thread panics with the lock");
        folded.take()
    }

    #[inline]
    fn scratch(&self) -> PairScratch<R> {
        let table = || vec![HOLE; self.squares * self.squares];
        PairScratch {
            kernel: PairKernel::new(self.squares),
            rules: PairRules::default(),
            exits: Vec::new(),
            least_by_symmetry: self.images.iter().map(|_| table()).collect(),
            is_gathered: vec![false; self.images.len()],
            exit_codes: [table(), table()],
            previous_exit_codes: [table(), table()],
        }
    }

    /// Solves a tier if its exits are worth something else by `now` than by `then`, or if it was never
    /// solved; whether it did.
    #[inline]
    fn solve_tier(
        &self,
        tier: u64,
        then: Option<ExitValues<'_>>,
        now: ExitValues<'_>,
        scratch: &mut PairScratch<R>,
        out: &mut [u8],
    ) -> Result<bool, Error> {
        self.game.pair_rules(tier, &mut scratch.rules);
        scratch.kernel.read_rules(&scratch.rules);
        if let Some(then) = then {
            self.read_exits(tier, then, scratch);
            std::mem::swap(&mut scratch.exit_codes, &mut scratch.previous_exit_codes);
        }
        self.read_exits(tier, now, scratch);
        if then.is_some() && !self.exits_differ(scratch, out) {
            return Ok(false);
        }
        scratch.kernel.solve(&scratch.exit_codes, out)?;
        Ok(true)
    }

    /// The least codes that the moves of both sides out of a tier lead to.
    #[inline]
    fn read_exits(&self, tier: u64, before: ExitValues<'_>, scratch: &mut PairScratch<R>) {
        for side in 0..2 {
            if let ExitValues::Streamed(folded) = before {
                folded.read_exit_codes(tier, side, &mut scratch.exit_codes[side]);
                continue;
            }
            scratch.exits.clear();
            self.game.tiers_after(tier, side, &mut scratch.exits);
            match before {
                ExitValues::Layer(lookup) if !scratch.exits.is_empty() => {
                    self.gather_exits(side, lookup, scratch);
                }
                _ => self.drop_exits(tier, side, scratch),
            }
        }
    }

    /// Without a layer to go to, moves out of the tier do not count. A side that has no other is not
    /// lost by that: such a position is a draw.
    #[inline]
    fn drop_exits(&self, tier: u64, side: usize, scratch: &mut PairScratch<R>) {
        let least = &mut scratch.exit_codes[side];
        least.fill(HOLE);
        if scratch.exits.is_empty() {
            return;
        }
        for (second, first) in scratch.kernel.without_moves_inside(side) {
            let [own, other] = if side == 0 {
                [first, second]
            } else {
                [second, first]
            };
            let position = self.game.unrank(tier, self.rank(side, own, other) as u64);
            if position.is_some_and(|position| self.game.terminal(position).is_none()) {
                least[own * self.squares + other] = DRAW;
            }
        }
    }

    #[inline]
    fn rank(&self, side: usize, own: usize, other: usize) -> usize {
        (side * self.squares + other) * self.squares + own
    }

    /// Whether exits of the tier with these codes are worth something else than earlier, where that
    /// matters: what is over, or won in one ply, stays so.
    #[inline]
    fn exits_differ(&self, scratch: &PairScratch<R>, codes: &[u8]) -> bool {
        let settled = [HOLE, loss(0), win(0)];
        (0..2).any(|side| {
            let [then, now] = [
                &scratch.previous_exit_codes[side],
                &scratch.exit_codes[side],
            ];
            let mut pairs = 0..then.len();
            then != now
                && pairs.any(|pair| {
                    let rank = self.rank(side, pair / self.squares, pair % self.squares);
                    then[pair] != now[pair] && !settled.contains(&codes[rank])
                })
        })
    }

    /// The least codes that the exits of a side lead to.
    #[inline]
    fn gather_exits(&self, side: usize, before: &TierLookup<'_>, scratch: &mut PairScratch<R>) {
        let least = &mut scratch.exit_codes[side];
        scratch.is_gathered.fill(false);
        for &(tier, image) in &scratch.exits {
            let image = usize::from(image);
            let mover = if self.images[image].exchanges_players {
                side
            } else {
                1 - side
            };
            let Some(table) = before.side_codes(tier, mover) else {
                // A tier without any position.
                continue;
            };
            let gathered = &mut scratch.least_by_symmetry[image];
            if scratch.is_gathered[image] {
                lower_codes(gathered, table);
            } else {
                gathered.copy_from_slice(table);
                scratch.is_gathered[image] = true;
            }
        }
        least.fill(HOLE);
        for (image, order) in self.orders.iter().enumerate().rev() {
            if !scratch.is_gathered[image] {
                continue;
            }
            // What is the reverse of another image goes there, if that was met: a reverse is cheap.
            let (earlier, rest) = scratch.least_by_symmetry.split_at_mut(image);
            match order.reverse_of {
                Some(other) if scratch.is_gathered[other] => {
                    lower_codes(&mut earlier[other], rest[0].iter().rev());
                }
                _ => order.lower(least, &rest[0]),
            }
        }
    }
}

impl<G: PawnPairs, R: RowBits> SolveLayer for PairSolver<'_, G, R> {
    #[inline]
    fn solve(
        &self,
        layer: &mut Layer,
        then: Option<&[Layer]>,
        now: &[Layer],
        report: &mut LayerProgress<'_>,
    ) -> Result<Vec<bool>, Error> {
        let len = 2 * self.squares * self.squares;
        let solved_before = then.is_some();
        let number = layer.layer;
        let now = lower_layer(now, number, len);
        let then = then.and_then(|then| lower_layer(then, number, len));
        let folded = if layer.layer == 1 {
            self.take_streamed()
        } else {
            None
        };
        let now = match (&folded, &now) {
            (Some(folded), _) => ExitValues::Streamed(folded),
            (None, Some(lookup)) => ExitValues::Layer(lookup),
            (None, None) => ExitValues::Nothing,
        };
        let then =
            solved_before.then(|| then.as_ref().map_or(ExitValues::Nothing, ExitValues::Layer));
        let mut again = vec![false; layer.tiers.len()];
        let mut done = 0;
        let batches = layer.tiers.chunks(TIERS_PER_REPORT);
        let batches = batches.zip(again.chunks_mut(TIERS_PER_REPORT));
        let out = layer.codes.chunks_mut(TIERS_PER_REPORT * len);
        for ((tiers, again), out) in batches.zip(out) {
            done += out.len() as u64;
            let tiers = tiers.par_chunks(TIERS_PER_TASK);
            let again = again.par_chunks_mut(TIERS_PER_TASK);
            let each = tiers
                .zip(again)
                .zip(out.par_chunks_mut(TIERS_PER_TASK * len));
            each.try_for_each_init(
                || self.scratch(),
                |scratch, ((tiers, again), out)| {
                    let mut each = tiers.iter().zip(again).zip(out.chunks_mut(len));
                    each.try_for_each(|((&tier, again), out)| {
                        *again = self.solve_tier(tier, then, now, scratch, out)?;
                        Ok(())
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
            *code = codes
                .get(usize::from(*code))
                .copied()
                .flatten()
                .ok_or_else(foreign)?;
            Ok(())
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
        let (folded, histogram) = streamed::stream_layer(self, tiers, above, report)?;
        *self
            .streamed
            .lock()
            .expect("no thread panics with the lock") = Some(folded);
        Ok(Some(histogram))
    }
}

/// Finds tables of the layer before, if it is here.
#[inline]
fn lower_layer(layers: &[Layer], layer: u32, len: usize) -> Option<TierLookup<'_>> {
    let before = layers.iter().find(|kept| kept.layer + 1 == layer);
    before.map(|before| TierLookup::new(before, len))
}

/// How the pairs of a table are ordered in the table of its image.
struct PairOrder {
    /// Where each pair lies; empty if all stay in their places.
    pair_indices: Vec<u16>,
    /// An earlier image whose order this one's is from the end.
    reverse_of: Option<usize>,
}

#[inline]
fn pair_orders(images: &[PairSymmetry]) -> Vec<PairOrder> {
    let mut orders: Vec<PairOrder> = Vec::new();
    let mut known: Vec<Vec<u16>> = Vec::new();
    for image in images {
        let squares = image.squares.len();
        let pair = |i: usize| {
            let [other, own] = [i / squares, i % squares].map(|s| usize::from(image.squares[s]));
            (other * squares + own) as u16
        };
        let places: Vec<u16> = (0..squares * squares).map(pair).collect();
        let stay = (0..).zip(&places).all(|(i, &place)| i == place);
        orders.push(PairOrder {
            pair_indices: if stay { Vec::new() } else { places.clone() },
            reverse_of: known.iter().position(|other| is_reverse(&places, other)),
        });
        known.push(places);
    }
    orders
}

/// Whether each place is as far from the end as the other from the beginning.
#[inline]
fn is_reverse(places: &[u16], other: &[u16]) -> bool {
    let last = places.len() - 1;
    let mut pairs = places.iter().zip(other);
    pairs.all(|(&one, &other)| usize::from(one) + usize::from(other) == last)
}

impl PairOrder {
    /// Lowers codes to those of a table of the image, pair by pair.
    #[inline]
    fn lower(&self, least: &mut [u8], table: &[u8]) {
        if self.pair_indices.is_empty() {
            return lower_codes(least, table);
        }
        for (least, &place) in least.iter_mut().zip(&self.pair_indices) {
            *least = table[usize::from(place)].min(*least);
        }
    }
}

#[inline]
fn lower_codes<'a>(least: &mut [u8], codes: impl IntoIterator<Item = &'a u8>) {
    for (least, &code) in least.iter_mut().zip(codes) {
        *least = code.min(*least);
    }
}
