use alloc::vec::Vec;

use crate::Ranked;

/// Positions of a tier are pairs of squares, one for a piece of each player, and a side to move: unlocks
/// a solver that works on whole rows of bits.
///
/// A tier has `2 * squares * squares` ranks: `(side * squares + other) * squares + own`, where `own` is
/// the square of the side to move. A move inside a tier changes the mover's square; a move out of it
/// changes neither, and leads to a tier of the layer before.
pub trait PawnPairs: Ranked {
    /// How many squares there are, at most 128.
    fn squares(&self) -> u8;

    /// Writes how the pieces of a tier can stand and move.
    fn pawn_pair_rules(&self, tier: u64, rules: &mut PawnPairRules);

    /// Appends the tiers that moves of a side (0 or 1) out of a tier lead to, each with the number of
    /// the image in [`Pairs::images`] that takes the position there to the one that is ranked.
    fn tiers_after(&self, tier: u64, side: usize, out: &mut Vec<(u64, u8)>);

    /// Appends the tiers from which moves of a side lead to this one, as they are numbered, each with every
    /// image that takes the tier before the move to the one that is numbered.
    fn tiers_before(&self, tier: u64, side: usize, out: &mut Vec<(u64, u8)>);

    /// The symmetries by which a tier stands for others; each is its own inverse.
    fn symmetries(&self) -> Vec<PawnPairSymmetry>;
}

/// A symmetry of pairs.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PawnPairSymmetry {
    /// Whether it exchanges the players.
    pub exchanges_players: bool,
    /// Where it takes each square.
    pub squares: Vec<u8>,
}

/// A step over the other piece, which stands in the way.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PawnJump {
    /// Where the piece stands.
    pub from: u8,
    /// Where the other stands.
    pub over: u8,
    /// Where it may go, as a set of squares.
    pub to: u128,
}

/// How the pieces of a tier can stand and move. Sets of squares have a bit a square.
#[derive(Clone, Debug, Default)]
pub struct PawnPairRules {
    /// For each side to move the squares where its own piece can be in a position.
    pub own: [u128; 2],
    /// For each side to move the squares where the other's piece can be.
    pub other: [u128; 2],
    /// For each side to move those of the other's squares with which it has lost.
    pub lost: [u128; 2],
    /// Steps of a distance: from each square of the set to the one so much greater, and back.
    pub steps: [(u8, u128); 2],
    /// What is possible instead of a step onto the other piece.
    pub jumps: Vec<PawnJump>,
}
