//! Tables on disk: the value of every position of a game in one file, or of every state of a game
//! in which a move may be forbidden.
//!
//! A solver writes its finished layers to a [`CheckpointDir`], which is also the checkpoint of a
//! killed solve; [`CheckpointDir::finish_to`] makes the table. [`Table::open`] reads any bytes with
//! random access ([`ReadAt`]): a file, a slice, a memory map. Three kinds of tables exist:
//!
//! - values of positions: [`CheckpointDir::layer_store`], [`Table::with`], [`verify()`];
//! - values of states: [`CheckpointDir::put_states`], [`Table::with_states`], [`verify()`];
//! - distances from the start: [`CheckpointDir::put_distances`], [`Table::with_distances`],
//!   [`verify()`].
//!
//! ```no_run
//! use hindsight_core::{Game, PackedGame, Probe};
//! use hindsight_engine::{Layer, Store};
//! use hindsight_tablebase::{CheckpointDir, Layout, Table};
//!
//! fn write(game: &PackedGame, layers: &[Layer]) -> Result<(), Box<dyn std::error::Error>> {
//!     let checkpoint = CheckpointDir::create("checkpoint".as_ref(), "spec", Layout::Full)?;
//!     let mut store = checkpoint.layer_store(game);
//!     for layer in layers {
//!         store.put(layer, &mut || Ok(())).map_err(|error| error.to_string())?;
//!     }
//!     checkpoint.finish_to("game.table".as_ref())?;
//!     let table = Table::open(std::fs::File::open("game.table")?)?;
//!     println!("{:?}", table.with(game).probe(game.start())?);
//!     Ok(())
//! }
//! ```
//!
//! # Trade-offs
//!
//! Values are stored in blocks that are decoded whole. A probe in a block that was decoded lately
//! costs well below a microsecond; any other probe reads a page of the index and decodes a block.
//! The layout [`Layout::Compact`] is about half as large, but a probe of a win also reads the
//! blocks of its successors. [`Layout::Wdl`] is smaller still, and a probe of a win or loss reads
//! blocks up to three plies on. Values that follow from the rules
//! ([`hindsight_core::Ranked::implied_value`]) are not stored. The bytes depend on spec, layout and
//! [`FORMAT_VERSION`] alone. The format is described in `docs/table-format.md`.

mod address;
mod checkpoint;
mod codec;
mod error;
mod format;
mod layout;
mod models;
mod read_at;
mod reading;
mod states;
mod stop_check;
mod symbols;
mod verdict;
mod verify;
mod writing;

pub use checkpoint::checkpoint_dir::CheckpointDir;
pub use error::TableError;
pub use format::info::{
    FORMAT_VERSION, LayerInfo, OLDEST_FORMAT_VERSION, PositionValue, TableInfo,
};
pub use hindsight_engine::StateHistograms;
pub use layout::Layout;
pub use read_at::ReadAt;
pub use reading::kept_blocks::KeptBlocks;
pub use reading::random_ranks::{addresses_in_layer, draw_numbers};
pub use reading::table::Table;
pub use reading::table_reader::TableReader;
pub use states::{StateLayer, StateStore, TableStatesReader};
pub use stop_check::{StopCheck, set_stop_check, stop_check};
pub use symbols::symbol::Symbol;
pub use verdict::{TableFault, TableVerdict};
pub use verify::memory::{decode_layer_memory, decode_states_memory, verify_memory};
pub use verify::{DistanceSearch, Recompute, SolveAgain, verify};
pub use writing::layer_store::CheckpointLayerStore;
pub use writing::memory::write_layer_memory;
pub use writing::{BlockEncoder, LayerEncoding, LayerPiece, LayerShape, LayerTally, RUN_RANKS};
