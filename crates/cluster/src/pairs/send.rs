//! Tables of solved tiers, collected for each worker that needs them.

use crate::engine::Post;

const PARCEL_BYTES: usize = 1 << 17;
/// Bytes that the tables for one worker take, with those of a large board.
pub(crate) const TABLE_BYTES: u64 = 2 * PARCEL_BYTES as u64;

/// Tables for each worker: four bytes for the index of the tier in its layer, then its codes.
pub(super) struct TableBuffers {
    buffers: Vec<Vec<u8>>,
}

impl TableBuffers {
    pub(super) fn new(workers: usize) -> Self {
        Self { buffers: vec![Vec::new(); workers] }
    }

    pub(super) fn add(&mut self, worker: usize, index: u32, table: &[u8], post: &mut Post) {
        let buffer = &mut self.buffers[worker];
        if buffer.capacity() == 0 {
            buffer.reserve_exact(PARCEL_BYTES + 4 + table.len());
        }
        buffer.extend_from_slice(&index.to_le_bytes());
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

/// Table of a tier in a parcel.
pub(super) struct SentTable<'a> {
    /// Index of the tier in its layer.
    pub(super) index: u32,
    pub(super) table: &'a [u8],
}

/// Cuts a parcel into tables of `tier_ranks` codes.
pub(super) fn tables(body: &[u8], tier_ranks: usize) -> impl Iterator<Item = SentTable<'_>> {
    body.chunks_exact(4 + tier_ranks).map(|chunk| {
        let (index, table) = chunk.split_at(4);
        let index = index.try_into().map_or(u32::MAX, u32::from_le_bytes);
        SentTable { index, table }
    })
}
