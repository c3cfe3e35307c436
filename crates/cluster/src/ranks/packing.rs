//! Places in another worker's part as bytes.
//!
//! A list of places is sorted by `place / 2^16`. For each such number that occurs:
//!
//! | bytes | meaning |
//! |---|---|
//! | varint | difference from the number before, the first from 0 |
//! | varint | how many places have this number |
//! | 2 each | `place % 2^16`, least byte first |
//!
//! So a place takes little more than two bytes, whoever handles the list stays in 64 KiB of each
//! array for a while, and reading it takes no more than a load.

use hindsight_engine::checkpoint::Damage;
use hindsight_engine::checkpoint::bytes::{Cursor, put_varint};

/// Places of one worker's part, collected until they are packed.
#[derive(Clone, Debug, Default)]
pub(crate) struct PlaceList(pub(crate) Vec<u32>);

/// Buffers for sorting, reused from list to list.
#[derive(Debug, Default)]
pub(crate) struct SortBuffers {
    ends: Vec<u32>,
    sorted: Vec<u32>,
}

impl PlaceList {
    /// Sorts the places by their number in [the format](self).
    pub(crate) fn sort(&mut self, buffers: &mut SortBuffers) {
        let highest = self.0.iter().max().map_or(0, |place| place >> 16);
        buffers.ends.clear();
        buffers.ends.resize(highest as usize + 2, 0);
        for place in &self.0 {
            buffers.ends[(place >> 16) as usize + 1] += 1;
        }
        let mut end = 0;
        for count in &mut buffers.ends {
            end += *count;
            *count = end;
        }
        buffers.sorted.clear();
        buffers.sorted.resize(self.0.len(), 0);
        for &place in &self.0 {
            let next = &mut buffers.ends[(place >> 16) as usize];
            buffers.sorted[*next as usize] = place;
            *next += 1;
        }
        std::mem::swap(&mut self.0, &mut buffers.sorted);
    }

    /// Appends the packed places, which must be sorted.
    pub(crate) fn pack(&self, out: &mut Vec<u8>) {
        out.reserve(2 * self.0.len() + 64);
        let mut last = 0;
        for group in self.0.chunk_by(|a, b| a >> 16 == b >> 16) {
            let number = group[0] >> 16;
            put_varint(out, u64::from(number - last));
            put_varint(out, group.len() as u64);
            last = number;
            out.extend(group.iter().flat_map(|&place| (place as u16).to_le_bytes()));
        }
    }
}

/// Calls `visit` with each packed place.
///
/// # Errors
/// [`Damage`] if the bytes are none of [`PlaceList::pack`], and any error of `visit`.
pub(crate) fn unpack<E: From<Damage>>(
    bytes: &[u8],
    mut visit: impl FnMut(u32) -> Result<(), E>,
) -> Result<(), E> {
    let mut cursor = Cursor::new(bytes, "a list of places");
    let mut number = 0_u64;
    while cursor.remaining() > 0 {
        number += cursor.varint()?;
        if number > u64::from(u16::MAX) {
            return Err(cursor.fail("a place beyond all parts").into());
        }
        let count = cursor.count()?;
        let high = (number as u32) << 16;
        for low in cursor.take(2 * count)?.chunks_exact(2) {
            visit(high | u32::from(u16::from_le_bytes([low[0], low[1]])))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use hindsight_engine::checkpoint::Damage;

    use super::{PlaceList, SortBuffers, unpack};

    #[test]
    fn places_are_read_back_sorted() {
        let mut buffers = SortBuffers::default();
        for count in [0_u32, 1, 2, 1000, 70_000] {
            let places = (0..count).map(|i| i.wrapping_mul(2_654_435_761));
            let mut list = PlaceList(places.collect());
            let mut expected = list.0.clone();
            list.sort(&mut buffers);
            let mut bytes = Vec::new();
            list.pack(&mut bytes);
            let mut found = Vec::new();
            let read: Result<(), Damage> = unpack(&bytes, |place| {
                found.push(place);
                Ok(())
            });
            read.expect("bytes of ours");
            assert!(found.is_sorted_by_key(|place| place >> 16));
            found.sort_unstable();
            expected.sort_unstable();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_dense_list_takes_little_more_than_two_bytes_a_place() {
        let mut list = PlaceList((0..1 << 15).map(|i| i * 1000).collect());
        list.sort(&mut SortBuffers::default());
        let mut bytes = Vec::new();
        list.pack(&mut bytes);
        assert!(bytes.len() < list.0.len() * 21 / 10, "{}", bytes.len());
    }

    #[test]
    fn damaged_bytes_are_refused_or_read() {
        for bytes in [&[1][..], &[0, 200], &[255, 255, 255, 255, 255, 1, 0], &[0, 2, 1, 1, 1]] {
            let read: Result<(), Damage> = unpack(bytes, |_| Ok(()));
            assert!(read.is_err(), "{bytes:?}");
        }
    }
}
