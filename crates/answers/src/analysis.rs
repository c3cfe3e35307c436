use hindsight_games::{AnalysedMove, AnyAnalysis, AnyGame, AnyMove, Error, Position};
use serde::Serialize;

use crate::known_value::KnownValue;

/// Analysis of a position.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct AnalysisAnswer {
    /// Spec of the game in its normal form.
    pub game: String,
    /// The position in its normal form.
    pub position: String,
    /// Name of the side to move.
    pub player: &'static str,
    /// Value for the side to move.
    #[serde(flatten)]
    pub known: KnownValue,
    /// Moves, best first.
    pub moves: Vec<MoveAnalysis>,
    /// Seconds of the analysis.
    pub seconds: f64,
    /// Positions looked at.
    pub work: u64,
    /// Tables and solvers that were used.
    pub sources: Vec<String>,
}

/// Analysis of a move.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct MoveAnalysis {
    /// The move.
    pub r#move: String,
    /// Position after the move.
    pub to: String,
    /// Value for the player who makes the move.
    #[serde(flatten)]
    pub known: KnownValue,
    /// Play from here: the move itself and the best moves after it, as far as they are known.
    pub line: Vec<String>,
}

impl AnalysisAnswer {
    /// Returns the analysis of a position of `game` as an answer.
    ///
    /// # Errors
    /// As [`AnyGame::format`].
    pub fn new(game: &AnyGame, analysis: &AnyAnalysis) -> Result<Self, Error> {
        let position = &analysis.position;
        let moves = analysis.moves.iter();
        let moves = moves.map(|analysed| MoveAnalysis::new(game, position, analysed));
        Ok(Self {
            game: game.spec().to_string(),
            position: game.format(position)?,
            player: game.player_names()[game.player_to_move(position)?],
            known: KnownValue::new(analysis.answer, analysis.bound, analysis.estimate),
            moves: moves.collect::<Result<_, _>>()?,
            seconds: analysis.elapsed.as_secs_f64(),
            work: analysis.work,
            sources: analysis.sources.iter().map(ToString::to_string).collect(),
        })
    }
}

impl MoveAnalysis {
    fn new(
        game: &AnyGame,
        position: &Position,
        analysed: &AnalysedMove<Position, AnyMove>,
    ) -> Result<Self, Error> {
        let mut at = *position;
        let mut line = Vec::new();
        for mv in &analysed.line {
            line.push(game.format_move(&at, mv)?);
            at = game.play(&at, mv)?;
        }
        Ok(Self {
            r#move: game.format_move(position, &analysed.mv)?,
            to: game.format(&analysed.to)?,
            known: KnownValue::new(analysed.answer, analysed.bound, analysed.estimate),
            line,
        })
    }
}
