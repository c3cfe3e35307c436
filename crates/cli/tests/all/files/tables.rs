//! `info`, `stats`, `verify` and `compare`, on tables of two small games.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use hindsight_core::{Notation, Tiers};
use hindsight_engine::{Layer, Store};
use hindsight_rules::{Setup, by_name};
use hindsight_tablebase::{CheckpointDir, Layout, PositionValue, Table};
use serde_json::{Value, json};

use crate::files::exports::export;
use crate::harness::{TestFolder, answer, json, refusal, run_with_code};

pub(crate) const GAMES: [&str; 2] = ["quoridor:3x3:1", "onitama:3x3:boar"];
pub(crate) const LAYOUTS: [&str; 3] = ["full", "compact", "wdl"];

/// Returns the rows of a CSV file, each by the names of the columns.
pub(crate) fn csv_rows(bytes: &[u8]) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(bytes);
    let rows = reader.deserialize();
    rows.map(|row| row.expect("a row")).collect()
}

/// Sums a number over the rows of a report.
fn sum(rows: &Value, key: &str) -> u64 {
    let rows = rows.as_array().expect("rows").iter();
    rows.map(|row| row[key].as_u64().expect("a number")).sum()
}

#[test]
fn info_and_stats_agree_with_solve() {
    let tables = TestFolder::new();
    for spec in GAMES {
        for layout in LAYOUTS {
            let (file, solved) = tables.solve(spec, &["--layout", layout]);
            let info = json(&["info", &file]);
            for key in ["game", "start", "positions", "wins", "losses", "draws", "signature"] {
                assert_eq!(info[key], solved[key], "{spec} {layout} {key}");
            }
            assert_eq!(info["layout"], layout);
            assert_eq!(info["bytes"], fs::metadata(&file).unwrap().len());

            let stats = json(&["stats", &file]);
            assert_eq!(stats["total"]["histogram"], solved["histogram"], "{spec}");
            for key in ["positions", "wins", "losses", "draws"] {
                assert_eq!(stats["total"][key], solved[key], "{spec} {key}");
                assert_eq!(sum(&stats["layers"], key), solved[key].as_u64().unwrap());
            }
            for key in ["longest_win", "longest_loss"] {
                assert_eq!(stats["total"][key], info[key], "{spec} {key}");
            }
            let text = answer(&["info", &file]);
            assert!(text.contains(spec) && text.contains("longest win"), "{text}");
        }
    }
}

