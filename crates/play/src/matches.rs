use std::time::{Duration, Instant};

use hindsight_core::{Game, Notation, Packed, PackedGame, Wdl};
use serde::{Deserialize, Serialize};

use crate::agent::{Agent, AgentError};
use crate::agent_fault::AgentFault;
use crate::seeded_random::SeededRandom;

/// Number of the random stream that draws openings, beside the seed and the number of the pair.
const OPENING_STREAM: u64 = 0x09E4;
/// Openings of a pair that are drawn before its games begin at the start.
const OPENING_ATTEMPTS: u64 = 100;

/// A played game; a line of JSON in a file of games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// Spec of the game, with any random deal resolved.
    pub game: String,
    /// First position; `None`, and the key absent, for the start of the game.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// Number of the game in its match, from 0.
    pub number: u64,
    /// Specs of the two agents of the match.
    pub agents: [String; 2],
    /// Agent that made the first move, 0 or 1.
    pub first: usize,
    /// Moves in order, in the game's notation.
    pub moves: Vec<String>,
    /// Agent that won, 0 or 1; `None` for a tie.
    // The deserializer makes the key mandatory: a tie is written `null`, not left out.
    #[serde(deserialize_with = "Option::deserialize")]
    pub winner: Option<usize>,
    /// Kind of ending: `draw`, `limit` for a game that was cut off, `win`, or the game's own word
    /// where it has several ways to win. A game that an agent lost by a fault has
    /// [`FaultKind::ending`](crate::FaultKind::ending).
    pub ending: String,
    /// Description of the fault by which the loser lost; `None`, and the key absent, without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Playouts made, or positions searched, by each agent.
    pub work: [u64; 2],
    /// Thinking time of each agent in seconds.
    pub seconds: [f64; 2],
    /// For each move that a search pruned, the playouts left of the search's budget at that time.
    /// The key is absent if the list is empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pruned: Vec<u64>,
}

impl GameRecord {
    /// Name of a human player among the agents.
    pub const HUMAN: &str = "human";

    /// Returns the agent that is human; 0 if none is.
    #[must_use]
    pub fn human(&self) -> usize {
        let human = self.agents.iter().position(|name| name == Self::HUMAN);
        human.unwrap_or(0)
    }

    /// Returns true if a text has control characters, which could drive a terminal.
    ///
    /// Games played by this crate have none.
    fn has_control(&self) -> bool {
        let texts = [&self.game, &self.ending].into_iter();
        let mut texts =
            texts.chain(&self.start).chain(&self.fault).chain(&self.agents).chain(&self.moves);
        texts.any(|text| text.chars().any(char::is_control))
    }

    /// Returns the spec of the human's opponent; `None` if that is human too.
    #[must_use]
    pub fn opponent(&self) -> Option<&str> {
        let name = &*self.agents[self.human() ^ 1];
        (name != Self::HUMAN).then_some(name)
    }
}

/// A line of a file of games that holds no valid game.
#[derive(Debug, thiserror::Error)]
#[error("line {line} is no game: {message}")]
pub struct GameRecordError {
    /// Number of the line, from 1.
    pub line: usize,
    /// Description of the fault.
    pub message: String,
}

/// Reads a file of games: one JSON object a line. Blank lines are ignored, and so are objects with
/// the key `event`, which tell of a game in progress.
///
/// Returns the games, and true if the last line was cut off. A line counts as cut off if it does
/// not parse and has no line break; the games before it are returned.
///
/// # Errors
/// Any other line is not a valid game.
pub fn read_games(text: &str) -> Result<(Vec<GameRecord>, bool), GameRecordError> {
    // Some editors write a byte order mark first.
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
        // Serde would accept a list of the values in place of an object.
        if line.trim_start().starts_with('[') {
            return Err(bad("a game is an object, with keys, and no list"));
        }
        match serde_json::from_str::<GameRecord>(line) {
            Ok(game) if game.has_control() => {
                return Err(bad("a text in it has a control character"));
            }
            Ok(game) if game.first < 2 && game.winner.is_none_or(|winner| winner < 2) => {
                games.push(game);
            }
            Ok(_) => return Err(bad("players are 0 and 1")),
            Err(_) if is_event(line) => {}
            // A line without a line break was being written when the program stopped.
            Err(_) if i + 1 == lines.len() && !text.ends_with('\n') => return Ok((games, true)),
            Err(error) => return Err(bad(&error.to_string())),
        }
    }
    Ok((games, false))
}

/// Returns true if a line is an object with the key `event`.
fn is_event(line: &str) -> bool {
    let value = serde_json::from_str::<serde_json::Value>(line);
    value.is_ok_and(|value| value.get("event").is_some())
}

/// Returns the character, or a replacement for a control character, for errors that quote a file.
fn printable(character: char) -> char {
    if character.is_control() { char::REPLACEMENT_CHARACTER } else { character }
}

/// Options of a match.
#[derive(Clone, Copy)]
pub struct MatchOptions<'a> {
    /// Plies drawn at random before the agents take over, the same in both games of a pair.
    pub opening_plies: u32,
    /// Plies of the agents after which a game is cut off.
    pub max_plies: u32,
    /// Seed of every random number in the match.
    pub seed: u64,
    /// Called before every move; false stops the game.
    pub keep_going: &'a (dyn Fn() -> bool + Sync),
}

