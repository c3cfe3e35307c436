//! Folder of a resumable study: its single results, series by series, and its reports.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result, bail};
use hindsight_checkpoint::FolderLock;
use serde::{Deserialize, Serialize};

use crate::args::ResumableStudyArgs;
use crate::input::{read_text, strip_byte_order_mark};
use crate::output::Output;

/// Folder with a file for each series of results, one JSON object a line.
pub(super) struct StudyFolder {
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

/// Label of a folder, in the file [`LABEL_FILE`].
#[derive(PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StudyLabel {
    study: String,
    version: u32,
    seed: u64,
}

/// Version of the results. Raised whenever a study would give different results, so that results
/// of two versions are not mixed.
const RESULTS_VERSION: u32 = 1;

const LABEL_FILE: &str = "study.json";

impl StudyLabel {
    /// Refuses `found`, the label of the folder `path`, if it is of another study.
    fn check(&self, found: &Self, path: &Path, results: &str) -> Result<()> {
        if found == self {
            return Ok(());
        }
        bail!(
            "'{}' has the {results} of {}, version {}, with --seed {}, \
             not of {}, version {}, with --seed {}; name another folder",
            path.display(),
            found.study,
            found.version,
            found.seed,
            self.study,
            self.version,
            self.seed
        )
    }
}

/// Reads the label of a folder; returns `None` if it has none.
fn read_label(path: &Path) -> Result<Option<StudyLabel>> {
    /// Most bytes of a label.
    const MAX_BYTES: u64 = 1 << 12;
    let file = path.join(LABEL_FILE);
    let name = file.display();
    let text = match read_text(&file, MAX_BYTES) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        read => read.with_context(|| format!("cannot read '{name}'"))?,
    };
    let label = serde_json::from_str(&text.unwrap_or_default());
    let label: StudyLabel = label.with_context(|| format!("'{name}' is no label of a study"))?;
    if label.study.chars().any(char::is_control) {
        bail!("'{name}' is no label of a study: it has a control character");
    }
    Ok(Some(label))
}

/// Returns true if a folder has entries other than a lock.
fn has_files(path: &Path) -> bool {
    let mut entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries.any(|entry| entry.file_name() != FolderLock::NAME)
}

impl StudyFolder {
    /// Opens the folder of `--out`, if given, for the results of a study with a seed.
    pub(super) fn from_args(
        args: &ResumableStudyArgs,
        study: &str,
        seed: u64,
        results: &'static str,
    ) -> Result<Option<Self>> {
        let label = StudyLabel {
            study: study.into(),
            version: RESULTS_VERSION,
            seed,
        };
        let open = |path| Self::open(path, &label, results);
        args.out.as_deref().map(open).transpose()
    }

    /// Opens a folder that does not exist yet, is empty, or has this label.
    fn open(path: &Path, label: &StudyLabel, results: &'static str) -> Result<Self> {
        let name = path.display();
        if path.exists() && !path.is_dir() {
            bail!("'{name}' is no folder");
        }
        if read_label(path)?.is_none() && has_files(path) {
            bail!("'{name}' has files that are not of this study; name another folder");
        }
        let made = fs::create_dir_all(path);
        made.with_context(|| format!("cannot make the folder '{name}'"))?;
        let lock = FolderLock::take(path)?;
        match read_label(path)? {
            Some(found) => label.check(&found, path, results)?,
            None => {
                let mut file = Output::file(&path.join(LABEL_FILE), "a label", false)?;
                serde_json::to_writer(&mut file, label)?;
                file.write_all(b"\n")?;
                file.finish()?;
            }
        }
        let made = fs::create_dir_all(path.join(results));
        made.with_context(|| format!("cannot make the folder '{name}/{results}'"))?;
        Ok(Self {
            path: path.to_owned(),
            results,
            file: Mutex::new(None),
            _lock: lock,
            broken: AtomicBool::new(false),
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file; one of an earlier run is overwritten.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<()> {
        let mut file = Output::file(&self.path.join(name), "a report", true)?;
        file.write_all(text.as_bytes())?;
        file.finish()
    }

    /// Reads the lines of a series with `parse`. An incomplete last line is cut off the file.
    pub(super) fn read<T, E: std::fmt::Display>(
        &self,
        series: &str,
        parse: impl Fn(&str) -> Result<Vec<T>, E>,
    ) -> Result<Vec<T>, String> {
        let path = self.series_path(series);
        let with_path = |error: &dyn std::fmt::Display| format!("'{}': {error}", path.display());
        if !path.exists() {
            return Ok(Vec::new());
        }
        let text = fs::read_to_string(&path).map_err(|error| with_path(&error))?;
        let complete = text.rfind('\n').map_or(0, |end| end + 1);
        if complete < text.len() {
            let file = File::options().write(true).open(&path);
            let truncated = file.and_then(|file| file.set_len(complete as u64));
            truncated.map_err(|error| with_path(&error))?;
        }
        parse(strip_byte_order_mark(&text[..complete])).map_err(|error| with_path(&error))
    }

    /// Adds a line to a series.
    pub(super) fn add(&self, series: &str, result: &impl Serialize) -> Result<(), String> {
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
        self.path.join(self.results).join(format!("{series}.jsonl"))
    }
}
