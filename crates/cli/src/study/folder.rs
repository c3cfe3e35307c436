//! The folder of a study: what it found one by one, so that it can go on, and what it makes of that.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context as _, Result, bail};
use hindsight_tablebase::FolderLock;
use serde::{Deserialize, Serialize};

use crate::args::ResumableStudyArgs;
use crate::input::{read_text, strip_byte_order_mark};
use crate::output::Output;

/// A folder with a file for each series, one JSON object a line.
pub(super) struct StudyFolder {
    path: PathBuf,
    /// Where in it the series are.
    results: &'static str,
    /// That of the series being found.
    file: Mutex<Option<(String, File)>>,
    /// Held as long as a study uses the folder.
    _lock: FolderLock,
    /// Whether a line could not be written.
    broken: AtomicBool,
}

/// What a folder says of itself.
#[derive(PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct StudyLabel {
    study: String,
    version: u32,
    seed: u64,
}

/// Raised when what is found would be another, so that two kinds are not mixed.
const RESULTS_VERSION: u32 = 1;

const LABEL_FILE: &str = "study.json";

impl StudyLabel {
    /// Refuses the label of another study.
    fn check(&self, found: &Self, path: &Path, inside: &str) -> Result<()> {
        if found == self {
            return Ok(());
        }
        bail!(
            "'{}' has the {inside} of {}, version {}, with --seed {}, not of {}, version {}, with --seed {}; \
             name another folder",
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

/// The label of a folder; none if there is no such file.
fn read_label(path: &Path) -> Result<Option<StudyLabel>> {
    /// No label has more bytes.
    const MOST: u64 = 1 << 12;
    let file = path.join(LABEL_FILE);
    let name = file.display();
    let text = match read_text(&file, MOST) {
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

/// True if anything but a lock is in a folder.
fn has_files(path: &Path) -> bool {
    let mut entries = fs::read_dir(path).into_iter().flatten().flatten();
    entries.any(|entry| entry.file_name() != FolderLock::NAME)
}

impl StudyFolder {
    /// That of `--out`, if it is given: for what a study finds with a seed.
    pub(super) fn from_args(
        args: &ResumableStudyArgs,
        study: &str,
        seed: u64,
        inside: &'static str,
    ) -> Result<Option<Self>> {
        let label = StudyLabel {
            study: study.into(),
            version: RESULTS_VERSION,
            seed,
        };
        let open = |path| Self::open(path, &label, inside);
        args.out.as_deref().map(open).transpose()
    }

    /// A folder that is not there yet, is empty, or has this label.
    fn open(path: &Path, label: &StudyLabel, inside: &'static str) -> Result<Self> {
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
            Some(found) => label.check(&found, path, inside)?,
            None => {
                let mut file = Output::file(&path.join(LABEL_FILE), "a label", false)?;
                serde_json::to_writer(&mut file, label)?;
                file.write_all(b"\n")?;
                file.finish()?;
            }
        }
        let made = fs::create_dir_all(path.join(inside));
        made.with_context(|| format!("cannot make the folder '{name}/{inside}'"))?;
        Ok(Self {
            path: path.to_owned(),
            results: inside,
            file: Mutex::new(None),
            _lock: lock,
            broken: AtomicBool::new(false),
        })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a file, over that of an earlier run.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<()> {
        let mut file = Output::file(&self.path.join(name), "a report", true)?;
        file.write_all(text.as_bytes())?;
        file.finish()
    }

    /// The whole lines of a series, read by `parse`; what comes after the last line break is cut off.
    pub(super) fn read<T, E: std::fmt::Display>(
        &self,
        series: &str,
        parse: impl Fn(&str) -> Result<Vec<T>, E>,
    ) -> Result<Vec<T>, String> {
        let path = self.series_path(series);
        let named = |error: &dyn std::fmt::Display| format!("'{}': {error}", path.display());
        if !path.exists() {
            return Ok(Vec::new());
        }
        let text = fs::read_to_string(&path).map_err(|error| named(&error))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if whole < text.len() {
            let file = File::options().write(true).open(&path);
            let cut = file.and_then(|file| file.set_len(whole as u64));
            cut.map_err(|error| named(&error))?;
        }
        parse(strip_byte_order_mark(&text[..whole])).map_err(|error| named(&error))
    }

    /// Adds a line to a series.
    pub(super) fn add(&self, series: &str, found: &impl Serialize) -> Result<(), String> {
        let path = self.series_path(series);
        let named = |error: std::io::Error| format!("cannot write '{}': {error}", path.display());
        let line = serde_json::to_string(found).map_err(|error| error.to_string())? + "\n";
        let mut open = self.file.lock().expect("no panic");
        if self.broken.load(Ordering::Relaxed) {
            return Err(format!("'{}' ends with half a line", path.display()));
        }
        if open.as_ref().is_none_or(|(of, _)| of != series) {
            let file = File::options().create(true).append(true).open(&path);
            *open = Some((series.into(), file.map_err(named)?));
        }
        let (_, file) = open.as_mut().expect("it was just opened");
        let written = file.write_all(line.as_bytes());
        if written.is_err() {
            // Nothing is to be written after half a line; the next study cuts it off.
            *open = None;
            self.broken.store(true, Ordering::Relaxed);
        }
        written.map_err(named)
    }

    fn series_path(&self, series: &str) -> PathBuf {
        self.path.join(self.results).join(format!("{series}.jsonl"))
    }
}