impl std::fmt::Debug for MatchOptions<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("MatchOptions")
            .field("opening_plies", &self.opening_plies)
            .field("max_plies", &self.max_plies)
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

/// The two agents of a game, with their names.
pub struct Players<'a> {
    /// The agents, numbered 0 and 1.
    pub agents: [&'a mut dyn Agent; 2],
    /// Their names in the record of the game.
    pub names: [&'a str; 2],
}

impl std::fmt::Debug for Players<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Players").field(&self.names).finish()
    }
}

/// Plays game `number` of a match. Agent 0 moves first in even games, agent 1 in odd ones.
///
/// Each agent has its own random numbers, of [`game_seeds`]. The game begins at its start, or at
/// the position after [`MatchOptions::opening_plies`]. An agent with an [`AgentFault`] loses.
///
/// # Errors
/// An agent cannot answer, or [`MatchOptions::keep_going`] returned false.
pub fn play_game<'a>(
    game: &PackedGame,
    agents: [&'a mut dyn Agent; 2],
    names: [&'a str; 2],
    number: u64,
    options: MatchOptions<'_>,
) -> Result<GameRecord, AgentError> {
    let start = opening(game, number / 2, options);
    let players = Players { agents, names };
    play_from(game, start, players, number, options)
}

/// Plays game `number` of a match as [`play_game`], from the position `start`.
///
/// # Errors
/// As [`play_game`].
pub fn play_game_from(
    game: &PackedGame,
    start: Packed,
    players: Players<'_>,
    number: u64,
    options: MatchOptions<'_>,
) -> Result<GameRecord, AgentError> {
    play_from(game, Some(start), players, number, options)
}

/// Plays a game from a position, or from the start of the game.
fn play_from(
    game: &PackedGame,
    start: Option<Packed>,
    players: Players<'_>,
    number: u64,
    options: MatchOptions<'_>,
) -> Result<GameRecord, AgentError> {
    let Players { agents, names } = players;
    let first = (number % 2) as usize;
    let random_of = |agent| SeededRandom::new(&game_seeds(options.seed, number, agent));
    let mut random = [0, 1].map(random_of);
    let (mut work, mut time) = ([0; 2], [Duration::ZERO; 2]);
    let mut position = start.unwrap_or_else(|| game.start());
    let (mut moves, mut pruned) = (Vec::new(), Vec::new());
    let mut mover = first;
    let mut fault = None;
    while moves.len() < options.max_plies as usize && game.terminal(position).is_none() {
        if !(options.keep_going)() {
            return Err(AgentError::Stopped);
        }
        let begin = Instant::now();
        let chosen = agents[mover].choose(game, position, &mut random[mover]);
        time[mover] += begin.elapsed();
        let chosen = match chosen {
            Ok(chosen) => chosen,
            Err(AgentError::Fault(found)) => {
                fault = Some(found);
                break;
            }
            Err(error) => return Err(error),
        };
        work[mover] += chosen.work;
        pruned.extend(chosen.pruned);
        moves.push(game.format_move(position, chosen.mv));
        position = game.play(position, chosen.mv);
        mover ^= 1;
    }
    let (winner, ending) = match &fault {
        Some(fault) => (Some(mover ^ 1), fault.kind.ending()),
        None => game_result(game, position, mover),
    };
    Ok(GameRecord {
        game: game.spec(),
        start: start.map(|start| game.format(start)),
        number,
        agents: names.map(String::from),
        first,
        moves,
        winner,
        ending: ending.to_string(),
        fault: fault.map(|fault: AgentFault| fault.text),
        work,
        seconds: time.map(|time| time.as_secs_f64()),
        pruned,
    })
}

/// Returns the seeds of an agent's random numbers in a game of a match.
#[must_use]
pub fn game_seeds(seed: u64, number: u64, agent: usize) -> [u64; 3] {
    [seed, number, agent as u64]
}

/// Returns the position after the random plies of a pair of games; `None` if there are none.
///
/// An opening that ends the game is drawn again. Where all do, the games begin at the start.
fn opening(game: &PackedGame, pair: u64, options: MatchOptions<'_>) -> Option<Packed> {
    let attempts = if options.opening_plies > 0 { 0..OPENING_ATTEMPTS } else { 0..0 };
    let mut openings = attempts.map(|attempt| {
        let mut random = SeededRandom::new(&[options.seed, pair, OPENING_STREAM, attempt]);
        game.random_playout(game.start(), options.opening_plies, &mut random).0
    });
    openings.find(|&position| game.terminal(position).is_none())
}

/// Returns the winner of a game that ended in `position`, and the ending as in [`GameRecord`].
///
/// `mover` is the agent to move, 0 or 1.
pub fn game_result<G: Notation>(
    game: &G,
    position: G::Position,
    mover: usize,
) -> (Option<usize>, &'static str) {
    match game.terminal(position) {
        None => (None, "limit"),
        Some(Wdl::Draw) => (None, "draw"),
        Some(wdl) => {
            let winner = if wdl == Wdl::Win { mover } else { mover ^ 1 };
            (Some(winner), game.win_condition(position).unwrap_or("win"))
        }
    }
}
