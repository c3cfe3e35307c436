//! Specs whose random parts are drawn.

use hindsight_core::Symmetry;
use hindsight_play::SeededRandom;
use hindsight_rules::Setup;

use super::deck::read_deck;
use crate::error::GamesError;

/// Number of the random stream that draws deals, beside the seed and the number of the deal.
const DEAL_STREAM: u64 = 0xDEA1;

/// Returns a spec with its random parts drawn, such as the cards of `onitama:5x5:random`; `None`
/// if it has none.
///
/// The same seed and number give the same deal. A match deals once for each pair of games, and
/// `number` is that of the pair.
///
/// # Errors
/// [`Error::Spec`](crate::Error::Spec) if there are too few cards, or a deck file has a fault.
/// Other faults of the spec are left to [`game`](crate::game()).
///
/// ```
/// let dealt = hindsight_games::deal("onitama:5x5:random", 7, 0)?.expect("cards to draw");
/// let same = hindsight_games::deal("onitama:5x5:random", 7, 0)?;
/// assert_eq!(same.as_ref(), Some(&dealt));
/// assert!(hindsight_games::game(&dealt).is_ok());
/// assert_eq!(hindsight_games::deal("tic-tac-toe", 7, 0)?, None);
/// # Ok::<(), hindsight_games::Error>(())
/// ```
pub fn deal(spec: &str, seed: u64, number: u64) -> Result<Option<String>, GamesError> {
    let setup = Setup { symmetry: Symmetry::None, read_file: &read_deck };
    let mut random = SeededRandom::new(&[seed, number, DEAL_STREAM]);
    hindsight_rules::deal(spec, &setup, &mut random)
        .map_err(|fault| GamesError::Spec { spec: spec.to_string(), fault })
}
