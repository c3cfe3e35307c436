//! Progress of a stopped solve, kept so that a later run can go on.
//!
//! | type | meaning |
//! |---|---|
//! | [`Blobs`] | storage of named bytes, each written whole or not at all |
//! | [`MemoryBlobs`], [`BlobFolder`] | blobs in memory; blobs as files of a locked folder |
//! | [`Checkpoint`] | blobs with a schedule: the one thing that a solver takes |
//! | [`packed`] | blobs of some fields and a large array, compressed and with checksums |
//! | [`bytes`] | numbers, texts and checksums as bytes |
//!
//! A solver encodes its own progress, and puts it into a [`Checkpoint`]. Nothing here knows a
//! solver or a game. A [`BlobFolder`] has a lock, and a manifest that names format, layout and
//! spec. [`FolderLock`] locks folders of studies too. `docs/decisions/0014-checkpoint.md` has the
//! reasons.
//!
//! ```
//! use hindsight_engine::checkpoint::packed::{self, PackedArray};
//! use hindsight_engine::checkpoint::{CheckpointError, MemoryBlobs};
//!
//! let blobs = MemoryBlobs::default();
//! packed::put(&blobs, "squares", b"three", PackedArray::Bytes(&[&[1, 4, 9]]))?;
//! let blob = packed::get(&blobs, "squares", 100)?.expect("it was put");
//! let mut squares = [0; 3];
//! blob.read_bytes(&mut [&mut squares])?;
//! assert_eq!(squares, [1, 4, 9]);
//! # Ok::<(), CheckpointError>(())
//! ```

mod blobs;
pub mod bytes;
mod clock;
mod error;
mod file_system;
mod folder;
mod folder_lock;
mod new_file;
pub mod packed;
mod system;

pub use blobs::{Blob, Blobs, MemoryBlobs, WriteBlob};
pub use clock::Checkpoint;
pub use error::{CheckpointError, Damage};
pub use file_system::{make_folder, name_new_file, sync_file, sync_folder};
pub use folder::BlobFolder;
pub use folder_lock::{FolderLock, is_locked};
pub use new_file::write_atomically;
