//! Formats of pictures, by the ending of a file.

use std::path::Path;

/// Format of a picture.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PictureFormat {
    Svg,
    Png,
}

impl PictureFormat {
    /// Returns the format that the ending of a file names, in any case; `None` for another ending.
    pub(crate) fn of_ending(file: &Path) -> Option<Self> {
        let ending = file.extension()?.to_ascii_lowercase();
        match ending.to_str()? {
            "svg" => Some(Self::Svg),
            "png" => Some(Self::Png),
            _ => None,
        }
    }
}
