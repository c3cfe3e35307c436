use hindsight_games::{AnalysisCache, CachedFile, Error};
use serde::Serialize;

/// Positions of a table that were written to a file.
#[derive(Clone, Debug, Serialize)]
pub struct ExportAnswer {
    /// Name of the game in the header: its spec, or `rules:` with name and version.
    pub game: String,
    /// Name of the file.
    pub file: String,
    /// Rows of the file.
    pub positions: u64,
}

/// Graph of a game that was written to files.
#[derive(Clone, Debug, Serialize)]
pub struct GraphAnswer {
    /// Spec of the game in its normal form.
    pub game: String,
    /// Names of the files.
    pub files: Vec<String>,
    /// Positions.
    pub positions: u64,
    /// Moves.
    pub edges: u64,
}

/// Picture of a position that was written to a file.
#[derive(Clone, Debug, Serialize)]
pub struct DrawAnswer {
    /// Spec of the game in its normal form.
    pub game: String,
    /// The position.
    pub position: String,
    /// Name of the file.
    pub out: String,
}

/// Cache of endgames.
#[derive(Clone, Debug, Serialize)]
pub struct CacheAnswer {
    /// Folder of the cache.
    pub folder: String,
    /// Length of all files.
    pub bytes: u64,
    /// The files.
    pub files: Vec<CachedFileAnswer>,
}

/// File of the cache of endgames.
#[derive(Clone, Debug, Serialize)]
pub struct CachedFileAnswer {
    /// Name of the file.
    pub name: String,
    /// Length of the file.
    pub bytes: u64,
}

impl CacheAnswer {
    /// Lists the files of a cache.
    ///
    /// # Errors
    /// If the folder cannot be read.
    pub fn new(cache: &AnalysisCache) -> Result<Self, Error> {
        let files = cache.files()?;
        Ok(Self {
            folder: cache.folder().display().to_string(),
            bytes: files.iter().map(|file| file.bytes).sum(),
            files: files.into_iter().map(CachedFileAnswer::from).collect(),
        })
    }
}

impl From<CachedFile> for CachedFileAnswer {
    fn from(file: CachedFile) -> Self {
        Self { name: file.name, bytes: file.bytes }
    }
}
