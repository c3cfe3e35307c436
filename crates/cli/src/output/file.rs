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
use crate::temporary::{MadePath, TemporaryPath};

/// Bytes of the write buffer.
const BUFFER_BYTES: usize = 1 << 18;

/// An output of a command: an ordinary file or a stream.
///
/// An ordinary file is written under another name in the same folder until [`Output::finish`];
/// dropped before that, it is removed. A stream is written to directly. Errors of writing name the
/// file.
#[derive(Debug)]
pub(crate) struct Output {
    writer: BufWriter<File>,
    /// Path as the user typed it.
    user_path: PathBuf,
    /// Unfinished file; `None` for a stream.
    partial: Option<PartialFile>,
    is_stdout: bool,
}

/// An unfinished file, under another name than its final one.
#[derive(Debug)]
struct PartialFile {
    path: TempPath,
    target: PathBuf,
    /// File that may be replaced.
    replaced: Option<FileIdentity>,
    _temporary: TemporaryPath,
}

impl Output {
    /// Opens an ordinary file. `contents` is for errors, such as `a table`.
    ///
    /// # Errors
    /// When the file exists and may not be replaced, when no file can be made in its folder, or
    /// when the path is that of a folder, a pipe or a device.
    pub(crate) fn file(path: &Path, contents: &str, force: bool) -> Result<Self> {
        let (target, replaced) = Target::at(path, force)?.file(path, contents)?;
        Self::partial(path, target, replaced)
    }

    /// Opens an ordinary file, a pipe, a device or, as `-`, standard output.
    ///
    /// # Errors
    /// When the file exists and may not be replaced, when it cannot be made, or when the path is
    /// that of a folder.
    pub(crate) fn file_or_stream(path: &Path, force: bool) -> Result<Self> {
        let (file, is_stdout) = match Target::at(path, force)? {
            Target::File {
                path: target,
                replaced,
            } => return Self::partial(path, target, replaced),
            Target::Stdout => (stdout(), true),
            // Opening a named pipe waits for its reader.
            Target::Stream => (File::options().write(true).open(path), false),
        };
        Ok(Self {
            writer: BufWriter::with_capacity(
                BUFFER_BYTES,
                file.with_context(|| cannot_write(path))?,
            ),
            user_path: path.to_owned(),
            partial: None,
            is_stdout,
        })
    }

    fn partial(path: &Path, target: PathBuf, replaced: Option<FileIdentity>) -> Result<Self> {
        let folder = target.parent().filter(|folder| *folder != Path::new(""));
        let prefix = partial_prefix(&target);
        let mut builder = Builder::new();
        // The user's mask (umask) removes some permissions, as for any new file.
        let mask = Permissions::from_mode(0o666);
        builder.prefix(&prefix).suffix(".partial").permissions(mask);
        let make = || builder.tempfile_in(folder.unwrap_or(Path::new(".")));
        let made = TemporaryPath::make(make, |file| file.path().to_owned()).map_err(without_path);
        let MadePath { made, temporary } = made.with_context(|| cannot_write(path))?;
        let (file, partial) = made.into_parts();
        Ok(Self {
            writer: BufWriter::with_capacity(BUFFER_BYTES, file),
            user_path: path.to_owned(),
            partial: Some(PartialFile {
                _temporary: temporary,
                path: partial,
                target,
                replaced,
            }),
            is_stdout: false,
        })
    }

    /// Returns true if the output is standard output.
    pub(crate) fn is_stdout(&self) -> bool {
        self.is_stdout
    }

    /// Returns the path as the user typed it.
    pub(crate) fn name(&self) -> &Path {
        &self.user_path
    }

    /// Completes the file and gives it its final name.
    ///
    /// # Errors
    /// When the file cannot be written, or when another program has made a file of that name
    /// meanwhile. In the second case the result is kept under another name, which the error
    /// contains.
    pub(crate) fn finish(self) -> Result<()> {
        finish_all(vec![self])
    }

    /// Writes all bytes to the disk.
    fn flush_to_disk(&mut self) -> io::Result<()> {
        self.writer.flush()?;
        match self.partial {
            Some(_) => self.writer.get_ref().sync_all(),
            None => Ok(()),
        }
    }
}

