use serde::Serialize;

/// Counts of paths and positions by plies.
#[derive(Clone, Debug, Serialize)]
pub struct PerftAnswer {
    /// Spec of the game in its normal form.
    pub game: String,
    /// First position.
    pub position: String,
    /// Counts of each ply, from 0.
    pub plies: Vec<PerftRow>,
    /// Paths by their first move, if they are asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub divide: Option<Vec<DivideRow>>,
}

/// Counts of one ply.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct PerftRow {
    /// The ply.
    pub ply: usize,
    /// Paths of that many moves.
    pub paths: u128,
    /// Different positions that they end in.
    pub positions: u64,
}

/// Paths that begin with one move.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct DivideRow {
    /// The move.
    pub r#move: String,
    /// The paths.
    pub paths: u128,
}
