//! Chunks of 64 bytes.

pub(crate) const CHUNK_BYTES: usize = 64;

/// 64 bytes that begin with a cache line.
///
/// Plain byte arrays would need no `unsafe`, but cross cache lines. Kernels on them took 6 % longer
/// for 5 x 4 squares and five boars, and 14 % for 4 x 5.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Chunk(pub(crate) [u8; 64]);

impl Chunk {
    #[inline(always)]
    pub(crate) fn as_bytes(chunks: &[Self]) -> &[u8] {
        // SAFETY: a chunk is 64 bytes without padding, so the slice is `64 * chunks.len()`
        // initialized bytes of one allocation.
        unsafe { std::slice::from_raw_parts(chunks.as_ptr().cast(), 64 * chunks.len()) }
    }

    /// Chunks seen as bytes, to be written.
    #[inline(always)]
    pub(crate) fn as_bytes_mut(chunks: &mut [Self]) -> &mut [u8] {
        // SAFETY: as for `as_bytes`; the slice is borrowed mutably, and any 64 bytes are a chunk.
        unsafe { std::slice::from_raw_parts_mut(chunks.as_mut_ptr().cast(), 64 * chunks.len()) }
    }
}
