use alloc::vec::Vec;

use crate::{Answer, Game, Probe, Value};

/// A legal move with its successor and its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RatedMove<P, M, V = Value> {
    /// The move.
    pub mv: M,
    /// The position after the move.
    pub next: P,
    /// Value of the move for the side that makes it, remoteness counted before the move.
    pub value: V,
}

impl<P, M> RatedMove<P, M, Answer> {
    /// Returns the move with its exact value; `None` if the remoteness is not known.
    pub fn exact(self) -> Option<RatedMove<P, M>> {
        Some(RatedMove { mv: self.mv, next: self.next, value: self.value.exact()? })
    }
}

/// Result of [`rated_moves`] for a game `G` and values `S`.
type RatedMovesResult<G, S> = Result<
    Vec<RatedMove<<G as Game>::Position, <G as Game>::Move, Answer>>,
    <S as Probe<G>>::Error,
>;

/// Returns every legal move of a position with its value, in the game's order.
///
/// A terminal position has none. Cost: one [`Probe::probe_many`] of all successors.
///
/// # Errors
/// Those of the probe.
///
/// # Panics
/// If the remoteness of a successor is 65,535 plies.
pub fn rated_moves<G: Game, S: Probe<G>>(
    game: &G,
    values: &S,
    position: G::Position,
) -> RatedMovesResult<G, S> {
    let (mut moves, mut next) = (Vec::new(), Vec::new());
    game.children(position, &mut moves, &mut next);
    let answers = values.probe_many(&next)?;
    let rated = moves.into_iter().zip(next).zip(answers);
    let rate = |((mv, next), answer): (_, Answer)| RatedMove { mv, next, value: answer.before() };
    Ok(rated.map(rate).collect())
}
