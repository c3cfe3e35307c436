//! A file that appears under its name only when it is complete.

use std::ffi::{OsStr, OsString};
use std::fs::{File, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use tempfile::{Builder, TempPath};

use super::identity::FileIdentity;
use super::target::Target;
use crate::temporary::TemporaryPath;

/// Bytes that are written together.
const BUFFER_BYTES: usize = 1 << 18;

/// An output of a command. An ordinary file has another name beside its own until [`Output::finish`];
/// dropped before that, it leaves nothing. A stream is written to as it comes.
///
/// Errors of writing name the file.
#[derive(Debug)]
pub(crate) struct Output {
    writer: BufWriter<File>,
    /// As the user named it.
    named: PathBuf,
    /// Of an ordinary file.
    partial: Option<PartialFile>,
    is_stdout: bool,
}

/// A file under another name than the one it is to get.
#[derive(Debug)]
struct PartialFile {
    path: TempPath,
    target: PathBuf,
    /// The file that may be replaced.
    replaced: Option<FileIdentity>,
    _swept: TemporaryPath,
}

impl Output {
    /// An ordinary file; `what` it holds, such as `a table`, for the errors.
    ///
    /// # Errors
    /// When the file exists and may not be replaced, when no file can be made beside it, or when its name
    /// is that of a folder, a pipe or a device.
    pub(crate) fn file(path: &Path, what: &str, force: bool) -> Result<Self> {
        let (target, replaced) = Target::at(path, force)?.file(path, what)?;
        Self::partial(path, target, replaced)
    }

    /// An ordinary file, a pipe, a device or, as `-`, standard output.
    ///
    /// # Errors
    /// As for [`Output::file`], without the last.
    pub(crate) fn file_or_stream(path: &Path, force: bool) -> Result<Self> {
        let (file, is_stdout) = match Target::at(path, force)? {
            Target::File {
                path: target,
                replaced,
            } => return Self::partial(path, target, replaced),
            Target::Stdout => (stdout(), true),
            // Waits for the reader of a named pipe.
            Target::Stream => (File::options().write(true).open(path), false),
        };
        Ok(Self {
            writer: BufWriter::with_capacity(
                BUFFER_BYTES,
                file.with_context(|| cannot_write(path))?,
            ),
            named: path.to_owned(),
            partial: None,
            is_stdout,
        })
    }

    fn partial(path: &Path, target: PathBuf, replaced: Option<FileIdentity>) -> Result<Self> {
        let folder = target.parent().filter(|folder| *folder != Path::new(""));
        let made = Builder::new()
            .prefix(&partial_prefix(&target))
            .suffix(".partial")
            // As of any new file: less what the user's mask takes away.
            .permissions(Permissions::from_mode(0o666))
            .tempfile_in(folder.unwrap_or(Path::new(".")));
        let made = made.map_err(without_path);
        let (file, partial) = made.with_context(|| cannot_write(path))?.into_parts();
        Ok(Self {
            writer: BufWriter::with_capacity(BUFFER_BYTES, file),
            named: path.to_owned(),
            partial: Some(PartialFile {
                _swept: TemporaryPath::new(&partial),
                path: partial,
                target,
                replaced,
            }),
            is_stdout: false,
        })
    }

    /// True if it goes to standard output.
    pub(crate) fn is_stdout(&self) -> bool {
        self.is_stdout
    }

    /// As the user named it.
    pub(crate) fn name(&self) -> &Path {
        &self.named
    }

    /// Completes the file, which gets its name.
    ///
    /// # Errors
    /// When it cannot be written, or when a file that was not there before has its name by now: the
    /// result is then kept under another name, which the error tells.
    pub(crate) fn finish(self) -> Result<()> {
        finish_all(vec![self])
    }

    /// Brings all bytes to the disk.
    fn flush_to_disk(&mut self) -> io::Result<()> {
        self.writer.flush()?;
        match self.partial {
            Some(_) => self.writer.get_ref().sync_all(),
            None => Ok(()),
        }
    }
}

/// Completes files that belong together: either all get their names, or none does.
///
/// # Errors
/// As for [`Output::finish`].
pub(crate) fn finish_all(mut outputs: Vec<Output>) -> Result<()> {
    for output in &mut outputs {
        let completed = output.flush_to_disk();
        completed.map_err(|error| name_in_error(&output.named, error))?;
    }
    let mut done: Vec<PlacedFile> = Vec::new();
    let mut left = outputs.into_iter();
    while let Some(Output { named, partial, .. }) = left.next() {
        let Some(partial) = partial else { continue };
        match partial.place() {
            Ok(placed) => done.push(placed),
            Err(PlaceError { partial, error }) => {
                // The first of several is taken back: nothing is where only a part would be.
                let alone = done.is_empty() && left.len() == 0;
                done.into_iter().rev().for_each(PlacedFile::take_back);
                return Err(match error.kind() {
                    io::ErrorKind::AlreadyExists if alone => partial.keep_under_free_name(&named),
                    io::ErrorKind::AlreadyExists => anyhow!(
                        "'{}' was made by another program meanwhile; nothing was written",
                        named.display()
                    ),
                    _ => anyhow!(error).context(cannot_write(&named)),
                });
            }
        }
    }
    done.iter().for_each(PlacedFile::sync);
    Ok(())
}

/// A file that has its name.
struct PlacedFile {
    target: PathBuf,
    /// The file that had the name before, under another one; it goes when the value is dropped.
    replaced: Option<TempPath>,
}

/// A file that could not get its name.
struct PlaceError {
    partial: PartialFile,
    error: io::Error,
}

impl PartialFile {
    /// Gives the file its name, if only a file that may be replaced has it.
    fn place(self) -> Result<PlacedFile, PlaceError> {
        let exchange = |a: &Path, b: &Path| renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE);
        if let Some(replaced) = self.replaced
            && exchange(&self.path, &self.target).is_ok()
        {
            if FileIdentity::at(&self.path) == Some(replaced) {
                return Ok(PlacedFile {
                    target: self.target,
                    replaced: Some(self.path),
                });
            }
            // Another file stood there than the one that may be replaced.
            if let Err(error) = exchange(&self.path, &self.target) {
                let error = error.into();
                return Err(PlaceError {
                    partial: self,
                    error,
                });
            }
            let error = io::ErrorKind::AlreadyExists.into();
            return Err(PlaceError {
                partial: self,
                error,
            });
        }
        let Self {
            path,
            target,
            replaced,
            _swept,
        } = self;
        // Some file systems cannot exchange names.
        let may_replace = replaced.is_some() && FileIdentity::at(&target) == replaced;
        let placed = if may_replace {
            path.persist(&target)
        } else {
            path.persist_noclobber(&target)
        };
        match placed {
            Ok(()) => Ok(PlacedFile {
                target,
                replaced: None,
            }),
            Err(error) => Err(PlaceError {
                partial: Self {
                    path: error.path,
                    target,
                    replaced,
                    _swept,
                },
                error: error.error,
            }),
        }
    }

    /// Keeps the file under a name that is free, and tells it.
    fn keep_under_free_name(self, named: &Path) -> anyhow::Error {
        let mut path = self.path;
        for number in 2.. {
            let mut other = self.target.clone().into_os_string();
            other.push(format!(".{number}"));
            match path.persist_noclobber(&other) {
                Ok(()) => {
                    return anyhow!(
                        "'{}' was made by another program meanwhile and is left as it is; the result is in '{}'",
                        named.display(),
                        PathBuf::from(other).display()
                    );
                }
                Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                    path = error.path;
                }
                Err(error) => return anyhow!(error.error).context(cannot_write(named)),
            }
        }
        unreachable!("numbers do not end")
    }
}

