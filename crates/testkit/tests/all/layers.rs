//! Dependencies between crates point one way. The map is here and in ARCHITECTURE.md only.

use std::collections::BTreeMap;
use std::path::Path;

/// `(crate, crates on which it may depend)`. Dev-dependencies are free.
const ALLOWED_DEPENDENCIES: [(&str, &[&str]); 13] = [
    ("core", &[]),
    ("combinatorics", &[]),
    ("rules", &["core", "combinatorics"]),
    ("run", &["core"]),
    ("bitplanes", &["core", "combinatorics", "run"]),
    ("solve", &["core", "combinatorics", "run", "bitplanes"]),
    (
        "tablebase",
        &["core", "combinatorics", "run", "bitplanes", "solve"],
    ),
    (
        "hindsight",
        &["core", "rules", "run", "bitplanes", "solve", "tablebase"],
    ),
    ("play", &["core"]),
    ("puzzles", &["core", "solve", "tablebase"]),
    ("testkit", &["core"]),
    (
        "study",
        &[
            "core",
            "combinatorics",
            "rules",
            "run",
            "bitplanes",
            "solve",
            "tablebase",
            "play",
            "testkit",
        ],
    ),
    (
        "cli",
        &[
            "core",
            "combinatorics",
            "rules",
            "run",
            "bitplanes",
            "solve",
            "tablebase",
            "play",
            "puzzles",
            "study",
        ],
    ),
];

/// Crates without the standard library: no files, threads or clocks.
const NO_STD: [&str; 3] = ["core", "combinatorics", "rules"];

fn crates_folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn dependencies(crate_name: &str) -> Vec<String> {
    let manifest = std::fs::read_to_string(crates_folder().join(crate_name).join("Cargo.toml"))
        .expect("a manifest");
    let manifest: toml::Table = manifest.parse().expect("a manifest is TOML");
    let mut names = Vec::new();
    for section in ["dependencies", "build-dependencies"] {
        if let Some(table) = manifest.get(section).and_then(toml::Value::as_table) {
            names.extend(table.keys().cloned());
        }
    }
    assert!(
        manifest.get("target").is_none(),
        "{crate_name}: dependencies by target are not on the map"
    );
    names
}

#[test]
fn every_crate_is_on_the_map_and_depends_only_on_allowed_crates() {
    let map: BTreeMap<&str, &[&str]> = ALLOWED_DEPENDENCIES.into_iter().collect();
    let entries = std::fs::read_dir(crates_folder()).expect("the crates");
    let names: Vec<String> = entries
        .map(|e| {
            e.expect("an entry")
                .file_name()
                .into_string()
                .expect("a name")
        })
        .collect();
    assert_eq!(names.len(), ALLOWED_DEPENDENCIES.len(), "crates: {names:?}");
    for crate_name in &names {
        let allowed = map
            .get(crate_name.as_str())
            .unwrap_or_else(|| panic!("the crate '{crate_name}' is not on the map"));
        for dependency in dependencies(crate_name) {
            let dependency = dependency.strip_prefix("hindsight-").unwrap_or(&dependency);
            let is_ours = map.contains_key(dependency);
            assert!(
                !is_ours || allowed.contains(&dependency),
                "{crate_name} must not depend on {dependency}"
            );
        }
    }
}

#[test]
fn rules_need_no_standard_library() {
    for crate_name in NO_STD {
        let lib = std::fs::read_to_string(crates_folder().join(crate_name).join("src/lib.rs"))
            .expect("a lib.rs");
        assert!(lib.contains("#![no_std]"), "{crate_name}");
    }
}
