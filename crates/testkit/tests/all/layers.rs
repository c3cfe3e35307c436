//! Dependencies between crates point one way. The map is here and in ARCHITECTURE.md only.

use std::collections::BTreeMap;
use std::path::Path;

/// `(package, packages on which it may depend)`, each without `hindsight-`. Dev-dependencies are
/// free.
const ALLOWED_DEPENDENCIES: [(&str, &[&str]); 23] = [
    ("core", &[]),
    ("combinatorics", &[]),
    ("rules", &["core", "combinatorics"]),
    ("run", &["core"]),
    ("checkpoint", &["run"]),
    ("bitplanes", &["core", "combinatorics", "run", "checkpoint"]),
    ("solve", &["core", "combinatorics", "run", "checkpoint", "bitplanes"]),
    ("tablebase", &["core", "combinatorics", "run", "checkpoint", "solve"]),
    ("cluster", &["core", "run", "checkpoint", "solve", "tablebase"]),
    ("analysis", &["core", "run", "checkpoint", "solve", "play"]),
    (
        "games",
        &[
            "analysis",
            "cluster",
            "core",
            "http",
            "rules",
            "run",
            "checkpoint",
            "bitplanes",
            "solve",
            "tablebase",
            "play",
            "puzzles",
        ],
    ),
    ("http", &["tablebase"]),
    ("play", &["core"]),
    ("bots", &["core", "play"]),
    ("draw", &["core"]),
    ("puzzles", &["core", "run", "solve", "tablebase"]),
    ("testkit", &["core", "report"]),
    ("report", &["core", "run"]),
    ("answers", &["core", "games", "report", "rules"]),
    ("web", &["core", "games", "play", "puzzles", "answers"]),
    (
        "study",
        &[
            "core",
            "games",
            "combinatorics",
            "rules",
            "run",
            "checkpoint",
            "bitplanes",
            "solve",
            "tablebase",
            "play",
            "report",
        ],
    ),
    (
        "cli",
        &[
            "core",
            "combinatorics",
            "rules",
            "run",
            "checkpoint",
            "bitplanes",
            "solve",
            "tablebase",
            "play",
            "bots",
            "draw",
            "puzzles",
            "report",
            "study",
            "games",
            "answers",
            "web",
        ],
    ),
    ("python", &["solve", "draw", "games", "answers", "web", "cli", "rules"]),
];

/// Crates without the standard library: no files, threads or clocks.
const NO_STD: [&str; 3] = ["core", "combinatorics", "rules"];

fn crates_folder() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// Reads the manifest of a crate by the name of its folder.
fn manifest(folder: &str) -> toml::Table {
    let manifest = std::fs::read_to_string(crates_folder().join(folder).join("Cargo.toml"));
    let manifest = manifest.expect("a manifest").parse();
    manifest.expect("a manifest is TOML")
}

/// Returns the name of a package without the prefix that all of ours have.
fn short_name(package: &str) -> &str {
    package.strip_prefix("hindsight-").unwrap_or(package)
}

fn dependencies(manifest: &toml::Table) -> Vec<String> {
    let table = |value: &toml::Value| value.as_table().cloned();
    let targets = manifest.get("target").and_then(table).unwrap_or_default();
    let manifests = targets.values().filter_map(table).chain([manifest.clone()]);
    let sections = manifests.flat_map(|manifest| {
        ["dependencies", "build-dependencies"].map(|name| manifest.get(name).and_then(table))
    });
    sections.flatten().flat_map(|section| section.keys().cloned().collect::<Vec<_>>()).collect()
}

#[test]
fn every_crate_is_on_the_map_and_depends_only_on_allowed_crates() {
    let map: BTreeMap<&str, &[&str]> = ALLOWED_DEPENDENCIES.into_iter().collect();
    let entries = std::fs::read_dir(crates_folder()).expect("the crates");
    let folders: Vec<String> =
        entries.map(|e| e.expect("an entry").file_name().into_string().expect("a name")).collect();
    let count = ALLOWED_DEPENDENCIES.len();
    assert_eq!(folders.len(), count, "crates: {folders:?}");
    for folder in &folders {
        let manifest = manifest(folder);
        let package = manifest["package"]["name"].as_str().expect("a name");
        let crate_name = short_name(package);
        let allowed = map
            .get(crate_name)
            .unwrap_or_else(|| panic!("the crate '{crate_name}' is not on the map"));
        for dependency in dependencies(&manifest) {
            let dependency = short_name(&dependency);
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
