//! Permutations of the bytes of a lane.

use crate::simd::chunk::{CHUNK_BYTES, Chunk};

/// Permutation of the bytes of some chunks: `to[i] = from[permutation[i]]`.
#[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "steps are for AVX-512"))]
pub(crate) struct BytePermutation {
    /// Index of the source of each byte.
    sources: Vec<u16>,
    /// The same permutation as steps, ordered by the chunk that they write.
    pub(crate) steps: Vec<PermutationStep>,
    /// Number of steps that write each chunk.
    pub(crate) steps_per_chunk: Vec<usize>,
}

/// Bytes of one chunk that come from the same two source chunks.
#[cfg_attr(not(target_arch = "x86_64"), expect(dead_code, reason = "steps are for AVX-512"))]
pub(crate) struct PermutationStep {
    /// Indices of the source chunks; equal where the second would be beyond the end.
    pub(crate) from: [usize; 2],
    /// Index of each byte's source in these 128 bytes; meaningless where `mask` is 0.
    pub(crate) indices: Chunk,
    /// Bit `i` is 1 if byte `i` comes from these chunks.
    pub(crate) mask: u64,
}

impl BytePermutation {
    /// Tabulates `to[i] = from[source(i)]` for `i < bytes`.
    ///
    /// Bytes from `bytes` to the end of the last chunk stay where they are.
    #[inline]
    pub(crate) fn new(bytes: usize, source: impl Fn(usize) -> usize) -> Self {
        let chunks = bytes.div_ceil(CHUNK_BYTES);
        let source = |at| if at < bytes { source(at) } else { at };
        let sources: Vec<u16> = (0..chunks * CHUNK_BYTES).map(|at| source(at) as u16).collect();
        let mut steps = Vec::new();
        let mut steps_per_chunk = Vec::new();
        for sources in sources.chunks(CHUNK_BYTES) {
            let begin = steps.len();
            for pair in 0..chunks.div_ceil(2) {
                let is_in_pair = |source: u16| usize::from(source) / (2 * CHUNK_BYTES) == pair;
                let places = (0..CHUNK_BYTES).filter(|&at| is_in_pair(sources[at]));
                let mask = places.fold(0, |mask, at| mask | 1_u64 << at);
                if mask != 0 {
                    steps.push(PermutationStep {
                        from: [2 * pair, (2 * pair + 1).min(chunks - 1)],
                        indices: Chunk(std::array::from_fn(|at| sources[at] as u8 & 127)),
                        mask,
                    });
                }
            }
            steps_per_chunk.push(steps.len() - begin);
        }
        Self { sources, steps, steps_per_chunk }
    }

    /// Permutes byte by byte.
    #[inline(always)]
    pub(crate) fn apply(&self, bytes: &[Chunk], to: &mut [Chunk]) {
        for (to, sources) in to.iter_mut().zip(self.sources.as_chunks::<CHUNK_BYTES>().0) {
            for (to, &source) in to.0.iter_mut().zip(sources) {
                let source = usize::from(source);
                *to = bytes[source / CHUNK_BYTES].0[source % CHUNK_BYTES];
            }
        }
    }
}
