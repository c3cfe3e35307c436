//! A plane of a log, read back.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

use hindsight_engine::Error;
use hindsight_engine::checkpoint::packed::{PartUnpacker, is_zero, pack_part};

use crate::decided::row_passes::{DecidedPlane, add_pass};

/// Bytes of a segment of a row. Its passes take eight times as many, which a core's own cache
/// holds.
const SEGMENT_BYTES: usize = 1 << 16;

/// New bits of segments in a pass: number of the segment, and its compressed bytes.
pub(crate) type PackedSegments = Vec<(usize, Vec<u8>)>;

pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Number of segments in a row of `row_bytes` bytes. The segments of all rows are numbered one
/// after the other.
fn segments_per_row(row_bytes: usize) -> usize {
    row_bytes.div_ceil(SEGMENT_BYTES)
}

/// Compresses the new bits of a row. Segments without any are left out.
pub(crate) fn pack_row(row: usize, new: &[u8]) -> PackedSegments {
    let first = row * segments_per_row(new.len());
    let segments = (first..).zip(new.chunks(SEGMENT_BYTES));
    let found = segments.filter(|(_, segment)| !is_zero(segment));
    found.map(|(number, segment)| (number, pack_part(segment))).collect()
}

/// Segments in which a pass decided positions of a plane.
#[derive(Default)]
pub(crate) struct LoggedSegments {
    /// Key of their blob.
    pub(crate) key: String,
    /// Number of each segment, and length of its compressed bytes.
    pub(crate) lengths: Vec<(usize, u32)>,
    /// Compressed bytes of all segments, in one block of memory: a log has millions of segments.
    pub(crate) bytes: Vec<u8>,
}

impl LoggedSegments {
    pub(crate) fn packed(&self) -> PackedSegments {
        let mut rest = &self.bytes[..];
        let segments = self.lengths.iter().map(|&(number, len)| {
            let (packed, after) = rest.split_at(len as usize);
            rest = after;
            (number, packed.to_vec())
        });
        segments.collect()
    }
}

/// Buffers by which a thread reads rows.
#[derive(Default)]
pub(crate) struct RowBuffers {
    /// A byte for each bit of the row.
    passes: Vec<u8>,
    /// Bits of a segment in a pass.
    new: Vec<u8>,
    unpacker: PartUnpacker,
}

/// Bytes of the buffers of a thread, for rows of `row_bytes` bytes.
pub(crate) fn buffer_bytes(row_bytes: usize) -> u64 {
    (8 * row_bytes + SEGMENT_BYTES) as u64
}

/// Part of [`LoggedPlane`]: new bits of a segment in a pass.
struct LoggedPart {
    segment: usize,
    pass: u8,
    /// Place in the compressed bytes of the pass.
    begin: usize,
    len: u32,
}

/// A plane of a log.
pub(crate) struct LoggedPlane<'a> {
    row_bytes: usize,
    /// By segment and pass.
    parts: Vec<LoggedPart>,
    /// Segments of each pass, without their lengths.
    passes: Vec<LoggedSegments>,
    /// Buffers that are not in use. Fresh memory would cost more than the rows.
    buffers: &'a Mutex<Vec<RowBuffers>>,
}

impl<'a> LoggedPlane<'a> {
    /// Bytes of the list for each of its parts.
    pub(crate) const BYTES_PER_PART: usize = size_of::<LoggedPart>();

    /// `passes` has the segments of each pass, the first one of pass 0.
    pub(crate) fn new(
        row_bytes: usize,
        mut passes: Vec<LoggedSegments>,
        buffers: &'a Mutex<Vec<RowBuffers>>,
    ) -> Self {
        let mut parts = Vec::new();
        for (pass, segments) in (0..=u8::MAX).zip(&mut passes) {
            let mut begin = 0;
            for (segment, len) in std::mem::take(&mut segments.lengths) {
                parts.push(LoggedPart { segment, pass, begin, len });
                begin += len as usize;
            }
        }
        parts.sort_unstable_by_key(|part: &LoggedPart| (part.segment, part.pass));
        Self { row_bytes, parts, passes, buffers }
    }

    fn parts_of(&self, segments: Range<usize>) -> &[LoggedPart] {
        let at = |number| self.parts.partition_point(|part| part.segment < number);
        &self.parts[at(segments.start)..at(segments.end)]
    }

