//! Agents as bots: the answers to the lines of a host.

use std::io::{self, Write};
use std::time::Duration;

use hindsight_core::{Game, Notation, Packed, PackedGame};
use hindsight_play::{Agent, AgentError, SeededRandom};

use crate::host_input::HostInput;
use crate::protocol::{BotLine, HostLine, VERSION, encoding_fault};
use crate::shown_line::shown_line;

/// Share of the time for a move that an agent may use. The rest is for the way of the answer.
const TIME_SHARE: f64 = 0.9;

/// Function that makes an agent with a time for each move.
type MakeAgent<'a> = dyn Fn(Duration) -> Result<Box<dyn Agent + 'a>, AgentError> + 'a;

/// A game that an agent plays as a bot.
pub struct BotServing<'a> {
    /// The rules.
    pub game: &'a PackedGame,
    /// Makes the agent when it is first asked, and again if the time for a move changes.
    pub make_agent: &'a MakeAgent<'a>,
    /// Seed of `newgame`.
    pub seed: &'a str,
}

impl std::fmt::Debug for BotServing<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BotServing")
            .field("game", &self.game.spec())
            .field("seed", &self.seed)
            .finish_non_exhaustive()
    }
}

/// Line of a host that ends a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ServingEnd {
    /// Another game begins.
    NewGame {
        /// Spec of the game.
        spec: String,
        /// Text for random choices.
        seed: String,
    },
    /// `quit`, or the end of the input.
    Quit,
}

impl ServingEnd {
    fn new_game(spec: &str, seed: &str) -> Self {
        let (spec, seed) = (spec.to_string(), seed.to_string());
        Self::NewGame { spec, seed }
    }
}

/// Conversation with a host, in which an agent is the bot.
///
/// Lines that cannot be followed are answered with `error`, unknown ones with `info`. They change
/// nothing, except that after a `position` that cannot be read there is none.
pub struct BotSession<'a> {
    /// Lines of the host.
    pub input: &'a HostInput,
    /// Lines of the bot.
    pub output: &'a mut dyn Write,
    /// Name of the bot.
    pub name: &'a str,
    /// Refuses the spec of a `hello` after the first one.
    pub check_match: &'a dyn Fn(&str) -> Result<(), String>,
}

impl std::fmt::Debug for BotSession<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("BotSession").field("name", &self.name).finish_non_exhaustive()
    }
}

impl BotSession<'_> {
    /// Waits for `hello`; returns the spec in it, or `None` if the host quits before.
    ///
    /// # Errors
    /// The input cannot be read, or the output cannot be written.
    pub fn await_hello(&mut self) -> io::Result<Option<String>> {
        while let Some(text) = self.next_text()? {
            match HostLine::read(&text) {
                Ok(HostLine::Hello { spec, .. }) => return Ok(Some(spec.to_string())),
                _ => self.answer(BotLine::Error(&format!(
                    "hello comes first, before {}",
                    shown_line(text.trim().as_bytes())
                )))?,
            }
        }
        Ok(None)
    }

    /// Writes a line and flushes it.
    ///
    /// # Errors
    /// As those of the output.
    pub fn answer(&mut self, line: BotLine<'_>) -> io::Result<()> {
        let written = writeln!(self.output, "{line}").and_then(|()| self.output.flush());
        written.map_err(|error| explained("cannot answer the host", error))
    }

    /// Writes the `hello` of this version of the protocol.
    ///
    /// # Errors
    /// As those of the output.
    pub fn answer_hello(&mut self) -> io::Result<()> {
        self.answer(BotLine::Hello { version: VERSION, name: self.name })
    }

    /// Answers every `go` with an error until another game begins.
    ///
    /// # Errors
    /// The input cannot be read, or the output cannot be written.
    pub fn refuse(&mut self, reason: &str) -> io::Result<ServingEnd> {
        while let Some(text) = self.next_text()? {
            match HostLine::read(&text) {
                Ok(HostLine::NewGame { spec, seed }) => {
                    return Ok(ServingEnd::new_game(spec, seed));
                }
                Ok(HostLine::Go { .. }) => self.answer(BotLine::Error(reason))?,
                Ok(HostLine::Hello { spec, .. }) => self.answer_another_hello(spec)?,
                _ => {}
            }
        }
        Ok(ServingEnd::Quit)
    }

    /// Answers the lines of a host until the game ends.
    ///
    /// # Errors
    /// The input cannot be read, or the output cannot be written.
    pub fn serve(&mut self, serving: &BotServing<'_>) -> io::Result<ServingEnd> {
        let mut served = ServedGame {
            serving,
            random: SeededRandom::new(&seeds_of(serving.seed)),
            position: None,
            agent: None,
        };
        while let Some(text) = self.next_text()? {
            match HostLine::read(&text) {
                Ok(HostLine::NewGame { spec, seed }) => {
                    return Ok(ServingEnd::new_game(spec, seed));
                }
                Ok(HostLine::Hello { spec, .. }) => self.answer_another_hello(spec)?,
                Ok(HostLine::Position(position)) => {
                    if let Err(error) = served.set_position(position) {
                        self.answer(BotLine::Error(&error))?;
                    }
                }
                Ok(HostLine::Go { seconds }) => match served.choose(seconds) {
                    Ok(text) => self.answer(BotLine::Move(&text))?,
                    Err(error) => self.answer(BotLine::Error(&error))?,
                },
                _ => {}
            }
        }
        Ok(ServingEnd::Quit)
    }

    /// Answers a `hello` after the first one, which changes no game.
    fn answer_another_hello(&mut self, spec: &str) -> io::Result<()> {
        match (self.check_match)(spec) {
            Ok(()) => self.answer_hello(),
            Err(error) => self.answer(BotLine::Error(&error)),
        }
    }

    /// Returns the next line that a bot follows, after all others before it were answered.
    fn next_text(&mut self) -> io::Result<Option<String>> {
        loop {
            let line = match self.input.next_line() {
                Ok(Some(line)) => line,
                Ok(None) => return Ok(None),
                Err(error) => {
                    self.answer(BotLine::Error(&error.to_string()))?;
                    return Err(explained("cannot read what the host says", error));
                }
            };
            if let Some(fault) = encoding_fault(&line) {
                let shown = shown_line(line.trim_ascii_end());
                let text = format!("{shown} is no line in plain UTF-8: {fault}");
                self.answer(BotLine::Error(&text))?;
                continue;
            }
            let text = String::from_utf8_lossy(&line);
            match HostLine::read(&text) {
                Ok(HostLine::Other) if text.trim().is_empty() => {}
                Ok(HostLine::Other) => {
                    let ignored = format!("ignored: {}", shown_line(text.trim().as_bytes()));
                    self.answer(BotLine::Info(&ignored))?;
                }
                Ok(_) => return Ok(Some(text.into_owned())),
                Err(error) => self.answer(BotLine::Error(&error.message))?,
            }
        }
    }
}

