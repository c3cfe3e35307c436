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
    let fault_at =
        |offset: usize| move |error: Error| problem_of(error).of_parameter("m").moved(offset);
    let read = GameText::read(text).map_err(fault_at(0))?;
    if let Some(spec) = &read.game {
        let named = hindsight_games::game_without_files(spec, Symmetry::None);
        let named = named.map_err(fault_at(read.game_at))?;
        if !named.has_rules_of(game) {
            let detail = format!("the text is a game of {}, not of {}", named.spec(), game.spec());
            let problem = Problem::new(ProblemKind::Parameter, detail).of_parameter("m");
            return Err(problem.at(read.game_at));
        }
    }
    let start = match &read.start {
        Some(start) => game.parse(start).map_err(fault_at(read.start_at))?,
        None => *start,
    };
    let moves = game.read_moves(&start, &read.moves, MAX_MOVES);
    // The moves are the end of the text.
    moves.map_err(fault_at(text.len() - read.moves.len()))
}
