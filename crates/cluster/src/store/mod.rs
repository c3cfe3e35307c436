//! Checkpoint of a solve in several processes: a folder for each process, and one commit.
//!
//! `DIR/process-K-of-N` has the parts that the workers of process K keep:
//!
//! | blob | holds |
//! |---|---|
//! | `state-L-P-W` | part of worker W of layer L, before pass P |
//! | `log-L-P-W` | lists that lead from the part before the pass before P to that before P |
//! | `array0-L-P-W`, `array1-L-P-W` | codes of whole tiers, of layer L and of the next |
//! | `finished-L-W` | part of worker W of a finished layer that others look up |
//! | `tally-L` | process 0: counts of a finished layer |
//! | `commit` | process 0: the layer and the pass from which all parts can go on |
//!
//! A part is a function of the game and the number of workers, so it does not matter which run
//! kept it. Blobs of a pass are written before its commit, and those before it removed after.

mod folders;
mod keys;
mod parts;
mod redeal;
mod reload;
mod resume;

pub use folders::{CheckpointOf, ProcessFolder};
pub(crate) use folders::{Commit, SolvePoint};
pub(crate) use keys::tally_key;
pub(crate) use parts::LayerParts;
pub(crate) use reload::Reload;
pub(crate) use resume::{ProcessPlace, Resumed, resume};