#[test]
fn stats_as_text_and_csv_and_by_layer() {
    let tables = TestFolder::new();
    let (file, solved) = tables.solve("quoridor:3x3:1", &["--layout", "full"]);
    let text = answer(&["stats", &file]);
    for part in ["2 fences on the board", "no fence on the board", "win", "plies"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    let rows = csv_rows(answer(&["stats", &file, "--format", "csv"]).as_bytes());
    let positions = rows.iter().map(|row| row["positions"].parse::<u64>().unwrap());
    assert_eq!(positions.sum::<u64>(), solved["positions"].as_u64().unwrap());
    assert_eq!(answer(&["stats", &file, "--format", "json"]), answer(&["stats", &file, "--json"]));

    let layer = json(&["stats", &file, "--layer", "2"]);
    assert_eq!(layer["layers"].as_array().unwrap().len(), 1);
    assert_eq!(layer["layers"][0]["name"], "no fence on the board");
    assert_eq!(layer["total"]["positions"], layer["layers"][0]["positions"]);
    assert!(refusal(&["stats", &file, "--layer", "3"]).contains("layers 0 to 2"));
    assert!(refusal(&["stats", &file, "--layer", "-1"]).contains("from 0"));
}

#[test]
fn the_longest_win_has_its_value() {
    let tables = TestFolder::new();
    for spec in GAMES {
        let (file, _) = tables.solve(spec, &["--layout", "compact"]);
        for layer in json(&["stats", &file])["layers"].as_array().unwrap() {
            for key in ["longest_win", "longest_loss"] {
                let named = &layer[key];
                let probed = json(&["probe", spec, named["position"].as_str().unwrap()]);
                assert_eq!(probed["remoteness"], named["remoteness"], "{spec} {named}");
                assert_eq!(probed["value"], named["value"]);
            }
        }
    }
}

#[test]
fn plots_are_drawn() {
    let tables = TestFolder::new();
    let (file, _) = tables.solve("onitama:3x3:boar", &["--layout", "full"]);
    let [svg, png] = ["plot.svg", "plot.PNG"].map(|name| tables.path(name));
    answer(&["stats", &file, "--plot", &svg]);
    answer(&["stats", &file, "--plot", &png, "--json"]);
    let drawn = fs::read_to_string(&svg).unwrap();
    assert!(drawn.contains("<svg") && drawn.contains("losses") && drawn.len() < 100_000);
    assert!(fs::read(&png).unwrap().starts_with(b"\x89PNG"));
    let shown = answer(&["stats", &file, "--plot", "-"]);
    assert!(shown.contains("plies to the end") && !shown.contains('\x1b'), "{shown}");

    assert!(refusal(&["stats", &file, "--plot", &svg]).contains("--force"));
    answer(&["stats", &file, "--plot", &svg, "--force"]);
    assert!(refusal(&["stats", &file, "--plot", &tables.path("plot.gif")]).contains(".svg"));
    assert!(refusal(&["stats", &file, "--plot", "-", "--json"]).contains("text only"));
}

#[test]
fn a_sound_table_passes() {
    let tables = TestFolder::new();
    for spec in GAMES {
        for layout in LAYOUTS {
            let (file, _) = tables.solve(spec, &["--layout", layout]);
            assert!(answer(&["verify", &file]).contains("no fault"));
            let report = json(&["verify", &file, "--threads", "1"]);
            assert_eq!(report["game"], spec);
            assert_eq!(report["faults"], Value::Array(Vec::new()));
            assert!(report["positions_checked"].as_u64().unwrap() > 1000);
            let error = refusal(&["verify", &file, "--memory", "100"]);
            assert!(error.contains("it takes at least") && error.contains("--memory"), "{error}");
        }
    }
}

#[test]
fn planes_write_the_table_that_tiers_write() {
    let tables = TestFolder::new();
    for spec in [GAMES[1], "onitama:2x4:boar,ox,elephant,horse,crab"] {
        for layout in LAYOUTS {
            let by = |solver| {
                let (file, solved) = tables.solve(spec, &["--layout", layout, "--solver", solver]);
                assert_eq!(solved["solver"], solver);
                let bytes = fs::read(&file).expect("a table");
                fs::remove_file(file).expect("a table");
                bytes
            };
            assert!(by("planes") == by("tiered"), "{spec} {layout}");
        }
    }
}

/// Writes bytes to a file and checks that `verify` finds a fault in it; `case` is for messages.
fn assert_faulty(tables: &TestFolder, bytes: &[u8], case: &str) {
    let file = tables.path("bad.table");
    fs::write(&file, bytes).unwrap();
    let (out, error) = run_with_code(1, &["verify", &file, "--json"]);
    assert_eq!(error, "", "{case}");
    let report: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(report["file"], file, "{case}");
    assert!(!report["faults"].as_array().unwrap().is_empty(), "{case}: {out}");
    let (out, _) = run_with_code(1, &["verify", &file]);
    assert!(out.contains("fault") && out.contains("bad.table"), "{case}: {out}");
}

#[test]
fn every_kind_of_damage_is_found() {
    let tables = TestFolder::new();
    for (spec, layout) in [(GAMES[0], "full"), (GAMES[1], "compact")] {
        let (file, _) = tables.solve(spec, &["--layout", layout]);
        let bytes = fs::read(&file).unwrap();
        // A file is the header, then for each layer the coder's tables, the blocks and the index.
        let last = bytes.len() - 1;
        for at in [0, 9, 13, 30, 90].into_iter().chain((200..last).step_by(last / 20)).chain([last])
        {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            assert_faulty(&tables, &flipped, &format!("{spec}: a bit of byte {at}"));
        }
        for length in [0, 1, 7, 19, 20, bytes.len() / 2, last] {
            assert_faulty(&tables, &bytes[..length], &format!("{spec}: cut to {length}"));
        }
        assert_faulty(&tables, &[bytes.as_slice(), b"x"].concat(), "a byte too many");
        assert_faulty(&tables, b"not a table, but of some length", "a text");
    }
}

#[test]
fn damage_is_reported_with_the_name_of_the_file() {
    let tables = TestFolder::new();
    let (file, _) = tables.solve(GAMES[0], &["--layout", "full"]);
    let mut bytes = fs::read(&file).unwrap();
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    let bad = tables.path("flipped.table");
    fs::write(&bad, &bytes).unwrap();
    let out = tables.path("out.csv");
    let export = refusal(&["export", &bad, "--out", &out]);
    let compare = refusal(&["compare", &file, &bad]);
    bytes[40] ^= 1;
    fs::write(&bad, &bytes).unwrap();
    for error in [export, compare, refusal(&["info", &bad]), refusal(&["stats", &bad])] {
        assert!(error.contains("flipped.table' is damaged: "), "{error}");
    }
    assert!(!Path::new(&out).exists());
}

#[test]
fn files_that_are_no_tables_are_refused() {
    let tables = TestFolder::new();
    let text = tables.path("text");
    fs::write(&text, "no table, but of some length").unwrap();
    let missing = tables.path("missing");
    let folder = tables.0.path().to_str().unwrap();
    let out = tables.path("out.csv");
    let calls: [&dyn Fn(&str) -> String; 4] = [
        &|file| refusal(&["info", file]),
        &|file| refusal(&["stats", file]),
        &|file| refusal(&["export", file, "--out", &out]),
        &|file| refusal(&["compare", file, file]),
    ];
    for call in calls {
        assert!(call(&missing).contains("there is no file"));
        assert!(call(folder).contains("is a folder"));
        assert!(call(&text).contains("not a Hindsight table"));
    }
    assert!(refusal(&["verify", &missing]).contains("there is no file"));
    assert!(refusal(&["verify", folder]).contains("is a folder"));
    assert!(!Path::new(&out).exists());
}

#[test]
fn layouts_have_the_same_values() {
    let tables = TestFolder::new();
    for spec in GAMES {
        let [(full, _), (compact, _), _] =
            LAYOUTS.map(|layout| tables.solve(spec, &["--layout", layout]));
        let report = json(&["compare", &full, &compact]);
        assert_eq!(report["different"], 0, "{spec}");
        assert_eq!(report["same_bytes"], false);
        assert!(report["positions_compared"].as_u64().unwrap() > 1000);
        assert_eq!(json(&["compare", &full, &full])["same_bytes"], true);
        assert!(answer(&["compare", &full, &compact]).contains("have the same value"));
        let error = refusal(&["compare", &full, &compact, "--memory", "10"]);
        assert!(error.contains("--memory"), "{error}");
    }
}

#[test]
fn tables_of_different_games_are_not_compared() {
    let tables = TestFolder::new();
    let (first, _) = tables.solve("quoridor:3x3:1", &["--layout", "full"]);
    let (second, _) = tables.solve("quoridor:3x3:1:edge=open", &["--layout", "full"]);
    let error = refusal(&["compare", &first, &second]);
    assert!(error.contains("different games") && error.contains("edge=open"), "{error}");
}

/// Writes a table whose layers are those of another, changed by `change`.
fn write_changed(from: &str, to: &str, change: &dyn Fn(&mut Layer, PositionValue)) {
    let table = Table::open(fs::read(from).unwrap()).unwrap();
    let game = by_name(&table.info().spec, &Setup::default()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let work = CheckpointDir::create(folder.path(), &game.spec(), Layout::Full).unwrap();
    for layer in 0..game.layers() {
        let mut layer = table.decode_layer(&game, layer).unwrap();
        change(&mut layer, table.info().start);
        work.layer_store(&game).put(&layer, &mut || Ok(())).unwrap();
    }
    work.finish_to(Path::new(to)).unwrap();
}

#[test]
fn one_wrong_value_is_the_difference() {
    let tables = TestFolder::new();
    let spec = "quoridor:3x3:1";
    let (right, solved) = tables.solve(spec, &["--layout", "full"]);
    let wrong = tables.path("wrong.table");
    let won = |value: &Option<hindsight_core::Value>| {
        matches!(value, Some(hindsight_core::Value::Win(_)))
    };
    let change = |layer: &mut Layer, start: PositionValue| {
        if let Ok(tier) = layer.tiers.binary_search(&start.tier) {
            let code = layer.palette.iter().position(won);
            let at = (layer.starts[tier] + start.rank) as usize;
            layer.codes[at] = code.expect("a win") as u8;
        }
    };
    write_changed(&right, &wrong, &change);

    let start = &solved["start"];
    let (out, error) = run_with_code(1, &["compare", &right, &wrong, "--json"]);
    assert_eq!(error, "");
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["different"], 1);
    assert_eq!(report["same_bytes"], false);
    let [difference] = report["differences"].as_array().unwrap().as_slice() else {
        panic!("one difference: {out}");
    };
    assert_eq!(difference["position"], start["position"]);
    assert_eq!(difference["layer"], 2);
    let [right_value, wrong_value] = [&difference["values"][0], &difference["values"][1]];
    let solved_value = json!({"value": "loss", "remoteness": start["remoteness"]});
    assert_eq!(*right_value, solved_value);
    assert_eq!(wrong_value["value"], "win");

    let (text, _) = run_with_code(1, &["compare", &wrong, &right]);
    let difference = format!(
        "'{}': win in {} and loss in {}",
        start["position"].as_str().unwrap(),
        wrong_value["remoteness"],
        right_value["remoteness"]
    );
    assert!(text.contains(" 1 of ") && text.contains(&difference), "{text}");

    // The successors alone show that the value is wrong.
    let (out, _) = run_with_code(1, &["verify", &wrong, "--json"]);
    let verdict: Value = serde_json::from_str(&out).unwrap();
    let mut faults = verdict["faults"].as_array().unwrap().iter();
    assert!(faults.any(|fault| fault["position"] == start["position"]), "{out}");
}

#[test]
fn differences_are_counted_and_ten_are_listed() {
    let tables = TestFolder::new();
    let spec = "quoridor:3x3:1";
    let (right, _) = tables.solve(spec, &["--layout", "full"]);
    let wrong = tables.path("wrong.table");
    let [win, loss] = [hindsight_core::Value::Win(5), hindsight_core::Value::Loss(4)];
    let change = |layer: &mut Layer, _| {
        for value in layer.palette.iter_mut().flatten() {
            if *value == win {
                *value = loss;
            } else if *value == loss {
                *value = win;
            }
        }
    };
    write_changed(&right, &wrong, &change);

    let different: usize = [("win", "5"), ("loss", "4")]
        .map(|(value, plies)| export(&right, &["--value", value, "--remoteness", plies]).len())
        .iter()
        .sum();
    assert!(different > 10);
    let (out, _) = run_with_code(1, &["compare", &right, &wrong, "--json"]);
    let report: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(report["different"], different);
    let differences = report["differences"].as_array().unwrap();
    assert_eq!(differences.len(), 10);
    for difference in differences {
        let [a, b] = [&difference["values"][0], &difference["values"][1]];
        let known =
            [json!({"value": "win", "remoteness": 5}), json!({"value": "loss", "remoteness": 4})];
        assert!(a != b && known.contains(a) && known.contains(b), "{difference}");
    }
    let (text, _) = run_with_code(1, &["compare", &right, &wrong]);
    let listed = text.lines().filter(|line| line.starts_with("  layer "));
    assert_eq!(listed.count(), 10, "{text}");
    assert!(text.contains(&format!("{different} of ")), "{text}");
}

#[test]
fn games_far_too_large_are_refused_at_once() {
    let folder = TestFolder::new();
    for (spec, reason) in [
        ("quoridor:9x9:4", "does not fit in memory"),
        ("quoridor:9x9:4,3", "does not fit in memory"),
        ("quoridor:7x7:7", "does not fit in memory"),
        ("quoridor:9x9:10", "fits 64 bits"),
    ] {
        let error = refusal(&["solve", spec, "--solver", "tiered", "--memory", "8G"]);
        assert!(error.contains(reason), "{spec}: {error}");
        let searched = json(&["solve", spec, "--seconds", "0.3", "--memory", "8G"]);
        assert_eq!(searched["chosen"]["solver"], "proof", "{spec}");
        assert!(searched["start"]["value"].is_null(), "{spec}: {searched}");
        let out = folder.path("large.table");
        let error = refusal(&["solve", spec, "--out", &out, "--memory", "8G"]);
        assert!(error.contains(reason), "{spec}: {error}");
        assert!(!Path::new(&out).exists());
    }
}

#[test]
fn a_check_keeps_its_work_in_a_folder() {
    let folder = TestFolder::new();
    let (file, _) = folder.solve("onitama:3x3:boar", &["--layout", "wdl"]);
    let (work, other) = (folder.path("work"), folder.path("other"));
    let verdict = json(&["verify", &file, "--checkpoint", &work]);
    assert_eq!(verdict["faults"], json!([]));
    let left = fs::read_dir(&work).expect("a folder").count();
    assert_eq!(left, 2, "only the description of the checkpoint and its limit are left");
    let error = refusal(&["verify", &file, "--checkpoint", &work]);
    assert!(error.contains("resume it or remove it"), "{error}");
    let resumed = json(&["verify", &file, "--checkpoint", &work, "--resume"]);
    assert_eq!(resumed["positions_checked"], verdict["positions_checked"]);
    answer(&["solve", "onitama:3x3:crab", "--out", &folder.path("crab"), "--checkpoint", &other]);
    let error = refusal(&["verify", &file, "--checkpoint", &other, "--resume"]);
    assert!(error.contains("onitama:3x3:crab"), "{error}");
    refusal(&["verify", &file, "--resume"]);
    let (quoridor, _) = folder.solve("quoridor:3x3:1", &[]);
    let none = folder.path("none");
    let error = refusal(&["verify", &quoridor, "--checkpoint", &none]);
    assert!(error.contains("keeps no work"), "{error}");
    assert!(!Path::new(&none).exists());
}

#[test]
fn a_check_without_memory_says_what_a_checkpoint_needs() {
    let folder = TestFolder::new();
    let (file, _) = folder.solve("onitama:3x4:tiger,crab,monkey,crane,dragon", &[]);
    let verify = ["verify", &file, "--memory", "1K"];
    let error = refusal(&verify);
    assert!(error.contains("with --checkpoint DIR it takes"), "{error}");
    let work = folder.path("work");
    let error = refusal(&[&verify[..], &["--checkpoint", &work]].concat());
    assert!(error.contains("it takes at least"), "{error}");
    let (quoridor, _) = folder.solve("quoridor:4x4:1", &[]);
    let error = refusal(&["verify", &quoridor, "--memory", "1K"]);
    assert!(error.contains("it takes at least"), "{error}");
}
