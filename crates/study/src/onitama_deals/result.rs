use hindsight_core::Wdl;
use hindsight_solve::proof;

/// Result of the search of one deal within a time.
#[derive(Clone, PartialEq, Debug)]
pub struct DealResult {
    /// Number of the deal, from 0.
    pub number: u64,
    /// Spec of the game as it is dealt.
    pub spec: String,
    /// Time limit of the search, in seconds.
    pub allowed_seconds: f64,
    /// Answers to "can this player force a win?", for the player who moves first and for the
    /// other. `None` if the search did not decide.
    pub wins: [Option<bool>; 2],
    /// Move from the start that wins, or else holds the draw; `None` if no such move is known.
    pub best_move: Option<String>,
    /// Number of positions that were expanded.
    pub positions: u64,
    /// Largest number of students per side in the tables used; 0 if none were.
    pub students: u32,
    /// Run time of the search, in seconds.
    pub seconds: f64,
}

impl DealResult {
    /// Returns the value for the player who moves first, if it is known.
    #[must_use]
    pub fn value(&self) -> Option<Wdl> {
        proof::value_of_wins(self.wins)
    }
}
