//! The real binary: every command and every error a user may meet.

use std::path::Path;

use serde_json::Value;

use crate::harness::{program_mebibytes, refusal, run_with_code};

/// Returns the standard output of a call that must succeed, with nothing on standard error but the
/// solver that was chosen.
fn quiet_stdout(args: &[&str]) -> String {
    let (out, error) = run_with_code(0, args);
    let mut lines = error.lines();
    assert!(lines.all(|line| line.starts_with("solver: ")), "{args:?}: {error}");
    out
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&quiet_stdout(&[args, &["--json"]].concat())).expect("JSON")
}

#[test]
fn solve_shows_board_winner_line_and_histogram() {
    let shown = quiet_stdout(&["solve", "onitama:3x4:boar"]);
    for part in [
        "4  r R r   Red    boar  boar",
        "Red, to move, wins in 21 plies",
        "A best line of 21 plies",
        "93,530",
        "431,793",
        "1,569,941",
    ] {
        assert!(shown.contains(part), "{part}\n{shown}");
    }
    let shown = quiet_stdout(&["solve", "onitama:2x5:boar"]);
    assert!(shown.contains("a draw; Red is to move") && shown.contains("stands again"), "{shown}");
    let shown = quiet_stdout(&["solve", "onitama:3x3:boar", "--solver", "forward"]);
    assert!(shown.contains("Blue wins, whatever Red plays"), "{shown}");
}

#[test]
fn planes_and_tiers_agree() {
    let by = |solver| {
        let spec = "onitama:2x4:boar,ox,elephant,horse,crab";
        json(&["solve", spec, "--quiet", "--solver", solver])
    };
    let [planes, tiers] = [by("planes"), by("tiered")];
    assert_eq!(planes["solver"], "planes");
    for key in ["game", "scope", "start", "positions", "edges", "wins", "losses", "draws"] {
        assert_eq!(planes[key], tiers[key], "{key}");
    }
    for key in ["histogram", "signature"] {
        assert_eq!(planes[key], tiers[key], "{key}");
    }
    let boar = ["solve", "onitama:3x3:boar", "--solver", "planes"];
    for (more, expected) in [
        (["--layout", "full"], "planes writes one with --out only"),
        (["--memory", "1K"], "29,583 ranks need"),
    ] {
        let error = refusal(&[&boar[..], &more[..], &["--quiet"]].concat());
        assert!(error.contains(expected), "{error}");
    }
    for spec in ["quoridor:3x3:1", "ostle:3x3:2:1", "onitama:5x7:boar:students=1"] {
        let error = refusal(&["solve", spec, "--solver", "planes"]);
        assert!(error.contains("at most 32 squares"), "{error}");
    }
    // A need that no machine can meet is reported before any work.
    let error = refusal(&["solve", "onitama:8x4:boar", "--solver", "planes"]);
    assert!(error.contains(" TiB, and "), "{error}");
}

/// With cards that never move back, a solve takes a byte a position if it fits, else bit planes.
#[test]
fn acyclic_and_bit_plane_solves_agree() {
    let solve = |memory: &[&str]| {
        let solve = ["solve", "onitama:4x4:boar", "--solver", "planes", "--json"];
        let (out, error) = run_with_code(0, &[&solve[..], memory, &["--threads", "1"]].concat());
        let report: serde_json::Value = serde_json::from_str(&out).expect("JSON");
        (report, error)
    };
    let takes = |stderr: &str, mebibytes: f64| {
        let words: Vec<&str> = stderr.split([' ', ',', ';', '\n']).collect();
        let at = words.windows(4).position(|words| words[1..] == ["MiB", "of", "memory"]);
        let mebibytes_reported: f64 = words[at.expect("a figure")].parse().expect("a number");
        assert!((mebibytes_reported - mebibytes - program_mebibytes()).abs() < 4.0, "{stderr}");
    };
    let (bytes, stderr) = solve(&["--memory", "1G", "--check", "1000"]);
    takes(&stderr, 24.0);
    assert_eq!(bytes["checked"]["positions"], 1000);
    let (bits, stderr) = solve(&["--memory", &format!("{}M", 16.0 + program_mebibytes())]);
    takes(&stderr, 12.0);
    for key in ["solver", "start", "positions", "histogram", "signature"] {
        assert_eq!(bytes[key], bits[key], "{key}");
    }
}

