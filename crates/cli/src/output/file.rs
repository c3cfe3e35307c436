//! A file that appears under its name only when it is complete.

use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, anyhow};
use hindsight_games::files::{name_new_file, sync_file, sync_folder};
use rustix::fs::{CWD, RenameFlags, renameat_with};
use tempfile::{Builder, TempPath};

use super::identity::{FileIdentity, parent_folder};
use super::leftovers::{PARTIAL_SUFFIX, name_leftovers, partial_prefix};
use super::print_message;
use super::target::Target;
use crate::process::temporary::{MadePath, TemporaryPath};

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
            Target::File { path: target, replaced } => {
                return Self::partial(path, target, replaced);
            }
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
        let prefix = partial_prefix(&target);
        let mut builder = Builder::new();
        // The user's mask (umask) removes some permissions, as for any new file.
        let mask = Permissions::from_mode(0o666);
        builder.prefix(&prefix).suffix(PARTIAL_SUFFIX).permissions(mask);
        name_leftovers(&target);
        let make = || builder.tempfile_in(parent_folder(&target));
        let made = TemporaryPath::make(make, |file| file.path().to_owned()).map_err(without_path);
        let MadePath { made, temporary } = made.with_context(|| cannot_write(path))?;
        let (file, partial) = made.into_parts();
        // A later run sees by the lock that this one is at work. Without one it only cannot tell.
        let _ = file.try_lock();
        Ok(Self {
            writer: BufWriter::with_capacity(BUFFER_BYTES, file),
            user_path: path.to_owned(),
            partial: Some(PartialFile { _temporary: temporary, path: partial, target, replaced }),
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
    /// When the file cannot be written or cannot get its name, perhaps because another program has
    /// made a file of that name meanwhile. A file that is complete is kept under another name,
    /// which the error contains.
    pub(crate) fn finish(self) -> Result<()> {
        finish_all(vec![self])
    }

    /// Writes all bytes to the disk.
    fn flush_to_disk(&mut self) -> io::Result<()> {
        self.writer.flush()?;
        match self.partial {
            Some(_) => sync_file(self.writer.get_ref()),
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
    while let Some(Output { user_path, partial, .. }) = remaining.next() {
        let Some(partial) = partial else { continue };
        match partial.place() {
            Ok(placed) => placed_files.push(placed),
            Err(PlaceError { partial, error }) => {
                // Files that are in place are taken back: a part of the result would mislead.
                let others = remaining.filter_map(|output| output.partial);
                let kept: Vec<PathBuf> = placed_files
                    .into_iter()
                    .rev()
                    .filter_map(PlacedFile::take_back)
                    .chain([partial].into_iter().chain(others).map(PartialFile::keep))
                    .collect();
                return Err(kept_elsewhere(&user_path, error, &kept));
            }
        }
    }
    for placed in &placed_files {
        if let Err(error) = placed.sync() {
            let name = placed.target.display();
            print_message(&format!(
                "hindsight: '{name}' is complete, but a loss of power may undo its name: {error}"
            ));
        }
    }
    Ok(())
}

/// Error of complete files that could not get their names. `first` is the path of the first one.
fn kept_elsewhere(first: &Path, error: io::Error, kept: &[PathBuf]) -> anyhow::Error {
    let kept: Vec<String> = kept.iter().map(|kept| format!("'{}'", kept.display())).collect();
    let result = match kept.len() {
        1 => format!("the result is in {}", kept[0]),
        _ => format!("all of the result is in {}", kept.join(", ")),
    };
    match error.kind() {
        io::ErrorKind::AlreadyExists => anyhow!(
            "'{}' was made by another program meanwhile and is left as it is; {result}",
            first.display()
        ),
        _ => anyhow!("{}: {error}; {result}", cannot_write(first)),
    }
}

/// A file that has its final name.
struct PlacedFile {
    target: PathBuf,
    /// Name that the file had before.
    partial: PathBuf,
    /// File that had the final name before, now under `partial`; removed when this value is
    /// dropped.
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
        if let Some(replaced) = self.replaced
            && exchange(&self.path, &self.target).is_ok()
        {
            if FileIdentity::at(&self.path) == Some(replaced) {
                return Ok(PlacedFile {
                    target: self.target,
                    partial: self.path.to_path_buf(),
                    replaced: Some(self.path),
                });
            }
            // Another program has put a different file there: the exchange is undone.
            if let Err(error) = exchange(&self.path, &self.target) {
                return Err(PlaceError { partial: self, error });
            }
            let error = io::ErrorKind::AlreadyExists.into();
            return Err(PlaceError { partial: self, error });
        }
        let Self { path, target, replaced, _temporary } = self;
        // Fallback for file systems that cannot exchange names.
        let may_replace = replaced.is_some() && FileIdentity::at(&target) == replaced;
        let placed =
            if may_replace { fs::rename(&path, &target) } else { name_new_file(&path, &target) };
        match placed {
            Ok(()) => Ok(PlacedFile { target, partial: kept_path(path), replaced: None }),
            Err(error) => {
                Err(PlaceError { partial: Self { path, target, replaced, _temporary }, error })
            }
        }
    }

    /// Keeps the complete file under a free name, and returns that: `NAME.2` or higher, or the one
    /// that it has.
    fn keep(self) -> PathBuf {
        let path = kept_path(self.path);
        for number in 2.. {
            let mut other = self.target.clone().into_os_string();
            other.push(format!(".{number}"));
            let other = PathBuf::from(other);
            match name_new_file(&path, &other) {
                Ok(()) => return other,
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(_) => break,
            }
        }
        // As the user typed the folder.
        self.target.with_file_name(path.file_name().unwrap_or_default())
    }
}

/// Returns the path of a file that is not to be removed any more.
fn kept_path(path: TempPath) -> PathBuf {
    let own = path.to_path_buf();
    path.keep().unwrap_or(own)
}

impl PlacedFile {
    /// Undoes [`PartialFile::place`]: the name is free again, or that of the file that had it.
    /// Returns the name that the new file has then; `None` if it has kept the final one.
    fn take_back(self) -> Option<PathBuf> {
        let taken_back = match self.replaced {
            Some(old) => {
                let exchanged = exchange(&self.partial, &self.target);
                // Either way the path is that of a file which is to be kept.
                kept_path(old);
                exchanged
            }
            None => name_new_file(&self.target, &self.partial),
        };
        let name = self.partial.file_name().unwrap_or_default();
        taken_back.ok().map(|()| self.target.with_file_name(name))
    }

    /// Writes the folder's entry to the disk, where the file system supports that.
    fn sync(&self) -> io::Result<()> {
        sync_folder(self.target.parent().unwrap_or(Path::new("")))
    }
}

/// Exchanges the names of two files.
fn exchange(a: &Path, b: &Path) -> io::Result<()> {
    Ok(renameat_with(CWD, a, CWD, b, RenameFlags::EXCHANGE)?)
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

#[cfg(test)]
mod tests {
    use std::fs;
    use std::io::Write as _;
    use std::path::Path;

    use super::{Output, finish_all};

    fn written(path: &Path, text: &str, force: bool) -> Output {
        let mut output = Output::file(path, "a text", force).expect("a file");
        output.write_all(text.as_bytes()).expect("room");
        output
    }

    #[test]
    fn files_that_cannot_all_get_their_names_are_kept_under_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let [old, new, taken] = ["old", "new", "taken"].map(|name| folder.path().join(name));
        fs::write(&old, "before").expect("a file");
        let outputs = vec![
            written(&old, "one", true),
            written(&new, "two", false),
            written(&taken, "three", false),
        ];
        fs::write(&taken, "mine").expect("a file");
        let error = finish_all(outputs).expect_err("a name in use").to_string();
        let begin = format!("'{}' was made by another program meanwhile", taken.display());
        assert!(error.starts_with(&begin), "{error}");
        assert_eq!(fs::read_to_string(&old).expect("a text"), "before");
        assert_eq!(fs::read_to_string(&taken).expect("a text"), "mine");
        assert!(!new.exists());
        let kept = error.rsplit_once("all of the result is in ").expect("names").1;
        let kept = kept.split(", ").map(|name| name.trim_matches('\''));
        let mut texts: Vec<String> =
            kept.map(|name| fs::read_to_string(name).expect("a text")).collect();
        texts.sort();
        assert_eq!(texts, ["one", "three", "two"]);
    }

    #[test]
    fn a_file_that_can_get_no_name_at_all_stays_where_it_is() {
        let folder = tempfile::tempdir().expect("a folder");
        let target = folder.path().join("gone").join("table");
        fs::create_dir(folder.path().join("gone")).expect("a folder");
        let output = written(&target, "work", false);
        // The name leads nowhere now, and neither do the other names beside it.
        fs::rename(folder.path().join("gone"), folder.path().join("moved")).expect("a folder");
        let error = finish_all(vec![output]).expect_err("no such folder").to_string();
        let begin = format!("cannot write '{}'", target.display());
        assert!(error.starts_with(&begin), "{error}");
        let kept = fs::read_dir(folder.path().join("moved")).expect("a folder");
        let kept: Vec<_> = kept.map(|entry| entry.expect("an entry").path()).collect();
        assert_eq!(fs::read_to_string(&kept[0]).expect("a text"), "work");
    }
}