impl PlacedFile {
    /// As before: the name is free again, or that of the file that had it.
    fn take_back(self) {
        // Nobody can be told more than that the work failed.
        let _ = match self.replaced {
            Some(replaced) => replaced.persist(&self.target).map_err(|error| error.error),
            None => std::fs::remove_file(&self.target),
        };
    }

    /// Brings the name to the disk, where the file system can do that.
    fn sync(&self) {
        let folder = self
            .target
            .parent()
            .filter(|folder| *folder != Path::new(""));
        let _ = File::open(folder.unwrap_or(Path::new("."))).and_then(|folder| folder.sync_all());
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.writer.write(bytes);
        written.map_err(|error| name_in_error(&self.named, error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.writer.flush();
        flushed.map_err(|error| name_in_error(&self.named, error))
    }
}

/// Standard output as a file.
pub(super) fn stdout() -> io::Result<File> {
    io::stdout().as_fd().try_clone_to_owned().map(File::from)
}

/// Begins the name of an unfinished file: the name it is to get, as far as there is room for more.
fn partial_prefix(target: &Path) -> OsString {
    /// Of the 255 that most file systems allow.
    const ROOM: usize = 200;
    let name = target.file_name().unwrap_or_default().as_bytes();
    let mut prefix = OsStr::from_bytes(&name[..name.len().min(ROOM)]).to_owned();
    prefix.push(".");
    prefix
}

/// The error of the library without the name of a file that the user does not know.
fn without_path(error: io::Error) -> io::Error {
    let cause = error.get_ref().and_then(|inner| inner.source());
    let cause = cause.and_then(|cause| cause.downcast_ref::<io::Error>());
    match cause.and_then(io::Error::raw_os_error) {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error,
    }
}

pub(super) fn cannot_write(path: &Path) -> String {
    format!("cannot write '{}'", path.display())
}

/// The error of writing with the name of the file; its kind stays.
pub(super) fn name_in_error(path: &Path, error: io::Error) -> io::Error {
    // A second time would not say more.
    match error.get_ref() {
        Some(_) => error,
        None => io::Error::new(error.kind(), format!("{}: {error}", cannot_write(path))),
    }
}
