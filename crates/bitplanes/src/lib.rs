//! Every position of a game whose sides rearrange themselves ([`hindsight_core::Arrangements`]), by planes of bits.
//!
//! Side 0 with i followers against side 1 with j is a *problem* of two planes: W, a bit for each position
//! with side 0 to move that it wins, and L, one for each with side 1 to move that it loses. W needs L of
//! the same problem and of the one with a follower of side 1 fewer, L needs W of the same and of the one with
//! a follower of side 0 fewer; (i, j) and (j, i) do not need each other. Seen from the side to move, each
//! position has its win in the W of one problem and its loss in the L of another, so all problems together
//! are all positions. They go in lock-step: a pass over all W, a pass over all L, and so on. What a pass
//! finds is won or lost in as many plies as there were passes, so remoteness is exact. What no pass finds
//! is a draw.

pub(crate) mod acyclic;
pub(crate) mod in_memory;
pub(crate) mod out_of_core;
pub(crate) mod pass;
pub(crate) mod plane;
pub(crate) mod planes;
mod sample;
pub(crate) mod simd;
pub(crate) mod space;
pub(crate) mod stage;
pub(crate) mod thread_scratch;
pub(crate) mod values;

pub use acyclic::plan::AcyclicPlan;
pub use acyclic::run::{AcyclicOptions, solve_acyclic};
pub use in_memory::{InMemoryOptions, solve, solve_and_store, solve_planes};
pub use out_of_core::plan::OutOfCorePlan;
pub use out_of_core::run::{OutOfCoreOptions, solve_out_of_core};
pub use out_of_core::tiles::{OutOfCoreStage, Tile, TileRead, TileStore, TileWrite};
pub use pass::value_layers::LONGEST_STORED;
pub use planes::Planes;
pub use sample::{Sample, SampleFault, SampleReport};
pub use simd::dispatch::Instructions;
pub use space::plan::BitplanePlan;
pub use stage::{NoPlaneCheckpoint, PlaneCheckpoint, PlaneStage};