#[test]
fn planes_are_checked_by_positions_drawn_at_random() {
    let check = |n| ["solve", "onitama:3x3:boar", "--quiet", "--check", n];
    let planes = |n| [&check(n)[..], &["--solver", "planes"]].concat();
    let report = json(&planes("1000"));
    assert_eq!(report["checked"]["positions"], 1000);
    assert!(report["checked"]["successors"].as_u64() > Some(2000));
    let shown = quiet_stdout(&planes("1000"));
    assert!(shown.contains("1,000 positions drawn at random"), "{shown}");
    let plain = json(&["solve", "onitama:3x3:boar", "--solver", "planes", "--quiet"]);
    assert_eq!(plain["signature"], report["signature"]);
    assert_eq!(plain.get("checked"), None);
    for (args, expected) in [
        (&check("9")[..], "--check is for --solver planes"),
        (&planes("0"), "from 1 to 1000000"),
        (&[&planes("9")[..], &["--out", "no.table"]].concat(), "hindsight verify"),
        (
            &[&planes("9")[..], &["--checkpoint", "no", "--resume"]].concat(),
            "--resume has no place",
        ),
        (&[&check("9")[..], &["--weak"]].concat(), "leave out --check"),
        (&[&planes("1000000")[..], &["--memory", "900M"]].concat(), "--memory"),
    ] {
        let error = refusal(args);
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn solve_json_has_the_promised_keys() {
    let report = json(&["solve", "ONITAMA:3x3:Boar"]);
    assert_eq!(report["game"], "onitama:3x3:boar");
    assert_eq!(
        (&report["scope"], &report["solver"], &report["symmetry"]),
        (&"reachable".into(), &"graph".into(), &"none".into())
    );
    assert_eq!(report["start"]["value"], "loss");
    assert_eq!(report["start"]["remoteness"], 6);
    assert_eq!(report["start"]["position"], "rRr/3/bBb boar,boar boar,boar boar red");
    assert_eq!(
        (report["positions"].as_u64(), report["edges"].as_u64()),
        (Some(59_666), Some(168_860))
    );
    let sum: u64 =
        ["wins", "losses", "draws"].iter().map(|key| report[key].as_u64().unwrap()).sum();
    assert_eq!(sum, 59_666);
    let rows = report["histogram"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| row["positions"].as_u64().unwrap()).sum::<u64>(), 59_666);
    assert!(rows.iter().any(|row| row["value"] == "draw" && row["remoteness"].is_null()));
    assert!(report["seconds"].as_f64().unwrap() > 0.0);
    assert!(report["peak_memory_bytes"].as_u64().unwrap() > 1 << 20);
    assert!(report["signature"].as_str().unwrap().starts_with("59666-59634-"));
}

#[test]
fn forward_json_has_null_where_it_knows_nothing() {
    for (way, positions) in [("program", 2285), ("printed", 2212)] {
        let report = json(&[
            "solve",
            "onitama:3x3:boar",
            "--solver",
            "forward",
            "--way",
            way,
            "--symmetry",
            "swap",
        ]);
        assert_eq!(report["positions"], positions);
        assert_eq!(report["start"]["value"], "loss");
        assert!(report["start"]["remoteness"].is_null() && report["histogram"].is_null());
    }
}

#[test]
fn threads_and_memory_are_obeyed() {
    let one = json(&["solve", "onitama:3x3:boar", "--threads", "1"]);
    let two = json(&["solve", "onitama:3x3:boar", "--threads", "2", "--memory", "1G"]);
    assert_eq!(one["signature"], two["signature"]);
    assert!(refusal(&["solve", "onitama:3x3:boar", "--threads", "0"]).contains("--threads"));
    assert!(refusal(&["solve", "onitama:3x3:boar", "--memory", "much"]).contains("16G"));
    for way in [["--solver", "graph"], ["--solver", "forward"]] {
        let args =
            [&["solve", "onitama:4x4:boar", "--memory", "20M", "--quiet"], &way[..]].concat();
        let error = refusal(&args);
        assert!(
            error.contains("does not fit in memory")
                && error.contains("positions")
                && error.contains("20.0 MiB")
                && error.contains(
                    "with --solver planes every position, reachable or not, takes at least "
                ),
            "{error}"
        );
    }
}

#[test]
fn probe_gives_every_move_best_first() {
    let report = json(&["probe", "tic-tac-toe", "xo./.x./..."]);
    assert_eq!((&report["value"], &report["remoteness"]), (&"loss".into(), &4.into()));
    let report = json(&["probe", "onitama:3x3:boar", "3/3/B1R boar,boar boar,boar boar red"]);
    assert_eq!(report["value"], "win");
    let report = json(&["probe", "onitama:3x3:boar"]);
    let moves = report["moves"].as_array().unwrap();
    let plies: Vec<u64> = moves.iter().map(|mv| mv["remoteness"].as_u64().unwrap()).collect();
    assert!(
        moves
            .iter()
            .all(|mv| mv["value"] == "loss" && mv["move"].as_str().unwrap().ends_with(":boar"))
    );
    assert!(plies.is_sorted_by(|a, b| a >= b) && plies[0] == 6, "{plies:?}");
    assert!(quiet_stdout(&["probe", "onitama:2x3:boar"]).contains("Red to move: loss in 4"));
}

#[test]
fn probe_of_a_finished_game_has_no_moves() {
    let report = json(&["probe", "onitama:3x3:boar", "3/R2/r1r boar,boar boar,boar boar blue"]);
    assert_eq!((&report["value"], &report["remoteness"]), (&"loss".into(), &0.into()));
    assert_eq!(report["moves"], Value::Array(Vec::new()));
    assert!(quiet_stdout(&["probe", "tic-tac-toe", "xxx/oo./..."]).contains("The game is over"));
}

#[test]
fn malformed_positions_are_refused_with_the_character() {
    let error = refusal(&["probe", "onitama:3x3:boar", "rRr/3/bXb boar,boar boar,boar boar red"]);
    assert!(error.contains("character 8") && error.contains("'X' is no piece"), "{error}");
    assert!(refusal(&["probe", "tic-tac-toe", "xx./.../..."]).contains("as many x as o"));
}

#[test]
fn malformed_specs_are_refused() {
    for (spec, expected) in [
        ("onitama:3x4:baor", "did you mean 'boar'"),
        ("onitama:3x4:boar,boar,boar,boar", "5 are dealt"),
        ("onitama:3x4:boar,ox,ox,ox,ox,ox", "5 are dealt"),
        ("onitama:3x4:(3,0)", "outside [-2..2]"),
        ("onitama:1x1:boar", "too small"),
        ("onitama:9x9:boar", "at most 64 squares"),
        ("chess", "there is no game 'chess'"),
        ("onitama:3x4:wolf:deck=nowhere.toml", "cannot read 'nowhere.toml'"),
    ] {
        for command in ["solve", "probe"] {
            let error = refusal(&[command, spec]);
            assert!(error.contains(expected) && error.lines().count() == 1, "{spec}: {error}");
        }
    }
    assert!(
        refusal(&["solve", "onitama:3x4:boar", "--way", "program"]).contains("--solver forward")
    );
    assert!(refusal(&["solve", "onitama:3x4:boar", "--solver", "magic"]).contains("graph"));
    assert!(refusal(&["solve"]).contains("SPEC"));
    assert!(
        refusal(&["probe", "onitama:3x3:boar", "rRr/3/bBb", "boar,boar"]).contains("in quotes")
    );
    for args in
        [vec!["--threads", "-1"], vec!["--threads", "9999"], vec!["--memory", "-1"], vec!["--loud"]]
    {
        let error = refusal(&[&["solve", "onitama:2x2:boar"], &args[..]].concat());
        assert!(error.starts_with("hindsight: ") && error.lines().count() == 1, "{error}");
    }
    assert!(refusal(&["dissolve"]).contains("solve"));
    refusal(&[]);
}

#[test]
fn deck_files_name_cards_and_errors_name_the_line() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("My Deck.toml");
    let spec = format!("onitama:3x3:wolf:deck={}", file.display());
    std::fs::write(
        &file,
        "[[card]]\nname = \"wolf\"\nstamp = \"blue\"\noffsets = [[-1, 1], [1, 1]]\n",
    )
    .unwrap();
    let report = json(&["solve", &spec]);
    assert_eq!(report["game"], "onitama:3x3:wolf=(-1,1)(1,1)@blue");
    assert_eq!(report["signature"], json(&["solve", "onitama:3x3:(1,1)(-1,1)@blue"])["signature"]);
    assert!(quiet_stdout(&["cards", "--deck", file.to_str().unwrap()]).contains("wolf (blue)"));

    std::fs::write(&file, "[[card]]\nname = \"wolf\"\noffsets = [[-1, 1], [1, 5]]\n").unwrap();
    assert!(refusal(&["solve", &spec]).contains("line 3, column 21: the offset (1,5)"));
    std::fs::write(&file, "[[card]]\nname = wolf\n").unwrap();
    assert!(refusal(&["solve", &spec]).contains("line 2, column"));
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn graphs_are_written_whole_or_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    for name in ["g.dot", "g.graphml", "g.csv"] {
        let stdout = quiet_stdout(&["graph", "onitama:2x3:boar", "--out", &path(name)]);
        assert!(stdout.contains("512 positions, 752 moves"), "{stdout}");
    }
    assert_eq!(files(folder.path()), ["g.dot", "g.edges.csv", "g.graphml", "g.nodes.csv"]);
    let dot = std::fs::read_to_string(path("g.dot")).unwrap();
    assert_eq!(dot.matches(" -> ").count(), 752);
    let graphml = std::fs::read_to_string(path("g.graphml")).unwrap();
    assert_eq!((graphml.matches("<node ").count(), graphml.matches("<edge ").count()), (512, 752));

    let mut nodes = csv::Reader::from_path(path("g.nodes.csv")).unwrap();
    let nodes: Vec<csv::StringRecord> = nodes.records().map(Result::unwrap).collect();
    assert_eq!(nodes.len(), 512);
    assert_eq!(&nodes[0][1], "Rr/2/bB boar,boar boar,boar boar red");
    assert_eq!((&nodes[0][3], &nodes[0][4]), ("loss", "4"));
    let mut edges = csv::Reader::from_path(path("g.edges.csv")).unwrap();
    let best = edges
        .records()
        .map(Result::unwrap)
        .filter(|edge| &edge[0] == "0" && &edge[5] == "true")
        .count();
    assert!(best >= 1);

    for name in ["g.dot", "g.csv"] {
        assert!(refusal(&["graph", "onitama:2x2:boar", "--out", &path(name)]).contains("--force"));
    }
    assert_eq!(std::fs::read_to_string(path("g.dot")).unwrap(), dot);
    quiet_stdout(&["graph", "onitama:2x2:boar", "--out", &path("g.dot"), "--force"]);
    assert!(
        refusal(&["graph", "onitama:3x3:boar", "--out", &path("h.dot")])
            .contains("--max-positions")
    );
    assert!(refusal(&["graph", "onitama:2x2:boar", "--out", &path("h.pdf")]).contains(".graphml"));
    assert!(
        refusal(&["graph", "onitama:2x2:boar", "--out", &path("no/h.dot")])
            .contains("cannot write")
    );
    assert!(
        refusal(&["graph", "onitama:2x2:boar", "--format", "dot", "--out", &path("")])
            .contains("folder")
    );
    // A device can be written to; a socket cannot.
    quiet_stdout(&["graph", "onitama:2x2:boar", "--out", "/dev/null", "--format", "dot"]);
    let socket = std::os::unix::net::UnixListener::bind(path("socket")).unwrap();
    assert!(
        refusal(&[
            "graph",
            "onitama:2x2:boar",
            "--out",
            &path("socket"),
            "--format",
            "dot",
            "--force"
        ])
        .contains("no file, pipe or terminal")
    );
    drop(socket);
    std::fs::remove_file(path("socket")).unwrap();
    assert_eq!(files(folder.path()).len(), 4);
    {
        std::os::unix::fs::symlink(path("g.dot"), path("link.dot")).unwrap();
        quiet_stdout(&["graph", "onitama:2x3:boar", "--out", &path("link.dot"), "--force"]);
        assert!(std::fs::symlink_metadata(path("link.dot")).unwrap().is_symlink());
        assert_eq!(std::fs::read_to_string(path("g.dot")).unwrap(), dot);
    }
    let report = json(&["graph", "onitama:2x2:boar", "--out", &path("j.dot")]);
    assert_eq!(
        (&report["positions"], &report["files"]),
        (&6.into(), &serde_json::json!([path("j.dot")]))
    );
}

