//! The engine under every solver: limits, monitor, errors, threads, finished layers, checkpoints,
//! counts.
//!
//! Cost: a finished [`Layer`] takes a byte a rank. [`TierCodes`] gives at most 256 codes to values,
//! so remoteness ends at some 250 plies.
//!
//! ```
//! use hindsight_core::Value;
//! use hindsight_engine::Histogram;
//!
//! let mut histogram = Histogram::default();
//! histogram.add(Value::Win(3), 5);
//! histogram.add(Value::Loss(2), 4);
//! assert_eq!(histogram.positions(), 9);
//! assert_eq!(histogram.rows()[0], (Value::Loss(2), 4));
//! ```
//!
//! | type | meaning |
//! |---|---|
//! | [`Limits`], [`Budget`] | memory and time that a run may use; limits with a running clock |
//! | [`Monitor`], [`Progress`] | listener that may stop a run; its position in the work |
//! | [`Error`] | reason for an end without an answer |
//! | [`Layer`], [`Store`] | values of one layer, a byte per rank; storage of finished layers |
//! | [`TierCodes`] | codes of a byte for values, assigned in the order in which they appear |
//! | [`ValueCodes`] | codes of a byte for the values of a histogram |
//! | [`StateSource`], [`StateTierStore`] | values of states with a forbidden move; their storage |
//! | [`Histogram`], [`Summary`] | positions by value; their totals |
//! | [`StrongSolution`] | histogram and totals, with the value of the start |
//! | [`Pace`] | size of the portions of work between two reports |
//! | [`memory`] | memory that the system gives or refuses, before work relies on it |
//! | [`keys`] | sorted positions, compressed: a numbering of what can be reached |
//! | [`checkpoint`] | progress of a stopped solve as named blobs, in memory or in a locked folder |
//! | [`parallel`] | loops on the threads of the current rayon pool |
//!
//! Nothing here knows a particular game, a solver or a screen. Only [`checkpoint`] knows files.

pub mod checkpoint;
mod error;
mod histogram;
pub mod keys;
mod layer;
mod limits;
pub mod memory;
mod pace;
pub mod parallel;
mod states;
mod store;
mod tier_codes;
mod value_codes;

pub use error::Error;
pub use histogram::{Histogram, StrongSolution, Summary};
pub use layer::{Layer, Palette};
pub use limits::{Budget, Limits, Monitor, NoMonitor, Progress};
pub use pace::Pace;
pub use states::{FinishedTier, StateHistograms, StateSource, StateTierStore, StateValues};
pub use store::{
    CodesInMemory, LayerCodes, MemoryStore, NullStore, PIECE_RANKS, Poll, Store, StoreError,
    TakeCodes, all_codes,
};
pub use tier_codes::{DRAW, FIRST_VALUE_CODE, HOLE, Known, NEVER_LOST, PlyCodes, TierCodes};
pub use value_codes::ValueCodes;
