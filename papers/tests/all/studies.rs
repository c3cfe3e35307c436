//! `study`: tables, figures and files.

use std::fs;
use std::path::Path;

use hindsight_games::{Method, Options, Wdl};
use serde_json::Value;

use crate::harness::{TestFolder, answer, json, refusal, run_with_code};

/// Solves a small game.
fn start_value(spec: &str) -> hindsight_games::Value {
    let game = hindsight_games::game(spec).expect("a spec");
    let solved = game.solve(Method::Auto, &Options::default()).expect("a small game");
    solved.start_value().exact().expect("a value")
}

#[test]
fn studies_compare_cell_by_cell() {
    let cells = json(&["study", "onitama-thesis", "--table", "4", "--table", "5"]);
    let cells = cells.as_array().unwrap();
    assert_eq!(cells.len(), 36);
    assert!(cells.iter().all(|cell| cell["verdict"] == "equal"));
    assert_eq!(
        cells[0],
        serde_json::json!({
            "table": "4",
            "row": "m=2",
            "column": "n=1",
            "published": "6",
            "ours": "6",
            "verdict": "equal",
        })
    );
    for (format, part) in [
        ("text", "m=2    6 =    188 ="),
        ("markdown", "| m=2 | 6 = | 188 ="),
        ("csv", "4,m=2,n=1,6,6,equal,"),
    ] {
        let shown = answer(&["study", "onitama-thesis", "--table", "4", "--format", format]);
        assert!(shown.contains(part), "{shown}");
    }
    let short = json(&["study", "onitama-thesis", "--table", "6", "--seconds", "0.05", "--quiet"]);
    assert!(
        short
            .as_array()
            .unwrap()
            .iter()
            .any(|cell| cell["verdict"] == "not computed" && cell["ours"].is_null())
    );
    assert!(refusal(&["study", "onitama-thesis", "--table", "12"]).contains("1 to 11"));
    assert!(refusal(&["study", "onitama-thesis", "--seconds", "-1"]).contains("above 0"));
    assert!(refusal(&["study", "chess"]).contains("onitama-thesis"));
}

#[test]
fn a_study_of_quoridor_takes_any_game() {
    let cells = json(&["study", "quoridor-reduced", "--table", "1", "--quiet"]);
    assert_eq!(
        cells[0],
        serde_json::json!({
            "table": "1",
            "row": "0 fences",
            "column": "positions",
            "published": "960",
            "ours": "960",
            "verdict": "equal",
        })
    );
    assert_eq!(cells[2]["verdict"], "different");
    let game = ["study", "quoridor-reduced", "--quiet", "--game"];
    let call = |more: &[&'static str]| [&game, more].concat();
    let shown = answer(&call(&["quoridor:3x3:2,1", "--table", "sets"]));
    assert!(shown.contains("loss in 12 *   second player *"), "{shown}");
    let csv = answer(&call(&["quoridor:3x3:1", "--table", "stocks", "--format", "csv"]));
    assert!(csv.contains("stocks,\"White 1, Black 0\",positions,,"), "{csv}");
    assert!(refusal(&call(&["onitama:3x3:boar"])).contains("a game of quoridor"));
    assert!(refusal(&call(&["quoridor:1x2:1"])).contains("2 to 9 wide"));
    assert!(refusal(&call(&["quoridor:3x3:1", "--table", "6"])).contains("partitions"));
    let both = ["study", "onitama-thesis", "--game", "quoridor:3x3:1"];
    assert!(refusal(&both).contains("--game is for quoridor-reduced"));
}

/// Arguments of a study of agents with few playouts.
fn agents_call<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let call = ["study", "onitama-agents", "--quiet", "--playouts", "10"];
    [&call, more].concat()
}

