use std::collections::BTreeSet;

use hindsight_play::SeededRandom;
use hindsight_rules::Setup;

use super::result::DealResult;
use crate::board_size::BoardSize;
use crate::study_part::StudyPart;

/// Options of the study of deals.
#[derive(Clone, Debug)]
pub struct DealsOptions {
    /// Size of the board.
    pub board: BoardSize,
    /// Number of deals.
    pub deals: u64,
    /// Seed of the deals.
    pub seed: u64,
    /// Time limit of a deal, in seconds.
    pub seconds: f64,
    /// Memory limit of a deal, in bytes.
    pub memory: u64,
    /// Part of the deals to search; all if `None`.
    pub part: Option<StudyPart>,
}

impl DealsOptions {
    /// Board of the game as it is sold.
    pub const BOARD: BoardSize = BoardSize::new(5, 5);
    /// Default number of deals.
    pub const DEALS: u64 = 100;

    /// Returns the number of deals to search.
    #[must_use]
    pub fn wanted_deals(&self) -> u64 {
        let share = |part: StudyPart| part.share_of(self.deals);
        self.part.map_or(self.deals, share)
    }

    /// Returns the numbers of the deals to search.
    pub(super) fn numbers(&self) -> impl Iterator<Item = u64> {
        let part = self.part;
        (0..self.deals).filter(move |&number| part.is_none_or(|part| part.contains(number)))
    }

    /// Returns true if a stored deal need not be searched again: it was decided, or had at least as
    /// much time.
    fn is_done(&self, deal: &DealResult) -> bool {
        deal.allowed_seconds >= self.seconds || deal.value().is_some()
    }

    /// Returns the numbers of the deals that need not be searched again.
    #[must_use]
    pub fn done_deals(&self, stored: &[DealResult]) -> BTreeSet<u64> {
        let done = stored.iter().filter(|deal| self.is_done(deal));
        let numbers = done.map(|deal| deal.number);
        numbers.filter(|&number| number < self.deals).collect()
    }

    /// Returns the spec of a deal.
    pub(super) fn spec(&self, number: u64) -> String {
        let spec = format!("onitama:{}:random", self.board);
        let mut random = SeededRandom::new(&[self.seed, number]);
        let dealt = hindsight_rules::deal(&spec, &Setup::default(), &mut random);
        let dealt = dealt.expect("enough cards");
        dealt.expect("cards are left to chance")
    }
}
