//! Tables of states: games in which a move may be forbidden.

use std::collections::BTreeMap;
use std::fs;

use hindsight_core::{Notation, PackedGame, States, Tiers};
use hindsight_engine::{Limits, NoMonitor};
use hindsight_rules::ostle::OstleSetup;
use hindsight_rules::{Setup, by_name};
use hindsight_solve::forbidden_move::{self, SolvedStateTier};
use hindsight_tablebase::{CheckpointDir, Layout};
use serde_json::{Value, json};

use crate::files::tables::csv_rows;
use crate::harness::{TestFolder, answer, json, refusal, run_with_code};

const GAMES: [&str; 3] = ["ostle:3x3:2:1", "ostle:3x3:3:1", "ostle:3x3:3:0:rule8=paper"];

#[test]
fn info_and_stats_agree_with_solve() {
    let folder = TestFolder::new();
    for spec in GAMES {
        let (file, solved) = folder.solve(spec, &[]);
        assert_eq!(solved["table"]["layout"], "states");
        assert_eq!(solved["table"]["bytes"], fs::metadata(&file).unwrap().len());
        let info = json(&["info", &file]);
        for key in ["game", "start", "positions", "states", "wins", "losses", "draws", "signature"]
        {
            assert_eq!(info[key], solved[key], "{spec} {key}");
        }
        assert_eq!(info["layout"], "states");
        let stats = json(&["stats", &file]);
        let total = &stats["total"];
        assert_eq!(total["state_histogram"], solved["histogram"], "{spec}");
        for key in ["positions", "states", "wins", "losses", "draws"] {
            assert_eq!(total[key], solved[key], "{spec} {key}");
        }
        assert_eq!(total["all_states"], info["all_states"]);
        let rows = csv_rows(answer(&["stats", &file, "--format", "csv"]).as_bytes());
        let sum = |column: &str| -> u64 {
            let numbers = rows.iter().map(|row| row[column].parse::<u64>().unwrap());
            numbers.sum()
        };
        assert_eq!(json!(sum("positions")), solved["positions"]);
        assert_eq!(json!(sum("states")), solved["states"]);
        assert_eq!(json!(sum("all_states")), info["all_states"]);
        assert!(answer(&["info", &file]).contains("with those that win at once"));
        assert!(answer(&["stats", &file]).contains("States by plies to the end"));
    }
    let (text, _) = run_with_code(0, &["solve", GAMES[0], "--out", &folder.path("again")]);
    assert!(text.contains("layout states") && text.contains("all states"), "{text}");
}

#[test]
fn a_probe_agrees_with_the_state_graph() {
    let folder = TestFolder::new();
    for spec in GAMES {
        let (file, _) = folder.solve(spec, &[]);
        assert_eq!(json(&["probe", &file]), json(&["probe", spec]), "{spec}");
        let out = folder.path("rows.csv");
        json(&["export", &file, "--out", &out, "--force"]);
        let rows = csv_rows(&fs::read(&out).unwrap());
        let forbidding = rows.windows(2).filter(|two| two[0]["rank"] == two[1]["rank"]);
        let forbidding: Vec<&BTreeMap<String, String>> = forbidding.map(|two| &two[1]).collect();
        assert!(forbidding.len() > 10, "{spec}: {}", forbidding.len());
        let some = rows.iter().step_by(rows.len() / 5);
        for row in some.chain(forbidding.into_iter().step_by(97)) {
            let position = row["position"].as_str();
            let probed = json(&["probe", &file, position]);
            assert_eq!(probed, json(&["probe", spec, position]), "{spec} {position}");
            assert_eq!(probed["value"], row["value"]);
            let plies = probed["remoteness"].as_u64().map_or(String::new(), |n| n.to_string());
            assert_eq!(plies, row["remoteness"]);
        }
    }
}

#[test]
fn a_line_goes_to_the_end() {
    let folder = TestFolder::new();
    for spec in GAMES {
        let (file, solved) = folder.solve(spec, &[]);
        let line = json(&["line", &file]);
        assert_eq!(line["value"], solved["start"]["value"]);
        assert_eq!(line["remoteness"], solved["start"]["remoteness"]);
        if let Some(plies) = line["remoteness"].as_u64() {
            assert_eq!(line["line"].as_array().unwrap().len() as u64, plies);
        }
        // A line may begin at a later state, which has a forbidden move.
        let ply = &line["line"][1];
        let from = ply["position"].as_str().unwrap();
        assert_eq!(json(&["line", &file, from])["line"][0]["move"], ply["move"]);
    }
}

