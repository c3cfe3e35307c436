use serde::Serialize;

use crate::puzzles::ScannedPositions;

/// Number of puzzles by their length.
#[derive(Clone, Debug, Serialize)]
pub struct PuzzleTallyAnswer {
    /// Spec of the game in its normal form.
    pub game: String,
    /// Theme that was asked for; null for any.
    pub theme: Option<&'static str>,
    /// Positions that were looked at.
    pub scanned: ScannedPositions,
    /// Counts of each length, draws last.
    pub rows: Vec<PuzzleTallyRow>,
    /// Counts of all lengths.
    pub total: PuzzleTallyRow,
}

/// Counts of the puzzles of one length.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct PuzzleTallyRow {
    /// Plies of the win; null for draws, and in the total.
    pub remoteness: Option<u16>,
    /// Puzzles, whether or not their solution is unique.
    pub puzzles: u64,
    /// Puzzles with one move that keeps the value.
    pub only_move: u64,
    /// Puzzles with one quickest first move.
    pub only_first: u64,
    /// Puzzles with one quickest move at each of the solver's plies.
    pub only_line: u64,
}

/// States that only a sacrifice wins, by plies.
#[derive(Clone, Debug, Serialize)]
pub struct SacrificesAnswer {
    /// Spec of the game in its normal form.
    pub game: String,
    /// `sacrifice`.
    pub theme: &'static str,
    /// Positions that were looked at.
    pub scanned: ScannedPositions,
    /// All states.
    pub states: u64,
    /// Winning states.
    pub won: u64,
    /// Winning states, except those of positions that are won at once.
    pub won_not_at_once: u64,
    /// Counts of each length.
    pub rows: Vec<SacrificeRow>,
    /// Counts of all lengths.
    pub total: SacrificeRow,
}

/// Counts of the winning states of one length.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct SacrificeRow {
    /// Plies to the win; null in the total.
    pub remoteness: Option<u16>,
    /// States that a move leads to and in which every winning move is a sacrifice.
    pub puzzles: u64,
    /// Of these, those with one winning move.
    pub only_move: u64,
    /// Of these, those with one quickest winning move.
    pub only_first: u64,
    /// Of these, those with one quickest move at each of the winner's plies.
    pub only_line: u64,
    /// The same as states with nothing forbidden, whether or not a move leads there.
    pub positions: u64,
    /// States in which every quickest winning move is a sacrifice.
    pub quickest: u64,
}
