use std::collections::HashMap;

use game::{Game, Value};

use crate::graph::Solved;

/// Best play from the start: to the end, or, in a draw, into a cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line<P, M> {
    /// Each position with the move played in it.
    pub plies: Vec<(P, M)>,
    /// The position after the last ply.
    pub end: P,
    /// In a draw by endless play: the ply (from 0) before which the final position stood already.
    pub repeats: Option<usize>,
}

/// A position of the game, in its own orientation, with the number under which it was solved.
#[derive(Clone, Copy)]
struct Place<P> {
    position: P,
    number: usize,
}

/// The moves of a position with the places they lead to, in the game's order.
fn steps<G: Game>(
    game: &G,
    solved: &Solved<G>,
    at: Place<G::Position>,
) -> Vec<(G::Move, Place<G::Position>)> {
    let mut moves = Vec::new();
    game.moves(at.position, &mut moves);
    let step = |mv| {
        let position = game.play(at.position, mv);
        let number = solved
            .number(game, position)
            .expect("a successor of a reachable position is reachable");
        (mv, Place { position, number })
    };
    moves.into_iter().map(step).collect()
}

/// The best line from the start: quickest win, slowest loss, the first of equal moves; in a draw a
/// shortest way into a cycle.
#[must_use]
pub fn best_line<G: Game>(game: &G, solved: &Solved<G>) -> Line<G::Position, G::Move> {
    let start = Place {
        position: game.start(),
        number: 0,
    };
    match solved.value(0) {
        Value::Draw => drawn_line(game, solved, start),
        Value::Win(_) | Value::Loss(_) => decided_line(game, solved, start),
    }
}

fn decided_line<G: Game>(
    game: &G,
    solved: &Solved<G>,
    mut at: Place<G::Position>,
) -> Line<G::Position, G::Move> {
    let mut plies = Vec::new();
    while game.terminal(at.position).is_none() {
        let value = solved.value(at.number);
        let steps = steps(game, solved, at);
        let best = steps
            .into_iter()
            .find(|(_, to)| solved.value(to.number).before() == value);
        let (mv, next) = best.expect("a value comes from a successor");
        plies.push((at.position, mv));
        at = next;
    }
    Line {
        plies,
        end: at.position,
        repeats: None,
    }
}

/// A position met by a search, and how it was reached: the index of the one before and the move.
struct Met<P, M> {
    place: Place<P>,
    by: Option<(usize, M)>,
}

/// The positions met by a search.
struct Tree<P, M> {
    met: Vec<Met<P, M>>,
}

impl<P: Copy, M: Copy> Tree<P, M> {
    /// The indices on the way from the root to a position, each with the move played there.
    fn way_to(&self, mut at: usize) -> Vec<(usize, M)> {
        let mut way = Vec::new();
        while let Some(step) = self.met[at].by {
            way.push(step);
            at = step.0;
        }
        way.reverse();
        way
    }

    fn line(&self, way: &[(usize, M)], end: P, repeats: Option<usize>) -> Line<P, M> {
        let plies = way
            .iter()
            .map(|&(at, mv)| (self.met[at].place.position, mv))
            .collect();
        Line {
            plies,
            end,
            repeats,
        }
    }
}

/// Breadth first through drawn positions, until one leads back to a position on the way to itself or
/// the game ends.
fn drawn_line<G: Game>(
    game: &G,
    solved: &Solved<G>,
    start: Place<G::Position>,
) -> Line<G::Position, G::Move> {
    let mut tree = Tree {
        met: vec![Met {
            place: start,
            by: None,
        }],
    };
    let mut index = HashMap::from([(start.position, 0)]);
    let mut done = 0;
    while done < tree.met.len() {
        let at = tree.met[done].place;
        if game.terminal(at.position).is_some() {
            return tree.line(&tree.way_to(done), at.position, None);
        }
        let drawn =
            |step: &(G::Move, Place<G::Position>)| solved.value(step.1.number) == Value::Draw;
        for (mv, to) in steps(game, solved, at).into_iter().filter(drawn) {
            let Some(&known) = index.get(&to.position) else {
                index.insert(to.position, tree.met.len());
                tree.met.push(Met {
                    place: to,
                    by: Some((done, mv)),
                });
                continue;
            };
            let mut way = tree.way_to(done);
            way.push((done, mv));
            if let Some(ply) = way.iter().position(|&(i, _)| i == known) {
                return tree.line(&way, to.position, Some(ply));
            }
        }
        done += 1;
    }
    unreachable!("a drawn position has a drawn successor or ends the game")
}
