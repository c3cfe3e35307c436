//! Shortest lines from the start to one given position, not to its images by symmetry.

use foldhash::{HashSet, HashSetExt};
use hindsight_core::{Game, States};
use hindsight_rules::ostle::{BasePosition, Ostle, OstleMove, OstlePosition};

/// Position and the move that is played there next.
type PlannedMove = (BasePosition, OstleMove);

/// Entries of a frontier that are handled between two questions whether to go on.
const PORTION: usize = 1 << 14;

/// Bidirectional breadth-first search: forward over states from the start, backward over positions
/// with their next move from the target.
struct BidirectionalSearch<'a> {
    game: &'a Ostle,
    /// States reached from the start.
    reached: HashSet<OstlePosition>,
    /// Newest states of `reached`.
    forward_frontier: Vec<OstlePosition>,
    /// Positions with a next move that leads to the target.
    leads_to_target: HashSet<PlannedMove>,
    /// Newest entries of `leads_to_target`.
    backward_frontier: Vec<PlannedMove>,
}

/// Returns the length of the shortest line from the start to `target` that obeys rule 8, in plies.
///
/// `None` if the line has more than `max_plies` plies. `go_on` receives the number of stored
/// entries, some times a second; if `go_on` returns `false`, the search ends with `None`. An entry
/// takes about a hundred bytes.
pub(super) fn shortest_line(
    game: &Ostle,
    target: BasePosition,
    max_plies: u16,
    go_on: &mut dyn FnMut(usize) -> bool,
) -> Option<u16> {
    let start = game.start();
    let mut search = BidirectionalSearch {
        game,
        reached: HashSet::from_iter([start]),
        forward_frontier: vec![start],
        leads_to_target: HashSet::new(),
        backward_frontier: Vec::new(),
    };
    search.add_predecessors(target, None);
    let (mut forward_plies, mut backward_plies) = (0, 1);
    while forward_plies + backward_plies <= max_plies {
        if search.frontiers_meet(go_on)? {
            return Some(forward_plies + backward_plies);
        }
        if search.forward_frontier.len() <= search.backward_frontier.len() {
            forward_plies += 1;
            search.step_forward(go_on)?;
        } else {
            backward_plies += 1;
            search.step_backward(go_on)?;
        }
    }
    None
}

impl BidirectionalSearch<'_> {
    /// Asks whether to go on; `None` if not.
    fn ask(&self, go_on: &mut dyn FnMut(usize) -> bool) -> Option<()> {
        go_on(self.reached.len() + self.leads_to_target.len()).then_some(())
    }

    /// Returns true if a state of the forward frontier has a legal move that leads to the target.
    fn frontiers_meet(&self, go_on: &mut dyn FnMut(usize) -> bool) -> Option<bool> {
        let mut moves = Vec::new();
        for portion in self.forward_frontier.chunks(PORTION) {
            let meets = portion.iter().any(|&state| {
                moves.clear();
                self.game.moves(state, &mut moves);
                let mut nodes = moves.iter().map(|&mv| (state.base, mv));
                nodes.any(|node| self.leads_to_target.contains(&node))
            });
            if meets {
                return Some(true);
            }
            self.ask(go_on)?;
        }
        Some(false)
    }

    fn step_forward(&mut self, go_on: &mut dyn FnMut(usize) -> bool) -> Option<()> {
        let mut next = Vec::new();
        for portion in std::mem::take(&mut self.forward_frontier).chunks(PORTION) {
            for &state in portion {
                self.game.successors(state, &mut next);
            }
            for state in next.drain(..) {
                if self.game.terminal(state).is_none() && self.reached.insert(state) {
                    self.forward_frontier.push(state);
                }
            }
            self.ask(go_on)?;
        }
        Some(())
    }

    fn step_backward(&mut self, go_on: &mut dyn FnMut(usize) -> bool) -> Option<()> {
        for portion in std::mem::take(&mut self.backward_frontier).chunks(PORTION) {
            for &(base, mv) in portion {
                self.add_predecessors(base, Some(mv));
            }
            self.ask(go_on)?;
        }
        Some(())
    }

    /// Adds the moves that lead to `base` and do not forbid the move `next` there.
    fn add_predecessors(&mut self, base: BasePosition, next: Option<OstleMove>) {
        let mut predecessors = Vec::new();
        self.game.predecessor_moves(base, &mut predecessors);
        for (before, mv) in predecessors {
            let forbidden = self.game.forbidden_after(before, mv);
            let allows = next.is_none() || forbidden != next;
            if allows && self.leads_to_target.insert((before, mv)) {
                self.backward_frontier.push((before, mv));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::shortest_line;
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
        for (base, plies) in first.into_iter().filter(|entry| entry.1 > 0).step_by(29) {
            let length = shortest_line(&game, base, 40, &mut |_| true);
            assert_eq!(length, Some(plies), "{base:?}");
            assert_eq!(shortest_line(&game, base, plies - 1, &mut |_| true), None);
            let stopped = shortest_line(&game, base, 40, &mut |_| false);
            assert_eq!(stopped, (plies == 1).then_some(1));
        }
    }
}
