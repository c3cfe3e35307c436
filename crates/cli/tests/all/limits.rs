//! Memory limits: the whole process keeps them, or refuses them at once with the smallest that
//! suffices.
#![cfg(target_os = "linux")]

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use crate::harness::{TestFolder, answer, program_mebibytes};

/// Returns the peak resident bytes of a running process; 0 of one that has ended.
pub(crate) fn peak_bytes_of(process: u32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = line.and_then(|line| line.trim().strip_suffix(" kB"));
    peak.and_then(|peak| peak.parse::<u64>().ok()).unwrap_or(0) << 10
}

/// Returns the peak resident bytes of a call, its exit code, and its standard error.
fn run_watching_memory(folder: &TestFolder, args: &[&str]) -> (u64, Option<i32>, String) {
    let mut child = Command::new(assert_cmd::cargo::cargo_bin!("hindsight"))
        .current_dir(folder.0.path())
        .args(args)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let status = child.id();
    let mut most = 0;
    while child.try_wait().expect("a child").is_none() {
        most = most.max(peak_bytes_of(status));
        sleep(Duration::from_millis(1));
    }
    let output = child.wait_with_output().expect("a child");
    let stderr = String::from_utf8(output.stderr).expect("errors are text");
    assert!(!stderr.contains("panicked"), "{stderr}");
    (most, output.status.code(), stderr)
}

/// Returns the smallest limit that an error names, as text for the option and in bytes.
/// The text for `12.3 MiB` is `12.3M`.
fn needed_limit(stderr: &str) -> (String, u64) {
    let words: Vec<&str> = stderr.split_whitespace().collect();
    let at = words.windows(2).position(|pair| pair[1].starts_with("MiB"));
    let number = words[at.unwrap_or_else(|| panic!("no figure in '{stderr}'"))];
    let bytes = number.parse::<f64>().expect("a number") * f64::from(1 << 20);
    (format!("{number}M"), bytes as u64)
}

/// Returns the peak resident bytes of a call that does almost nothing.
fn program_bytes(folder: &TestFolder) -> u64 {
    run_watching_memory(folder, &["solve", "tic-tac-toe", "--quiet"]).0
}

#[test]
fn a_solve_into_a_table_is_refused_or_keeps_its_limit() {
    let folder = TestFolder::new();
    for call in [
        &["solve", "quoridor:5x5:2"][..],
        &["solve", "onitama:3x4:boar,ox,horse,tiger,crab", "--solver", "tiered"],
        &["solve", "onitama:3x4:boar", "--layout", "compact"],
    ] {
        let files = ["--out", "t", "--force", "--quiet"];
        let small = [call, &files, &["--memory", "2M"]].concat();
        let (_, code, stderr) = run_watching_memory(&folder, &small);
        assert_eq!(code, Some(2), "{stderr}");
        let table = folder.0.path().join("t");
        assert!(!table.exists());
        let (limit, bytes) = needed_limit(&stderr);
        let enough = [call, &files, &["--memory", &limit]].concat();
        let (peak, code, stderr) = run_watching_memory(&folder, &enough);
        assert_eq!(code, Some(0), "{enough:?}: {stderr}");
        assert!(peak <= bytes, "{enough:?}: {peak} bytes");
        fs::remove_file(table).expect("the table");
    }
}

