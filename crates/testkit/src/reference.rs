use std::collections::{BTreeMap, HashMap};

use hindsight_core::{Game, Ranked, Value};

/// Solves every position reachable from the start, up to `Game::canonical`; slow but simple.
///
/// Each round looks at all undecided positions. Round `n` decides the wins and losses in `n` plies.
/// After a round that decides none, the undecided positions are draws. Keys are canonical
/// positions, terminal ones included.
///
/// Returns `None` if there are more than `most` positions.
#[must_use]
pub fn reference<G: Game>(game: &G, most: usize) -> Option<HashMap<G::Position, Value>> {
    let mut successors: HashMap<G::Position, Vec<G::Position>> = HashMap::new();
    let mut todo = vec![game.canonical(game.start())];
    while let Some(position) = todo.pop() {
        if successors.contains_key(&position) {
            continue;
        }
        if successors.len() == most {
            return None;
        }
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        let next: Vec<_> =
            moves.iter().map(|&mv| game.canonical(game.play(position, mv))).collect();
        todo.extend(&next);
        successors.insert(position, next);
    }
    let ended = successors
        .keys()
        .filter_map(|&position| Some((position, Value::terminal(game.terminal(position)?))))
        .collect();
    Some(solve_in_rounds(&successors, ended))
}

/// Node of the graph that the reference solver works on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Node<A> {
    /// Position with an address, such as tier and rank.
    Ranked(A),
    /// All positions without an address that have this value by the rules.
    Known(Value),
}

/// Solves every ranked position, reachable or not, as [`reference()`] does.
///
/// Keys are `(tier, rank)`.
///
/// # Panics
/// If a successor has no rank, is not terminal and has no immediate value.
#[must_use]
pub fn reference_ranked<G: Ranked>(game: &G) -> HashMap<(u64, u64), Value> {
    let node = |position| match (game.rank(position), game.terminal(position)) {
        (Some(address), _) => Node::Ranked(address),
        (None, Some(wdl)) => Node::Known(Value::terminal(wdl)),
        (None, None) => {
            let value = game.immediate_value(position);
            Node::Known(value.unwrap_or_else(|| panic!("{position:?} has no rank and no value")))
        }
    };
    let mut successors: HashMap<_, Vec<Node<(u64, u64)>>> = HashMap::new();
    let mut values: HashMap<_, Value> = HashMap::new();
    for layer in 0..game.layers() {
        let mut tiers = Vec::new();
        game.tiers(layer, &mut tiers);
        for tier in tiers {
            for rank in 0..game.tier_len(tier) {
                let Some(position) = game.unrank(tier, rank) else {
                    continue;
                };
                let mut next_positions = Vec::new();
                game.successors(position, &mut next_positions);
                let next_nodes: Vec<Node<_>> = next_positions.into_iter().map(node).collect();
                for &next in &next_nodes {
                    if let Node::Known(value) = next {
                        values.insert(next, value);
                        successors.insert(next, Vec::new());
                    }
                }
                if let Some(wdl) = game.terminal(position) {
                    values.insert(Node::Ranked((tier, rank)), Value::terminal(wdl));
                }
                successors.insert(Node::Ranked((tier, rank)), next_nodes);
            }
        }
    }
    let values = solve_in_rounds(&successors, values).into_iter();
    values
        .filter_map(|(node, value)| match node {
            Node::Ranked(address) => Some((address, value)),
            Node::Known(_) => None,
        })
        .collect()
}

/// Solves a graph in rounds over all undecided nodes. After a round that decides none, the
/// undecided nodes are draws.
///
/// `values` holds the values of the terminal nodes. Each successor must itself be a key of
/// `successors`.
pub(crate) fn solve_in_rounds<P: Copy + Eq + std::hash::Hash>(
    successors: &HashMap<P, Vec<P>>,
    mut values: HashMap<P, Value>,
) -> HashMap<P, Value> {
    loop {
        let mut newly_decided = Vec::new();
        for (&position, next) in
            successors.iter().filter(|(position, _)| !values.contains_key(position))
        {
            let known: Vec<Value> = next
                .iter()
                .filter_map(|successor| values.get(successor))
                .map(|value| value.before())
                .collect();
            let best = known.iter().max().copied();
            match best {
                Some(Value::Win(n)) => newly_decided.push((position, Value::Win(n))),
                Some(Value::Loss(n)) if known.len() == next.len() => {
                    newly_decided.push((position, Value::Loss(n)))
                }
                _ => {}
            }
        }
        if newly_decided.is_empty() {
            break;
        }
        values.extend(newly_decided);
    }
    for position in successors.keys() {
        values.entry(*position).or_insert(Value::Draw);
    }
    values
}

/// Counts the positions with each value, best value first.
#[must_use]
pub fn histogram<P>(values: &HashMap<P, Value>) -> Vec<(Value, u64)> {
    let mut counts: BTreeMap<Value, u64> = BTreeMap::new();
    for value in values.values() {
        *counts.entry(*value).or_default() += 1;
    }
    counts.into_iter().rev().collect()
}
