//! The engine under every solver: limits, monitor, errors, threads, finished layers, checkpoints,
//! counts.
//!
//! | type | meaning |
//! |---|---|
//! | [`Limits`], [`Budget`] | memory and time that a run may use; limits with a running clock |
//! | [`Monitor`], [`Progress`] | listener that may stop a run; its position in the work |
//! | [`Error`] | reason for an end without an answer |
//! | [`Layer`], [`Store`] | values of one layer, a byte per rank; storage of finished layers |
//! | [`TierCodes`] | codes of a byte for values, assigned in the order in which they appear |
//! | [`StateSource`], [`StateTierStore`] | values of states with a forbidden move; their storage |
//! | [`Histogram`], [`Summary`] | positions by value; their totals |
//! | [`StrongSolution`] | histogram and totals, with the value of the start |
//! | [`Pace`] | size of the portions of work between two reports |
//! | [`memory`] | memory that the system gives or refuses, before work relies on it |
//! | [`checkpoint`] | progress of a stopped solve as named blobs, in memory or in a locked folder |
//! | [`parallel`] | loops on the threads of the current rayon pool |
//!
//! Nothing here knows a game, a file or a screen.

pub mod checkpoint;
mod error;
mod histogram;
mod layer;
mod limits;
pub mod memory;
mod pace;
pub mod parallel;
mod states;
mod store;
mod tier_codes;

pub use error::Error;
pub use histogram::{Histogram, StrongSolution, Summary};
pub use layer::{Layer, Palette};
pub use limits::{Budget, Limits, Monitor, NoMonitor, Progress};
pub use pace::Pace;
pub use states::{FinishedTier, StateHistograms, StateSource, StateTierStore, StateValues};
pub use store::{
    CodesInMemory, LayerCodes, MemoryStore, MemoryStoreReader, NullStore, PIECE_RANKS, Poll, Store,
    StoreError, TakeCodes, all_codes,
};
pub use tier_codes::{DRAW, FIRST_VALUE_CODE, HOLE, Known, NEVER_LOST, PlyCodes, TierCodes};
