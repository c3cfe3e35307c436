use std::collections::HashMap;

use hindsight_core::{Game, Notation, Packed, PackedGame, Probe, RatedMove, Value};
use serde::Serialize;

use crate::rated_move::{PuzzleError, PuzzleErrorOf, best_value, exact_moves};

/// A position of a proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ProofNode {
    /// The position, in the game's notation.
    pub position: String,
    /// True if the solver is to move.
    pub solver: bool,
    /// `win`, `draw` or `loss` for the side to move.
    pub value: String,
    /// Plies to the end; `None` in a draw.
    pub remoteness: Option<u16>,
    /// Every legal move; empty in a terminal position.
    pub moves: Vec<ProofMove>,
}

/// A move of a position of a proof.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct ProofMove {
    /// The move, in the game's notation.
    pub r#move: String,
    /// `win`, `draw` or `loss` for the side that makes the move.
    pub value: String,
    /// Plies to the end, this one included; `None` in a draw.
    pub remoteness: Option<u16>,
    /// Index of the successor in the proof; `None` if the move is not followed.
    pub to: Option<usize>,
}

/// Returns the positions that prove the value of a position, the position itself first, each one
/// once. The solver is the side to move there.
///
/// The proof follows the first best move of the solver and all slowest replies; with `all_replies`
/// it follows every reply. The proof ends at terminal positions. The proof of a draw is the
/// position alone, since a draw has no line to an end.
///
/// # Errors
/// A value cannot be read, values do not agree, or there are more than `max_positions` positions.
pub fn prove_value<S: Probe>(
    game: &PackedGame,
    solution: &S,
    position: Packed,
    value: Value,
    all_replies: bool,
    max_positions: usize,
) -> Result<Vec<ProofNode>, PuzzleErrorOf<S>> {
    let mut queue = ProofQueue {
        game,
        numbers: HashMap::from([(position, 0)]),
        positions: vec![(position, value)],
    };
    let solving_player = game.player_to_move(position);
    let mut nodes = Vec::new();
    while let Some(&(position, value)) = queue.positions.get(nodes.len()) {
        if nodes.len() == max_positions {
            return Err(PuzzleError::TooLong(max_positions));
        }
        let rated = exact_moves(game, solution, position)?;
        let terminal = game.terminal(position).map(Value::terminal);
        if terminal.or(best_value(&rated)) != Some(value) {
            return Err(PuzzleError::Inconsistent);
        }
        let solver = game.player_to_move(position) == solving_player;
        nodes.push(ProofNode {
            position: game.format(position),
            solver,
            value: value.wdl().to_string(),
            remoteness: value.remoteness(),
            moves: queue.proof_moves(position, value, &rated, all_replies && !solver)?,
        });
    }
    Ok(nodes)
}

/// The positions of a proof in order of discovery; the first ones already have their nodes.
struct ProofQueue<'a> {
    game: &'a PackedGame,
    /// Index of each position in `positions`.
    numbers: HashMap<Packed, usize>,
    positions: Vec<(Packed, Value)>,
}

impl ProofQueue<'_> {
    /// Returns the index of the successor by a move; appends the successor if it is new.
    fn successor_index<E: std::error::Error>(
        &mut self,
        rated: &RatedMove,
    ) -> Result<usize, PuzzleError<E>> {
        let value = rated.value.after().ok_or(PuzzleError::Inconsistent)?;
        let next = self.positions.len();
        let number = *self.numbers.entry(rated.next).or_insert(next);
        if number == next {
            self.positions.push((rated.next, value));
        }
        Ok(number)
    }

    /// Returns the moves of a position as part of the proof; appends the successors that the proof
    /// follows.
    fn proof_moves<E: std::error::Error>(
        &mut self,
        position: Packed,
        value: Value,
        moves: &[RatedMove],
        follow_all: bool,
    ) -> Result<Vec<ProofMove>, PuzzleError<E>> {
        let mut proof_moves = Vec::new();
        let mut solved = false;
        for rated in moves {
            let is_best = rated.value == value && !solved;
            let followed = value != Value::Draw && (follow_all || is_best);
            // One winning move is enough; of equally slow replies all are followed.
            solved |= is_best && matches!(value, Value::Win(_));
            proof_moves.push(ProofMove {
                r#move: self.game.format_move(position, rated.mv),
                value: rated.value.wdl().to_string(),
                remoteness: rated.value.remoteness(),
                to: if followed { Some(self.successor_index(rated)?) } else { None },
            });
        }
        Ok(proof_moves)
    }
}
