//! Texts that are read from files.

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

/// Reads a text, without the byte order mark that some editors put before it; `None` where it has more
/// bytes than `most`.
pub(crate) fn read_text(path: &Path, most: u64) -> io::Result<Option<String>> {
    let mut bytes = Vec::new();
    let read = File::open(path)?.take(most + 1).read_to_end(&mut bytes)?;
    if read as u64 > most {
        return Ok(None);
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| io::Error::new(ErrorKind::InvalidData, "it is no text in UTF-8"))?;
    Ok(Some(strip_byte_order_mark(&text).to_owned()))
}

/// Text without a byte order mark.
pub(crate) fn strip_byte_order_mark(text: &str) -> &str {
    text.strip_prefix('\u{feff}').unwrap_or(text)
}
