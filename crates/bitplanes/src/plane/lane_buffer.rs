//! Lanes: the rows of a context, a word of 32 bits each, in arrays so long that the compiler makes the loops
//! wide.

use std::ops::{Deref, DerefMut};

/// The rows of a lane. `R` is at least the number of squares; `R` is even; rows without a square are 0 or meaningless.
pub(crate) type LaneLines<const R: usize> = [u32; R];

/// Words in board order, from the beginning of a cache line on, so that no wide of a lane crosses into the next.
pub(crate) struct LaneBuffer {
    words: Vec<u32>,
    begin: usize,
}

/// Words of a cache line.
const LINE_WORDS: usize = 16;

impl LaneBuffer {
    /// So many zeros.
    pub(crate) fn new(len: usize) -> Self {
        let words = vec![0; len + LINE_WORDS - 1];
        // Where it cannot be told no wide is misplaced, only read more slowly.
        let begin = words
            .as_ptr()
            .align_offset(4 * LINE_WORDS)
            .min(LINE_WORDS - 1);
        Self { words, begin }
    }
}

impl Deref for LaneBuffer {
    type Target = [u32];

    #[inline(always)]
    fn deref(&self) -> &[u32] {
        &self.words[self.begin..]
    }
}

impl DerefMut for LaneBuffer {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut [u32] {
        &mut self.words[self.begin..]
    }
}

/// Sets bit `at` of the words whose bit is set in `rows`.
#[inline(always)]
pub(crate) fn or_column<const R: usize>(out: &mut LaneLines<R>, rows: u32, at: usize) {
    for (i, word) in out.iter_mut().enumerate() {
        *word |= (rows >> i & 1) << at;
    }
}
