//! Output files and streams: opened before long work, never over an input, all written or none.

use std::fs;
use std::io::Read;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::harness::{TestFolder, answer, file_names, refusal, run_with_code};

/// Makes a folder with a table, `own.csv`; returns its path too.
fn folder_with_table() -> (TestFolder, String) {
    let folder = TestFolder::new();
    let table = folder.path("own.csv");
    answer(&["solve", "onitama:3x3:boar", "--out", &table, "--quiet"]);
    (folder, table)
}

/// Runs a shell script in a folder; `$H` is the command.
fn shell(folder: &TestFolder, script: &str) -> Output {
    Command::new("bash")
        .current_dir(folder.0.path())
        .args(["-c", script])
        .env("H", assert_cmd::cargo::cargo_bin!("hindsight"))
        .stdin(Stdio::null())
        .output()
        .expect("a shell")
}

/// Runs a shell script and returns its exit code and its standard error.
fn code_and_message(folder: &TestFolder, script: &str) -> (Option<i32>, String) {
    let output = shell(folder, script);
    let message = String::from_utf8(output.stderr).expect("errors are text");
    assert!(!message.contains("panicked"), "{script}: {message}");
    (output.status.code(), message)
}

#[test]
fn messages_that_cannot_be_written_are_dropped() {
    let folder = TestFolder::new();
    for (script, code) in [
        ("$H info nofile 2>/dev/full", 2),
        ("$H solve nonsense 2>/dev/full", 2),
        ("$H --nonsense 2>/dev/full", 2),
        ("$H solve onitama:3x3:boar --out t 2>/dev/full >/dev/null", 0),
        ("$H solve onitama:3x3:boar --out u 2> >(head -c 1 >/dev/null) >/dev/null", 0),
        ("printf 'nonsense\\nquit\\n' | $H play tic-tac-toe --json 2>/dev/full >/dev/null", 0),
    ] {
        assert_eq!(code_and_message(&folder, script), (Some(code), String::new()), "{script}");
    }
    assert_eq!(code_and_message(&folder, "$H verify t && $H verify u").0, Some(0));
}

#[test]
fn answers_that_cannot_be_written_are_failures() {
    let folder = TestFolder::new();
    for call in [
        "help solve",
        "--help",
        "--version",
        "games",
        "cards",
        "completions bash",
        "man",
        "solve tic-tac-toe",
        "solve tic-tac-toe --json",
        "probe tic-tac-toe",
        "graph tic-tac-toe --out - --format graphml",
    ] {
        let (code, message) = code_and_message(&folder, &format!("$H {call} >/dev/full"));
        assert_eq!(code, Some(2), "{call}: {message}");
        assert!(message.contains("No space left"), "{call}: {message}");
    }
    // A reader that leaves early is no failure.
    let (code, message) = code_and_message(&folder, "set -o pipefail; $H man | head -1");
    assert_eq!((code, message.as_str()), (Some(0), ""));
}

/// Calls that write a file; `OUT` stands for its name.
const WRITING: [&str; 13] = [
    "solve quoridor:5x5:3 --out OUT",
    "solve onitama:4x4:boar --weak --strategy OUT",
    "reach ostle:4x4:3:1 --out OUT",
    "graph onitama:3x3:boar --out OUT --format dot",
    "export own.csv --out OUT",
    "puzzles own.csv --certificate OUT",
    "match random random -n 1 --game tic-tac-toe --games OUT",
    "match random random -n 1 --game tic-tac-toe --sqlite OUT",
    "tournament random mc:playouts=1 -n 2 --game tic-tac-toe --games OUT",
    "audit random --table own.csv -n 10 --csv OUT",
    "stats own.csv --plot OUT.svg",
    "puzzles own.csv --svg OUT.svg",
    "puzzles own.csv --pdf OUT.pdf",
];

#[test]
fn outputs_that_cannot_be_written_are_refused_at_once() {
    let (folder, _) = folder_with_table();
    let long = "n".repeat(256);
    for call in WRITING {
        let begin = std::time::Instant::now();
        let mut outs = vec!["nowhere/file.csv", &long];
        if !["OUT.svg", "OUT.pdf"].iter().any(|out| call.contains(out)) {
            outs.extend(["newdir/", "."]);
        }
        for out in outs {
            let call = call.replace("OUT", out);
            let (code, message) = code_and_message(&folder, &format!("$H {call} --quiet"));
            assert_eq!(code, Some(2), "{call}: {message}");
            assert_eq!(message.lines().count(), 1, "{call}: {message}");
            assert_eq!(file_names(folder.0.path()), ["own.csv"], "{call}");
        }
        assert!(begin.elapsed().as_secs() < 60, "{call}: before anything long begins");
    }
}

