//! Folder of endgames that analyses keep.

use std::env;
use std::fs::{self, File};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use hindsight_engine::checkpoint::bytes::fnv_hash;
use hindsight_engine::checkpoint::{Blob, Blobs, CheckpointError, WriteBlob, make_folder};
use tempfile::NamedTempFile;

use crate::error::GamesError;
use crate::games::game::AnyGame;
use crate::memory::free_disk_bytes;
use crate::tables::tablebase::{Tablebase, open};
use crate::values::Values;

/// Most bytes of all files.
const MAX_BYTES: u64 = 10_000_000_000;
/// Part of the disk that is free without the cache: at most one in this number is used.
const DISK_DIVISOR: u64 = 5;
/// Ending of the name of an endgame.
const BLOB_SUFFIX: &str = ".blob";
/// Ending of the name of a table.
const TABLE_SUFFIX: &str = ".table";
/// Most characters of a spec in the name of its table.
const MAX_SPEC_CHARS: usize = 60;
/// Bytes that are written to see if there is room at all.
const TRIAL_BYTES: usize = 1 << 12;

/// Folder of endgames that analyses keep, for [`AnyGame::analyse`](crate::AnyGame::analyse), and of
/// tables that were added.
///
/// Processes may share it: a file appears whole or not at all. All files together take at most 10
/// GB, and a fifth of what is free on the disk without them; those used longest ago make room. A
/// file is read only if its checksums and its rules are right.
///
/// ```
/// use hindsight_games::{AnalysisCache, Options};
///
/// # let folder = tempfile::tempdir().expect("a folder");
/// # let folder = folder.path();
/// let cache = AnalysisCache::open(folder)?;
/// let game = hindsight_games::game("onitama:3x4:boar")?;
/// let analysis = game.analyse(&game.start(), &Options::default(), Some(&cache))?;
/// assert_eq!(analysis.answer.to_string(), "win in 21 plies");
/// assert!(cache.files()?.is_empty(), "what is solved in a moment is not kept");
/// # Ok::<(), hindsight_games::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct AnalysisCache {
    folder: PathBuf,
}

/// Store of what analyses keep: an [`AnalysisCache`], or an
/// [`AnalysisMemory`](crate::AnalysisMemory).
pub trait AnalysisStore: Blobs {
    /// Returns the values of a game by a table of its rules, if the store has one.
    fn values_of(&self, _game: &AnyGame) -> Option<Values> {
        None
    }
}

impl AnalysisStore for AnalysisCache {
    fn values_of(&self, game: &AnyGame) -> Option<Values> {
        self.values(game)
    }
}

/// File of a cache.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CachedFile {
    /// Name of the file.
    pub name: String,
    /// Length in bytes.
    pub bytes: u64,
    /// Time of the last use; `None` if the system does not tell.
    pub used: Option<SystemTime>,
}

impl AnalysisCache {
    /// Returns the default folder: `hindsight` in `$XDG_CACHE_HOME`, or in `~/.cache`.
    ///
    /// `None` if neither variable names an absolute path.
    #[must_use]
    pub fn default_folder() -> Option<PathBuf> {
        let absolute =
            |name| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let parent = absolute("XDG_CACHE_HOME");
        let parent = parent.or_else(|| Some(absolute("HOME")?.join(".cache")))?;
        Some(parent.join("hindsight"))
    }

    /// Opens a cache; creates its folder if need be, and writes a small file to see if it can.
    ///
    /// # Errors
    /// [`Error::Unwritable`](crate::Error::Unwritable) if the folder cannot be made or has no room.
    pub fn open(folder: impl AsRef<Path>) -> Result<Self, GamesError> {
        let folder = folder.as_ref();
        let try_out = || -> io::Result<()> {
            make_folder(folder)?;
            let mut trial = new_file(folder)?;
            trial.write_all(&[0; TRIAL_BYTES])?;
            trial.flush()
        };
        try_out().map_err(|error| GamesError::unwritable(folder, error))?;
        Ok(Self { folder: folder.to_path_buf() })
    }

    /// Returns a cache that is only looked at: its folder need not exist.
    #[must_use]
    pub fn at(folder: impl AsRef<Path>) -> Self {
        Self { folder: folder.as_ref().to_path_buf() }
    }

    /// Returns the folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Returns the files, by name.
    ///
    /// # Errors
    /// [`Error::Unreadable`](crate::Error::Unreadable) if the folder cannot be listed.
    pub fn files(&self) -> Result<Vec<CachedFile>, GamesError> {
        self.list().map_err(|source| GamesError::Unreadable { path: self.folder.clone(), source })
    }

    /// Removes all files.
    ///
    /// # Errors
    /// [`Error::Unreadable`](crate::Error::Unreadable) or
    /// [`Error::Unwritable`](crate::Error::Unwritable) if a file cannot be listed or removed.
    pub fn clear(&self) -> Result<(), GamesError> {
        for file in self.files()? {
            let path = self.folder.join(&file.name);
            remove(&path).map_err(|error| GamesError::unwritable(&path, error))?;
        }
        Ok(())
    }

