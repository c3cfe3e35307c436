//! Variable-length integers, texts and checksums as bytes.
//!
//! An integer is stored in groups of 7 bits, low groups first; bit 7 of a byte is set if another
//! byte follows.

use crate::checkpoint::error::Damage;

/// Appends an integer in as few bytes as it needs.
#[inline]
pub fn put_varint(out: &mut Vec<u8>, mut n: u64) {
    while n >= 0x80 {
        out.push(n as u8 | 0x80);
        n >>= 7;
    }
    out.push(n as u8);
}

/// Appends the length of a text in bytes, then the text.
pub fn put_text(out: &mut Vec<u8>, text: &str) {
    put_varint(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// Appends the checksum (CRC-32 of IEEE 802.3, little-endian) of `out[begin..]`.
pub fn push_checksum(out: &mut Vec<u8>, begin: usize) {
    let sum = crc32fast::hash(&out[begin..]);
    out.extend_from_slice(&sum.to_le_bytes());
}

/// Returns the bytes before the checksum at the end of `bytes`.
///
/// # Errors
/// [`Damage`] of `subject` if the checksum is wrong.
pub fn split_checksum<'a>(bytes: &'a [u8], subject: &str) -> Result<&'a [u8], Damage> {
    match bytes.split_last_chunk::<4>() {
        Some((inner, sum)) if crc32fast::hash(inner) == u32::from_le_bytes(*sum) => Ok(inner),
        _ => Err(Damage(format!("the checksum of {subject} differs"))),
    }
}

/// Returns the 64-bit FNV-1a hash of some bytes, which no program version changes.
#[must_use]
pub fn fnv_hash(bytes: &[u8]) -> u64 {
    let add = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01B3);
    bytes.iter().fold(0xCBF2_9CE4_8422_2325, add)
}

/// Returns true if a text has a control character, which could do harm on a terminal. No writer
/// puts such characters into a file.
pub fn has_control(text: &str) -> bool {
    text.chars().any(char::is_control)
}

/// Reads from untrusted bytes.
pub struct Cursor<'a> {
    rest: &'a [u8],
    subject: &'a str,
}

impl<'a> Cursor<'a> {
    /// Starts at the first byte. `subject` names the bytes in error messages.
    pub fn new(bytes: &'a [u8], subject: &'a str) -> Self {
        Self { rest: bytes, subject }
    }

    /// Damage of these bytes.
    #[must_use]
    pub fn fail(&self, fault: &str) -> Damage {
        Damage(format!("{}: {fault}", self.subject))
    }

    /// Next `n` bytes.
    ///
    /// # Errors
    /// [`Damage`] if fewer bytes are left.
    #[inline]
    pub fn take(&mut self, n: usize) -> Result<&'a [u8], Damage> {
        let (head, rest) =
            self.rest.split_at_checked(n).ok_or_else(|| self.fail("it ends too early"))?;
        self.rest = rest;
        Ok(head)
    }

    /// Next byte.
    ///
    /// # Errors
    /// [`Damage`] if there is none.
    #[inline]
    pub fn byte(&mut self) -> Result<u8, Damage> {
        Ok(self.take(1)?[0])
    }

    /// Next number of 4 bytes, little-endian.
    ///
    /// # Errors
    /// [`Damage`] if fewer than 4 bytes are left.
    #[inline]
    pub fn u32(&mut self) -> Result<u32, Damage> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Next number of 8 bytes, little-endian.
    ///
    /// # Errors
    /// [`Damage`] if fewer than 8 bytes are left.
    #[inline]
    pub fn u64(&mut self) -> Result<u64, Damage> {
        let low = u64::from(self.u32()?);
        Ok(low | u64::from(self.u32()?) << 32)
    }

    /// Next number that [`put_varint`] wrote.
    ///
    /// # Errors
    /// [`Damage`] if there is none.
    #[inline]
    pub fn varint(&mut self) -> Result<u64, Damage> {
        let mut n = 0_u64;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7F);
            if bits << shift >> shift != bits {
                break;
            }
            n |= bits << shift;
            if byte < 0x80 {
                return Ok(n);
            }
        }
        Err(self.fail("a number of more than 64 bits"))
    }

    /// Reads a number of items. Each item takes at least one byte, so a count beyond the rest is
    /// refused.
    ///
    /// # Errors
    /// [`Damage`] if there is none, or it is too large.
    pub fn count(&mut self) -> Result<usize, Damage> {
        let n = self.varint()?;
        match usize::try_from(n) {
            Ok(n) if n <= self.rest.len() => Ok(n),
            _ => Err(self.fail("it ends too early")),
        }
    }

    /// Next text that [`put_text`] wrote.
    ///
    /// # Errors
    /// [`Damage`] if there is none, or it has a control character.
    pub fn text(&mut self) -> Result<String, Damage> {
        let n = self.count()?;
        let bytes = self.take(n)?.to_vec();
        let text = String::from_utf8(bytes).map_err(|_| self.fail("a text that is not UTF-8"))?;
        if has_control(&text) {
            return Err(self.fail("a text with a control character"));
        }
        Ok(text)
    }

    /// Number of bytes not read yet.
    pub fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// Bytes not read yet.
    pub fn rest(self) -> &'a [u8] {
        self.rest
    }

    /// Checks that all bytes were read.
    ///
    /// # Errors
    /// [`Damage`] if bytes are left.
    pub fn end(self) -> Result<(), Damage> {
        if self.rest.is_empty() { Ok(()) } else { Err(self.fail("it goes on too long")) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Cursor, put_text, put_varint};

    #[test]
    fn numbers_are_read_back() {
        for n in [0, 1, 127, 128, 300, u64::from(u32::MAX), u64::MAX] {
            let mut bytes = Vec::new();
            put_varint(&mut bytes, n);
            let mut cursor = Cursor::new(&bytes, "a test");
            assert_eq!(cursor.varint().expect("a number"), n);
            cursor.end().expect("nothing left");
        }
    }

    #[test]
    fn texts_with_control_characters_are_errors() {
        for (text, is_text) in
            [("boar:3x4", true), ("", true), ("\u{1b}[2J", false), ("a\u{9b}", false)]
        {
            let mut bytes = Vec::new();
            put_text(&mut bytes, text);
            let read = Cursor::new(&bytes, "a test").text();
            assert_eq!(read.ok().as_deref(), is_text.then_some(text), "{text:?}");
        }
    }

    #[test]
    fn numbers_of_more_than_64_bits_are_errors() {
        for bytes in [[0xFF; 11].as_slice(), &[0x80; 3], &[], &[0xFF; 9]] {
            assert!(Cursor::new(bytes, "a test").varint().is_err());
        }
    }
}
