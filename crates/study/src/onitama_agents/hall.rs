use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use hindsight_play::{AgentError, AgentResources, AgentSpec, GameRecord, MatchOptions, play_game};
use hindsight_rules::onitama::{Card, Onitama};
use hindsight_solve::Progress;

use super::series::{Series, cards};
use super::tally::Tally;
use super::{Options, Watch};
use crate::keep::Keep;

/// Why a figure is not drawn.
#[derive(Debug)]
pub(super) enum Halt {
    Stopped,
    Failed(String),
}

/// The series that will be played.
#[derive(Default)]
pub(super) struct Plan(BTreeSet<Series>);

impl Plan {
    pub(super) fn add(&mut self, series: Series) -> Tally {
        self.0.insert(series);
        Tally::default()
    }

    fn cost(&self) -> u64 {
        self.0
            .iter()
            .map(|series| series.games * series.cost())
            .sum()
    }
}

/// Plies after which a game is cut off: "the maximum duration in number of turns was set to 100".
const MOST_PLIES: u32 = 100;

/// Where games are played, each series once.
pub(super) struct Hall<'a> {
    options: &'a Options,
    keep: &'a dyn Keep<GameRecord>,
    watch: Watch<'a>,
    tallies: BTreeMap<Series, Tally>,
    /// Playouts of series that are done, about, and of all.
    done: u64,
    total: u64,
}

impl<'a> Hall<'a> {
    pub(super) fn new(
        options: &'a Options,
        plan: Plan,
        keep: &'a dyn Keep<GameRecord>,
        watch: Watch<'a>,
    ) -> Self {
        Self {
            options,
            keep,
            watch,
            tallies: BTreeMap::new(),
            done: 0,
            total: plan.cost(),
        }
    }

    /// What was counted so far, of series that are whole.
    pub(super) fn tallies(&self) -> &BTreeMap<Series, Tally> {
        &self.tallies
    }

    /// Plays a series, unless it was played, or reads its games where they are kept.
    pub(super) fn play(&mut self, series: Series) -> Result<Tally, Halt> {
        if let Some(tally) = self.tallies.get(&series) {
            return Ok(tally.clone());
        }
        let tally = self.play_all(&series)?;
        self.done += series.games * series.cost();
        self.tallies.insert(series, tally.clone());
        Ok(tally)
    }

    /// The games of a series that were kept, by their numbers.
    fn kept(&self, series: &Series, name: &str) -> Result<BTreeMap<u64, GameRecord>, String> {
        let mut kept = BTreeMap::new();
        for record in self.keep.read(name)? {
            let number = record.number;
            if record.agents != series.agents || record.first as u64 != number % 2 {
                return Err(format!("{name}: game {number} is of other agents or seats"));
            }
            let other = kept
                .get(&number)
                .is_some_and(|other: &GameRecord| other.moves != record.moves);
            if other {
                return Err(format!(
                    "{name}: game {number} is there twice, with other moves"
                ));
            }
            kept.insert(number, record);
        }
        Ok(kept)
    }

    fn play_all(&self, series: &Series) -> Result<Tally, Halt> {
        let name = series.name();
        let kept = self.kept(series, &name).map_err(Halt::Failed)?;
        let missing: Vec<u64> = (0..series.games)
            .filter(|number| !kept.contains_key(number))
            .collect();
        let round = Round {
            hall: self,
            series,
            name,
            forced: series.card.map(|card| cards().swap_remove(card).1),
            tally: Mutex::new(Tally::default()),
            failed: Mutex::new(None),
            stopped: AtomicBool::new(false),
        };
        for record in kept
            .values()
            .take_while(|record| record.number < series.games)
        {
            let game = series.deal(self.options.seed, record.number);
            round.count(&game, record).map_err(Halt::Failed)?;
        }
        round.play(&missing);
        if let Some(message) = round.failed.into_inner().expect("no panic") {
            return Err(Halt::Failed(message));
        }
        if round.stopped.into_inner() {
            return Err(Halt::Stopped);
        }
        Ok(round.tally.into_inner().expect("no panic"))
    }
}

/// A series that is being played.
struct Round<'a> {
    hall: &'a Hall<'a>,
    series: &'a Series,
    name: String,
    forced: Option<Card>,
    tally: Mutex<Tally>,
    failed: Mutex<Option<String>>,
    stopped: AtomicBool,
}

impl Round<'_> {
    /// Plays the games of these numbers on all threads.
    fn play(&self, numbers: &[u64]) {
        self.report();
        let next = AtomicUsize::new(0);
        rayon::scope(|scope| {
            for _ in 0..rayon::current_num_threads() {
                scope.spawn(|_| {
                    while let Some(&number) = numbers.get(next.fetch_add(1, Ordering::Relaxed)) {
                        if self.stopped.load(Ordering::Relaxed) || !self.play_one(number) {
                            return;
                        }
                    }
                });
            }
        });
    }

    /// Plays a game; `false` if the series is not to go on.
    fn play_one(&self, number: u64) -> bool {
        let game = self.series.deal(self.hall.options.seed, number);
        let agents = self.series.agents.each_ref().map(|text| {
            let agent: AgentSpec = text.parse().expect("the agents of a study");
            let agent = agent.agent(None, AgentResources::default());
            agent.expect("no agent that needs values")
        });
        let [mut a, mut b] = agents;
        let names = self.series.agents.each_ref().map(String::as_str);
        let terms = MatchOptions {
            max_plies: MOST_PLIES,
            seed: self.hall.options.seed,
            keep_going: &|| self.report(),
        };
        let played = match play_game(&game, [&mut *a, &mut *b], names, number, terms) {
            Ok(record) => self
                .hall
                .keep
                .add(&self.name, &record)
                .and_then(|()| self.count(&game, &record)),
            Err(AgentError::Stopped) => return false,
            Err(error) => Err(error.to_string()),
        };
        if let Err(message) = played {
            self.stopped.store(true, Ordering::Relaxed);
            *self.failed.lock().expect("no panic") = Some(message);
            return false;
        }
        true
    }

    fn count(&self, game: &Onitama<u32>, record: &GameRecord) -> Result<(), String> {
        let mut tally = self.tally.lock().expect("no panic");
        tally
            .add(game, record, self.series.playouts[0], self.forced.as_ref())
            .map_err(|message| format!("{}: {message}", self.name))
    }

    /// Tells how far it has come; whether to go on.
    fn report(&self) -> bool {
        let games = self.tally.lock().expect("no panic").score.games();
        let progress = Progress {
            phase: "playing",
            done: self.hall.done + games * self.series.cost(),
            total: Some(self.hall.total),
        };
        let goes_on = (self.hall.watch)(&self.name, progress);
        if !goes_on {
            self.stopped.store(true, Ordering::Relaxed);
        }
        goes_on && !self.stopped.load(Ordering::Relaxed)
    }
}
