//! Every position of a game, tier by tier, a byte a position.
//!
//! Layers are solved in order, each tier by its frontier: what is decided at ply n is passed on to its
//! predecessors, which are decided at n + 1 or later; what is never decided is a draw. So remoteness is
//! exact. Values outside the tier are known before it begins. Two bytes a rank are kept for the tiers
//! in work (the value and the number of moves that may not lose), one byte for finished layers that
//! others still look up. Reusing them is what S. Ikeda et al., "An analysis of Quoridor by reusing
//! results from the reduced version" (2024), call reduced versions, in the order that needs no
//! propagation.

mod codes;
mod finished;
mod plan;
mod work;

use game::{Ranked, Retro, Value};
use rayon::prelude::*;

use crate::limits::Watch;
use crate::{Error, Histogram, Layer, Limits, Monitor, Progress, Store, Summary};

use codes::Codes;
pub(crate) use finished::Finished;
pub use plan::Plan;
use work::{Shared, solve_tier};

/// What a solve of every position found out.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    /// The value of the start.
    pub start: Value,
    /// Positions, with every copy of a tier; edges are not counted (0).
    pub summary: Summary,
    /// Positions by value, with every copy of a tier.
    pub histogram: Histogram,
}

/// Solves every position of a game, layer by layer, and gives each layer to the store. Layers that the
/// store has already are not solved again.
///
/// # Errors
/// Before it starts, [`Error::TooLarge`] if the plan needs more memory than is allowed; then what the
/// monitor, the clock or the store say; [`Error::TooLong`] for a remoteness that a byte cannot tell.
pub fn solve<G: Retro>(
    game: &G,
    plan: &Plan,
    store: &mut dyn Store,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<Outcome, Error> {
    let codes = Codes::new();
    layer_by_layer(game, plan, store, limits, monitor, |at, watch| {
        let shared = Shared {
            game,
            codes: &codes,
            finished: at.finished,
        };
        solve_layer(&shared, plan, at, watch).map(Done::Layer)
    })
}

/// A layer to be solved, and what is known before.
#[derive(Clone, Copy)]
pub(crate) struct At<'a> {
    pub(crate) layer: u32,
    /// The finished layers that it looks up, and perhaps others.
    pub(crate) finished: &'a Finished,
    /// Ranks of all finished layers.
    pub(crate) done: u64,
}

/// What came of a layer.
pub(crate) enum Done {
    /// Its values.
    Layer(Layer),
    /// Positions by value; the values are gone.
    Counted(Histogram),
}

/// Goes through the layers: those in the store are read back, others solved and stored.
pub(crate) fn layer_by_layer<G: Ranked>(
    game: &G,
    plan: &Plan,
    store: &mut dyn Store,
    limits: Limits,
    monitor: &mut dyn Monitor,
    mut solve: impl FnMut(At<'_>, &mut Watch<'_>) -> Result<Done, Error>,
) -> Result<Outcome, Error> {
    plan.check(limits.memory)?;
    let mut watch = Watch::new(limits, monitor);
    let mut count = Count::new(game);
    let mut finished = Finished::default();
    let mut done = 0;
    for layer in 0..game.layers() {
        let solved = if store.has(layer).map_err(Error::Store)? {
            store.get(layer).map_err(Error::Store)?
        } else {
            let at = At {
                layer,
                finished: &finished,
                done,
            };
            match solve(at, &mut watch)? {
                Done::Layer(solved) => {
                    store.put(&solved).map_err(Error::Store)?;
                    solved
                }
                Done::Counted(histogram) => {
                    count.histogram.merge(&histogram);
                    continue;
                }
            }
        };
        count.add(game, &solved);
        done += solved.codes.len() as u64;
        finished.0.push(solved);
        finished.0.retain(|kept| plan.last_use(kept.layer) > layer);
        debug_assert!(finished.bytes() <= plan.peak());
    }
    count.outcome()
}

