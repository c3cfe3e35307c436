//! Texts that all workers tell all others.

use super::parcel::ParcelHead;
use super::post::Post;
use super::step::{Step, Steps};
use crate::error::ClusterError;

impl Steps<'_> {
    /// Gives worker 0 the bytes of all workers, in their order; the others get nothing.
    ///
    /// # Errors
    /// As [`Steps::run`].
    pub(crate) fn gather(&mut self, own: Vec<u8>) -> Result<Vec<Vec<u8>>, ClusterError> {
        let mut all = vec![Vec::new(); self.workers()];
        let is_first = self.worker() == 0;
        let mut telling = Telling { to: 0..usize::from(!is_first), bytes: &own, heard: &mut all };
        self.run(&mut telling)?;
        if is_first {
            all[0] = own;
        }
        Ok(all)
    }

    /// Gives all workers the bytes of worker 0.
    ///
    /// # Errors
    /// As [`Steps::run`].
    pub(crate) fn broadcast(&mut self, bytes: Vec<u8>) -> Result<Vec<u8>, ClusterError> {
        let mut heard = vec![Vec::new(); self.workers()];
        let is_first = self.worker() == 0;
        let mut telling = Telling {
            to: if is_first { 1..self.workers() } else { 0..0 },
            bytes: &bytes,
            heard: &mut heard,
        };
        self.run(&mut telling)?;
        Ok(if is_first { bytes } else { heard.swap_remove(0) })
    }

    /// Gives all workers the result of `combine` on the bytes of all.
    ///
    /// # Errors
    /// As [`Steps::run`], and any error of `combine`, which worker 0 calls.
    pub(crate) fn agree(
        &mut self,
        own: Vec<u8>,
        combine: impl FnOnce(Vec<Vec<u8>>) -> Result<Vec<u8>, ClusterError>,
    ) -> Result<Vec<u8>, ClusterError> {
        let all = self.gather(own)?;
        let combined = match self.worker() {
            0 => combine(all)?,
            _ => Vec::new(),
        };
        self.broadcast(combined)
    }
}

/// Step that sends the same bytes to some workers.
struct Telling<'a> {
    to: std::ops::Range<usize>,
    bytes: &'a [u8],
    heard: &'a mut [Vec<u8>],
}

impl Step for Telling<'_> {
    fn advance(&mut self, post: &mut Post) -> Result<bool, ClusterError> {
        for to in self.to.clone() {
            post.send(to, 0, 0, self.bytes.to_vec());
        }
        Ok(false)
    }

    fn receive(&mut self, head: &ParcelHead, body: &[u8]) -> Result<Vec<u8>, ClusterError> {
        self.heard[head.from as usize] = body.to_vec();
        Ok(Vec::new())
    }
}
