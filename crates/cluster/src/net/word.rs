//! Words on a control connection: a kind and a number or a short text.

use std::time::Duration;

use hindsight_engine::checkpoint::Damage;
use hindsight_engine::checkpoint::bytes::Cursor;

/// Time in which the last word of a process reaches the others, before its connections end.
pub(super) const LAST_WORDS: Duration = Duration::from_millis(200);
/// Longest text of a word, in bytes.
const MAX_TEXT: usize = 1 << 14;

/// Message on a control connection, which is the payload of a frame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Word {
    /// The sender is alive. The number is that of the bytes that it has sent over the data
    /// connection.
    Beat(u64),
    /// The sender can begin.
    Ready,
    /// The sender cannot begin, for this reason.
    Refused(String),
    /// The solve has failed, for this reason.
    Failed(String),
    /// The sender has finished; only beats follow.
    Done,
}

impl Word {
    /// Bytes of the word: one for the kind, then the number or the text.
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let (kind, body) = match self {
            Self::Beat(sent) => (0, sent.to_le_bytes().to_vec()),
            Self::Ready => (1, Vec::new()),
            Self::Refused(text) => (2, cut(text)),
            Self::Failed(text) => (3, cut(text)),
            Self::Done => (4, Vec::new()),
        };
        [vec![kind], body].concat()
    }

    /// Reads the bytes of [`Self::to_bytes`].
    pub(super) fn from_bytes(bytes: &[u8]) -> Result<Self, Damage> {
        let mut cursor = Cursor::new(bytes, "a word");
        let kind = cursor.byte()?;
        let text = |cursor: Cursor<'_>| {
            String::from_utf8_lossy(cursor.rest()).replace(char::is_control, " ")
        };
        Ok(match kind {
            0 => Self::Beat(cursor.u64()?),
            1 => Self::Ready,
            2 => Self::Refused(text(cursor)),
            3 => Self::Failed(text(cursor)),
            4 => Self::Done,
            _ => return Err(cursor.fail("it is of no known kind")),
        })
    }
}

fn cut(text: &str) -> Vec<u8> {
    text.as_bytes()[..text.floor_char_boundary(MAX_TEXT)].to_vec()
}

#[cfg(test)]
mod tests {
    use super::Word;

    #[test]
    fn words_are_read_back() {
        for word in [
            Word::Beat(1 << 40),
            Word::Ready,
            Word::Refused("no room".into()),
            Word::Failed("the disk is full".into()),
            Word::Done,
        ] {
            assert_eq!(Word::from_bytes(&word.to_bytes()), Ok(word));
        }
        let long = Word::Failed("\u{e9}".repeat(20_000));
        assert!(long.to_bytes().len() < 20_000, "a long text is cut");
        assert!(Word::from_bytes(&long.to_bytes()).is_ok());
        for damaged in [&[][..], &[9], &[0, 1, 2]] {
            assert!(Word::from_bytes(damaged).is_err());
        }
    }
}
