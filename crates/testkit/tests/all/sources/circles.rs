//! No circle of imports has more than two files; folders with an order import from earlier ones.

use std::collections::BTreeSet;

use super::imports::Modules;
use super::{Source, assert_none, sources};

/// Most files of a circle, such as a module and its child.
const LARGEST: usize = 2;

/// Folders of crates, each of which imports from those before it only. The first lines of each
/// folder's `mod.rs` say what it has.
const ORDERED_FOLDERS: [(&str, &[&str]); 2] = [
    (
        "hindsight",
        &[
            "positions",
            "tasks",
            "parts",
            "games",
            "values",
            "solving",
            "tables",
            "analysis",
            "agents",
        ],
    ),
    (
        "tablebase",
        &[
            "symbols",
            "models",
            "codec",
            "keys",
            "format",
            "checkpoint",
            "reading",
            "writing",
            "states",
            "verify",
        ],
    ),
];

/// Files reached from `start` through one or more imports.
fn reached(imports: &[BTreeSet<usize>], start: usize) -> BTreeSet<usize> {
    let mut reached = BTreeSet::new();
    let mut open = vec![start];
    while let Some(file) = open.pop() {
        open.extend(imports[file].iter().filter(|&&to| reached.insert(to)));
    }
    reached
}

/// Groups of files that all import from each other, directly or not.
fn circles(imports: &[BTreeSet<usize>]) -> BTreeSet<Vec<usize>> {
    let all: Vec<BTreeSet<usize>> = (0..imports.len()).map(|file| reached(imports, file)).collect();
    let circle = |file: usize| {
        let members = all[file].iter().filter(|&&other| all[other].contains(&file));
        members.copied().collect::<Vec<usize>>()
    };
    (0..imports.len()).map(circle).filter(|circle| circle.len() > 1).collect()
}

fn imports_of(files: &[Source]) -> Vec<BTreeSet<usize>> {
    let modules = Modules::new(files);
    let files = files.iter().enumerate();
    files.map(|(n, file)| modules.imports(n, file)).collect()
}

#[test]
fn circles_have_two_files_at_most() {
    let mut large = Vec::new();
    for (_, files) in sources("src") {
        let imports = imports_of(&files);
        for circle in circles(&imports) {
            if circle.len() > LARGEST {
                let names = circle.iter().map(|&file| files[file].path.as_str());
                large.push(names.collect::<Vec<_>>().join(" -> "));
            }
        }
    }
    assert_none("a circle of imports has at most two files", &large);
}

/// Folder of a file below `src`; `None` for a file of `src` itself.
fn folder(path: &str) -> Option<&str> {
    let (_, inside) = path.split_once("/src/")?;
    Some(inside.split_once('/')?.0)
}

#[test]
fn folders_import_from_earlier_ones() {
    let crates = sources("src");
    let mut breaches = Vec::new();
    for (room, order) in ORDERED_FOLDERS {
        let files = &crates[room];
        let place = |n: usize| {
            let folder = folder(&files[n].path)?;
            let place = order.iter().position(|name| *name == folder);
            Some(place.unwrap_or_else(|| panic!("{room}: the folder '{folder}' has no place")))
        };
        for (n, imports) in imports_of(files).iter().enumerate() {
            let later = imports.iter().filter(|&&to| place(n) < place(to));
            let later = later.filter(|_| place(n).is_some());
            breaches.extend(later.map(|&to| format!("{} -> {}", files[n].path, files[to].path)));
        }
    }
    assert_none("a folder imports from earlier ones", &breaches);
}

fn source(path: &str, text: &str) -> Source {
    Source {
        path: format!("crates/x/src/{path}"),
        text: text.to_owned(),
        syntax: syn::parse_file(text).expect("a source"),
    }
}

#[test]
fn imports_are_found_in_uses_paths_and_macros_and_through_re_exports() {
    let files = [
        source("lib.rs", "mod a; mod b; mod c; pub use a::One;"),
        source("a.rs", "use super::b; pub struct One; fn f() { b::two(); }"),
        source("b.rs", "pub fn two() { assert!(crate::c::three()); }"),
        source("c.rs", "pub fn three() -> bool { crate::One; true }"),
    ];
    let imports = imports_of(&files);
    let expected = [vec![], vec![2], vec![3], vec![1]].map(BTreeSet::from_iter);
    assert_eq!(imports, expected);
    assert_eq!(circles(&imports), BTreeSet::from([vec![1, 2, 3]]));
}