fn solve_layer<G: Retro>(
    shared: &Shared<'_, G>,
    plan: &Plan,
    at: At<'_>,
    watch: &mut Watch<'_>,
) -> Result<Layer, Error> {
    let At { layer, done, .. } = at;
    let tiers = plan.tiers(layer).to_vec();
    let mut starts = vec![0];
    for &tier in &tiers {
        starts.push(starts[starts.len() - 1] + shared.game.tier_len(tier));
    }
    let total = Some(plan.ranks());
    let mut codes = Vec::new();
    if let [tier] = tiers[..] {
        codes = solve_tier(shared, tier, &mut |phase, part, all| {
            // The last passes are short: a position counts as done when its ply has passed.
            let done = done
                + if phase == "counting" {
                    part / 2
                } else {
                    (all + part) / 2
                };
            watch.check(Progress { phase, done, total }, done, 0, 0)
        })?;
    } else {
        /// Tiers between two looks at the monitor.
        const BATCH: usize = 256;
        codes.reserve_exact(starts[starts.len() - 1] as usize);
        for batch in tiers.chunks(BATCH) {
            let solve = |&tier: &u64| solve_tier(shared, tier, &mut |_, _, _| Ok(()));
            let solved: Vec<Vec<u8>> = batch.par_iter().map(solve).collect::<Result<_, _>>()?;
            solved.iter().for_each(|tier| codes.extend_from_slice(tier));
            let done = done + codes.len() as u64;
            let phase = "solving";
            watch.check(Progress { phase, done, total }, done, 0, 0)?;
        }
    }
    Ok(Layer {
        layer,
        tiers,
        starts,
        codes,
        palette: shared.codes.palette(),
    })
}

/// Counts positions by value as layers come.
pub(crate) struct Count {
    start: (u64, u64),
    value: Option<Value>,
    histogram: Histogram,
}

impl Count {
    pub(crate) fn new<G: Ranked>(game: &G) -> Self {
        Self {
            start: game.rank(game.start()).expect("the start has a rank"),
            value: None,
            histogram: Histogram::default(),
        }
    }

    pub(crate) fn add<G: Ranked>(&mut self, game: &G, layer: &Layer) {
        let (tier, rank) = self.start;
        self.value = self.value.or_else(|| layer.value(tier, rank));
        self.histogram.merge(&layer.histogram(game));
    }

    pub(crate) fn outcome(self) -> Result<Outcome, Error> {
        let histogram = self.histogram;
        let of = |wdl| {
            let rows = histogram.rows().into_iter();
            rows.filter(|(value, _)| value.wdl() == wdl)
                .map(|(_, n)| n)
                .sum()
        };
        let summary = Summary {
            positions: histogram.positions(),
            edges: 0,
            wins: of(game::Wdl::Win),
            losses: of(game::Wdl::Loss),
            draws: of(game::Wdl::Draw),
        };
        Ok(Outcome {
            start: self.value.expect("the start lies in a layer"),
            summary,
            histogram,
        })
    }
}

impl Layer {
    /// Positions by value, with every copy of a tier.
    #[must_use]
    pub fn histogram<G: Ranked>(&self, game: &G) -> Histogram {
        let count = |i: usize| {
            let copies = game.tier_copies(self.tiers[i]);
            let bins = |codes: &[u8]| {
                let mut bins = [0_u64; 256];
                codes.iter().for_each(|&code| bins[usize::from(code)] += 1);
                bins
            };
            let chunks = self.tier_codes(i).par_chunks(1 << 20).map(bins);
            let bins = chunks.reduce(|| [0; 256], added);
            bins.map(|n| n * copies)
        };
        let tiers = (0..self.tiers.len()).into_par_iter().map(count);
        let bins = tiers.reduce(|| [0; 256], added);
        let rows = self.palette.iter().zip(bins);
        rows.filter_map(|(value, n)| Some(((*value)?, n)).filter(|_| n > 0))
            .collect()
    }
}

fn added(mut one: [u64; 256], other: [u64; 256]) -> [u64; 256] {
    one.iter_mut().zip(other).for_each(|(sum, n)| *sum += n);
    one
}

/// Bytes a rank of a tier in work.
const BYTES_IN_WORK: u64 = 2;
