use std::collections::{BTreeMap, HashMap};

use game::{Game, Value};

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
    let ended = |position: &G::Position| game.terminal(*position).map(Value::terminal);
    let mut values: HashMap<G::Position, Value> = successors
        .keys()
        .filter_map(|position| Some((*position, ended(position)?)))
        .collect();
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
    Some(values)
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
