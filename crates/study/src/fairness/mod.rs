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
mod dealt_cards;
mod decision;
mod options;
mod perfect_play;
mod played_deals;

use hindsight_games::{AnyGame, Error};

pub use answer::{CardWorth, DealFairness, Fairness, GamesFairness, PerfectFairness, PointShare};
pub use charts::fairness_charts;
pub use dealt_cards::DealtCards;
pub use options::FairnessOptions;
pub use perfect_play::UnsolvedReason;

use deals::deals_of;
use perfect_play::PerfectPlay;
use played_deals::PlayedDeals;

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
    let played = PlayedDeals::play(game, &deals, options, perfect.values())?;
    Ok(Fairness::new(game, options, &deals, &perfect, played))
}

#[cfg(test)]
mod tests;
