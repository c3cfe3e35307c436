/// Bytes that are taken at once, a line of the cache. Begun anywhere else, where arrays of bytes need no `unsafe`, they take 6 % longer on 5 x 4
/// with five boars and 14 % on 4 x 5.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub(crate) struct Chunk(pub(crate) [u8; 64]);

impl Chunk {
    /// The bytes of chunks.
    #[inline(always)]
    pub(crate) fn as_bytes(chunks: &[Self]) -> &[u8] {
        // SAFETY: a chunk is 64 bytes, and nothing else.
        unsafe { std::slice::from_raw_parts(chunks.as_ptr().cast(), 64 * chunks.len()) }
    }

    /// The same, to write to them.
    #[inline(always)]
    pub(crate) fn as_bytes_mut(chunks: &mut [Self]) -> &mut [u8] {
        // SAFETY: as above, and any bytes are a chunk.
        unsafe { std::slice::from_raw_parts_mut(chunks.as_mut_ptr().cast(), 64 * chunks.len()) }
    }
}

/// Bytes that are taken at once.
pub(crate) const CHUNK_BYTES: usize = 64;
