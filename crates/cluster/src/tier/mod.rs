//! Solve of a layer whose ranks lie in the parts of all workers.
//!
//! A ply is a step. A worker finds the places of its part that are decided at the ply, takes back
//! the moves that lead there, and tells the owners of the predecessors: a list of places that have
//! one more losing move, or a winning one. The lists hold places alone, because all of a step say
//! the same. Values of finished layers are asked for before the first ply.

mod context;
mod count;
mod exits;
mod part;
mod plies;
mod propagate;
mod solve;

pub(crate) use context::LayerContext;
pub(crate) use exits::{FinishedPart, Questions};
pub(crate) use part::TierPart;
pub(crate) use propagate::{Predecessors, apply};
pub(crate) use solve::{StartedPart, solve_layer};
