//! Every position that may follow a given one.
//!
//! Two threads solve about 100 million ranks a second, whatever the size of the board
//! (`runs/2026-11-26-epyc-2c/subgames.md`).

use std::convert::Infallible;

use hindsight_core::{Answer, Game, Packed, PackedGame, Probe, Ranked, Subgames, Tiers, Value};
use hindsight_engine::{Budget, Error, Layer, Limits, Monitor, Progress};

use super::layer_solver;
use crate::tiered::TierPlan;

/// Size and memory of a [`solve`](SubgamePlan::solve) of a subgame, known before it starts.
///
/// # Examples
/// ```
/// use hindsight_core::{Answer, Game, Probe, Value};
/// use hindsight_solve::pawn_pairs::SubgamePlan;
/// use hindsight_engine::{Limits, NoMonitor};
///
/// let game = hindsight_rules::by_name("quoridor:3x3:1", &Default::default())?;
/// let start = game.start();
/// assert!(SubgamePlan::new(&game, start, 1_000).is_none());
/// let plan = SubgamePlan::new(&game, start, 10_000).expect("at most 10,000 ranks");
/// let solved = plan.solve(Limits::default(), &mut NoMonitor)?;
/// assert_eq!(solved.probe(start), Ok(Answer::Exact(Value::Loss(8))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct SubgamePlan {
    subgame: PackedGame,
    tiers: TierPlan,
}

impl SubgamePlan {
    /// Plans the solve of all positions that may follow `position`.
    ///
    /// `None` if their tiers have more than `most_ranks` ranks, or more than 64 bits can number.
    /// Ranks are counted up to symmetries that keep the first tier, holes included.
    ///
    /// Cost: first the estimates of some layers, for Quoridor on 9x9 some milliseconds; then a list
    /// of the tiers, eight bytes each, if the estimates are at most `most_ranks`.
    #[must_use]
    pub fn new(game: &PackedGame, position: Packed, most_ranks: u64) -> Option<Self> {
        let subgame = game.subgame(position)?;
        let mut estimate = 0_u64;
        // The last layers have the fewest tiers.
        for layer in (0..subgame.layers()).rev() {
            estimate = estimate.saturating_add(subgame.estimated_ranks(layer));
            if estimate > most_ranks {
                return None;
            }
        }
        let tiers = TierPlan::new(&subgame);
        (tiers.ranks() <= most_ranks).then_some(Self { subgame, tiers })
    }

    /// Returns the number of ranks of all tiers, holes included.
    #[must_use]
    pub fn ranks(&self) -> u64 {
        self.tiers.ranks()
    }

    /// Returns the fewest bytes of memory in which the solve fits.
    #[must_use]
    pub fn peak(&self) -> u64 {
        let kept = self.tiers.peak_with_all_layers();
        let streamed = self.tiers.clone().streamed();
        kept.min(streamed.peak_with_all_layers())
    }

    /// Solves all positions of the subgame, on the threads of the current rayon pool.
    ///
    /// The values take one byte per rank. Without memory for layer 0, which has most tiers, the
    /// solve does not keep it.
    ///
    /// # Errors
    /// [`Error::TooLarge`], before the start, if more memory is needed than `limits` allow. Any
    /// error of the monitor or the clock. [`Error::TooLong`] for a remoteness of more than 253
    /// plies.
    pub fn solve(self, limits: Limits, monitor: &mut dyn Monitor) -> Result<SolvedSubgame, Error> {
        let peak = self.peak();
        let Self { subgame, mut tiers } = self;
        tiers.check_peak(peak, limits.memory)?;
        if tiers.peak_with_all_layers() > limits.memory {
            tiers = tiers.streamed();
        }
        let mut budget = Budget::new(limits, monitor);
        let layers = solve_layers(&subgame, &tiers, &mut budget)?;
        Ok(SolvedSubgame { subgame, layers })
    }
}

/// Solves the layers in order; returns all but the streamed one.
fn solve_layers(
    subgame: &PackedGame,
    plan: &TierPlan,
    budget: &mut Budget<'_>,
) -> Result<Vec<Layer>, Error> {
    let solver = layer_solver(subgame);
    let total = Some(plan.ranks());
    let mut done = 0;
    let mut layers = Vec::new();
    for number in 0..subgame.layers() {
        let tiers = plan.tiers(number);
        let mut report = |phase, layer_ranks| {
            let done = done + layer_ranks;
            budget.check(Progress { phase, done, total }, done, 0, 0)
        };
        if number == 0 && plan.is_streamed() {
            solver.solve_streamed(tiers, plan.tiers(1), &mut report)?;
        } else {
            let mut layer = Layer::unsolved(subgame, number, tiers);
            solver.solve(&mut layer, None, &layers, &mut report)?;
            layers.push(layer);
        }
        done += tiers.iter().map(|&tier| subgame.tier_len(tier)).sum::<u64>();
    }
    Ok(layers)
}

/// Values of every position that may follow the first position of a subgame, with their remoteness.
///
/// If layer 0 was not kept, a probe of one of its positions solves the tier once more: less than a
/// millisecond.
#[derive(Clone, Debug)]
pub struct SolvedSubgame {
    subgame: PackedGame,
    /// All layers, or all but layer 0.
    layers: Vec<Layer>,
}

impl SolvedSubgame {
    /// Returns the solved subgame.
    #[must_use]
    pub fn subgame(&self) -> &PackedGame {
        &self.subgame
    }

    /// Value of a rank in layer 0.
    fn value_in_first_layer(&self, tier: u64, rank: u64) -> Option<Value> {
        let mut layer = Layer::unsolved(&self.subgame, 0, &[tier]);
        layer_solver(&self.subgame)
            .solve(&mut layer, None, &[], &mut |_, _| Ok(()))
            .expect("the tier has been solved once");
        layer.value(tier, rank)
    }
}

/// Answers [`Answer::Unknown`] for positions outside the subgame.
impl Probe for SolvedSubgame {
    type Error = Infallible;

    fn probe(&self, position: Packed) -> Result<Answer, Infallible> {
        if let Some(wdl) = self.subgame.terminal(position) {
            return Ok(Answer::Exact(Value::terminal(wdl)));
        }
        let Some((tier, rank)) = self.subgame.rank(position) else {
            return Ok(Answer::Unknown);
        };
        let holds = |layer: &&Layer| layer.tiers.binary_search(&tier).is_ok();
        let value = match self.layers.iter().find(holds) {
            Some(layer) => layer.value(tier, rank),
            None => self.value_in_first_layer(tier, rank),
        };
        Ok(value.map_or(Answer::Unknown, Answer::Exact))
    }
}
