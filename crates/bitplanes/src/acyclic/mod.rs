//! A solve where no piece can go back: every position a byte, tier by tier.
//!
//! Followers that leave a row of the board, say, never return to it. So positions are cut into tiers by the heights
//! of both sides' followers (`ways.rs`), and only lower tiers and those with fewer followers have to be there when one is
//! solved. All positions of a tier are drawn at first; then each becomes what its successors make of it, again and again, until nothing
//! changes any more. That is exact: after k rounds at the least a value is that of the game in which
//! who is not through after k more moves in the tier has drawn, so wins and losses get nearer until they are right.
//! Tiers that nothing leads to any more are forgotten: what is left is how many positions have each value.

pub(crate) mod gather;
pub(crate) mod heights;
pub(crate) mod lane_permutations;
pub(crate) mod plan;
pub(crate) mod run;
pub(crate) mod tier;
pub(crate) mod tracked;
pub(crate) mod value_iteration;
