use hindsight_core::{Game, Probe, Value};

/// A move, its value for the one who makes it, and where it leads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Choice<P, M> {
    /// The move.
    pub mv: M,
    /// What it is worth.
    pub value: Value,
    /// The position after it.
    pub next: P,
}

/// Why nothing can be said of a position.
#[derive(Debug, thiserror::Error)]
pub enum Error<E: std::error::Error + 'static> {
    /// A value could not be read.
    #[error(transparent)]
    Probe(#[from] E),
    /// A value with its remoteness is not known, or is not the best of those of the moves.
    #[error("the values of a position and of its moves do not agree")]
    Inconsistent,
    /// A proof has more positions than were allowed.
    #[error("the proof has more than {0} positions")]
    TooLong(usize),
}

/// The moves of a position of a game, with what a solution says of them.
pub(crate) type Choices<G, S> =
    Result<Vec<Choice<<G as Game>::Position, <G as Game>::Move>>, ErrorOf<G, S>>;

/// What may go wrong with a solution of a game.
pub(crate) type ErrorOf<G, S> = Error<<S as Probe<G>>::Error>;

/// Every move of a position with its value, in the game's order; none if the game is over.
///
/// # Errors
/// When a value cannot be read, or is not exact.
pub fn choices<G: Game, S: Probe<G>>(
    game: &G,
    solution: &S,
    position: G::Position,
) -> Choices<G, S> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let next: Vec<G::Position> = moves.iter().map(|&mv| game.play(position, mv)).collect();
    let answers = solution.probe_many(&next)?;
    let all = moves.into_iter().zip(next).zip(answers);
    all.map(|((mv, next), answer)| {
        let value = answer.exact().ok_or(Error::Inconsistent)?.before();
        Ok(Choice { mv, value, next })
    })
    .collect()
}

/// The value of a position that has moves.
pub(crate) fn best_value<P, M>(choices: &[Choice<P, M>]) -> Option<Value> {
    choices.iter().map(|choice| choice.value).max()
}

/// The moves worth as much as the position: of a win the quickest, of a loss the slowest.
pub(crate) fn best<P, M>(choices: &[Choice<P, M>]) -> impl Iterator<Item = &Choice<P, M>> {
    let value = best_value(choices);
    choices
        .iter()
        .filter(move |choice| Some(choice.value) == value)
}

/// The best moves of a position whose value is known.
///
/// # Errors
/// As [`choices`], and when that is not the value.
pub(crate) fn best_of<G: Game, S: Probe<G>>(
    game: &G,
    solution: &S,
    position: G::Position,
    value: Value,
) -> Choices<G, S> {
    let mut all = choices(game, solution, position)?;
    if best_value(&all) != Some(value) {
        return Err(Error::Inconsistent);
    }
    all.retain(|choice| choice.value == value);
    Ok(all)
}

/// The value one ply later when the best is played.
pub(crate) fn after(value: Value) -> Option<Value> {
    match value {
        Value::Draw => Some(Value::Draw),
        Value::Win(n) => Some(Value::Loss(n.checked_sub(1)?)),
        Value::Loss(n) => Some(Value::Win(n.checked_sub(1)?)),
    }
}