#[test]
fn a_name_as_long_as_the_system_allows_is_written() {
    let folder = TestFolder::new();
    let long = folder.path(&"n".repeat(255));
    answer(&["solve", "tic-tac-toe", "--out", &long, "--quiet"]);
    answer(&["verify", &long]);
    assert_eq!(file_names(folder.0.path()).len(), 1);
}

#[test]
fn no_output_is_an_input() {
    let (folder, table) = folder_with_table();
    symlink("own.csv", folder.0.path().join("link.csv")).expect("a link");
    fs::hard_link(&table, folder.0.path().join("hard.csv")).expect("a link");
    let deck = "[[card]]\nname = \"wolf\"\noffsets = [[0, 1], [1, 0], [-1, 0]]\n";
    fs::write(folder.path("d.toml"), deck).expect("a deck");
    let whole = fs::read(&table).expect("the table");
    for out in ["own.csv", "./own.csv", "link.csv", "hard.csv"] {
        for call in [
            "export own.csv --out OUT",
            "match perfect random -n 1 --table own.csv --games OUT",
            "match perfect random -n 1 --table own.csv --sqlite OUT",
            "tournament perfect random -n 2 --table own.csv --games OUT",
            "audit random --table own.csv -n 10 --csv OUT",
            "puzzles own.csv --certificate OUT",
            "match random random -n 1 --game tic-tac-toe --games OUT --sqlite own.csv",
        ] {
            let call = call.replace("OUT", out);
            let (code, message) = code_and_message(&folder, &format!("$H {call} --force"));
            assert_eq!(code, Some(2), "{call}: {message}");
            assert!(message.contains("the same file"), "{call}: {message}");
            assert!(fs::read(&table).expect("the table") == whole, "{call}");
        }
    }
    for call in [
        "solve onitama:3x3:wolf:deck=d.toml --out d.toml",
        "solve onitama:3x3:wolf:deck=d.toml --weak --strategy d.toml",
        "graph onitama:2x3:wolf:deck=d.toml --format dot --out d.toml",
        "puzzles onitama:3x3:wolf:deck=d.toml --certificate d.toml",
        "match random random -n 1 --game onitama:3x3:wolf:deck=d.toml --games d.toml",
    ] {
        let (code, message) = code_and_message(&folder, &format!("$H {call} --force"));
        assert_eq!(code, Some(2), "{call}: {message}");
        assert_eq!(fs::read_to_string(folder.path("d.toml")).expect("the deck"), deck);
    }
    let script = "printf 'save own.csv\\nquit\\n' | $H play --table own.csv --agent random --force";
    let output = shell(&folder, script);
    assert!(String::from_utf8_lossy(&output.stdout).contains("the same file"));
    assert!(fs::read(&table).expect("the table") == whole);
    let (code, message) = code_and_message(
        &folder,
        "$H solve tic-tac-toe --checkpoint ck --quiet >/dev/null; \
         $H solve tic-tac-toe --checkpoint ck --resume --out ck/layer-000000.part --force",
    );
    assert!(code == Some(2) && message.contains("a file of the checkpoint"), "{message}");
}

#[test]
fn force_replaces_what_was_there_and_links_stay_links() {
    let (folder, table) = folder_with_table();
    let (real, link) = (folder.path("real.csv"), folder.path("link.csv"));
    fs::write(&real, "old").expect("a file");
    symlink("real.csv", &link).expect("a link");
    assert!(refusal(&["export", &table, "--out", &link]).contains("--force"));
    assert_eq!(fs::read(&real).expect("the file"), b"old");
    answer(&["export", &table, "--out", &link, "--force"]);
    assert!(fs::symlink_metadata(&link).expect("a link").is_symlink());
    assert!(fs::read_to_string(&real).expect("the file").starts_with("tier,"));
    assert_eq!(file_names(folder.0.path()), ["link.csv", "own.csv", "real.csv"]);
}