    /// Copies a table into the cache, in place of an earlier one of its game. Analyses of the game
    /// then take their values from there.
    ///
    /// # Errors
    /// [`Error::Unwritable`](crate::Error::Unwritable) if the cache has no room for it;
    /// [`Error::Unreadable`](crate::Error::Unreadable) if the table cannot be read.
    pub fn add_table(&self, table: &Tablebase) -> Result<(), GamesError> {
        let target = self.table_path(table.game());
        let unwritable = |error| GamesError::unwritable(&target, error);
        let mut file = new_file(&self.folder).map_err(unwritable)?;
        for chunk in table.chunks() {
            file.write_all(&chunk?).map_err(unwritable)?;
        }
        let keep = || -> io::Result<()> {
            if !self.make_room(table.bytes())? {
                let fault = "the cache has no room: at most 10 GB, and a fifth of the free disk";
                return Err(io::Error::new(ErrorKind::StorageFull, fault));
            }
            file.persist(&target).map_err(|error| error.error)?;
            Ok(())
        };
        keep().map_err(unwritable)
    }

    /// Returns the values of a game by the table that was added for its rules.
    ///
    /// `None` without one, and if the file is not a table of the game.
    #[must_use]
    pub fn values(&self, game: &AnyGame) -> Option<Values> {
        let path = self.table_path(game);
        let table = open(&path).ok()?;
        if let Ok(file) = File::open(&path) {
            mark_used(&file);
        }
        let named = table.with_names_of(game).ok()?;
        Some(named.values().clone())
    }

    /// Path of the table of all games with the rules of a game.
    fn table_path(&self, game: &AnyGame) -> PathBuf {
        let spec = game.rules_spec();
        let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '-' };
        let name: String = spec.chars().map(plain).take(MAX_SPEC_CHARS).collect();
        let hash = fnv_hash(spec.as_bytes());
        self.folder.join(format!("{name}-{hash:016x}{TABLE_SUFFIX}"))
    }

    fn path(&self, key: &str) -> PathBuf {
        self.folder.join(format!("{key}{BLOB_SUFFIX}"))
    }

    fn list(&self) -> io::Result<Vec<CachedFile>> {
        let entries = match fs::read_dir(&self.folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
            entries => entries?,
        };
        let mut files = Vec::new();
        for entry in entries {
            let entry = entry?;
            let name = entry.file_name().into_string().ok();
            let is_ours = |name: &str| name.ends_with(BLOB_SUFFIX) || name.ends_with(TABLE_SUFFIX);
            let name = name.filter(|name| is_ours(name));
            // Another process may remove a file meanwhile.
            let (Some(name), Ok(metadata)) = (name, entry.metadata()) else {
                continue;
            };
            if metadata.is_file() {
                files.push(CachedFile {
                    name,
                    bytes: metadata.len(),
                    used: metadata.modified().ok(),
                });
            }
        }
        files.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(files)
    }

    /// Removes the files used longest ago until `bytes` more fit; returns false if they never do.
    fn make_room(&self, bytes: u64) -> io::Result<bool> {
        let mut files = self.list()?;
        files.sort_by_key(|file| std::cmp::Reverse(file.used));
        let mut total: u64 = files.iter().map(|file| file.bytes).sum();
        let free = free_disk_bytes(&self.folder).unwrap_or(u64::MAX / 2);
        let limit = MAX_BYTES.min(free.saturating_add(total) / DISK_DIVISOR);
        while total.saturating_add(bytes) > limit {
            let Some(oldest) = files.pop() else {
                return Ok(false);
            };
            remove(&self.folder.join(&oldest.name))?;
            total -= oldest.bytes;
        }
        Ok(true)
    }

    /// Writes a file and gives it its name, if there is room for it.
    fn write(&self, key: &str, write: &mut WriteBlob<'_>) -> io::Result<()> {
        let mut file = new_file(&self.folder)?;
        write(&mut io::BufWriter::new(&mut file))?;
        let bytes = file.as_file().metadata()?.len();
        if self.make_room(bytes)? {
            file.persist(self.path(key)).map_err(|error| error.error)?;
        }
        Ok(())
    }

    fn fail(&self, doing: &'static str, key: &str, source: io::Error) -> CheckpointError {
        CheckpointError::File { doing, path: self.path(key), source }
    }
}

/// Creates a file without a name of its own yet.
fn new_file(folder: &Path) -> io::Result<NamedTempFile> {
    tempfile::Builder::new().prefix(".hindsight-").suffix(".partial").tempfile_in(folder)
}

/// Notes that a file was used now.
fn mark_used(file: &File) {
    // Ignored: a file whose time stays old is only removed sooner.
    let _ = file.set_modified(SystemTime::now());
}

/// Removes a file, if it is there.
fn remove(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

impl Blobs for AnalysisCache {
    fn put(&self, key: &str, write: &mut WriteBlob<'_>) -> Result<(), CheckpointError> {
        self.write(key, write).map_err(|error| self.fail("write", key, error))
    }

    fn get(&self, key: &str) -> Result<Option<Box<dyn Blob>>, CheckpointError> {
        match File::open(self.path(key)) {
            Ok(file) => {
                mark_used(&file);
                Ok(Some(Box::new(file)))
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
            Err(error) => Err(self.fail("read", key, error)),
        }
    }

    fn keys(&self) -> Result<Vec<String>, CheckpointError> {
        let files = self.list().map_err(|error| self.fail("list", "", error))?;
        let keys = files.iter().filter_map(|file| file.name.strip_suffix(BLOB_SUFFIX));
        Ok(keys.map(str::to_string).collect())
    }

    fn remove(&self, key: &str) -> Result<(), CheckpointError> {
        remove(&self.path(key)).map_err(|error| self.fail("remove", key, error))
    }

    fn name(&self, key: &str) -> String {
        self.path(key).display().to_string()
    }
}
