//! Bytes as text.

const DIGITS: &[u8; 16] = b"0123456789abcdef";

/// Returns bytes as hexadecimal digits in lower case, two each.
#[must_use]
pub fn hexadecimal(bytes: &[u8]) -> String {
    let mut digits = String::with_capacity(2 * bytes.len());
    push_hexadecimal(bytes, &mut digits);
    digits
}

/// Appends bytes as hexadecimal digits in lower case, two each.
pub fn push_hexadecimal(bytes: &[u8], digits: &mut String) {
    let halves = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.extend(halves.map(|half| char::from(DIGITS[usize::from(half)])));
}

/// Value of each digit; 255 for other characters.
const VALUES: [u8; 256] = {
    let mut values = [u8::MAX; 256];
    let mut digit = 0;
    while digit < 16 {
        values[DIGITS[digit].to_ascii_uppercase() as usize] = digit as u8;
        values[DIGITS[digit] as usize] = digit as u8;
        digit += 1;
    }
    values
};

/// Appends the bytes of hexadecimal digits, two each; `None` if they are none.
#[must_use]
pub fn bytes_of(digits: &[u8], bytes: &mut Vec<u8>) -> Option<()> {
    let (pairs, rest) = digits.as_chunks();
    let mut seen = 0;
    bytes.extend(pairs.iter().map(|&[high, low]| {
        let (high, low) = (VALUES[usize::from(high)], VALUES[usize::from(low)]);
        seen |= high | low;
        high << 4 | low & 15
    }));
    (rest.is_empty() && seen < 16).then_some(())
}