#[test]
fn files_of_others_are_never_overwritten_or_deleted() {
    let folder = TestFolder::new();
    for name in ["notes.tmp", "layer-000000.tmp", "t.tmp", "checkpoint.tmp"] {
        fs::write(folder.path(name), name).expect("a file");
    }
    symlink("notes.tmp", folder.path("layer-000001.tmp")).expect("a link");
    let solve = "$H solve quoridor:3x3:1 --out t --checkpoint . --quiet";
    assert_eq!(code_and_message(&folder, solve).0, Some(0));
    assert_eq!(code_and_message(&folder, &format!("{solve} --resume --force")).0, Some(0));
    for name in ["notes.tmp", "layer-000000.tmp", "t.tmp", "checkpoint.tmp"] {
        assert_eq!(fs::read_to_string(folder.path(name)).expect("the file"), name);
    }
    assert!(fs::symlink_metadata(folder.path("layer-000001.tmp")).expect("a link").is_symlink());
    // The folder has a file with a name of a checkpoint, but no checkpoint.
    fs::create_dir(folder.path("other")).expect("a folder");
    fs::write(folder.path("other/layer-000000.part"), "mine").expect("a file");
    let (code, message) =
        code_and_message(&folder, "$H solve quoridor:3x3:1 --checkpoint other --quiet");
    assert!(code == Some(2) && message.contains("other/layer-000000.part"), "{message}");
    let kept = fs::read(folder.path("other/layer-000000.part")).expect("the file");
    assert_eq!(kept, b"mine");
}

#[test]
fn streams_are_outputs() {
    let (folder, table) = folder_with_table();
    let file = folder.path("all.csv");
    answer(&["export", &table, "--out", &file]);
    let whole = fs::read(&file).expect("the file");
    for script in [
        "$H export own.csv --out -",
        "$H export own.csv --out /dev/stdout",
        "$H export own.csv --out - | cat",
        "$H export own.csv --out >(cat >piped.csv) >/dev/null; sleep 1; cat piped.csv",
        "mkfifo p; cat p & $H export own.csv --out p >/dev/null; wait",
    ] {
        let output = shell(&folder, script);
        assert!(output.status.success(), "{script}: {output:?}");
        assert!(output.stdout == whole, "{script}: {output:?}");
    }
    let dot = shell(&folder, "$H graph tic-tac-toe --out - --format graphml").stdout;
    assert!(String::from_utf8_lossy(&dot).ends_with("</graphml>\n"));
    for script in [
        "mkfifo g; cat g & $H match random random -n 3 --game tic-tac-toe --games g >/dev/null; \
         wait",
        "mkfifo s; cat s & $H solve onitama:3x3:boar --weak --strategy s >/dev/null; wait",
        "mkfifo c; cat c & $H puzzles own.csv --certificate c >/dev/null; wait",
    ] {
        let output = shell(&folder, script);
        assert!(output.status.success(), "{script}: {output:?}");
        assert!(output.stdout.len() > 100, "{script}: {output:?}");
    }
}

#[test]
fn a_report_and_a_file_never_share_a_stream() {
    let (folder, _) = folder_with_table();
    for call in [
        "export own.csv --out - --json",
        "graph tic-tac-toe --format dot --out - --json",
        "graph tic-tac-toe --format csv --out -",
        "match random random -n 1 --game tic-tac-toe --games -",
        "match random random -n 1 --game tic-tac-toe --games /dev/stdout",
        "puzzles own.csv --certificate -",
        "solve onitama:3x3:boar --weak --strategy /dev/stdout",
        "solve onitama:3x3:boar --out -",
        "solve onitama:3x3:boar --out /dev/stdout",
        "audit random --table own.csv -n 10 --csv -",
    ] {
        for end in ["", " | cat", " >into"] {
            let script = format!("set -o pipefail; $H {call}{end}");
            let output = shell(&folder, &script);
            let message = String::from_utf8(output.stderr).expect("errors are text");
            assert_eq!(output.status.code(), Some(2), "{script}: {message}");
            assert_eq!(message.lines().count(), 1, "{script}: {message}");
            assert!(!message.contains("link to nothing"), "{script}: {message}");
            assert!(output.stdout.is_empty(), "{script}");
        }
    }
    assert!(refusal(&["graph", "tic-tac-toe", "--out", "-"]).contains("--format dot"));
}

