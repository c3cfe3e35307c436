//! Forgeries of tables and of files of checkpoints. Something is changed in an honest file, and all
//! checksums and lengths are corrected, so that the change passes them.
#![allow(
    dead_code,
    unreachable_pub,
    missing_docs,
    reason = "each test uses its part; the fuzz target too"
)]

pub mod honest;
mod part;
mod table;

pub use part::forge_part;
pub use table::forge_table;

/// Source of decisions: bytes as long as there are any, then a random number generator.
pub struct Choices<'a> {
    bytes: &'a [u8],
    state: u64,
}

impl<'a> Choices<'a> {
    pub fn seeded(seed: u64) -> Self {
        Choices { bytes: &[], state: seed }
    }

    pub fn of(bytes: &'a [u8]) -> Self {
        Self { bytes, state: 0 }
    }

    pub fn next(&mut self) -> u64 {
        if let Some((&byte, rest)) = self.bytes.split_first() {
            self.bytes = rest;
            self.state = self.state.wrapping_add(byte.into());
            return byte.into();
        }
        // SplitMix64.
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.state ^ self.state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    pub fn byte(&mut self) -> u8 {
        self.next() as u8
    }

    /// A number that may pass for a count, a length or a value.
    pub fn number(&mut self) -> u64 {
        match self.below(8) {
            0 => self.next() % 4,
            1 => u64::MAX - self.next() % 3,
            2 => 1 << self.below(64),
            3 => (1 << self.below(64)) - 1,
            4 => 65_533 + self.next() % 4,
            5 => self.next() % 256,
            6 => (1 << 32) - 2 + self.next() % 4,
            _ => self.next(),
        }
    }

    /// Changes some bytes, or their number.
    pub fn spoil(&mut self, bytes: &mut Vec<u8>) {
        match self.below(6) {
            0 => bytes.truncate(self.below(bytes.len() + 1)),
            1 => bytes.extend((0..1 + self.below(9)).map(|i| i as u8)),
            2 => {
                let byte = self.byte();
                bytes.fill(byte);
            }
            _ => {
                for _ in 0..=self.below(4) {
                    let at = self.below(bytes.len());
                    let byte = self.byte();
                    if let Some(old) = bytes.get_mut(at) {
                        *old = byte;
                    }
                }
            }
        }
    }
}

pub fn put_number(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Reads a number. Returns the number and its length in bytes.
pub fn take_number(bytes: &[u8]) -> (u64, usize) {
    let mut n = 0;
    for (i, &byte) in bytes.iter().enumerate().take(10) {
        n |= u64::from(byte & 0x7F) << (7 * i);
        if byte < 0x80 {
            return (n, i + 1);
        }
    }
    (n, bytes.len().min(10))
}

/// Appends the checksum of the bytes from `begin` on.
pub fn seal(out: &mut Vec<u8>, begin: usize) {
    let sum = crc32fast::hash(&out[begin..]);
    out.extend_from_slice(&sum.to_le_bytes());
}
