//! Dependencies point one way. The map of rooms is here and in ARCHITECTURE.md, nowhere else.

use std::collections::BTreeMap;
use std::path::Path;

/// Each room with the rooms it may depend on. Dev-dependencies are free.
const ARROWS: [(&str, &[&str]); 12] = [
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

/// Rooms that need neither files nor threads nor clocks.
const NO_STD: [&str; 3] = ["core", "combinatorics", "rules"];

fn crates() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn dependencies(room: &str) -> Vec<String> {
    let manifest =
        std::fs::read_to_string(crates().join(room).join("Cargo.toml")).expect("a manifest");
    let manifest: toml::Table = manifest.parse().expect("a manifest is TOML");
    let mut names = Vec::new();
    for section in ["dependencies", "build-dependencies"] {
        if let Some(table) = manifest.get(section).and_then(toml::Value::as_table) {
            names.extend(table.keys().cloned());
        }
    }
    assert!(
        manifest.get("target").is_none(),
        "{room}: dependencies by target are not on the map"
    );
    names
}

#[test]
fn every_room_is_on_the_map_and_no_arrow_points_the_wrong_way() {
    let map: BTreeMap<&str, &[&str]> = ARROWS.into_iter().collect();
    let entries = std::fs::read_dir(crates()).expect("the crates");
    let rooms: Vec<String> = entries
        .map(|e| {
            e.expect("an entry")
                .file_name()
                .into_string()
                .expect("a name")
        })
        .collect();
    assert_eq!(rooms.len(), ARROWS.len(), "rooms: {rooms:?}");
    for room in &rooms {
        let allowed = map
            .get(room.as_str())
            .unwrap_or_else(|| panic!("the room '{room}' is not on the map"));
        for name in dependencies(room) {
            let name = name.strip_prefix("hindsight-").unwrap_or(&name);
            let inside = map.contains_key(name);
            assert!(
                !inside || allowed.contains(&name),
                "{room} must not depend on {name}"
            );
        }
    }
}

#[test]
fn rules_need_no_standard_library() {
    for room in NO_STD {
        let lib =
            std::fs::read_to_string(crates().join(room).join("src/lib.rs")).expect("a lib.rs");
        assert!(lib.contains("#![no_std]"), "{room}");
    }
}
