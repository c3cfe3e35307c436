//! Solve of games whose pieces cannot go back: one byte for each position, tier by tier.
//!
//! A follower that leaves a row of the board for good loses height ([`heights`]). A tier is all
//! positions whose followers stand at given heights. Moves lead to the tier itself, to lower tiers
//! and to tiers with fewer followers, so these are solved first. A tier that nothing leads to any
//! more is freed; a histogram of its values is kept.
//!
//! A tier is solved by value iteration. All positions begin as draws, and each round replaces a
//! value by the best that its successors give.
//!
//! Invariant: after `k` rounds each value is at least as precise as in the game that is declared
//! drawn after `k` further moves within the tier. So the iteration converges from "draw" to the
//! exact value.

pub(crate) mod gather;
pub(crate) mod heights;
pub(crate) mod lane_permutations;
pub(crate) mod plan;
pub(crate) mod run;
pub(crate) mod tier;
pub(crate) mod tracked;
pub(crate) mod value_iteration;
