//! Layers on their way into a file: counted, encoded and written, piece by piece. What is written
//! once is not read here, but for the earlier layers that a resumed solve needs.
//!
//! A layer whose codes lie in several processes is written without any of them holding all codes.
//! An *ordinal* is the index of a rank in its layer, tier after tier. Ordinals come in runs of
//! [`RUN_RANKS`], and each run lies in one process. The steps are:
//!
//! 1. Every process counts its pieces ([`LayerTally::count`]). The tallies are merged, and every
//!    process makes a [`LayerEncoding`] of the result.
//! 2. The processes give the symbols of the sampled runs ([`LayerEncoding::sample`]). One process
//!    chooses the coder by them ([`LayerEncoding::choose_coder`]).
//! 3. Every process encodes its runs with that coder ([`BlockEncoder::encode_run`]). One process
//!    puts them in order and writes the file ([`CheckpointDir::put_layer_parts`]).
//!
//! The file is the one that [`CheckpointDir::layer_store`] writes of the whole layer, whose steps
//! are the same. Bytes of another process are checked by their checksums and their form.
//!
//! # Memory
//!
//! Each step takes this besides the codes, in bytes. Where several threads work, each of them takes
//! it, except for the choice of the coder:
//!
//! | step | bytes |
//! |---|---|
//! | [`LayerShape::new`] | up to 24 per tier until it returns |
//! | [`LayerTally::count`] | 12,000; then 64 per value |
//! | [`LayerEncoding::sample`] | as a run's encoding; then 32,768, of at most 2048 runs |
//! | [`LayerEncoding::choose_coder`] | `memory`, or 16 MiB and 11 per rank, at most 60 MiB |
//! | [`LayerEncoding::encoder`] | 21 per byte of the coder before compression |
//! | [`BlockEncoder::encode_run`] | 1.5 MiB; for 49,152 positions their size and 8 |
//! | [`CheckpointDir::put_layer_parts`] | a coder, an encoded run, 0.01 per rank of the layer |
//!
//! The process that chooses the coder and writes the file needs at most
//! [`write_layer_memory`](crate::write_layer_memory) of the whole layer, apart from its own runs.
//!
//! [`CheckpointDir::layer_store`]: crate::CheckpointDir::layer_store
//! [`CheckpointDir::put_layer_parts`]: crate::CheckpointDir::put_layer_parts

mod encoding;
pub(crate) mod layer_counts;
pub(crate) mod layer_store;
pub(crate) mod layer_writer;
pub(crate) mod memory;
pub(crate) mod piece_symbols;
mod put;
mod run_bytes;
pub(crate) mod shape;
pub(crate) mod tally;

pub use encoding::{BlockEncoder, LayerEncoding};
pub use shape::{LayerPiece, LayerShape, RUN_RANKS};
pub use tally::LayerTally;
