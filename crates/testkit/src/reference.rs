use std::collections::{BTreeMap, HashMap};

use hindsight_core::{Game, Ranked, Value};

/// Solves every position reachable from the start, up to `Game::canonical`, the slow obvious way:
/// whole rounds over all positions until nothing changes. Round n finds the wins and losses in n plies.
/// `None` if there are more than `most` positions.
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
        let next: Vec<_> = moves
            .iter()
            .map(|&mv| game.canonical(game.play(position, mv)))
            .collect();
        todo.extend(&next);
        successors.insert(position, next);
    }
    let ended = successors
        .keys()
        .filter_map(|&position| Some((position, Value::terminal(game.terminal(position)?))))
        .collect();
    Some(in_rounds(&successors, ended))
}

/// Where a position lies: such as tier and rank, or the result of a finished game without a rank.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Place<At> {
    At(At),
    Over(hindsight_core::Wdl),
}

/// Solves every ranked position, reachable or not, as [`reference()`] does. By tier and rank.
///
/// # Panics
/// When a successor has no rank and is not terminal.
#[must_use]
pub fn reference_ranked<G: Ranked>(game: &G) -> HashMap<(u64, u64), Value> {
    let place = |position| match (game.rank(position), game.terminal(position)) {
        (Some(at), _) => Place::At(at),
        (None, Some(wdl)) => Place::Over(wdl),
        (None, None) => panic!("{position:?} has no rank and is not terminal"),
    };
    let mut successors: HashMap<_, Vec<Place<(u64, u64)>>> = HashMap::new();
    let mut values: HashMap<_, Value> = HashMap::new();
    for layer in 0..game.layers() {
        let mut tiers = Vec::new();
        game.tiers(layer, &mut tiers);
        for tier in tiers {
            for rank in 0..game.tier_len(tier) {
                let Some(position) = game.unrank(tier, rank) else {
                    continue;
                };
                let mut next = Vec::new();
                game.successors(position, &mut next);
                let next: Vec<Place<_>> = next.into_iter().map(place).collect();
                for &to in &next {
                    if let Place::Over(wdl) = to {
                        values.insert(to, Value::terminal(wdl));
                        successors.insert(to, Vec::new());
                    }
                }
                if let Some(wdl) = game.terminal(position) {
                    values.insert(Place::At((tier, rank)), Value::terminal(wdl));
                }
                successors.insert(Place::At((tier, rank)), next);
            }
        }
    }
    let values = in_rounds(&successors, values).into_iter();
    values
        .filter_map(|(place, value)| match place {
            Place::At(at) => Some((at, value)),
            Place::Over(_) => None,
        })
        .collect()
}

/// Rounds over all positions until nothing changes; what has no value then is a draw.
pub(crate) fn in_rounds<P: Copy + Eq + std::hash::Hash>(
    successors: &HashMap<P, Vec<P>>,
    mut values: HashMap<P, Value>,
) -> HashMap<P, Value> {
    loop {
        let mut found = Vec::new();
        for (&position, next) in successors
            .iter()
            .filter(|(position, _)| !values.contains_key(position))
        {
            let known: Vec<Value> = next
                .iter()
                .filter_map(|to| values.get(to))
                .map(|value| value.before())
                .collect();
            let best = known.iter().max().copied();
            match best {
                Some(Value::Win(n)) => found.push((position, Value::Win(n))),
                Some(Value::Loss(n)) if known.len() == next.len() => {
                    found.push((position, Value::Loss(n)))
                }
                _ => {}
            }
        }
        if found.is_empty() {
            break;
        }
        values.extend(found);
    }
    for position in successors.keys() {
        values.entry(*position).or_insert(Value::Draw);
    }
    values
}

/// How many positions have each value, best first.
#[must_use]
pub fn histogram<P>(values: &HashMap<P, Value>) -> Vec<(Value, u64)> {
    let mut counts: BTreeMap<Value, u64> = BTreeMap::new();
    for value in values.values() {
        *counts.entry(*value).or_default() += 1;
    }
    counts.into_iter().rev().collect()
}
