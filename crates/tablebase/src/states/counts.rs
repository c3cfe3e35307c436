//! Counts of the states of a layer.

use hindsight_engine::StateHistograms;
use std::convert::Infallible;

use hindsight_core::{ForbiddenMove, PackedGame, Ranked, States, Tiers, Value};
use hindsight_engine::Histogram;
use rayon::prelude::*;

use super::rank_class::WIN_IN_ONE;
use crate::format::info::PositionValue;
use crate::symbols::ordinals::ordinal_runs;
use crate::symbols::symbol::Symbol;
use crate::writing::layer_counts::{LayerCounts, LongestValues};
use hindsight_engine::StateSource;

/// Ranks per task.
const RUN_RANKS: u64 = 1 << 16;

/// Tasks between two reports.
const RUNS_PER_REPORT: usize = 256;

pub(super) fn count_states(game: &PackedGame, states: &dyn StateSource) -> LayerCounts {
    let no_report = &mut |_| Ok::<(), Infallible>(());
    count_states_reporting(game, states, no_report).unwrap_or_else(|never| match never {})
}

/// Counts the states of a layer. `report` gets the number of ranks done, and stops the count by an
/// error.
pub(crate) fn count_states_reporting<E>(
    game: &PackedGame,
    states: &dyn StateSource,
    report: &mut dyn FnMut(u64) -> Result<(), E>,
) -> Result<LayerCounts, E> {
    let ranks = states.ranks();
    let runs = ordinal_runs(ranks, RUN_RANKS);
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
    let count = ranks.div_ceil(RUN_RANKS);
    for batch in (0..count).step_by(RUNS_PER_REPORT) {
        report(batch * RUN_RANKS)?;
        let batch = batch..count.min(batch + RUNS_PER_REPORT as u64);
        let tallies = batch.into_par_iter().map(tally);
        all = all.merge_later(tallies.reduce(StateTally::default, StateTally::merge_later));
    }
    // Every rank of the tier stands for as many states: a law of `ForbiddenMove`.
    let copies = game.base().orbit_run(states.tier(), 0).orbit_size;
    let counted = all.into_counts((ranks > 0).then_some(states.tier()), copies);
    Ok(LayerCounts { states: known.or(counted.states), ..counted })
}

/// Index of a value's counter: draw 0, `Loss(n)` `2n + 1`, `Win(n)` `2n + 2`.
pub(super) fn value_key(value: Value) -> usize {
    match value {
        Value::Draw => 0,
        Value::Loss(n) => 1 + 2 * usize::from(n),
        Value::Win(n) => 2 + 2 * usize::from(n),
    }
}

/// Number of a move among the forbiddable moves of its position, counted from 1; 0 for move id 0,
/// which forbids nothing.
pub(super) fn move_number(move_ids: &[u8], move_id: u8) -> Option<u8> {
    let i = move_ids.iter().position(|&id| id == move_id);
    match move_id {
        0 => Some(0),
        _ => i.and_then(|i| u8::try_from(i + 1).ok()),
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

/// Counters indexed by [`value_key`].
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

/// Counts of a range of ranks.
struct StateTally {
    /// Positions by value with nothing forbidden.
    positions: ValueBins,
    /// Positions with a best move, by value without it.
    without_best: ValueBins,
    /// States that some move leads to.
    states: ValueBins,
    /// States of `states` whose position is not won in one ply.
    nontrivial: ValueBins,
    move_numbers_seen: [bool; 128],
    longest: LongestValues,
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
            longest: LongestValues::default(),
            move_ids: Vec::new(),
        }
    }
}

impl StateTally {
    fn add_position(&mut self, game: &PackedGame, states: &dyn StateSource, rank: u64) {
        let tier = states.tier();
        let Some(value) = states.value(rank) else {
            return;
        };
        self.positions.add(value, 1);
        self.longest.add(PositionValue { tier, rank, value });
        let Some((best, without)) = states.exception(rank) else {
            self.move_numbers_seen[0] = true;
            return;
        };
        self.without_best.add(without, 1);
        self.move_ids.clear();
        game.forbiddable_ids(tier, rank, &mut self.move_ids);
        // The encoder reports a best move that is not among the forbiddable moves.
        let number = move_number(&self.move_ids, best).unwrap_or(0);
        self.move_numbers_seen[usize::from(number & 127)] = true;
    }

    fn add_states(&mut self, game: &PackedGame, states: &dyn StateSource, rank: u64) {
        let tier = states.tier();
        let (Some(value), Some(position)) = (states.value(rank), game.base().unrank(tier, rank))
        else {
            return;
        };
        let (best, without) = states.exception(rank).unwrap_or((0, value));
        self.move_ids.clear();
        game.forbiddable_ids(tier, rank, &mut self.move_ids);
        let forbids_best = self.move_ids.iter().filter(|&&id| id == best).count() as u64;
        let others = self.move_ids.len() as u64 - forbids_best;
        let unrestricted = u64::from(game.reached_unrestricted(position));
        for (value, n) in [(value, unrestricted + others), (without, forbids_best)] {
            if n > 0 {
                self.states.add(value, n);
                if states.value(rank) != Some(WIN_IN_ONE) {
                    self.nontrivial.add(value, n);
                }
            }
        }
    }

    /// Adds the counts of later ranks.
    fn merge_later(mut self, other: Self) -> Self {
        let longest = [other.longest.win, other.longest.loss].into_iter();
        longest.flatten().for_each(|position| self.longest.add(position));
        self.positions.merge(other.positions);
        self.without_best.merge(other.without_best);
        self.states.merge(other.states);
        self.nontrivial.merge(other.nontrivial);
        for (seen, other) in self.move_numbers_seen.iter_mut().zip(other.move_numbers_seen) {
            *seen |= other;
        }
        self
    }

    fn into_counts(self, first_tier: Option<u64>, copies: u64) -> LayerCounts {
        let values = self.positions.rows().chain(self.without_best.rows());
        let values = values.map(|(value, _)| Symbol::Exact(value));
        let numbers = (0..128_u8).zip(self.move_numbers_seen).filter(|(_, seen)| *seen);
        let mut symbols: Vec<Symbol> =
            values.chain(numbers.map(|(number, _)| Symbol::BestMove(number))).collect();
        symbols.sort_by_key(|symbol| symbol.sort_key());
        symbols.dedup();
        LayerCounts {
            tiers: u64::from(first_tier.is_some()),
            first_tier,
            histogram: self.positions.histogram(copies),
            longest: self.longest,
            states: Some(StateHistograms {
                all: self.states.histogram(copies),
                nontrivial: self.nontrivial.histogram(copies),
            }),
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
        for value in
            [Value::Draw, Value::Loss(0), Value::Win(0), Value::Loss(7), Value::Win(u16::MAX)]
        {
            assert_eq!(value_of_key(value_key(value)), value);
        }
    }
}
