//! Shortest lines from the start to one very position, turned by no symmetry.

use foldhash::{HashSet, HashSetExt};
use hindsight_core::{ForbiddenMove, Game};
use hindsight_rules::ostle::{BasePosition, Ostle, OstleMove, OstlePosition};

/// A position and the move that is to be played there.
type Node = (BasePosition, OstleMove);

/// From both ends until they meet: states from the start, positions with the next move from the end.
struct Search<'a> {
    game: &'a Ostle,
    /// The states met from the start, and the newest of them.
    reached: HashSet<OstlePosition>,
    forward: Vec<OstlePosition>,
    /// What is met from the end, and the newest of it.
    leading: HashSet<Node>,
    backward: Vec<Node>,
}

/// In how few plies rule 8 lets the start lead to a position; `None` if it takes more than `most`, or if
/// `go_on` says no to as many states as were met so far, at some hundred bytes each.
pub(super) fn shortest(
    game: &Ostle,
    to: BasePosition,
    most: u16,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Option<u16> {
    let start = game.start();
    let mut search = Search {
        game,
        reached: HashSet::from_iter([start]),
        forward: vec![start],
        leading: HashSet::new(),
        backward: Vec::new(),
    };
    search.add_origins(to, None);
    let (mut ahead, mut behind) = (0, 1);
    while ahead + behind <= most {
        if search.meets() {
            return Some(ahead + behind);
        }
        if !go_on(search.reached.len() + search.leading.len()) {
            return None;
        }
        if search.forward.len() <= search.backward.len() {
            ahead += 1;
            search.step_forward();
        } else {
            behind += 1;
            search.step_backward();
        }
    }
    None
}

impl Search<'_> {
    /// Whether a newest state can go on with a move that leads to the end. Older states, and older moves,
    /// would have met before.
    fn meets(&self) -> bool {
        let mut moves = Vec::new();
        self.forward.iter().any(|&state| {
            moves.clear();
            self.game.moves(state, &mut moves);
            let mut nodes = moves.iter().map(|&mv| (state.base, mv));
            nodes.any(|node| self.leading.contains(&node))
        })
    }

    fn step_forward(&mut self) {
        let mut next = Vec::new();
        for state in std::mem::take(&mut self.forward) {
            self.game.successors(state, &mut next);
        }
        for state in next {
            if self.game.terminal(state).is_none() && self.reached.insert(state) {
                self.forward.push(state);
            }
        }
    }

    fn step_backward(&mut self) {
        for (base, mv) in std::mem::take(&mut self.backward) {
            self.add_origins(base, Some(mv));
        }
    }

    /// Adds the moves that lead to a position where another move is allowed.
    fn add_origins(&mut self, base: BasePosition, next: Option<OstleMove>) {
        let mut origins = Vec::new();
        self.game.predecessor_moves(base, &mut origins);
        for (before, mv) in origins {
            let forbidden = self.game.forbidden_after(before, mv);
            let allows = next.is_none() || forbidden != next;
            if allows && self.leading.insert((before, mv)) {
                self.backward.push((before, mv));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::shortest;
    use hindsight_core::{Game, Symmetry};
    use hindsight_rules::ostle::{Ostle, OstleSetup};
    use std::collections::HashMap;

    #[test]
    fn both_ends_meet_where_one_would_arrive() {
        let game = Ostle::new(OstleSetup::new(3, 2, 0), Symmetry::None);
        let mut first = HashMap::from([(game.start().base, 0)]);
        let mut known = HashMap::from([(game.start(), ())]);
        let mut level = vec![game.start()];
        for plies in 1_u16.. {
            let mut next = Vec::new();
            for state in level {
                game.successors(state, &mut next);
            }
            next.retain(|&state| {
                game.terminal(state).is_none() && known.insert(state, ()).is_none()
            });
            for state in &next {
                first.entry(state.base).or_insert(plies);
            }
            if next.is_empty() {
                break;
            }
            level = next;
        }
        for (base, plies) in first.into_iter().filter(|found| found.1 > 0).step_by(29) {
            let found = shortest(&game, base, 40, &mut |_| true);
            assert_eq!(found, Some(plies), "{base:?}");
            assert_eq!(shortest(&game, base, plies - 1, &mut |_| true), None);
        }
    }
}
