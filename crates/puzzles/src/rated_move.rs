use hindsight_core::{Game, Probe, Value};

/// A legal move, its value and its successor.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RatedMove<P, M> {
    /// The move.
    pub mv: M,
    /// Value of the move for the side that makes it, remoteness counted before the move.
    pub value: Value,
    /// The position after the move.
    pub next: P,
}

/// Reason why a position cannot be judged.
#[derive(Debug, thiserror::Error)]
pub enum PuzzleError<E: std::error::Error + 'static> {
    /// A value could not be read.
    #[error(transparent)]
    Probe(#[from] E),
    /// A value has no remoteness, or differs from the best value among the moves.
    #[error("the values of a position and of its moves do not agree")]
    Inconsistent,
    /// A proof has more positions than the limit given here.
    #[error("the proof has more than {0} positions")]
    TooLong(usize),
}

/// Result of rating the moves of a position.
pub(crate) type RatedMoves<G, S> =
    Result<Vec<RatedMove<<G as Game>::Position, <G as Game>::Move>>, PuzzleErrorOf<G, S>>;

/// Error of a puzzle function on game `G` with solution `S`.
pub(crate) type PuzzleErrorOf<G, S> = PuzzleError<<S as Probe<G>>::Error>;

/// Returns every legal move of `position` with its value, in the game's order.
///
/// The list is empty for a terminal position. Cost: one batched probe of all successors.
///
/// # Errors
/// A value cannot be read, or is not exact.
pub fn rated_moves<G: Game, S: Probe<G>>(
    game: &G,
    solution: &S,
    position: G::Position,
) -> RatedMoves<G, S> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let next: Vec<G::Position> = moves.iter().map(|&mv| game.play(position, mv)).collect();
    let answers = solution.probe_many(&next)?;
    let all = moves.into_iter().zip(next).zip(answers);
    all.map(|((mv, next), answer)| {
        let value = answer.exact().ok_or(PuzzleError::Inconsistent)?.before();
        Ok(RatedMove { mv, value, next })
    })
    .collect()
}

/// Returns the value of a position from its rated moves; `None` without moves.
pub(crate) fn best_value<P, M>(moves: &[RatedMove<P, M>]) -> Option<Value> {
    moves.iter().map(|rated| rated.value).max()
}

/// Returns the moves of the best value: the quickest wins, the draws or the slowest losses.
pub(crate) fn best_moves<P, M>(
    moves: &[RatedMove<P, M>],
) -> impl Iterator<Item = &RatedMove<P, M>> {
    let value = best_value(moves);
    moves.iter().filter(move |rated| Some(rated.value) == value)
}

/// Returns the best moves of a position whose value is known to be `value`.
///
/// # Errors
/// As [`rated_moves`], and when the best move has another value.
pub(crate) fn best_moves_of_value<G: Game, S: Probe<G>>(
    game: &G,
    solution: &S,
    position: G::Position,
    value: Value,
) -> RatedMoves<G, S> {
    let mut moves = rated_moves(game, solution, position)?;
    if best_value(&moves) != Some(value) {
        return Err(PuzzleError::Inconsistent);
    }
    moves.retain(|rated| rated.value == value);
    Ok(moves)
}

/// Returns the value of the successor by a best move, the inverse of [`Value::before`].
///
/// `None` for remoteness 0: a terminal position has no successor.
pub(crate) fn value_after_best_move(value: Value) -> Option<Value> {
    match value {
        Value::Draw => Some(Value::Draw),
        Value::Win(n) => Some(Value::Loss(n.checked_sub(1)?)),
        Value::Loss(n) => Some(Value::Win(n.checked_sub(1)?)),
    }
}
