//! Lines of a host, as a bot reads them.

use std::io::{self, BufRead, ErrorKind, Read as _};

use crate::protocol::MAX_HOST_LINE_BYTES;

/// Input of a bot.
#[derive(Debug)]
pub struct HostInput<R>(pub R);

impl<R: BufRead> HostInput<R> {
    /// Reads the next line, without its line break; `None` at the end. Bytes that are no UTF-8 are
    /// replaced.
    ///
    /// # Errors
    /// The input cannot be read, or the line has more than [`MAX_HOST_LINE_BYTES`] bytes.
    pub fn next_line(&mut self) -> io::Result<Option<String>> {
        let mut line = Vec::new();
        let longest = MAX_HOST_LINE_BYTES as u64 + 1;
        let mut limited = (&mut self.0).take(longest);
        if limited.read_until(b'\n', &mut line)? == 0 {
            return Ok(None);
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        } else if line.len() as u64 == longest {
            let text = format!("a line has more than {MAX_HOST_LINE_BYTES} bytes");
            return Err(io::Error::new(ErrorKind::InvalidData, text));
        }
        Ok(Some(String::from_utf8_lossy(&line).into_owned()))
    }
}
