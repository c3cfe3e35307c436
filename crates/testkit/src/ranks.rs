use std::collections::BTreeMap;

use hindsight_core::{Game, Ranked, Retro, Value, predecessor_ranks_by_moves, summary_by_moves};

use crate::laws::{SplitMix, random_positions};

/// Most tiers checked in each layer, and most ranks checked in each of these tiers.
const SAMPLE_SIZE: usize = 200;

/// Returns the position of every rank of a game, tier by tier, without holes.
pub fn every_position<G: Ranked>(game: &G) -> Vec<G::Position> {
    let mut positions = Vec::new();
    for layer in 0..game.layers() {
        let mut tiers = Vec::new();
        game.tiers(layer, &mut tiers);
        for tier in tiers {
            let ranks = 0..game.tier_len(tier);
            positions.extend(ranks.filter_map(|rank| game.unrank(tier, rank)));
        }
    }
    positions
}

/// Returns the layer of each tier, and checks the laws of layers and tier numbers.
fn layers_by_tier<G: Ranked>(game: &G) -> BTreeMap<u64, u32> {
    let mut layer_of = BTreeMap::new();
    assert!(game.layers() > 0, "there is a layer");
    for layer in 0..game.layers() {
        let mut tiers = Vec::new();
        game.tiers(layer, &mut tiers);
        let ranks = tiers.iter().map(|&tier| u128::from(game.tier_len(tier)));
        let ranks: u128 = ranks.sum();
        let estimate = game.estimated_tiers(layer);
        let count = tiers.len() as u64;
        assert!(
            estimate <= 4 * count && count <= 4 * estimate,
            "layer {layer} has {count} tiers, estimated {estimate}"
        );
        let estimate = u128::from(game.estimated_ranks(layer));
        assert!(
            estimate <= 4 * ranks && ranks.min(u64::MAX.into()) <= 4 * estimate,
            "layer {layer} has {ranks} ranks, estimated {estimate}"
        );
        for tier in tiers {
            if let Some((last, _)) = layer_of.last_key_value() {
                assert!(tier > *last, "tiers ascend: {tier} follows {last}");
            }
            layer_of.insert(tier, layer);
        }
        for earlier in game.layer_successors(layer) {
            assert!(earlier < layer, "layer {layer} leads to earlier layers");
        }
        assert!(!game.layer_name(layer).is_empty(), "layer {layer} has a name");
    }
    layer_of
}

/// Returns `0..len` if `len` is at most [`SAMPLE_SIZE`], else that many random numbers from the
/// range, possibly repeated.
fn sample(len: u64, random: &mut SplitMix) -> Vec<u64> {
    if len <= SAMPLE_SIZE as u64 {
        return (0..len).collect();
    }
    let numbers = 0..SAMPLE_SIZE;
    numbers.map(|_| random.rank_below(len)).collect()
}

/// Returns `(tier, rank, position)` for a sample of the ranks, from a sample of each layer's tiers.
fn sampled_positions<G: Ranked>(
    game: &G,
    layer_of: &BTreeMap<u64, u32>,
    seed: u64,
) -> Vec<(u64, u64, G::Position)> {
    let mut random = SplitMix(seed);
    let mut positions = Vec::new();
    for layer in 0..game.layers() {
        let tiers: Vec<u64> = layer_of
            .iter()
            .filter(|(_, layer_of_tier)| **layer_of_tier == layer)
            .map(|(tier, _)| *tier)
            .collect();
        for i in sample(tiers.len() as u64, &mut random) {
            let tier = tiers[usize::try_from(i).expect("a tier of the list")];
            for rank in sample(game.tier_len(tier), &mut random) {
                positions.extend(game.unrank(tier, rank).map(|p| (tier, rank, p)));
            }
        }
    }
    positions
}

fn successors_of<G: Game>(game: &G, position: G::Position) -> Vec<G::Position> {
    let mut successors = Vec::new();
    game.successors(position, &mut successors);
    successors
}

fn predecessors_of<G: Retro>(game: &G, position: G::Position) -> Vec<G::Position> {
    let mut predecessors = Vec::new();
    game.predecessors(position, &mut predecessors);
    predecessors
}

