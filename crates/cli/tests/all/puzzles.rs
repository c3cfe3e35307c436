//! `puzzles`: certificates checked by the rules alone, grades, counts, samples and sheets.

use std::collections::HashSet;
use std::fs;
use std::time::Instant;

use hindsight_core::{Game, Notation, PackedGame, Value, Wdl};
use hindsight_games::{Options, PuzzleSearch};
use hindsight_rules::{Setup, by_name};
use serde_json::{Value as Json, json};

use crate::harness::{self, TestFolder, answer, refusal};

fn json(args: &[&str]) -> Json {
    harness::json(&[args, &["--quiet"]].concat())
}

fn list(json: &Json) -> &Vec<Json> {
    json.as_array().expect("a list")
}

fn value(json: &Json) -> Value {
    let plies = || json["remoteness"].as_u64().expect("plies") as u16;
    match json["value"].as_str() {
        Some("win") => Value::Win(plies()),
        Some("loss") => Value::Loss(plies()),
        Some("draw") => Value::Draw,
        other => panic!("{other:?} is no value"),
    }
}

/// Checks a proof by the rules: moves are legal, values follow from successors, leaves are
/// terminal, and the solver has one move.
struct ProofCheck<'a> {
    full: bool,
    proved: &'a Json,
}

impl ProofCheck<'_> {
    fn check(&self, game: &PackedGame) {
        let nodes = list(&self.proved["positions"]);
        assert_eq!(nodes[0]["position"], self.proved["position"]);
        assert_eq!(value(&nodes[0]), value(self.proved));
        let mut reached = HashSet::from([0]);
        for (number, node) in nodes.iter().enumerate() {
            assert!(reached.contains(&(number as u64)), "a position that nothing leads to");
            let position = game.parse(node["position"].as_str().unwrap());
            let position = position.expect("a position");
            if let Some(wdl) = game.terminal(position) {
                assert_eq!((value(node), list(&node["moves"]).len()), (Value::terminal(wdl), 0));
                continue;
            }
            let mut legal = Vec::new();
            game.moves(position, &mut legal);
            let moves = list(&node["moves"]);
            assert_eq!(moves.len(), legal.len());
            for (&mv, entry) in legal.iter().zip(moves) {
                assert_eq!(entry["move"], game.format_move(position, mv));
                let Some(to) = entry["to"].as_u64() else {
                    continue;
                };
                reached.insert(to);
                let to = &nodes[to as usize];
                assert_eq!(to["position"], game.format(game.play(position, mv)));
                assert_eq!(value(to).before(), value(entry));
            }
            self.check_choice(node);
        }
        assert_eq!(reached.len(), nodes.len());
    }

    fn check_choice(&self, node: &Json) {
        let moves = list(&node["moves"]);
        assert_eq!(moves.iter().map(value).max(), Some(value(node)));
        let is_best = |mv: &&Json| value(mv) == value(node);
        let followed = |mv: &Json| !mv["to"].is_null();
        match (node["solver"].as_bool().unwrap(), value(node).wdl()) {
            (true, Wdl::Win) => {
                let best: Vec<&Json> = moves.iter().filter(is_best).collect();
                assert!(best.len() == 1 || self.full, "{node}");
                assert_eq!(best.into_iter().filter(|mv| followed(mv)).count(), 1);
                assert_eq!(moves.iter().filter(|mv| followed(mv)).count(), 1);
            }
            (false, Wdl::Loss) => {
                let all = moves.iter().all(|mv| followed(mv) == (self.full || is_best(&mv)));
                assert!(all, "{node}");
            }
            (true, Wdl::Draw) => {
                assert_eq!(moves.iter().filter(is_best).count(), 1);
                assert!(moves.iter().all(|mv| !followed(mv)));
            }
            other => panic!("{other:?} in a proof"),
        }
    }
}

