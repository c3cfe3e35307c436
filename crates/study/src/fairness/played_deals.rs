use std::sync::Arc;

use hindsight_games::{
    AnyAgent, AnyGame, Error, MatchScore, MatchTask, Options, PlayTask, PlayedMatch, Progress,
    Values,
};

use super::card_worth::CardTallies;
use super::deals::Deal;
use super::decision::DecisionTally;
use super::options::FairnessOptions;

/// Games of all deals, and the counts that are made on the way.
pub(super) struct PlayedDeals {
    /// Games of each deal, in the order of the deals.
    pub(super) deals: Vec<MatchScore>,
    /// Games of all deals.
    pub(super) all: MatchScore,
    pub(super) cards: CardTallies,
    /// Times at which games were decided; `None` if values are not known.
    pub(super) decisions: Option<DecisionTally>,
}

impl PlayedDeals {
    /// Plays all deals. `values` are those of all positions of `game`.
    pub(super) fn play(
        game: &AnyGame,
        deals: &[Deal],
        options: &FairnessOptions,
        values: Option<&Values>,
    ) -> Result<Self, Error> {
        let mut played = Self {
            deals: Vec::new(),
            all: MatchScore::default(),
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
}

/// Plays the games of deal `number` of `deals`.
fn play_deal(
    deal: &Deal,
    number: usize,
    deals: usize,
    options: &FairnessOptions,
) -> Result<PlayedMatch, Error> {
    let games = options.games_of_deal(deals);
    let agent = || AnyAgent::from(options.agent);
    let task = MatchTask {
        games,
        play: PlayTask {
            max_plies: options.max_plies,
            // Games of other deals have other random numbers.
            seed: options.seed.wrapping_add(number as u64),
            ..PlayTask::default()
        },
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
        &Options { memory: options.memory, progress: listener, ..Options::default() },
    )
}
