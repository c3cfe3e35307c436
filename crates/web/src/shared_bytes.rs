//! Memory that clients share: none has more than half of it.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::clients::Client;

/// Memory of a number of bytes. Clones are the same memory.
#[derive(Clone, Debug)]
pub(crate) struct SharedBytes {
    bytes: usize,
    held: Arc<Mutex<HeldCounts>>,
}

#[derive(Default, Debug)]
struct HeldCounts {
    all: usize,
    of_clients: HashMap<Client, usize>,
}

/// Bytes that are taken, given back when this value is dropped.
#[derive(Debug)]
pub(crate) struct HeldBytes {
    memory: SharedBytes,
    /// `None` for work of the server itself.
    client: Option<Client>,
    bytes: usize,
}

impl SharedBytes {
    pub(crate) fn new(bytes: usize) -> Self {
        Self { bytes, held: Arc::default() }
    }

    /// Takes nothing yet, for the client who asks.
    pub(crate) fn begin(&self) -> HeldBytes {
        HeldBytes { memory: self.clone(), client: Client::current(), bytes: 0 }
    }

    fn held(&self) -> MutexGuard<'_, HeldCounts> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl HeldBytes {
    /// Takes more bytes; false if there are not so many, or the client would have more than half.
    /// Something larger than all is admitted where nothing else is.
    pub(crate) fn take(&mut self, bytes: usize) -> bool {
        let most = self.memory.bytes;
        let bytes = bytes.min(most);
        let mut held = self.memory.held();
        let of_client = self.client.and_then(|client| held.of_clients.get(&client));
        let of_client = of_client.copied().unwrap_or(0);
        let has_half = self.client.is_some() && of_client > 0 && of_client + bytes > most / 2;
        if has_half || held.all + bytes > most {
            return false;
        }
        held.all += bytes;
        if let Some(client) = self.client {
            held.of_clients.insert(client, of_client + bytes);
        }
        drop(held);
        self.bytes += bytes;
        true
    }
}

impl Drop for HeldBytes {
    fn drop(&mut self) {
        let mut held = self.memory.held();
        held.all -= self.bytes;
        let Some(client) = self.client else { return };
        let of_client = held.of_clients.get(&client).copied().unwrap_or(0);
        match of_client - self.bytes {
            0 => held.of_clients.remove(&client),
            rest => held.of_clients.insert(client, rest),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::{Client, SharedBytes};

    #[tokio::test]
    async fn a_client_has_half_of_the_memory_at_most_and_gives_it_back() {
        let memory = SharedBytes::new(1000);
        let clients = [1, 2, 3].map(|last| Client::of([203, 0, 113, last].into()));
        let taken = async |client: Client, bytes| {
            let held = client.answer(async { memory.begin() });
            let mut held = held.await;
            held.take(bytes).then_some(held)
        };
        let first = taken(clients[0], 400).await;
        assert!(first.is_some());
        assert!(taken(clients[0], 200).await.is_none());
        let second = taken(clients[1], 600).await;
        assert!(second.is_some(), "one thing may be larger");
        assert!(taken(clients[2], 1).await.is_none());
        drop((first, second));
        assert_eq!(memory.held().all, 0);
        assert!(memory.held().of_clients.is_empty());
        assert!(taken(clients[2], 5000).await.is_some());
    }
}
