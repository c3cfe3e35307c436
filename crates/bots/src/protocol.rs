//! The lines of the protocol.

use std::fmt;

use hindsight_core::ParseError;

use crate::bot_command::BotCommand;

/// Version of the protocol.
pub const VERSION: u32 = 1;

/// Most bytes of a line of a bot, without its line break.
pub(crate) const MAX_BOT_LINE_BYTES: usize = 1 << 16;

/// Most bytes of a line of a host, without its line break.
pub(crate) const MAX_HOST_LINE_BYTES: usize = 1 << 24;

/// Line of a host.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum HostLine<'a> {
    /// `hello 1 SPEC`: version of the protocol, and the game of the match.
    Hello {
        /// Version of the protocol.
        version: u32,
        /// Spec of the game; its cards may be `random`.
        spec: &'a str,
    },
    /// `newgame SPEC SEED`: a game begins.
    NewGame {
        /// Spec of the game as it was dealt.
        spec: &'a str,
        /// Text for random choices, the same in a repeated match; empty if there is none.
        seed: &'a str,
    },
    /// `position TEXT`: the bot is to move there.
    Position(&'a str),
    /// `moves MOVE MOVE ..`: the legal moves.
    Moves(&'a str),
    /// `go SECONDS`: the time for the move begins.
    Go {
        /// Seconds, above 0.
        seconds: f64,
    },
    /// `quit`: the end.
    Quit,
    /// Empty line, or a line of a later version: to be ignored.
    Other,
}

impl<'a> HostLine<'a> {
    /// Reads a line without its line break.
    ///
    /// # Errors
    /// A known word is followed by something else than it needs. The offset is that of the fault.
    pub fn read(line: &'a str) -> Result<Self, ParseError> {
        let (word, rest) = split_word(line.trim());
        let offset = rest.as_ptr() as usize - line.as_ptr() as usize;
        let reject = |message: &str| Err(ParseError::new(offset, message));
        let (first, second) = split_word(rest);
        Ok(match word {
            "hello" => match first.parse() {
                Ok(version) if !second.is_empty() => Self::Hello { version, spec: second },
                _ => {
                    return reject("hello needs a version and a game, such as hello 1 tic-tac-toe");
                }
            },
            "newgame" if first.is_empty() => return reject("newgame needs the spec of a game"),
            "newgame" => {
                // The spec of a program has spaces, and a seed has none.
                let parts = if BotCommand::is_named(rest) {
                    rest.rsplit_once(char::is_whitespace)
                } else {
                    Some((first, second))
                };
                let (spec, seed) = parts.unwrap_or((rest, ""));
                Self::NewGame { spec: spec.trim_end(), seed }
            }
            "position" => Self::Position(rest),
            "moves" => Self::Moves(rest),
            "go" => match rest.parse() {
                Ok(seconds) if (1e-6..=1e9).contains(&seconds) => Self::Go { seconds },
                _ => return reject("go needs the seconds for the move, such as go 10"),
            },
            "quit" => Self::Quit,
            _ => Self::Other,
        })
    }
}

/// Writes the line without a line break.
impl fmt::Display for HostLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hello { version, spec } => write!(f, "hello {version} {spec}"),
            Self::NewGame { spec, seed: "" } => write!(f, "newgame {spec}"),
            Self::NewGame { spec, seed } => write!(f, "newgame {spec} {seed}"),
            Self::Position(text) => write!(f, "position {text}"),
            Self::Moves(texts) => write!(f, "moves {texts}"),
            Self::Go { seconds } => write!(f, "go {seconds}"),
            Self::Quit => f.write_str("quit"),
            Self::Other => Ok(()),
        }
    }
}

