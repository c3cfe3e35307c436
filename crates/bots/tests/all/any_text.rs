//! Texts from outside, whatever they are.

use hindsight_bots::{BotCommand, BotLine, HostLine, shown_line};
use proptest::prelude::*;

proptest! {
    #[test]
    fn any_line_is_read_or_refused(text in "(hello|newgame|go|move|cmd:|error)?[ \t]?.{0,30}") {
        if let Err(error) = HostLine::read(&text) {
            prop_assert!(error.offset <= text.len());
        }
        if let Some(line) = BotLine::read(&text) {
            let written = line.to_string();
            prop_assert!(!written.contains(['\n', '\r']));
            let again = BotLine::read(&written).expect("a line of a bot");
            prop_assert_eq!(&again.to_string(), &written);
            // Line breaks within a text become spaces; nothing else changes.
            if !text.trim().contains('\r') {
                prop_assert_eq!(again, line);
            }
        }
        if let Ok(command) = text.parse::<BotCommand>() {
            prop_assert_eq!(command.to_string().parse::<BotCommand>(), Ok(command));
        }
    }

    #[test]
    fn shown_lines_are_short_and_harmless(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let shown = shown_line(&bytes);
        prop_assert!(!shown.chars().any(char::is_control));
        // An escape has at most ten characters.
        prop_assert!(shown.chars().count() <= 60 * 10 + 4);
    }
}
