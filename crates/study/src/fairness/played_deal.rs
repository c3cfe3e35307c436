use std::sync::Arc;

use hindsight_games::{AnyAgent, Error, MatchTask, Options, PlayedMatch, Progress};

use super::deals::Deal;
use super::options::FairnessOptions;

/// Plays the games of deal `number` of `deals`.
pub(super) fn play_deal(
    deal: &Deal,
    number: usize,
    deals: usize,
    options: &FairnessOptions,
) -> Result<PlayedMatch, Error> {
    let games = options.games_of_deal(deals);
    let agent = || AnyAgent::from(options.agent);
    let task = MatchTask {
        games,
        max_plies: options.max_plies,
        // Games of other deals have other random numbers.
        seed: options.seed.wrapping_add(number as u64),
        ..MatchTask::new(agent(), agent())
    };
    let before = number as u64 * games;
    let listener = options.progress.clone().map(|listener| {
        let of_all = move |progress: Progress| {
            listener(Progress {
                done: before + progress.done,
                total: Some(deals as u64 * games),
                ..progress
            })
        };
        Arc::new(of_all) as hindsight_games::ProgressListener
    });
    deal.game.play_match(
        &task,
        &Options {
            memory: options.memory,
            progress: listener,
            ..Options::default()
        },
    )
}
