use crate::simd::chunk::{CHUNK_BYTES, Chunk};

/// Another order of the bytes of a lane.
pub(crate) struct BytePermutation {
    /// Which byte comes at each place.
    sources: Vec<u16>,
    /// The same from two chunks a step, by the chunk they come to.
    pub(crate) steps: Vec<PermutationStep>,
    /// How many steps each chunk takes.
    pub(crate) steps_per_chunk: Vec<usize>,
}

/// To take bytes from two chunks.
pub(crate) struct PermutationStep {
    pub(crate) from: [usize; 2],
    /// Which of these 128 bytes comes at each place.
    pub(crate) indices: Chunk,
    /// Places where one of them comes.
    pub(crate) mask: u64,
}

impl BytePermutation {
    /// Of so many bytes, of which some are filled up to chunks.
    #[inline]
    pub(crate) fn new(bytes: usize, source: impl Fn(usize) -> usize) -> Self {
        let chunks = bytes.div_ceil(CHUNK_BYTES);
        let source = |at| if at < bytes { source(at) } else { at };
        let sources: Vec<u16> = (0..chunks * CHUNK_BYTES)
            .map(|at| source(at) as u16)
            .collect();
        let mut steps = Vec::new();
        let mut steps_of = Vec::new();
        for of in sources.chunks(CHUNK_BYTES) {
            let begin = steps.len();
            for pair in 0..chunks.div_ceil(2) {
                let is_there = |source: u16| usize::from(source) / (2 * CHUNK_BYTES) == pair;
                let places = (0..CHUNK_BYTES).filter(|&place| is_there(of[place]));
                let places = places.fold(0, |all, place| all | 1_u64 << place);
                if places != 0 {
                    steps.push(PermutationStep {
                        from: [2 * pair, (2 * pair + 1).min(chunks - 1)],
                        indices: Chunk(std::array::from_fn(|place| of[place] as u8 & 127)),
                        mask: places,
                    });
                }
            }
            steps_of.push(steps.len() - begin);
        }
        Self {
            sources,
            steps,
            steps_per_chunk: steps_of,
        }
    }

    /// Puts bytes in this order, one by one.
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