/// Line of a bot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum BotLine<'a> {
    /// `hello 1 NAME`: version of the protocol that the bot speaks, and its name, if it has one.
    Hello {
        /// Version of the protocol.
        version: u32,
        /// Name of the bot, or empty.
        name: &'a str,
    },
    /// `move MOVE`: the answer to `go`.
    Move(&'a str),
    /// `error TEXT`: the bot cannot go on.
    Error(&'a str),
    /// `info TEXT`, or an empty line: to be ignored.
    Info(&'a str),
}

impl<'a> BotLine<'a> {
    /// Reads a line without its line break; `None` if it is no line of a bot.
    #[must_use]
    pub fn read(line: &'a str) -> Option<Self> {
        let (word, rest) = split_word(line.trim());
        Some(match word {
            "hello" => {
                let (version, name) = split_word(rest);
                let version = version.parse().ok()?;
                Self::Hello { version, name }
            }
            "move" if !rest.is_empty() => Self::Move(rest),
            "error" => Self::Error(rest),
            "info" | "" => Self::Info(rest),
            _ => return None,
        })
    }
}

/// Writes the line without a line break. Line breaks in a text become spaces.
impl fmt::Display for BotLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let one_line = |text: &str| text.replace(['\n', '\r'], " ");
        match self {
            Self::Hello { version, name: "" } => write!(f, "hello {version}"),
            Self::Hello { version, name } => write!(f, "hello {version} {}", one_line(name)),
            Self::Move(text) => write!(f, "move {}", one_line(text)),
            Self::Error(text) => write!(f, "error {}", one_line(text)),
            Self::Info(text) => write!(f, "info {}", one_line(text)),
        }
    }
}

/// Returns the fault of a line that is not in plain UTF-8, where it shows.
pub(crate) fn encoding_fault(line: &[u8]) -> Option<&'static str> {
    match line {
        [0xEF, 0xBB, 0xBF, ..] => Some("it begins with a byte order mark (U+FEFF)"),
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => Some("it begins with a byte order mark of UTF-16"),
        _ if line.contains(&0) => Some("it has zero bytes, as text in UTF-16 has"),
        _ => None,
    }
}

/// Splits a text after its first word.
fn split_word(text: &str) -> (&str, &str) {
    match text.split_once(char::is_whitespace) {
        Some((word, rest)) => (word, rest.trim_start()),
        None => (text, &text[text.len()..]),
    }
}

#[cfg(test)]
mod tests {
    use super::{BotLine, HostLine};

    #[test]
    fn lines_of_a_host_are_read_as_they_are_written() {
        let spec = "quoridor:3x3:1";
        for line in [
            HostLine::Hello { version: 1, spec },
            HostLine::NewGame { spec, seed: "" },
            HostLine::NewGame { spec, seed: "1,17,0" },
            HostLine::NewGame { spec: "cmd:./rules 3 4", seed: "1,17,0" },
            HostLine::Position("b1 b3 1,1 - white"),
            HostLine::Moves("b2 a1 c1"),
            HostLine::Go { seconds: 0.25 },
            HostLine::Go { seconds: 10.0 },
            HostLine::Quit,
        ] {
            let text = line.to_string();
            for text in [text.clone(), format!(" {text}\r")] {
                assert_eq!(HostLine::read(&text).expect("a line"), line, "{text}");
            }
        }
        assert_eq!(HostLine::Go { seconds: 10.0 }.to_string(), "go 10");
        for unknown in ["", "  ", "clock 3 4", "GO 10", "héllo"] {
            assert_eq!(HostLine::read(unknown).expect("ignored"), HostLine::Other);
        }
    }

    #[test]
    fn faulty_lines_of_a_host_are_refused() {
        for line in [
            "hello",
            "hello 1",
            "hello one tic-tac-toe",
            "hello -1 tic-tac-toe",
            "newgame",
            "go",
            "go fast",
            "go 0",
            "go -1",
            "go nan",
            "go inf",
            "go 1 2",
        ] {
            assert!(HostLine::read(line).is_err(), "{line}");
        }
        let error = HostLine::read("  go  fast").expect_err("no number");
        assert_eq!(error.offset, 6);
    }

    #[test]
    fn lines_of_a_bot() {
        for (text, line) in [
            ("hello 1", BotLine::Hello { version: 1, name: "" }),
            ("hello 7 A bot", BotLine::Hello { version: 7, name: "A bot" }),
            ("move a1a2:boar", BotLine::Move("a1a2:boar")),
            ("error no such game", BotLine::Error("no such game")),
            ("info depth 3", BotLine::Info("depth 3")),
        ] {
            assert_eq!(BotLine::read(text), Some(line));
            assert_eq!(line.to_string(), text);
        }
        assert_eq!(BotLine::read(" \t"), Some(BotLine::Info("")));
        for nonsense in ["hello", "hello x", "move", "Move a1", "a1a2", "moves a1"] {
            assert_eq!(BotLine::read(nonsense), None, "{nonsense}");
        }
        assert_eq!(BotLine::Error("two\nlines").to_string(), "error two lines");
    }
}
