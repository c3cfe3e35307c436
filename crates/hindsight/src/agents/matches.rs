//! Matches between two agents in any game.

use std::error::Error as StdError;
use std::fmt;
use std::sync::Mutex;

use hindsight_play::{GameRecord, MatchScore};

use super::any_agent::AnyAgent;
use super::tournaments::{PairedGame, PlayTask, TournamentTask, play_tournament};
use crate::error::GamesError;
use crate::games::deal::deal;
use crate::games::game::{AnyGame, game};
use crate::tasks::options::Options;

/// Match of two agents: what is played, and how.
#[derive(Clone, Copy)]
pub struct MatchTask<'a> {
    /// The agents. The first one moves first in even games, the second one in odd games.
    pub agents: [AnyAgent<'a>; 2],
    /// Number of games. Two games, from an even number on, have the same cards and opening.
    pub games: u64,
    /// Options of the games.
    pub play: PlayTask<'a>,
    /// Takes each game as soon as it is over, on any thread; its error ends the match. Without it
    /// the games are [`PlayedMatch::records`].
    pub take: Option<&'a TakeGame<'a>>,
}

/// Consumer of the games of a match.
pub(crate) type TakeGame<'a> =
    dyn Fn(GameRecord) -> Result<(), Box<dyn StdError + Send + Sync>> + Sync + 'a;

impl fmt::Debug for MatchTask<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MatchTask")
            .field("agents", &self.agents)
            .field("games", &self.games)
            .field("play", &self.play)
            .finish_non_exhaustive()
    }
}

impl<'a> MatchTask<'a> {
    /// Returns a match of 100 games of at most 100 plies, with seed 1.
    #[must_use]
    pub fn new(first: impl Into<AnyAgent<'a>>, second: impl Into<AnyAgent<'a>>) -> Self {
        Self {
            agents: [first.into(), second.into()],
            games: 100,
            play: PlayTask::default(),
            take: None,
        }
    }
}

/// Games of a match.
#[derive(Clone, Debug)]
pub struct PlayedMatch {
    /// Spec of the game in its normal form; as it was given if its cards are random.
    pub game: String,
    /// The games in the order of their numbers, unless [`MatchTask::take`] took them.
    pub records: Vec<GameRecord>,
    /// Their result.
    pub score: MatchScore,
}

/// Plays a match of a spec. Random cards are drawn for each pair of games.
///
/// # Errors
/// As [`AnyGame::play_match`]; [`Error::Spec`](crate::Error::Spec) if the spec names no game;
/// [`Error::Agent`](crate::Error::Agent) if an agent needs values and the cards are random.
///
/// ```
/// use hindsight_games::{AgentSpec, AgentTurn, AnyAgent, MatchTask, Options};
///
/// let random: AgentSpec = "random".parse()?;
/// let last_move = |turn: &AgentTurn<'_>| Ok(turn.moves.len() - 1);
/// let task = MatchTask {
///     games: 20,
///     ..MatchTask::new(random, AnyAgent::own("last move", &last_move))
/// };
/// let played = hindsight_games::play_match("onitama:3x3:random", &task, &Options::default())?;
/// assert_eq!(played.score.games(), 20);
/// assert_eq!(played.records[6].game, played.records[7].game);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn play_match(
    spec: &str,
    task: &MatchTask<'_>,
    options: &Options,
) -> Result<PlayedMatch, GamesError> {
    let (score, records) = played(task, &|task| play_tournament(spec, task, options))?;
    let game = match deal(spec, task.play.seed, 0)? {
        Some(_) => spec.to_string(),
        None => game(spec)?.spec().to_string(),
    };
    Ok(PlayedMatch { game, records, score })
}

impl AnyGame {
    /// Plays a match. Games of agents that texts name are played on all threads; the result does
    /// not depend on the threads.
    ///
    /// # Errors
    /// [`Error::Agent`](crate::Error::Agent) if an agent cannot play, or for the error of an agent
    /// of the caller; [`Error::OtherGame`](crate::Error::OtherGame) if the values are of another
    /// game; [`Error::Solve`](crate::Error::Solve) if the match was stopped;
    /// [`Error::Refused`](crate::Error::Refused) for an error of [`MatchTask::take`].
    ///
    /// ```
    /// use hindsight_games::{AgentSpec, MatchTask, Options};
    ///
    /// let agent = |text: &str| text.parse::<AgentSpec>();
    /// let game = hindsight_games::game("quoridor:3x3:1")?;
    /// let task = MatchTask {
    ///     games: 50,
    ///     ..MatchTask::new(agent("alphabeta:depth=3")?, agent("random")?)
    /// };
    /// let played = game.play_match(&task, &Options::default())?;
    /// assert!(played.score.share() > 0.7);
    /// assert_eq!(played.records.len(), 50);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn play_match(
        &self,
        task: &MatchTask<'_>,
        options: &Options,
    ) -> Result<PlayedMatch, GamesError> {
        let (score, records) = played(task, &|task| self.play_tournament(task, options))?;
        Ok(PlayedMatch { game: self.spec().to_string(), records, score })
    }
}

/// Plays a match as a tournament of two agents; returns its result, and the games that nobody took.
fn played(
    task: &MatchTask<'_>,
    play: &dyn Fn(&TournamentTask<'_>) -> Result<(), GamesError>,
) -> Result<(MatchScore, Vec<GameRecord>), GamesError> {
    let played = Mutex::new((MatchScore::default(), Vec::new()));
    let lock = || played.lock().expect("no panic while it is locked");
    let take = |record: GameRecord| match task.take {
        Some(take) => {
            lock().0.add(&record);
            // The lock is free again: who takes the game may wait for another one.
            take(record)
        }
        None => {
            lock().1.push(record);
            Ok(())
        }
    };
    play(&TournamentTask {
        agents: &task.agents,
        places: task.games,
        schedule: &|number| Some(PairedGame { agents: [0, 1], number }),
        play: task.play,
        take: &take,
    })?;
    let (mut score, mut records) = played.into_inner().expect("no panic while it is locked");
    records.sort_by_key(|record: &GameRecord| record.number);
    records.iter().for_each(|record| score.add(record));
    Ok((score, records))
}
