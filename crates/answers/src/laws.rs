use serde::Serialize;

/// Check of the laws of a game in random games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct LawsAnswer {
    /// Spec of the game in its normal form.
    pub game: String,
    /// Random games that were played.
    pub games: u64,
    /// Positions that were checked, each as often as it was met.
    pub positions: u64,
    /// Moves of these positions.
    pub moves: u64,
    /// Plies of the longest game.
    pub longest_game: u32,
    /// The first broken law; null if none is.
    pub broken: Option<BrokenLawAnswer>,
    /// Seconds that the check took.
    pub seconds: f64,
}

/// Broken law of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct BrokenLawAnswer {
    /// The law.
    pub law: String,
    /// Text of the position where it does not hold.
    pub position: String,
    /// The contradiction; empty if the law says all.
    pub met: String,
}
