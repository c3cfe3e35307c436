use std::time::{Duration, Instant};

use hindsight_core::{Game, Notation, Wdl};
use serde::{Deserialize, Serialize};

use crate::agent::{Agent, AgentError};
use crate::seeded_random::SeededRandom;

/// A game that was played, one line of JSON in a file of games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// The spec of the game, as it was dealt.
    pub game: String,
    /// The number of the game in its match, from 0.
    pub number: u64,
    /// The texts of the agents of the match.
    pub agents: [String; 2],
    /// Which of them made the first move.
    pub first: usize,
    /// The moves in order.
    pub moves: Vec<String>,
    /// Which agent won; none for a tie.
    // Read so, it must be there, be it null.
    #[serde(deserialize_with = "Option::deserialize")]
    pub winner: Option<usize>,
    /// How it ended: in the game's words where there are several ways to win, else `win`; `draw`, or `limit` for a
    /// game that was cut off.
    pub ending: String,
    /// Playouts, or positions of a search, that each agent looked at.
    pub work: [u64; 2],
    /// Seconds that each agent thought.
    pub seconds: [f64; 2],
    /// For each option that an agent pruned, the playouts that were left of the move's budget; absent if there are none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pruned: Vec<u64>,
}

impl GameRecord {
    /// The agent of a person.
    pub const HUMAN: &str = "human";

    /// Which agent is a person; the first if none is.
    #[must_use]
    pub fn human(&self) -> usize {
        let found = self.agents.iter().position(|name| name == Self::HUMAN);
        found.unwrap_or(0)
    }

    /// True if a text could do more to a terminal than be shown there. No game that was played has such a text.
    fn has_control(&self) -> bool {
        let texts = [&self.game, &self.ending].into_iter();
        let mut texts = texts.chain(&self.agents).chain(&self.moves);
        texts.any(|text| text.chars().any(char::is_control))
    }

    /// The agent that is none.
    #[must_use]
    pub fn opponent(&self) -> Option<&str> {
        let name = &*self.agents[self.human() ^ 1];
        (name != Self::HUMAN).then_some(name)
    }
}

/// A line of a file of games that is none.
#[derive(Debug, thiserror::Error)]
#[error("line {line} is no game: {message}")]
pub struct GameRecordError {
    /// From 1.
    pub line: usize,
    /// What is wrong with it.
    pub message: String,
}

/// Reads a file of games, one JSON object a line, empty lines aside, and says whether the last line was cut off: the games before
/// it are read nevertheless.
///
/// # Errors
/// When another line is no game.
pub fn read_games(text: &str) -> Result<(Vec<GameRecord>, bool), GameRecordError> {
    // Some editors begin a text with a byte order mark.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let lines: Vec<&str> = text.lines().collect();
    let mut games = Vec::new();
    for (i, line) in lines.iter().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let bad = |message: &str| GameRecordError {
            line: i + 1,
            message: message.chars().map(printable).collect(),
        };
        // Serde takes a list of the values for an object, too.
        let is_list = line.trim_start().starts_with('[');
        match serde_json::from_str::<GameRecord>(line) {
            Ok(_) if is_list => {
                return Err(bad("a game is an object, with keys, and no list"));
            }
            Ok(game) if game.has_control() => {
                return Err(bad("a text in it has a control character"));
            }
            Ok(game) if game.first < 2 && game.winner.is_none_or(|winner| winner < 2) => {
                games.push(game);
            }
            Ok(_) => return Err(bad("players are 0 and 1")),
            // Lines end with a line break; one without was being written.
            Err(_) if i + 1 == lines.len() && !text.ends_with('\n') => return Ok((games, true)),
            Err(error) => return Err(bad(&error.to_string())),
        }
    }
    Ok((games, false))
}

/// A character of an error that quotes a file: one that a terminal shows.
fn printable(character: char) -> char {
    if character.is_control() {
        char::REPLACEMENT_CHARACTER
    } else {
        character
    }
}

/// How two agents play.
#[derive(Clone, Copy)]
pub struct MatchOptions<'a> {
    /// Plies after which a game is cut off.
    pub max_plies: u32,
    /// Decides every random number in the match.
    pub seed: u64,
    /// Asked before every move.
    pub keep_going: &'a (dyn Fn() -> bool + Sync),
}

impl std::fmt::Debug for MatchOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Terms")
            .field("most_plies", &self.max_plies)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

/// Plays one game of a match. The first agent moves first in games of an even number, the second in the others.
///
/// # Errors
/// When an agent cannot answer, or the game was stopped.
pub fn play_game<G: Game + Notation>(
    game: &G,
    agents: [&mut dyn Agent<G>; 2],
    names: [&str; 2],
    number: u64,
    terms: MatchOptions<'_>,
) -> Result<GameRecord, AgentError> {
    let first = (number % 2) as usize;
    let mut random = [0, 1].map(|agent| SeededRandom::new(&[terms.seed, number, agent]));
    let (mut work, mut time) = ([0; 2], [Duration::ZERO; 2]);
    let mut position = game.start();
    let (mut moves, mut pruned) = (Vec::new(), Vec::new());
    let mut mover = first;
    while moves.len() < terms.max_plies as usize && game.terminal(position).is_none() {
        if !(terms.keep_going)() {
            return Err(AgentError::Stopped);
        }
        let begin = Instant::now();
        let choice = agents[mover].choose(game, position, &mut random[mover])?;
        time[mover] += begin.elapsed();
        work[mover] += choice.work;
        pruned.extend(choice.pruned);
        moves.push(game.format_move(position, choice.mv));
        position = game.play(position, choice.mv);
        mover ^= 1;
    }
    let (winner, ending) = game_result(game, position, mover);
    Ok(GameRecord {
        game: game.spec(),
        number,
        agents: names.map(String::from),
        first,
        moves,
        winner,
        ending: ending.to_string(),
        work,
        seconds: time.map(|time| time.as_secs_f64()),
        pruned,
    })
}

/// Which agent has won when the game stands like this, and how a record calls the ending. `mover` is whose turn it is.
pub fn game_result<G: Game + Notation>(
    game: &G,
    position: G::Position,
    mover: usize,
) -> (Option<usize>, &'static str) {
    match game.terminal(position) {
        None => (None, "limit"),
        Some(Wdl::Draw) => (None, "draw"),
        Some(wdl) => {
            let winner = if wdl == Wdl::Win { mover } else { mover ^ 1 };
            (Some(winner), game.ending(position).unwrap_or("win"))
        }
    }
}
