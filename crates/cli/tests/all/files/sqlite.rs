//! `match --sqlite` and `tournament --sqlite`: matches in an SQLite file.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use rusqlite::Connection;
use serde_json::{Value, json};

use crate::harness::{TestFolder, json, refusal, run_with_code};

fn open(path: &str) -> Connection {
    Connection::open(path).expect("an SQLite file")
}

/// Returns the rows of a query, each as an array.
fn rows(connection: &Connection, query: &str) -> Vec<Value> {
    use rusqlite::types::ValueRef;
    let mut statement = connection.prepare(query).expect("a query");
    let columns = statement.column_count();
    let cell = |cell: ValueRef<'_>| match cell {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(n) => n.into(),
        ValueRef::Real(x) => x.into(),
        ValueRef::Text(text) => String::from_utf8(text.to_vec()).expect("UTF-8").into(),
        ValueRef::Blob(_) => panic!("no column has bytes"),
    };
    let row = |row: &rusqlite::Row<'_>| (0..columns).map(|i| row.get_ref(i).map(cell)).collect();
    let rows = statement.query_map([], row).expect("rows");
    rows.collect::<Result<_, _>>().expect("rows that are read")
}

/// Converts a line of a file of games to a row of the table `games`.
fn row_from_line(id: u64, line: &str) -> Value {
    let game: Value = serde_json::from_str(line).expect("JSON");
    let moves = game["moves"].as_array().expect("moves");
    let texts: Vec<&str> = moves.iter().map(|mv| mv.as_str().expect("text")).collect();
    let agent = |number: &Value| number.as_u64().map(|n| n + 1);
    json!([
        id,
        game["number"],
        game["game"],
        agent(&game["first"]),
        agent(&game["winner"]),
        game["ending"],
        moves.len(),
        texts.join(" "),
        game["work"][0],
        game["work"][1],
        game["seconds"][0],
        game["seconds"][1]
    ])
}

/// Plays a match into both kinds of files, compares them, and returns the report.
fn play_and_compare(folder: &TestFolder, id: u64, call: &[&str]) -> Value {
    let (games, file) = (folder.path(&format!("{id}.jsonl")), folder.path("study.db"));
    let files = ["--quiet", "--games", &games, "--sqlite", &file];
    let report = json(&[&["match"], call, &files].concat());
    let lines = std::fs::read_to_string(&games).expect("a file of games");
    let lines: Vec<Value> = lines.lines().map(|line| row_from_line(id, line)).collect();
    let query = format!("SELECT * FROM games WHERE match = {id} ORDER BY number");
    assert_eq!(rows(&open(&file), &query), lines);
    report
}

/// Two runs of a tournament: each adds its own games, a match for a pair.
#[test]
fn pairs_of_tournaments_are_matches() {
    let folder = TestFolder::new();
    let (games, file) = (folder.path("t.jsonl"), folder.path("study.db"));
    let call = ["tournament", "mc:playouts=9", "random", "level:1", "--game", "tic-tac-toe"];
    let files = ["--seed", "3", "--games", &games, "--sqlite", &file, "--quiet", "-n"];
    for (wanted, together) in [("2", "4"), ("6", "6")] {
        json(&[&call[..], &files, &[wanted]].concat());
        let report = json(&[&call[..], &files, &[together]].concat());
        assert_eq!(report["pairs"].as_array().expect("pairs").len(), 3);
    }
    let study = open(&file);
    let query = "SELECT agent1, agent2, sum(games), sum(wins1), sum(wins2), sum(ties) FROM results
        GROUP BY agent1, agent2 ORDER BY min(match)";
    let report = json(&[&call[..], &files, &["6"]].concat());
    let (agents, pairs) = (&report["agents"], report["pairs"].as_array().expect("pairs"));
    let of_report = pairs.iter().map(|pair| {
        let [first, last] = [0, 1].map(|i| &pair["agents"][i]);
        assert!(agents.as_array().expect("agents").iter().any(|agent| agent["agent"] == *first));
        json!([first, last, 6, pair["wins"][0], pair["wins"][1], pair["ties"]])
    });
    assert_eq!(rows(&study, query), of_report.collect::<Vec<_>>());
    let query = "SELECT count(*), count(DISTINCT agent1 || agent2 || number) FROM games
        JOIN matches ON match = id";
    assert_eq!(rows(&study, query), [json!([18, 18])]);
}

