//! Tables on disk.
mod bytes;
mod coder;
mod counts;
mod decode;
mod encode;
mod error;
mod index;
mod info;
mod layer_file;
mod model;
mod read;
mod segment;
mod shape;
mod table;
mod tiers;
mod train;
mod verify;
mod work;

pub use error::Error;
pub use info::{Example, FORMAT_VERSION, Info, LayerInfo, Layout, Symbol};
pub use read::ReadAt;
pub use table::{Reader, Table};
pub use verify::{Fault, Verdict, memory_needed, verify};
pub use work::{Work, WorkStore};
