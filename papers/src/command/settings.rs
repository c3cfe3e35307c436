//! Settings of the report in the folder of a study: options that do not decide which games a
//! series has, but which series there are and how long they get.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use hindsight_cli::studies::{StudyFolder, print_message, read_text};

/// Beginnings of the names of all files that a report has in a folder, the settings last.
const REPORT_FILES: [&str; 3] = ["figure-", "report.csv", SETTINGS_FILE];

const SETTINGS_FILE: &str = "settings.json";

/// Options of a study, each such as `--playouts 1000`.
#[derive(PartialEq)]
pub(super) struct StudySettings(pub(super) BTreeSet<String>);

impl StudySettings {
    /// Returns the settings of the report in a folder, if they are known.
    fn read(folder: &Path) -> Option<Self> {
        /// Most bytes of settings.
        const MAX_BYTES: u64 = 1 << 16;
        let text = read_text(&folder.join(SETTINGS_FILE), MAX_BYTES).ok()??;
        serde_json::from_str(&text).ok().map(Self)
    }

    /// Prints how the report in a folder differs, if it does, and where it will go.
    pub(super) fn announce(&self, folder: &Path) {
        let Some(kept) = self.folder_of_earlier(folder) else {
            return;
        };
        let (earlier, own) = match Self::read(folder) {
            Some(earlier) => (earlier.without(self), self.without(&earlier)),
            None => ("unknown".into(), self.without(&Self(BTreeSet::new()))),
        };
        print_message(&format!(
            "'{}' has a report of other settings (then {earlier}, now {own}); it goes to '{}', and \
             the games of both are kept",
            folder.display(),
            kept.display()
        ));
    }

    /// Returns the options that `other` has not.
    fn without(&self, other: &Self) -> String {
        let mut only = self.0.difference(&other.0);
        let first = only.next().map_or("none of these", String::as_str);
        only.fold(first.into(), |all, option| all + " " + option)
    }

    /// Puts the report of other settings into a folder of its own, and writes these settings.
    pub(super) fn write(&self, folder: &StudyFolder) -> Result<()> {
        if let Some(kept) = self.folder_of_earlier(folder.path()) {
            keep_earlier(folder.path(), &kept)
                .with_context(|| format!("cannot move a report to '{}'", kept.display()))?;
        }
        folder.write(SETTINGS_FILE, &(serde_json::to_string(&self.0)? + "\n"))
    }

    /// Returns a folder that does not exist yet for a report of other settings, if there is one.
    fn folder_of_earlier(&self, folder: &Path) -> Option<PathBuf> {
        let has_report = folder.join("report.csv").exists();
        if !has_report || Self::read(folder).as_ref() == Some(self) {
            return None;
        }
        let mut names = (1..).map(|number| folder.join(format!("earlier-{number}")));
        names.find(|path| !path.exists())
    }
}

/// Moves the files of a report from one folder to a new one.
fn keep_earlier(from: &Path, to: &Path) -> std::io::Result<()> {
    fs::create_dir(to)?;
    for beginning in REPORT_FILES {
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            let name = entry.file_name();
            if name.as_encoded_bytes().starts_with(beginning.as_bytes()) {
                fs::rename(entry.path(), to.join(name))?;
            }
        }
    }
    Ok(())
}
