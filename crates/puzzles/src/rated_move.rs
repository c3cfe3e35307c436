use hindsight_core::{Packed, PackedGame, Probe, RatedMove, Value, rated_moves};

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
pub(crate) type RatedMoves<S> = Result<Vec<RatedMove>, PuzzleErrorOf<S>>;

/// Error of a puzzle function with values `S`.
pub(crate) type PuzzleErrorOf<S> = PuzzleError<<S as Probe>::Error>;

/// Returns every legal move of `position` with its exact value, as [`rated_moves`].
///
/// # Errors
/// A value cannot be read, or is not exact.
pub(crate) fn exact_moves<S: Probe>(
    game: &PackedGame,
    solution: &S,
    position: Packed,
) -> RatedMoves<S> {
    let rated = rated_moves(game, solution, position)?.into_iter();
    rated.map(|rated| rated.exact().ok_or(PuzzleError::Inconsistent)).collect()
}

/// Returns the value of a position from its rated moves; `None` without moves.
pub(crate) fn best_value(moves: &[RatedMove]) -> Option<Value> {
    moves.iter().map(|rated| rated.value).max()
}

/// Returns the moves of the best value: the quickest wins, the draws or the slowest losses.
pub(crate) fn best_moves(moves: &[RatedMove]) -> impl Iterator<Item = &RatedMove> {
    let value = best_value(moves);
    moves.iter().filter(move |rated| Some(rated.value) == value)
}

/// Returns the best moves of a position whose value is known to be `value`.
///
/// # Errors
/// As [`exact_moves`], and when the best move has another value.
pub(crate) fn best_moves_of_value<S: Probe>(
    game: &PackedGame,
    solution: &S,
    position: Packed,
    value: Value,
) -> RatedMoves<S> {
    let mut moves = exact_moves(game, solution, position)?;
    if best_value(&moves) != Some(value) {
        return Err(PuzzleError::Inconsistent);
    }
    moves.retain(|rated| rated.value == value);
    Ok(moves)
}
