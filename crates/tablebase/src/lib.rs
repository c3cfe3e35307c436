//! Tables on disk: the value of every position of a game in one file, or of every state of a game
//! in which a move may be forbidden.
//!
//! Cost: a position takes 0.018 bytes (Quoridor 5 x 5 with two fences each) to 0.113 (Onitama 3 x 4
//! with five cards) in [`Layout::Full`]. A probe in a block that was decoded lately takes well
//! below a microsecond; any other probe reads a page of the index and decodes a block.
//!
//! Source: symbols are predicted from earlier ones and coded by asymmetric numeral systems (J.
//! Duda, arXiv:1311.2540). `docs/table-format.md` has the format, `docs/decisions/0005-tables.md`,
//! `0008-tables-of-states.md` and `0020-fast-tables.md` have the choices.
//!
//! A solver writes its finished layers to a [`CheckpointDir`], which is also the checkpoint of a
//! killed solve; [`CheckpointDir::finish_to`] makes the table. [`Table::open`] reads any bytes with
//! random access ([`ReadAt`]): a file, a slice, a memory map. Four kinds of tables exist:
//!
//! - values of positions: [`CheckpointDir::layer_store`], [`Table::with`], [`verify()`];
//! - values of positions that can be reached, of a game without ranks: the same with the game and
//!   the layer of [`ReachableLayer`], then [`CheckpointDir::finish_reachable`];
//!   [`Table::ranked_game`] has the game to read them with;
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
//! Values are stored in blocks that are decoded up to what is asked for. The layout
//! [`Layout::Compact`] stores wins without their remoteness, which follows from the lost
//! successors: it is about half as large, but a probe of a win also reads the blocks of its
//! successors. [`Layout::Wdl`] rounds that of losses too. It is smaller still, and a probe of a win
//! or loss searches at most three plies. Values that follow from the rules
//! ([`hindsight_core::Ranked::implied_value`]) are not stored. The bytes depend on spec, layout and
//! [`FORMAT_VERSION`] alone.
//!
//! [`verify()`] recomputes every value, which proves the table: from the values of the successors
//! ([`Recompute::Successors`]), by a second solve ([`Recompute::Solve`]), or for distances by a new
//! search ([`Recompute::Search`]).
//!
//! # Folders
//!
//! A folder imports only from those before it here, as a test checks: `symbols`, `models`, `codec`,
//! `keys`, `format`, `checkpoint`, `reading`, `writing`, `states`, `verify`. The `mod.rs` of each
//! says what it has. Nothing here knows a particular game or a solver.

mod address;
mod checkpoint;
mod codec;
mod error;
mod format;
mod keys;
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
pub use format::info::{FORMAT_VERSION, LayerInfo, PositionValue, Reachable, TableInfo};
pub use hindsight_engine::StateHistograms;
pub use keys::reachable_layer::ReachableLayer;
pub use layout::Layout;
pub use read_at::ReadAt;
pub use reading::kept_blocks::KeptBlocks;
pub use reading::random_ranks::{addresses_in_layer, draw_numbers};
pub use reading::table::Table;
pub use reading::table_reader::TableReader;
pub use states::{StateLayer, TableStatesReader};
pub use stop_check::{StopCheck, set_stop_check, stop_check};
pub use symbols::symbol::Symbol;
pub use verdict::{TableFault, TableVerdict};
pub use verify::memory::{decode_layer_memory, decode_states_memory, verify_memory};
pub use verify::{DistanceSearch, Recompute, verify};
pub use writing::memory::write_layer_memory;
pub use writing::{BlockEncoder, LayerEncoding, LayerPiece, LayerShape, LayerTally, RUN_RANKS};
