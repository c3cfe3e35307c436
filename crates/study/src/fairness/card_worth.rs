use std::collections::BTreeMap;

use hindsight_play::GameRecord;

use super::dealt_cards::DealtCards;

/// Counts of each card by its label.
#[derive(Clone, Debug, Default)]
pub(super) struct CardTallies(BTreeMap<String, CardTally>);

/// Counts of a card over games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct CardTally {
    /// Players to whom the card was dealt, over all games.
    pub(super) dealt: u64,
    /// Points of these players, in halves.
    pub(super) half_points: u64,
    /// Turns at which the mover held the card.
    pub(super) turns: u64,
    /// Turns at which the mover used it.
    pub(super) uses: u64,
    /// Games that it ended with a win.
    pub(super) winning_moves: u64,
}

impl CardTallies {
    /// Returns the counts of a card; zeros if no game had it.
    pub(super) fn of(&self, card: &str) -> CardTally {
        self.0.get(card).copied().unwrap_or_default()
    }

    /// Adds a game with these cards.
    pub(super) fn add(&mut self, dealt: &DealtCards, record: &GameRecord) {
        let mut hands = [dealt.first.clone(), dealt.second.clone()];
        let mut aside = dealt.aside.clone();
        for (player, hand) in hands.iter().enumerate() {
            let half_points = match record.winner {
                None => 1,
                Some(winner) if winner ^ record.first == player => 2,
                Some(_) => 0,
            };
            for card in different(hand) {
                let tally = self.entry(card);
                tally.dealt += 1;
                tally.half_points += half_points;
            }
        }
        for (ply, text) in record.moves.iter().enumerate() {
            let hand = &mut hands[ply % 2];
            for card in different(hand) {
                self.entry(card).turns += 1;
            }
            let Some((_, used)) = text.rsplit_once(':') else {
                return;
            };
            self.entry(used).uses += 1;
            if ply + 1 == record.moves.len() && record.winner.is_some() {
                self.entry(used).winning_moves += 1;
            }
            if let Some(card) = hand.iter_mut().find(|card| *card == used) {
                std::mem::swap(card, &mut aside);
            }
        }
    }

    fn entry(&mut self, card: &str) -> &mut CardTally {
        self.0.entry(card.to_string()).or_default()
    }
}

/// Returns the cards of a hand, each once.
pub(super) fn different(hand: &[String]) -> impl Iterator<Item = &String> {
    let is_first = |i: usize| !hand[..i].contains(&hand[i]);
    (0..hand.len()).filter(move |&i| is_first(i)).map(|i| &hand[i])
}

#[cfg(test)]
mod tests {
    use super::{CardTallies, CardTally};
    use crate::fairness::dealt_cards::DealtCards;
    use hindsight_play::GameRecord;

    #[test]
    fn cards_of_a_game_are_followed_from_hand_to_hand() {
        let cards = |names: [&str; 2]| names.map(String::from).to_vec();
        let dealt = DealtCards {
            aside: String::from("ox"),
            first: cards(["boar", "boar"]),
            second: cards(["crab", "eel"]),
        };
        let record = GameRecord {
            game: String::new(),
            start: None,
            number: 1,
            agents: [String::new(), String::new()],
            first: 1,
            moves: ["a1a2:boar", "c3c2:eel", "a2a3:ox"].map(String::from).to_vec(),
            winner: Some(1),
            ending: String::from("stream"),
            fault: None,
            work: [0; 2],
            seconds: [0.0; 2],
            pruned: Vec::new(),
        };
        let mut tallies = CardTallies::default();
        tallies.add(&dealt, &record);
        let tally = |[dealt, half_points, turns, uses, winning_moves]: [u64; 5]| CardTally {
            dealt,
            half_points,
            turns,
            uses,
            winning_moves,
        };
        // Boar goes aside, the second player takes it for eel, and ox wins.
        assert_eq!(tallies.of("boar"), tally([1, 2, 2, 1, 0]));
        assert_eq!(tallies.of("ox"), tally([0, 0, 1, 1, 1]));
        assert_eq!(tallies.of("eel"), tally([1, 0, 1, 1, 0]));
        assert_eq!(tallies.of("crab"), tally([1, 0, 1, 0, 0]));
        assert_eq!(tallies.of("frog"), CardTally::default());
    }
}
