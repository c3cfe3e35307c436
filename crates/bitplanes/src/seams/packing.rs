//! Packing a lane and unpacking it again keeps the bits of free squares.

use crate::plane::packing::{FreeSquares, MAX_LANE_BYTES, lane_of_words, pack, unpack};
use crate::seams::boards::random_bits;
use crate::simd::dispatch::Instructions;
use crate::simd::token::{Kernel, Simd, WIDE_WORDS};

/// A lane with its free squares.
struct RandomLane {
    free: u32,
    words: [u32; 2 * WIDE_WORDS],
}

/// Packs the words of a lane, and unpacks what that gives.
struct ThereAndBack<'a>(&'a RandomLane);

impl Kernel for ThereAndBack<'_> {
    type Output = [u32; 32];

    fn run<S: Simd>(self, simd: S) -> [u32; 32] {
        let free = FreeSquares::<S, 32>::new(simd, self.0.free);
        let mut packed = [u8::MAX; MAX_LANE_BYTES];
        let words = lane_of_words(simd, &self.0.words);
        pack::<S, 32>(simd, &words, &free, &mut packed);
        let mut lines = [u32::MAX; 32];
        unpack::<S, 32>(simd, &packed, &free, &mut lines);
        lines
    }
}

#[test]
fn packing_there_and_back_keeps_the_bits_of_free_squares() {
    let lanes = if cfg!(miri) { 10 } else { 5_000_u64 };
    for seed in 0..lanes {
        let mut random = random_bits(seed);
        let free = (random() | random()) as u32 & u32::MAX >> (seed % 31);
        let lane = RandomLane { free, words: std::array::from_fn(|_| random() as u32) };
        let expected = std::array::from_fn(|line| match free >> line & 1 {
            1 => lane.words[line] & free,
            _ => 0,
        });
        for instructions in Instructions::all() {
            let found = instructions.dispatch(ThereAndBack(&lane));
            assert_eq!(found, expected, "{free:b} {instructions:?}");
        }
    }
}