#[test]
fn charts_sheets_and_searches_are_refused_or_keep_their_limit() {
    let folder = TestFolder::new();
    let solve = ["solve", "quoridor:3x3:1", "--out", "q.table", "--quiet"];
    assert_eq!(run_watching_memory(&folder, &solve).1, Some(0));
    let table = "q.table";
    let calls: &[&[&str]] = &[
        &["puzzles", table],
        &["puzzles", table, "--tally"],
        &["puzzles", table, "--svg", "p.svg"],
        &["solve", "quoridor:7x7:5", "--weak", "--seconds", "1"],
        &["study", "onitama-deals", "--table", "4x4", "--deals", "1", "--seconds", "1"],
        #[cfg(feature = "pdf")]
        &["puzzles", table, "--count", "60", "--pdf", "p.pdf"],
        #[cfg(feature = "png")]
        &["puzzles", table, "--count", "20", "--png", "p.png"],
        #[cfg(feature = "png")]
        &["draw", "quoridor:9x9:10", "--scale", "4", "--out", "d.png"],
        &["stats", table, "--plot", "s.svg"],
        &["stats", table, "--plot", "s.png"],
        &["audit", "random", "--table", table, "-n", "20", "--plot", "a.png"],
    ];
    for call in calls {
        let small = [call, &["--quiet", "--force", "--memory", "2M"][..]].concat();
        let (_, code, stderr) = run_watching_memory(&folder, &small);
        assert_eq!(code, Some(2), "{call:?}: {stderr}");
        // The least that a command needs does not know the table.
        let mut needed = needed_limit(&stderr);
        for tries in 0.. {
            let (limit, bytes) = &needed;
            let enough = [call, &["--quiet", "--force", "--memory", limit][..]].concat();
            let (peak, code, stderr) = run_watching_memory(&folder, &enough);
            if code == Some(0) {
                assert!(peak <= *bytes, "{enough:?}: {peak} bytes");
                break;
            }
            assert!(code == Some(2) && tries < 2, "{enough:?}: {stderr}");
            needed = needed_limit(&stderr);
        }
    }
}

#[test]
fn graphs_keep_small_limits() {
    let folder = TestFolder::new();
    let beside = program_bytes(&folder);
    for limit in [20, 60] {
        let bytes = beside + (limit << 20);
        let memory = format!("{bytes}");
        for call in [
            &["solve", "quoridor:9x9:20", "--solver", "graph"][..],
            &["puzzles", "onitama:4x4:boar"],
            &["graph", "onitama:4x4:boar", "--out", "g.csv"],
        ] {
            let call = [call, &["--memory", &memory, "--quiet"]].concat();
            let (peak, code, stderr) = run_watching_memory(&folder, &call);
            assert_eq!(code, Some(2), "{call:?}: {stderr}");
            assert!(stderr.contains("does not fit in memory"), "{call:?}: {stderr}");
            assert!(peak <= bytes + (1 << 20), "{call:?}: {peak} of {bytes} bytes");
        }
    }
}

#[test]
fn search_trees_keep_their_limit_and_report_it() {
    let folder = TestFolder::new();
    let limit = ((program_mebibytes() + 12.0) * f64::from(1 << 20)) as u64;
    let memory = format!("{limit}");
    let game = "onitama:5x5:boar,ox,crab,eel,frog";
    let call = ["match", "mcts:playouts=300000", "random", "-n", "1", "--max-turns", "1"];
    let (peak, code, stderr) =
        run_watching_memory(&folder, &[&call[..], &["--game", game, "--memory", &memory]].concat());
    assert_eq!(code, Some(0), "{stderr}");
    assert!(stderr.contains("search trees were full"), "{stderr}");
    assert!(peak <= limit, "{peak} of {limit} bytes");
    let small = [&call[..], &["--game", game, "--memory", "1M"]].concat();
    let (_, code, stderr) = run_watching_memory(&folder, &small);
    assert!(code == Some(2) && stderr.contains("--memory"), "{stderr}");
}

#[test]
fn tables_are_read_within_a_limit_or_refused() {
    let folder = TestFolder::new();
    answer(&["solve", "onitama:3x4:boar", "--out", &folder.path("t"), "--quiet"]);
    for call in [&["verify", "t"][..], &["compare", "t", "t"], &["export", "t", "--out", "e.csv"]] {
        let (_, code, stderr) = run_watching_memory(&folder, &[call, &["--memory", "1M"]].concat());
        assert_eq!(code, Some(2), "{call:?}: {stderr}");
        let (limit, bytes) = needed_limit(&stderr);
        let call = [call, &["--memory", &limit]].concat();
        let (peak, code, stderr) = run_watching_memory(&folder, &call);
        assert_eq!(code, Some(0), "{call:?}: {stderr}");
        assert!(peak <= bytes, "{call:?}: {peak} of {bytes} bytes");
    }
    for call in [&["info", "t"][..], &["stats", "t"], &["probe", "t"], &["line", "t"]] {
        let (_, code, stderr) = run_watching_memory(&folder, &[call, &["--memory", "1M"]].concat());
        assert!(code == Some(2) && stderr.contains("at least"), "{call:?}: {stderr}");
    }
}

