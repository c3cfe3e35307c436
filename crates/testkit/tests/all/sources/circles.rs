//! No circle of imports has more than two files.

use std::collections::BTreeSet;

use super::imports::Modules;
use super::{Source, assert_none, sources};

/// Most files of a circle, such as a module and its child.
const LARGEST: usize = 2;

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
    let all: Vec<BTreeSet<usize>> = (0..imports.len())
        .map(|file| reached(imports, file))
        .collect();
    let circle = |file: usize| {
        let members = all[file]
            .iter()
            .filter(|&&other| all[other].contains(&file));
        members.copied().collect::<Vec<usize>>()
    };
    (0..imports.len())
        .map(circle)
        .filter(|circle| circle.len() > 1)
        .collect()
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
