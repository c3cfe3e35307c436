//! What occurs among the states of a layer.

use std::convert::Infallible;

use hindsight_core::{ForbiddenMove, Ranked, Value};
use hindsight_solve::Histogram;
use rayon::prelude::*;

use super::{StateSource, WIN_IN_ONE};
use crate::info::{PositionValue, StateCounts, Symbol};
use crate::layer_counts::LayerCounts;
use crate::ordinals::ordinal_runs;

/// What a table says of a layer's states, counted.
pub(crate) struct StateLayerCounts {
    pub(crate) counts: LayerCounts,
    pub(crate) states: StateCounts,
    /// What occurs, in the order of the table.
    pub(crate) symbols: Vec<Symbol>,
}

/// Ranks that are counted in one go.
const RUN: u64 = 1 << 16;

/// Runs between two reports.
const RUNS_PER_REPORT: usize = 256;

/// Counts the states of a layer.
pub(crate) fn count_states<G: ForbiddenMove>(
    game: &G,
    states: &impl StateSource,
) -> StateLayerCounts {
    let silent = &mut |_| Ok::<(), Infallible>(());
    count_states_reporting(game, states, silent).unwrap_or_else(|never| match never {})
}

/// Counts the states of a layer. `told` hears how many ranks are done, and may stop it.
pub(crate) fn count_states_reporting<G: ForbiddenMove, E>(
    game: &G,
    states: &impl StateSource,
    told: &mut dyn FnMut(u64) -> Result<(), E>,
) -> Result<StateLayerCounts, E> {
    let ranks = states.ranks();
    let runs = ordinal_runs(ranks, RUN);
    let known = states.known_counts();
    let tally = |i: u64| {
        let mut tally = StateTally::default();
        for rank in runs(i) {
            tally.add_position(game, states, rank);
            if known.is_none() {
                tally.add_states(game, states, rank);
            }
        }
        tally
    };
    let mut all = StateTally::default();
    let count = ranks.div_ceil(RUN);
    for batch in (0..count).step_by(RUNS_PER_REPORT) {
        told(batch * RUN)?;
        let batch = batch..count.min(batch + RUNS_PER_REPORT as u64);
        let tallies = batch.into_par_iter().map(tally);
        all = all.merge_later(tallies.reduce(StateTally::default, StateTally::merge_later));
    }
    let copies = game.base().tier_orbit_size(states.tier());
    let counted = all.into_counts((ranks > 0).then_some(states.tier()), copies);
    Ok(match known {
        Some(states) => StateLayerCounts { states, ..counted },
        None => counted,
    })
}

/// Where a value is counted: draws, then by plies losses and wins in turn.
pub(crate) fn value_key(value: Value) -> usize {
    match value {
        Value::Draw => 0,
        Value::Loss(n) => 1 + 2 * usize::from(n),
        Value::Win(n) => 2 + 2 * usize::from(n),
    }
}

/// Which of some ways one is, counted from 1; 0 for none.
pub(crate) fn move_number(ways: &[u8], way: u8) -> Option<u8> {
    let at = ways.iter().position(|&known| known == way);
    match way {
        0 => Some(0),
        _ => at.and_then(|at| u8::try_from(at + 1).ok()),
    }
}

fn value_of_key(key: usize) -> Value {
    let plies = || ((key - 1) / 2) as u16;
    match key {
        0 => Value::Draw,
        key if key % 2 == 1 => Value::Loss(plies()),
        _ => Value::Win(plies()),
    }
}

/// Counts by the keys of values.
#[derive(Default)]
struct ValueBins(Vec<u64>);

impl ValueBins {
    fn add(&mut self, value: Value, n: u64) {
        let key = value_key(value);
        if self.0.len() <= key {
            self.0.resize(key + 1, 0);
        }
        self.0[key] += n;
    }

    fn merge(&mut self, other: Self) {
        for (key, n) in other.0.into_iter().enumerate() {
            self.add(value_of_key(key), n);
        }
    }

    fn rows(&self) -> impl Iterator<Item = (Value, u64)> {
        let rows = self.0.iter().enumerate().filter(|(_, n)| **n > 0);
        rows.map(|(key, &n)| (value_of_key(key), n))
    }

    fn histogram(&self, copies: u64) -> Histogram {
        self.rows().map(|(value, n)| (value, n * copies)).collect()
    }
}

/// What was met in some ranks.
struct StateTally {
    positions: ValueBins,
    without_best: ValueBins,
    states: ValueBins,
    nontrivial: ValueBins,
    move_numbers_seen: [bool; 128],
    longest_win: Option<PositionValue>,
    longest_loss: Option<PositionValue>,
    move_ids: Vec<u8>,
}

