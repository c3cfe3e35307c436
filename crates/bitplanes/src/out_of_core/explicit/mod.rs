//! The last passes, over an explicit graph of the undecided positions in memory.
//!
//! Once few positions are undecided, those with side 0 to move are numbered, one of each two mirror
//! images, and the numbers of their undecided successors are kept. A successor has side 1 to move;
//! its number is that of its exchanged position. Passes then go over numbers alone. Nothing of the
//! graph is kept in tiles: a solve that is killed here goes on from the tiles, before the first of
//! these passes.

pub(crate) mod index;
pub(crate) mod solve;
pub(crate) mod successors;
