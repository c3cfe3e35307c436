use hindsight_core::Value;
use hindsight_games::{AnyGame, AnyMove, BestLine, Error, Position};
use serde::Serialize;

use crate::known_value::wdl_word;

/// Best play from a position. `P` is the form of a ply.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LineAnswer<P = LinePlyAnswer> {
    /// Spec of the game in its normal form.
    pub game: String,
    /// First position.
    pub position: String,
    /// Value of the first position for the side to move there.
    pub value: &'static str,
    /// Plies from the first position to the end; null for draws.
    pub remoteness: Option<u16>,
    /// Plies of the line.
    pub line: Vec<P>,
    /// Position after the last ply.
    pub end: String,
    /// Ply, from 1, before which the final position occurred already, in a draw by endless play.
    pub repeats: Option<usize>,
}

/// One ply of a line.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LinePlyAnswer {
    /// Position before the move.
    pub position: String,
    /// The move.
    pub r#move: String,
    /// Number of moves that are as good as this one, itself included.
    pub equally_good: usize,
}

impl LineAnswer {
    /// Returns a line from a position with a value as an answer.
    ///
    /// # Errors
    /// As [`AnyGame::format`].
    pub fn new(
        game: &AnyGame,
        position: &Position,
        value: Value,
        line: &BestLine<Position, AnyMove>,
    ) -> Result<Self, Error> {
        let mut plies = Vec::with_capacity(line.plies.len());
        for ply in &line.plies {
            plies.push(LinePlyAnswer {
                position: game.format(&ply.position)?,
                r#move: game.format_move(&ply.position, &ply.mv)?,
                equally_good: ply.equal,
            });
        }
        Ok(Self {
            game: game.spec().to_string(),
            position: game.format(position)?,
            value: wdl_word(value.wdl()),
            remoteness: value.remoteness(),
            line: plies,
            end: game.format(&line.end)?,
            repeats: line.repeats.map(|ply| ply + 1),
        })
    }
}
