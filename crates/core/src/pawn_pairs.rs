use alloc::vec::Vec;

use crate::{Game, Ranked};

/// Game in which each player has one moving piece, the pawn, such as Quoridor.
///
/// A tier fixes everything but the squares of the two pawns and the side to move. The trait unlocks
/// a solver that treats rows of ranks as sets of bits.
///
/// A tier has `2 * squares * squares` ranks, holes included:
///
/// ```text
/// rank = (side * squares + other) * squares + own
/// ```
///
/// where `side` (0 or 1) is to move, `own` is the square of its pawn, and `other` is the square of
/// the other pawn. A move inside a tier changes only the mover's square. A move out of a tier
/// changes neither square, and leads to a tier of the previous layer.
pub trait PawnPairs: Ranked {
    /// Returns the number of squares, at most 128.
    fn squares(&self) -> u8;

    /// Overwrites `rules` with the rules of a tier.
    fn pawn_pair_rules(&self, tier: u64, rules: &mut PawnPairRules);

    /// Appends `(next tier, symmetry)` for each move of a side (0 or 1) out of a tier.
    ///
    /// The list holds for all squares of the pawns. Where a move is illegal, the position after it
    /// is a hole of the next tier.
    ///
    /// The symmetry is an index into [`PawnPairs::symmetries`]. It maps the position after the move
    /// to the ranked member of its class, which lies in the next tier.
    fn tiers_after(&self, tier: u64, side: usize, out: &mut Vec<(u64, u8)>);

    /// Appends `(previous tier, symmetry)` for each move of a side (0 or 1) into a tier.
    ///
    /// The symmetry is an index into [`PawnPairs::symmetries`]. It maps the position before the
    /// move to a position of the previous tier. Each symmetry with this property has its own entry.
    fn tiers_before(&self, tier: u64, side: usize, out: &mut Vec<(u64, u8)>);

    /// Returns the symmetries that the numbering of tiers uses; each is its own inverse.
    fn symmetries(&self) -> Vec<PawnPairSymmetry>;
}

/// Game with subgames that are games of [`PawnPairs`].
///
/// A subgame has the same rules and begins at some position. It may have tier numbers of 64 bits
/// where the whole game has too many tiers.
pub trait Subgames: Game {
    /// Subgame with its own numbers of tiers.
    type Subgame: PawnPairs<Position = Self::Position, Move = Self::Move>;

    /// Returns the subgame that begins at a position; `None` if 64 bits cannot number its tiers.
    ///
    /// The subgame ranks all positions that may follow, and all members of their classes. Its
    /// [`Ranked::rank`] returns `None` for positions of other tiers. The position must not be
    /// terminal.
    fn subgame(&self, position: Self::Position) -> Option<Self::Subgame>;
}

/// Symmetry of a [`PawnPairs`] game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PawnPairSymmetry {
    /// True if the players are exchanged.
    pub exchanges_players: bool,
    /// `squares[s]`: image of square `s`.
    pub squares: Vec<u8>,
}

/// Jumps of a pawn over the other pawn, which stands next to it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PawnJump {
    /// Square of the pawn that jumps.
    pub from: u8,
    /// Square of the other pawn.
    pub over: u8,
    /// Set of the squares to which the pawn may jump.
    pub to: u128,
}

/// Squares and moves of the pawns in one tier.
///
/// Sets of squares have bit `s` for square `s`. Arrays of sets are indexed by the side to move.
#[derive(Clone, Debug, Default)]
pub struct PawnPairRules {
    /// Squares possible for the pawn of the side to move.
    pub own: [u128; 2],
    /// Squares possible for the other pawn.
    pub other: [u128; 2],
    /// Squares of the other pawn on which it has won, so that the side to move has lost.
    pub lost: [u128; 2],
    /// Steps `(distance, set)`: for each square `s` of the set a pawn may step from `s` to
    /// `s + distance`, and back.
    pub steps: [(u8, u128); 2],
    /// Jumps that replace a step onto the other pawn.
    pub jumps: Vec<PawnJump>,
}
