//! The files of a folder are seen at a glance.

use std::collections::BTreeMap;
use std::path::Path;

use super::{assert_none, sources};

/// Most files beside each other.
const MOST_FILES: usize = 25;

#[test]
fn a_folder_has_25_files_at_most() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for source in ["src", "tests"].into_iter().flat_map(sources).flat_map(|(_, files)| files) {
        let folder = Path::new(&source.path).parent().expect("a folder");
        *counts.entry(folder.to_string_lossy().into_owned()).or_default() += 1;
    }
    let large = counts.iter().filter(|(_, files)| **files > MOST_FILES);
    let large: Vec<String> = large.map(|(folder, files)| format!("{folder}: {files}")).collect();
    assert!(counts.len() > 50, "{counts:?}");
    assert_none("a folder has at most 25 files", &large);
}
