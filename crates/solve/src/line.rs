//! Best play from a position, as a line of plies.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use hindsight_core::{Game, Packed, PackedGame, PackedMove, Probe, RatedMove, Value, rated_moves};

/// Best play from a position: to the end of the game or, in a draw, into a cycle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BestLine<P = Packed, M = PackedMove> {
    /// The plies, in order.
    pub plies: Vec<LinePly<P, M>>,
    /// The position after the last ply.
    pub end: P,
    /// In a draw by endless play: the ply (from 0) whose position equals [`BestLine::end`].
    pub repeats: Option<usize>,
}

/// A position with the move played in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LinePly<P = Packed, M = PackedMove> {
    /// The position.
    pub position: P,
    /// The move.
    pub mv: M,
    /// Number of equally good moves, this one included.
    pub equal: usize,
}

/// Reason why there is no line.
#[derive(Debug, thiserror::Error)]
pub enum LineError<E: std::error::Error + 'static> {
    /// A value could not be read.
    #[error(transparent)]
    Probe(#[from] E),
    /// The value of the first position is not known with its remoteness.
    #[error("the value of the position is not known")]
    Unknown,
    /// The value of a position is not the best of the values of its moves, all of them exact.
    #[error("the values of a position and of its moves do not agree")]
    Inconsistent,
}

/// Line by the values of a solution `S`.
type LineResult<S> = Result<BestLine, LineError<<S as Probe>::Error>>;

/// Returns the moves that keep the value of a position, in the game's order.
fn best_moves<S: Probe>(
    game: &PackedGame,
    solution: &S,
    position: Packed,
    value: Value,
) -> Result<Vec<RatedMove>, LineError<S::Error>> {
    let mut best = Vec::new();
    for rated in rated_moves(game, solution, position)? {
        let rated = rated.exact().ok_or(LineError::Inconsistent)?;
        match rated.value.cmp(&value) {
            Ordering::Less => {}
            Ordering::Equal => best.push(rated),
            Ordering::Greater => return Err(LineError::Inconsistent),
        }
    }
    if best.is_empty() {
        return Err(LineError::Inconsistent);
    }
    Ok(best)
}

/// Returns the best line from a position: the quickest win or the slowest loss. Of equally good
/// moves, the first is played. In a draw, the line is a short one into a cycle or to a drawn end.
///
/// # Errors
/// [`LineError::Probe`] if a value cannot be read, [`LineError::Unknown`] if that of `from` is not
/// exact. [`LineError::Inconsistent`] if a value does not follow from the values of the moves.
pub fn best_line<S: Probe>(game: &PackedGame, solution: &S, from: Packed) -> LineResult<S> {
    let value = match game.terminal(from) {
        Some(wdl) => Some(Value::terminal(wdl)),
        None => solution.probe(from)?.exact(),
    };
    match value.ok_or(LineError::Unknown)? {
        // Without cycles each drawn line leads to a drawn end, and all are equally long.
        Value::Draw if game.countdown().is_some() => first_moves(game, solution, from),
        Value::Draw => drawn_line(game, solution, from),
        value => decided_line(game, solution, from, value),
    }
}

fn decided_line<S: Probe>(
    game: &PackedGame,
    solution: &S,
    mut position: Packed,
    mut value: Value,
) -> LineResult<S> {
    let mut plies = Vec::new();
    while game.terminal(position).is_none() {
        let moves = best_moves(game, solution, position, value)?;
        plies.push(LinePly { position, mv: moves[0].mv, equal: moves.len() });
        position = moves[0].next;
        value = value.after().ok_or(LineError::Inconsistent)?;
    }
    Ok(BestLine { plies, end: position, repeats: None })
}

/// A position of the breadth-first tree. `parent` holds the index of the predecessor and the ply
/// played there.
struct TreeNode {
    position: Packed,
    parent: Option<(usize, LinePly)>,
}

/// Breadth-first tree of drawn positions.
struct DrawnTree {
    nodes: Vec<TreeNode>,
}

impl DrawnTree {
    /// Plies from the root to a node, each with the index of the node it was played in.
    fn path_to(&self, mut node: usize) -> Vec<(usize, LinePly)> {
        let mut path = Vec::new();
        while let Some(parent) = self.nodes[node].parent {
            path.push(parent);
            node = parent.0;
        }
        path.reverse();
        path
    }
}

fn to_line(path: Vec<(usize, LinePly)>, end: Packed, repeats: Option<usize>) -> BestLine {
    BestLine { plies: path.into_iter().map(|(_, ply)| ply).collect(), end, repeats }
}

/// Most positions among which a short drawn line is looked for.
const MOST_DRAWN: usize = 1 << 12;

/// Searches drawn positions breadth first. Stops at the first move back onto its own path, or at
/// the first terminal position. Every position may be reached on other paths than those that its
/// cycle takes, or there may be no short line: then the first best moves are followed.
fn drawn_line<S: Probe>(game: &PackedGame, solution: &S, from: Packed) -> LineResult<S> {
    let mut tree = DrawnTree { nodes: vec![TreeNode { position: from, parent: None }] };
    let mut index = HashMap::from([(from, 0)]);
    let mut expanded = 0;
    while expanded < tree.nodes.len().min(MOST_DRAWN) {
        let position = tree.nodes[expanded].position;
        if game.terminal(position).is_some() {
            return Ok(to_line(tree.path_to(expanded), position, None));
        }
        let moves = best_moves(game, solution, position, Value::Draw)?;
        let equal = moves.len();
        for RatedMove { mv, next: to, .. } in moves {
            let ply = LinePly { position, mv, equal };
            let Some(&known) = index.get(&to) else {
                index.insert(to, tree.nodes.len());
                tree.nodes.push(TreeNode { position: to, parent: Some((expanded, ply)) });
                continue;
            };
            let mut path = tree.path_to(expanded);
            path.push((expanded, ply));
            if let Some(ply) = path.iter().position(|&(i, _)| i == known) {
                return Ok(to_line(path, to, Some(ply)));
            }
        }
        expanded += 1;
    }
    first_moves(game, solution, from)
}

/// Follows the first best move of each drawn position until the game ends, or a position comes
/// again.
fn first_moves<S: Probe>(game: &PackedGame, solution: &S, from: Packed) -> LineResult<S> {
    let (mut plies, mut met) = (Vec::new(), HashSet::new());
    let mut position = from;
    while game.terminal(position).is_none() && met.insert(position) {
        let moves = best_moves(game, solution, position, Value::Draw)?;
        plies.push(LinePly { position, mv: moves[0].mv, equal: moves.len() });
        position = moves[0].next;
    }
    let repeats = plies.iter().position(|ply| ply.position == position);
    Ok(BestLine { plies, end: position, repeats })
}

/// Returns the first move from `from` to `to`, up to symmetry; `None` if no move leads there.
pub fn move_between(game: &PackedGame, from: Packed, to: Packed) -> Option<PackedMove> {
    let mut moves = Vec::new();
    game.moves(from, &mut moves);
    let to = game.canonical(to);
    let mut moves = moves.into_iter();
    moves.find(|&mv| game.canonical(game.play(from, mv)) == to)
}
