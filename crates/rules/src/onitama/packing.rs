use hindsight_core::{ClassWords, Game, Packed, Packing};

use super::{Onitama, OnitamaMove, OnitamaPosition, OrderedHandsPosition, ThesisMoveOrder};
use crate::words::{halves, pack_bytes, unpack_bytes, whole};

/// Implements the packing of the boards with one type of bitboard, over the words of
/// `OnitamaPosition::sort_key`.
macro_rules! packing {
    ($bitboard:ty, $words:literal, $pack:expr, $unpack:expr) => {
        impl Packing<$words> for Onitama<$bitboard> {
            #[inline]
            fn pack(&self, position: OnitamaPosition<$bitboard>) -> [u32; $words] {
                $pack(position.sort_key())
            }

            #[inline]
            fn unpack(&self, words: [u32; $words]) -> OnitamaPosition<$bitboard> {
                OnitamaPosition::of_sort_key($unpack(words))
            }

            #[inline]
            fn pack_move(&self, mv: OnitamaMove) -> u64 {
                pack_bytes([mv.from, mv.to, mv.kind])
            }

            #[inline]
            fn unpack_move(&self, number: u64) -> OnitamaMove {
                let [from, to, kind] = unpack_bytes(number);
                OnitamaMove { from, to, kind }
            }
        }

        impl ClassWords for ThesisMoveOrder<$bitboard> {
            fn word_count(&self) -> usize {
                $words
            }

            fn class_words(&self, ordered: OrderedHandsPosition<$bitboard>) -> Packed {
                Packed::new(self.0.pack(self.0.canonical(ordered.position)))
            }
        }
    };
}

packing!(
    u16,
    2,
    |[red, blue, tail]: [u64; 3]| [(red << 16 | blue) as u32, tail as u32],
    |[pieces, tail]: [u32; 2]| [pieces >> 16, pieces & 0xFFFF, tail].map(u64::from)
);
packing!(u32, 3, |key: [u64; 3]| key.map(|word| word as u32), |words: [u32; 3]| words
    .map(u64::from));
packing!(
    u64,
    6,
    |[red, blue, tail]: [u64; 3]| {
        let ([a, b], [c, d]) = (halves(red), halves(blue));
        [a, b, c, d, tail as u32, 0]
    },
    |[a, b, c, d, tail, _]: [u32; 6]| [whole([a, b]), whole([c, d]), tail.into()]
);