#[test]
fn matches_are_added_and_agree_with_the_games() {
    let folder = TestFolder::new();
    let dealt = ["MC:playouts=20", "random", "--game", "onitama:3x4:random"];
    let first = play_and_compare(&folder, 1, &[&dealt[..], &["-n", "30", "--seed", "7"]].concat());
    let drawn = ["lure", "random", "--game", "Tic-Tac-Toe"];
    let second =
        play_and_compare(&folder, 2, &[&drawn[..], &["-n", "9", "--max-turns", "8"]].concat());
    let file = folder.path("study.db");
    let study = open(&file);
    let version = env!("CARGO_PKG_VERSION");
    let matches = "SELECT id, version, game, agent1, agent2, seed, max_turns, games FROM matches";
    let (dealt, drawn) = ("onitama:3x4:random", "tic-tac-toe");
    let all = [
        json!([1, version, dealt, "mc:playouts=20", "random", 7, 100, 30]),
        json!([2, version, drawn, "lure", "random", 1, 8, 9]),
    ];
    assert_eq!(rows(&study, matches), all);
    let query = "SELECT count(*), min(julianday('now') - julianday(begun) BETWEEN 0 AND 0.1),
        min(begun GLOB '????-??-??T??:??:??Z') FROM matches";
    assert_eq!(rows(&study, query), [json!([2, 1, 1])]);
    // The view `results` agrees with the reports.
    let query = "SELECT match, games, wins1, wins2, ties, mean_plies, share1 FROM results";
    for (report, row) in [first, second].into_iter().zip(rows(&study, query)) {
        let points = report["wins"][0].as_f64().unwrap() + report["ties"].as_f64().unwrap() / 2.0;
        let [wins, games] = [&report["wins"], &report["games"]];
        let share = points / games.as_f64().unwrap();
        let (ties, mean) = (&report["ties"], &report["mean_plies"]);
        assert_eq!(row, json!([row[0], games, wins[0], wins[1], ties, mean, share]));
    }
    let insert = "INSERT INTO games
        SELECT 3, number, game, first, winner, ending, plies, moves, 0, 0, 0, 0 FROM games";
    study.execute(insert, []).expect_err("there is no match 3");
    // No column name needs quotes.
    let joined = "SELECT agent1, avg(seconds1 / plies) FROM games JOIN matches ON match = id
        WHERE match = 2 AND first = 1 GROUP BY agent1";
    assert_eq!(rows(&study, joined)[0][0], "lure");
}

/// Returns the error of a match that must be refused in one line, before a game is played.
fn match_refusal(path: &str, options: &[&str]) -> String {
    let call = ["match", "random", "random", "-n", "3", "--quiet", "--sqlite", path];
    let error = refusal(&[&call, options].concat());
    assert_eq!(error.lines().count(), 1, "{error}");
    assert!(!error.contains("Error code"), "{error}");
    error
}

#[test]
fn files_that_are_not_ours_are_refused_and_kept() {
    let folder = TestFolder::new();
    let file = |name: &str, make: &dyn Fn(&str)| {
        let path = folder.path(name);
        make(&path);
        path
    };
    let sql = |path: &str, sql: &str| open(path).execute_batch(sql).expect("SQL");
    let ours = |path: &str| {
        run_with_code(0, &["match", "random", "random", "-n", "1", "--quiet", "--sqlite", path]);
    };
    let no_database = "is no SQLite file";
    let foreign = "is an SQLite file of another program";
    for (path, reason) in [
        (file("short", &|path| std::fs::write(path, "games\n").unwrap()), no_database),
        (file("long", &|path| std::fs::write(path, [7; 5000]).unwrap()), no_database),
        (file("tables", &|path| sql(path, "CREATE TABLE t (x)")), foreign),
        (file("id", &|path| sql(path, "PRAGMA application_id = 7")), foreign),
        (file("version", &|path| sql(path, "PRAGMA user_version = 1")), foreign),
        (
            file("newer", &|path| {
                ours(path);
                sql(path, "PRAGMA user_version = 2");
            }),
            "is of a newer hindsight: its tables have version 2, known is 1",
        ),
        (
            file("changed", &|path| {
                ours(path);
                sql(path, "ALTER TABLE games DROP COLUMN ending");
            }),
            "no column named ending",
        ),
        (
            file("dropped", &|path| {
                ours(path);
                sql(path, "DROP VIEW results; DROP TABLE games");
            }),
            "no such table: games",
        ),
    ] {
        let before = std::fs::read(&path).unwrap();
        for force in [&[][..], &["--force"]] {
            let error = match_refusal(&path, force);
            assert!(error.contains(&path) && error.contains(reason), "{error}");
        }
        assert!(std::fs::read(&path).unwrap() == before, "{path}");
    }
}