/// Checks the laws of [`Ranked`] on positions of every layer: at most 200 tiers, 200 ranks of each.
///
/// * Tier numbers ascend within and across layers, and a layer leads to earlier ones.
/// * `estimated_tiers` and `estimated_ranks` are right within a factor of four.
/// * `rank` is the inverse of `unrank`. `unrank_range` agrees with `unrank`, and `tier` with
///   `rank`.
/// * A run of equal orbits begins at its rank, ends in the tier, and its orbits are not empty.
/// * A successor is ranked or terminal, or has an immediate value. A ranked one is in the same tier
///   or in a layer that `layer_successors` names, and its rank is no hole.
/// * A position with the immediate value `Win(1)` has a successor that is lost.
/// * A position of a random game is ranked or terminal, or has an immediate value. If it is ranked,
///   `unrank(rank)` is a member of its class: both are over or not, and their moves lead to the
///   same tiers.
///
/// # Panics
/// If a law is broken; the message names it, the tier, the rank and the position.
pub fn check_ranks<G: Ranked>(game: &G, seed: u64) {
    let layer_of = layers_by_tier(game);
    for position in random_positions(game, 10 * SAMPLE_SIZE, seed).into_iter().step_by(10) {
        check_played_position(game, position, &layer_of);
    }
    for (tier, rank, position) in sampled_positions(game, &layer_of, seed) {
        let broken = |law: &str| format!("{law}; tier {tier}, rank {rank}, position {position:?}");
        assert_eq!(
            game.rank(position),
            Some((tier, rank)),
            "{}",
            broken("rank(unrank) is the same")
        );
        assert_eq!(game.tier(position), Some(tier), "{}", broken("the tier is that of the rank"));
        let neighbours = rank.saturating_sub(40)..game.tier_len(tier).min(rank + 40);
        let mut unranked = Vec::new();
        game.unrank_range(tier, neighbours.clone(), &mut unranked);
        let expected = neighbours.filter_map(|rank| Some((rank, game.unrank(tier, rank)?)));
        assert!(expected.eq(unranked), "{}", broken("a range of ranks is its ranks"));
        let run = game.orbit_run(tier, rank);
        assert!(
            run.orbit_size > 0
                && run.ranks.start == rank
                && (rank + 1..=game.tier_len(tier)).contains(&run.ranks.end),
            "{}",
            broken("a run of equal orbits begins at its rank")
        );
        let next_layers = game.layer_successors(layer_of[&tier]);
        let successors = successors_of(game, position);
        for &next in &successors {
            let Some((next_tier, next_rank)) = game.rank(next) else {
                assert!(
                    may_be_unranked(game, next),
                    "{}: {next:?}",
                    broken("a successor is ranked or its value is known")
                );
                continue;
            };
            let Some(layer) = layer_of.get(&next_tier) else {
                panic!("{}: {next:?}", broken("a successor's tier is listed"));
            };
            let is_named = next_tier == tier || next_layers.contains(layer);
            assert!(is_named, "{}: {next:?}", broken("a successor's layer is named"));
            let len = game.tier_len(next_tier);
            assert!(
                next_rank < len,
                "{}: {next:?}, rank {next_rank} of {len}",
                broken("the rank of a successor is in its tier")
            );
            let exists = game.unrank(next_tier, next_rank).is_some();
            assert!(exists, "{}: {next:?}", broken("a successor is no hole"));
        }
        check_immediate_value(game, position, &successors, &broken);
    }
}

/// Returns true for a position that may have no rank: the rules give its value.
fn may_be_unranked<G: Ranked>(game: &G, position: G::Position) -> bool {
    game.terminal(position).is_some() || game.immediate_value(position).is_some()
}

/// Checks that a position of a game has a rank, and that this is the rank of a like position.
fn check_played_position<G: Ranked>(
    game: &G,
    position: G::Position,
    layer_of: &BTreeMap<u64, u32>,
) {
    let Some((tier, rank)) = game.rank(position) else {
        let is_known = may_be_unranked(game, position);
        assert!(is_known, "a position is ranked or its value is known: {position:?}");
        return;
    };
    let broken = |law: &str| format!("{law}; tier {tier}, rank {rank}, position {position:?}");
    assert!(layer_of.contains_key(&tier), "{}", broken("the tier of a position is listed"));
    assert!(rank < game.tier_len(tier), "{}", broken("a rank is in its tier"));
    let Some(ranked) = game.unrank(tier, rank) else {
        panic!("{}", broken("the rank of a position is no hole"));
    };
    assert_eq!(
        game.terminal(position),
        game.terminal(ranked),
        "{}",
        broken("unrank(rank) keeps the result")
    );
    let results_and_tiers = |position| {
        let successors = successors_of(game, position).into_iter();
        let mut found: Vec<_> =
            successors.map(|next| (game.terminal(next), game.tier(next))).collect();
        found.sort_unstable();
        found
    };
    assert_eq!(
        results_and_tiers(position),
        results_and_tiers(ranked),
        "{}",
        broken("unrank(rank) has moves to the same tiers")
    );
}

