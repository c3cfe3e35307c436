//! Tables of the lines of packed lanes, for the codec of AVX-512.

use crate::simd::lane_codec::CODEC_BYTES;

/// Numbers of free squares that the codec supports.
///
/// With fewer than 8, three lines may share a byte. With more than 22, a lane exceeds a wide.
pub(crate) const SUPPORTED_SQUARES: std::ops::RangeInclusive<usize> = 8..=22;

/// Squares below each square: `2^square - 1`.
pub(crate) static SQUARES_BELOW: [u32; 32] = {
    let mut below = [0; 32];
    let mut square = 0;
    while square < 32 {
        below[square] = (1 << square) - 1;
        square += 1;
    }
    below
};

/// Places of the packed lines of `f` bits in the bytes of a lane. Line `i` begins at bit `i * f`.
pub(crate) struct PackedLineTable {
    /// First line with bits in each packed byte: `8 * byte / f`.
    pub(crate) first_line: [u8; CODEC_BYTES],
    /// Byte of the shifted first line that goes into each packed byte.
    pub(crate) byte_in_line: [u8; CODEC_BYTES],
    /// Line after the first: `first_line + 1`.
    pub(crate) second_line: [u8; CODEC_BYTES],
    /// Packed bytes in which the second line begins.
    pub(crate) has_second: u64,
    /// `i * f / 8 + 0..4` for line `i`: the four packed bytes in which it begins.
    pub(crate) windows: [u8; CODEC_BYTES],
    /// `i * f % 8` for line `i`.
    pub(crate) shifts: [u32; 16],
}

/// Table for each `f`; empty below 8.
pub(crate) static PACKED_LINES: [PackedLineTable; 23] = {
    let mut tables = [const {
        PackedLineTable {
            first_line: [0; CODEC_BYTES],
            byte_in_line: [0; CODEC_BYTES],
            second_line: [0; CODEC_BYTES],
            has_second: 0,
            windows: [0; CODEC_BYTES],
            shifts: [0; 16],
        }
    }; 23];
    let mut len = *SUPPORTED_SQUARES.start();
    while len <= *SUPPORTED_SQUARES.end() {
        let mut byte = 0;
        while byte < CODEC_BYTES {
            let line = 8 * byte / len;
            tables[len].first_line[byte] = line as u8;
            tables[len].byte_in_line[byte] = (byte - ((line * len) >> 3)) as u8;
            tables[len].second_line[byte] = line as u8 + 1;
            if line + 1 < len && (line + 1) * len < 8 * byte + 8 {
                tables[len].has_second |= 1 << byte;
            }
            // Lines from `len` on have meaningless windows, which are not used.
            tables[len].windows[byte] = (((byte / 4 * len) >> 3) + byte % 4) as u8;
            tables[len].shifts[byte / 4] = ((byte / 4 * len) & 7) as u32;
            byte += 1;
        }
        len += 1;
    }
    tables
};

/// `BYTE_INDICES[i] = i`.
pub(crate) static BYTE_INDICES: [u8; CODEC_BYTES] = {
    let mut indices = [0; CODEC_BYTES];
    let mut n = 0;
    while n < CODEC_BYTES {
        indices[n] = n as u8;
        n += 1;
    }
    indices
};