#[test]
fn files_that_belong_together_are_all_written_or_none() {
    let (folder, _) = folder_with_table();
    answer(&["solve", "onitama:3x4:boar", "--out", &folder.path("t"), "--quiet"]);
    let sheets = "$H puzzles t --svg s.svg --certificate c.json --quiet";
    assert_eq!(code_and_message(&folder, sheets).0, Some(0));
    let lengths = ["s.svg", "s-solutions.svg", "c.json"];
    let lengths = lengths.map(|name| fs::metadata(folder.path(name)).expect("a file").len());
    for name in ["s.svg", "s-solutions.svg", "c.json"] {
        fs::remove_file(folder.path(name)).expect("a file");
    }
    // The longest file has no room.
    let most = lengths.iter().max().expect("lengths") / 512;
    let limited = format!("ulimit -f {}; {sheets}", most * 512 / 1024);
    let (code, message) = code_and_message(&folder, &limited);
    assert_eq!(code, Some(2), "{message}");
    assert!(message.contains("File too large"), "{message}");
    assert_eq!(file_names(folder.0.path()), ["own.csv", "t"], "{message}");
}

#[test]
fn a_full_disk_names_the_file() {
    let (folder, _) = folder_with_table();
    for call in [
        "export own.csv --out OUT",
        "graph onitama:3x3:boar --format graphml --out OUT",
        "puzzles own.csv --certificate OUT",
        "solve onitama:3x3:boar --weak --strategy OUT",
        "match random random -n 30 --game onitama:5x5:boar --games OUT",
        "audit random --table own.csv -n 10 --csv OUT",
    ] {
        let script = format!("$H {} --quiet >/dev/null", call.replace("OUT", "/dev/full"));
        let (code, message) = code_and_message(&folder, &script);
        assert_eq!(code, Some(2), "{call}: {message}");
        assert_eq!(message.lines().count(), 1, "{call}: {message}");
        let reports = message.matches("cannot write '/dev/full'").count();
        assert!(reports == 1 && message.contains("No space left"), "{call}: {message}");
    }
}

#[test]
fn games_are_in_their_file_only_if_some_were_played() {
    let folder = TestFolder::new();
    let games = folder.path("g.jsonl");
    let call = ["match", "perfect", "random", "--game", "quoridor:9x9:10", "--memory", "20M"];
    run_with_code(2, &[&call[..], &["--games", &games]].concat());
    assert!(!Path::new(&games).exists());
    fs::write(&games, "old\n").expect("a file");
    run_with_code(2, &[&call[..], &["--games", &games, "--force"]].concat());
    assert_eq!(fs::read(&games).expect("the file"), b"old\n");
    let played = ["match", "random", "random", "-n", "2", "--game", "tic-tac-toe", "--games"];
    answer(&[&played[..], &[&games, "--force"]].concat());
    assert_eq!(fs::read_to_string(&games).expect("the file").lines().count(), 2);
}

#[test]
fn new_files_have_the_permissions_of_new_files() {
    let (folder, _) = folder_with_table();
    let script = "umask 022; $H export own.csv --out n.csv >/dev/null; stat -c %a n.csv own.csv";
    let output = shell(&folder, script);
    let mut text = String::new();
    output.stdout.as_slice().read_to_string(&mut text).expect("text");
    assert!(text.starts_with("644\n"), "{text}");
}

#[test]
fn what_a_killed_run_has_left_is_named_and_kept() {
    let folder = TestFolder::new();
    let left = ["t.abc123.partial", ".hindsight-abc123.layers"];
    let others = ["t.partial", "t.abc123.partial.txt", "s.abc123.partial"];
    for name in [&left[..1], &others].concat() {
        fs::write(folder.path(name), "half").expect("a file");
    }
    let layers = folder.0.path().join(left[1]);
    fs::create_dir(&layers).expect("a folder");
    for name in ["checkpoint", "hindsight.lock"] {
        fs::write(layers.join(name), "half").expect("a file");
    }
    let at_work = fs::File::create(folder.path("t.def456.partial")).expect("a file");
    at_work.lock().expect("a lock");
    let solve = "$H solve quoridor:3x3:1 --out t --quiet";
    let (code, message) = code_and_message(&folder, solve);
    assert_eq!(code, Some(0), "{message}");
    let lines: Vec<&str> = message.lines().collect();
    assert_eq!(lines.len(), 2, "{message}");
    for (line, name) in lines.iter().zip(left) {
        let named = line.contains(&format!("{name}' was left by a run that was killed"));
        assert!(named, "{message}");
        assert!(folder.0.path().join(name).exists());
    }
}