/// Returns an error of the same kind that says what failed.
fn explained(what: &str, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("{what}: {error}"))
}

/// State of a game.
struct ServedGame<'s, 'a> {
    serving: &'s BotServing<'a>,
    random: SeededRandom,
    position: Option<Packed>,
    agent: Option<TimedAgent<'a>>,
}

/// An agent, and the seconds for a move that it was made for.
struct TimedAgent<'a> {
    seconds: f64,
    agent: Box<dyn Agent + 'a>,
}

impl ServedGame<'_, '_> {
    fn set_position(&mut self, text: &str) -> Result<(), String> {
        self.position = None;
        let position = self.serving.game.parse(text);
        let position = position.map_err(|error| {
            let shown = shown_line(text.as_bytes());
            let character = error.character(text);
            format!("position {shown}, character {character}: {}", error.message)
        })?;
        self.position = Some(position);
        Ok(())
    }

    /// Returns the agent's move.
    fn choose(&mut self, seconds: f64) -> Result<String, String> {
        let game = self.serving.game;
        let Some(position) = self.position else {
            return Err(String::from("go without a position"));
        };
        if game.terminal(position).is_some() {
            return Err(String::from("the game is over in this position"));
        }
        if self.agent.as_ref().is_none_or(|timed| timed.seconds != seconds) {
            let time = Duration::from_secs_f64(seconds * TIME_SHARE);
            let agent = (self.serving.make_agent)(time).map_err(|error| error.to_string())?;
            self.agent = Some(TimedAgent { seconds, agent });
        }
        let timed = self.agent.as_mut().expect("it was made above");
        let chosen = timed.agent.choose(game, position, &mut self.random);
        let chosen = chosen.map_err(|error| error.to_string())?;
        Ok(game.format_move(position, chosen.mv))
    }
}

/// Returns the seeds in the text of `newgame`: its numbers between commas, or else its bytes.
fn seeds_of(text: &str) -> Vec<u64> {
    let numbers: Result<Vec<u64>, _> = text.split(',').map(str::parse).collect();
    numbers.unwrap_or_else(|_| text.bytes().map(u64::from).collect())
}

#[cfg(test)]
mod tests {
    use super::seeds_of;

    #[test]
    fn seeds_are_numbers_or_bytes() {
        assert_eq!(seeds_of("1,17,0"), [1, 17, 0]);
        assert_eq!(seeds_of("7"), [7]);
        assert_eq!(seeds_of("ab"), [97, 98]);
        assert_eq!(seeds_of(""), [0; 0]);
        assert_eq!(seeds_of("1,-2"), [49, 44, 45, 50]);
    }
}
