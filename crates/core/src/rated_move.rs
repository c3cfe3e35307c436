use alloc::vec::Vec;

use crate::{Answer, Game, Packed, PackedGame, PackedMove, Probe, Value};

/// A legal move with its successor and its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RatedMove<V = Value, P = Packed, M = PackedMove> {
    /// The move.
    pub mv: M,
    /// The position after the move.
    pub next: P,
    /// Value of the move for the side that makes it, remoteness counted before the move.
    pub value: V,
}

impl RatedMove<Answer> {
    /// Returns the move with its exact value; `None` if the remoteness is not known.
    pub fn exact(self) -> Option<RatedMove> {
        Some(RatedMove { mv: self.mv, next: self.next, value: self.value.exact()? })
    }
}

/// Returns every legal move of a position with its value, in the game's order.
///
/// A terminal position has none. Cost: one [`Probe::probe_many`] of all successors.
///
/// # Errors
/// Those of the probe.
///
/// # Panics
/// If the remoteness of a successor is 65,535 plies.
pub fn rated_moves<S: Probe>(
    game: &PackedGame,
    values: &S,
    position: Packed,
) -> Result<Vec<RatedMove<Answer>>, S::Error> {
    let (mut moves, mut next) = (Vec::new(), Vec::new());
    game.children(position, &mut moves, &mut next);
    let answers = values.probe_many(&next)?;
    let rated = moves.into_iter().zip(next).zip(answers);
    let rate = |((mv, next), answer): (_, Answer)| RatedMove { mv, next, value: answer.before() };
    Ok(rated.map(rate).collect())
}