#[test]
fn certificates_hold_by_the_rules_alone() {
    let folder = TestFolder::new();
    let file = folder.path("proof.json");
    let ostle = folder.solve("ostle:3x3:3:1", &[]).0;
    let calls: [&[&str]; 5] = [
        &[&ostle],
        &[&ostle, "--theme", "quiet", "--max-plies", "7", "--full"],
        &["onitama:3x3:boar", "--count", "4"],
        &["tic-tac-toe", "--theme", "swindle"],
        &["quoridor:3x3:1", "--theme", "only", "--min-plies", "3"],
    ];
    for call in calls {
        let report = json(&[&["puzzles", "--certificate", &file, "--force"], call].concat());
        let proof: Json = serde_json::from_slice(&fs::read(&file).unwrap()).expect("JSON");
        let full = call.contains(&"--full");
        assert_eq!((&proof["full"], &proof["game"]), (&json!(full), &report["game"]));
        let puzzles = list(&proof["puzzles"]);
        assert_eq!(puzzles.len(), list(&report["puzzles"]).len());
        assert!(!puzzles.is_empty(), "{call:?}");
        for (proved, puzzle) in puzzles.iter().zip(list(&report["puzzles"])) {
            for key in ["position", "player", "value", "remoteness"] {
                assert_eq!(proved[key], puzzle[key]);
            }
            let spec = report["game"].as_str().unwrap();
            let game = by_name(spec, &Setup::default()).expect("a spec");
            ProofCheck { full, proved }.check(&game);
        }
    }
}

