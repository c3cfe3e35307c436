//! Games of your own whose positions have ranks: every position, tables and checkpoints.

#[path = "../../../foreign/tests/chase/mod.rs"]
#[expect(dead_code, reason = "its faults are tested beside it")]
mod chase;

use std::collections::HashMap;
use std::sync::Arc;

use hindsight_core::{Game, Notation, Packed, PackedGame, Symmetry, Value};
use hindsight_foreign::{Turns, foreign_game};
use hindsight_games::{AnyGame, Method, Options};
use hindsight_testkit::every_position;
use serde_json::json;

use self::chase::{Broken, Chase};
use super::own_games::{compile, example};
use crate::harness::{TestFolder, file_names, json as answer_json, refusal};

/// Values of all positions with a rank: rounds over all of them, until nothing changes.
fn slow_values(game: &PackedGame) -> HashMap<Packed, Value> {
    let positions = every_position(game);
    let mut values: HashMap<Packed, Value> = HashMap::new();
    let known = |values: &HashMap<Packed, Value>, position: Packed| {
        let terminal = game.terminal(position).map(Value::terminal);
        terminal.or_else(|| values.get(&game.canonical(position)).copied())
    };
    for plies in 0.. {
        let found: Vec<(Packed, Value)> = positions
            .iter()
            .filter(|position| !values.contains_key(position))
            .filter_map(|&position| {
                let mut next = Vec::new();
                game.successors(position, &mut next);
                let value = known(&values, position).or_else(|| {
                    let after = next.iter().map(|&next| known(&values, next).map(Value::before));
                    let after: Vec<Option<Value>> = after.collect();
                    let best = after.iter().copied().max().flatten();
                    let is_lost = after.iter().all(|value| matches!(value, Some(Value::Loss(_))));
                    best.filter(|best| matches!(best, Value::Win(_)) || is_lost)
                })?;
                (value.remoteness() == Some(plies) || value == Value::Draw)
                    .then_some((position, value))
            })
            .collect();
        if found.is_empty() && plies > 3 {
            break;
        }
        values.extend(found);
    }
    positions.iter().map(|&p| (p, values.get(&p).copied().unwrap_or(Value::Draw))).collect()
}

#[test]
fn every_position_has_the_value_of_a_slow_solve() {
    for turns in [Turns::Alternate, Turns::Told] {
        let rules = foreign_game(Arc::new(Chase::new(turns, Broken::Nothing)), Symmetry::None);
        let game = AnyGame::from(rules.clone());
        let solved = game.solve(Method::Tiered, &Options::default()).expect("values");
        let values = slow_values(&rules);
        assert_eq!(solved.summary().positions, values.len() as u64);
        for (position, value) in values {
            let text = rules.format(position);
            let found = solved.values().probe(&game.parse(&text).expect("a position"));
            assert_eq!(found.expect("a value").exact(), Some(value), "{turns:?} {text}");
        }
    }
}

/// Morris with three men a side on nine points, as `examples/morris.c` has it.
fn morris(folder: &TestFolder) -> String {
    format!("cmd:{} 9", compile(folder, "morris", &example("morris.c")))
}

#[test]
fn a_table_is_that_of_its_rules() {
    let folder = TestFolder::new();
    let (spec, table) = (morris(&folder), folder.path("m.table"));
    let solved = answer_json(&["solve", &spec, "--out", &table, "--quiet"]);
    // Counted by a program of its own, which looks at every position until nothing changes.
    let row = |value: &str, plies: Option<u16>, positions: u64| json!({ "value": value, "remoteness": plies, "positions": positions });
    let rows = [
        row("win", Some(1), 1104),
        row("loss", Some(2), 116),
        row("win", Some(3), 188),
        row("loss", Some(4), 4),
        row("draw", None, 268),
    ];
    assert_eq!(solved["histogram"], json!(rows));
    assert_eq!((&solved["positions"], &solved["draws"]), (&json!(1680), &json!(268)));
    let of_table = |args: &[&str]| answer_json(&[args, &["--rules", &spec, "--quiet"]].concat());
    let stats = of_table(&["stats", &table]);
    let verified = of_table(&["verify", &table]);
    assert_eq!((&verified["faults"], &verified["game"]), (&json!([]), &stats["game"]));
    assert_eq!(of_table(&["compare", &table, &table])["game"], stats["game"]);
    assert!(stats["game"].as_str().is_some_and(|game| game.starts_with("rules:morris 9 ")));
    let probed = of_table(&["probe", &table, "00000e000070"]);
    assert_eq!(probed["position"], "00000e000070 first");
    let rows = folder.path("rows.csv");
    of_table(&["export", &table, "--out", &rows]);
    assert_eq!(std::fs::read_to_string(&rows).expect("rows").lines().count(), 1681);
    assert!(of_table(&["puzzles", &table, "--count", "2"])["puzzles"].is_array());
    let audited = of_table(&["audit", "mcts:playouts=20", "--table", &table, "--positions", "20"]);
    assert!(audited["positions"].is_u64(), "{audited}");
    assert_eq!(audited["game"], stats["game"]);
    let line = of_table(&["line", &table]);
    assert_eq!(line["game"], spec);
    for command in ["solve", "analyse"] {
        let value = of_table(&[command, &spec, "00000e000070"]);
        let value = if command == "solve" { &value["start"]["value"] } else { &value["value"] };
        assert_eq!(*value, probed["value"], "{command}");
    }
}

