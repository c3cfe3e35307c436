//! Storage of named bytes.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::checkpoint::error::CheckpointError;

/// Writes the bytes of a blob. Called once.
pub type WriteBlob<'a> = dyn FnMut(&mut dyn Write) -> io::Result<()> + 'a;

/// Bytes of a stored blob.
pub trait Blob: Read + Seek + Send {}

impl<T: Read + Seek + Send> Blob for T {}

/// Storage of named bytes.
///
/// Each blob is stored whole or not at all: whoever is killed leaves the old blob or the new one.
///
/// A key has lower-case letters, digits and hyphens, and at least one of them. So no key leads out
/// of a folder.
///
/// # Panics
/// All methods panic if a key is anything else.
pub trait Blobs: Sync {
    /// Stores the bytes that `write` writes, in place of those with the same key.
    ///
    /// # Errors
    /// [`CheckpointError::File`] if `write` fails or the bytes cannot be stored. The old blob is
    /// left as it was, unless the new one was complete and only the sync of its name failed.
    fn put(&self, key: &str, write: &mut WriteBlob<'_>) -> Result<(), CheckpointError>;

    /// Opens a blob; `None` if there is none.
    ///
    /// # Errors
    /// [`CheckpointError::File`] if it cannot be opened.
    fn get(&self, key: &str) -> Result<Option<Box<dyn Blob>>, CheckpointError>;

    /// Keys of all blobs, ascending.
    ///
    /// # Errors
    /// [`CheckpointError::File`] if they cannot be listed.
    fn keys(&self) -> Result<Vec<String>, CheckpointError>;

    /// Removes a blob, if it is there.
    ///
    /// # Errors
    /// [`CheckpointError::File`] if it cannot be removed.
    fn remove(&self, key: &str) -> Result<(), CheckpointError>;

    /// Name of a blob in error messages.
    fn name(&self, key: &str) -> String {
        key.to_owned()
    }
}

/// Returns true if a text may be the key of a blob.
pub(crate) fn is_key(text: &str) -> bool {
    let is_key_byte = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    !text.is_empty() && text.bytes().all(is_key_byte)
}

/// Panics unless [`is_key`].
pub(crate) fn assert_key(key: &str) {
    assert!(is_key(key), "{key:?} is no key of a blob");
}

/// Blobs in memory, for tests and for runs without a disk.
#[derive(Debug, Default)]
pub struct MemoryBlobs(Mutex<BTreeMap<String, Arc<[u8]>>>);

impl MemoryBlobs {
    /// Bytes of a blob; `None` if there is none.
    #[must_use]
    pub fn bytes(&self, key: &str) -> Option<Arc<[u8]>> {
        assert_key(key);
        self.map().get(key).cloned()
    }

    /// Sets the bytes of a blob.
    pub fn set(&self, key: &str, bytes: &[u8]) {
        assert_key(key);
        self.map().insert(key.to_owned(), bytes.into());
    }

    fn map(&self) -> MutexGuard<'_, BTreeMap<String, Arc<[u8]>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Clone for MemoryBlobs {
    fn clone(&self) -> Self {
        Self(Mutex::new(self.map().clone()))
    }
}

impl Blobs for MemoryBlobs {
    fn put(&self, key: &str, write: &mut WriteBlob<'_>) -> Result<(), CheckpointError> {
        let mut bytes = Vec::new();
        write(&mut bytes).map_err(CheckpointError::file("write", key.as_ref()))?;
        self.set(key, &bytes);
        Ok(())
    }

    fn get(&self, key: &str) -> Result<Option<Box<dyn Blob>>, CheckpointError> {
        Ok(self.bytes(key).map(|bytes| Box::new(io::Cursor::new(bytes)) as Box<dyn Blob>))
    }

    fn keys(&self) -> Result<Vec<String>, CheckpointError> {
        Ok(self.map().keys().cloned().collect())
    }

    fn remove(&self, key: &str) -> Result<(), CheckpointError> {
        assert_key(key);
        self.map().remove(key);
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::{self, Read as _};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::{Blobs, MemoryBlobs};

    fn bytes(blobs: &dyn Blobs, key: &str) -> Option<Vec<u8>> {
        let mut blob = blobs.get(key).expect("it opens")?;
        let mut bytes = Vec::new();
        blob.read_to_end(&mut bytes).expect("it is read");
        Some(bytes)
    }

    /// Checks that blobs are put, listed, replaced, kept when a writer fails, and removed.
    pub(crate) fn check_blobs(blobs: &dyn Blobs) {
        for (key, text) in [("b-2", "two"), ("a", "one"), ("a", "three")] {
            let put = blobs.put(key, &mut |out| out.write_all(text.as_bytes()));
            put.expect("room");
        }
        assert_eq!(blobs.keys().expect("keys"), ["a", "b-2"]);
        let failed = blobs.put("a", &mut |out| {
            out.write_all(b"half")?;
            Err(io::Error::other("full"))
        });
        assert!(blobs.put("c", &mut |_| Err(io::Error::other("full"))).is_err());
        assert!(failed.is_err());
        assert_eq!(bytes(blobs, "a").expect("a blob"), b"three");
        assert_eq!(bytes(blobs, "b-2").expect("a blob"), b"two");
        assert_eq!(bytes(blobs, "c"), None);
        for key in ["a", "a", "c"] {
            blobs.remove(key).expect("it is gone");
        }
        assert_eq!(blobs.keys().expect("keys"), ["b-2"]);
    }

    /// Checks that a text that is no key makes all methods panic.
    pub(crate) fn check_keys(blobs: &dyn Blobs) {
        for key in ["", "../x", "a/b", "a.b", "A", "\u{e4}"] {
            let put = || drop(blobs.put(key, &mut |out| out.write_all(b"x")));
            let get = || drop(blobs.get(key));
            let remove = || drop(blobs.remove(key));
            let methods: [&dyn Fn(); 3] = [&put, &get, &remove];
            for method in methods {
                assert!(catch_unwind(AssertUnwindSafe(method)).is_err(), "{key:?}");
            }
        }
    }

    #[test]
    fn blobs_in_memory_are_replaced_as_a_whole() {
        check_blobs(&MemoryBlobs::default());
    }

    #[test]
    fn blobs_in_memory_have_the_keys_of_files() {
        check_keys(&MemoryBlobs::default());
    }
}
