use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use hindsight_engine::Progress;
use hindsight_games::{AgentSpec, AnyGame, Error, Position, SingleGame, Wdl};
use hindsight_play::GameRecord;

use super::opening::drawn_opening;
use super::options::LureOptions;
use super::shares::ShareOfGames;
use crate::abort::Abort;
use crate::game_series::play_games;
use hindsight_study::{ResultStore, SeriesProgressFn};

/// Plies after which a game is a tie.
const MAX_PLIES: u32 = 100;

/// Games of an agent that plays by values against an opponent.
#[derive(Clone, Copy)]
pub(super) struct LureSeries {
    pub(super) agent: AgentSpec,
    pub(super) opponent: AgentSpec,
}

impl LureSeries {
    fn agents(&self) -> [AgentSpec; 2] {
        [self.agent, self.opponent]
    }

    /// Returns the name of the series, which is a valid name of a file.
    fn name(&self) -> String {
        let [agent, opponent] = self.agents().map(|agent| agent.to_string());
        let plain = |c: char| match c {
            ':' => '-',
            '%' => 'p',
            c => c,
        };
        format!("{agent}-{opponent}").chars().map(plain).collect()
    }
}

/// Plays the games of series, one series after the other.
pub(super) struct SeriesRunner<'a> {
    options: &'a LureOptions,
    store: &'a dyn ResultStore<GameRecord>,
    on_progress: SeriesProgressFn<'a>,
    /// Games of the series that are complete.
    done: u64,
}

impl<'a> SeriesRunner<'a> {
    pub(super) fn new(
        options: &'a LureOptions,
        store: &'a dyn ResultStore<GameRecord>,
        on_progress: SeriesProgressFn<'a>,
    ) -> Self {
        Self { options, store, on_progress, done: 0 }
    }

    /// Returns the results of a series. Plays the games that are not in the store.
    pub(super) fn play(&mut self, series: LureSeries) -> Result<ShareOfGames, Abort> {
        let running = LureRun {
            runner: self,
            series,
            name: series.name(),
            share: Mutex::default(),
            stopped: AtomicBool::new(false),
        };
        let missing = running.count_stored().map_err(Abort::Failed)?;
        running.goes_on();
        play_games(&missing, &running.stopped, &|number| running.play_and_store(number))?;
        let share = running.share.into_inner().expect("no panic");
        self.done += share.games();
        Ok(share)
    }
}

/// Returns the agent that wins a game by its moves, 0 or 1; `None` for a tie.
fn winner_of(game: &AnyGame, start: Position, record: &GameRecord) -> Result<Option<usize>, Error> {
    let mut position = start;
    for text in &record.moves {
        let mv = game.parse_move(&position, text)?;
        position = game.play(&position, &mv)?;
    }
    let to_move = (record.first + record.moves.len()) % 2;
    Ok(match game.outcome(&position)? {
        Some(Wdl::Win) => Some(to_move),
        Some(Wdl::Loss) => Some(1 - to_move),
        Some(Wdl::Draw) | None => None,
    })
}

/// Series that is being played.
struct LureRun<'a> {
    runner: &'a SeriesRunner<'a>,
    series: LureSeries,
    name: String,
    share: Mutex<ShareOfGames>,
    stopped: AtomicBool,
}

impl LureRun<'_> {
    /// Counts the stored games; returns the numbers of the others.
    fn count_stored(&self) -> Result<Vec<u64>, String> {
        let mut stored = BTreeMap::new();
        for record in self.runner.store.read(&self.name)? {
            self.check(&record)?;
            stored.insert(record.number, record);
        }
        let mut share = self.share.lock().expect("no panic");
        let (mut missing, numbers) = (Vec::new(), 0..self.runner.options.games);
        for number in numbers {
            match stored.get(&number) {
                Some(record) => share.add(record),
                None => missing.push(number),
            }
        }
        Ok(missing)
    }

    /// Refuses a stored game that is not one of this series.
    fn check(&self, record: &GameRecord) -> Result<(), String> {
        let LureOptions { values, seed, .. } = self.runner.options;
        let number = record.number;
        let fault = |text: &str| Err(format!("{}: game {number} {text}", self.name));
        let agents = self.series.agents().map(|agent| agent.to_string());
        if record.agents != agents || record.first as u64 != number % 2 {
            return fault("is of other agents or seats");
        }
        let game = values.game();
        let start = drawn_opening(values, *seed, number / 2).map_err(|error| error.to_string())?;
        let text = game.format(&start).map_err(|error| error.to_string())?;
        if record.game != game.spec() || record.start.as_deref() != Some(&*text) {
            return fault("begins elsewhere");
        }
        match winner_of(game, start, record) {
            Ok(winner) if winner == record.winner => Ok(()),
            Ok(_) => fault("has another winner by its moves"),
            Err(error) => fault(&format!("has a wrong move: {error}")),
        }
    }

    /// Plays, stores and counts a game, unless the series is stopped.
    fn play_and_store(&self, number: u64) -> Result<(), String> {
        let options = self.runner.options;
        let game = SingleGame {
            agents: self.series.agents(),
            number,
            max_plies: MAX_PLIES,
            seed: options.seed,
            values: Some(&options.values),
            memory_bytes: options.memory_bytes,
            stop: Some(&self.stopped),
        };
        let start = drawn_opening(&options.values, options.seed, number / 2);
        let played = start.and_then(|start| options.values.game().play_single(&start, &game));
        match played {
            Ok(record) => {
                self.runner.store.add(&self.name, &record)?;
                self.share.lock().expect("no panic").add(&record);
                self.goes_on();
                Ok(())
            }
            Err(Error::Solve(hindsight_engine::Error::Stopped)) => Ok(()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Reports the progress, and stops the series if the study is to stop.
    fn goes_on(&self) {
        let options = self.runner.options;
        let games = self.share.lock().expect("no panic").games();
        let progress = Progress {
            phase: "playing",
            done: self.runner.done + games,
            total: Some(2 * options.games * options.opponents.len() as u64),
        };
        let goes_on = (self.runner.on_progress)(&self.name, progress);
        self.stopped.fetch_or(!goes_on, Ordering::Relaxed);
    }
}
