//! Games between several agents in any game, pair by pair.

use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};

use hindsight_engine::Error;
use hindsight_play::{
    Agent, AgentResources, BatchProbe, GameRecord, MatchOptions, game_seeds, play_game,
};

use super::any_agent::AnyAgent;
use super::matches::TakeGame;
use super::numbered_work::{NumberedWork, threads_of};
use super::player::{agent_error, check_values};
use crate::error::GamesError;
use crate::games::deal::deal;
use crate::games::game::{AnyGame, game};
use crate::positions::agent_choice::AgentChoiceError;
use crate::tasks::options::Options;
use crate::values::Values;

/// Game of a tournament.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PairedGame {
    /// Indices of the two agents.
    pub agents: [usize; 2],
    /// Number of the game in the match of the two, from 0. The first agent moves first in even
    /// games. With the seed the number decides cards, opening and every random choice: the game is
    /// that of a match.
    pub number: u64,
}

/// Options of the games of a match or a tournament.
#[derive(Clone, Copy, Debug)]
pub struct PlayTask<'a> {
    /// Plies of the agents after which a game is a tie.
    pub max_plies: u32,
    /// Plies drawn at random before the agents take over.
    pub opening_plies: u32,
    /// Seed of the deals, the openings and every random choice.
    pub seed: u64,
    /// Values of the game, by which some agents play.
    pub values: Option<&'a Values>,
    /// Flag that ends the games, searches included. Games in progress do not count.
    pub stop: Option<&'a AtomicBool>,
    /// Flag that is set once a search had not the memory for its whole tree.
    pub exhausted: Option<&'a AtomicBool>,
}

impl Default for PlayTask<'_> {
    /// Returns games of at most 100 plies, with seed 1.
    fn default() -> Self {
        let (max_plies, opening_plies, seed) = (100, 0, 1);
        Self { max_plies, opening_plies, seed, values: None, stop: None, exhausted: None }
    }
}

/// Tournament: games between agents, of which two play each game.
#[derive(Clone, Copy)]
pub struct TournamentTask<'a> {
    /// The agents.
    pub agents: &'a [AnyAgent<'a>],
    /// Number of places in the schedule.
    pub places: u64,
    /// Schedule: the game at a place below `places`; `None` for none. Games begin in this order.
    pub schedule: &'a (dyn Fn(u64) -> Option<PairedGame> + Sync),
    /// Options of the games.
    pub play: PlayTask<'a>,
    /// Takes each game as soon as it is over, on any thread; its error ends the tournament.
    pub take: &'a TakeGame<'a>,
}

impl fmt::Debug for TournamentTask<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TournamentTask")
            .field("agents", &self.agents)
            .field("places", &self.places)
            .field("play", &self.play)
            .finish_non_exhaustive()
    }
}

impl TournamentTask<'_> {
    /// Returns the most searches at the same time. They share the memory.
    #[must_use]
    pub fn searches_at_once(&self) -> u64 {
        let searches = self.agents.iter().filter_map(AnyAgent::spec);
        let searches = searches.filter(|agent| agent.least_memory() > 0).take(2).count();
        threads_of(self.agents).min(self.places) * searches as u64
    }
}

