//! What occurs among the states of a layer.

use std::convert::Infallible;

use hindsight_core::{ForbiddenMove, Ranked, Value};
use hindsight_solve::Histogram;
use rayon::prelude::*;

use super::{AT_ONCE, States};
use crate::counts::Counts;
use crate::info::{Example, StateCounts, Symbol};
use crate::shape::runs;

/// What a table says of a layer's states, counted.
pub(crate) struct Counted {
    pub(crate) counts: Counts,
    pub(crate) states: StateCounts,
    /// What occurs, in the order of the table.
    pub(crate) symbols: Vec<Symbol>,
}

/// Ranks that are counted in one go.
const RUN: u64 = 1 << 16;

/// Runs between two reports.
const RUNS_A_REPORT: usize = 256;

/// Counts the states of a layer.
pub(crate) fn count<G: ForbiddenMove>(game: &G, states: &impl States) -> Counted {
    let silent = &mut |_| Ok::<(), Infallible>(());
    count_telling(game, states, silent).unwrap_or_else(|never| match never {})
}

/// Counts the states of a layer. `told` hears how many ranks are done, and may stop it.
pub(crate) fn count_telling<G: ForbiddenMove, E>(
    game: &G,
    states: &impl States,
    told: &mut dyn FnMut(u64) -> Result<(), E>,
) -> Result<Counted, E> {
    let ranks = states.ranks();
    let runs = runs(ranks, RUN);
    let known = states.states();
    let tally = |i: u64| {
        let mut tally = Tally::default();
        for rank in runs(i) {
            tally.position(game, states, rank);
            if known.is_none() {
                tally.states(game, states, rank);
            }
        }
        tally
    };
    let mut all = Tally::default();
    let count = ranks.div_ceil(RUN);
    for batch in (0..count).step_by(RUNS_A_REPORT) {
        told(batch * RUN)?;
        let batch = batch..count.min(batch + RUNS_A_REPORT as u64);
        let tallies = batch.into_par_iter().map(tally);
        all = all.merged(tallies.reduce(Tally::default, Tally::merged));
    }
    let copies = game.base().tier_copies(states.tier());
    let counted = all.counted((ranks > 0).then_some(states.tier()), copies);
    Ok(match known {
        Some(states) => Counted { states, ..counted },
        None => counted,
    })
}

/// Where a value is counted: draws, then by plies losses and wins in turn.
pub(crate) fn key(value: Value) -> usize {
    match value {
        Value::Draw => 0,
        Value::Loss(n) => 1 + 2 * usize::from(n),
        Value::Win(n) => 2 + 2 * usize::from(n),
    }
}

/// Which of some ways one is, counted from 1; 0 for none.
pub(crate) fn ordinal(ways: &[u8], way: u8) -> Option<u8> {
    let at = ways.iter().position(|&known| known == way);
    match way {
        0 => Some(0),
        _ => at.and_then(|at| u8::try_from(at + 1).ok()),
    }
}

fn value_of(key: usize) -> Value {
    let plies = || ((key - 1) / 2) as u16;
    match key {
        0 => Value::Draw,
        key if key % 2 == 1 => Value::Loss(plies()),
        _ => Value::Win(plies()),
    }
}

/// Counts by the keys of values.
#[derive(Default)]
struct Bins(Vec<u64>);

impl Bins {
    fn add(&mut self, value: Value, n: u64) {
        let key = key(value);
        if self.0.len() <= key {
            self.0.resize(key + 1, 0);
        }
        self.0[key] += n;
    }

    fn merge(&mut self, other: Self) {
        for (key, n) in other.0.into_iter().enumerate() {
            self.add(value_of(key), n);
        }
    }

    fn rows(&self) -> impl Iterator<Item = (Value, u64)> {
        let rows = self.0.iter().enumerate().filter(|(_, n)| **n > 0);
        rows.map(|(key, &n)| (value_of(key), n))
    }