#[test]
fn limits_of_the_system_end_in_one_line() {
    let folder = TestFolder::new();
    for (kilobytes, call) in [
        (600_000, "solve quoridor:9x9:20 --solver graph --quiet"),
        (600_000, "solve quoridor:9x9:20 --solver graph --quiet --memory 8G"),
        (
            400_000,
            "solve onitama:5x5:boar,ox,elephant,horse,crab:students=2 --solver tiered --quiet",
        ),
        (300_000, "solve quoridor:9x9:10 --weak --seconds 2 --quiet"),
        (60_000, "solve tic-tac-toe --quiet"),
        (60_000, "solve onitama:4x4:boar --quiet --threads 64"),
    ] {
        let script = format!("ulimit -v {kilobytes}; exec \"$0\" {call}");
        let output = Command::new("bash")
            .current_dir(folder.0.path())
            .args(["-c", &script])
            .arg(assert_cmd::cargo::cargo_bin!("hindsight"))
            .env("RUST_BACKTRACE", "1")
            .stdin(Stdio::null())
            .output()
            .expect("a shell");
        let stderr = String::from_utf8(output.stderr).expect("errors are text");
        let code = output.status.code();
        assert!([Some(0), Some(2), Some(127)].contains(&code), "{call}: {code:?} {stderr}");
        if code == Some(2) {
            assert_eq!(stderr.lines().count(), 1, "{call}: {stderr}");
        }
        assert!(!stderr.contains("panicked"), "{call}: {stderr}");
    }
}

/// Checks that a call keeps its limit of `mebibytes`, and uses more than a quarter of it.
fn stays_within(mebibytes: u64, call: &str) {
    let memory = format!("{mebibytes}M");
    let mut args: Vec<&str> = call.split_whitespace().collect();
    args.extend(["--memory", &memory, "--quiet"]);
    let (most, code, stderr) = run_watching_memory(&TestFolder::new(), &args);
    assert_eq!(code, Some(0), "{call}: {stderr}");
    let limit = mebibytes << 20;
    assert!((limit / 4..=limit).contains(&most), "{call}: {most}");
}

/// A search tree that would exceed a hundred megabytes stays within the limit.
#[test]
fn trees_stay_within_memory() {
    let game = "--game onitama:5x5:boar,ox,crab,eel,frog";
    let players = "mcts:playouts=1500000 random -n 1 --max-turns 1 --threads 1";
    stays_within(40, &format!("match {players} {game}"));
}

#[test]
fn analyses_stay_within_memory() {
    for spec in ["onitama:5x5:boar,ox,crab,eel,frog", "quoridor:9x9:10", "ostle"] {
        stays_within(64, &format!("analyse {spec} --seconds 4 --cache none"));
    }
}

#[test]
fn analyses_without_memory_say_how_much_they_need() {
    let folder = TestFolder::new();
    let call = ["analyse", "ostle", "--seconds", "1", "--cache", "none"];
    let with_memory = |limit| [&call[..], &["--memory", limit]].concat();
    let (_, code, stderr) = run_watching_memory(&folder, &with_memory("16M"));
    assert_eq!(code, Some(2), "{stderr}");
    let (limit, _) = needed_limit(&stderr);
    let (_, code, stderr) = run_watching_memory(&folder, &with_memory(&limit));
    assert_eq!(code, Some(0), "{limit}: {stderr}");
}
