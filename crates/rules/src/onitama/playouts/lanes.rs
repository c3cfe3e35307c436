//! Draws in all lanes at a time, compiled for each set of instructions.
//!
//! The compiler makes vectors of the lanes, for each set of instructions that a kernel names. The
//! results are the same for all.

use core::array::from_fn;

use fearless_simd::Level;

use super::lane_game::{GAME_WORDS, LaneGame, LaneRules};
use super::lane_table::LaneTable;

/// Number of games at a time.
pub(super) const LANES: usize = 32;

/// Number of draws in each lane between two looks at the lanes.
const DRAWS: usize = 8;

/// Random words for all draws between two looks: half a word for each.
pub(super) const RANDOM_WORDS: usize = DRAWS * LANES / 2;

/// Number of draws in a row without a move after which the moves are listed.
const MAX_REJECTED: u32 = 64;

/// The games in all lanes: `words[i][lane]` is word `i` of a game.
pub(super) struct Lanes {
    words: [[u32; LANES]; GAME_WORDS],
}

impl Lanes {
    /// Returns lanes without games.
    pub(super) fn idle() -> Self {
        Self { words: LaneGame::IDLE.words().map(|word| [word; LANES]) }
    }

    #[inline(always)]
    pub(super) fn game(&self, lane: usize) -> LaneGame {
        LaneGame::from_words(from_fn(|i| self.words[i][lane]))
    }

    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, game: LaneGame) {
        for (words, word) in self.words.iter_mut().zip(game.words()) {
            words[lane] = word;
        }
    }

    /// Makes [`DRAWS`] draws in each lane, by the instructions of a level.
    ///
    /// Returns the set of lanes whose game is over, or had no move for long.
    #[inline]
    pub(super) fn draw_by(
        &mut self,
        level: Level,
        table: &LaneTable,
        rules: LaneRules,
        random: &[u64; RANDOM_WORDS],
    ) -> u64 {
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(token) = level.as_avx512() {
                return draw_by_avx512(token, self, table, rules, random);
            }
            if let Some(token) = level.as_avx2() {
                return draw_by_avx2(token, self, table, rules, random);
            }
        }
        _ = level;
        draw(self, table, rules, random)
    }
}

fearless_simd::kernel!(
    /// [`draw`] by AVX-512.
    #[inline]
    fn draw_by_avx512(
        token: Avx512,
        lanes: &mut Lanes,
        table: &LaneTable,
        rules: LaneRules,
        random: &[u64; RANDOM_WORDS],
    ) -> u64 {
        draw(lanes, table, rules, random)
    }
);

fearless_simd::kernel!(
    #[inline]
    fn draw_by_avx2(
        token: Avx2,
        lanes: &mut Lanes,
        table: &LaneTable,
        rules: LaneRules,
        random: &[u64; RANDOM_WORDS],
    ) -> u64 {
        draw(lanes, table, rules, random)
    }
);

/// Makes all draws between two looks; see [`Lanes::draw_by`].
#[inline(always)]
fn draw(
    lanes: &mut Lanes,
    table: &LaneTable,
    rules: LaneRules,
    random: &[u64; RANDOM_WORDS],
) -> u64 {
    for words in random.as_chunks::<{ LANES / 2 }>().0 {
        let bits: [u32; LANES] = from_fn(|lane| (words[lane / 2] >> (lane % 2 * 32)) as u32);
        for (lane, &bits) in bits.iter().enumerate() {
            let game = lanes.game(lane).after_draw(table, rules, bits);
            lanes.set(lane, game);
        }
    }
    let needs_look = |game: LaneGame| game.is_over() | (game.rejected >= MAX_REJECTED);
    (0..LANES).fold(0, |set, lane| set | u64::from(needs_look(lanes.game(lane))) << lane)
}
