//! Formats of pictures, by the ending of a file.

use std::path::Path;

use anyhow::Result;
use hindsight_draw::Picture;

use crate::process::exit::not_built_in;

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

    /// Returns the ending of a file.
    pub(crate) fn ending(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
        }
    }

    /// Refuses a format that is not built in.
    pub(crate) fn check(self) -> Result<()> {
        match self {
            Self::Png if cfg!(not(feature = "png")) => {
                Err(not_built_in("pictures other than SVG", "png"))
            }
            _ => Ok(()),
        }
    }

    /// Returns a picture in this format, with `scale` pixels for each unit in a PNG.
    pub(crate) fn bytes(self, picture: &Picture, scale: f32) -> Result<Vec<u8>> {
        match self {
            Self::Svg => Ok(picture.svg().into_bytes()),
            Self::Png => png(picture, scale),
        }
    }
}

#[cfg(feature = "png")]
fn png(picture: &Picture, scale: f32) -> Result<Vec<u8>> {
    Ok(picture.png(scale)?)
}

#[cfg(not(feature = "png"))]
fn png(_: &Picture, _: f32) -> Result<Vec<u8>> {
    PictureFormat::Png.check().map(|()| Vec::new())
}
