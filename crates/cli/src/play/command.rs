//! Lines that a person types.

/// List of the words that a person may type, as `help` prints it.
pub(super) const HELP: &str =
    concat!("Type a move, or one of these words:\n", include_str!("words.txt"));

/// A line that a person types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum PlayCommand<'a> {
    /// Nothing.
    Empty,
    /// Any other line: a move.
    Move(&'a str),
    /// `moves`.
    Moves,
    /// `hint`.
    Hint,
    /// `review`.
    Review,
    /// `undo`.
    Undo,
    /// `back`, `forward`, `first` or `last`.
    Look(Look),
    /// `show`.
    Show,
    /// `flip`.
    Flip,
    /// `save`, to the file of the last save if none is named.
    Save(&'a str),
    /// `overwrite`.
    Overwrite(&'a str),
    /// `resign`.
    Resign,
    /// `quit`.
    Quit,
    /// `help`.
    Help,
    /// A command with something behind it that it does not take.
    Refused(String),
}

/// Position of the game to look at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Look {
    /// Plies to go back.
    Back(usize),
    /// Plies to go forward.
    Forward(usize),
    /// The first position.
    First,
    /// The last position.
    Last,
}

impl Look {
    /// Returns the ply to look at, from the one that is shown, among `last + 1` positions.
    pub(super) fn from(self, shown: usize, last: usize) -> usize {
        match self {
            Self::Back(plies) => shown.saturating_sub(plies),
            Self::Forward(plies) => shown.saturating_add(plies).min(last),
            Self::First => 0,
            Self::Last => last,
        }
    }
}

impl<'a> PlayCommand<'a> {
    pub(super) fn read(line: &'a str) -> Self {
        let line = line.trim();
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let (word, rest) = (word.to_ascii_lowercase(), rest.trim());
        let alone = |command: Self| match rest {
            "" => command,
            _ => Self::Refused(format!("'{word}' stands alone, without '{rest}'")),
        };
        match word.as_str() {
            "" => Self::Empty,
            "help" | "?" => alone(Self::Help),
            "moves" => alone(Self::Moves),
            "hint" => alone(Self::Hint),
            "review" => alone(Self::Review),
            "undo" => alone(Self::Undo),
            "show" => alone(Self::Show),
            "flip" => alone(Self::Flip),
            "resign" => alone(Self::Resign),
            "quit" | "exit" => alone(Self::Quit),
            "first" => alone(Self::Look(Look::First)),
            "last" => alone(Self::Look(Look::Last)),
            "back" => Self::look_by(rest, Look::Back),
            "forward" => Self::look_by(rest, Look::Forward),
            "save" => Self::Save(rest),
            "overwrite" if rest.is_empty() => {
                Self::Refused(String::from("overwrite which file? overwrite FILE"))
            }
            "overwrite" => Self::Overwrite(rest),
            _ => Self::Move(line),
        }
    }

    fn look_by(plies: &str, look: fn(usize) -> Look) -> Self {
        match plies {
            "" => Self::Look(look(1)),
            _ => match plies.parse() {
                Ok(plies) => Self::Look(look(plies)),
                Err(_) => Self::Refused(format!("'{plies}' is no number of plies")),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Look, PlayCommand};

    #[test]
    fn lines_are_read() {
        for (line, command) in [
            ("", PlayCommand::Empty),
            (" A1B2:boar ", PlayCommand::Move("A1B2:boar")),
            ("HINT", PlayCommand::Hint),
            ("back", PlayCommand::Look(Look::Back(1))),
            ("forward  12", PlayCommand::Look(Look::Forward(12))),
            ("save my game.jsonl", PlayCommand::Save("my game.jsonl")),
            ("save", PlayCommand::Save("")),
            ("overwrite\tg", PlayCommand::Overwrite("g")),
        ] {
            assert_eq!(PlayCommand::read(line), command, "{line}");
        }
        for line in ["undo 2", "back two", "overwrite", "quit now", "back -1"] {
            let command = PlayCommand::read(line);
            assert!(matches!(command, PlayCommand::Refused(_)), "{line}");
        }
    }

    #[test]
    fn looking_stays_within_the_game() {
        assert_eq!(Look::Back(3).from(2, 7), 0);
        assert_eq!(Look::Forward(usize::MAX).from(2, 7), 7);
        assert_eq!(Look::Forward(1).from(2, 7), 3);
        assert_eq!([Look::First, Look::Last].map(|look| look.from(2, 7)), [0, 7]);
    }
}
