//! Many positions expanded by one call.

use alloc::vec::Vec;

use crate::{Game, Value, Wdl};

/// Successors of some positions, as [`Game::expand`] appends them.
#[derive(Clone, Debug)]
pub struct Expansion<P> {
    /// Canonical members of the successors, those of the first position first.
    pub successors: Vec<P>,
    /// The positions that were expanded, in their order.
    pub positions: Vec<ExpandedPosition>,
}

/// What an expansion tells of one position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ExpandedPosition {
    /// The value of a terminal position, or of one that a move wins at once; else `None`.
    pub value: Option<Value>,
    /// Number of successors; 0 only for a terminal position.
    pub successors: u32,
}

/// What the rules tell of a position without a search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Look {
    /// The game is over.
    Over(Wdl),
    /// The count of [`Heuristics::safe_move_count`](crate::Heuristics::safe_move_count).
    SafeMoves(u32),
    /// The estimate of [`Heuristics::evaluate`](crate::Heuristics::evaluate).
    Estimate(i32),
    /// The game goes on.
    Open,
}

/// Computes [`Game::expand`] position by position.
pub(crate) fn expand_in_turn<G: Game + ?Sized>(
    game: &G,
    positions: &[G::Position],
    most: usize,
    out: &mut Expansion<G::Position>,
) {
    let begin = out.successors.len();
    for &position in positions {
        let first = out.successors.len();
        if first - begin >= most {
            break;
        }
        let value = match game.terminal(position) {
            Some(wdl) => Some(Value::terminal(wdl)),
            None => {
                game.successors(position, &mut out.successors);
                let is_lost = |&next: &G::Position| game.terminal(next) == Some(Wdl::Loss);
                out.successors[first..].iter().any(is_lost).then_some(Value::Win(1))
            }
        };
        let successors = (out.successors.len() - first) as u32;
        out.positions.push(ExpandedPosition { value, successors });
    }
    game.canonicalize(&mut out.successors[begin..]);
}
