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
//! give at once ([`hindsight_core::Ranked::immediate_value`]) is not stored. Bytes depend on spec, layout and
//! [`FORMAT_VERSION`] alone. The format is in `docs/table-format.md`.

mod blob_file;
mod block_cache;
mod block_tiers;
mod bytes;
mod checkpoint_clock;
mod checkpoint_dir;
mod checkpoint_layer;
mod checksums;
mod coder;
mod context_candidates;
mod context_counts;
mod decode;
mod encode;
mod error;
mod folder_lock;
mod header_checks;
mod index;
mod info;
mod layer_counts;
mod layer_file;
mod layer_writer;
mod layout;
mod model;
mod models;
mod new_file;
mod ordinals;
mod planes_store;
mod read_at;
mod read_memory;
mod recheck;
mod restore_win_plies;
mod states;
mod symbol_layout;
mod table;
mod tiles_store;
mod training;
mod unfinished_layer;
mod verify;
mod write_memory;

pub use checkpoint_dir::{CheckpointDir, CheckpointLayerStore};
pub use error::TableError;
pub use folder_lock::FolderLock;
pub use info::{FORMAT_VERSION, LayerInfo, PositionValue, StateCounts, Symbol, TableInfo};
pub use layout::Layout;
pub use planes_store::PlanesStore;
pub use read_at::ReadAt;
pub use read_memory::{
    decode_layer_memory, decode_states_memory, verify_distances_memory, verify_memory,
    verify_states_memory,
};
pub use states::{
    DistancesStore, StateLayer, StateStore, TableDistancesReader, TableStatesReader,
    verify_distances, verify_states,
};
pub use table::{Table, TableReader};
pub use tiles_store::TilesStore;
pub use verify::{TableFault, TableVerdict, verify, verify_pairs};
pub use write_memory::write_layer_memory;
