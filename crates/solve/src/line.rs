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
fn steps<G: Game>(game: &G, solved: &Solved<G>, at: Place<G::Position>) -> Vec<(G::Move, Place<G::Position>)> {
    let mut moves = Vec::new();
    game.moves(at.position, &mut moves);
    let step = |mv| {
        let position = game.play(at.position, mv);
        let number = solved.number(game, position).expect("a successor of a reachable position is reachable");
        (mv, Place { position, number })
    };
    moves.into_iter().map(step).collect()
}

/// The best line from the start: quickest win, slowest loss, the first of equal moves; in a draw a
/// shortest way into a cycle.
#[must_use]
pub fn best_line<G: Game>(game: &G, solved: &Solved<G>) -> Line<G::Position, G::Move> {
    let start = Place { position: game.start(), number: 0 };
    match solved.value(0) {
        Value::Draw => drawn_line(game, solved, start),
        Value::Win(_) | Value::Loss(_) => decided_line(game, solved, start),
    }
}

fn decided_line<G: Game>(game: &G, solved: &Solved<G>, mut at: Place<G::Position>) -> Line<G::Position, G::Move> {
    let mut plies = Vec::new();
    while game.terminal(at.position).is_none() {
        let value = solved.value(at.number);
        let steps = steps(game, solved, at);
        let best = steps.into_iter().find(|(_, to)| solved.value(to.number).before() == value);
        let (mv, next) = best.expect("a value comes from a successor");
        plies.push((at.position, mv));
        at = next;
    }
    Line { plies, end: at.position, repeats: None }
}

/// Breadth first through drawn positions, until one leads back to a position on the way to itself or
/// the game ends.
fn drawn_line<G: Game>(game: &G, solved: &Solved<G>, start: Place<G::Position>) -> Line<G::Position, G::Move> {
    // Each place met with the index of the one before it and the move from there.
    let mut met: Vec<(Place<G::Position>, Option<(usize, G::Move)>)> = vec![(start, None)];
    let mut index = HashMap::from([(start.position, 0)]);
    let way_to = |met: &[(Place<G::Position>, Option<(usize, G::Move)>)], last: usize| {
        let mut way = Vec::new();
        let mut at = last;
        while let Some((before, mv)) = met[at].1 {
            way.push((before, mv));
            at = before;
        }
        way.reverse();
        way
    };
    let line = |met: &[(Place<G::Position>, Option<(usize, G::Move)>)], way: Vec<(usize, G::Move)>, end, repeats| {
        let plies = way.into_iter().map(|(at, mv)| (met[at].0.position, mv)).collect();
        Line { plies, end, repeats }
    };
    let mut done = 0;
    while done < met.len() {
        let at = met[done].0;
        if game.terminal(at.position).is_some() {
            return line(&met, way_to(&met, done), at.position, None);
        }
        for (mv, to) in steps(game, solved, at) {
            if solved.value(to.number) != Value::Draw {
                continue;
            }
            if let Some(&known) = index.get(&to.position) {
                let mut way = way_to(&met, done);
                let before = way.iter().position(|&(i, _)| i == known);
                let before = before.or((known == done).then_some(way.len()));
                if before.is_some() {
                    way.push((done, mv));
                    return line(&met, way, to.position, before);
                }
            } else {
                index.insert(to.position, met.len());
                met.push((to, Some((done, mv))));
            }
        }
        done += 1;
    }
    unreachable!("a drawn position has a drawn successor or ends the game")
}
