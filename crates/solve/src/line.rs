use std::collections::HashMap;

use hindsight_core::{Game, Probe, Value};

/// Best play from a position: to the end, or, in a draw, into a cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BestLine<P, M> {
    /// The plies, in order.
    pub plies: Vec<LinePly<P, M>>,
    /// The position after the last ply.
    pub end: P,
    /// In a draw by endless play: the ply (from 0) before which the final position stood already.
    pub repeats: Option<usize>,
}

/// A position with the move played in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LinePly<P, M> {
    /// The position.
    pub position: P,
    /// The move.
    pub mv: M,
    /// How many moves are as good, this one included.
    pub equal: usize,
}

/// Why there is no line.
#[derive(Debug, thiserror::Error)]
pub enum LineError<E: std::error::Error + 'static> {
    /// A value could not be read.
    #[error(transparent)]
    Probe(#[from] E),
    /// A value with its remoteness is not known, or is not the best of those of the moves.
    #[error("the values of a position and of its moves do not agree")]
    Inconsistent,
}

/// The line of a game, by a solution.
type LineResult<G, S> =
    Result<BestLine<<G as Game>::Position, <G as Game>::Move>, LineError<<S as Probe<G>>::Error>>;

/// The moves of a position of a game, by a solution.
type BestMovesResult<G, S> =
    Result<BestMoves<<G as Game>::Position, <G as Game>::Move>, LineError<<S as Probe<G>>::Error>>;

/// What a solution says of the moves of a position.
struct BestMoves<P, M> {
    value: Value,
    /// Each move that keeps the value, with the position it leads to, in the game's order.
    best: Vec<(M, P)>,
}

fn best_moves<G: Game, S: Probe<G>>(
    game: &G,
    solution: &S,
    position: G::Position,
    value: Value,
) -> BestMovesResult<G, S> {
    let mut all = Vec::new();
    game.moves(position, &mut all);
    let next: Vec<G::Position> = all.iter().map(|&mv| game.play(position, mv)).collect();
    let mut best = Vec::new();
    for ((mv, next), answer) in all.into_iter().zip(&next).zip(solution.probe_many(&next)?) {
        match answer.exact().map(Value::before) {
            Some(other) if other == value => best.push((mv, *next)),
            Some(other) if other < value => {}
            _ => return Err(LineError::Inconsistent),
        }
    }
    if best.is_empty() {
        return Err(LineError::Inconsistent);
    }
    Ok(BestMoves { value, best })
}

/// The best line from a position: quickest win, slowest loss, the first of equal moves; in a draw a
/// shortest way into a cycle.
///
/// # Errors
/// When a value cannot be read, is not exact, or does not follow from those of the moves.
pub fn best_line<G: Game, S: Probe<G>>(
    game: &G,
    solution: &S,
    from: G::Position,
) -> LineResult<G, S> {
    let value = match game.terminal(from) {
        Some(wdl) => Some(Value::terminal(wdl)),
        None => solution.probe(from)?.exact(),
    };
    match value.ok_or(LineError::Inconsistent)? {
        Value::Draw => drawn_line(game, solution, from),
        value => decided_line(game, solution, from, value),
    }
}

fn decided_line<G: Game, S: Probe<G>>(
    game: &G,
    solution: &S,
    mut at: G::Position,
    mut value: Value,
) -> LineResult<G, S> {
    let mut plies = Vec::new();
    while game.terminal(at).is_none() {
        let moves = best_moves(game, solution, at, value)?;
        let (mv, next) = moves.best[0];
        let equal = moves.best.len();
        let position = at;
        plies.push(LinePly {
            position,
            mv,
            equal,
        });
        at = next;
        // One ply fewer, and the other side.
        value = match moves.value {
            Value::Win(n) if n > 0 => Value::Loss(n - 1),
            Value::Loss(n) if n > 0 => Value::Win(n - 1),
            _ => return Err(LineError::Inconsistent),
        };
    }
    Ok(BestLine {
        plies,
        end: at,
        repeats: None,
    })
}

/// A position met by a search, and how it was reached: the index of the one before, and the ply.
struct TreeNode<P, M> {
    position: P,
    parent: Option<(usize, LinePly<P, M>)>,
}

/// The positions met by a search.
struct DrawnTree<P, M> {
    nodes: Vec<TreeNode<P, M>>,
}

impl<P: Copy, M: Copy> DrawnTree<P, M> {
    /// The indices on the way from the root to a position, each with the ply played there.
    fn path_to(&self, mut at: usize) -> Vec<(usize, LinePly<P, M>)> {
        let mut way = Vec::new();
        while let Some(step) = self.nodes[at].parent {
            way.push(step);
            at = step.0;
        }
        way.reverse();
        way
    }
}

fn to_line<P, M>(
    way: Vec<(usize, LinePly<P, M>)>,
    end: P,
    repeats: Option<usize>,
) -> BestLine<P, M> {
    BestLine {
        plies: way.into_iter().map(|(_, ply)| ply).collect(),
        end,
        repeats,
    }
}

/// Breadth first through drawn positions, until one leads back to a position on the way to itself or
/// the game ends.
fn drawn_line<G: Game, S: Probe<G>>(game: &G, solution: &S, from: G::Position) -> LineResult<G, S> {
    let mut tree = DrawnTree {
        nodes: vec![TreeNode {
            position: from,
            parent: None,
        }],
    };
    let mut index = HashMap::from([(from, 0)]);
    let mut done = 0;
    while done < tree.nodes.len() {
        let position = tree.nodes[done].position;
        if game.terminal(position).is_some() {
            return Ok(to_line(tree.path_to(done), position, None));
        }
        let moves = best_moves(game, solution, position, Value::Draw)?;
        let equal = moves.best.len();
        for (mv, to) in moves.best {
            let ply = LinePly {
                position,
                mv,
                equal,
            };
            let Some(&known) = index.get(&to) else {
                index.insert(to, tree.nodes.len());
                tree.nodes.push(TreeNode {
                    position: to,
                    parent: Some((done, ply)),
                });
                continue;
            };
            let mut way = tree.path_to(done);
            way.push((done, ply));
            if let Some(ply) = way.iter().position(|&(i, _)| i == known) {
                return Ok(to_line(way, to, Some(ply)));
            }
        }
        done += 1;
    }
    Err(LineError::Inconsistent)
}

/// The first move that leads from a position to another, up to symmetry.
pub fn move_between<G: Game + ?Sized>(
    game: &G,
    from: G::Position,
    to: G::Position,
) -> Option<G::Move> {
    let mut moves = Vec::new();
    game.moves(from, &mut moves);
    let to = game.canonical(to);
    let mut moves = moves.into_iter();
    moves.find(|&mv| game.canonical(game.play(from, mv)) == to)
}
