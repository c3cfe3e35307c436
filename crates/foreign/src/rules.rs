use hindsight_core::Wdl;

use crate::description::Description;
use crate::fault::RulesFault;

/// Most positions a call.
pub const MOST_POSITIONS: usize = 1024;
/// Most moves of a position.
pub const MOST_MOVES: usize = 32_766;

/// Rules of a game that live outside. A position is bytes, as many for each.
///
/// Calls with several positions have them one after the other, at most [`MOST_POSITIONS`]. The
/// caller checks sizes and numbers, so an implementation hands on what it was told.
pub trait ForeignRules: Send + Sync {
    /// Returns what the rules say of themselves.
    fn description(&self) -> &Description;

    /// Answers, for each position in its order, with its result or its successors.
    ///
    /// # Errors
    /// Any fault of the rules.
    fn expand(&self, positions: &[u8], answers: &mut Answers) -> Result<(), RulesFault>;

    /// Appends the player to move of each position, 0 or 1. Asked only of
    /// [`Turns::Told`](crate::Turns::Told).
    ///
    /// # Errors
    /// Any fault of the rules.
    fn players(&self, positions: &[u8], players: &mut Vec<u8>) -> Result<(), RulesFault> {
        let count = positions.len() / self.description().position_bytes();
        players.resize(players.len() + count, 0);
        Ok(())
    }

    /// Replaces each position by the one that stands for all that are equal to it by symmetry.
    ///
    /// # Errors
    /// Any fault of the rules.
    fn canonicalize(&self, _positions: &mut [u8]) -> Result<(), RulesFault> {
        Ok(())
    }

    /// Appends the tier and the rank of each position; `None` only where the game is over. Asked
    /// only if the description has tiers.
    ///
    /// # Errors
    /// Any fault of the rules.
    fn rank(
        &self,
        _positions: &[u8],
        _addresses: &mut Vec<Option<(u64, u64)>>,
    ) -> Result<(), RulesFault> {
        Ok(())
    }

    /// Answers for each rank of a tier with its position, or with zeros and `false` if it has none.
    /// Asked only if the description has tiers.
    ///
    /// # Errors
    /// Any fault of the rules.
    fn unrank(
        &self,
        _tier: u64,
        _ranks: &[u64],
        _positions: &mut RankedPositions,
    ) -> Result<(), RulesFault> {
        Ok(())
    }

    /// Returns the names of the moves of a position, in the order of its successors.
    ///
    /// # Errors
    /// Any fault of the rules.
    fn move_names(&self, _position: &[u8]) -> Result<Vec<String>, RulesFault> {
        Ok(Vec::new())
    }

    /// Returns the text of a position.
    ///
    /// # Errors
    /// Any fault of the rules.
    fn format(&self, _position: &[u8]) -> Result<String, RulesFault> {
        Ok(String::new())
    }

    /// Returns the position of a text, or what is wrong with the text.
    ///
    /// # Errors
    /// Any fault of the rules.
    fn parse(&self, text: &str) -> Result<Result<Vec<u8>, String>, RulesFault> {
        Ok(Err(format!("'{text}' is no position")))
    }
}

/// Positions of some ranks, in their order.
#[derive(Clone, Debug, Default)]
pub struct RankedPositions {
    /// Bytes of a position for each rank.
    pub positions: Vec<u8>,
    /// For each rank, true if it has a position.
    pub exist: Vec<bool>,
}

/// Answers about some positions, in their order.
#[derive(Clone, Debug, Default)]
pub struct Answers {
    /// For each position its result for the side to move, and the number of its successors.
    pub positions: Vec<(Option<Wdl>, u32)>,
    /// Bytes of all successors, those of the first position first.
    pub successors: Vec<u8>,
}

impl Answers {
    /// Appends the answer about the next position: its result, if the game is over there, and its
    /// successors.
    ///
    /// # Panics
    /// If there are 2^32 successors or more.
    pub fn add<S: AsRef<[u8]>>(
        &mut self,
        result: Option<Wdl>,
        successors: impl IntoIterator<Item = S>,
    ) {
        let mut count = 0u32;
        for successor in successors {
            self.successors.extend_from_slice(successor.as_ref());
            count = count.checked_add(1).expect("fewer than 2^32 successors");
        }
        self.positions.push((result, count));
    }

    /// Empties both lists.
    pub fn clear(&mut self) {
        self.positions.clear();
        self.successors.clear();
    }
}
