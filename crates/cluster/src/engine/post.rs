//! Parcels that a step sends.

use super::parcel::{Parcel, ParcelBody, ParcelHead};

/// Parcels that a worker has made and not sent yet.
pub(crate) struct Post {
    worker: u32,
    pub(super) parcels: Vec<Parcel>,
}

impl Post {
    pub(super) fn new(worker: usize) -> Self {
        Self { worker: worker as u32, parcels: Vec::new() }
    }

    /// Sends a body to a worker. `kind` is below 256, `tag` below 2^56.
    pub(crate) fn send(&mut self, to: usize, kind: u32, tag: u64, body: Vec<u8>) {
        self.parcels.push(Parcel {
            head: Some(ParcelHead {
                to: to as u32,
                from: self.worker,
                kind,
                length: body.len() as u32,
                tag,
            }),
            body: ParcelBody::Own(body),
        });
    }
}
