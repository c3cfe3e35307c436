//! Plan of the solver of states.

use hindsight_core::{Answer, ForbiddenMove, Probe, Ranked};
use hindsight_run::Summary;

use super::io::SolveIo;
use super::method::{Method, PlanError};
use super::needs::{DiskNeeds, Extent, SolveNeeds, rate, rough_seconds};
use super::request::{KeptValues, Request, StartedWork};
use super::solved::{SolvePlan, Solved};
use crate::forbidden_move::{self, SolvedStates};

/// Bytes that a rank of a solved tier takes in memory.
const KEPT_BYTES_PER_RANK: u64 = 4;

/// Plans a solve of every state of a game in which a move may be forbidden.
pub(super) fn plan_states<'g, G: ForbiddenMove + 'static>(
    game: &'g G,
    request: &Request<'_>,
) -> Result<SolvePlan<'g, G>, PlanError> {
    let (limits, storage) = (request.limits, request.storage);
    if storage.started != StartedWork::Nothing {
        return Err(PlanError::BegunByPlanes);
    }
    let base = game.base();
    let layer_ranks = || (0..base.layers()).map(|layer| base.estimated_ranks(layer));
    let ranks: u64 = layer_ranks().sum();
    let takes = |ranks| storage.layers.takes(0, ranks, 1);
    let peak = forbidden_move::peak_with_checkpoint(game, &takes);
    let kept = KEPT_BYTES_PER_RANK.saturating_mul(ranks);
    let keeps_values = request.kept_values == KeptValues::IfTheyFit
        && !storage.has_layers()
        && peak.saturating_add(kept) <= limits.memory;
    let needs = SolveNeeds {
        method: Method::Tiered,
        extent: Extent::States {
            ranks,
            layers: base.layers(),
        },
        memory: peak,
        disk: if storage.has_layers() {
            let largest = if storage.checkpoint {
                layer_ranks().max().unwrap_or(0)
            } else {
                0
            };
            DiskNeeds::of_states(ranks, largest, storage.table)
        } else {
            DiskNeeds::default()
        },
        seconds: rough_seconds(ranks, rate::STATES, storage.table),
        max_remoteness: Some(forbidden_move::MAX_REMOTENESS),
    };
    let run = move |io: SolveIo<'_>| {
        let mut states = SolvedStates::default();
        let solution = match io.states {
            Some(store) => {
                forbidden_move::solve_from(game, store, io.checkpoint, limits, io.monitor)?
            }
            None => forbidden_move::solve(game, limits, io.monitor, &mut |solved| {
                if keeps_values {
                    states.0.push(solved);
                }
                Ok(())
            })?,
        };
        let mut solved = Solved {
            histogram: Some(solution.positions.clone()),
            ..Solved::new(
                Answer::Exact(solution.start),
                Summary::of(&solution.positions),
            )
        };
        solved.states = Some(solution);
        if keeps_values {
            solved.values = Some(Box::new(move |game: &G, position| {
                let Ok(answer) = states.with(game).probe(position);
                answer
            }));
        }
        Ok(solved)
    };
    Ok(SolvePlan::new(needs, limits, run))
}
