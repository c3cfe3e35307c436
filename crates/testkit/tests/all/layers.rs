//! Dependencies between crates point one way. The map is here and in ARCHITECTURE.md only.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// `(package, packages on which it depends)`, each without `hindsight-`. Dev-dependencies are free.
const DEPENDENCIES: [(&str, &[&str]); 22] = [
    ("core", &[]),
    ("rules", &["core"]),
    ("engine", &["core"]),
    ("foreign", &["core"]),
    ("bitplanes", &["core", "engine"]),
    ("solve", &["bitplanes", "core", "engine"]),
    ("tablebase", &["core", "engine"]),
    ("http", &["tablebase"]),
    ("cluster", &["core", "engine", "solve", "tablebase"]),
    ("play", &["core"]),
    ("bots", &["core", "foreign", "play"]),
    ("draw", &["core"]),
    ("analysis", &["core", "engine", "play", "solve"]),
    ("puzzles", &["core", "engine", "tablebase"]),
    ("testkit", &["core"]),
    (
        "games",
        &[
            "analysis",
            "cluster",
            "core",
            "engine",
            "http",
            "play",
            "puzzles",
            "rules",
            "solve",
            "tablebase",
        ],
    ),
    ("answers", &["core", "games", "rules"]),
    ("web", &["answers", "foreign", "games", "play"]),
    ("study", &["answers", "bitplanes", "core", "engine", "games", "play", "rules", "solve"]),
    (
        "cli",
        &[
            "answers", "bots", "core", "draw", "foreign", "games", "play", "rules", "solve",
            "study", "web",
        ],
    ),
    (
        "papers",
        &[
            "answers",
            "bitplanes",
            "cli",
            "core",
            "engine",
            "games",
            "play",
            "rules",
            "solve",
            "study",
            "testkit",
        ],
    ),
    ("python", &["answers", "cli", "draw", "foreign", "games", "rules", "web"]),
];

/// Arrows that must never be drawn, each with its reason.
const NEVER: [(&[&str], &[&str], &str); 5] = [
    (
        &["answers", "web", "cli", "python"],
        &["engine", "bitplanes", "tablebase", "analysis", "puzzles", "cluster", "http"],
        "what is above the front door goes through it",
    ),
    (
        &["core", "rules"],
        &["engine", "solve", "bitplanes", "tablebase", "play"],
        "rules know nothing of what is done with them",
    ),
    (
        &["engine", "bitplanes", "solve", "tablebase", "cluster", "play", "analysis"],
        &["rules"],
        "solvers, tables and agents know no particular game",
    ),
    (&["tablebase", "http"], &["solve", "bitplanes", "play", "analysis"], "tables know no solver"),
    (
        &["games", "answers", "web", "study", "cli", "python"],
        &["testkit", "papers"],
        "the product knows no test kit and no paper",
    ),
];

/// Crates without the standard library: no files, threads or clocks.
const NO_STD: [&str; 2] = ["core", "rules"];

/// Root of the workspace.
fn workspace() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// Reads the manifest of a crate by its folder in the workspace.
fn manifest(folder: &Path) -> toml::Table {
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml"));
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

/// Reads our own crates on which a crate depends, sorted.
fn own_dependencies(folder: &Path) -> (String, Vec<String>) {
    let manifest = manifest(folder);
    let package = manifest["package"]["name"].as_str().expect("a name");
    let all = dependencies(&manifest);
    let own = all.iter().filter_map(|name| name.strip_prefix("hindsight-"));
    let mut own: Vec<String> = own.map(String::from).collect();
    own.sort();
    (short_name(package).to_string(), own)
}

/// Folders of all crates.
fn crate_folders() -> Vec<PathBuf> {
    let entries = std::fs::read_dir(workspace().join("crates")).expect("the crates");
    let folders = entries.map(|entry| entry.expect("an entry").path());
    folders.chain([workspace().join("papers")]).collect()
}

#[test]
fn the_map_has_every_arrow_and_no_other() {
    let drawn: BTreeMap<String, Vec<String>> = DEPENDENCIES
        .iter()
        .map(|(from, to)| (from.to_string(), to.iter().map(|name| name.to_string()).collect()))
        .collect();
    let found = crate_folders().iter().map(|folder| own_dependencies(folder)).collect();
    assert_eq!(drawn, found);
}

#[test]
fn the_map_has_no_arrow_that_must_never_be() {
    for (sources, targets, reason) in NEVER {
        for (from, to) in DEPENDENCIES.iter().filter(|(from, _)| sources.contains(from)) {
            let wrong = to.iter().find(|to| targets.contains(to));
            assert_eq!(wrong, None, "{from}: {reason}");
        }
    }
}

#[test]
fn rules_need_no_standard_library() {
    for crate_name in NO_STD {
        let lib =
            std::fs::read_to_string(workspace().join("crates").join(crate_name).join("src/lib.rs"))
                .expect("a lib.rs");
        assert!(lib.contains("#![no_std]"), "{crate_name}");
    }
}
