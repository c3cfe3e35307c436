//! Label of the folder of a study: what its results are of.

use std::ffi::OsStr;
use std::io::{ErrorKind, Write};
use std::path::Path;

use anyhow::{Context as _, Result, bail};
use hindsight_study::{BoardSize, StudyPart};
use serde::{Deserialize, Serialize};

use crate::inputs::input::read_text;
use crate::output::Output;

/// Version of the results. Raised whenever a study would give different results, so that results
/// of two versions are not mixed.
const RESULTS_VERSION: u32 = 1;

const LABEL_FILE: &str = "study.json";

/// Label of a folder, in the file `study.json`.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StudyLabel {
    pub study: String,
    version: u32,
    pub seed: u64,
    /// Game of the study; `None` where the study says it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    /// `None` for a whole study.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub part: Option<PartLabel>,
}

/// A part of a study, and the options that decide which solves the study has.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PartLabel {
    pub share: StudyPart,
    /// Boards in ascending order.
    pub boards: Vec<BoardSize>,
    /// Number of deals in a study of deals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deals: Option<u64>,
}

/// First difference of two labels, as the option or the words that stand for it in each.
pub(super) struct LabelDifference {
    pub(super) own: String,
    pub(super) other: String,
}

impl StudyLabel {
    /// Returns the label of a study, or of a part of it, with the current version.
    pub fn new(study: &str, seed: u64, part: Option<PartLabel>) -> Self {
        Self { study: study.into(), version: RESULTS_VERSION, seed, game: None, part }
    }

    /// Returns the label with the game of the study.
    pub fn of_game(self, spec: &str) -> Self {
        Self { game: Some(spec.into()), ..self }
    }

    /// Returns the label of the study of which this is a part.
    pub(super) fn of_whole(&self) -> Self {
        Self::new(&self.study, self.seed, None)
    }

    /// Returns the first difference from another label, if there is one.
    pub(super) fn difference(&self, other: &Self) -> Option<LabelDifference> {
        let mut pairs = self.features().into_iter().zip(other.features());
        let (own, other) = pairs.find(|(own, other)| own != other)?;
        Some(LabelDifference { own, other })
    }

    /// Returns all that the label says, each as an option or as words.
    fn features(&self) -> Vec<String> {
        let mut features = vec![
            self.study.clone(),
            format!("version {}", self.version),
            format!("--seed {}", self.seed),
        ];
        features.extend(self.game.as_ref().map(|game| format!("--game {game}")));
        let Some(part) = &self.part else {
            features.push("the whole study".into());
            return features;
        };
        let boards = part.boards.iter().map(|size| format!("--table {size}"));
        features.push(format!("--part {}", part.share));
        features.push(boards.collect::<Vec<_>>().join(" "));
        features.extend(part.deals.map(|deals| format!("--deals {deals}")));
        features
    }

    /// Refuses `found`, the label of the folder `path`, if it is not this one.
    pub(super) fn check(&self, found: &Self, path: &Path) -> Result<()> {
        match found.difference(self) {
            None => Ok(()),
            Some(LabelDifference { own, other }) => {
                bail!("'{}' is of {own}, not of {other}; name another folder", path.display())
            }
        }
    }

    /// Reads the label of a folder; returns `None` if it has none.
    pub(super) fn read(folder: &Path) -> Result<Option<Self>> {
        /// Most bytes of a label.
        const MAX_BYTES: u64 = 1 << 16;
        let file = folder.join(LABEL_FILE);
        let name = file.display();
        let text = match read_text(&file, MAX_BYTES) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            read => read.with_context(|| format!("cannot read '{name}'"))?,
        };
        let label = serde_json::from_str(&text.unwrap_or_default());
        let label: Self = label.with_context(|| format!("'{name}' is no label of a study"))?;
        if label.study.chars().any(char::is_control) {
            bail!("'{name}' is no label of a study: it has a control character");
        }
        Ok(Some(label))
    }

    /// Returns true for the name of a label that a killed process left unfinished.
    pub(super) fn is_unfinished(name: &OsStr) -> bool {
        let name = name.as_encoded_bytes();
        name.starts_with(LABEL_FILE.as_bytes()) && name.ends_with(b".partial")
    }

    /// Writes the label of a folder that has none.
    pub(super) fn write(&self, folder: &Path) -> Result<()> {
        let mut file = Output::file(&folder.join(LABEL_FILE), "a label", false)?;
        serde_json::to_writer(&mut file, self)?;
        file.write_all(b"\n")?;
        file.finish()
    }
}
