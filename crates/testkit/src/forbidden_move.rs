use std::collections::HashMap;

use hindsight_core::{
    ForbiddenMove, Game, InEdge, OutEdge, Ranked, Tiers, Value, edges_from_by_moves,
    edges_to_by_moves, forbiddable_ids_by_moves, forbiddable_summary_by_moves,
};

use crate::laws::SplitMix;
use crate::reference::{Node, solve_in_rounds};

/// Number of ranks checked in each tier: random ranks, or all ranks of a smaller tier.
const RANKS_PER_TIER: u64 = 600;

/// Checks the laws of [`ForbiddenMove`] on ranks of every tier, at most 600 in each.
///
/// * `decode` and `encode` are inverse. The moves of a state are the moves of its base position
///   except the forbidden move, and lead to the same base positions.
/// * Forbiddable moves have different ids, `1..=127`.
/// * `summarize_moves`, `forbiddable_ids`, `edges_from` and `edges_to` agree with the functions
///   that play every move. If a move wins at once, the summary may leave out the other moves.
/// * If `edges_from` returns false, no two of its edges with `forbids != 0` share their target. If
///   `may_share_target` of an edge is false, no other move shares the target of its forbidden move.
/// * Each move of a position is listed once by `predecessor_moves` of its target, unless the target
///   is terminal.
/// * `rank_state` gives a state and its `canonical` image the same address.
///
/// # Panics
/// If a law is broken; the message names it and the position.
pub fn check_forbidden_move<G: ForbiddenMove>(game: &G, seed: u64) {
    let base = game.base();
    let mut random = SplitMix(seed);
    for layer in 0..base.layers() {
        let mut tiers = Vec::new();
        base.tiers(layer, &mut tiers);
        for tier in tiers {
            let len = base.tier_len(tier);
            for i in 0..len.min(RANKS_PER_TIER) {
                let rank = if len <= RANKS_PER_TIER { i } else { random.rank_below(len) };
                check_states(game, tier, rank);
                check_overrides(game, tier, rank);
            }
        }
    }
}

fn check_states<G: ForbiddenMove>(game: &G, tier: u64, rank: u64) {
    let base = game.base();
    let Some(position) = base.unrank(tier, rank) else {
        return;
    };
    let mut moves = Vec::new();
    base.moves(position, &mut moves);
    let mut ids = Vec::new();
    let with_ids = moves.iter().map(|&mv| (game.move_id(position, mv), mv));
    let forbiddable = with_ids.filter(|(id, _)| *id != 0).map(|(id, mv)| {
        ids.push(id);
        Some(mv)
    });
    let forbidden_moves: Vec<_> = std::iter::once(None).chain(forbiddable).collect();
    ids.sort_unstable();
    let count = ids.len();
    ids.dedup();
    assert_eq!(ids.len(), count, "move ids of {position:?} are different");
    assert!(ids.iter().all(|id| *id < 128), "move ids of {position:?} have seven bits");
    for &mv in &moves {
        let next = base.play(position, mv);
        let mut predecessors = Vec::new();
        if base.terminal(next).is_none() {
            game.predecessor_moves(next, &mut predecessors);
            let mut entries = predecessors.iter().filter(|&&entry| entry == (position, mv));
            assert!(entries.next().is_some(), "{position:?} is a predecessor of {next:?}");
            assert!(
                entries.next().is_none(),
                "{position:?} is listed once as predecessor of {next:?}"
            );
        }
    }
    for forbidden in forbidden_moves {
        let state = game.encode(position, forbidden);
        assert_eq!(
            game.decode(state),
            (position, forbidden),
            "decode is the inverse of encode for {state:?}"
        );
        let allowed: Vec<_> = moves.iter().filter(|mv| Some(**mv) != forbidden).collect();
        let mut successors = Vec::new();
        game.successors(state, &mut successors);
        let expected = allowed.into_iter().map(|&mv| {
            let next = base.play(position, mv);
            game.encode(next, game.forbidden_after(position, mv))
        });
        let expected: Vec<_> = expected.collect();
        assert_eq!(successors, expected, "the moves of {state:?}");
        let address = game.rank_state(state);
        let base_address = address.map(|(tier, rank, _)| (tier, rank));
        assert_eq!(base_address, Some((tier, rank)), "the rank of {state:?}");
        let image_address = game.rank_state(game.canonical(state));
        assert_eq!(image_address, address, "the rank of the canonical image of {state:?}");
    }
}

