use hindsight_core::combinatorics::{SetBits, subset_count, unrank_subset};
use hindsight_core::{Random, Symmetry, Value};
use hindsight_engine::{Error, Limits, Monitor};
use hindsight_play::SeededRandom;
use hindsight_rules::onitama::{BASE, Card, Onitama, OnitamaPlayer, OnitamaSetup};
use serde::{Deserialize, Serialize};

use hindsight_study::{BoardSize, solve_starts};

/// Number of cards in a set.
pub(super) const SET_SIZE: usize = 5;
/// Ways to deal five different cards, one aside and two to each player: `5! / (1! 2! 2!)`.
pub(super) const DEALS: usize = 30;

/// Solution of a set of five cards on a board.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AtlasEntry {
    /// Number of the set in the order drawn from the seed, from 0.
    pub number: usize,
    /// Names of the cards, in alphabetical order.
    pub cards: [String; SET_SIZE],
    /// Values of the starts, in the order of [`AtlasEntry::deal_specs`], for the first player:
    /// `n` for a win in `n` plies, `-n` for a loss in `n` plies, 0 for a draw.
    pub starts: Vec<i16>,
    /// Number of positions that are won for the side to move.
    pub wins: u64,
    /// Number of positions that are lost for the side to move.
    pub losses: u64,
    /// Number of positions that are drawn.
    pub draws: u64,
    /// Length of the longest win, in plies.
    pub longest: u16,
}

/// Returns the cards with these indices in [`BASE`].
fn cards_of_set(set: [usize; SET_SIZE]) -> Vec<Card> {
    let card = |i: usize| Card::new(BASE[i].2.to_vec(), BASE[i].1);
    let cards = set.map(|i| card(i).expect("the cards of the game are cards"));
    cards.to_vec()
}

fn card_names(set: [usize; SET_SIZE]) -> [String; SET_SIZE] {
    set.map(|i| BASE[i].0.to_string())
}

/// Returns the number of sets of five cards of the game.
pub(super) fn all_sets() -> u64 {
    subset_count(BASE.len() as u32, SET_SIZE as u32)
}

/// Returns the number of sets that contain a given card.
pub(super) fn sets_with_card() -> u64 {
    subset_count(BASE.len() as u32 - 1, SET_SIZE as u32 - 1)
}

/// Returns every set of five cards of the game in an order drawn from the seed. A card is its
/// index in [`BASE`].
pub(super) fn shuffled_sets(seed: u64) -> Vec<[usize; SET_SIZE]> {
    let set = |rank| {
        let mut cards = SetBits(unrank_subset(rank, SET_SIZE as u32));
        std::array::from_fn(|_| cards.next().expect("a card").into())
    };
    let mut sets: Vec<[usize; SET_SIZE]> = (0..all_sets()).map(set).collect();
    sets.sort_unstable();
    let mut random = SeededRandom::new(&[seed, 0xA71A5]);
    for i in (1..sets.len()).rev() {
        sets.swap(i, random.below(i as u32 + 1) as usize);
    }
    sets
}

/// Returns the game with these cards, dealt in the given order. The first player is Red.
pub(super) fn game_of_set(size: BoardSize, set: [usize; SET_SIZE]) -> Onitama<u32> {
    let setup = OnitamaSetup {
        first: Some(OnitamaPlayer::Red),
        ..OnitamaSetup::new(size.width, size.height, cards_of_set(set))
    };
    Onitama::new(setup, Symmetry::None)
}

/// Returns a value as in [`AtlasEntry::starts`].
fn signed_plies(value: Value) -> Result<i16, Error> {
    let plies = i16::try_from(value.remoteness().unwrap_or(0));
    let plies = plies.map_err(|_| Error::TooLong(i16::MAX as u16))?;
    Ok(match value {
        Value::Loss(_) => -plies,
        Value::Draw | Value::Win(_) => plies,
    })
}

impl AtlasEntry {
    /// Solves the set `set`, which has the number `number`.
    pub(super) fn solve(
        size: BoardSize,
        number: usize,
        set: [usize; SET_SIZE],
        limits: Limits,
        monitor: &mut dyn Monitor,
    ) -> Result<Self, Error> {
        let solved = solve_starts(&game_of_set(size, set), limits, monitor)?;
        let starts = solved.values.into_iter().map(signed_plies);
        Ok(Self {
            number,
            cards: card_names(set),
            starts: starts.collect::<Result<_, _>>()?,
            wins: solved.summary.wins,
            losses: solved.summary.losses,
            draws: solved.summary.draws,
            longest: solved.longest_win,
        })
    }

    /// Returns true if the entry can be a solution of `set` on a board with `positions` positions.
    pub(super) fn matches_set(&self, set: [usize; SET_SIZE], positions: u64) -> bool {
        let sum = [self.wins, self.losses, self.draws].into_iter();
        self.cards == card_names(set)
            && self.starts.len() == DEALS
            && sum.fold(0, u64::saturating_add) == positions
    }

    /// Returns the numbers of starts that the first player wins, loses and draws; 30 in total.
    #[must_use]
    pub fn start_outcomes(&self) -> [usize; 3] {
        let count = |has_outcome: fn(&&i16) -> bool| self.starts.iter().filter(has_outcome).count();
        [count(|&&n| n > 0), count(|&&n| n < 0), count(|&&n| n == 0)]
    }

    /// Returns the points of the first player, as a mean over all starts: 1 for a win, 0.5 for a
    /// draw, 0 for a loss.
    #[must_use]
    pub fn first_player_share(&self) -> f64 {
        let [wins, _, draws] = self.start_outcomes();
        (2 * wins + draws) as f64 / (2 * self.starts.len()) as f64
    }

    /// Returns the mean length of the starts that are won or lost, in plies, if there are any.
    #[must_use]
    pub fn mean_plies(&self) -> Option<f64> {
        let [wins, losses, _] = self.start_outcomes();
        let sum: u32 = self.starts.iter().map(|n| u32::from(n.unsigned_abs())).sum();
        (wins + losses > 0).then(|| f64::from(sum) / (wins + losses) as f64)
    }

    /// Returns the share of drawn positions, from 0 to 1.
    #[must_use]
    pub(crate) fn drawn_share(&self) -> f64 {
        self.draws as f64 / self.positions() as f64
    }

    /// Returns the number of positions.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// Returns the specs of the games with this set, in the order of [`AtlasEntry::starts`].
    #[must_use]
    pub fn deal_specs(&self, size: BoardSize) -> Vec<String> {
        let number = |name: &String| BASE.iter().position(|card| card.0 == name);
        let numbers = self.cards.each_ref().map(|name| number(name).unwrap_or(0));
        let game = game_of_set(size, numbers);
        let spec = |deal| {
            let setup = OnitamaSetup {
                cards: game.cards_of_deal(deal).cloned().collect(),
                ..game.setup().clone()
            };
            setup.spec()
        };
        (0..game.deals()).map(spec).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{card_names, shuffled_sets};

    #[test]
    fn sets_of_a_seed_always_come_in_the_same_order() {
        let sets = shuffled_sets(1);
        let sorted = |n: usize| {
            let mut names = card_names(sets[n]);
            names.sort_unstable();
            names.join(",")
        };
        assert_eq!(sets.len(), 4368);
        // Stored entries of a sample refer to sets by these numbers.
        assert_eq!(sorted(0), "cobra,goose,horse,ox,tiger");
        assert_eq!(sorted(1), "elephant,goose,mantis,monkey,rooster");
        assert_eq!(sorted(427), "cobra,crane,eel,horse,ox");
    }
}