#[test]
fn a_study_of_agents_keeps_games_and_draws() {
    let folder = TestFolder::new();
    let name = &*folder.path("agents");
    let out = Path::new(name);
    let few =
        json(&agents_call(&["--table", "15", "--table", "10", "--scale", "0.002", "--out", name]));
    for figure in ["10", "15a", "15b"] {
        let file = |ending: &str| out.join(format!("figure-{figure}.{ending}"));
        let csv = fs::read_to_string(file("csv")).unwrap();
        assert!(csv.starts_with("figure,curve,x,y,low,high\n"), "{csv}");
        assert!(fs::read_to_string(file("svg")).unwrap().contains("</svg>"));
        assert!(fs::read(file("png")).unwrap().starts_with(b"\x89PNG"));
    }
    let games = out.join("games").join("mcts-playouts=10-against-mc-playouts=10.jsonl");
    assert_eq!(line_count(&games), 2);
    // A game whose line is cut off is played again, even if only the line break is missing.
    let text = fs::read_to_string(&games).unwrap();
    let call = ["--table", "10", "--scale", "0.004", "--out", name];
    let mut more = Value::Null;
    for missing in [1, 10] {
        fs::write(&games, &text[..text.len() - missing]).unwrap();
        more = json(&agents_call(&call));
        assert_eq!(line_count(&games), 4);
    }
    let report = fs::read_to_string(out.join("report.csv")).unwrap();
    assert!(report.contains("\nthesis,10: MCTS win share vs MC at 10 playouts"), "{report}");
    assert_eq!(more, json(&agents_call(&call[..4])));
    assert_ne!(more[0], few[0]);
    // The report of other settings, and its figures, are kept; those of the same are replaced.
    assert!(out.join("earlier-1").join("figure-15a.png").exists());
    assert!(out.join("figure-10.csv").exists() && !out.join("figure-15a.csv").exists());
    assert!(!out.join("earlier-2").exists());
    assert!(few.as_array().unwrap().iter().any(|cell| cell["table"] == "thesis"));
    let other_seed = refusal(&agents_call(&["--seed", "2", "--out", name]));
    assert!(other_seed.contains("--seed 1"), "{other_seed}");
    // The report is printed even if a picture cannot be written.
    fs::remove_file(out.join("figure-10.svg")).unwrap();
    fs::create_dir(out.join("figure-10.svg")).unwrap();
    let (stdout, error) = run_with_code(2, &agents_call(&call));
    assert!(stdout.contains("Figure 10") && error.contains("is a folder"), "{stdout}{error}");
    // A malformed line in the middle is an error.
    fs::write(&games, format!("nonsense\n{text}")).unwrap();
    let (_, error) = run_with_code(2, &agents_call(&call));
    assert!(error.contains("line 1 is no game"), "{error}");
}

fn line_count(path: &Path) -> usize {
    fs::read_to_string(path).unwrap().lines().count()
}

#[test]
fn bad_studies_of_agents_are_refused() {
    let folder = TestFolder::new();
    let (name, file) = (&*folder.path(""), &*folder.path("precious"));
    fs::write(file, "text").unwrap();
    for (more, part) in [
        (vec!["--table", "7"], "8 to 19"),
        (vec!["--scale", "0"], "above 0"),
        (vec!["--scale", "-1"], "above 0"),
        (vec!["--seed", "-1"], "--seed"),
        (vec!["--game", "onitama:5x5:boar"], "--game is for"),
        (vec!["--solved", "a.table"], "--solved is for"),
        (vec!["--out", name], "not of this study"),
        (vec!["--out", file], "is no folder"),
    ] {
        let error = refusal(&agents_call(&more));
        assert!(error.contains(part), "{error}");
    }
    let many = ["study", "onitama-agents", "--playouts", "100001"];
    assert!(refusal(&many).contains("from 1 to 100000"));
    let other = ["study", "onitama-thesis", "--scale", "0.1"];
    assert!(refusal(&other).contains("are for onitama-agents"));
    assert_eq!(fs::read_dir(name).unwrap().count(), 1);
}

