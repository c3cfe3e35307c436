use std::sync::atomic::{AtomicBool, Ordering};

use hindsight_engine::parallel;

use crate::abort::Abort;

/// Plays the games with these numbers by `play` on all threads, until one fails or `stopped` is
/// true.
pub(crate) fn play_games(
    numbers: &[u64],
    stopped: &AtomicBool,
    play: &(dyn Fn(u64) -> Result<(), String> + Sync),
) -> Result<(), Abort> {
    let goes_on = || !stopped.load(Ordering::Relaxed);
    let played = parallel::try_in_order(0..numbers.len() as u64, &goes_on, &|index| {
        let played = play(numbers[index as usize]);
        // Ends the games on the other threads.
        stopped.fetch_or(played.is_err(), Ordering::Relaxed);
        played
    });
    played.map_err(Abort::Failed)?;
    match goes_on() {
        true => Ok(()),
        false => Err(Abort::Stopped),
    }
}
