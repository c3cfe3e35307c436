//! Text read from files.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Reads a text without its byte order mark; returns `None` if it has more than `max_bytes` bytes.
pub fn read_text(path: &Path, max_bytes: u64) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let length = File::open(path)?.take(max_bytes + 1).read_to_end(&mut bytes)?;
    if length as u64 > max_bytes {
        return Ok(None);
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is no text in UTF-8"))?;
    Ok(Some(strip_byte_order_mark(&text).to_owned()))
}

pub(crate) fn strip_byte_order_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
