//! Memory of answers that clients have not read yet.

use std::sync::Arc;

use axum::body::Bytes;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::{Problem, ProblemKind};

/// Length up to which answers are not counted.
const SMALL_BYTES: usize = 16 << 10;

/// Memory of the large answers that are being sent.
#[derive(Debug)]
pub(crate) struct UnreadAnswers {
    free: Arc<Semaphore>,
    bytes: u32,
}

/// Answer that takes its length from the memory until it is sent.
struct CountedAnswer {
    answer: Bytes,
    _permit: OwnedSemaphorePermit,
}

impl AsRef<[u8]> for CountedAnswer {
    fn as_ref(&self) -> &[u8] {
        &self.answer
    }
}

impl UnreadAnswers {
    /// Returns a memory of some bytes.
    pub(crate) fn new(bytes: u64) -> Self {
        let bytes = u32::try_from(bytes).unwrap_or(u32::MAX);
        Self {
            free: Arc::new(Semaphore::new(bytes as usize)),
            bytes,
        }
    }

    /// Counts an answer until it is sent.
    ///
    /// # Errors
    /// A problem if other answers have all the memory. One answer may be larger than it.
    pub(crate) fn hold(&self, answer: Bytes) -> Result<Bytes, Problem> {
        if answer.len() <= SMALL_BYTES {
            return Ok(answer);
        }
        let length = u32::try_from(answer.len()).unwrap_or(u32::MAX);
        let length = length.min(self.bytes);
        let permit = self.free.clone().try_acquire_many_owned(length);
        let permit = permit.map_err(|_| {
            let detail = "large answers wait for their readers; ask for less, or again later";
            Problem::new(ProblemKind::Busy, detail).retry_after(1)
        })?;
        Ok(Bytes::from_owner(CountedAnswer {
            answer,
            _permit: permit,
        }))
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
