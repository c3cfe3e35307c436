//! Sets of plies at which values may become final.

use hindsight_engine::checkpoint::bytes::Cursor;

use super::part::PlySet;
use crate::error::ClusterError;

/// First ply of a set from `from` on.
pub(super) fn next_ply(plies: PlySet, from: u32) -> Option<u16> {
    (from..256).find(|ply| plies[*ply as usize / 64] >> (ply % 64) & 1 != 0).map(|ply| ply as u16)
}

/// Adds the plies of a set to another.
pub(super) fn join(joined: &mut PlySet, plies: PlySet) {
    joined.iter_mut().zip(plies).for_each(|(joined, word)| *joined |= word);
}

pub(super) fn ply_bytes(plies: PlySet) -> Vec<u8> {
    plies.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Reads the bytes of [`ply_bytes`].
pub(super) fn take_plies(bytes: &[u8]) -> Result<PlySet, ClusterError> {
    let mut cursor = Cursor::new(bytes, "a set of plies");
    let mut plies = PlySet::default();
    for word in &mut plies {
        *word = cursor.u64().map_err(ClusterError::damaged)?;
    }
    Ok(plies)
}

#[cfg(test)]
mod tests {
    use super::next_ply;

    #[test]
    fn plies_come_in_order() {
        let plies = [1 << 3, 0, 1, 1 << 63];
        assert_eq!(next_ply(plies, 0), Some(3));
        assert_eq!(next_ply(plies, 4), Some(128));
        assert_eq!(next_ply(plies, 129), Some(255));
        assert_eq!(next_ply(plies, 256), None);
        assert_eq!(next_ply([0; 4], 0), None);
    }
}
