use hindsight_core::Random;

/// Numbers that are taken from the generator at once.
const BLOCK: usize = 16;

/// Random words of 32 bits, in blocks. What is left of the last block is lost.
pub(super) struct RandomWords<'a> {
    random: &'a mut dyn Random,
    words: [u32; 2 * BLOCK],
    taken: usize,
}

impl<'a> RandomWords<'a> {
    #[inline]
    pub(super) fn new(random: &'a mut dyn Random) -> Self {
        Self { random, words: [0; 2 * BLOCK], taken: 2 * BLOCK }
    }

    #[inline(always)]
    pub(super) fn next(&mut self) -> u32 {
        if self.taken >= self.words.len() {
            self.refill();
        }
        let word = self.words[self.taken % (2 * BLOCK)];
        self.taken += 1;
        word
    }

    #[inline(never)]
    fn refill(&mut self) {
        let mut block = [0; BLOCK];
        self.random.fill(&mut block);
        for (halves, number) in self.words.chunks_exact_mut(2).zip(block) {
            halves.copy_from_slice(&[number as u32, (number >> 32) as u32]);
        }
        self.taken = 0;
    }
}
