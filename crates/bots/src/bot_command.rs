use std::fmt;
use std::str::FromStr;

use hindsight_core::ParseError;

/// Beginning of the text of an agent that is a program.
const PREFIX: &str = "cmd:";

/// Program of a bot with its arguments, such as `cmd:python3 bot.py --depth 4`.
///
/// Words are split at spaces. Quotes and backslashes are those of a shell, but no shell is started:
/// nothing is expanded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BotCommand {
    text: String,
    /// Invariant: not empty.
    words: Vec<String>,
}

impl BotCommand {
    /// Returns true if the text of an agent names a program.
    #[must_use]
    pub fn is_named(text: &str) -> bool {
        let start = text.trim_start().get(..PREFIX.len());
        start.is_some_and(|start| start.eq_ignore_ascii_case(PREFIX))
    }

    /// Returns the program and its arguments.
    #[must_use]
    pub fn words(&self) -> &[String] {
        &self.words
    }
}

impl FromStr for BotCommand {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let reject = |message: &str| Err(ParseError::new(0, message));
        if !Self::is_named(text) {
            return reject("a program begins with cmd:");
        }
        let text = text.trim()[PREFIX.len()..].trim();
        if text.chars().any(char::is_control) {
            return reject("a program after cmd: has no line breaks or other control characters");
        }
        let Some(words) = shlex::split(text) else {
            return reject("a quote in the program after cmd: does not end");
        };
        if words.first().is_none_or(String::is_empty) {
            return reject("cmd: needs a program, such as cmd:./bot or cmd:\"python3 bot.py\"");
        }
        let text = text.to_string();
        Ok(Self { text, words })
    }
}

impl fmt::Display for BotCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{PREFIX}{}", self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::BotCommand;

    #[test]
    fn words_are_those_of_a_shell() {
        for (text, words) in [
            ("cmd:bot", &["bot"][..]),
            (" CMD: ./Bot  -x ", &["./Bot", "-x"]),
            ("cmd:python3 \"my bot.py\" a\\ b", &["python3", "my bot.py", "a b"]),
            ("cmd:bot '$HOME' '' '*'", &["bot", "$HOME", "", "*"]),
        ] {
            let command: BotCommand = text.parse().expect("a command");
            assert_eq!(command.words(), words, "{text}");
            let again: BotCommand = command.to_string().parse().expect("its own text");
            assert_eq!(again, command);
        }
    }

    #[test]
    fn faulty_commands_are_refused_with_a_reason() {
        for (text, reason) in [
            ("cmd:", "needs a program"),
            ("cmd:  ", "needs a program"),
            ("cmd:'' x", "needs a program"),
            ("cmd:bot 'x", "does not end"),
            ("cmd:bot \u{1b}[2J", "control characters"),
            ("random", "begins with cmd:"),
            ("äcmd:", "begins with cmd:"),
        ] {
            let error = text.parse::<BotCommand>().expect_err(text);
            assert!(error.message.contains(reason), "{text}: {}", error.message);
        }
    }
}