#[test]
fn an_atlas_keeps_sets_and_draws_pages() {
    let folder = TestFolder::new();
    let name = &*folder.path("atlas");
    let out = Path::new(name);
    let call = ["study", "onitama-atlas", "--quiet", "--table", "2x3", "--out", name];
    let short = [&call[..], &["--seconds", "0.01"]].concat();
    let some = json(&short);
    assert_eq!((&some[0]["table"], &some[0]["row"]), (&"boards".into(), &"sets".into()));
    let sets_file = out.join("sets").join("2x3.jsonl");
    let sets = line_count(&sets_file);
    assert_eq!(some[0]["ours"], sets.to_string());
    assert!(
        fs::read_to_string(out.join("atlas-2x3.svg"))
            .unwrap()
            .contains("sets of five cards on 2x3")
    );
    assert!(fs::read(out.join("atlas-2x3.png")).unwrap().starts_with(b"\x89PNG"));
    assert!(answer(&short).contains("2x3: the fairest sets"));
    assert!(line_count(&sets_file) > sets);
    let table = |name: &str| fs::read_to_string(out.join(name)).unwrap();
    assert_eq!(line_count(&sets_file) + 1, table("sets-2x3.csv").lines().count());
    // The spec of a deal can be solved by itself.
    let deals = table("deals-2x3.csv");
    let mut reader = csv::Reader::from_reader(deals.as_bytes());
    let deal = reader.records().next().unwrap().unwrap();
    let value = start_value(&deal[1]);
    assert_eq!(value.wdl().to_string(), deal[2]);
    assert_eq!(value.remoteness().map_or(String::new(), |plies| plies.to_string()), deal[3]);
    // The error names the number of a malformed line.
    fs::write(&sets_file, "{}\n").unwrap();
    let (_, error) = run_with_code(2, &call);
    assert!(error.contains("line 1 is no set"), "{error}");
    assert!(refusal(&[&call[..], &["--seed", "2"]].concat()).contains("--seed 1"));
    let atlas = ["study", "onitama-atlas", "--quiet"];
    for (more, expected) in [
        (["--table", "3x"], "such as 3x4"),
        (["--table", "6x6"], "at most 32 squares"),
        (["--game", "ostle"], "--table"),
        (["--scale", "2"], "onitama-agents"),
        (["--solved", "x.table"], "for ostle"),
    ] {
        assert!(refusal(&[&atlas[..], &more].concat()).contains(expected), "{more:?}");
    }
    let (_, error) =
        run_with_code(2, &[&atlas[..], &["--table", "3x4", "--memory", "1M"]].concat());
    assert!(error.contains("bytes of memory"), "{error}");
    let seeds = ["study", "ostle", "--seed", "1"];
    assert!(refusal(&seeds).contains("onitama-agents, onitama-atlas, onitama-deals and lure"));
}

#[test]
fn deals_are_kept_in_sqlite_and_resumed() {
    let folder = TestFolder::new();
    let name = &*folder.path("deals");
    let study = ["study", "onitama-deals", "--quiet", "--table", "3x3"];
    let call = [&study[..], &["--out", name]].concat();
    let rows = || {
        let file = Path::new(name).join("deals").join("deals.sqlite");
        let database = rusqlite::Connection::open(file).expect("a database");
        let mut select = database
            .prepare("SELECT game, mover_wins, other_wins, best_move FROM deals ORDER BY number")
            .expect("our table");
        let row = |row: &rusqlite::Row<'_>| {
            let wins: [Option<bool>; 2] = [row.get(1)?, row.get(2)?];
            Ok((row.get::<_, String>(0)?, wins, row.get::<_, Option<String>>(3)?))
        };
        let rows = select.query_map([], row).expect("rows");
        rows.map(|row| row.expect("a row")).collect::<Vec<_>>()
    };
    let two = json(&[&call[..], &["--deals", "2"]].concat());
    assert_eq!((&two[0]["column"], &two[0]["ours"]), (&"deals".into(), &"2".into()));
    assert_eq!(rows().len(), 2);
    let text = answer(&[&call[..], &["--deals", "4"]].concat());
    assert!(text.contains("Deals by what is known of them after a time"), "{text}");
    let found = rows();
    assert_eq!(found.len(), 4);
    for (spec, wins, best) in found {
        let value = match wins {
            [Some(true), _] => Wdl::Win,
            [_, Some(true)] => Wdl::Loss,
            _ => Wdl::Draw,
        };
        assert_eq!(start_value(&spec).wdl(), value, "{spec}");
        assert_eq!(best.is_none(), value == Wdl::Loss, "{spec}");
    }
    let wrong = [
        (&["--seed", "2", "--out", name][..], "name another folder"),
        (&["--table", "2x3"], "of one board"),
        (&["--deals", "0"], "from 1 to 1000000"),
        (&["--scale", "2"], "onitama-agents"),
    ];
    for (options, about) in wrong {
        let error = refusal(&[&study[..], options].concat());
        assert!(error.contains(about), "{options:?}: {error}");
    }
    let other = refusal(&["study", "onitama-atlas", "--deals", "3"]);
    assert!(other.contains("onitama-deals"), "{other}");
}

/// Arguments of a study of lures in a small game.
fn lure_call<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let call = ["study", "lure", "--quiet", "--game", "tic-tac-toe"];
    [&call, more].concat()
}

