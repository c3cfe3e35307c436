use hindsight_core::Value;
use hindsight_games::{
    AnyGame, AnyMove, Error, GivenAway, PlayerReview, Position, ReviewedMove, ReviewedValue,
};
use serde::Serialize;

use crate::known_value::{BoundAnswer, rounded_estimate, wdl_word};

/// A kept game, move by move.
#[derive(Clone, Debug, Serialize)]
pub struct ReviewAnswer {
    /// Spec of the game in its normal form.
    pub game: String,
    /// Number of the game in its file.
    pub number: u64,
    /// First position.
    pub start: String,
    /// Moves in order.
    pub plies: Vec<ReviewedPly>,
    /// Counts of players 0 and 1, with their agents.
    pub players: Vec<ReviewedPlayer>,
    /// Name of the player who won; null if nobody did.
    pub winner: Option<&'static str>,
    /// Kind of the ending.
    pub ending: String,
    /// Source of the values: `table`, `solve`, or `analyses` of each position.
    pub source: &'static str,
    /// Time of the review in seconds.
    pub seconds: f64,
}

/// Move of a played game. All values are for the player who made it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ReviewedPly {
    /// Number of the move, from 1.
    pub ply: usize,
    /// Name of the player who made the move.
    pub player: &'static str,
    /// The move.
    pub r#move: String,
    /// Position before the move.
    pub position: String,
    /// Proved value before the move.
    pub value_before: Option<&'static str>,
    /// Plies to the end before the move.
    pub remoteness_before: Option<u16>,
    /// Bound of the plies before the move.
    pub bound_before: Option<BoundAnswer>,
    /// Estimate before the move; null if the value is proved.
    pub estimate_before: Option<f64>,
    /// Proved value after the move.
    pub value_after: Option<&'static str>,
    /// Plies to the end after the move, itself included.
    pub remoteness_after: Option<u16>,
    /// Bound of the plies after the move.
    pub bound_after: Option<BoundAnswer>,
    /// Estimate after the move; null if the value is proved.
    pub estimate_after: Option<f64>,
    /// Loss by the move: `"nothing"`, `"plies"`, `"draw"` or `"win"`; null if it is not known.
    pub gave: Option<&'static str>,
    /// Plies by which a win became longer or a loss shorter.
    pub plies_lost: Option<u16>,
    /// Estimate of the best move less that of the move.
    pub estimate_lost: Option<f64>,
    /// Best move.
    pub best: String,
    /// True if the best move is proved to have the value of the position.
    pub best_is_proved: bool,
}

/// Counts of the moves of a player in a kept game.
#[derive(Clone, Debug, Serialize)]
pub struct ReviewedPlayer {
    /// Name of the player.
    pub player: &'static str,
    /// Agent that played.
    pub agent: String,
    /// Moves.
    pub moves: u64,
    /// Moves that no other was better than.
    pub best_moves: u64,
    /// Moves that gave away a win or a draw.
    pub gave_away: u64,
    /// Moves of which it is not known what they gave away.
    pub unknown: u64,
}

/// Counts of the moves of a player.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PlayerCounts {
    /// Name of the player.
    pub player: &'static str,
    /// Moves.
    pub moves: u64,
    /// Moves that no other was better than.
    pub best_moves: u64,
    /// Moves that gave away a win or a draw.
    pub gave_away: u64,
    /// Moves of which it is not known what they gave away.
    pub unknown: u64,
}

impl ReviewedPly {
    /// Returns the move of an index from 0, made by player 0 or 1, as an answer.
    ///
    /// # Errors
    /// As [`AnyGame::format`].
    pub fn new(
        game: &AnyGame,
        index: usize,
        player: usize,
        ply: &ReviewedMove<Position, AnyMove>,
    ) -> Result<Self, Error> {
        let (before, after) = (&ply.before, &ply.after);
        Ok(Self {
            ply: index + 1,
            player: game.player_names()[player],
            r#move: game.format_move(&ply.position, &ply.mv)?,
            position: game.format(&ply.position)?,
            value_before: word_of(before),
            remoteness_before: plies_of(before),
            bound_before: BoundAnswer::new(before.answer, before.bound),
            estimate_before: before.estimate.map(rounded_estimate),
            value_after: word_of(after),
            remoteness_after: plies_of(after),
            bound_after: BoundAnswer::new(after.answer, after.bound),
            estimate_after: after.estimate.map(rounded_estimate),
            gave: ply.given_away.map(given_word),
            plies_lost: ply.given_away.and_then(GivenAway::plies),
            estimate_lost: ply.estimate_lost.map(rounded_estimate),
            best: game.format_move(&ply.position, &ply.best)?,
            best_is_proved: ply.best_is_proved,
        })
    }
}

impl ReviewedPlayer {
    /// Returns the counts of a player of a name, whom an agent played.
    #[must_use]
    pub fn new(player: &'static str, agent: String, counts: PlayerReview) -> Self {
        let PlayerCounts { moves, best_moves, gave_away, unknown, .. } =
            PlayerCounts::new(player, counts);
        Self { player, agent, moves, best_moves, gave_away, unknown }
    }
}

impl PlayerCounts {
    /// Returns the counts of a player of a name.
    #[must_use]
    pub fn new(player: &'static str, counts: PlayerReview) -> Self {
        Self {
            player,
            moves: counts.moves,
            best_moves: counts.best_moves,
            gave_away: counts.gave_away,
            unknown: counts.unknown,
        }
    }
}

/// Returns the word for what a move gave away: `nothing`, `plies`, `draw` or `win`.
#[must_use]
pub fn given_word(given_away: GivenAway) -> &'static str {
    match given_away {
        GivenAway::Nothing => "nothing",
        GivenAway::Plies(_) => "plies",
        GivenAway::Draw => "draw",
        GivenAway::Win => "win",
    }
}

fn word_of(value: &ReviewedValue) -> Option<&'static str> {
    value.answer.wdl().map(wdl_word)
}

fn plies_of(value: &ReviewedValue) -> Option<u16> {
    value.answer.exact().and_then(Value::remoteness)
}
