//! `tournament`: games between several agents, and their ratings.

use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::harness::{TestFolder, answer, json as answer_json, refusal, run_with_code};
use crate::running::wait_for;

/// Agents of quick games.
const AGENTS: [&str; 4] = ["level:1", "MC:playouts=30", "random", "level:2"];

/// Returns a call of a tournament on a small board.
fn call<'a>(options: &[&'a str]) -> Vec<&'a str> {
    let game = ["--game", "quoridor:3x3:1", "--seed", "7"];
    [&["tournament"], &AGENTS[..], &game, options].concat()
}

fn lines(path: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).expect("a file of games");
    text.lines().map(String::from).collect()
}

/// Returns a report without what depends on the time.
fn timeless(mut report: Value) -> Value {
    report.as_object_mut().expect("an object").remove("seconds");
    for agent in report["agents"].as_array_mut().expect("agents") {
        agent.as_object_mut().expect("an object").remove("seconds_a_move");
    }
    report
}

#[test]
fn pairs_play_the_games_of_their_matches() {
    let folder = TestFolder::new();
    let games = folder.path("games.jsonl");
    for game in ["quoridor:3x3:1", "onitama:3x4:random"] {
        let agents = ["mc:playouts=20", "random", "alphabeta:depth=2"];
        let options = ["-n", "6", "--opening", "2", "--quiet", "--game", game];
        let kept = ["--games", &games, "--force"];
        let report = answer_json(&[&["tournament"], &agents[..], &options, &kept].concat());
        let kept = lines(&games);
        assert_eq!(kept.len(), 1 + 18);
        for pair in report["pairs"].as_array().expect("pairs") {
            let [first, last] = [0, 1].map(|i| pair["agents"][i].as_str().expect("a name"));
            let own = folder.path("match.jsonl");
            let files = ["--games", &own, "--force"];
            let single = answer_json(&[&["match", first, last], &options[..], &files].concat());
            for key in ["games", "wins", "ties"] {
                assert_eq!(single[key], pair[key], "{first} {last} {key}");
            }
            let moves = |lines: Vec<String>| {
                let games = lines.iter().map(|line| serde_json::from_str(line).expect("JSON"));
                let games = games.filter(|game: &Value| game["agents"] == pair["agents"]);
                let mut games: Vec<Value> = games.collect();
                games.sort_by_key(|game| game["number"].as_u64());
                let games = games.into_iter().map(|game| json!([game["start"], game["moves"]]));
                games.collect::<Vec<_>>()
            };
            assert_eq!(moves(lines(&own)), moves(kept.clone()), "{first} {last}");
            assert!(moves(lines(&own))[0][0].is_string(), "an opening");
        }
    }
}