#[test]
fn puzzles_are_graded_and_sorted() {
    let folder = TestFolder::new();
    let table = folder.solve("ostle:3x3:3:1", &[]).0;
    let all = ["puzzles", &table, "--theme", "quiet", "--alike", "--count"];
    let report = json(&[&all[..], &["1000000"]].concat());
    let puzzles = list(&report["puzzles"]);
    assert_eq!(report["found"], json!(puzzles.len()));
    assert_eq!(report["scanned"]["scope"], "all");
    let key = |puzzle: &Json| {
        let grade = &puzzle["grade"];
        let number = |key: &str| grade[key].as_u64().unwrap();
        assert_eq!(grade["plies"], puzzle["remoteness"]);
        (number("plies"), number("tempting"), grade["quiet"].as_bool(), number("wrong"))
    };
    assert!(puzzles.windows(2).all(|two| key(&two[0]) >= key(&two[1])));
    for puzzle in puzzles.iter().step_by(9) {
        let line = list(&puzzle["line"]);
        assert_eq!(json!(line.len()), puzzle["remoteness"]);
        let probed = json(&["probe", &table, puzzle["position"].as_str().unwrap()]);
        assert_eq!(
            (&probed["value"], &probed["remoteness"]),
            (&json!("win"), &puzzle["remoteness"])
        );
        let best = list(&probed["moves"]);
        assert_eq!(best[0]["move"], line[0]["move"]);
        assert_ne!(best[0]["remoteness"], best[1]["remoteness"]);
    }
    let few = json(&[&all[..], &["2"]].concat());
    assert_eq!(list(&few["puzzles"])[..], puzzles[..2]);
    let different = json(&["puzzles", &table, "--theme", "quiet", "--count", "20"]);
    let different = list(&different["puzzles"]);
    assert_eq!(different[0], puzzles[0]);
    assert!(different.len() > 2 && different.iter().all(|puzzle| puzzles.contains(puzzle)));
    let text = answer(&["puzzles", &table, "--count", "2", "--quiet"]);
    for part in [
        "no two alike, hardest first",
        "of 5 stars",
        "in the table",
        "1. Black to move wins in",
        "tempting",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
}

#[test]
fn counts_agree_with_what_is_found() {
    let folder = TestFolder::new();
    let ostle = folder.solve("ostle:3x3:3:1", &[]).0;
    let fast = json(&["puzzles", &ostle, "--theme", "sacrifice", "--tally"]);
    let rows = list(&fast["rows"]);
    assert!(rows.iter().all(|row| row["remoteness"].as_u64() > Some(1)));
    assert!(fast["total"]["puzzles"].as_u64() > Some(0));
    // A sample is scanned state by state; this one has every position.
    let slow = ["puzzles", &ostle, "--theme", "sacrifice", "--tally", "--sample", "1000000"];
    let slow = json(&slow);
    assert_eq!(slow["scanned"]["positions"], fast["scanned"]["positions"]);
    for key in ["puzzles", "only_move", "only_first", "only_line"] {
        assert_eq!(slow["total"][key], fast["total"][key], "{key}");
    }
    assert!(
        answer(&["puzzles", &ostle, "--theme", "sacrifice", "--tally"]).contains("not at once")
    );

    let table = folder.solve("onitama:3x3:boar", &[]).0;
    for (unique, key) in [("line", "only_line"), ("first", "only_first"), ("win", "only_move")] {
        let found = json(&["puzzles", &table, "--theme", "sacrifice", "--unique", unique]);
        let tally = json(&["puzzles", &table, "--theme", "sacrifice", "--tally"]);
        assert_eq!(tally["total"][key], found["found"], "{unique}");
    }
    assert!(answer(&["puzzles", &table, "--tally"]).contains("won positions"));
}

#[test]
fn a_seed_draws_the_same_again() {
    let folder = TestFolder::new();
    for spec in ["ostle:3x3:2:1", "quoridor:3x3:1"] {
        let table = folder.solve(spec, &[]).0;
        let draw = |seed| json(&["puzzles", &table, "--sample", "300", "--seed", seed]);
        let first = draw("1");
        assert_eq!(first, draw("1"));
        assert_ne!(first["puzzles"], draw("2")["puzzles"]);
        assert_eq!(
            (&first["scanned"]["scope"], &first["scanned"]["seed"]),
            (&json!("sample"), &json!(1))
        );
    }
}

/// Puzzles of the library as the command shows them.
fn library_puzzles(table: &str, search: &PuzzleSearch) -> Json {
    let table = hindsight_games::open(table).expect("a table");
    let game = table.game();
    let found = table.values().puzzles(search, &Options::default()).expect("puzzles");
    let puzzles = found.puzzles.iter().map(|puzzle| {
        let text = |position| game.format(position).expect("a position");
        let player = game.player_to_move(&puzzle.position).expect("a player");
        let line = puzzle.line.iter().map(|(position, mv)| {
            let mv = game.format_move(position, mv).expect("a move");
            json!({"position": text(position), "move": mv})
        });
        json!({
            "position": text(&puzzle.position),
            "player": game.player_names()[player],
            "value": puzzle.value.wdl().to_string(),
            "remoteness": puzzle.value.remoteness(),
            "line": line.collect::<Vec<_>>(),
            "end": text(&puzzle.end),
            "grade": {
                "plies": puzzle.grade.plies,
                "tempting": puzzle.grade.tempting_moves,
                "quiet": puzzle.grade.quiet_start,
                "wrong": puzzle.grade.wrong_moves,
                "stars": puzzle.grade.stars(),
            },
        })
    });
    let puzzles: Vec<Json> = puzzles.collect();
    json!({"found": found.found, "positions": found.places, "puzzles": puzzles})
}

#[test]
fn the_library_finds_the_same_puzzles_in_a_sample() {
    let folder = TestFolder::new();
    for spec in ["ostle:3x3:2:1", "quoridor:3x3:1", "onitama:3x3:boar"] {
        let table = folder.solve(spec, &[]).0;
        for (sample, seed) in [(300, 1), (2000, 7)] {
            let numbers = [sample.to_string(), seed.to_string()];
            let mut call = vec!["puzzles", &table, "--sample", &numbers[0]];
            call.extend(["--seed", &numbers[1]]);
            let shown = json(&call);
            let search = PuzzleSearch { sample: Some(sample), seed, ..PuzzleSearch::default() };
            let found = library_puzzles(&table, &search);
            assert!(found["found"].as_u64() > Some(0), "{spec}");
            assert_eq!(shown["found"], found["found"], "{spec}");
            assert_eq!(shown["scanned"]["positions"], found["positions"], "{spec}");
            assert_eq!(shown["puzzles"], found["puzzles"], "{spec}");
        }
    }
}

#[test]
fn a_choice_is_the_same_with_any_number_of_threads() {
    let folder = TestFolder::new();
    let table = folder.solve("ostle:3x3:3:1", &[]).0;
    for game in [&table, "onitama:3x4:boar"] {
        for way in [&[][..], &["--mix"], &["--alike"]] {
            let call = |threads| json(&[&["puzzles", game, "--threads", threads], way].concat());
            assert_eq!(call("1"), call("3"), "{game} {way:?}");
        }
    }
}

#[test]
fn a_mix_goes_from_easy_to_hard() {
    let lengths = |more: &[&str]| {
        let mix = json(&[&["puzzles", "onitama:3x4:boar", "--mix"], more].concat());
        let lines = list(&mix["puzzles"]).iter().map(|puzzle| list(&puzzle["line"]).len());
        lines.collect::<Vec<_>>()
    };
    assert!(lengths(&[]).iter().all(|&plies| plies >= 3));
    assert_eq!(lengths(&["--min-plies", "1"])[0], 1);
    assert!(lengths(&["--max-plies", "2"]).iter().all(|&plies| plies == 1));
    let mix = json(&["puzzles", "onitama:3x4:boar", "--mix"]);
    let grades: Vec<&Json> = list(&mix["puzzles"]).iter().map(|puzzle| &puzzle["grade"]).collect();
    let stars: Vec<u64> = grades.iter().filter_map(|grade| grade["stars"].as_u64()).collect();
    assert_eq!(stars.len(), 10);
    assert!(stars.is_sorted() && stars[0] < stars[9], "{stars:?}");
    let text = answer(&["puzzles", "onitama:3x4:boar", "--mix", "--count", "3", "--quiet"]);
    assert!(text.contains("no two alike, easiest first"), "{text}");
    assert!(text.contains("\n2 of 5 stars: 3 plies, "), "{text}");
}

#[test]
fn games_that_are_too_large_are_refused_at_once() {
    let calls = [
        "puzzles ostle",
        "puzzles onitama:5x5:tiger,crab,monkey,crane,dragon --mix",
        "puzzles quoridor:5x5:3",
        "line ostle",
        "line onitama:5x5:boar",
    ];
    for call in calls {
        let begin = Instant::now();
        let words: Vec<&str> = call.split(' ').chain(["--quiet"]).collect();
        let error = refusal(&words);
        assert_eq!(error.lines().count(), 1, "{error}");
        assert!(error.contains("too many"), "{error}");
        // Larger tables are advised where there is room for them.
        assert!(error.contains("--out") || !call.contains("quoridor"), "{error}");
        let seconds = begin.elapsed().as_secs();
        assert!(seconds < 20, "{call}: {seconds} s");
    }
    // No solve is known to write a table.
    for spec in ["quoridor:9x9:10", "four:7x6"] {
        let error = refusal(&["puzzles", spec, "--quiet"]);
        assert!(error.contains("too many") && !error.contains("--out"), "{error}");
    }
}

#[test]
fn sheets_have_every_puzzle() {
    let folder = TestFolder::new();
    let file = folder.path("sheet.svg");
    let call = ["puzzles", "tic-tac-toe", "--alike", "--count", "5", "--svg", &file];
    let text = answer(&call);
    assert!(text.contains("sheet-solutions.svg"), "{text}");
    let sheet = fs::read_to_string(&file).unwrap();
    let solutions = fs::read_to_string(folder.path("sheet-solutions.svg")).unwrap();
    assert!(sheet.contains(">5.</text>") && !sheet.contains("tempting"), "{sheet}");
    assert!(sheet.contains("to move wins in 3 moves</text>"), "{sheet}");
    assert!(solutions.contains(">5.</text>") && solutions.contains("tempting"), "{solutions}");
    assert!(refusal(&["puzzles", "tic-tac-toe", "--svg", &file]).contains("--force"));
}

#[test]
fn more_than_ten_puzzles_are_on_numbered_pages() {
    let folder = TestFolder::new();
    let file = folder.path("s.svg");
    let call = ["puzzles", "onitama:3x4:boar", "--paper", "letter", "--count"];
    answer(&[&call[..], &["13", "--svg", &file]].concat());
    let names = ["s-1.svg", "s-2.svg", "s-solutions-1.svg", "s-solutions-2.svg"];
    assert_eq!(harness::file_names(folder.0.path()), names);
    let second = fs::read_to_string(folder.path("s-2.svg")).unwrap();
    assert!(second.contains(">13.</text>") && second.contains("width=\"612pt\""), "{second}");
    // There are no 40 different puzzles: pages without puzzles are not written.
    let file = folder.path("few.svg");
    answer(&["puzzles", "tic-tac-toe", "--count", "40", "--svg", &file]);
    let names = harness::file_names(folder.0.path());
    assert!(names.contains(&String::from("few-1.svg")), "{names:?}");
    assert!(!names.contains(&String::from("few-4.svg")), "{names:?}");
}

#[cfg(feature = "pdf")]
#[test]
fn pages_are_in_one_pdf_or_in_pictures() {
    let folder = TestFolder::new();
    let (pdf, png) = (folder.path("s.pdf"), folder.path("s.png"));
    let call = ["puzzles", "onitama:3x4:boar", "--mix", "--count", "4", "--quiet"];
    answer(&[&call[..], &["--pdf", &pdf, "--png", &png]].concat());
    let bytes = fs::read(&pdf).unwrap();
    assert!(bytes.starts_with(b"%PDF-") && bytes.len() < 100_000, "{}", bytes.len());
    let has = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
    assert!(has(b"/Count 2") && has(b"/FontFile2"));
    for name in ["s.png", "s-solutions.png"] {
        let bytes = fs::read(folder.path(name)).unwrap();
        assert!(bytes.starts_with(b"\x89PNG"), "{name}");
    }
    let first = answer(&[&call[..], &["--pdf", &pdf, "--force"]].concat());
    assert!(first.contains("Written: "), "{first}");
    assert_eq!(fs::read(&pdf).unwrap(), bytes, "a sheet is the same each time");
}

#[test]
fn bad_options_are_refused_with_a_reason() {
    let folder = TestFolder::new();
    let nothing = folder.path("no.table");
    let out = folder.path("out.svg");
    let cases: [(&[&str], &str); 26] = [
        (&["quoridor:3x3:1", "--theme", "sacrifice"], "no pieces to lose"),
        (&["tic-tac-toe", "--theme", "sacrifice", "--tally"], "no pieces to lose"),
        (&["tic-tac-toe", "--theme", "zugzwang"], "swindle"),
        (&["tic-tac-toe", "--count", "0"], "1 to 1000000000"),
        (&["tic-tac-toe", "--min-plies", "-3"], "number of plies"),
        (&["tic-tac-toe", "--min-plies", "5", "--max-plies", "3"], "more than --max-plies"),
        (&["tic-tac-toe", "--theme", "swindle", "--max-plies", "3"], "no length"),
        (&["tic-tac-toe", "--seed", "1"], "draw from a table"),
        (&["tic-tac-toe", "--full"], "--certificate"),
        (&["tic-tac-toe", "--tally", "--count", "3"], "--count"),
        (&["tic-tac-toe", "--svg", "sheet.png"], ".svg"),
        (&["tic-tac-toe", "--svg", &out, "--certificate", &out], "same file"),
        (&["tic-tac-toe", "--pdf", "sheet.svg"], ".pdf"),
        (&["tic-tac-toe", "--png", "sheet"], ".png"),
        (&["tic-tac-toe", "--pdf", "/no/folder/s.pdf"], "/no/folder"),
        (&["tic-tac-toe", "--paper", "a4"], "--svg"),
        (&["tic-tac-toe", "--svg", &out, "--paper", "a5"], "letter"),
        (&["tic-tac-toe", "--mix", "--alike"], "--alike"),
        (&["tic-tac-toe", "--mix", "--tally"], "--tally"),
        (&["tic-tac-toe", "--mix", "--count", "1"], "two puzzles"),
        (&["tic-tac-toe", "--mix", "--count", "101"], "at most 100"),
        (&["tic-tac-toe", "--count", "1001"], "--alike"),
        (&["tic-tac-toe", "--alike", "--count", "1001", "--svg", &out], "at most 1000"),
        (&["tic-tac-toe", "--min-plies", "9", "--svg", &out], "no puzzle was found"),
        (&["chess"], "no game"),
        (&[&nothing], "no file"),
    ];
    for (call, part) in cases {
        let error = refusal(&[&["puzzles"], call].concat());
        assert!(error.contains(part), "{call:?}: {error}");
    }
    assert!(refusal(&["puzzles", "onitama:4x4:boar", "--memory", "1M"]).contains("--memory"));
    let table = folder.solve("ostle:3x3:3:1", &[]).0;
    for call in [&["--theme", "only"][..], &["--theme", "sacrifice", "--tally"]] {
        let small = [&["puzzles", &table, "--memory", "100"], call].concat();
        assert!(refusal(&small).contains("does not fit in memory"), "{call:?}");
    }
    let mut bytes = fs::read(&table).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&table, &bytes).unwrap();
    assert!(refusal(&["puzzles", &table, "--quiet"]).contains("is damaged"));
    let left = fs::read_dir(folder.0.path()).unwrap().count();
    assert_eq!(left, 1);
}
