//! Lanes in board order: a word for each line.

use std::ops::{Deref, DerefMut};

/// Lines of a lane, by the square of side 0's leader.
///
/// `R` is even and at least the number of squares; words without a square are 0 or meaningless. The
/// length is a constant so that the compiler vectorizes loops over lines.
pub(crate) type LaneLines<const R: usize> = [u32; R];

/// Words in board order that begin with a cache line, so that no wide crosses into the next.
pub(crate) struct LaneBuffer {
    words: Vec<u32>,
    /// Index of the first word that is used.
    begin: usize,
}

/// Words in a cache line.
const LINE_WORDS: usize = 16;

impl LaneBuffer {
    /// `len` words, all 0.
    pub(crate) fn new(len: usize) -> Self {
        let words = vec![0; len + LINE_WORDS - 1];
        // Misaligned words would only be slower, so an unknown offset does no harm.
        let begin = words.as_ptr().align_offset(4 * LINE_WORDS).min(LINE_WORDS - 1);
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

/// Sets bit `at` of word `i` for each bit `i` of `lines`.
#[inline(always)]
pub(crate) fn or_column<const R: usize>(out: &mut LaneLines<R>, lines: u32, at: usize) {
    for (i, word) in out.iter_mut().enumerate() {
        *word |= (lines >> i & 1) << at;
    }
}