fn check_overrides<G: ForbiddenMove>(game: &G, tier: u64, rank: u64) {
    let place = format!("tier {tier}, rank {rank}: {:?}", game.base().unrank(tier, rank));
    let (mut outside, mut expected_outside) = (Vec::new(), Vec::new());
    let summary = game.summarize_moves(tier, rank, &mut outside);
    let expected = forbiddable_summary_by_moves(game, tier, rank, &mut expected_outside);
    let best = summary.and_then(|summary| summary.best);
    if best == Some(Value::Win(1)) {
        assert_eq!(expected.and_then(|summary| summary.best), best, "the best move at {place}");
    } else {
        assert_eq!(summary, expected, "the summary of the moves at {place}");
        outside.sort_unstable();
        expected_outside.sort_unstable();
        assert_eq!(outside, expected_outside, "the moves out of the tier at {place}");
    }
    let (mut ids, mut expected) = (Vec::new(), Vec::new());
    game.forbiddable_ids(tier, rank, &mut ids);
    forbiddable_ids_by_moves(game, tier, rank, &mut expected);
    assert_eq!(ids, expected, "the forbiddable ids at {place}");
    let (mut edges, mut expected): (Vec<InEdge>, Vec<InEdge>) = (Vec::new(), Vec::new());
    game.edges_to(tier, rank, &mut edges);
    edges_to_by_moves(game, tier, rank, &mut expected);
    edges.sort_unstable();
    expected.sort_unstable();
    assert_eq!(edges, expected, "the moves to {place}");
    check_out_edges(game, tier, rank, &place);
}

/// Checks `edges_from`. `place` names the rank in messages.
fn check_out_edges<G: ForbiddenMove>(game: &G, tier: u64, rank: u64, place: &str) {
    let (mut edges, mut expected) = (Vec::new(), Vec::new());
    let may_share_targets = game.edges_from(tier, rank, &mut edges);
    edges_from_by_moves(game, tier, rank, &mut expected);
    let target = |edge: &OutEdge| (edge.tier, edge.rank, edge.forbids);
    let sorted = |edges: &[OutEdge]| {
        let keys = edges.iter().map(|edge| (target(edge), edge.move_id));
        let mut keys: Vec<_> = keys.collect();
        keys.sort_unstable();
        keys
    };
    assert_eq!(sorted(&edges), sorted(&expected), "the moves from {place}");
    let forbidding = edges.iter().filter(|edge| edge.forbids != 0);
    let mut targets: Vec<_> = forbidding.map(target).collect();
    let count = targets.len();
    targets.sort_unstable();
    targets.dedup();
    assert!(may_share_targets || targets.len() == count, "shared targets at {place}");
    for edge in edges.iter().filter(|edge| !edge.may_share_target && edge.forbids != 0) {
        let mut next_edges = Vec::new();
        game.edges_from(edge.tier, edge.rank, &mut next_edges);
        let forbidden = next_edges.iter().find(|next| next.move_id == edge.forbids);
        let same_target =
            next_edges.iter().filter(|&next| Some(target(next)) == forbidden.map(target));
        assert_eq!(same_target.count(), 1, "shared targets after {edge:?} from {place}");
    }
}

/// Solves every state of every ranked position in rounds, as [`crate::reference()`] does.
///
/// Keys are addresses, `(tier, rank, forbidden id)`; id 0 is the state with nothing forbidden.
///
/// # Panics
/// If a state has no rank and is not terminal.
#[must_use]
pub fn reference_states<G: ForbiddenMove>(game: &G) -> HashMap<(u64, u64, u8), Value> {
    let base = game.base();
    let node = |state| match (game.rank_state(state), game.terminal(state)) {
        (Some(address), _) => Node::Ranked(address),
        (None, Some(wdl)) => Node::Known(Value::terminal(wdl)),
        (None, None) => panic!("{state:?} has no rank and is not terminal"),
    };
    let mut successors = HashMap::new();
    let mut values = HashMap::new();
    for layer in 0..base.layers() {
        let mut tiers = Vec::new();
        base.tiers(layer, &mut tiers);
        let ranks =
            tiers.iter().flat_map(|&tier| (0..base.tier_len(tier)).map(move |rank| (tier, rank)));
        for position in ranks.filter_map(|(tier, rank)| base.unrank(tier, rank)) {
            let mut moves = Vec::new();
            base.moves(position, &mut moves);
            let forbiddable =
                moves.into_iter().filter(|&mv| game.move_id(position, mv) != 0).map(Some);
            for forbidden in std::iter::once(None).chain(forbiddable) {
                let state = game.encode(position, forbidden);
                let mut next_states = Vec::new();
                game.successors(state, &mut next_states);
                let next_nodes: Vec<Node<(u64, u64, u8)>> =
                    next_states.into_iter().map(node).collect();
                for &next in &next_nodes {
                    if let Node::Known(value) = next {
                        values.insert(next, value);
                        successors.insert(next, Vec::new());
                    }
                }
                successors.insert(node(state), next_nodes);
            }
        }
    }
    let values = solve_in_rounds(&successors, values).into_iter();
    let ranked = |(node, value)| match node {
        Node::Ranked(address) => Some((address, value)),
        Node::Known(_) => None,
    };
    values.filter_map(ranked).collect()
}
