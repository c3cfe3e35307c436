//! Folder of a resumable study: its single results, series by series, and its reports.

use std::fmt::Display;
use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result, bail};
use hindsight_games::files::{FolderLock, make_folder};
use serde::Serialize;

use super::label::StudyLabel;
use crate::inputs::input::strip_byte_order_mark;
use crate::output::{Output, print_message};

/// Folder with a file for each series of results, one JSON object a line.
pub struct StudyFolder {
    path: PathBuf,
    /// Name of the subfolder with the series; also the plural noun for the results in it.
    results: &'static str,
    /// Name and file of the series that was written last.
    file: Mutex<Option<(String, File)>>,
    /// Held while a study uses the folder.
    _lock: FolderLock,
    /// Set when a line could not be written whole.
    broken: AtomicBool,
}

/// Returns true if a folder has entries other than a lock and a label that was never finished.
pub(super) fn has_files(path: &Path) -> bool {
    let entries = fs::read_dir(path).into_iter().flatten().flatten();
    let mut names = entries.map(|entry| entry.file_name());
    names.any(|name| name != FolderLock::NAME && !StudyLabel::is_unfinished(&name))
}

/// Returns the file of a series in the folder of a study, in its subfolder `results`.
pub fn series_path(folder: &Path, results: &str, series: &str) -> PathBuf {
    folder.join(results).join(format!("{series}.jsonl"))
}

/// Results of a series, as they were read.
pub struct StoredSeries<T> {
    pub results: Vec<T>,
    /// Bytes before an incomplete last line, if there is one.
    half_line: Option<u64>,
}

/// Reads the complete lines of a file with `parse`. A file that does not exist has none.
pub fn read_series<T, E: Display>(
    path: &Path,
    parse: impl Fn(&str) -> Result<Vec<T>, E>,
) -> Result<StoredSeries<T>, String> {
    let with_path = |error: &dyn Display| format!("'{}': {error}", path.display());
    let bytes = match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Vec::new(),
        read => read.map_err(|error| with_path(&error))?,
    };
    let complete = bytes.iter().rposition(|&byte| byte == b'\n');
    let complete = complete.map_or(0, |end| end + 1);
    // Half a line may end in the middle of a character.
    let text = str::from_utf8(&bytes[..complete]);
    let text = text.map_err(|_| with_path(&"it is no text in UTF-8"))?;
    let results = parse(strip_byte_order_mark(text)).map_err(|error| with_path(&error))?;
    let half_line = (complete < bytes.len()).then_some(complete as u64);
    Ok(StoredSeries { results, half_line })
}

impl StudyFolder {
    /// Opens a folder that does not exist yet, is empty, or has this label.
    pub fn open(path: &Path, label: &StudyLabel, results: &'static str) -> Result<Self> {
        let name = path.display();
        if path.exists() && !path.is_dir() {
            bail!("'{name}' is no folder");
        }
        if StudyLabel::read(path)?.is_none() && has_files(path) {
            bail!("'{name}' has files that are not of this study; name another folder");
        }
        let made = make_folder(path);
        made.with_context(|| format!("cannot make the folder '{name}'"))?;
        let lock = FolderLock::take(path)?;
        match StudyLabel::read(path)? {
            Some(found) => label.check(&found, path)?,
            None => label.write(path)?,
        }
        let made = make_folder(&path.join(results));
        made.with_context(|| format!("cannot make the folder '{name}/{results}'"))?;
        Ok(Self {
            path: path.to_owned(),
            results,
            file: Mutex::new(None),
            _lock: lock,
            broken: AtomicBool::new(false),
        })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file; one of an earlier run is overwritten.
    pub fn write(&self, name: &str, text: &str) -> Result<()> {
        let mut file = Output::file(&self.path.join(name), "a report", true)?;
        file.write_all(text.as_bytes())?;
        file.finish()
    }

    /// Reads the lines of a series with `parse`. An incomplete last line is cut off the file.
    pub fn read<T, E: Display>(
        &self,
        series: &str,
        parse: impl Fn(&str) -> Result<Vec<T>, E>,
    ) -> Result<Vec<T>, String> {
        let path = self.series_path(series);
        let read = read_series(&path, parse)?;
        if let Some(complete) = read.half_line {
            let file = File::options().write(true).open(&path);
            let truncated = file.and_then(|file| file.set_len(complete));
            truncated.map_err(|error| format!("'{}': {error}", path.display()))?;
            print_message(&format!(
                "note: '{}' ended with half a line, as after a kill; it was cut off",
                path.display()
            ));
        }
        Ok(read.results)
    }

    /// Replaces the lines of a series, unless they are there in this order.
    pub fn replace(&self, series: &str, results: &[impl Serialize]) -> Result<()> {
        let path = self.series_path(series);
        let mut text = String::new();
        for result in results {
            text.push_str(&serde_json::to_string(result)?);
            text.push('\n');
        }
        // The file is not appended to any more once another has its name.
        *self.file.lock().expect("no panic") = None;
        if fs::read(&path).is_ok_and(|found| found == text.as_bytes()) {
            return Ok(());
        }
        let mut file = Output::file(&path, "results", true)?;
        file.write_all(text.as_bytes())?;
        file.finish()
    }

    /// Adds a line to a series.
    pub fn add(&self, series: &str, result: &impl Serialize) -> Result<(), String> {
        let path = self.series_path(series);
        let with_path =
            |error: std::io::Error| format!("cannot write '{}': {error}", path.display());
        let line = serde_json::to_string(result).map_err(|error| error.to_string())? + "\n";
        let mut open = self.file.lock().expect("no panic");
        if self.broken.load(Ordering::Relaxed) {
            return Err(format!("'{}' ends with half a line", path.display()));
        }
        if open.as_ref().is_none_or(|(name, _)| name != series) {
            let file = File::options().create(true).append(true).open(&path);
            *open = Some((series.into(), file.map_err(with_path)?));
        }
        let (_, file) = open.as_mut().expect("it was just opened");
        let written = file.write_all(line.as_bytes());
        if written.is_err() {
            // No line may follow half a line, which the next run cuts off.
            *open = None;
            self.broken.store(true, Ordering::Relaxed);
        }
        written.map_err(with_path)
    }

    fn series_path(&self, series: &str) -> PathBuf {
        series_path(&self.path, self.results, series)
    }
}