#[test]
fn lists_are_for_people_and_programs() {
    assert!(quiet_stdout(&["games"]).contains("onitama:WIDTHxHEIGHT:CARDS"));
    assert_eq!(json(&["games"]).as_array().unwrap().len(), hindsight_rules::GAMES.len());
    let cards = json(&["cards"]);
    assert_eq!(cards.as_array().unwrap().len(), 32);
    assert_eq!(cards[0]["card"], "boar");
    assert_eq!(cards[0]["offsets"], serde_json::json!([[-1, 0], [0, 1], [1, 0]]));
    let shown = quiet_stdout(&["cards", "tiger", "(0,1)@blue"]);
    assert!(shown.contains("tiger (blue)") && shown.contains(". . # . ."), "{shown}");
    assert!(refusal(&["cards", "tigre"]).contains("'tiger'"));
}

#[test]
fn completions_and_manual_pages() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        assert!(quiet_stdout(&["completions", shell]).contains("hindsight"));
    }
    assert!(quiet_stdout(&["man"]).contains(".TH hindsight"));
    assert!(quiet_stdout(&["man", "solve"]).contains("hindsight\\-solve"));
    let merge = quiet_stdout(&["man", "study-merge"]);
    assert!(merge.contains(".TH hindsight-study-merge"), "{merge}");
    assert_eq!(quiet_stdout(&["man", "study merge"]), merge);
    assert!(refusal(&["man", "study-split"]).contains("no command 'study-split'"));
    assert!(refusal(&["man", "chess"]).contains("solve"));
    for command in ["solve", "probe", "graph", "study", "cards", "completions", "man"] {
        assert!(quiet_stdout(&[command, "--help"]).contains("Example"), "{command}");
    }
    assert!(quiet_stdout(&["--version"]).starts_with("hindsight "));
}
#[test]
fn ctrl_c_stops_a_long_solve_with_130() {
    use std::os::unix::process::ExitStatusExt;
    let binary = assert_cmd::cargo::cargo_bin!("hindsight");
    let mut child = std::process::Command::new(binary)
        .args(["solve", "onitama:4x4:boar"])
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    // The first line of progress shows that the solve has begun.
    let stderr = std::io::BufReader::new(child.stderr.take().unwrap());
    let mut lines = std::io::BufRead::lines(stderr).map_while(Result::ok);
    assert!(lines.any(|line| line.starts_with("exploring: ")));
    let id = child.id().to_string();
    let kill = std::process::Command::new("kill").args(["-INT", &id]).status().unwrap();
    assert!(kill.success());
    let status = child.wait().unwrap();
    assert_eq!((status.code(), status.signal()), (Some(130), None));
}