#[test]
fn a_study_of_lures_keeps_games() {
    let folder = TestFolder::new();
    let name = &*folder.path("lures");
    let out = Path::new(name);
    let few = ["--opponent", "random", "-n", "6", "--out", name];
    let cells = json(&lure_call(&few));
    let columns = cells.as_array().unwrap().iter();
    let columns: Vec<_> = columns.map(|cell| cell["column"].as_str().unwrap()).collect();
    assert_eq!(columns, ["perfect", "lure", "gain", "lost"]);
    let games = out.join("games").join("lure-random.jsonl");
    assert_eq!(line_count(&games), 6);
    let opponents = ["--opponent", "random", "--opponent", "ALPHABETA:depth=2"];
    let more = [&opponents[..], &["-n", "10", "--out", name]].concat();
    let first_report = fs::read(out.join("report.csv")).unwrap();
    let mut call = lure_call(&[&more[..], &["--json"]].concat());
    call.retain(|&argument| argument != "--quiet");
    let (stdout, message) = run_with_code(0, &call);
    let message = message.replace('\n', " ");
    assert!(message.contains("(then -n 6, now --opponent alphabeta:depth=2 -n 10)"), "{message}");
    let kept = out.join("earlier-1").join("report.csv");
    assert_eq!(fs::read(kept).unwrap(), first_report);
    let cells: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(line_count(&games), 10);
    assert_eq!(cells, json(&lure_call(&more[..6])));
    let report = fs::read_to_string(out.join("report.csv")).unwrap();
    assert!(report.contains("\nwon,alphabeta:depth=2,lost,,0,new,"), "{report}");
    // Another game or seed in this folder is refused with the difference.
    let seed = refusal(&lure_call(&["--seed", "2", "--out", name]));
    assert!(seed.contains("--seed 1") && seed.contains("--seed 2"), "{seed}");
    let game = ["study", "lure", "--game", "quoridor:3x3:1:edge=open", "--quiet"];
    let game = refusal(&[&game[..], &["--out", name]].concat());
    assert!(game.contains("--game tic-tac-toe, not of --game quoridor"), "{game}");
    // Games that are changed are refused.
    let text = fs::read_to_string(&games).unwrap();
    fs::write(&games, text.replace("\"start\"", "\"fault\"")).unwrap();
    let (_, error) = run_with_code(2, &lure_call(&more));
    assert!(error.contains("begins elsewhere"), "{error}");
    for (from, to, fault) in [
        ("\"moves\":[\"", "\"moves\":[\"z9\",\"", "has a wrong move"),
        ("\"winner\":0", "\"winner\":1", "has another winner"),
    ] {
        assert!(text.contains(from), "{text}");
        fs::write(&games, text.replace(from, to)).unwrap();
        let (_, error) = run_with_code(2, &lure_call(&more));
        assert!(error.contains(fault), "{error}");
    }
}

#[test]
fn bad_studies_of_lures_are_refused() {
    for (more, part) in [
        (vec!["--opponent", "perfect"], "sees no values"),
        (vec!["--opponent", "cmd:bot"], "a program is no opponent"),
        (vec!["--opponent", "mcst"], "did you mean 'mcts'?"),
        (vec!["-n", "0"], "a number of games from 1 to 1000000"),
        (vec!["--table", "1"], "lure has one table"),
        (vec!["--seconds", "3"], "no limit of time"),
        (vec!["--deals", "3"], "--deals is for"),
        (vec!["--part", "1/2"], "--part is for"),
        (vec!["--solved", "a", "--solved", "b"], "--solved once"),
    ] {
        let error = refusal(&lure_call(&more));
        assert!(error.contains(part), "{error}");
    }
    let won = refusal(&["study", "lure", "--game", "dodgem:3x3", "--quiet"]);
    assert!(won.contains("of dodgem:3x3 is a win in"), "{won}");
    let other = refusal(&["study", "onitama-thesis", "--opponent", "mcts"]);
    assert!(other.contains("are for lure"), "{other}");
}

#[test]
fn a_study_takes_tables_instead_of_solving() {
    let folder = TestFolder::new();
    let table = |spec: &str, name: &str| {
        let path = folder.path(name);
        let options = Options { table: Some(path.clone().into()), ..Options::default() };
        let game = hindsight_games::game(spec).expect("a spec");
        game.solve(Method::Auto, &options).expect("a small game");
        path
    };
    let exact = table("ostle:3x3:2:1", "exact.table");
    let paper = table("ostle:3x3:2:1:rule8=paper", "paper.table");
    let game = ["study", "ostle", "--game", "ostle:3x3:2:1", "--quiet"];
    for tables in [["--table", "2"], ["--table", "totals"]] {
        let args = [&game[..], &tables].concat();
        let known = ["--solved", &exact, "--solved", &paper];
        assert_eq!(json(&[&args[..], &known].concat()), json(&args));
    }
    let official = ["study", "ostle", "--table", "2", "--solved", &exact];
    assert!(refusal(&official).contains("--game names another"));
    let other = ["study", "onitama-thesis", "--solved", &exact];
    assert!(refusal(&other).contains("--solved is for ostle"));
}
