//! Deck files that specs name.

use std::fs::{self, File};
use std::io::Read;

/// Most bytes of a deck file.
const MAX_BYTES: u64 = 1 << 20;

/// Reads a deck file for a spec, without its byte order mark.
///
/// # Errors
/// A sentence, if the file cannot be read, is no ordinary file, is larger than a megabyte, or is no
/// text in UTF-8.
pub fn read_deck(name: &str) -> Result<String, String> {
    let cannot_read = |error| format!("cannot read '{name}': {error}");
    // Opening a named pipe would wait for its writer.
    if !fs::metadata(name).map_err(cannot_read)?.is_file() {
        return Err(format!("'{name}' is no ordinary file; a deck is a file of TOML"));
    }
    let file = File::open(name).map_err(cannot_read)?;
    let mut bytes = Vec::new();
    let length = file.take(MAX_BYTES + 1).read_to_end(&mut bytes);
    if length.map_err(cannot_read)? as u64 > MAX_BYTES {
        return Err(format!("'{name}' is no deck: it is larger than a megabyte"));
    }
    let text = String::from_utf8(bytes)
        .map_err(|_| format!("cannot read '{name}': it is no text in UTF-8"))?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).to_owned())
}
