//! Laws of the source text: imports without circles, small folders, names with one meaning, honest
//! parameters, games as objects, prose.

mod circles;
mod folders;
mod generic;
mod imports;
mod names;
mod parameters;
mod text;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// A source file of a crate.
struct Source {
    /// Path in the workspace, such as `crates/engine/src/lib.rs`.
    path: String,
    text: String,
    syntax: syn::File,
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// All Rust files below a folder, by path.
fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = std::fs::read_dir(&folder) else {
            continue;
        };
        for entry in entries {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|end| end == "rs") {
                files.push(path);
            }
        }
    }
    files.sort();
    files
}

/// Files of every crate below one of its folders, such as `src`, by crate.
fn sources(folder: &str) -> BTreeMap<String, Vec<Source>> {
    let root = workspace();
    let crates = std::fs::read_dir(root.join("crates")).expect("the crates");
    let crates = crates.map(|entry| entry.expect("an entry").path());
    let mut all = BTreeMap::new();
    for path in crates.chain([root.join("papers")]) {
        let name = path.file_name().expect("a name").to_string_lossy();
        let source = |file: PathBuf| {
            let text = std::fs::read_to_string(&file).expect("a source file");
            let path = file.strip_prefix(&root).expect("a file of the workspace");
            Source {
                path: path.to_string_lossy().into_owned(),
                syntax: syn::parse_file(&text).expect("a file that compiles"),
                text,
            }
        };
        let files = rust_files(&path.join(folder)).into_iter();
        all.insert(name.into_owned(), files.map(source).collect());
    }
    all
}

/// Fails with one line for each breach of a law.
fn assert_none(law: &str, breaches: &[String]) {
    assert!(breaches.is_empty(), "{law}: {} breaches\n{}", breaches.len(), breaches.join("\n"));
}