#[test]
fn agents_are_rated_in_json_and_as_tables() {
    let report = answer_json(&call(&["-n", "20", "--quiet"]));
    assert_eq!((&report["games"], &report["games_a_pair"]), (&json!(120), &json!(20)));
    assert_eq!((&report["anchor"], &report["gauntlet"]), (&Value::Null, &json!(false)));
    for (key, value) in [("max_turns", 100), ("opening", 0), ("seed", 7)] {
        assert_eq!(report[key], value);
    }
    let agents = report["agents"].as_array().expect("agents");
    let number = |agent: &Value, key: &str| agent[key].as_f64().expect("a number");
    let sum: f64 = agents.iter().map(|agent| number(agent, "rating")).sum();
    assert!(sum.abs() < 0.5, "the mean is 0: {sum}");
    assert!(agents.is_sorted_by(|a, b| number(a, "rating") >= number(b, "rating")));
    for agent in agents {
        assert_eq!((&agent["games"], &agent["first_fault"]), (&json!(60), &Value::Null));
        let games = ["wins", "ties", "losses"].map(|key| number(agent, key));
        assert_eq!(games.iter().sum::<f64>(), 60.0);
        assert_eq!(number(agent, "points"), games[0] + games[1] / 2.0);
        let [low, high] = [0, 1].map(|i| agent["interval"][i].as_f64().expect("a bound"));
        let middle = (low + high) / 2.0;
        assert!((middle - number(agent, "rating")).abs() < 0.2 && high - low > 50.0, "{agent}");
    }
    assert_eq!(report["pairs"].as_array().expect("pairs").len(), 6);
    // An anchor moves all ratings alike; one thread plays the same games.
    let options = ["-n", "20", "--quiet", "--anchor", "Random", "--threads", "1"];
    let anchored = answer_json(&call(&options));
    assert_eq!((&anchored["pairs"], &anchored["anchor"]), (&report["pairs"], &json!("random")));
    let zero = anchored["agents"].as_array().expect("agents").iter();
    let zero = zero.clone().find(|agent| agent["agent"] == "random").expect("the anchor");
    assert_eq!((&zero["rating"], &zero["interval"]), (&json!(0.0), &json!([0.0, 0.0])));
    let text = answer(&call(&options));
    assert!(text.starts_with("quoridor:3x3:1: 120 games of at most 100 plies, seed 7\n"), "{text}");
    assert!(text.contains("\nElo 0 is random.\n"), "{text}");
    assert!(text.contains("\nPoints of each agent against each other, in 20 games a pair:\n"));
}

#[test]
fn a_gauntlet_is_of_the_first_agent_alone() {
    let folder = TestFolder::new();
    let games = folder.path("games.jsonl");
    let options = ["-n", "4", "--quiet", "--games", &games];
    let gauntlet = call(&[&options[..], &["--gauntlet"]].concat());
    let report = answer_json(&gauntlet);
    let pairs = report["pairs"].as_array().expect("pairs");
    assert_eq!((pairs.len(), &report["games"]), (3, &json!(12)));
    assert!(pairs.iter().all(|pair| pair["agents"][0] == "level:1"));
    // The other pairs are missing in a round robin, and no others.
    let whole = answer_json(&call(&options));
    assert_eq!((&whole["games"], lines(&games).len()), (&json!(24), 25));
    assert_eq!(timeless(whole), timeless(answer_json(&call(&["-n", "4", "--quiet"]))));
    let error = refusal(&gauntlet);
    assert!(error.contains("no pair of this tournament: leave out --gauntlet"), "{error}");
}

#[test]
fn a_tournament_goes_on_with_the_games_of_its_file() {
    let folder = TestFolder::new();
    let games = folder.path("games.jsonl");
    let options = ["-n", "6", "--games", &games];
    let (_, note) = run_with_code(0, &call(&options));
    assert_eq!(note, "");
    let whole = timeless(answer_json(&call(&["-n", "6", "--quiet"])));
    let kept = lines(&games);
    assert_eq!(kept.len(), 1 + 36);
    // Some games are missing, and a kill has left half a line.
    let cut = [&kept[..5], &kept[9..20]].concat().join("\n") + "\n" + &kept[20][..40];
    std::fs::write(&games, cut).expect("a file");
    let (out, note) = run_with_code(0, &call(&[&options[..], &["--json"]].concat()));
    let note = note.replace('\n', " ");
    assert!(note.contains("line 17 of '") && note.contains("is half a line"), "{note}");
    assert!(note.contains("note: 15 games of '") && note.contains("count as played"), "{note}");
    assert_eq!(timeless(serde_json::from_str(&out).expect("JSON")), whole);
    assert_eq!(lines(&games).len(), 37);
    // Nothing is missing now, and other readers know the file.
    let again = answer_json(&call(&[&options[..], &["--quiet"]].concat()));
    assert_eq!((timeless(again), lines(&games).len()), (whole, 37));
    let review = answer_json(&["review", &games, "--quiet"]);
    assert!(review["plies"].is_array(), "{review}");
    // More games and one more agent play what they add.
    let more = ["level:3", "-n", "8", "--games", &games, "--quiet"];
    assert_eq!(answer_json(&call(&more))["games"], 80);
    assert_eq!(lines(&games).len(), 81);
    let few = refusal(&call(&options));
    assert!(few.contains("which are no pair of this tournament"), "{few}");
    let few = refusal(&call(&["level:3", "-n", "6", "--games", &games]));
    assert!(few.contains("-n is at least 8"), "{few}");
    for (option, other) in [("--seed", "8"), ("--max-turns", "9"), ("--opening", "3")] {
        let agents = [&["tournament"], &AGENTS[..]].concat();
        let game = ["--game", "quoridor:3x3:1", "level:3", "-n", "8", "--games", &games];
        let own = if option == "--seed" { &[][..] } else { &["--seed", "7"] };
        let error = refusal(&[&agents[..], &game, own, &[option, other]].concat());
        assert!(error.contains("is of a tournament with --"), "{error}");
        assert!(error.contains(option) && error.contains("add --force"), "{error}");
    }
    assert_eq!(lines(&games).len(), 81, "refusals change nothing");
    let anew = answer_json(&call(&["-n", "2", "--games", &games, "--quiet", "--force"]));
    assert_eq!((&anew["games"], lines(&games).len()), (&json!(12), 13));
}

