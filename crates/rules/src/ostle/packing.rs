use hindsight_core::Packing;

use super::{BasePosition, Ostle, OstleMove, OstlePosition, UnrestrictedOstle};

/// The words are those of a position in which no move is forbidden.
impl Packing<3> for UnrestrictedOstle {
    #[inline]
    fn pack(&self, base: BasePosition) -> [u32; 3] {
        words(base, 0)
    }

    #[inline]
    fn unpack(&self, words: [u32; 3]) -> BasePosition {
        base_of(words).0
    }

    #[inline]
    fn pack_move(&self, mv: OstleMove) -> u64 {
        mv.code().into()
    }

    #[inline]
    fn unpack_move(&self, number: u64) -> OstleMove {
        OstleMove::from_code(number as u8)
    }
}

impl Packing<3> for Ostle {
    #[inline]
    fn pack(&self, position: OstlePosition) -> [u32; 3] {
        words(position.base, position.forbidden.map_or(0, |mv| mv.code() + 1))
    }

    #[inline]
    fn unpack(&self, words: [u32; 3]) -> OstlePosition {
        let (base, forbidden) = base_of(words);
        OstlePosition { base, forbidden: forbidden.checked_sub(1).map(OstleMove::from_code) }
    }

    #[inline]
    fn pack_move(&self, mv: OstleMove) -> u64 {
        mv.code().into()
    }

    #[inline]
    fn unpack_move(&self, number: u64) -> OstleMove {
        OstleMove::from_code(number as u8)
    }
}

/// Words of a position; `forbidden` is 0, or 1 more than the code of the forbidden move.
#[inline]
fn words(base: BasePosition, forbidden: u8) -> [u32; 3] {
    let BasePosition { own, other, hole, white } = base;
    [own, other, u32::from_be_bytes([0, hole, white.into(), forbidden])]
}

/// Inverse of [`words`].
#[inline]
fn base_of([own, other, tail]: [u32; 3]) -> (BasePosition, u8) {
    let [_, hole, white, forbidden] = tail.to_be_bytes();
    (BasePosition { own, other, hole, white: white != 0 }, forbidden)
}
