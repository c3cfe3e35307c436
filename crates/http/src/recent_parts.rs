//! The parts of a file that were read last.

use std::collections::VecDeque;
use std::ops::Range;

/// Bytes around a read in a place of its own. Parts begin and end at their multiples.
const SINGLE_BYTES: u64 = 1 << 14;
const MAX_AHEAD_BYTES: u64 = 1 << 20;
const MAX_REQUEST_BYTES: u64 = 1 << 23;
/// Factor by which each part of a sequential read is longer.
const GROWTH: u64 = 4;
const MAX_KEPT_BYTES: usize = 1 << 24;

/// The parts of a file that were read last, the last one in front.
#[derive(Default)]
pub(crate) struct RecentParts {
    parts: VecDeque<KnownPart>,
    bytes: usize,
}

/// Known bytes of a file.
struct KnownPart {
    begin: u64,
    bytes: Vec<u8>,
}

impl KnownPart {
    fn end(&self) -> u64 {
        self.begin + self.bytes.len() as u64
    }
}

impl RecentParts {
    /// Copies known bytes from `offset` on to the front of `out`; returns their number.
    pub(crate) fn copy(&mut self, offset: u64, out: &mut [u8]) -> usize {
        let has_offset = |part: &KnownPart| part.begin <= offset && offset < part.end();
        let Some(i) = self.parts.iter().position(has_offset) else {
            return 0;
        };
        let part = self.parts.swap_remove_front(i);
        let Some(part) = part else { return 0 };
        let known = &part.bytes[(offset - part.begin) as usize..];
        let copied = known.len().min(out.len());
        out[..copied].copy_from_slice(&known[..copied]);
        self.parts.push_front(part);
        copied
    }

    /// Returns the bytes to ask for if some from `offset` on are not known.
    pub(crate) fn to_request(&self, offset: u64, bytes: usize, length: u64) -> Range<u64> {
        let before = self.parts.iter().find(|part| part.end() == offset);
        let (begin, ahead) = match before {
            Some(part) => {
                let ahead = (GROWTH * part.bytes.len() as u64).min(MAX_AHEAD_BYTES);
                (offset, offset + ahead.max(SINGLE_BYTES))
            }
            None => (offset - offset % SINGLE_BYTES, offset + 1),
        };
        let wanted = (offset + bytes as u64).min(begin + MAX_REQUEST_BYTES);
        let end = wanted.max(ahead).next_multiple_of(SINGLE_BYTES);
        begin..end.min(length)
    }

    /// Keeps a part; those used longest ago make room.
    pub(crate) fn keep(&mut self, begin: u64, bytes: Vec<u8>) {
        self.bytes += bytes.len();
        self.parts.push_front(KnownPart { begin, bytes });
        while self.bytes > MAX_KEPT_BYTES {
            let oldest = self.parts.pop_back();
            self.bytes -= oldest.map_or(self.bytes, |part| part.bytes.len());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{MAX_KEPT_BYTES, RecentParts};

    const LENGTH: u64 = 1 << 32;

    #[test]
    fn a_single_read_asks_for_what_is_around_it_and_is_one_request() {
        let parts = RecentParts::default();
        assert_eq!(parts.to_request(20_000, 10, LENGTH), 16_384..32_768);
        assert_eq!(parts.to_request(32_760, 10, LENGTH), 16_384..49_152);
        assert_eq!(parts.to_request(20_000, 10, 20_010), 16_384..20_010);
        assert_eq!(parts.to_request(0, 1 << 20, LENGTH), 0..1 << 20);
    }

    #[test]
    fn a_sequential_read_asks_for_more_each_time() {
        let mut parts = RecentParts::default();
        parts.keep(0, vec![1; 1 << 14]);
        let mut offset = 1 << 14;
        for kib in [64, 256, 1024, 1024] {
            let range = parts.to_request(offset, 10, LENGTH);
            assert_eq!(range, offset..offset + (kib << 10));
            parts.keep(range.start, vec![2; (kib << 10) as usize]);
            offset = range.end;
        }
    }

    #[test]
    fn known_bytes_are_copied_as_far_as_they_go_and_the_oldest_make_room() {
        let mut parts = RecentParts::default();
        parts.keep(100, (0..50).collect());
        let mut out = [0; 20];
        assert_eq!(parts.copy(140, &mut out), 10);
        assert_eq!(out[..10], [40, 41, 42, 43, 44, 45, 46, 47, 48, 49]);
        assert_eq!(parts.copy(99, &mut out), 0);
        assert_eq!(parts.copy(150, &mut out), 0);
        parts.keep(1000, vec![1; MAX_KEPT_BYTES - 100]);
        assert_eq!(parts.copy(100, &mut out), 20);
        parts.keep(LENGTH, vec![2; 100]);
        assert_eq!(parts.copy(1000, &mut out), 0);
        assert_eq!(parts.copy(100, &mut out), 20);
    }
}
