//! Moves of a played game as text.

use hindsight_games::{AnyGame, AnyMove, Position};

use crate::faults::problem_of;
use crate::{Problem, ProblemKind};

/// Most moves of a played game.
const MAX_MOVES: usize = 1000;

/// Reads moves with commas between them, not those inside of brackets.
pub(super) fn played_moves(
    game: &AnyGame,
    start: &Position,
    text: &str,
) -> Result<Vec<AnyMove>, Problem> {
    let mut depth = 0;
    let mut is_end = |c: char| {
        depth += i32::from(c == '(') - i32::from(c == ')');
        c == ',' && depth == 0
    };
    let texts = text.split(&mut is_end).filter(|text| !text.is_empty());
    let texts: Vec<&str> = texts.collect();
    if texts.len() > MAX_MOVES {
        let detail = format!("a game has at most {MAX_MOVES} moves here, not {}", texts.len());
        return Err(Problem::new(ProblemKind::Parameter, detail).of_parameter("m"));
    }
    let mut at = *start;
    let mut moves = Vec::with_capacity(texts.len());
    for word in texts {
        let mv = game.parse_move(&at, word).and_then(|mv| {
            at = game.play(&at, &mv)?;
            Ok(mv)
        });
        let offset = word.as_ptr() as usize - text.as_ptr() as usize;
        let problem = |error| problem_of(error).of_parameter("m").moved(offset);
        moves.push(mv.map_err(problem)?);
    }
    Ok(moves)
}
