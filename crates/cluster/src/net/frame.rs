//! Frames of a control connection: a kind and a short text.

use std::io::{self, Read, Write};

/// Longest text of a frame, in bytes.
const MAX_TEXT: usize = 1 << 14;

/// Message on a control connection.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Frame {
    /// The sender is alive.
    Beat,
    /// The sender can begin.
    Ready,
    /// The sender cannot begin, for this reason.
    Refused(String),
    /// The solve has failed, for this reason.
    Failed(String),
    /// The sender has finished; it sends nothing more.
    Done,
}

impl Frame {
    /// Writes the frame: a byte for the kind, the length of the text in four bytes, the text.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let (kind, text) = match self {
            Self::Beat => (0, ""),
            Self::Ready => (1, ""),
            Self::Refused(text) => (2, text.as_str()),
            Self::Failed(text) => (3, text.as_str()),
            Self::Done => (4, ""),
        };
        let text = &text.as_bytes()[..text.floor_char_boundary(MAX_TEXT)];
        let mut bytes = vec![kind];
        bytes.extend_from_slice(&(text.len() as u32).to_le_bytes());
        bytes.extend_from_slice(text);
        out.write_all(&bytes)
    }

    /// Reads a frame.
    ///
    /// # Errors
    /// As [`Read::read_exact`]; [`io::ErrorKind::InvalidData`] for bytes that are no frame.
    pub(crate) fn read(from: &mut impl Read) -> io::Result<Self> {
        let mut head = [0; 5];
        from.read_exact(&mut head)?;
        let [kind, length @ ..] = head;
        let length = u32::from_le_bytes(length) as usize;
        if length > MAX_TEXT {
            return Err(io::ErrorKind::InvalidData.into());
        }
        let mut text = vec![0; length];
        from.read_exact(&mut text)?;
        let text = String::from_utf8_lossy(&text).replace(char::is_control, " ");
        match kind {
            0 => Ok(Self::Beat),
            1 => Ok(Self::Ready),
            2 => Ok(Self::Refused(text)),
            3 => Ok(Self::Failed(text)),
            4 => Ok(Self::Done),
            _ => Err(io::ErrorKind::InvalidData.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Frame;

    #[test]
    fn frames_are_read_back() {
        let long = "\u{e9}".repeat(20_000);
        for frame in [
            Frame::Beat,
            Frame::Ready,
            Frame::Refused("no room".into()),
            Frame::Failed("the disk is full".into()),
            Frame::Done,
        ] {
            let mut bytes = Vec::new();
            frame.write(&mut bytes).expect("memory");
            assert_eq!(Frame::read(&mut &bytes[..]).expect("a frame"), frame);
            assert!(Frame::read(&mut &bytes[..bytes.len() - 1]).is_err());
        }
        let mut bytes = Vec::new();
        Frame::Failed(long).write(&mut bytes).expect("memory");
        assert!(Frame::read(&mut &bytes[..]).is_ok(), "a long text is cut");
        assert!(Frame::read(&mut &[9, 0, 0, 0, 0][..]).is_err());
        assert!(Frame::read(&mut &[3, 255, 255, 255, 255][..]).is_err());
    }
}
