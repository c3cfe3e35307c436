use hindsight_core::Packing;

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

/// Implements the packing of positions with ordered hands: the words of the position, then those of
/// the slots.
macro_rules! ordered_packing {
    ($bitboard:ty, $words:literal, $pack:expr, $unpack:expr) => {
        impl Packing<$words> for ThesisMoveOrder<$bitboard> {
            #[inline]
            fn pack(
                &self,
                ordered: OrderedHandsPosition<OnitamaPosition<$bitboard>>,
            ) -> [u32; $words] {
                $pack(self.0.pack(ordered.position), halves(ordered.slots))
            }

            #[inline]
            fn unpack(
                &self,
                words: [u32; $words],
            ) -> OrderedHandsPosition<OnitamaPosition<$bitboard>> {
                let (position, slots) = $unpack(words);
                OrderedHandsPosition { position: self.0.unpack(position), slots: whole(slots) }
            }

            #[inline]
            fn pack_move(&self, mv: OnitamaMove) -> u64 {
                self.0.pack_move(mv)
            }

            #[inline]
            fn unpack_move(&self, number: u64) -> OnitamaMove {
                self.0.unpack_move(number)
            }
        }
    };
}

ordered_packing!(u32, 5, |[a, b, c]: [u32; 3], [d, e]: [u32; 2]| [a, b, c, d, e], |[
    a,
    b,
    c,
    d,
    e,
]: [u32; 5]| (
    [a, b, c],
    [d, e]
));
// The last word of the position is 0. Eight slots fill a word.
ordered_packing!(
    u64,
    6,
    |[a, b, c, d, e, _]: [u32; 6], [_, slots]: [u32; 2]| [a, b, c, d, e, slots],
    |[a, b, c, d, e, slots]: [u32; 6]| ([a, b, c, d, e, 0], [0, slots])
);