fn check_immediate_value<G: Ranked>(
    game: &G,
    position: G::Position,
    successors: &[G::Position],
    broken: &impl Fn(&str) -> String,
) {
    if game.terminal(position).is_none() && game.immediate_value(position) == Some(Value::Win(1)) {
        let is_lost =
            |&next: &G::Position| game.terminal(next).map(Value::terminal) == Some(Value::Loss(0));
        assert!(
            successors.iter().any(is_lost),
            "{}",
            broken("an immediate win in one has its move")
        );
    }
}

/// Checks that the summary of the moves is that of every move. Of a position that is won in one
/// ply, only this is compared.
fn check_summary<G: Retro>(
    game: &G,
    tier: u64,
    position: G::Position,
    broken: &impl Fn(&str) -> String,
) {
    let (mut outside, mut expected_outside) = (Vec::new(), Vec::new());
    let summary = game.summarize_moves(tier, position, &mut outside);
    let expected = summary_by_moves(game, tier, position, &mut expected_outside);
    let law = broken("the summary is that of the moves");
    if expected.best == Some(Value::Win(1)) {
        return assert_eq!(summary.best, expected.best, "{law}");
    }
    assert_eq!(summary, expected, "{law}");
    let sorted = |positions: Vec<G::Position>| {
        let mut ranks: Vec<_> = positions.into_iter().map(|p| game.rank(p)).collect();
        ranks.sort_unstable();
        ranks
    };
    assert_eq!(
        sorted(outside),
        sorted(expected_outside),
        "{}",
        broken("the moves out of the tier are all there")
    );
}

/// Checks that overridden methods agree with the functions that look at every move.
fn check_overrides<G: Retro>(
    game: &G,
    tier: u64,
    position: G::Position,
    broken: &impl Fn(&str) -> String,
) {
    if game.terminal(position).is_some() || game.immediate_value(position).is_some() {
        return;
    }
    check_summary(game, tier, position, broken);
    let (mut ranks, mut expected) = (Vec::new(), Vec::new());
    game.predecessor_ranks(position, &mut ranks);
    predecessor_ranks_by_moves(game, position, &mut expected);
    ranks.sort_unstable();
    expected.sort_unstable();
    assert_eq!(
        ranks,
        expected,
        "{}",
        broken("the ranks of predecessors are those of the positions")
    );
}

/// Checks the laws of [`Retro`] on positions of every layer: at most 200 tiers, 200 ranks of each.
///
/// * Inside a tier, `p` is a predecessor of `q` as often as `q` is a successor of `p`.
/// * `summarize_moves` and `predecessor_ranks` agree with the functions that look at every move.
///
/// # Panics
/// If a law is broken; the message names it, the tier, the rank and the position.
pub fn check_retro<G: Retro>(game: &G, seed: u64) {
    let layer_of = layers_by_tier(game);
    for (tier, rank, position) in sampled_positions(game, &layer_of, seed) {
        let broken = |law: &str| format!("{law}; tier {tier}, rank {rank}, position {position:?}");
        check_overrides(game, tier, position, &broken);
        let own_address = Some((tier, rank));
        let occurrences = |addresses: &[Option<(u64, u64)>], wanted| {
            addresses.iter().filter(|address| **address == wanted).count()
        };
        let addresses = |positions: Vec<G::Position>| -> Vec<_> {
            positions.into_iter().map(|p| game.rank(p)).collect()
        };
        let predecessors = addresses(predecessors_of(game, position));
        for &predecessor in &predecessors {
            let in_tier = predecessor.filter(|(t, _)| *t == tier);
            let Some(source) = in_tier.and_then(|(t, r)| game.unrank(t, r)) else {
                panic!("{}: {predecessor:?}", broken("a predecessor is in the tier, at no hole"));
            };
            let forth = addresses(successors_of(game, source));
            assert!(
                occurrences(&forth, own_address) == occurrences(&predecessors, predecessor),
                "{}: {source:?}",
                broken("a predecessor has the move, as often")
            );
        }
        let successors = addresses(successors_of(game, position));
        for &successor in &successors {
            let Some((_, next_rank)) = successor.filter(|(t, _)| *t == tier) else {
                continue;
            };
            let target = game.unrank(tier, next_rank);
            let target = target.expect("a successor is no hole");
            let back = addresses(predecessors_of(game, target));
            assert!(
                occurrences(&back, own_address) == occurrences(&successors, successor),
                "{}: {target:?}",
                broken("a move can be taken back, as often")
            );
        }
    }
}
