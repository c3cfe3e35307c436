//! Folders of the parts of a study, which are read to be put together. Nothing in them is changed.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use hindsight_study::StudyPart;

use super::label::{LabelDifference, PartLabel, StudyLabel};

/// Folder of a part.
pub struct PartFolder {
    pub path: PathBuf,
    pub share: StudyPart,
}

/// All parts of a study.
pub struct StudyParts {
    /// Label of the study.
    pub whole: StudyLabel,
    /// Label of the first part.
    pub first: PartLabel,
    /// Folders in the order of the parts.
    pub folders: Vec<PartFolder>,
}

/// Label of a part, and what it says of the part.
struct LabelledFolder {
    path: PathBuf,
    label: StudyLabel,
    part: PartLabel,
}

impl LabelledFolder {
    fn open(path: &Path) -> Result<Self> {
        let name = path.display();
        if !path.is_dir() {
            bail!("there is no folder '{name}'");
        }
        let label = StudyLabel::read(path)?
            .ok_or_else(|| anyhow!("'{name}' is no folder of a study, or its label is lost"))?;
        let Some(part) = label.part.clone() else {
            bail!("'{name}' has a whole study; parts are made by --part K/N");
        };
        let known = StudyLabel::new(&label.study, label.seed, label.part.clone());
        known.check(&label, path)?;
        Ok(Self { path: path.to_owned(), label, part })
    }

    /// Refuses another folder that cannot be put together with this one.
    fn check(&self, other: &Self) -> Result<()> {
        let mut same_number = self.label.clone();
        if let Some(part) = &mut same_number.part
            && part.share.of() == other.part.share.of()
        {
            part.share = other.part.share;
        }
        match other.label.difference(&same_number) {
            None => Ok(()),
            Some(LabelDifference { own, other: theirs }) => bail!(
                "'{}' is of {own}, '{}' of {theirs}; give the parts of one study",
                other.path.display(),
                self.path.display()
            ),
        }
    }
}

impl StudyParts {
    /// Opens the folders of all parts of one study, in any order.
    pub(super) fn open(paths: &[PathBuf]) -> Result<Self> {
        let opened = paths.iter().map(|path| LabelledFolder::open(path));
        let mut folders = opened.collect::<Result<Vec<_>>>()?;
        let [first, others @ ..] = &folders[..] else {
            bail!("no parts are given");
        };
        others.iter().try_for_each(|other| first.check(other))?;
        let (whole, label) = (first.label.of_whole(), first.part.clone());
        // A sort that keeps the order of equal parts, so that errors name folders in that order.
        folders.sort_by_key(|folder| folder.part.share);
        for two in folders.windows(2) {
            if two[0].part.share == two[1].part.share {
                bail!(
                    "'{}' and '{}' are both part {}; give each part once",
                    two[0].path.display(),
                    two[1].path.display(),
                    two[0].part.share
                );
            }
        }
        let shares: Vec<StudyPart> = folders.iter().map(|folder| folder.part.share).collect();
        check_complete(&shares, label.share.of())?;
        let folder =
            |folder: LabelledFolder| PartFolder { path: folder.path, share: folder.part.share };
        Ok(Self { whole, first: label, folders: folders.into_iter().map(folder).collect() })
    }
}

/// Refuses shares that are not all `of` parts. `shares` are different, and in ascending order.
fn check_complete(shares: &[StudyPart], of: u64) -> Result<()> {
    /// Most missing parts that are named.
    const MAX_NAMED: usize = 5;
    let missing = of - shares.len() as u64;
    if missing == 0 {
        return Ok(());
    }
    let is_missing = |number: &u64| {
        let found = shares.binary_search_by_key(number, |share| share.number());
        found.is_err()
    };
    let named = (1..=of).filter(is_missing).take(MAX_NAMED);
    let named: Vec<String> = named.map(|number| format!("{number}/{of}")).collect();
    let more = match missing - named.len() as u64 {
        0 => String::new(),
        unnamed => format!(" and {unnamed} more"),
    };
    let (noun, verb) = match missing {
        1 => ("part", "is"),
        _ => ("parts", "are"),
    };
    let named = named.join(", ");
    bail!("{noun} {named}{more} {verb} missing; give the folders of all parts")
}

impl PartFolder {
    /// Returns the error of a part that has fewer results than its share. `what` names a result in
    /// the plural, `how` the options of a call that goes on.
    pub fn incomplete(&self, done: usize, share: u64, what: &str, how: &str) -> anyhow::Error {
        anyhow!(
            "part {} in '{}' has {done} of {share} {what}; run it again{how}",
            self.share,
            self.path.display()
        )
    }
}
