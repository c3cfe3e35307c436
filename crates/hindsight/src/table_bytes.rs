//! Bytes of a table: those of a file on disk or on a web server.

use std::fs::File;
use std::io::{self, ErrorKind};
use std::path::Path;

#[cfg(feature = "http")]
use hindsight_http::{HttpFile, HttpOptions};
use hindsight_tablebase::ReadAt;

use crate::error::GamesError;

/// Bytes of an open table: those of a file, or of a file on a web server.
///
/// ```
/// use hindsight_games::names_table;
///
/// assert!(names_table("https://example.org/q.table"));
/// assert!(!names_table("quoridor:3x3:1"));
/// ```
#[derive(Debug)]
pub struct TableBytes(TableSource);

#[derive(Debug)]
enum TableSource {
    File(File),
    #[cfg(feature = "http")]
    Server(Box<HttpFile>),
}

/// Returns true for what [`open`](crate::open) takes: the name of a file that exists, or an address
/// such as `https://..`.
#[must_use]
pub fn names_table(name: impl AsRef<Path>) -> bool {
    let name = name.as_ref();
    address(name).is_some() || name.exists()
}

/// Returns a name that is an address, be it one that no reader opens, such as `ftp://..`.
pub(crate) fn address(name: &Path) -> Option<&str> {
    let text = name.to_str()?;
    let (scheme, _) = text.split_once("://")?;
    let is_scheme = |byte: u8| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte);
    (!scheme.is_empty() && scheme.bytes().all(is_scheme)).then_some(text)
}

impl TableBytes {
    /// Opens a file, or a file on a server.
    pub(crate) fn open(path: &Path) -> Result<Self, GamesError> {
        match address(path) {
            Some(address) => Self::open_address(address),
            None => Ok(Self(TableSource::File(open_file(path)?))),
        }
    }

    #[cfg(feature = "http")]
    fn open_address(address: &str) -> Result<Self, GamesError> {
        match HttpFile::open(address, &HttpOptions::from_env()) {
            Ok(file) => Ok(Self(TableSource::Server(Box::new(file)))),
            Err(error) => Err(GamesError::Unreadable {
                path: address.into(),
                source: error.into(),
            }),
        }
    }

    #[cfg(not(feature = "http"))]
    fn open_address(address: &str) -> Result<Self, GamesError> {
        Err(GamesError::NoHttp(address.into()))
    }

    fn reader(&self) -> &dyn ReadAt {
        match &self.0 {
            TableSource::File(file) => file,
            #[cfg(feature = "http")]
            TableSource::Server(file) => &**file,
        }
    }
}

impl ReadAt for TableBytes {
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<()> {
        self.reader().read_at(offset, buf)
    }

    fn concurrent_reads(&self) -> usize {
        self.reader().concurrent_reads()
    }

    fn len(&self) -> io::Result<u64> {
        self.reader().len()
    }
}

/// Opens a file for reading; a table is an ordinary file.
fn open_file(path: &Path) -> Result<File, GamesError> {
    let owned = || path.to_path_buf();
    let unreadable = |source| GamesError::Unreadable {
        path: owned(),
        source,
    };
    match path.metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => Err(GamesError::NoFile(owned())),
        Err(error) => Err(unreadable(error)),
        Ok(metadata) if metadata.is_dir() => Err(GamesError::Folder(owned())),
        Ok(metadata) if !metadata.is_file() => Err(GamesError::NotOrdinary(owned())),
        Ok(_) => File::open(path).map_err(unreadable),
    }
}