/// Plays a tournament of a spec. Random cards are drawn for each pair of games, the same for games
/// of the same number.
///
/// # Errors
/// As [`play_match`](crate::play_match()).
///
/// ```
/// use std::sync::Mutex;
///
/// use hindsight_games::{AgentSpec, AnyAgent, Options, PairedGame, PlayTask, TournamentTask};
///
/// let agents = ["alphabeta:depth=2", "mc:playouts=20", "random"];
/// let agents = agents.map(|text| text.parse::<AgentSpec>().map(AnyAgent::from));
/// let agents = agents.into_iter().collect::<Result<Vec<_>, _>>()?;
/// let pairs = [[0, 1], [0, 2], [1, 2]];
/// let schedule = |place| {
///     Some(PairedGame { agents: pairs[place as usize % 3], number: place / 3 })
/// };
/// let games = Mutex::new(Vec::new());
/// let task = TournamentTask {
///     agents: &agents,
///     places: 6,
///     schedule: &schedule,
///     play: PlayTask::default(),
///     take: &|game| Ok(games.lock().unwrap().push(game)),
/// };
/// hindsight_games::play_tournament("onitama:3x3:random", &task, &Options::default())?;
/// assert_eq!(games.into_inner()?.len(), 6);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn play_tournament(
    spec: &str,
    task: &TournamentTask<'_>,
    options: &Options,
) -> Result<(), GamesError> {
    let Some(first) = deal(spec, task.play.seed, 0)? else {
        return game(spec)?.play_tournament(task, options);
    };
    let first = game(&first)?;
    let needing = task.agents.iter().filter_map(AnyAgent::spec);
    if let Some(agent) = needing.into_iter().find(|agent| agent.needs_values()) {
        let (agent, spec) = (agent.to_string(), spec.to_string());
        return Err(AgentChoiceError::RandomCards { agent, spec }.into());
    }
    let dealt = |number: u64| match deal(spec, task.play.seed, number / 2)? {
        Some(dealt) => game(&dealt),
        None => Ok(first.clone()),
    };
    play_all(task, options, &first, &dealt)
}

impl AnyGame {
    /// Plays a tournament. Games of agents that texts name are played on all threads; a game does
    /// not depend on the threads.
    ///
    /// # Errors
    /// As [`AnyGame::play_match`].
    pub fn play_tournament(
        &self,
        task: &TournamentTask<'_>,
        options: &Options,
    ) -> Result<(), GamesError> {
        play_all(task, options, self, &|_| Ok(self.clone()))
    }
}

/// Plays all games; `dealt` returns the game of a number, and `first` is one of them.
fn play_all(
    task: &TournamentTask<'_>,
    options: &Options,
    first: &AnyGame,
    dealt: &(dyn Fn(u64) -> Result<AnyGame, GamesError> + Sync),
) -> Result<(), GamesError> {
    let PlayTask { max_plies, opening_plies, seed, stop, exhausted, .. } = task.play;
    let values = task.play.values.map(Values::for_agents);
    check_values(first, values.as_ref())?;
    let work = NumberedWork::new("playing", task.agents, stop, options);
    let resources = AgentResources {
        memory_bytes: options.limits().memory / task.searches_at_once().max(1),
        stop,
        exhausted,
        ..AgentResources::default()
    };
    let keep_going = || work.goes_on(Some(task.places));
    let play = |paired: PairedGame| -> Result<GameRecord, GamesError> {
        let PairedGame { agents, number } = paired;
        let game = dealt(number)?;
        let options = MatchOptions { opening_plies, max_plies, seed, keep_going: &keep_going };
        let agents = agents.map(|agent| &task.agents[agent]);
        let names = agents.map(ToString::to_string);
        let probe = values.as_ref().map(|values| values as BatchProbe<'_>);
        let player = |index: usize| {
            let seeds = game_seeds(seed, number, index);
            agents[index].in_game(&game, probe, resources, &seeds)
        };
        let play = || {
            let (mut first, mut second) = (player(0)?, player(1)?);
            let players: [&mut dyn Agent; 2] = [&mut *first, &mut *second];
            play_game(game.rules(), players, [&names[0], &names[1]], number, options)
        };
        play().map_err(agent_error)
    };
    work.each(task.places, &|place| {
        if let Some(paired) = (task.schedule)(place) {
            let record = play(paired)?;
            // A search that was stopped may have chosen its last move.
            if stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
                return Err(Error::Stopped.into());
            }
            (task.take)(record).map_err(GamesError::Refused)?;
        }
        work.count(1);
        Ok(())
    })?;
    if !work.goes_on(Some(task.places)) {
        return Err(Error::Stopped.into());
    }
    Ok(())
}
