use hindsight_bitplanes::{BitplanePlan, InMemoryOptions, Instructions, NoPlaneCheckpoint};
use hindsight_combinatorics::{subset_count, unrank_subset};
use hindsight_core::{Random, Symmetry, TwoSided, Value, Wdl};
use hindsight_play::SeededRandom;
use hindsight_rules::onitama::{BASE, Card, Onitama, OnitamaPlayer, OnitamaSetup};
use hindsight_solve::{Error, Limits, Monitor};
use serde::{Deserialize, Serialize};

use super::Size;

/// Cards that are dealt.
pub(super) const CARDS: usize = 5;
/// Ways to deal five different cards: one aside, two for each player.
pub(super) const DEALS: usize = 30;

/// A set of cards on a board, solved.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Its number in the order of the seed, from 0.
    pub number: usize,
    /// The names of the cards, in alphabetical order.
    pub cards: [String; CARDS],
    /// For each deal ([`Entry::deals`]) in how many plies the first player wins, less than 0 for a loss, 0 for a
    /// draw.
    pub starts: Vec<i16>,
    /// Positions that are won for the side to move.
    pub wins: u64,
    /// Positions that are lost.
    pub losses: u64,
    /// Positions that are drawn.
    pub draws: u64,
    /// The most plies of a win.
    pub longest: u16,
}

/// The cards with these numbers in [`BASE`].
fn cards(set: [usize; CARDS]) -> Vec<Card> {
    let card = |i: usize| Card::new(BASE[i].2.to_vec(), BASE[i].1);
    let cards = set.map(|i| card(i).expect("the cards of the game are cards"));
    cards.to_vec()
}

fn names(set: [usize; CARDS]) -> [String; CARDS] {
    set.map(|i| BASE[i].0.to_string())
}

/// Every set of five cards of the game by their numbers in [`BASE`], in the order of a seed.
pub(super) fn sets(seed: u64) -> Vec<[usize; CARDS]> {
    let of = |rank| {
        let mut rest = unrank_subset(rank, CARDS as u32);
        std::array::from_fn(|_| {
            let card = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            card
        })
    };
    let all = 0..subset_count(BASE.len() as u32, CARDS as u32);
    let mut sets: Vec<[usize; CARDS]> = all.map(of).collect();
    sets.sort_unstable();
    let mut random = SeededRandom::new(&[seed, 0xA71A5]);
    for i in (1..sets.len()).rev() {
        sets.swap(i, random.below(i as u32 + 1) as usize);
    }
    sets
}

/// The game with these cards, dealt as they come.
pub(super) fn game(size: Size, set: [usize; CARDS]) -> Onitama<u32> {
    let setup = OnitamaSetup {
        first: Some(OnitamaPlayer::Red),
        ..OnitamaSetup::new(size.width, size.height, cards(set))
    };
    Onitama::new(setup, Symmetry::None)
}

impl Entry {
    /// Solves a set.
    pub(super) fn solve(
        size: Size,
        (number, set): (usize, [usize; CARDS]),
        limits: Limits,
        monitor: &mut dyn Monitor,
    ) -> Result<Self, Error> {
        let game = game(size, set);
        let start = |deal| game.placement(game.start_with_deal(deal, OnitamaPlayer::Red));
        let starts: Vec<_> = (0..game.deals()).map(start).collect();
        let mut values = vec![0_i16; starts.len()];
        let terms = InMemoryOptions {
            instructions: Instructions::detect(),
            limits,
            monitor,
            checkpoint: &mut NoPlaneCheckpoint,
        };
        let mut after = |planes: &hindsight_bitplanes::Planes, value: Value| {
            let plies = value.remoteness().unwrap_or(0);
            let plies = i16::try_from(plies).map_err(|_| Error::TooLong(i16::MAX as u16))?;
            for (known, start) in values.iter_mut().zip(&starts) {
                let decided = start.is_some_and(|start| planes.wdl(start) != Wdl::Draw);
                if *known == 0 && decided {
                    *known = if value.wdl() == Wdl::Win {
                        plies
                    } else {
                        -plies
                    };
                }
            }
            Ok(())
        };
        let solved =
            hindsight_bitplanes::solve(&game, BitplanePlan::new(&game), terms, &mut after)?;
        let wins = solved.histogram.rows().into_iter();
        let wins = wins.filter_map(|(value, _)| match value {
            Value::Win(plies) => Some(plies),
            _ => None,
        });
        Ok(Self {
            number,
            cards: names(set),
            starts: values,
            wins: solved.summary.wins,
            losses: solved.summary.losses,
            draws: solved.summary.draws,
            longest: wins.max().unwrap_or(0),
        })
    }

    /// Whether this may be what was found of a set.
    pub(super) fn fits(&self, set: [usize; CARDS], positions: u64) -> bool {
        let sum = [self.wins, self.losses, self.draws].into_iter();
        self.cards == names(set)
            && self.starts.len() == DEALS
            && sum.fold(0, u64::saturating_add) == positions
    }

    /// How many of the 30 starts the first player wins, loses, and draws.
    #[must_use]
    pub fn outcomes(&self) -> [usize; 3] {
        let count = |is: fn(&&i16) -> bool| self.starts.iter().filter(is).count();
        [count(|&&n| n > 0), count(|&&n| n < 0), count(|&&n| n == 0)]
    }

    /// What the first player gets of a point: one for a win, half of it for a draw, the mean of all starts.
    #[must_use]
    pub fn share(&self) -> f64 {
        let [wins, _, draws] = self.outcomes();
        (2 * wins + draws) as f64 / (2 * self.starts.len()) as f64
    }

    /// The mean plies of the starts that are won or lost, if there are any.
    #[must_use]
    pub fn mean_plies(&self) -> Option<f64> {
        let [wins, losses, _] = self.outcomes();
        let sum: u32 = self
            .starts
            .iter()
            .map(|n| u32::from(n.unsigned_abs()))
            .sum();
        (wins + losses > 0).then(|| f64::from(sum) / (wins + losses) as f64)
    }

    /// The share of the positions that are drawn.
    #[must_use]
    pub fn drawn(&self) -> f64 {
        self.draws as f64 / self.positions() as f64
    }

    /// All positions.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.wins + self.losses + self.draws
    }

    /// The specs of the games with this set, in the order of [`Entry::starts`].
    #[must_use]
    pub fn deals(&self, size: Size) -> Vec<String> {
        let number = |name: &String| BASE.iter().position(|card| card.0 == name);
        let numbers = self.cards.each_ref().map(|name| number(name).unwrap_or(0));
        let game = game(size, numbers);
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
    use super::{names, sets};

    #[test]
    fn sets_of_a_seed_always_come_in_the_same_order() {
        let sets = sets(1);
        let sorted = |n: usize| {
            let mut names = names(sets[n]);
            names.sort_unstable();
            names.join(",")
        };
        assert_eq!(sets.len(), 4368);
        // What was kept of a sample goes by these numbers.
        assert_eq!(sorted(0), "cobra,goose,horse,ox,tiger");
        assert_eq!(sorted(1), "elephant,goose,mantis,monkey,rooster");
        assert_eq!(sorted(427), "cobra,crane,eel,horse,ox");
    }
}
