//! Distances of a position in a word.

use super::nearest::NearestDistances;

/// Distances of a position, in 32 bits.
///
/// | bits | content |
/// |---|---|
/// | 0..8 | 1 + least distance of its states; 0 if not reached |
/// | 8..16 | 1 + least distance of a state that allows the move in bits 24..31; 0 if none |
/// | 16 | 1 if the state that forbids nothing was reached |
/// | 24..31 | move that every nearest state forbids, or 0 |
/// | 17..24, 31 | 0 |
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct DistanceWord(pub(super) u32);

const UNRESTRICTED: u32 = 1 << 16;

impl DistanceWord {
    fn distance(self, shift: u32) -> Option<u16> {
        ((self.0 >> shift & 0xFF) as u16).checked_sub(1)
    }

    fn with_distance(self, shift: u32, distance: u16) -> Self {
        Self(self.0 & !(0xFF << shift) | (u32::from(distance) + 1) << shift)
    }

    pub(super) fn least(self) -> Option<u16> {
        self.distance(0)
    }

    pub(super) fn least_allowing(self) -> Option<u16> {
        self.distance(8)
    }

    pub(super) fn reached_unrestricted(self) -> bool {
        self.0 & UNRESTRICTED != 0
    }

    pub(super) fn forbidden(self) -> u8 {
        (self.0 >> 24) as u8
    }

    /// True for a valid word of a position that was reached in at most `most` plies.
    pub(super) fn is_reached_within(self, most: u16) -> bool {
        const SPARE: u32 = 0x80FE_0000;
        let second = self.least_allowing();
        self.0 & SPARE == 0
            && self.least().is_some_and(|first| first <= most)
            && second.is_none_or(|second| second <= most && Some(second) > self.least())
    }

    fn with_forbidden(self, move_id: u8) -> Self {
        Self(self.0 & 0x00FF_FFFF | u32::from(move_id) << 24)
    }

    /// Returns the distances of the position.
    pub(super) fn nearest(self) -> Option<NearestDistances> {
        Some(NearestDistances {
            least: self.least()?,
            forbidden: self.forbidden(),
            least_allowing: self.least_allowing(),
        })
    }

    /// Returns the word after a state was reached that forbids move `forbids` (0: none).
    ///
    /// `effective` is the forbidden move as its position's edges see it: 0 if an image of the move
    /// under a symmetry is allowed, else `forbids`.
    pub(super) fn reached(self, forbids: u8, effective: u8, distance: u16) -> Self {
        let word = if forbids == 0 { Self(self.0 | UNRESTRICTED) } else { self };
        match word.least() {
            None => word.with_distance(0, distance).with_forbidden(effective),
            Some(_) if word.forbidden() == 0 || word.forbidden() == effective => word,
            Some(first) if first == distance => word.with_forbidden(0),
            Some(_) if word.least_allowing().is_none() => word.with_distance(8, distance),
            Some(_) => word,
        }
    }
}
