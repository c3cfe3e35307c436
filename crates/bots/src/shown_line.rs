/// Most characters of a line that is shown.
const MAX_CHARACTERS: usize = 60;

/// Returns a line of a bot as it is shown in messages: in quotes, with control characters and byte
/// order marks as escapes, and shortened.
///
/// ```
/// use hindsight_bots::shown_line;
///
/// assert_eq!(shown_line(b"move \x1b[2J"), r"'move \u{1b}[2J'");
/// assert_eq!(shown_line(&[b'x'; 70]), format!("'{}..'", "x".repeat(60)));
/// ```
#[must_use]
pub fn shown_line(line: &[u8]) -> String {
    let text = String::from_utf8_lossy(line);
    let mut shown = String::from("'");
    for (count, character) in text.chars().enumerate() {
        if count == MAX_CHARACTERS {
            shown.push_str("..");
            break;
        }
        match character {
            '\u{feff}' => shown.extend(character.escape_unicode()),
            _ if character.is_control() => shown.extend(character.escape_default()),
            _ => shown.push(character),
        }
    }
    shown.push('\'');
    shown
}