/// The cards that are drawn count, not how their spec is written. Options that differ are told
/// before any work, such as the solve of a game.
#[test]
fn a_file_is_of_one_tournament_however_it_is_written() {
    let folder = TestFolder::new();
    let games = folder.path("games.jsonl");
    let agents = ["random", "mc:playouts=1"];
    let call = [&["tournament"], &agents[..], &["-n", "2", "--quiet", "--games", &games]].concat();
    let with = |game: &'static str| [&call[..], &["--game", game]].concat();
    assert_eq!(answer_json(&with("onitama:3x4:boar,random,random,random,random"))["games"], 2);
    let again = answer_json(&with("Onitama:3x4:BOAR,random,random,Random,random"));
    assert_eq!(again["games"], 2);
    let other = refusal(&with("onitama:3x4:random,boar,random,random,random"));
    assert!(other.contains("is of a tournament with --game onitama:3x4:boar,random"), "{other}");
    let error = refusal(&[&with("chess")[..], &["--seed", "5"]].concat());
    assert!(error.contains("is of a tournament with --seed 1;"), "{error}");
    assert_eq!(lines(&games).len(), 3);
}

/// Wherever a kill cut the file, each game is there once in the end, in a line of its own.
#[test]
fn a_file_is_gone_on_with_wherever_it_was_cut() {
    let folder = TestFolder::new();
    let games = folder.path("games.jsonl");
    let call = call(&["-n", "2", "--quiet", "--games", &games]);
    let whole = timeless(answer_json(&call));
    let kept = std::fs::read_to_string(&games).expect("a file");
    let header = kept.find('\n').expect("a line");
    let last = kept.trim_end().rfind('\n').expect("lines") + 1;
    for end in [0, 22, header - 1, header, header + 1, last + 1, last + 9, kept.len() - 1] {
        std::fs::write(&games, &kept[..end]).expect("a file");
        assert_eq!(timeless(answer_json(&call)), whole, "{end}");
        let lines = lines(&games);
        assert_eq!((lines.len(), &lines[0]), (13, &kept[..header].to_string()), "{end}");
    }
    // A file that may be of another program is left alone.
    for text in ["{", "{\"event\":\"click\"", "a letter\nwithout an end", "{\"event\":\"click\"}"] {
        std::fs::write(&games, text).expect("a file");
        assert!(refusal(&call).contains("is no record of a tournament"), "{text}");
        assert_eq!(std::fs::read_to_string(&games).expect("a file"), text);
    }
}

