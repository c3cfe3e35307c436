//! Series of games of each figure.

use std::ops::RangeInclusive;

use super::options::AgentsOptions;
use super::series::Series;

/// Pure Monte Carlo.
pub(super) const MC: &str = "mc:playouts={}";
/// Monte Carlo tree search.
pub(super) const MCTS: &str = "mcts:playouts={}";
const PRUNE_EVERY_CYCLE: &str = "mcts:playouts={},prune=1";
/// Fully optimised agent of section 6: prunes after every hundredth of its playouts.
const PRUNE_EVERY_PERCENT: &str = "mcts:playouts={},prune=1%";

/// Values of the exploration parameter c in Figure 11. `1.4142` is the square root of 2.
const EXPLORATION_VALUES: [&str; 16] = [
    "0", "0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1", "1.2", "1.4142",
    "1.6", "1.8", "2",
];

/// Playouts between two prunings in Figure 14.
pub(super) const PRUNING_INTERVALS: [u64; 3] = [1, 10, 100];

/// Cards in a hand in Figure 19.
pub(super) const HAND_SIZES: RangeInclusive<u8> = 1..=6;

/// Maximum number of playouts per move in the thesis.
pub(super) const THESIS_PLAYOUTS: u64 = 100_000;
/// Playouts per move in the thesis's figures of cards and hands.
pub(super) const CARD_PLAYOUTS: u64 = 10_000;

/// Returns the powers of ten up to [`THESIS_PLAYOUTS`], as far as the options allow.
pub(super) fn playout_steps(options: &AgentsOptions) -> Vec<u64> {
    let powers = (0..=5).map(|power| 10_u64.pow(power));
    powers.filter(|&playouts| playouts <= options.playouts).collect()
}

pub(super) fn against_random(options: &AgentsOptions, agent: &str, playouts: u64) -> Series {
    Series::new(options, [(agent, playouts), ("random", 1)])
}

pub(super) fn tree_against_pure(options: &AgentsOptions, playouts: u64) -> Series {
    Series::new(options, [(MCTS, playouts), (MC, playouts)])
}

/// Returns the values of the exploration parameter, each with a series of tree search against pure
/// Monte Carlo at 1000 playouts.
pub(super) fn exploration_series(options: &AgentsOptions) -> Vec<(&'static str, Series)> {
    let playouts = options.playouts.min(1000);
    let series = |&c: &&'static str| {
        // The default value shares the games of Figure 10.
        let agent = match c {
            "0.4" => MCTS.to_string(),
            _ => format!("mcts:playouts={{}},c={c}"),
        };
        (c, Series::new(options, [(&agent, playouts), (MC, playouts)]))
    };
    EXPLORATION_VALUES.iter().map(series).collect()
}

pub(super) fn pruned_self_play(options: &AgentsOptions, playouts: u64) -> Series {
    Series::self_play(options, PRUNE_EVERY_CYCLE, playouts)
}

pub(super) fn pruning_against_none(options: &AgentsOptions, playouts: u64) -> Series {
    Series::new(options, [(PRUNE_EVERY_CYCLE, playouts), (MCTS, playouts)])
}

pub(super) fn optimised_self_play(options: &AgentsOptions, playouts: u64) -> Series {
    Series::self_play(options, PRUNE_EVERY_PERCENT, playouts)
}

pub(super) fn with_card(options: &AgentsOptions, card: usize) -> Series {
    Series {
        forced_card: Some(card),
        ..optimised_self_play(options, options.playouts.min(CARD_PLAYOUTS))
    }
}

pub(super) fn with_hand(options: &AgentsOptions, hand: u8) -> Series {
    Series { hand, ..optimised_self_play(options, options.playouts.min(CARD_PLAYOUTS)) }
}
