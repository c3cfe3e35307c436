//! Reader of the values of a packed game.

use hindsight_core::{
    Answer, Notation, Packed, PackedGame, PackedMove, Probe, RatedMove, rated_moves,
};
use hindsight_puzzles::{ProofNode, PuzzleError, prove_value};
use hindsight_solve::{BestLine, LineError, LinePly, best_line};

use super::game::NamedGame;
use crate::erased::ErasedReader;
use crate::error::GamesError;
use crate::positions::any_value::{AnyMove, Position};
use crate::positions::rated_move::AnyRatedMove;

/// Reader of the values of a game: `probe_many` returns the values of positions, in their order.
pub(super) struct TypedReader<'a, const W: usize, F> {
    pub(crate) game: &'a NamedGame<W>,
    pub(crate) probe_many: F,
}

impl<const W: usize, F> Probe<PackedGame<W>> for TypedReader<'_, W, F>
where
    F: Fn(&[Packed<W>]) -> Result<Vec<Answer>, GamesError>,
{
    type Error = GamesError;

    fn probe(&self, position: Packed<W>) -> Result<Answer, GamesError> {
        Ok(self.probe_many(&[position])?[0])
    }

    fn probe_many(&self, positions: &[Packed<W>]) -> Result<Vec<Answer>, GamesError> {
        (self.probe_many)(positions)
    }
}

impl<const W: usize, F> ErasedReader for TypedReader<'_, W, F>
where
    F: Fn(&[Packed<W>]) -> Result<Vec<Answer>, GamesError> + Send,
{
    fn probe_many(&self, positions: &[Position]) -> Result<Vec<Answer>, GamesError> {
        let positions = positions.iter().map(|position| self.game.unwrap(position));
        let positions: Vec<Packed<W>> = positions.collect::<Result<_, _>>()?;
        Probe::probe_many(self, &positions)
    }

    fn rated_moves(&self, position: &Position) -> Result<Vec<AnyRatedMove>, GamesError> {
        let position = self.game.unwrap(position)?;
        let wrap = |rated: RatedMove<Packed<W>, PackedMove, Answer>| AnyRatedMove {
            mv: self.game.wrap_move(position, rated.mv),
            next: self.game.wrap(rated.next),
            value: rated.value,
        };
        let moves = rated_moves(&self.game.game, self, position)?;
        let mut moves: Vec<AnyRatedMove> = moves.into_iter().map(wrap).collect();
        moves.sort_by_key(|rated| std::cmp::Reverse((rated.value.wdl(), rated.value.exact())));
        Ok(moves)
    }

    fn line(&self, from: &Position) -> Result<BestLine<Position, AnyMove>, GamesError> {
        let game = self.game;
        let from = game.unwrap(from)?;
        let line = best_line(&game.game, self, from).map_err(|error| match error {
            LineError::Probe(error) => error,
            LineError::Unknown => GamesError::Unknown { position: game.game.format(from) },
            LineError::Inconsistent => GamesError::Inconsistent,
        })?;
        let ply = |ply: LinePly<Packed<W>, PackedMove>| LinePly {
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
    fn proof(
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
