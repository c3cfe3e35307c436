//! Forged files: their checksums are right, if they have any, but their contents are wrong.

use std::fs::{self, File};

use crate::harness::{TestFolder, program_mebibytes, refusal, run_with_code, run_with_input};

/// Returns the path of a forged table of tic-tac-toe.
fn forged_table(name: &str) -> String {
    format!("{}/tests/all/faults/{name}.table", env!("CARGO_MANIFEST_DIR"))
}

/// Checks that every command refuses a table in one line, and that `verify` describes its fault.
fn assert_damaged_everywhere(file: &str, fault: &str) {
    let calls: [&[&str]; 9] = [
        &["info", file],
        &["stats", file],
        &["probe", file],
        &["line", file],
        &["export", file, "--out", "never.csv"],
        &["compare", file, file],
        &["puzzles", file, "--sample", "300"],
        &["audit", "random", "--from", "ranks", "-n", "40", "--table", file],
        &["play", "--table", file],
    ];
    for call in calls {
        let message = refusal(call);
        assert!(message.contains("is damaged: ") && message.contains(fault), "{call:?}: {message}");
        assert_eq!(message.lines().count(), 1, "{call:?}: {message}");
    }
    let (out, _) = run_with_code(1, &["verify", file]);
    assert!(out.contains("1 fault") && out.contains(fault), "{out}");
}

#[test]
fn a_loss_of_more_plies_than_can_be_played_on_from_is_damage() {
    assert_damaged_everywhere(&forged_table("long-loss"), "more than 65,534 plies");
}

#[test]
fn ranks_that_the_game_does_not_have_are_damage() {
    assert_damaged_everywhere(&forged_table("many-ranks"), "");
}

#[test]
fn models_larger_than_their_layer_are_not_decoded() {
    let file = forged_table("large-models");
    for memory in ["10M", "1G", &format!("{}M", program_mebibytes() + 8.0)] {
        let (out, _) = run_with_code(1, &["verify", &file, "--memory", memory, "--threads", "1"]);
        assert!(out.contains("fault"), "{out}");
    }
}

/// Replaces a text in the header of a table by one of as many bytes, and makes its checksum right.
fn with_header_text(table: &[u8], old: &str, new: &str) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let mut forged = table.to_vec();
    let length = u64::from_le_bytes(forged[12..20].try_into().expect("8 bytes"));
    let end = 20 + usize::try_from(length).expect("a length");
    let at = forged[..end].windows(old.len()).position(|part| part == old.as_bytes());
    let at = at.expect("the text");
    forged[at..at + old.len()].copy_from_slice(new.as_bytes());
    let checksum = crc32fast::hash(&forged[..end]).to_le_bytes();
    forged[end..end + 4].copy_from_slice(&checksum);
    forged
}

#[test]
fn names_of_layers_are_compared_and_shown_as_escapes() {
    let folder = TestFolder::new();
    let file = folder.path("honest.table");
    run_with_code(0, &["solve", "tic-tac-toe", "--out", &file, "--quiet"]);
    let honest = fs::read(&file).expect("a table");
    let name = "7 stones";
    assert_eq!(with_header_text(&honest, name, name), honest, "the checksum is of the header");
    let other_name = "layer 2: the header has another name";
    let control = "a text with a control character";
    for (new, fault) in
        [("8 stones", other_name), ("\u{1b}[31mRED", control), ("7 sto\u{9b}1", control)]
    {
        let file = folder.path(&format!("{}.table", new.escape_default()));
        fs::write(&file, with_header_text(&honest, name, new)).expect("a table");
        assert_damaged_everywhere(&file, fault);
    }
    let file = folder.path("spec.table");
    let spec = "tic\u{1b}[31mtoe";
    fs::write(&file, with_header_text(&honest, "tic-tac-toe", spec)).expect("a table");
    let message = refusal(&["info", &file]);
    assert!(message.contains("is damaged") && !message.contains('\u{1b}'), "{message}");
    let (out, _) = run_with_code(1, &["verify", &file]);
    assert!(!out.contains('\u{1b}'), "{out}");
}

/// Before their size was limited, the models of this table took 743 MiB.
#[cfg(target_os = "linux")]
#[test]
fn a_table_of_large_models_takes_little_memory() {
    let memory = program_mebibytes() + 6.0;
    let call =
        format!("ulimit -v 400000 && exec \"$0\" verify \"$1\" --threads 1 --memory {memory}M");
    let output = std::process::Command::new("sh")
        .args(["-c", &call, env!("CARGO_BIN_EXE_hindsight"), &forged_table("large-models")])
        .output()
        .expect("a shell");
    let message = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains("fault"), "{message}");
}

/// The header of a sparse file claims 64 GiB, of which no byte is on the disk.
#[cfg(target_os = "linux")]
#[test]
fn lengths_that_only_a_sparse_file_has_take_no_memory() {
    const HEADER_LEN: u64 = 1 << 36;
    let folder = TestFolder::new();
    let (file, _) = folder.solve("tic-tac-toe", &[]);
    let mut bytes = fs::read(&file).expect("a table");
    bytes[12..20].copy_from_slice(&HEADER_LEN.to_le_bytes());
    let sparse = folder.path("sparse.table");
    fs::write(&sparse, &bytes).expect("a file");
    let opened = File::options().write(true).open(&sparse).expect("a file");
    opened.set_len(2 * HEADER_LEN).expect("a sparse file");
    assert!(refusal(&["info", &sparse]).contains("is damaged: the header is longer than any"));
    assert!(run_with_code(1, &["verify", &sparse]).0.contains("1 fault"));
}

#[test]
fn control_characters_of_files_are_not_shown() {
    let folder = TestFolder::new();
    let games = folder.path("games.jsonl");
    for (agent, ending) in [("random\\u001b[2J", "win"), ("random", "win\\u009b2J")] {
        let line = format!(
            "{{\"game\":\"tic-tac-toe\",\"number\":0,\"agents\":[\"human\",\"{agent}\"],\
             \"first\":0,\"moves\":[],\"winner\":null,\"ending\":\"{ending}\",\
             \"work\":[0,0],\"seconds\":[0,0]}}\n"
        );
        fs::write(&games, line).expect("a file");
        let message = refusal(&["play", "--load", &games]);
        assert!(
            message.contains("line 1 is no game: a text in it has a control character"),
            "{message}"
        );
        assert!(!message.trim_end().contains(char::is_control), "{message:?}");
    }
    fs::write(&games, "{\"\\u001b[2J\":1}\n").expect("a file");
    let message = run_with_input(2, &["play", "--load", &games], "").1;
    assert!(!message.trim_end().contains(char::is_control), "{message:?}");
    let work = folder.path("work");
    fs::create_dir(&work).expect("a folder");
    let manifest = "hindsight checkpoint\nformat 5\nlayout full\nspec tic-tac-toe\u{1b}[2J\n";
    fs::write(format!("{work}/checkpoint"), manifest).expect("a file");
    let out = folder.path("out.table");
    let call = ["solve", "tic-tac-toe", "--out", &out, "--checkpoint", &work, "--resume"];
    let message = refusal(&[&call[..], &["--quiet"]].concat());
    assert!(message.contains("not a manifest"), "{message}");
    assert!(!message.trim_end().contains(char::is_control), "{message:?}");
}
