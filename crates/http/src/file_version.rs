//! Marks by which a server tells one version of a file from another.

use ureq::http::HeaderMap;
use ureq::http::header::{CONTENT_RANGE, ETAG, LAST_MODIFIED};

use crate::error::HttpError;

/// Version of a file on a server.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FileVersion {
    /// Length of the file in bytes.
    pub(crate) length: u64,
    tag: Option<String>,
    modified: Option<String>,
}

impl FileVersion {
    pub(crate) fn new(length: u64, headers: &HeaderMap) -> Self {
        let text = |name| Some(headers.get(name)?.to_str().ok()?.to_string());
        // A weak tag is as good here: a server that compresses may weaken it.
        let tag = text(ETAG).map(|tag| tag.trim_start_matches("W/").to_string());
        Self { length, tag, modified: text(LAST_MODIFIED) }
    }

    /// Returns true if both can be versions of one file that has not changed.
    pub(crate) fn agrees_with(&self, other: &Self) -> bool {
        let marks = match (&self.tag, &other.tag) {
            (Some(tag), Some(other)) => tag == other,
            _ => match (&self.modified, &other.modified) {
                (Some(modified), Some(other)) => modified == other,
                _ => true,
            },
        };
        self.length == other.length && marks
    }
}

/// Bytes that an answer says to have, by its header `Content-Range`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ContentRange {
    /// Offset of the first byte.
    pub(crate) begin: u64,
    /// Offset behind the last byte.
    pub(crate) end: u64,
    /// Length of the file.
    pub(crate) length: u64,
}

impl ContentRange {
    /// Reads `bytes 0-99/1000`.
    pub(crate) fn of(headers: &HeaderMap) -> Result<Self, HttpError> {
        let header = headers.get(CONTENT_RANGE).map(|value| value.to_str());
        let Some(Ok(text)) = header else {
            return Err(HttpError::OtherPart("without Content-Range".into()));
        };
        Self::parse(text).ok_or_else(|| HttpError::OtherPart(format!("Content-Range: {text}")))
    }

    fn parse(text: &str) -> Option<Self> {
        let (bytes, length) = text.strip_prefix("bytes ")?.split_once('/')?;
        let (begin, last) = bytes.split_once('-')?;
        let range = Self {
            begin: begin.trim().parse().ok()?,
            end: last.trim().parse::<u64>().ok()?.checked_add(1)?,
            length: length.trim().parse().ok()?,
        };
        (range.begin < range.end && range.end <= range.length).then_some(range)
    }
}

#[cfg(test)]
mod tests {
    use super::ContentRange;

    #[test]
    fn ranges_are_read_and_impossible_ones_refused() {
        let range = |begin, end, length| ContentRange { begin, end, length };
        let right = ContentRange::parse("bytes 5-9/10");
        assert_eq!(right, Some(range(5, 10, 10)));
        for wrong in [
            "bytes 5-9/*",
            "bytes */10",
            "bytes 5-10/10",
            "bytes 6-5/10",
            "bytes -5-9/10",
            "bytes 0-18446744073709551615/10",
            "items 5-9/10",
            "",
        ] {
            assert_eq!(ContentRange::parse(wrong), None, "{wrong}");
        }
    }
}
