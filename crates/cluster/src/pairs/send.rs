//! Tables of solved tiers, collected for each worker that needs them.

use crate::engine::Post;

/// Bytes of a parcel.
const PARCEL_BYTES: usize = 1 << 17;

/// Tables for each worker: eight bytes for the tier, then its codes.
pub(super) struct TableBuffers {
    buffers: Vec<Vec<u8>>,
}

impl TableBuffers {
    pub(super) fn new(workers: usize) -> Self {
        Self {
            buffers: vec![Vec::new(); workers],
        }
    }

    /// Adds a table for a worker.
    pub(super) fn add(&mut self, worker: usize, tier: u64, table: &[u8], post: &mut Post) {
        let buffer = &mut self.buffers[worker];
        if buffer.capacity() == 0 {
            buffer.reserve_exact(PARCEL_BYTES + 8 + table.len());
        }
        buffer.extend_from_slice(&tier.to_le_bytes());
        buffer.extend_from_slice(table);
        if buffer.len() >= PARCEL_BYTES {
            self.send(worker, post);
        }
    }

    /// Sends all tables that were not sent.
    pub(super) fn send_all(&mut self, post: &mut Post) {
        for worker in 0..self.buffers.len() {
            self.send(worker, post);
        }
    }

    fn send(&mut self, worker: usize, post: &mut Post) {
        let buffer = std::mem::take(&mut self.buffers[worker]);
        if !buffer.is_empty() {
            post.send(worker, 0, 0, buffer);
        }
    }
}

/// Cuts a parcel into tiers and their tables of `tier_ranks` codes.
pub(super) fn tables(body: &[u8], tier_ranks: usize) -> impl Iterator<Item = (u64, &[u8])> {
    body.chunks_exact(8 + tier_ranks).map(|chunk| {
        let (tier, table) = chunk.split_at(8);
        (tier.try_into().map_or(0, u64::from_le_bytes), table)
    })
}