#[test]
fn files_that_cannot_be_written_are_refused() {
    let folder = TestFolder::new();
    let at = |path: &str, options: &[&str]| match_refusal(path, options);
    assert!(at(&folder.path(""), &[]).contains("is a folder; name a file"));
    assert!(at(&folder.path("none/study.db"), &[]).contains("there is no folder"));
    if Path::new("/proc").exists() {
        let error = at("/proc/study.db", &[]);
        assert!(error.contains("cannot write '/proc/study.db'"), "{error}");
    }
    let path = folder.path("study.db");
    let error = at(&path, &["--games", &path]);
    assert!(error.contains("name the same file"), "{error}");
    let error = at(&path, &["--seed", "9223372036854775808"]);
    assert!(error.contains("--seed 9223372036854775808 is too large"), "{error}");
    assert!(at(&path, &["--game", "onitama:9x9:random"]).contains("9x9"));
    assert!(!Path::new(&path).exists(), "a refused call leaves nothing");
    // An empty file is accepted, and SQLite's special file names are plain names.
    std::fs::write(&path, "").unwrap();
    for path in [&*path, "file:study.db?mode=memory", ":memory:"] {
        let call = ["match", "random", "random", "-n", "3", "--quiet", "--sqlite", path];
        let mut command = Command::new(env!("CARGO_BIN_EXE_hindsight"));
        let output = command.current_dir(&folder.0).args(call).output().expect("it runs");
        assert!(output.status.success(), "{output:?}");
        let games = "SELECT match, games FROM results";
        let full = folder.0.path().join(path);
        assert_eq!(rows(&open(full.to_str().unwrap()), games), [json!([1, 3])]);
    }
}

fn spawn_long_match(path: &str) -> Child {
    let call = ["match", "mc:playouts=9", "random", "-n", "100000000", "--quiet", "--json"];
    Command::new(env!("CARGO_BIN_EXE_hindsight"))
        .args(call)
        .args(["--sqlite", path])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs")
}

/// Waits until a match has more than `more_than` games; returns their number.
fn wait_for_games(path: &str, id: i64, more_than: u64) -> u64 {
    for _ in 0..600 {
        std::thread::sleep(Duration::from_millis(100));
        let flags = rusqlite::OpenFlags::SQLITE_OPEN_READ_ONLY;
        let games = Connection::open_with_flags(path, flags).and_then(|study| {
            let query = "SELECT games FROM results WHERE match = ?";
            study.query_row(query, [id], |row| row.get::<_, i64>(0))
        });
        if let Ok(games) = games
            && games as u64 > more_than
        {
            return games as u64;
        }
    }
    panic!("no games are written");
}
#[test]
fn a_match_that_is_ended_early_is_kept() {
    let folder = TestFolder::new();
    let path = folder.path("study.db");
    // SIGKILL: no handler runs.
    let mut killed = spawn_long_match(&path);
    let games = wait_for_games(&path, 1, 0);
    killed.kill().expect("a child to kill");
    killed.wait().expect("a child to wait for");
    let study = open(&path);
    assert_eq!(rows(&study, "PRAGMA integrity_check"), [json!(["ok"])]);
    let kept = rows(&study, "SELECT games FROM results")[0][0].clone();
    assert!(kept.as_u64() >= Some(games), "{kept} of {games}");
    // Games wait while another program writes; after Ctrl-C all are written.
    let stopped = spawn_long_match(&path);
    let games = wait_for_games(&path, 2, 0);
    study.busy_timeout(Duration::from_secs(60)).unwrap();
    study.execute_batch("BEGIN IMMEDIATE").unwrap();
    std::thread::sleep(Duration::from_secs(7));
    study.execute_batch("COMMIT").unwrap();
    wait_for_games(&path, 2, games);
    let id = stopped.id().to_string();
    let sent = Command::new("kill").args(["-INT", &id]).status();
    assert!(sent.expect("kill").success());
    let output = stopped.wait_with_output().expect("a child to wait for");
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let query = "SELECT match, games FROM results ORDER BY match";
    assert_eq!(rows(&study, query), [json!([1, kept]), json!([2, report["games"]])]);
}