    fn histogram(&self, copies: u64) -> Histogram {
        self.rows().map(|(value, n)| (value, n * copies)).collect()
    }
}

/// What was met in some ranks.
struct Tally {
    positions: Bins,
    without: Bins,
    states: Bins,
    nontrivial: Bins,
    ways_met: [bool; 128],
    longest_win: Option<Example>,
    longest_loss: Option<Example>,
    ways: Vec<u8>,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            positions: Bins::default(),
            without: Bins::default(),
            states: Bins::default(),
            nontrivial: Bins::default(),
            ways_met: [false; 128],
            longest_win: None,
            longest_loss: None,
            ways: Vec::new(),
        }
    }
}

impl Tally {
    fn position<G: ForbiddenMove>(&mut self, game: &G, states: &impl States, rank: u64) {
        let tier = states.tier();
        let Some(value) = states.value(rank) else {
            return;
        };
        self.positions.add(value, 1);
        self.longest(Example { tier, rank, value });
        let Some((best, without)) = states.exception(rank) else {
            self.ways_met[0] = true;
            return;
        };
        self.without.add(without, 1);
        self.ways.clear();
        game.forbidden_ids(tier, rank, &mut self.ways);
        // Whoever writes the layer says so if the best is none of them.
        let ordinal = ordinal(&self.ways, best).unwrap_or(0);
        self.ways_met[usize::from(ordinal & 127)] = true;
    }

    fn states<G: ForbiddenMove>(&mut self, game: &G, states: &impl States, rank: u64) {
        let tier = states.tier();
        let (Some(value), Some(position)) = (states.value(rank), game.base().unrank(tier, rank))
        else {
            return;
        };
        let (best, without) = states.exception(rank).unwrap_or((0, value));
        self.ways.clear();
        game.forbidden_ids(tier, rank, &mut self.ways);
        let forbids_best = self.ways.iter().filter(|&&way| way == best).count() as u64;
        let others = self.ways.len() as u64 - forbids_best;
        let free = u64::from(game.reached_unrestricted(position));
        for (value, n) in [(value, free + others), (without, forbids_best)] {
            if n > 0 {
                self.states.add(value, n);
                if states.value(rank) != Some(AT_ONCE) {
                    self.nontrivial.add(value, n);
                }
            }
        }
    }

    /// Keeps the first of the most plies.
    fn longest(&mut self, example: Example) {
        let longest = match example.value {
            Value::Win(_) => &mut self.longest_win,
            Value::Loss(_) => &mut self.longest_loss,
            Value::Draw => return,
        };
        let plies = |example: &Example| example.value.remoteness();
        if longest
            .as_ref()
            .is_none_or(|best| plies(&example) > plies(best))
        {
            *longest = Some(example);
        }
    }

    /// `other` is of later ranks.
    fn merged(mut self, other: Self) -> Self {
        let examples = [other.longest_win, other.longest_loss];
        examples.into_iter().flatten().for_each(|e| self.longest(e));
        self.positions.merge(other.positions);
        self.without.merge(other.without);
        self.states.merge(other.states);
        self.nontrivial.merge(other.nontrivial);
        for (met, other) in self.ways_met.iter_mut().zip(other.ways_met) {
            *met |= other;
        }
        self
    }

    fn counted(self, first_tier: Option<u64>, copies: u64) -> Counted {
        let values = self.positions.rows().chain(self.without.rows());
        let values = values.map(|(value, _)| Symbol::Exact(value));
        let ways = (0..128_u8).zip(self.ways_met).filter(|(_, met)| *met);
        let mut symbols: Vec<Symbol> = values
            .chain(ways.map(|(way, _)| Symbol::Way(way)))
            .collect();
        symbols.sort_by_key(|symbol| symbol.order());
        symbols.dedup();
        Counted {
            counts: Counts {
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
    use super::{key, value_of};
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
            assert_eq!(value_of(key(value)), value);
        }
    }
}
