//! Damage to stored bytes.

/// Returns, for every byte, copies of the bytes in which a bit of it is flipped, and which end
/// before it.
pub fn damaged(bytes: &[u8]) -> impl Iterator<Item = Vec<u8>> {
    (0..bytes.len()).flat_map(|at| {
        let mut flipped = bytes.to_vec();
        flipped[at] ^= 1 << (at % 8);
        [flipped, bytes[..at].to_vec()]
    })
}
