//! Memory of analyses.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hindsight_engine::checkpoint::{Blob, Blobs, CheckpointError, WriteBlob};

use super::cache::AnalysisStore;

/// Endgames and proofs that analyses keep in memory, up to a number of bytes: those used longest
/// ago make room.
#[derive(Debug)]
pub struct AnalysisMemory {
    most_bytes: u64,
    /// Blobs by key, the one used last at the end.
    blobs: Mutex<VecDeque<(String, Arc<[u8]>)>>,
}

impl AnalysisMemory {
    /// Returns an empty store of at most some bytes.
    #[must_use]
    pub fn new(most_bytes: u64) -> Self {
        Self { most_bytes, blobs: Mutex::default() }
    }

    /// Returns the bytes that are kept.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.blobs().iter().map(|(_, bytes)| bytes.len() as u64).sum()
    }

    fn blobs(&self) -> MutexGuard<'_, VecDeque<(String, Arc<[u8]>)>> {
        self.blobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, key: &str) -> Option<(String, Arc<[u8]>)> {
        let mut blobs = self.blobs();
        let place = blobs.iter().position(|(kept, _)| kept == key)?;
        blobs.remove(place)
    }
}

impl AnalysisStore for AnalysisMemory {}

impl Blobs for AnalysisMemory {
    fn put(&self, key: &str, write: &mut WriteBlob<'_>) -> Result<(), CheckpointError> {
        let mut bytes = Vec::new();
        write(&mut bytes).map_err(CheckpointError::file("write", key.as_ref()))?;
        self.take(key);
        let mut blobs = self.blobs();
        if bytes.len() as u64 <= self.most_bytes {
            blobs.push_back((key.to_owned(), bytes.into()));
        }
        let mut total: u64 = blobs.iter().map(|(_, bytes)| bytes.len() as u64).sum();
        while total > self.most_bytes {
            let dropped = blobs.pop_front();
            total -= dropped.map_or(0, |(_, bytes)| bytes.len() as u64);
        }
        Ok(())
    }

    fn get(&self, key: &str) -> Result<Option<Box<dyn Blob>>, CheckpointError> {
        let Some((key, bytes)) = self.take(key) else {
            return Ok(None);
        };
        self.blobs().push_back((key, Arc::clone(&bytes)));
        Ok(Some(Box::new(io::Cursor::new(bytes))))
    }

    fn keys(&self) -> Result<Vec<String>, CheckpointError> {
        let mut keys: Vec<String> = self.blobs().iter().map(|(key, _)| key.clone()).collect();
        keys.sort();
        Ok(keys)
    }

    fn remove(&self, key: &str) -> Result<(), CheckpointError> {
        self.take(key);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use hindsight_engine::checkpoint::Blobs;

    use super::AnalysisMemory;

    #[test]
    fn what_was_used_longest_ago_makes_room() {
        let memory = AnalysisMemory::new(10);
        let put = |key: &str, length: usize| {
            memory.put(key, &mut |out| out.write_all(&vec![0; length])).expect("room");
        };
        put("a", 4);
        put("b", 4);
        assert!(memory.get("a").expect("readable").is_some());
        put("c", 4);
        assert_eq!(memory.keys().expect("keys"), ["a", "c"]);
        put("d", 11);
        assert_eq!((memory.keys().expect("keys").len(), memory.bytes()), (2, 8));
        put("c", 10);
        assert_eq!(memory.keys().expect("keys"), ["c"]);
        memory.remove("c").expect("removed");
        assert!(memory.get("c").expect("readable").is_none());
    }
}
