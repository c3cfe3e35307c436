//! Every position of a game whose tiers are pairs of squares ([`game::Pairs`]): millions of small tiers,
//! each solved in microseconds.
//!
//! A tier fits the first cache. Its positions are rows of bits, one row for each square of one piece and
//! one bit for each square of the other, so a step of all positions at once is a few shifts. Moves out of
//! the tier keep both squares: what they are worth is the byte-wise minimum of the tables they lead to,
//! taken before the tier begins, once for each symmetry.

mod code;
mod fold;
mod kernel;
mod lookup;
mod row;

use game::{PairImage, PairRules, Pairs};
use rayon::prelude::*;

use crate::limits::Watch;
use crate::tiered::{At, Done, Outcome, Plan, layer_by_layer};
use crate::{Error, Layer, Limits, Monitor, Progress, Store};

use code::{HOLE, palette};
use fold::Folded;
use kernel::Kernel;
use lookup::Lookup;
use row::Row;

/// Solves every position of a game, as [`crate::tiered::solve`] does, and to the same values.
///
/// # Errors
/// As there; the longest remoteness is 253 plies.
pub fn solve<G: Pairs>(
    game: &G,
    plan: &Plan,
    store: &mut dyn Store,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<Outcome, Error> {
    match game.squares() {
        0..=32 => solve_rows::<G, u32>(game, plan, store, limits, monitor),
        33..=64 => solve_rows::<G, u64>(game, plan, store, limits, monitor),
        _ => solve_rows::<G, u128>(game, plan, store, limits, monitor),
    }
}

fn solve_rows<G: Pairs, R: Row>(
    game: &G,
    plan: &Plan,
    store: &mut dyn Store,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<Outcome, Error> {
    let images = game.images();
    let solver = Solver::<G, R>::new(game, &images);
    let mut folded = None;
    layer_by_layer(game, plan, store, limits, monitor, |at, watch| {
        let tiers = plan.tiers(at.layer);
        if at.layer == 0 && plan.is_folded() {
            let (before, histogram) = fold::fold(&solver, plan, watch)?;
            folded = Some(before);
            return Ok(Done::Counted(histogram));
        }
        // What was folded is of use to layer 1 only.
        let before = folded.take();
        solver
            .layer(tiers, plan, at, before.as_ref(), watch)
            .map(Done::Layer)
    })
}

/// Tiers that one thread solves one after the other.
const TIERS_AT_ONCE: usize = 32;
/// Tiers between two looks at the monitor.
const TIERS_A_REPORT: usize = 8192;

/// What is known of the layer before.
enum Before<'a> {
    Nothing,
    Layer(Lookup<'a>),
    Folded(&'a Folded),
}

struct Solver<'a, G, R> {
    game: &'a G,
    images: &'a [PairImage],
    /// For each image and side, where the pair at an index of `least` lies in a table of the image.
    places: Vec<[Vec<u16>; 2]>,
    squares: usize,
    rows: std::marker::PhantomData<R>,
}

/// What a thread needs for one tier, kept from tier to tier.
struct Scratch<R> {
    kernel: Kernel<R>,
    rules: PairRules,
    exits: Vec<(u64, u8)>,
    /// For each image the byte-wise least of the tables that exits lead to.
    gathered: Vec<Vec<u8>>,
    met: Vec<bool>,
    least: [Vec<u8>; 2],
}

impl<'a, G: Pairs, R: Row> Solver<'a, G, R> {
    fn new(game: &'a G, images: &'a [PairImage]) -> Self {
        let squares = usize::from(game.squares());
        let place = |image: &PairImage, side: usize| {
            let pair = |i: usize| {
                let [second, first] = [i / squares, i % squares].map(|s| image.squares[s]);
                // After the move of `side` the other is to move.
                let [own, other] = if side == 0 {
                    [second, first]
                } else {
                    [first, second]
                };
                (usize::from(other) * squares + usize::from(own)) as u16
            };
            (0..squares * squares).map(pair).collect()
        };
        Self {
            game,
            images,
            places: images
                .iter()
                .map(|image| [0, 1].map(|side| place(image, side)))
                .collect(),
            squares,
            rows: std::marker::PhantomData,
        }
    }

    fn scratch(&self) -> Scratch<R> {
        let table = || vec![HOLE; self.squares * self.squares];
        Scratch {
            kernel: Kernel::new(self.squares),
            rules: PairRules::default(),
            exits: Vec::new(),
            gathered: self.images.iter().map(|_| table()).collect(),
            met: vec![false; self.images.len()],
            least: [table(), table()],
        }
    }

    fn layer(
        &self,
        tiers: &[u64],
        plan: &Plan,
        at: At<'_>,
        folded: Option<&Folded>,
        watch: &mut Watch<'_>,
    ) -> Result<Layer, Error> {
        let At {
            layer,
            finished,
            done,
        } = at;
        let len = 2 * self.squares * self.squares;
        let before = finished.0.iter().find(|kept| kept.layer + 1 == layer);
        let before = match (folded, before) {
            (Some(folded), _) => Before::Folded(folded),
            (None, Some(layer)) => Before::Layer(Lookup::new(layer, len)),
            (None, None) => Before::Nothing,
        };
        let mut codes = vec![0; tiers.len() * len];
        let mut ready = done;
        let batches = tiers.chunks(TIERS_A_REPORT);
        for (batch, out) in batches.zip(codes.chunks_mut(TIERS_A_REPORT * len)) {
            let tiers = batch.par_chunks(TIERS_AT_ONCE);
            tiers
                .zip(out.par_chunks_mut(TIERS_AT_ONCE * len))
                .try_for_each_init(
                    || self.scratch(),
                    |scratch, (tiers, out)| {
                        let mut each = tiers.iter().zip(out.chunks_mut(len));
                        each.try_for_each(|(&tier, out)| self.tier(tier, &before, scratch, out))
                    },
                )?;
            ready += out.len() as u64;
            let progress = Progress {
                phase: "solving",
                done: ready,
                total: Some(plan.ranks()),
            };
            watch.check(progress, ready, 0, 0)?;
        }
        Ok(Layer {
            layer,
            tiers: tiers.to_vec(),
            starts: (0..=tiers.len()).map(|i| (i * len) as u64).collect(),
            codes,
            palette: palette(),
        })
    }

    fn tier(
        &self,
        tier: u64,
        before: &Before<'_>,
        scratch: &mut Scratch<R>,
        out: &mut [u8],
    ) -> Result<(), Error> {
        for side in 0..2 {
            match before {
                Before::Nothing => scratch.least[side].fill(HOLE),
                Before::Folded(folded) => folded.read(tier, side, &mut scratch.least[side]),
                Before::Layer(lookup) => {
                    scratch.exits.clear();
                    self.game.exits(tier, side, &mut scratch.exits);
                    self.gather(side, lookup, scratch);
                }
            }
        }
        self.game.pair_rules(tier, &mut scratch.rules);
        scratch.kernel.solve(&scratch.rules, &scratch.least, out)
    }

    /// The least codes that the exits of a side lead to.
    fn gather(&self, side: usize, before: &Lookup<'_>, scratch: &mut Scratch<R>) {
        let least = &mut scratch.least[side];
        if scratch.exits.is_empty() {
            least.fill(HOLE);
            return;
        }
        scratch.met.fill(false);
        for &(tier, image) in &scratch.exits {
            let image = usize::from(image);
            let mover = if self.images[image].swaps {
                side
            } else {
                1 - side
            };
            let Some(table) = before.plane(tier, mover) else {
                // A tier without any position.
                continue;
            };
            let gathered = &mut scratch.gathered[image];
            if scratch.met[image] {
                for (least, &code) in gathered.iter_mut().zip(table) {
                    *least = code.min(*least);
                }
            } else {
                gathered.copy_from_slice(table);
                scratch.met[image] = true;
            }
        }
        least.fill(HOLE);
        for (image, places) in self.places.iter().enumerate() {
            if scratch.met[image] {
                let gathered = &scratch.gathered[image];
                for (least, &place) in least.iter_mut().zip(&places[side]) {
                    *least = gathered[usize::from(place)].min(*least);
                }
            }
        }
    }
}
