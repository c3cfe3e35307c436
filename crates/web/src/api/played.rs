//! Played games as text.

use hindsight_games::{AnyGame, Error, GameText, Position, ReadMoves, Symmetry};

use crate::faults::problem_of;
use crate::{Problem, ProblemKind};

/// Most moves of a played game.
const MAX_MOVES: usize = 1000;

/// Reads a game as people write it. A position that the text names is its start.
pub(super) fn played_moves(
    game: &AnyGame,
    start: &Position,
    text: &str,
) -> Result<ReadMoves, Problem> {
    let of_m = |error: Error| problem_of(error).of_parameter("m");
    let read = GameText::read(text).map_err(of_m)?;
    if let Some(spec) = &read.game {
        let named = hindsight_games::game_without_files(spec, Symmetry::None).map_err(of_m)?;
        if !named.has_rules_of(game) {
            let detail = format!("the text is a game of {}, not of {}", named.spec(), game.spec());
            return Err(Problem::new(ProblemKind::Parameter, detail).of_parameter("m"));
        }
    }
    let start = match &read.start {
        Some(start) => game.parse(start).map_err(of_m)?,
        None => *start,
    };
    let moves = game.read_moves(&start, &read.moves, MAX_MOVES);
    // The moves are the end of the text.
    let head = text.len().saturating_sub(read.moves.len());
    moves.map_err(|error| of_m(error).moved(head))
}