impl Default for StateTally {
    fn default() -> Self {
        Self {
            positions: ValueBins::default(),
            without_best: ValueBins::default(),
            states: ValueBins::default(),
            nontrivial: ValueBins::default(),
            move_numbers_seen: [false; 128],
            longest_win: None,
            longest_loss: None,
            move_ids: Vec::new(),
        }
    }
}

impl StateTally {
    fn add_position<G: ForbiddenMove>(&mut self, game: &G, states: &impl StateSource, rank: u64) {
        let tier = states.tier();
        let Some(value) = states.value(rank) else {
            return;
        };
        self.positions.add(value, 1);
        self.update_longest(PositionValue { tier, rank, value });
        let Some((best, without)) = states.exception(rank) else {
            self.move_numbers_seen[0] = true;
            return;
        };
        self.without_best.add(without, 1);
        self.move_ids.clear();
        game.forbiddable_ids(tier, rank, &mut self.move_ids);
        // Whoever writes the layer says so if the best is none of them.
        let ordinal = move_number(&self.move_ids, best).unwrap_or(0);
        self.move_numbers_seen[usize::from(ordinal & 127)] = true;
    }

    fn add_states<G: ForbiddenMove>(&mut self, game: &G, states: &impl StateSource, rank: u64) {
        let tier = states.tier();
        let (Some(value), Some(position)) = (states.value(rank), game.base().unrank(tier, rank))
        else {
            return;
        };
        let (best, without) = states.exception(rank).unwrap_or((0, value));
        self.move_ids.clear();
        game.forbiddable_ids(tier, rank, &mut self.move_ids);
        let forbids_best = self.move_ids.iter().filter(|&&way| way == best).count() as u64;
        let others = self.move_ids.len() as u64 - forbids_best;
        let free = u64::from(game.reached_unrestricted(position));
        for (value, n) in [(value, free + others), (without, forbids_best)] {
            if n > 0 {
                self.states.add(value, n);
                if states.value(rank) != Some(WIN_IN_ONE) {
                    self.nontrivial.add(value, n);
                }
            }
        }
    }

    /// Keeps the first of the most plies.
    fn update_longest(&mut self, example: PositionValue) {
        let longest = match example.value {
            Value::Win(_) => &mut self.longest_win,
            Value::Loss(_) => &mut self.longest_loss,
            Value::Draw => return,
        };
        let plies = |example: &PositionValue| example.value.remoteness();
        if longest
            .as_ref()
            .is_none_or(|best| plies(&example) > plies(best))
        {
            *longest = Some(example);
        }
    }

    /// `other` is of later ranks.
    fn merge_later(mut self, other: Self) -> Self {
        let examples = [other.longest_win, other.longest_loss];
        examples
            .into_iter()
            .flatten()
            .for_each(|e| self.update_longest(e));
        self.positions.merge(other.positions);
        self.without_best.merge(other.without_best);
        self.states.merge(other.states);
        self.nontrivial.merge(other.nontrivial);
        for (met, other) in self
            .move_numbers_seen
            .iter_mut()
            .zip(other.move_numbers_seen)
        {
            *met |= other;
        }
        self
    }

    fn into_counts(self, first_tier: Option<u64>, copies: u64) -> StateLayerCounts {
        let values = self.positions.rows().chain(self.without_best.rows());
        let values = values.map(|(value, _)| Symbol::Exact(value));
        let ways = (0..128_u8)
            .zip(self.move_numbers_seen)
            .filter(|(_, met)| *met);
        let mut symbols: Vec<Symbol> = values
            .chain(ways.map(|(way, _)| Symbol::BestMove(way)))
            .collect();
        symbols.sort_by_key(|symbol| symbol.sort_key());
        symbols.dedup();
        StateLayerCounts {
            counts: LayerCounts {
                tiers: u64::from(first_tier.is_some()),
                first_tier,
                histogram: self.positions.histogram(copies),
                longest_win: self.longest_win,
                longest_loss: self.longest_loss,
            },
            states: StateCounts {
                all: self.states.histogram(copies),
                nontrivial: self.nontrivial.histogram(copies),
            },
            symbols,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{value_key, value_of_key};
    use hindsight_core::Value;

    #[test]
    fn keys_are_values() {
        for value in [
            Value::Draw,
            Value::Loss(0),
            Value::Win(0),
            Value::Loss(7),
            Value::Win(u16::MAX),
        ] {
            assert_eq!(value_of_key(value_key(value)), value);
        }
    }
}