/// Completes files that belong together: either all get their final names, or none does.
///
/// # Errors
/// As for [`Output::finish`].
pub(crate) fn finish_all(mut outputs: Vec<Output>) -> Result<()> {
    for output in &mut outputs {
        let completed = output.flush_to_disk();
        completed.map_err(|error| name_in_error(&output.user_path, error))?;
    }
    let mut placed_files: Vec<PlacedFile> = Vec::new();
    let mut remaining = outputs.into_iter();
    while let Some(Output {
        user_path, partial, ..
    }) = remaining.next()
    {
        let Some(partial) = partial else { continue };
        match partial.place() {
            Ok(placed) => placed_files.push(placed),
            Err(PlaceError { partial, error }) => {
                // Files that are in place are taken back: a part of the result would mislead.
                let is_only_file = placed_files.is_empty() && remaining.len() == 0;
                placed_files
                    .into_iter()
                    .rev()
                    .for_each(PlacedFile::take_back);
                return Err(match error.kind() {
                    io::ErrorKind::AlreadyExists if is_only_file => {
                        partial.keep_under_free_name(&user_path)
                    }
                    io::ErrorKind::AlreadyExists => anyhow!(
                        "'{}' was made by another program meanwhile; nothing was written",
                        user_path.display()
                    ),
                    _ => anyhow!(error).context(cannot_write(&user_path)),
                });
            }
        }
    }
    placed_files.iter().for_each(PlacedFile::sync);
    Ok(())
}

/// A file that has its final name.
struct PlacedFile {
    target: PathBuf,
    /// File that had the name before, now under another one; removed when this value is dropped.
    replaced: Option<TempPath>,
}

/// The failure to give a file its final name.
struct PlaceError {
    partial: PartialFile,
    error: io::Error,
}

impl PartialFile {
    /// Gives the file its final name, which is free or that of the file that may be replaced.
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
            // Another program has put a different file there: the exchange is undone.
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
            _temporary,
        } = self;
        // Fallback for file systems that cannot exchange names.
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
                    _temporary,
                },
                error: error.error,
            }),
        }
    }

    /// Keeps the file under a free name, `NAME.2` or higher. Returns the error that contains this
    /// name.
    fn keep_under_free_name(self, user_path: &Path) -> anyhow::Error {
        let mut path = self.path;
        for number in 2.. {
            let mut other = self.target.clone().into_os_string();
            other.push(format!(".{number}"));
            match path.persist_noclobber(&other) {
                Ok(()) => {
                    return anyhow!(
                        "'{}' was made by another program meanwhile and is left as it is; \
                         the result is in '{}'",
                        user_path.display(),
                        PathBuf::from(other).display()
                    );
                }
                Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => {
                    path = error.path;
                }
                Err(error) => return anyhow!(error.error).context(cannot_write(user_path)),
            }
        }
        unreachable!("numbers do not end")
    }
}

impl PlacedFile {
    /// Undoes [`PartialFile::place`]: the name is free again, or that of the file that had it.
    fn take_back(self) {
        // Ignored: the command fails anyway, with the first error.
        let _ = match self.replaced {
            Some(replaced) => replaced.persist(&self.target).map_err(|error| error.error),
            None => std::fs::remove_file(&self.target),
        };
    }

    /// Writes the folder's entry to the disk, where the file system supports that.
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
        written.map_err(|error| name_in_error(&self.user_path, error))
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.writer.flush();
        flushed.map_err(|error| name_in_error(&self.user_path, error))
    }
}

/// Returns standard output as a file.
pub(super) fn stdout() -> io::Result<File> {
    io::stdout().as_fd().try_clone_to_owned().map(File::from)
}

/// Returns the first part of an unfinished file's name: its final name, shortened, and a dot.
fn partial_prefix(target: &Path) -> OsString {
    /// Bytes of the final name that are kept. Most file systems allow 255 in all.
    const ROOM: usize = 200;
    let name = target.file_name().unwrap_or_default().as_bytes();
    let mut prefix = OsStr::from_bytes(&name[..name.len().min(ROOM)]).to_owned();
    prefix.push(".");
    prefix
}

/// Returns the system's error behind an error of `tempfile`, which names a file unknown to the
/// user.
fn without_path(error: io::Error) -> io::Error {
    let cause = error.get_ref().and_then(|inner| inner.source());
    let cause = cause.and_then(|cause| cause.downcast_ref::<io::Error>());
    match cause.and_then(io::Error::raw_os_error) {
        Some(code) => io::Error::from_raw_os_error(code),
        None => error,
    }
}

/// Returns the beginning of an error of writing.
pub(super) fn cannot_write(path: &Path) -> String {
    format!("cannot write '{}'", path.display())
}

/// Adds the path to an error of writing and keeps its kind.
pub(super) fn name_in_error(path: &Path, error: io::Error) -> io::Error {
    // An error with a payload has the path already.
    match error.get_ref() {
        Some(_) => error,
        None => io::Error::new(error.kind(), format!("{}: {error}", cannot_write(path))),
    }
}