#[test]
fn a_table_starts_no_program_and_refuses_other_rules() {
    let folder = TestFolder::new();
    let (spec, table) = (morris(&folder), folder.path("m.table"));
    answer_json(&["solve", &spec, "--out", &table, "--quiet"]);
    let text = refusal(&["probe", &table]);
    assert!(text.contains("name its rules, by --rules cmd:PROGRAM"), "{text}");
    let copy = folder.path("copy");
    std::fs::copy(folder.path("morris"), &copy).expect("a copy");
    let moved = format!("cmd:{copy} 9");
    assert_eq!(answer_json(&["line", &table, "--rules", &moved, "--quiet"])["game"], moved);
    let text = refusal(&["probe", &table, "--rules", &format!("cmd:{copy} 24")]);
    assert!(text.contains("name its rules"), "{text}");
    let changed = example("morris.c").replace("abc def ghi adg", "abc def adg");
    let other = format!("cmd:{} 9", compile(&folder, "other", &changed));
    let text = refusal(&["probe", &table, "--rules", &other]);
    assert!(text.contains("the rules that are named are 'morris 9 "), "{text}");
    let text = refusal(&["serve", &table]);
    assert!(text.contains("name its rules"), "{text}");
}

/// Writes a heap of ten stones whose ranks are the stones left. `act` is done instead of the answer
/// to `rank` or `unrank`.
fn ranked_heap(folder: &TestFolder, tiers: &str, word: &str, act: &str) -> String {
    let rank = "for p in $rest; do echo 0 $((16#$p)); done; echo end";
    let unrank = "set -- $rest; shift; for r; do printf '%02x\\n' $r; done; echo end";
    let [rank, unrank] = [("rank", rank), ("unrank", unrank)]
        .map(|(own, lines)| if own == word { act } else { lines });
    let script = format!(
        "while read -r word rest; do case $word in\n\
         rules) printf 'rules 1 heap\\nbytes 1\\nturns alternate\\nstart 0a\\n{tiers}\\n'\n\
         echo ready;;\n\
         expand) for p in $rest; do case $p in 00) echo loss;; 01) echo 00;;\n\
         *) printf '%02x %02x\\n' $((16#$p - 1)) $((16#$p - 2));; esac; done; echo end;;\n\
         rank) {rank};;\nunrank) {unrank};;\nesac; done\n"
    );
    let path = folder.path("heap.bash");
    std::fs::write(&path, script).expect("a file");
    format!("cmd:bash '{path}'")
}

#[test]
fn faults_of_ranks_are_sentences_and_nothing_is_written() {
    let folder = TestFolder::new();
    let table = folder.path("h.table");
    let sound = ranked_heap(&folder, "tiers 11", "", "");
    let solved = answer_json(&["solve", &sound, "--out", &table, "--quiet"]);
    assert_eq!((&solved["positions"], &solved["losses"]), (&json!(11), &json!(4)));
    std::fs::remove_file(&table).expect("a table");
    for (tiers, word, act, reason) in [
        ("tiers 11", "rank", "echo 7; echo end", "'7' is neither a tier and a rank nor -"),
        ("tiers 11", "rank", "echo 0 x; echo end", "'0 x' is neither a tier and a rank nor -"),
        ("tiers 11", "rank", "echo end", "'end' comes after 0 of 1 answers"),
        ("tiers 11", "rank", "echo -; echo end", "there is no rank, although the game is not over"),
        ("tiers 11", "rank", "exit 3", "crashed: it ended with exit code 3"),
        ("tiers 11", "unrank", "echo 0; echo end", "'0' is neither a position of 2 hexadecimal"),
        ("tiers 11", "unrank", "echo -; echo end", "a rank has the position that has the rank"),
        ("tiers 11", "unrank", "echo 03; echo end", "a rank has the position that has the rank"),
        ("tiers 5", "", "", "rank 10 of tier 0, which has 5, in the position 0a"),
        ("tiers", "", "", "'tiers' is not one of: rules"),
        ("tiers 0", "", "", "no tier has a rank"),
        ("tiers x", "", "", "is not tiers and the number of ranks of each"),
        ("tiers 4294967296", "", "", "a tier has 4294967295 ranks at most"),
    ] {
        let spec = ranked_heap(&folder, tiers, word, act);
        let text = refusal(&["solve", &spec, "--out", &table, "--quiet"]);
        assert!(text.contains(reason), "{act}: {text}");
        assert_eq!(text.lines().count(), 1, "{text}");
        assert_eq!(file_names(folder.0.path()), ["heap.bash"]);
    }
    let plain = ranked_heap(&folder, "players A B", "", "");
    let kept = ["--checkpoint", &folder.path("ck")];
    for more in [&[][..], &kept, &[&kept[..], &["--resume"]].concat()] {
        let call = [&["solve", &plain, "--out", &table, "--force", "--quiet"], more].concat();
        let solved = answer_json(&call);
        assert_eq!((&solved["positions"], &solved["scope"]), (&json!(11), &json!("reachable")));
    }
    let verdict = answer_json(&["verify", &table, "--rules", &plain]);
    assert_eq!((&verdict["positions_checked"], &verdict["faults"]), (&json!(11), &json!([])));
    let text = refusal(&["probe", &table, "--rules", "tic-tac-toe"]);
    assert!(text.contains("--rules takes the program of a game of yours"), "{text}");
}
