use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use hindsight_core::PackedGame;
use hindsight_engine::Progress;
use hindsight_play::{AgentError, AgentResources, AgentSpec, GameRecord, MatchOptions, play_game};
use hindsight_rules::onitama::{Card, Onitama};

use super::options::AgentsOptions;
use super::series::{Series, ordered_cards};
use super::tally::SeriesTally;
use crate::abort::Abort;
use crate::game_series::play_games;
use hindsight_study::{ResultStore, SeriesProgressFn};

/// Set of the series that will be played.
#[derive(Default)]
pub(super) struct SeriesPlan(BTreeSet<Series>);

impl SeriesPlan {
    /// Adds a series. Returns empty counts, as if it had been played.
    pub(super) fn add(&mut self, series: Series) -> SeriesTally {
        self.0.insert(series);
        SeriesTally::default()
    }

    /// Returns the approximate number of playouts of all series.
    fn playouts(&self) -> u64 {
        self.0.iter().map(|series| series.games * series.playouts_per_game()).sum()
    }
}

/// Plies after which a game is cut off. The thesis says: "the maximum duration in number of turns
/// was set to 100".
const MAX_PLIES: u32 = 100;

/// Plays the games of series, each series once.
pub(super) struct MatchRunner<'a> {
    options: &'a AgentsOptions,
    store: &'a dyn ResultStore<GameRecord>,
    on_progress: SeriesProgressFn<'a>,
    tallies: BTreeMap<Series, SeriesTally>,
    /// Approximate number of playouts of the series that are complete.
    done_playouts: u64,
    /// Approximate number of playouts of all series.
    total_playouts: u64,
}

impl<'a> MatchRunner<'a> {
    pub(super) fn new(
        options: &'a AgentsOptions,
        plan: SeriesPlan,
        store: &'a dyn ResultStore<GameRecord>,
        on_progress: SeriesProgressFn<'a>,
    ) -> Self {
        Self {
            options,
            store,
            on_progress,
            tallies: BTreeMap::new(),
            done_playouts: 0,
            total_playouts: plan.playouts(),
        }
    }

    /// Returns the counts of the series that are complete.
    pub(super) fn tallies(&self) -> &BTreeMap<Series, SeriesTally> {
        &self.tallies
    }

    /// Returns the counts of a series. Plays the games that are not in the store, unless the
    /// series is already complete.
    pub(super) fn play(&mut self, series: Series) -> Result<SeriesTally, Abort> {
        if let Some(tally) = self.tallies.get(&series) {
            return Ok(tally.clone());
        }
        let tally = self.play_series(&series)?;
        self.done_playouts += series.games * series.playouts_per_game();
        self.tallies.insert(series, tally.clone());
        Ok(tally)
    }

    /// Returns the stored games of a series by their numbers.
    ///
    /// # Errors
    /// A sentence, if the games cannot be read, or do not belong to the series.
    fn read_records(
        &self,
        series: &Series,
        name: &str,
    ) -> Result<BTreeMap<u64, GameRecord>, String> {
        let mut stored = BTreeMap::new();
        for record in self.store.read(name)? {
            let number = record.number;
            if record.agents != series.agents || record.first as u64 != number % 2 {
                return Err(format!("{name}: game {number} is of other agents or seats"));
            }
            let differs = |other: &GameRecord| other.moves != record.moves;
            if stored.get(&number).is_some_and(differs) {
                return Err(format!("{name}: game {number} is there twice, with other moves"));
            }
            stored.insert(number, record);
        }
        Ok(stored)
    }

    fn play_series(&self, series: &Series) -> Result<SeriesTally, Abort> {
        let name = series.name();
        let stored = self.read_records(series, &name).map_err(Abort::Failed)?;
        let missing: Vec<u64> =
            (0..series.games).filter(|number| !stored.contains_key(number)).collect();
        let running = RunningSeries {
            runner: self,
            series,
            name,
            forced_card: series.forced_card.map(|card| ordered_cards().swap_remove(card).1),
            tally: Mutex::new(SeriesTally::default()),
            stopped: AtomicBool::new(false),
        };
        for record in stored.values().take_while(|record| record.number < series.games) {
            let game = series.deal(self.options.seed, record.number);
            running.count_game(&game, record).map_err(Abort::Failed)?;
        }
        running.report_progress();
        play_games(&missing, &running.stopped, &|number| running.play_and_store(number))?;
        Ok(running.tally.into_inner().expect("no panic"))
    }
}

/// Series that is being played.
struct RunningSeries<'a> {
    runner: &'a MatchRunner<'a>,
    series: &'a Series,
    name: String,
    forced_card: Option<Card>,
    tally: Mutex<SeriesTally>,
    stopped: AtomicBool,
}

impl RunningSeries<'_> {
    /// Plays, stores and counts a game, unless the series is stopped.
    fn play_and_store(&self, number: u64) -> Result<(), String> {
        let game = self.series.deal(self.runner.options.seed, number);
        let agents = self.series.agents.each_ref().map(|text| {
            let agent: AgentSpec = text.parse().expect("the agents of a study");
            let agent = agent.agent(None, AgentResources::default());
            agent.expect("no agent that needs values")
        });
        let [mut a, mut b] = agents;
        let names = self.series.agents.each_ref().map(String::as_str);
        let options = MatchOptions {
            opening_plies: 0,
            max_plies: MAX_PLIES,
            seed: self.runner.options.seed,
            keep_going: &|| self.report_progress(),
        };
        // The order of a card's offsets is that of the deal: its spec would sort them.
        let rules = PackedGame::new(game.clone());
        match play_game(&rules, [&mut *a, &mut *b], names, number, options) {
            Ok(record) => {
                self.runner.store.add(&self.name, &record)?;
                self.count_game(&game, &record)
            }
            Err(AgentError::Stopped) => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    }

    fn count_game(&self, game: &Onitama<u32>, record: &GameRecord) -> Result<(), String> {
        let mut tally = self.tally.lock().expect("no panic");
        tally
            .add(game, record, self.series.playouts[0], self.forced_card.as_ref())
            .map_err(|message| format!("{}: {message}", self.name))
    }

    /// Reports the progress. Returns true if the series goes on.
    fn report_progress(&self) -> bool {
        let games = self.tally.lock().expect("no panic").score.games();
        let progress = Progress {
            phase: "playing",
            done: self.runner.done_playouts + games * self.series.playouts_per_game(),
            total: Some(self.runner.total_playouts),
        };
        let goes_on = (self.runner.on_progress)(&self.name, progress);
        if !goes_on {
            self.stopped.store(true, Ordering::Relaxed);
        }
        goes_on && !self.stopped.load(Ordering::Relaxed)
    }
}