    /// Enters the passes of a part for the bits that are `needed`.
    fn enter(
        &self,
        part: &LoggedPart,
        needed: &Range<usize>,
        buffers: &mut RowBuffers,
    ) -> Result<(), Error> {
        let first = part.segment % segments_per_row(self.row_bytes) * SEGMENT_BYTES;
        let last = self.row_bytes.min(first + SEGMENT_BYTES);
        let RowBuffers { passes, new, unpacker } = buffers;
        new.resize(last - first, 0);
        let pass = &self.passes[usize::from(part.pass)];
        let packed = &pass.bytes[part.begin..][..part.len as usize];
        let unpacked = unpacker.unpack(packed, new);
        unpacked.map_err(|fault| Error::damaged(&format!("{}: {fault}", pass.key)))?;
        let (from, to) = (first.max(needed.start), last.min(needed.end));
        let passes = &mut passes[8 * from..8 * to];
        add_pass(passes, &new[from - first..to - first], part.pass);
        Ok(())
    }
}

impl DecidedPlane for LoggedPlane<'_> {
    fn with_row(
        &self,
        row: usize,
        needed: Range<usize>,
        act: &mut dyn FnMut(&[u8]),
    ) -> Result<(), Error> {
        let first = row * segments_per_row(self.row_bytes);
        let segments = needed.start / SEGMENT_BYTES..needed.end.div_ceil(SEGMENT_BYTES);
        let parts = self.parts_of(first + segments.start..first + segments.end);
        if parts.is_empty() {
            act(&[]);
            return Ok(());
        }
        let mut buffers = lock(self.buffers).pop().unwrap_or_default();
        buffers.passes.resize(8 * self.row_bytes, 0);
        buffers.passes[8 * needed.start..8 * needed.end].fill(0);
        for part in parts {
            self.enter(part, &needed, &mut buffers)?;
        }
        act(&buffers.passes);
        lock(self.buffers).push(buffers);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bytes of a row of three segments and a part of a fourth.
    const ROW_BYTES: usize = 3 * SEGMENT_BYTES + 77;

    const ROWS: usize = 3;

    /// A byte for each bit of a row: the pass that decided it. Most bits of the second segment and
    /// of the last row are decided by none.
    fn passes_of(row: usize) -> Vec<u8> {
        let second = 8 * SEGMENT_BYTES..16 * SEGMENT_BYTES;
        let pass = |bit: usize| match (bit * 2_654_435_761 + row) >> 7 {
            hash if row == ROWS - 1 => u8::from(bit == 5 && hash > 0),
            hash if second.contains(&bit) => u8::from(hash.is_multiple_of(1000)),
            hash => [0, 0, 1, 3, 255][hash % 5],
        };
        (0..8 * ROW_BYTES).map(pass).collect()
    }

    /// Bits of a row that a pass decided.
    fn new_bits(passes: &[u8], pass: u8) -> Vec<u8> {
        let bytes = passes.chunks(8).map(|bits| {
            let bits = (0..).zip(bits).filter(|&(_, &by)| by == pass);
            bits.fold(0, |byte, (i, _)| byte | 1 << i)
        });
        bytes.collect()
    }

    fn logged(pass: u8) -> LoggedSegments {
        let rows = (0..ROWS).rev();
        let rows = rows.flat_map(|row| pack_row(row, &new_bits(&passes_of(row), pass)));
        let (lengths, bytes): (Vec<_>, Vec<_>) =
            rows.map(|(number, packed)| ((number, packed.len() as u32), packed)).unzip();
        LoggedSegments { key: format!("pass {pass}"), lengths, bytes: bytes.concat() }
    }

    #[test]
    fn any_strip_of_a_row_has_its_passes() {
        let passes = (0..=255).map(|pass| match pass {
            1 | 3 | 255 => logged(pass),
            _ => LoggedSegments::default(),
        });
        let buffers = Mutex::default();
        let plane = LoggedPlane::new(ROW_BYTES, passes.collect(), &buffers);
        // Strips within a segment, across one end or several, and whole rows.
        let ends = [0, 1, 900, SEGMENT_BYTES, 2 * SEGMENT_BYTES - 1];
        let ends = [&ends[..], &[3 * SEGMENT_BYTES + 5, ROW_BYTES]].concat();
        for row in (0..ROWS).rev() {
            let whole = passes_of(row);
            for (&start, &end) in ends.iter().flat_map(|a| ends.iter().map(move |b| (a, b))) {
                if start >= end {
                    continue;
                }
                let bits = 8 * start..8 * end;
                let mut seen = false;
                let mut act = |passes: &[u8]| {
                    let expected = &whole[bits.clone()];
                    match passes {
                        [] => assert!(is_zero(expected), "row {row}, {start} to {end}"),
                        _ => assert!(&passes[bits.clone()] == expected, "row {row}, {start}.."),
                    }
                    seen = true;
                };
                plane.with_row(row, start..end, &mut act).expect("a whole log");
                assert!(seen);
            }
        }
    }

    #[test]
    fn rows_without_new_bits_take_no_segment() {
        assert!(pack_row(7, &vec![0; ROW_BYTES]).is_empty());
    }
}
