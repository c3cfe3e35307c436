//! Sets of squares as machine words.

use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, Not, Shl, Shr};

/// A set of squares as a machine word: squares of one piece, for a fixed square of the other.
pub(super) trait RowBits:
    Copy
    + Eq
    + Default
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + BitAndAssign
    + BitOrAssign
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
{
    /// Converts a set of squares that fits the word.
    fn from_set(set: u128) -> Self;
    /// Returns the least square; the width of the word if the set is empty.
    fn least_square(self) -> u32;
    /// Returns the set without its least square.
    fn without_least(self) -> Self;
    fn bit(square: usize) -> Self;
    #[inline]
    fn is_empty(self) -> bool {
        self == Self::default()
    }
    /// Returns all bits of the word, or none.
    #[inline]
    fn all_if(yes: bool) -> Self {
        if yes { !Self::default() } else { Self::default() }
    }
}

macro_rules! row {
    ($word:ty) => {
        impl RowBits for $word {
            #[inline]
            fn from_set(set: u128) -> Self {
                set as Self
            }
            #[inline]
            fn bit(square: usize) -> Self {
                1 << square
            }
            #[inline]
            fn least_square(self) -> u32 {
                self.trailing_zeros()
            }
            #[inline]
            fn without_least(self) -> Self {
                self & self.wrapping_sub(1)
            }
        }
    };
}

row!(u32);
row!(u64);
row!(u128);
