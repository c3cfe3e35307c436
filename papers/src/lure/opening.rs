use hindsight_core::Random;
use hindsight_games::{Error, Position, Values, Wdl};
use hindsight_play::SeededRandom;

/// Number of the random stream that draws openings, beside the seed and the number of the pair.
const OPENING_STREAM: u64 = 0x4C55;

/// Most plies of an opening.
const MAX_PLIES: u32 = 6;

/// Returns the position in which both games of a pair begin: a drawn one, after 0 to
/// [`MAX_PLIES`] random moves that keep the draw and do not end the game.
pub(super) fn drawn_opening(values: &Values, seed: u64, pair: u64) -> Result<Position, Error> {
    let mut random = SeededRandom::new(&[seed, pair, OPENING_STREAM]);
    let (game, reader) = (values.game(), values.reader());
    let mut position = game.start();
    for _ in 0..random.below(MAX_PLIES + 1) {
        let mut next = Vec::new();
        for rated in reader.rated_moves(&position)? {
            let is_drawn = rated.value.wdl() == Some(Wdl::Draw);
            if is_drawn && !game.moves(&rated.next)?.is_empty() {
                next.push(rated.next);
            }
        }
        if next.is_empty() {
            break;
        }
        let drawn = random.below(next.len() as u32) as usize;
        position = next.swap_remove(drawn);
    }
    Ok(position)
}
