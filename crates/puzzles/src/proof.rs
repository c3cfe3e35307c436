use std::collections::HashMap;

use hindsight_core::{Game, Notation, Probe, Value};
use serde::Serialize;

use crate::choice::{Choice, Error, ErrorOf, after, best_value, choices};
use crate::puzzle::Puzzle;

/// A position of a proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Node {
    /// The position.
    pub position: String,
    /// Whether it is the solver's turn.
    pub solver: bool,
    /// `win`, `draw` or `loss` for the side to move.
    pub value: String,
    /// Plies to the end; `None` in a draw.
    pub remoteness: Option<u16>,
    /// Every legal move; none if the game is over.
    pub moves: Vec<ProvedMove>,
}

/// A move of a position of a proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ProvedMove {
    /// The move.
    pub r#move: String,
    /// `win`, `draw` or `loss` for the one who makes it.
    pub value: String,
    /// Plies to the end, this one included; `None` in a draw.
    pub remoteness: Option<u16>,
    /// Which position of the proof it leads to, from 0; `None` where it is not followed.
    pub to: Option<usize>,
}

/// What makes a position a puzzle: it first, then those that it leads to, each once.
///
/// Of the solver's moves the first of the best is followed, of the other's all of the slowest, or with
/// `full` all there are; to the end. In a draw, of which no line leads to an end, nothing is followed.
///
/// # Errors
/// When a value cannot be read, values do not agree, or there are more than `most` positions.
pub fn prove<G: Game + Notation, S: Probe<G>>(
    game: &G,
    solution: &S,
    puzzle: &Puzzle<G::Position, G::Move>,
    (full, most): (bool, usize),
) -> Result<Vec<Node>, ErrorOf<G, S>> {
    let mut known = Known {
        game,
        number: HashMap::from([(puzzle.position, 0)]),
        todo: vec![(puzzle.position, puzzle.value)],
    };
    let mut nodes = Vec::new();
    while let Some(&(position, value)) = known.todo.get(nodes.len()) {
        if nodes.len() == most {
            return Err(Error::TooLong(most));
        }
        let choices = choices(game, solution, position)?;
        let expected = game.terminal(position).map(Value::terminal);
        if expected.or(best_value(&choices)) != Some(value) {
            return Err(Error::Inconsistent);
        }
        let player = game.player_to_move(position);
        let solver = player == game.player_to_move(puzzle.position);
        nodes.push(Node {
            position: game.format(position),
            solver,
            value: value.wdl().to_string(),
            remoteness: value.remoteness(),
            moves: known.moves((position, value), &choices, full && !solver)?,
        });
    }
    Ok(nodes)
}

/// The positions of a proof, those first whose moves are written down.
struct Known<'a, G: Game> {
    game: &'a G,
    number: HashMap<G::Position, usize>,
    todo: Vec<(G::Position, Value)>,
}

impl<G: Game + Notation> Known<'_, G> {
    /// The number of a position that a move leads to.
    fn number<E: std::error::Error>(
        &mut self,
        choice: &Choice<G::Position, G::Move>,
    ) -> Result<usize, Error<E>> {
        let value = after(choice.value).ok_or(Error::Inconsistent)?;
        let next = self.todo.len();
        let number = *self.number.entry(choice.next).or_insert(next);
        if number == next {
            self.todo.push((choice.next, value));
        }
        Ok(number)
    }

    fn moves<E: std::error::Error>(
        &mut self,
        (position, value): (G::Position, Value),
        choices: &[Choice<G::Position, G::Move>],
        all: bool,
    ) -> Result<Vec<ProvedMove>, Error<E>> {
        let mut moves = Vec::new();
        let mut solved = false;
        for choice in choices {
            let is_best = choice.value == value && !solved;
            let followed = value != Value::Draw && (all || is_best);
            // One solution is enough; replies are followed each.
            solved |= is_best && matches!(value, Value::Win(_));
            moves.push(ProvedMove {
                r#move: self.game.format_move(position, choice.mv),
                value: choice.value.wdl().to_string(),
                remoteness: choice.value.remoteness(),
                to: if followed {
                    Some(self.number(choice)?)
                } else {
                    None
                },
            });
        }
        Ok(moves)
    }
}
