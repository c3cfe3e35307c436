use hindsight_core::Value;
use hindsight_games::{
    AnyGame, AnyMove, Error, GameReview, GivenAway, Position, ReviewedMove, ReviewedValue,
};
use serde::Serialize;

use crate::explorer_link::explorer_link;
use crate::known_value::{BoundAnswer, rounded_estimate, wdl_word};

/// Least loss of a move that may be among the worst of its player; a win is 1, a loss -1.
pub const LEAST_LOSS: f64 = 0.1;

/// Most moves that are listed as the worst of a player.
const WORST_MOVES: usize = 3;

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
    /// Moves that gave away a proved win or draw, each with the position as a puzzle.
    pub turning_points: Vec<TurningPoint>,
    /// Address of the game in the explorer, behind that of the server.
    pub link: String,
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

/// Player of a kept game.
#[derive(Clone, Debug, Serialize)]
pub struct ReviewedPlayer {
    /// Counts of the moves.
    #[serde(flatten)]
    pub counts: PlayerCounts,
    /// Agent that played.
    pub agent: String,
}

/// Move that gave away a proved win or draw, and the position before it as a puzzle.
#[derive(Clone, Debug, Serialize)]
pub struct TurningPoint {
    /// Number of the move, from 1.
    pub ply: usize,
    /// Name of the player who is to find a better one.
    pub player: &'static str,
    /// Position before the move.
    pub position: String,
    /// Result that the player can reach: `win` or `draw`.
    pub goal: &'static str,
    /// Plies of a win; null if they are not known, and of a draw.
    pub plies: Option<u16>,
    /// A move that reaches it; null if none is proved to.
    pub solution: Option<String>,
    /// Address of the position in the explorer, behind that of the server.
    pub link: String,
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
    /// Share of the value that the player kept, in per cent: 100 if no move gave a result away, 0
    /// if each turned a win into a loss; null if nothing is known.
    pub accuracy: Option<f64>,
    /// Numbers of the worst moves, the worst first; at most three.
    pub worst: Vec<usize>,
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

impl TurningPoint {
    /// Returns the turning points of a game.
    ///
    /// # Errors
    /// As [`AnyGame::format`].
    pub fn of_game(game: &AnyGame, review: &GameReview) -> Result<Vec<Self>, Error> {
        let turning_point = |index: usize| {
            let ply = &review.plies[index];
            let solution = ply.best_is_proved.then(|| game.format_move(&ply.position, &ply.best));
            Ok(Self {
                ply: index + 1,
                player: game.player_names()[review.player(index)],
                position: game.format(&ply.position)?,
                goal: if ply.given_away == Some(GivenAway::Win) { "win" } else { "draw" },
                plies: plies_of(&ply.before),
                solution: solution.transpose()?,
                link: explorer_link(game, &ply.position, &[])?,
            })
        };
        review.turning_points().map(turning_point).collect()
    }
}

impl PlayerCounts {
    /// Returns the counts of players 0 and 1 of a game.
    #[must_use]
    pub fn of_both(game: &AnyGame, review: &GameReview) -> [Self; 2] {
        let (names, counts) = (game.player_names(), review.players());
        [0, 1].map(|player| {
            let counts = &counts[player];
            let worst = review.worst_moves(player, LEAST_LOSS, WORST_MOVES);
            Self {
                player: names[player],
                moves: counts.moves,
                best_moves: counts.best_moves,
                gave_away: counts.gave_away,
                unknown: counts.unknown,
                accuracy: counts.accuracy().map(|share| (share * 1000.0).round() / 10.0),
                worst: worst.into_iter().map(|index| index + 1).collect(),
            }
        })
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
