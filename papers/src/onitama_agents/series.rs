use hindsight_core::{Random, Symmetry};
use hindsight_play::SeededRandom;
use hindsight_rules::onitama::{BASE, Card, Onitama, OnitamaPlayer, OnitamaSetup};

use super::options::AgentsOptions;

/// Conditions of a series of games between two agents. Series with equal conditions share their
/// games.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) struct Series {
    /// Texts of the agents.
    pub(super) agents: [String; 2],
    /// Playouts per move of each agent.
    pub(super) playouts: [u64; 2],
    /// Cards in a hand.
    pub(super) hand: u8,
    /// Index in [`ordered_cards`] of a card that is in every deal.
    pub(super) forced_card: Option<usize>,
    /// Number of games, which is even: games `2 * i` and `2 * i + 1` have the same deal.
    pub(super) games: u64,
}

/// Constant that sets the random numbers of deals apart from all others of the same seed.
const DEAL_STREAM: u64 = 0xDEA1;

/// Number of games of a series in the thesis.
const GAMES_PER_SERIES: f64 = 1000.0;

impl Series {
    /// Creates a series from the text and the playouts per move of each agent. `{}` in a text is
    /// replaced by the playouts.
    pub(super) fn new(options: &AgentsOptions, agents: [(&str, u64); 2]) -> Self {
        let pairs = (GAMES_PER_SERIES * options.scale / 2.0).round().max(1.0) as u64;
        Self {
            agents: agents.map(|(text, playouts)| text.replace("{}", &playouts.to_string())),
            playouts: agents.map(|agent| agent.1),
            hand: 2,
            forced_card: None,
            games: 2 * pairs,
        }
    }

    /// Creates a series of an agent against itself.
    pub(super) fn self_play(options: &AgentsOptions, text: &str, playouts: u64) -> Self {
        Self::new(options, [(text, playouts); 2])
    }

    /// Returns the name of the series in a store, of letters, digits, `=`, `.` and `-`.
    pub(super) fn name(&self) -> String {
        let [a, b] = &self.agents;
        let mut name = if a == b { a.clone() } else { format!("{a}-against-{b}") };
        if self.hand != 2 {
            name.push_str(&format!("-hand={}", self.hand));
        }
        if let Some(card) = self.forced_card {
            name.push_str(&format!("-card={}", ordered_cards()[card].0));
        }
        let name = name.replace('%', "percent");
        name.replace([':', ',', ' '], "-")
    }

    /// Returns the approximate number of playouts of a game, at fifteen moves per player.
    pub(super) fn playouts_per_game(&self) -> u64 {
        15 * (self.playouts[0] + self.playouts[1])
    }

    /// Returns the game with the deal of game `number`.
    pub(super) fn deal(&self, seed: u64, number: u64) -> Onitama<u32> {
        let mut random = SeededRandom::new(&[seed, number / 2, DEAL_STREAM]);
        let forced = self.forced_card.map(|card| ordered_cards()[card].1.clone());
        let mut pool: Vec<Card> = base_cards().map(|card| card.1).collect();
        pool.retain(|card| Some(card) != forced.as_ref());
        let wanted = 2 * usize::from(self.hand) + 1;
        let mut draw = |n: usize| random.below(n as u32) as usize;
        let mut dealt = Vec::new();
        while dealt.len() < wanted - usize::from(forced.is_some()) {
            dealt.push(pool.swap_remove(draw(pool.len())));
        }
        let stay = forced.as_ref().is_some_and(|card| card.offsets().contains(&(0, 0)));
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

fn card_with_offsets(offsets: Vec<(i8, i8)>) -> Card {
    Card::new(offsets, OnitamaPlayer::Red).expect("offsets within two squares")
}

/// Returns the names and cards of the base game.
fn base_cards() -> impl Iterator<Item = (&'static str, Card)> {
    BASE.iter().map(|&(name, stamp, offsets)| {
        let card = Card::new(offsets.to_vec(), stamp);
        (name, card.expect("the cards of the game are cards"))
    })
}

/// Returns the cards of Figure 18 by their numbers of moves, mirror images side by side.
///
/// The first card only stays in place, the last card moves anywhere within two squares. The cards
/// between the two are those of the base game.
pub(super) fn ordered_cards() -> Vec<(&'static str, Card)> {
    const ORDER: [&str; 16] = [
        "tiger", "boar", "crab", "crane", "mantis", "cobra", "eel", "frog", "rabbit", "horse",
        "ox", "dragon", "elephant", "monkey", "goose", "rooster",
    ];
    let everywhere = (-2..=2).flat_map(|right| (-2..=2).map(move |forward| (right, forward)));
    let mut all = vec![("stay", card_with_offsets(vec![(0, 0)]))];
    for name in ORDER {
        all.extend(base_cards().find(|card| card.0 == name));
    }
    all.push(("all", card_with_offsets(everywhere.collect())));
    all
}

#[cfg(test)]
mod tests {
    use super::{Series, ordered_cards};
    use crate::onitama_agents::options::AgentsOptions;
    use hindsight_core::Notation;

    #[test]
    fn a_pair_has_the_same_deal_and_the_forced_card() {
        let options = AgentsOptions::default();
        let mut series = Series::self_play(&options, "mcts:playouts={}", 10);
        assert_eq!((series.games, series.playouts_per_game()), (1000, 300));
        assert_eq!(series.name(), "mcts-playouts=10");
        for (number, (name, card)) in ordered_cards().into_iter().enumerate() {
            series.forced_card = Some(number);
            let game = series.deal(7, 4);
            assert!(game.kinds().contains(&card), "{name}");
            assert_eq!(game.spec(), series.deal(7, 5).spec());
            assert_ne!(game.spec(), series.deal(7, 6).spec());
            assert_eq!(game.spec().contains("stay=yes"), ["stay", "all"].contains(&name));
        }
        series.forced_card = None;
        series.hand = 6;
        assert_eq!(series.deal(7, 0).kinds().len(), 13);
    }

    #[test]
    fn cards_are_ordered_by_their_moves() {
        let all = ordered_cards();
        assert_eq!(all.len(), 18);
        assert!(all.windows(2).all(|two| { two[0].1.offsets().len() <= two[1].1.offsets().len() }));
    }
}
