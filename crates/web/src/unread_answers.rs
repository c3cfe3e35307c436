//! Memory of answers that clients have not read yet.

use axum::body::Bytes;

use crate::shared_bytes::{HeldBytes, SharedBytes};
use crate::{Problem, ProblemKind};

/// Length up to which answers are not counted.
const SMALL_BYTES: usize = 16 << 10;

/// Memory of the large answers that are being sent.
#[derive(Debug)]
pub(crate) struct UnreadAnswers(SharedBytes);

/// Answer that takes its length from the memory until it is sent.
struct CountedAnswer {
    answer: Bytes,
    _held: HeldBytes,
}

impl AsRef<[u8]> for CountedAnswer {
    fn as_ref(&self) -> &[u8] {
        &self.answer
    }
}

impl UnreadAnswers {
    /// Returns a memory of some bytes.
    pub(crate) fn new(bytes: u64) -> Self {
        Self(SharedBytes::new(usize::try_from(bytes).unwrap_or(usize::MAX)))
    }

    /// Counts an answer until it is sent.
    ///
    /// # Errors
    /// A problem if other answers have all the memory. One answer may be larger than it.
    pub(crate) fn hold(&self, answer: Bytes) -> Result<Bytes, Problem> {
        if answer.len() <= SMALL_BYTES {
            return Ok(answer);
        }
        let mut held = self.0.begin();
        if !held.take(answer.len()) {
            let detail = "large answers wait for their readers; ask for less, or again later";
            return Err(Problem::new(ProblemKind::Busy, detail).retry_after(1));
        }
        Ok(Bytes::from_owner(CountedAnswer { answer, _held: held }))
    }
}

#[cfg(test)]
mod tests {
    use super::{SMALL_BYTES, UnreadAnswers};
    use axum::body::Bytes;

    #[test]
    fn an_answer_has_its_place_until_it_is_dropped() {
        let unread = UnreadAnswers::new(100_000);
        let answer = |length| unread.hold(Bytes::from(vec![0; length]));
        let first = answer(60_000).expect("a place");
        assert!(answer(60_000).is_err());
        assert!(answer(SMALL_BYTES).is_ok());
        assert!(answer(30_000).is_ok());
        drop(first);
        let whole = answer(1 << 20).expect("one answer may be larger");
        assert_eq!(whole.len(), 1 << 20);
        assert!(answer(30_000).is_err());
    }
}
