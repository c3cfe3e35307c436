use std::collections::BTreeMap;

use hindsight_core::{Game, Ranked, Retro, Value, predecessor_ranks_by_moves, summary_by_moves};

use crate::laws::SplitMix;

/// At most so many tiers of a layer and ranks of a tier are looked at, drawn at random.
const SAMPLE: usize = 200;

/// All positions of a game, tier by tier.
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

/// Every tier with its layer, checked to ascend.
fn layer_of_tier<G: Ranked>(game: &G) -> BTreeMap<u64, u32> {
    let mut layer_of = BTreeMap::new();
    assert!(game.layers() > 0, "there is a layer");
    for layer in 0..game.layers() {
        let mut tiers = Vec::new();
        game.tiers(layer, &mut tiers);
        let ranks: u64 = tiers.iter().map(|&tier| game.tier_len(tier)).sum();
        let about = game.estimated_ranks(layer);
        assert!(
            about <= 4 * ranks && ranks <= 4 * about,
            "layer {layer} has {ranks} ranks, about {about}"
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
        assert!(
            !game.layer_name(layer).is_empty(),
            "layer {layer} has a name"
        );
    }
    layer_of
}

/// All numbers below `len` where they are few, else some.
fn sample(len: u64, random: &mut SplitMix) -> Vec<u64> {
    if len <= SAMPLE as u64 {
        return (0..len).collect();
    }
    (0..SAMPLE).map(|_| random.rank_below(len)).collect()
}

/// Some tiers of each layer, and the positions of some ranks of each with tier and rank.
fn sampled<G: Ranked>(
    game: &G,
    layer_of: &BTreeMap<u64, u32>,
    seed: u64,
) -> Vec<(u64, u64, G::Position)> {
    let mut random = SplitMix(seed);
    let mut found = Vec::new();
    for layer in 0..game.layers() {
        let tiers: Vec<u64> = layer_of
            .iter()
            .filter(|(_, of)| **of == layer)
            .map(|(tier, _)| *tier)
            .collect();
        for i in sample(tiers.len() as u64, &mut random) {
            let tier = tiers[usize::try_from(i).expect("a tier of the list")];
            for rank in sample(game.tier_len(tier), &mut random) {
                found.extend(game.unrank(tier, rank).map(|p| (tier, rank, p)));
            }
        }
    }
    found
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

/// Checks what [`Ranked`] promises, on some positions of some tiers of every layer.
///
/// * Tiers ascend within and across layers; a layer leads to earlier ones.
/// * `rank` is the inverse of `unrank`, and so is a range of them; `tier` is what `rank` says; a tier
///   stands for at least itself.
/// * A successor is ranked in the same tier or in a layer that `layer_successors` names, and there is a
///   position of its rank; or it is terminal.
/// * A position that obviously wins in one has a successor that is lost; one that is over is not
///   obvious.
///
/// # Panics
/// When a law is broken, with the position that broke it.
pub fn check_ranks<G: Ranked>(game: &G, seed: u64) {
    let layer_of = layer_of_tier(game);
    for (tier, rank, position) in sampled(game, &layer_of, seed) {
        let broken = |law: &str| format!("{law}; tier {tier}, rank {rank}, position {position:?}");
        let found = game.rank(position);
        assert_eq!(
            found,
            Some((tier, rank)),
            "{}",
            broken("rank(unrank) is the same")
        );
        assert_eq!(
            game.tier(position),
            Some(tier),
            "{}",
            broken("the tier is that of the rank")
        );
        let around = rank.saturating_sub(40)..game.tier_len(tier).min(rank + 40);
        let mut range = Vec::new();
        game.unrank_range(tier, around.clone(), &mut range);
        let singly = around.filter_map(|rank| Some((rank, game.unrank(tier, rank)?)));
        assert!(
            singly.eq(range),
            "{}",
            broken("a range of ranks is its ranks")
        );
        assert!(
            game.tier_orbit_size(tier) > 0,
            "{}",
            broken("a tier stands for itself")
        );
        let to = game.layer_successors(layer_of[&tier]);
        let successors = successors_of(game, position);
        for &next in &successors {
            let Some((next_tier, next_rank)) = game.rank(next) else {
                let over = game.terminal(next).is_some();
                assert!(
                    over,
                    "{}: {next:?}",
                    broken("a successor is ranked or terminal")
                );
                continue;
            };
            let Some(layer) = layer_of.get(&next_tier) else {
                panic!("{}: {next:?}", broken("a successor's tier is listed"));
            };
            let near = next_tier == tier || to.contains(layer);
            assert!(near, "{}: {next:?}", broken("a successor's layer is named"));
            let is_rank = next_rank < game.tier_len(next_tier);
            let there = is_rank && game.unrank(next_tier, next_rank).is_some();
            assert!(there, "{}: {next:?}", broken("a successor is no hole"));
        }
        check_obvious(game, position, &successors, &broken);
    }
}

fn check_obvious<G: Ranked>(
    game: &G,
    position: G::Position,
    successors: &[G::Position],
    broken: &impl Fn(&str) -> String,
) {
    if game.terminal(position).is_none() && game.immediate_value(position) == Some(Value::Win(1)) {
        let ends =
            |&next: &G::Position| game.terminal(next).map(Value::terminal) == Some(Value::Loss(0));
        let won = successors.iter().any(ends);
        assert!(won, "{}", broken("an obvious win in one has its move"));
    }
}

fn check_shortcuts<G: Retro>(
    game: &G,
    tier: u64,
    position: G::Position,
    broken: &impl Fn(&str) -> String,
) {
    if game.terminal(position).is_some() || game.immediate_value(position).is_some() {
        return;
    }
    let (mut outside, mut expected) = (Vec::new(), Vec::new());
    assert_eq!(
        game.summarize_moves(tier, position, &mut outside),
        summary_by_moves(game, tier, position, &mut expected),
        "{}",
        broken("the outlook is that of the moves")
    );
    let sorted = |positions: Vec<G::Position>| {
        let mut ranks: Vec<_> = positions.into_iter().map(|p| game.rank(p)).collect();
        ranks.sort_unstable();
        ranks
    };
    assert_eq!(
        sorted(outside),
        sorted(expected),
        "{}",
        broken("the moves out of the tier are all there")
    );
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

/// Checks what [`Retro`] promises, on some positions of some tiers of every layer: `p` is a predecessor
/// of `q` as often as `q` is a successor of `p` inside the tier; and that `outlook` and
/// `predecessor_ranks` are what they are move by move.
///
/// # Panics
/// When the law is broken, with the position that broke it.
pub fn check_retro<G: Retro>(game: &G, seed: u64) {
    let layer_of = layer_of_tier(game);
    for (tier, rank, position) in sampled(game, &layer_of, seed) {
        let broken = |law: &str| format!("{law}; tier {tier}, rank {rank}, position {position:?}");
        check_shortcuts(game, tier, position, &broken);
        let own = Some((tier, rank));
        let times =
            |ranks: &[Option<(u64, u64)>], rank| ranks.iter().filter(|r| **r == rank).count();
        let ranks = |positions: Vec<G::Position>| -> Vec<_> {
            positions.into_iter().map(|p| game.rank(p)).collect()
        };
        let before = ranks(predecessors_of(game, position));
        for &from in &before {
            let place = from.filter(|(t, _)| *t == tier);
            let Some(source) = place.and_then(|(t, r)| game.unrank(t, r)) else {
                panic!("{}: {from:?}", broken("a predecessor is in the tier"));
            };
            let after = ranks(successors_of(game, source));
            let same = times(&after, own) == times(&before, from);
            assert!(
                same,
                "{}: {source:?}",
                broken("a predecessor has the move, as often")
            );
        }
        let after = ranks(successors_of(game, position));
        for &to in &after {
            let Some((_, next)) = to.filter(|(t, _)| *t == tier) else {
                continue;
            };
            let target = game.unrank(tier, next).expect("a successor is no hole");
            let back = ranks(predecessors_of(game, target));
            let same = times(&back, own) == times(&after, to);
            assert!(
                same,
                "{}: {target:?}",
                broken("a move can be taken back, as often")
            );
        }
    }
}
