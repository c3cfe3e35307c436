//! Reader of the values of a packed game.

use hindsight_core::{Answer, Notation, Packed, Probe, RatedMove, rated_moves};
use hindsight_puzzles::{ProofNode, PuzzleError, prove_value};
use hindsight_solve::{BestLine, LineError, LinePly, best_line};

use super::game::NamedGame;
use crate::error::GamesError;
use crate::positions::any_value::{AnyMove, Position};
use crate::positions::rated_move::AnyRatedMove;

/// Function that returns the values of positions, in their order.
type ReadMany<'a> = dyn Fn(&[Packed]) -> Result<Vec<Answer>, GamesError> + Send + 'a;

/// Reader of the values of a game. It may keep what it read last.
pub(crate) struct PackedReader<'a> {
    game: &'a NamedGame,
    read_many: Box<ReadMany<'a>>,
}

impl<'a> PackedReader<'a> {
    pub(super) fn new(
        game: &'a NamedGame,
        read_many: impl Fn(&[Packed]) -> Result<Vec<Answer>, GamesError> + Send + 'a,
    ) -> Self {
        Self { game, read_many: Box::new(read_many) }
    }
}

impl Probe for PackedReader<'_> {
    type Error = GamesError;

    fn probe(&self, position: Packed) -> Result<Answer, GamesError> {
        Ok(self.probe_many(&[position])?[0])
    }

    fn probe_many(&self, positions: &[Packed]) -> Result<Vec<Answer>, GamesError> {
        (self.read_many)(positions)
    }
}

impl PackedReader<'_> {
    pub(crate) fn read(&self, positions: &[Position]) -> Result<Vec<Answer>, GamesError> {
        let positions = positions.iter().map(|position| self.game.unwrap(position));
        let positions: Vec<Packed> = positions.collect::<Result<_, _>>()?;
        (self.read_many)(&positions)
    }

    pub(crate) fn rated_moves(&self, position: &Position) -> Result<Vec<AnyRatedMove>, GamesError> {
        let position = self.game.unwrap(position)?;
        let wrap = |rated: RatedMove<Answer>| AnyRatedMove {
            mv: self.game.wrap_move(position, rated.mv),
            next: self.game.wrap(rated.next),
            value: rated.value,
        };
        let moves = rated_moves(&self.game.game, self, position)?;
        let mut moves: Vec<AnyRatedMove> = moves.into_iter().map(wrap).collect();
        moves.sort_by_key(|rated| std::cmp::Reverse((rated.value.wdl(), rated.value.exact())));
        Ok(moves)
    }

    pub(crate) fn line(&self, from: &Position) -> Result<BestLine<Position, AnyMove>, GamesError> {
        let game = self.game;
        let from = game.unwrap(from)?;
        let line = best_line(&game.game, self, from).map_err(|error| match error {
            LineError::Probe(error) => error,
            LineError::Unknown => GamesError::Unknown { position: game.game.format(from) },
            LineError::Inconsistent => GamesError::Inconsistent,
        })?;
        let ply = |ply: LinePly| LinePly {
            position: game.wrap(ply.position),
            mv: game.wrap_move(ply.position, ply.mv),
            equal: ply.equal,
        };
        Ok(BestLine {
            plies: line.plies.into_iter().map(ply).collect(),
            end: game.wrap(line.end),
            repeats: line.repeats,
        })
    }

    /// Returns at most `max_positions` positions that prove the value of a position.
    pub(crate) fn proof(
        &self,
        position: &Position,
        all_replies: bool,
        max_positions: usize,
    ) -> Result<Vec<ProofNode>, GamesError> {
        let game = &self.game.game;
        let position = self.game.unwrap(position)?;
        let Some(value) = self.probe(position)?.exact() else {
            let position = game.format(position);
            return Err(GamesError::Unknown { position });
        };
        let proof = prove_value(game, self, position, value, all_replies, max_positions);
        proof.map_err(|error| match error {
            PuzzleError::Probe(error) => error,
            PuzzleError::Inconsistent => GamesError::Inconsistent,
            PuzzleError::TooLong(most) => GamesError::LongProof(most),
        })
    }
}
