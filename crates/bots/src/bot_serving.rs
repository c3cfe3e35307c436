//! Agents as bots: the answers to the lines of a host.

use std::io::{self, BufRead, Write};
use std::time::Duration;

use hindsight_core::Notation;
use hindsight_play::{Agent, AgentError, SeededRandom};

use crate::host_input::HostInput;
use crate::protocol::{BotLine, HostLine, VERSION};
use crate::shown_line::shown_line;

/// Share of the time for a move that an agent may use. The rest is for the way of the answer.
const TIME_SHARE: f64 = 0.9;

/// Function that makes an agent with a time for each move.
type MakeAgent<'a, G> = dyn Fn(Duration) -> Result<Box<dyn Agent<G> + 'a>, AgentError> + 'a;

/// A game that an agent plays as a bot.
pub struct BotServing<'a, G: Notation> {
    /// The rules.
    pub game: &'a G,
    /// Makes the agent when it is first asked, and again if the time for a move changes.
    pub make_agent: &'a MakeAgent<'a, G>,
    /// Seed of `newgame`.
    pub seed: &'a str,
}

impl<G: Notation> std::fmt::Debug for BotServing<'_, G> {
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

/// Waits for `hello`; returns the spec in it, or `None` if the host quits before. Other lines are
/// ignored.
///
/// # Errors
/// The input cannot be read, or the output cannot be written.
pub fn await_hello(
    input: &mut HostInput<impl BufRead>,
    output: &mut dyn Write,
) -> io::Result<Option<String>> {
    while let Some(line) = input.next_line()? {
        match HostLine::read(&line) {
            Ok(HostLine::Hello { spec, .. }) => return Ok(Some(spec.to_string())),
            Ok(HostLine::Quit) => return Ok(None),
            Ok(_) => {}
            Err(error) => answer(output, BotLine::Error(&error.message))?,
        }
    }
    Ok(None)
}

/// Writes a line and flushes it.
///
/// # Errors
/// As those of the output.
pub fn answer(output: &mut dyn Write, line: BotLine<'_>) -> io::Result<()> {
    writeln!(output, "{line}")?;
    output.flush()
}

/// Writes the `hello` of this version of the protocol.
///
/// # Errors
/// As those of the output.
pub fn answer_hello(output: &mut dyn Write, name: &str) -> io::Result<()> {
    let version = VERSION;
    answer(output, BotLine::Hello { version, name })
}

/// Answers every `go` with an error until another game begins.
///
/// # Errors
/// The input cannot be read, or the output cannot be written.
pub fn refuse_bot(
    reason: &str,
    input: &mut HostInput<impl BufRead>,
    output: &mut dyn Write,
) -> io::Result<ServingEnd> {
    while let Some(text) = input.next_line()? {
        match HostLine::read(&text) {
            Ok(HostLine::Quit) => break,
            Ok(HostLine::NewGame { spec, seed }) => return Ok(ServingEnd::new_game(spec, seed)),
            Ok(HostLine::Go { .. }) => answer(output, BotLine::Error(reason))?,
            _ => {}
        }
    }
    Ok(ServingEnd::Quit)
}

/// Answers the lines of a host until the game ends.
///
/// Lines that cannot be followed are answered with `error`, unknown ones with `info`.
///
/// # Errors
/// The input cannot be read, or the output cannot be written.
pub fn serve_bot<G: Notation>(
    serving: &BotServing<'_, G>,
    input: &mut HostInput<impl BufRead>,
    output: &mut dyn Write,
) -> io::Result<ServingEnd> {
    let mut served = ServedGame {
        serving,
        random: SeededRandom::new(&seeds_of(serving.seed)),
        position: None,
        agent: None,
    };
    while let Some(text) = input.next_line()? {
        match HostLine::read(&text) {
            Ok(HostLine::Quit) => break,
            Ok(HostLine::NewGame { spec, seed }) => return Ok(ServingEnd::new_game(spec, seed)),
            Ok(HostLine::Hello { .. }) => answer_hello(output, "")?,
            Ok(HostLine::Moves(_)) => {}
            Ok(HostLine::Other) if text.trim().is_empty() => {}
            Ok(HostLine::Other) => {
                let ignored = format!("ignored: {}", shown_line(text.trim().as_bytes()));
                answer(output, BotLine::Info(&ignored))?;
            }
            Ok(HostLine::Position(position)) => {
                if let Err(error) = served.set_position(position) {
                    answer(output, BotLine::Error(&error))?;
                }
            }
            Ok(HostLine::Go { seconds }) => match served.choose(seconds) {
                Ok(text) => answer(output, BotLine::Move(&text))?,
                Err(error) => answer(output, BotLine::Error(&error))?,
            },
            Err(error) => answer(output, BotLine::Error(&error.message))?,
        }
    }
    Ok(ServingEnd::Quit)
}

/// State of a game.
struct ServedGame<'s, 'a, G: Notation> {
    serving: &'s BotServing<'a, G>,
    random: SeededRandom,
    position: Option<G::Position>,
    agent: Option<TimedAgent<'a, G>>,
}

/// An agent, and the seconds for a move that it was made for.
struct TimedAgent<'a, G: Notation> {
    seconds: f64,
    agent: Box<dyn Agent<G> + 'a>,
}

impl<G: Notation> ServedGame<'_, '_, G> {
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
        if self
            .agent
            .as_ref()
            .is_none_or(|timed| timed.seconds != seconds)
        {
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
