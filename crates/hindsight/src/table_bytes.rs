//! Bytes of a table: those of a file on disk or on a web server.

use std::fs::{File, Metadata};
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};

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
    File(OpenFile),
    #[cfg(feature = "http")]
    Server(Box<HttpFile>),
}

/// File that may be replaced, or written anew, while it is open.
#[derive(Debug)]
struct OpenFile {
    file: File,
    path: PathBuf,
    version: OpenVersion,
}

/// Marks that change when a file is replaced or written.
#[derive(PartialEq, Eq, Debug)]
struct OpenVersion {
    /// Numbers of the disk and of the file on it.
    place: [u64; 2],
    length: u64,
    /// Time of the last change, in seconds and nanoseconds.
    modified: [i64; 2],
}

impl OpenVersion {
    fn of(metadata: &Metadata) -> Self {
        Self {
            place: [metadata.dev(), metadata.ino()],
            length: metadata.len(),
            modified: [metadata.mtime(), metadata.mtime_nsec()],
        }
    }
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

    /// Returns true if the bytes are not those of the file, which was written or replaced. Of a
    /// file on a server this is known once a read has met another one.
    pub(crate) fn have_changed(&self) -> bool {
        match &self.0 {
            // The bytes of a file that was removed are still there.
            TableSource::File(open) => {
                let found = open.path.metadata();
                found.is_ok_and(|found| OpenVersion::of(&found) != open.version)
            }
            #[cfg(feature = "http")]
            TableSource::Server(file) => file.has_changed(),
        }
    }

    #[cfg(feature = "http")]
    fn open_address(address: &str) -> Result<Self, GamesError> {
        match HttpFile::open(address, &HttpOptions::from_env()) {
            Ok(file) => Ok(Self(TableSource::Server(Box::new(file)))),
            Err(error) => {
                Err(GamesError::Unreadable { path: address.into(), source: error.into() })
            }
        }
    }

    #[cfg(not(feature = "http"))]
    fn open_address(address: &str) -> Result<Self, GamesError> {
        Err(GamesError::NoHttp(address.into()))
    }

    fn reader(&self) -> &dyn ReadAt {
        match &self.0 {
            TableSource::File(open) => &open.file,
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
fn open_file(path: &Path) -> Result<OpenFile, GamesError> {
    let owned = || path.to_path_buf();
    let unreadable = |source| GamesError::Unreadable { path: owned(), source };
    match path.metadata() {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            return Err(GamesError::NoFile(owned()));
        }
        Err(error) => return Err(unreadable(error)),
        Ok(metadata) if metadata.is_dir() => return Err(GamesError::Folder(owned())),
        Ok(metadata) if !metadata.is_file() => return Err(GamesError::NotOrdinary(owned())),
        Ok(_) => {}
    }
    let file = File::open(path).map_err(unreadable)?;
    let version = OpenVersion::of(&file.metadata().map_err(unreadable)?);
    Ok(OpenFile { file, path: owned(), version })
}
