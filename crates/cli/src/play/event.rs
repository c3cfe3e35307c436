//! Events of a game, for programs.

use hindsight_answers::MoveAnalysis;
use serde::Serialize;

use crate::review::ReviewReport;

/// An event of a game, a line of JSON.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
pub(super) enum PlayEvent<'a> {
    /// The game begins or goes on.
    Start {
        game: &'a str,
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
        position: String,
        /// Player to move; null if the game is over.
        player: Option<&'a str>,
        moves: Vec<String>,
    },
    /// The agent moves.
    Move { player: &'a str, r#move: &'a str, seconds: f64 },
    /// The legal moves with their values.
    Moves { moves: Vec<MoveAnalysis> },
    /// The best moves.
    Hint {
        moves: Vec<MoveAnalysis>,
        /// True if the first move is proved to be as good as any other.
        #[serde(rename = "certain")]
        is_certain: bool,
    },
    /// The answer of `review`.
    Review(&'a ReviewReport),
    /// The game was saved.
    Saved { file: &'a str },
    /// The game is over.
    Over { winner: Option<&'a str>, ending: &'a str },
    /// The answer of `help`.
    Help { text: &'a str },
    /// A line cannot be executed.
    Error { error: &'a str },
}
