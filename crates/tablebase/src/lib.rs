//! Tables on disk: the value of every position of a game in one file, or of every state of a game in which
//! a move may be forbidden.
//!
//! A solver hands its finished layers to [`Work`], a folder that is also the checkpoint of a killed
//! solve; [`Work::finish_to`] makes the table. [`Table::open`] reads any bytes that can be read at a
//! place ([`ReadAt`]): a file, a slice, a memory map; [`Table::with`] answers as a [`hindsight_core::Probe`];
//! [`verify`] proves that every value is right. For states these are [`Work::put_states`],
//! [`Table::with_states`] and [`verify_states`]; for distances from the start [`Work::put_distances`],
//! [`Table::with_distances`] and [`verify_distances`].
//!
//! ```no_run
//! use hindsight_core::{Probe, Ranked};
//! use hindsight_tablebase::{Layout, Table, Work};
//!
//! fn keep<G: Ranked>(game: &G, layers: &[hindsight_solve::Layer]) -> Result<(), Box<dyn std::error::Error>> {
//!     let work = Work::create("checkpoint".as_ref(), "spec", Layout::Full)?;
//!     for layer in layers {
//!         hindsight_solve::Store::put(&mut work.store(game), layer).map_err(|error| error.to_string())?;
//!     }
//!     work.finish_to("game.table".as_ref())?;
//!     let table = Table::open(std::fs::File::open("game.table")?)?;
//!     println!("{:?}", table.with(game).probe(game.start())?);
//!     Ok(())
//! }
//! ```
//!
//! # Trade-offs
//!
//! Values are stored in blocks that are decoded whole: a probe near the last one costs well below a
//! microsecond, one anywhere else reads a page of the index and decodes a block. The layout
//! [`Layout::Compact`] is half as large, and a probe of a win looks up its successors. What the rules
//! give at once ([`hindsight_core::Ranked::obvious`]) is not stored. Bytes depend on spec, layout and
//! [`FORMAT_VERSION`] alone. The format is in `docs/table-format.md`.

mod blocks;
mod bytes;
mod candidates;
mod clock;
mod coder;
mod counts;
mod decode;
mod encode;
mod error;
mod fill;
mod fits;
mod folder_lock;
mod grain;
mod index;
mod info;
mod layer_file;
mod layout;
mod memory;
mod model;
mod models;
mod new_file;
mod planes;
mod read;
mod recheck;
mod segment;
mod shape;
mod states;
mod stream;
mod sums;
mod table;
mod tallies;
mod tiers;
mod tiles;
mod train;
mod unfinished;
mod verify;
mod words;
mod work;
mod writing;

pub use error::Error;
pub use folder_lock::FolderLock;
pub use info::{Example, FORMAT_VERSION, Info, LayerInfo, StateCounts, Symbol};
pub use layout::Layout;
pub use memory::{
    distances_memory_needed, layer_memory_needed, memory_needed, state_layer_memory_needed,
    states_memory_needed,
};
pub use planes::PlanesStore;
pub use read::ReadAt;
pub use states::{
    DistancesReader, DistancesStore, StateLayer, StateStore, StatesReader, verify_distances,
    verify_states,
};
pub use table::{Reader, Table};
pub use tiles::TilesStore;
pub use verify::{Fault, Verdict, verify, verify_pairs};
pub use work::{Work, WorkStore};
pub use writing::writing_memory;
