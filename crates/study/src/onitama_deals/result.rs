use hindsight_core::Wdl;
use hindsight_rules::onitama::{OnitamaSetup, ProvedDeal, ProvedDeals};
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
    /// Most plies that the proved win takes; `None` if no bound is known.
    pub plies: Option<u16>,
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

    /// Returns what is proved of a deal of the real game; `None` if nothing is, and on another
    /// board.
    fn proved(&self) -> Option<ProvedDeal> {
        let setup: OnitamaSetup = self.spec.parse().ok()?;
        let source = format!(
            "hindsight {}: study onitama-deals, {} s a deal",
            env!("CARGO_PKG_VERSION"),
            self.allowed_seconds
        );
        ProvedDeal::of_game(&setup, self.value()?, self.plies, self.best_move.as_deref(), &source)
    }
}

/// Returns what is proved of deals of the real game. The file that ships with the program has the
/// same form.
///
/// # Errors
/// As [`ProvedDeals::add`].
pub fn proved_deals(deals: &[DealResult]) -> Result<ProvedDeals, String> {
    let mut proved = ProvedDeals::default();
    for deal in deals.iter().filter_map(DealResult::proved) {
        proved.add(deal)?;
    }
    Ok(proved)
}
