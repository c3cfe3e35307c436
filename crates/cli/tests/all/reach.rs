//! `reach`: distances from the start, searched and read from a table.

use serde_json::json;

use crate::harness::{TestFolder, json, refusal, run_with_code};

const GAME: &str = "ostle:3x3:3:1";

#[test]
fn a_table_has_the_distances_of_the_search() {
    let folder = TestFolder::new();
    let file = &folder.path("reach.table");
    let searched = json(&["reach", GAME, "--out", file, "--quiet"]);
    assert_eq!(searched["table"]["layout"], "distances");
    let read = json(&["reach", file]);
    for key in ["game", "states", "distances"] {
        assert_eq!(read[key], searched[key], "{key}");
    }
    assert_eq!(read["distances"][0], json!({"plies": 0, "states": 1}));
    let verified = json(&["verify", file]);
    assert_eq!(verified["faults"], json!([]));
    let info = json(&["info", file]);
    assert_eq!(info["layout"], "distances");
    assert_eq!(info["reached_states"], read["states"]);
    let far = info["farthest"]["position"].as_str().expect("a position");
    for source in [file, GAME] {
        let found = json(&["reach", source, far]);
        assert_eq!(found["position"], far);
        let line = found["line"].as_array().expect("a line");
        assert_eq!(found["plies"], line.len());
        assert!(found["plies"].as_u64() >= info["farthest"]["plies"].as_u64());
        let text = run_with_code(0, &["reach", source, far, "--quiet"]).0;
        assert!(text.contains(&format!("{} plies from the start", line.len())));
    }
    let turned = "BBB/.O./WWW black -";
    assert_eq!(json(&["reach", file, turned])["plies"], 0);
    let text = run_with_code(0, &["reach", file, turned]).0;
    assert!(text.contains("an image of it"), "{text}");
}

#[test]
fn bad_questions_are_refused_with_a_reason() {
    let folder = TestFolder::new();
    let distances = folder.path("reach.table");
    let (values, _) = folder.solve("ostle:3x3:2:1", &[]);
    run_with_code(0, &["reach", "ostle:3x3:2:1", "--out", &distances, "--quiet"]);
    let over = "B../.O./WW. black -";
    let calls: [(&[&str], &str); 8] = [
        (&["reach", &values], "keeps values, not distances"),
        (&["probe", &distances], "keeps distances from the start"),
        (&["stats", &distances], "keeps distances from the start"),
        (&["reach", &distances, "nonsense"], "position 'nonsense'"),
        (&["reach", &distances, over], "the game is over there"),
        (&["reach", &distances, "--out", &values], "go with a spec"),
        (&["reach", GAME, "--out", &values], "exists"),
        (&["reach", "onitama:3x3:boar"], "such as ostle"),
    ];
    for (args, reason) in calls {
        let error = refusal(args);
        assert!(error.contains(reason), "{args:?}: {error}");
    }
    // The program itself takes more with debug assertions than without.
    let error = refusal(&["reach", "ostle", "--memory", "1M"]);
    let needs = ["10.2 GiB", "10.3 GiB"].map(|size| error.contains(size));
    assert!(needs.contains(&true), "{error}");
    let table = std::fs::read(&distances).expect("the table");
    std::fs::write(&distances, &table[..table.len() - 3]).expect("it is cut");
    assert!(refusal(&["reach", &distances]).contains("damaged"));
    run_with_code(1, &["verify", &distances]);
}

#[test]
fn an_unreachable_state_is_probed_with_a_note() {
    let free = "WW./.O./BB. black -";
    let (_, error) = run_with_code(0, &["probe", "ostle:3x3:2:0", free]);
    assert_eq!(error, "", "the start needs no move");
    let jammed = ".../WWO/BB. black -";
    let (_, error) = run_with_code(0, &["probe", "ostle:3x3:2:0", jammed]);
    let reached = json(&["reach", "ostle:3x3:2:0", jammed]);
    assert_eq!(error.contains("no move leads to"), reached["plies"].is_null());
}
