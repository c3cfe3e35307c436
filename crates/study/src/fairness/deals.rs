use hindsight_core::Symmetry;
use hindsight_games::{AnyGame, Error, Position};
use hindsight_rules::onitama::{Card, Onitama, OnitamaPlayer, OnitamaSetup};

use super::dealt_cards::DealtCards;

/// Deal of a game.
pub(super) struct Deal {
    /// Game whose start has this deal.
    pub(super) game: AnyGame,
    /// Cards as dealt; `None` for a game without cards.
    pub(super) cards: Option<DealtCards>,
}

/// Returns every deal of the cards of a game, or the game itself if it has no cards.
pub(super) fn deals_of(game: &AnyGame) -> Result<Vec<Deal>, Error> {
    let Some(setup) = onitama_setup(game) else {
        let (game, cards) = (game.clone(), None);
        return Ok(vec![Deal { game, cards }]);
    };
    let all = Onitama::<u64>::new(setup.clone(), Symmetry::None);
    let deal = |number| {
        let cards: Vec<Card> = all.cards_of_deal(number).cloned().collect();
        let hand = usize::from(setup.hand);
        let labels = |cards: &[Card]| cards.iter().map(Card::label).collect();
        let dealt = DealtCards {
            aside: cards[0].label(),
            first: labels(&cards[1..=hand]),
            second: labels(&cards[hand + 1..]),
        };
        let setup = OnitamaSetup { cards, ..setup.clone() };
        Ok(Deal { game: hindsight_games::game(&setup.spec())?, cards: Some(dealt) })
    };
    (0..all.deals()).map(deal).collect()
}

/// Returns the setup of a game of Onitama in which Red moves first; `None` for other games.
pub(super) fn onitama_setup(game: &AnyGame) -> Option<OnitamaSetup> {
    let setup: OnitamaSetup = game.spec().parse().ok()?;
    let first = Some(OnitamaPlayer::Red);
    Some(OnitamaSetup { first, ..setup })
}

impl Deal {
    /// Returns the start of the deal as a position of `game`, which has the same cards.
    pub(super) fn start_in(&self, game: &AnyGame) -> Result<Position, Error> {
        game.parse(&self.game.format(&self.game.start())?)
    }
}
