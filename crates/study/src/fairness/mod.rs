//! Fairness of a game: the points of the first player by perfect play, where the game is solved
//! in the allowed time, and in games of an agent against itself.
//!
//! A game of Onitama is judged with every deal of its cards, 30 of them for five different cards.
//! The first player moves first in each deal, whatever the stamps say. Any other game is judged
//! from its start. Each card is judged by the points of the player to whom it was dealt, and by
//! its use in the games.

mod answer;
mod card_worth;
mod charts;
mod deals;
mod decision;
mod options;
mod perfect_play;
mod played_deal;

use hindsight_games::{AnyGame, Error, Values};

pub use answer::{
    CardWorth, DealFairness, DealtCards, Fairness, GamesFairness, PerfectFairness, PointShare,
    UnsolvedReason,
};
pub use charts::fairness_charts;
pub use options::FairnessOptions;

use card_worth::CardTallies;
use deals::{Deal, deals_of};
use decision::DecisionTally;
use perfect_play::PerfectPlay;
use played_deal::play_deal;

/// Judges a game.
///
/// The answer depends on no option of time or memory, but for the parts that need a solve: these
/// are left out where the solve takes more. The games are the same for any number of threads.
///
/// # Errors
/// [`Error::Agent`] if the agent cannot play; [`Error::Solve`] if the work was stopped.
///
/// ```
/// use hindsight_study::fairness::{FairnessOptions, run};
///
/// let options = FairnessOptions { games: 60, ..FairnessOptions::default() };
/// let game = hindsight_games::game("onitama:3x3:tiger,crab,monkey,crane,dragon")?;
/// let fairness = run(&game, &options)?;
/// assert_eq!((fairness.deals.len(), fairness.games.games), (30, 60));
/// let perfect = fairness.perfect.expect("a board that is solved at once");
/// assert_eq!(perfect.won + perfect.drawn + perfect.lost, 30);
/// # Ok::<(), hindsight_games::Error>(())
/// ```
pub fn run(game: &AnyGame, options: &FairnessOptions) -> Result<Fairness, Error> {
    let deals = deals_of(game)?;
    let perfect = PerfectPlay::find(game, &deals, options)?;
    let played = play_all(game, &deals, options, perfect.values())?;
    Ok(Fairness::new(game, options, &deals, &perfect, played))
}

/// Games of all deals, and the counts that are made on the way.
struct PlayedDeals {
    /// Games of each deal, in the order of the deals.
    deals: Vec<hindsight_play::MatchScore>,
    /// Games of all deals.
    all: hindsight_play::MatchScore,
    cards: CardTallies,
    /// Times at which games were decided; `None` if values are not known.
    decisions: Option<DecisionTally>,
}

fn play_all(
    game: &AnyGame,
    deals: &[Deal],
    options: &FairnessOptions,
    values: Option<&Values>,
) -> Result<PlayedDeals, Error> {
    let mut played = PlayedDeals {
        deals: Vec::new(),
        all: Default::default(),
        cards: CardTallies::default(),
        decisions: values.map(|_| DecisionTally::default()),
    };
    for (number, deal) in deals.iter().enumerate() {
        let of_deal = play_deal(deal, number, deals.len(), options)?;
        for record in &of_deal.records {
            played.all.add(record);
            if let Some(cards) = &deal.cards {
                played.cards.add(cards, record);
            }
            if let (Some(tally), Some(values)) = (&mut played.decisions, values) {
                tally.add(game, deal, values, record)?;
            }
        }
        played.deals.push(of_deal.score);
    }
    Ok(played)
}

#[cfg(test)]
mod tests;
