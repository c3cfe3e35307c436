//! Tables of reachable positions with right checksums, in which a key is that of no position.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;

use hindsight_core::{Game, Notation, Packed, Symmetry, Value};
use hindsight_engine::keys::CodedPositions;
use hindsight_engine::{Limits, NoMonitor, Store};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::graph;
use hindsight_tablebase::{CheckpointDir, Layout, ReachableLayer};

use crate::harness::{TestFolder, answer, refusal, run_with_code};

/// Writes a table in which all bits of the key of some win in one ply are inverted.
fn forge(spec: &str, path: &str) {
    let game = by_name(spec, &Setup { symmetry: Symmetry::All, ..Setup::default() }).expect(spec);
    let limits = Limits { memory: 1 << 30, time: None };
    let solved = graph::solve(&game, limits, &mut NoMonitor).expect("a small game");
    let forged = (0..solved.len()).find(|&number| solved.value(number) == Value::Win(1));
    let values: BTreeSet<Value> = (0..solved.len()).map(|number| solved.value(number)).collect();
    let palette: Vec<Option<Value>> = values.into_iter().map(Some).collect();
    let get = |number: usize| {
        let mut position = solved.position(number).expect("a position");
        if Some(number) == forged {
            let mut words = *position.as_words();
            words[..game.words()].iter_mut().for_each(|word| *word = !*word);
            position = Packed::new(words);
            assert!(!game.is_position(position), "{spec}");
        }
        let value = Some(solved.value(number));
        let code = palette.iter().position(|&known| known == value).expect("a known value");
        (position, code as u8)
    };
    let positions = CodedPositions { len: solved.len(), get: &get };
    let sorted = ReachableLayer::new(&game, &positions, palette.clone());
    let folder = tempfile::tempdir().expect("a folder");
    let work = folder.path().join("work");
    let work = CheckpointDir::create(&work, &game.table_spec(), Layout::Full).expect("a folder");
    work.layer_store(&sorted.game).put(&sorted.layer, &mut || Ok(())).expect("a layer");
    let mut file = File::create(Path::new(path)).expect("a file");
    work.finish_reachable(&mut file, &sorted, Symmetry::All).expect("a table");
}

#[test]
fn keys_of_no_position_are_damage() {
    let folder = TestFolder::new();
    for spec in [
        "onitama:3x3:boar",
        "ostle:3x3:2:1",
        "quoridor:3x3:1",
        "tic-tac-toe",
        "dodgem:3x3",
        "l-game",
        "four:4x3:3",
        "quixo:3x3",
    ] {
        let file = folder.path("forged.table");
        forge(spec, &file);
        let calls: [&[&str]; 3] = [
            &["export", &file, "--out", "never.csv"],
            &["compare", &file, &file],
            &["puzzles", &file],
        ];
        for call in calls {
            let message = refusal(call);
            let is_told = message.contains("is damaged: the key of rank ")
                && message.contains(" is that of no position");
            assert!(is_told, "{spec} {call:?}: {message}");
        }
        let (out, _) = run_with_code(1, &["verify", &file]);
        let words: Vec<&str> = out.split_whitespace().collect();
        let is_told = words.join(" ").contains("the key is that of no position");
        assert!(is_told, "{spec}: {out}");
        answer(&["probe", &file]);
        // Calls that read few positions need not meet the key, or may miss a successor's value.
        let calls: [&[&str]; 2] = [
            &["puzzles", &file, "--sample", "1000"],
            &["audit", "random", "--from", "ranks", "-n", "1000", "--table", &file],
        ];
        for call in calls {
            let output = assert_cmd::Command::new(crate::program()).args(call).output();
            let code = output.expect("it runs").status.code();
            assert!(matches!(code, Some(0 | 2)), "{spec} {call:?}: {code:?}");
        }
    }
}
