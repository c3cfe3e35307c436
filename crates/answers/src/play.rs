use serde::Serialize;

use crate::analysis::MoveAnalysis;
use crate::review::ReviewAnswer;

/// Event of a game that a person or a program plays, a line of JSON.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub enum PlayEvent<'a> {
    /// The game begins or goes on.
    Start {
        /// Spec of the game in its normal form.
        game: &'a str,
        /// Seed of the agent.
        seed: u64,
        /// Agent of the other side; null if a person plays it.
        agent: Option<String>,
        /// Side of the person; null if people play both.
        you: Option<&'a str>,
    },
    /// A position is shown.
    Position {
        /// Moves before it.
        ply: usize,
        /// The position.
        position: String,
        /// Player to move; null if the game is over.
        player: Option<&'a str>,
        /// Legal moves.
        moves: Vec<String>,
    },
    /// The agent moves.
    Move {
        /// Player of the agent.
        player: &'a str,
        /// The move.
        r#move: &'a str,
        /// Thinking time in seconds.
        seconds: f64,
    },
    /// The legal moves with their values.
    Moves {
        /// Moves, best first.
        moves: Vec<MoveAnalysis>,
    },
    /// The best moves.
    Hint {
        /// Moves, best first.
        moves: Vec<MoveAnalysis>,
        /// True if the first move is proved to be as good as any other.
        #[serde(rename = "certain")]
        is_certain: bool,
    },
    /// The answer of `review`.
    Review(&'a ReviewAnswer),
    /// The game was saved.
    Saved {
        /// Name of the file.
        file: &'a str,
    },
    /// The game is over.
    Over {
        /// Player who won; null if nobody did.
        winner: Option<&'a str>,
        /// Kind of the ending.
        ending: &'a str,
    },
    /// The answer of `help`.
    Help {
        /// The commands.
        text: &'a str,
    },
    /// A line cannot be executed.
    Error {
        /// The reason.
        error: &'a str,
    },
}