#[test]
fn rows_are_positions_and_what_a_forbidden_move_changes() {
    let folder = TestFolder::new();
    let (file, solved) = folder.solve(GAMES[1], &[]);
    let out = folder.path("all.csv");
    let report = json(&["export", &file, "--out", &out]);
    let rows = csv_rows(&fs::read(&out).unwrap());
    assert_eq!(json!(rows.len()), report["positions"]);
    let mut ranks: Vec<(&str, &str)> =
        rows.iter().map(|row| (row["tier"].as_str(), row["rank"].as_str())).collect();
    ranks.dedup();
    assert_eq!(json!(ranks.len()), solved["positions"]);
    let lost = folder.path("lost.csv");
    json(&["export", &file, "--out", &lost, "--value", "loss", "--remoteness", "2"]);
    let lost = csv_rows(&fs::read(&lost).unwrap());
    let wanted =
        |row: &&BTreeMap<String, String>| row["value"] == "loss" && row["remoteness"] == "2";
    assert_eq!(lost.len(), rows.iter().filter(wanted).count());
    assert!(lost.iter().all(|row| wanted(&row)));
    let few = refusal(&["export", &file, "--out", &out, "--force", "--max-positions", "10"]);
    assert!(few.contains("--max-positions"), "{few}");
}

#[test]
fn a_sound_table_passes_and_a_damaged_one_does_not() {
    let folder = TestFolder::new();
    let (file, solved) = folder.solve(GAMES[1], &[]);
    assert!(answer(&["verify", &file]).contains("no fault"));
    let report = json(&["verify", &file, "--threads", "1"]);
    assert_eq!(report["positions_checked"], solved["positions"]);
    assert!(refusal(&["verify", &file, "--memory", "100"]).contains("it takes at least"));
    let bytes = fs::read(&file).unwrap();
    let bad = folder.path("bad.table");
    for at in (0..bytes.len()).step_by(bytes.len() / 15) {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        fs::write(&bad, &flipped).unwrap();
        let (out, _) = run_with_code(1, &["verify", &bad]);
        assert!(out.contains("fault"), "{at}: {out}");
    }
    fs::write(&bad, &bytes[..bytes.len() / 2]).unwrap();
    assert!(refusal(&["probe", &bad]).contains("bad.table' is damaged"));
}

/// Writes a table of `game` whose last tier has the values of `other`, a game on the same
/// positions.
fn forged(folder: &TestFolder, game: &PackedGame, other: &PackedGame) -> String {
    let work = CheckpointDir::create(folder.path("work").as_ref(), &game.spec(), Layout::States);
    let work = work.expect("a folder");
    let last = game.base().layers() - 1;
    for source in [game, other] {
        let put = &mut |mut tier: SolvedStateTier| {
            if source.spec() != game.spec() {
                (tier.layer, tier.tier) = (last, u64::from(last));
            } else if tier.layer == last {
                return;
            }
            work.put_states(game, &tier, u64::MAX).expect("a tier is kept");
        };
        forbidden_move::solve(source, Limits::default(), &mut NoMonitor, put)
            .expect("a small game");
    }
    let file = folder.path("forged.table");
    work.finish_to(file.as_ref()).expect("a table");
    file
}

#[test]
fn tables_are_compared_and_wrong_values_found() {
    let folder = TestFolder::new();
    let (file, solved) = folder.solve("ostle:3x3:2:0", &[]);
    let same = json(&["compare", &file, &file]);
    assert_eq!((&same["different"], &same["same_bytes"]), (&json!(0), &json!(true)));
    assert_eq!(same["positions_compared"], solved["positions"]);
    let other = folder.solve(GAMES[0], &[]).0;
    assert!(refusal(&["compare", &file, &other]).contains("different games"));

    let game = |lost_at| {
        let spec = OstleSetup::new(3, 2, lost_at).spec();
        by_name(&spec, &Setup::default()).expect("a game")
    };
    let forged = forged(&folder, &game(0), &game(1));
    let (out, _) = run_with_code(1, &["compare", &file, &forged, "--json"]);
    let report: Value = serde_json::from_str(&out).expect("JSON");
    let first = &report["differences"][0];
    let position = first["position"].as_str().expect("a state");
    let ours = json(&["probe", &file, position]);
    assert_eq!(first["values"][0]["value"], ours["value"], "{first}");
    assert_eq!(first["values"][0]["remoteness"], ours["remoteness"], "{first}");
    assert_ne!(first["values"][0], first["values"][1]);
    let (out, _) = run_with_code(1, &["verify", &forged]);
    assert!(out.contains("the successors make it"), "{out}");
}

#[test]
fn options_for_other_games_are_refused() {
    let folder = TestFolder::new();
    let out = folder.path("out.table");
    for layout in ["full", "compact"] {
        let error = refusal(&["solve", GAMES[0], "--out", &out, "--layout", layout]);
        assert!(error.contains("'states'"), "{error}");
    }
    answer(&["solve", GAMES[0], "--out", &out, "--layout", "states", "--quiet"]);
    let again = refusal(&["solve", GAMES[0], "--out", &out]);
    assert!(again.contains("--force"), "{again}");
    let error =
        refusal(&["solve", "quoridor:3x3:1", "--out", &folder.path("q"), "--layout", "states"]);
    assert!(error.contains("'full', 'compact' or 'wdl'"), "{error}");
    let left: Vec<_> = fs::read_dir(folder.0.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "{left:?}");
}
