use hindsight_core::{Random, Symmetry};
use hindsight_play::SeededRandom;
use hindsight_rules::onitama::{BASE, Card, Onitama, OnitamaPlayer, OnitamaSetup};

use super::Options;

/// Games of two agents under the same conditions, by which they are known.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Series {
    /// Their texts.
    pub(super) agents: [String; 2],
    /// Playouts of a move, of each.
    pub(super) playouts: [u64; 2],
    /// Cards in a hand.
    pub(super) hand: u8,
    /// The number of a card in [`cards`] that is in every deal.
    pub(super) card: Option<usize>,
    /// How many.
    pub(super) games: u64,
}

/// Beside the seed and a pair of games: the deal.
const DEAL: u64 = 0xDEA1;

/// Games of a series in the thesis.
const GAMES: f64 = 1000.0;

impl Series {
    /// Agents by their texts and the playouts they are given, `{}` standing for the latter.
    pub(super) fn new(options: &Options, agents: [(&str, u64); 2]) -> Self {
        let pairs = (GAMES * options.scale / 2.0).round().max(1.0) as u64;
        Self {
            agents: agents.map(|(text, playouts)| text.replace("{}", &playouts.to_string())),
            playouts: agents.map(|agent| agent.1),
            hand: 2,
            card: None,
            games: 2 * pairs,
        }
    }

    /// An agent against itself.
    pub(super) fn alone(options: &Options, text: &str, playouts: u64) -> Self {
        Self::new(options, [(text, playouts); 2])
    }

    /// The name of its games in a folder: letters, digits, `=`, `.` and `-`.
    pub(super) fn name(&self) -> String {
        let [a, b] = &self.agents;
        let mut name = if a == b {
            a.clone()
        } else {
            format!("{a}-against-{b}")
        };
        if self.hand != 2 {
            name.push_str(&format!("-hand={}", self.hand));
        }
        if let Some(card) = self.card {
            name.push_str(&format!("-card={}", cards()[card].0));
        }
        let name = name.replace('%', "percent");
        name.replace([':', ',', ' '], "-")
    }

    /// About how many playouts a game takes: the two players make some fifteen moves each.
    pub(super) fn cost(&self) -> u64 {
        15 * (self.playouts[0] + self.playouts[1])
    }

    /// A game of the series as it is dealt: both games of a pair are.
    pub(super) fn deal(&self, seed: u64, number: u64) -> Onitama<u32> {
        let mut random = SeededRandom::new(&[seed, number / 2, DEAL]);
        let forced = self.card.map(|card| cards()[card].1.clone());
        let mut pool: Vec<Card> = base().map(|card| card.1).collect();
        pool.retain(|card| Some(card) != forced.as_ref());
        let wanted = 2 * usize::from(self.hand) + 1;
        let mut draw = |n: usize| random.below(n as u32) as usize;
        let mut dealt = Vec::new();
        while dealt.len() < wanted - usize::from(forced.is_some()) {
            dealt.push(pool.swap_remove(draw(pool.len())));
        }
        let stay = forced
            .as_ref()
            .is_some_and(|card| card.offsets().contains(&(0, 0)));
        if let Some(card) = forced {
            dealt.insert(draw(wanted), card);
        }
        let first = [OnitamaPlayer::Red, OnitamaPlayer::Blue][draw(2)];
        let setup = OnitamaSetup {
            hand: self.hand,
            first: Some(first),
            stay,
            ..OnitamaSetup::new(5, 5, dealt)
        };
        Onitama::new(setup, Symmetry::None)
    }
}

fn card(offsets: Vec<(i8, i8)>) -> Card {
    Card::new(offsets, OnitamaPlayer::Red).expect("offsets within two squares")
}

/// The cards of the base game.
fn base() -> impl Iterator<Item = (&'static str, Card)> {
    BASE.iter().map(|&(name, stamp, offsets)| {
        let card = Card::new(offsets.to_vec(), stamp);
        (name, card.expect("the cards of the game are cards"))
    })
}

/// The cards of Figure 18 by their moves, mirror images side by side: those of the game between two extreme
/// ones, which stay in place or go anywhere.
pub(super) fn cards() -> Vec<(&'static str, Card)> {
    const ORDER: [&str; 16] = [
        "tiger", "boar", "crab", "crane", "mantis", "cobra", "eel", "frog", "rabbit", "horse",
        "ox", "dragon", "elephant", "monkey", "goose", "rooster",
    ];
    let everywhere = (-2..=2).flat_map(|right| (-2..=2).map(move |forward| (right, forward)));
    let mut all = vec![("stay", card(vec![(0, 0)]))];
    for name in ORDER {
        all.extend(base().find(|card| card.0 == name));
    }
    all.push(("all", card(everywhere.collect())));
    all
}

#[cfg(test)]
mod tests {
    use super::{Series, cards};
    use crate::onitama_agents::Options;
    use hindsight_core::Notation;

    #[test]
    fn a_pair_has_the_same_deal_and_the_forced_card() {
        let options = Options::default();
        let mut series = Series::alone(&options, "mcts:playouts={}", 10);
        assert_eq!((series.games, series.cost()), (1000, 300));
        assert_eq!(series.name(), "mcts-playouts=10");
        for (number, (name, card)) in cards().into_iter().enumerate() {
            series.card = Some(number);
            let game = series.deal(7, 4);
            assert!(game.kinds().contains(&card), "{name}");
            assert_eq!(game.spec(), series.deal(7, 5).spec());
            assert_ne!(game.spec(), series.deal(7, 6).spec());
            assert_eq!(
                game.spec().contains("stay=yes"),
                ["stay", "all"].contains(&name)
            );
        }
        series.card = None;
        series.hand = 6;
        assert_eq!(series.deal(7, 0).kinds().len(), 13);
    }

    #[test]
    fn cards_are_ordered_by_their_moves() {
        let all = cards();
        assert_eq!(all.len(), 18);
        assert!(
            all.windows(2)
                .all(|two| { two[0].1.offsets().len() <= two[1].1.offsets().len() })
        );
    }
}