#[test]
fn a_signal_ends_a_tournament_within_a_second() {
    let folder = TestFolder::new();
    let games = folder.path("games.jsonl");
    let slow = ["alphabeta:depth=40", "mcts:playouts=16000000", "random", "mc:playouts=1"];
    for (signal, code) in [("-INT", 130), ("-TERM", 143)] {
        let child = Command::new(assert_cmd::cargo::cargo_bin!("hindsight"))
            .arg("tournament")
            .args(slow)
            .args(["--game", "quoridor:9x9:10", "--json", "--quiet", "--games", &games])
            .stdout(Stdio::piped())
            .spawn()
            .expect("it runs");
        wait_for("first line", || std::fs::metadata(&games).is_ok_and(|file| file.len() > 0));
        std::thread::sleep(Duration::from_millis(300));
        let begin = Instant::now();
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(sent.expect("a shell's command").success());
        let output = child.wait_with_output().expect("it ends");
        assert!(begin.elapsed() < Duration::from_secs(3), "{:?}", begin.elapsed());
        assert_eq!(output.status.code(), Some(code));
        let report: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(report["games"].as_u64(), Some(lines(&games).len() as u64 - 1));
        assert_eq!(report["agents"].as_array().expect("agents").len(), 4);
    }
}

#[test]
fn programs_take_part_and_lose_by_faults() {
    let ours = format!("cmd:{} agent random --quiet", env!("CARGO_BIN_EXE_hindsight"));
    let mad = "cmd:sh -c 'echo hello 1; while read -r x; do echo move nowhere; done'";
    let call = ["tournament", "random", mad, &ours, "-n", "2", "--game", "tic-tac-toe"];
    let call = [&call[..], &["--quiet"]].concat();
    let report = answer_json(&call);
    let last = &report["agents"][2];
    assert_eq!((&last["agent"], &last["losses"]), (&json!(mad), &json!(4)));
    assert_eq!(last["first_fault_against"], "random");
    assert_eq!(last["faults"].as_object().expect("faults").len(), 1);
    let text = answer(&call);
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains(" lost by faults: 4 ") && text.contains(" against random: "), "{text}");
}

#[test]
fn bad_tournaments_are_refused_with_a_reason() {
    let folder = TestFolder::new();
    let (other, games) = (folder.path("other"), folder.path("games"));
    run_with_code(0, &["match", "random", "mc", "-n", "1", "--games", &other, "--quiet"]);
    let twice = ["tournament", "random", "mc:playouts=1", "--game", "tic-tac-toe", "-n", "2"];
    let twice = [&twice[..], &["--games", &games]].concat();
    run_with_code(0, &twice);
    let kept = lines(&games);
    std::fs::write(&games, [&kept[..], &kept[1..2]].concat().join("\n") + "\n").expect("a file");
    let error = refusal(&twice);
    assert!(error.contains("twice"), "{error}");
    for (call, reason) in [
        (&["random"][..], "at least two agents, and 'random' is one"),
        (&["mc", "random", "MC:playouts=1000"], "'mc:playouts=1000' is named twice"),
        (&["mctss", "random"], "did you mean 'mcts'?"),
        (&["human", "random"], "hindsight play SPEC --agent AGENT"),
        (&["random", "mc", "-n", "0"], "an even number of games, from 2"),
        (&["random", "mc", "-n", "3"], "an even number of games, from 2"),
        (&["random", "mc", "--anchor", "level:5"], "'level:5' is no agent of the tournament"),
        (&["random", "mc", "--opening", "-1"], "a number of plies from 0"),
        (&["random", "mc", "--games", &other], "is no record of a tournament"),
        (&["random", "mc", "--table", "none.table"], "--table is for the agents"),
        (&["random", "perfect"], "name the cards"),
        (&[], "required"),
    ] {
        let error = refusal(&[&["tournament"], call].concat());
        assert!(error.contains(reason), "{call:?}: {error}");
    }
}
