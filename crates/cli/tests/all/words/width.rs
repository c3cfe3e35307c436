//! Width of the text that every command prints: at most 80 columns where no terminal is.

use std::collections::BTreeSet;

use crate::harness::{TestFolder, answer, refusal, run_with_input};

/// Columns of text that goes to a file or a pipe.
const COLUMNS: usize = 80;

/// Calls of every command that prints text for people. `{..}` are tables of the test.
const CALLS: [&str; 69] = [
    "games",
    "cards",
    "cards boar ox",
    "solve tic-tac-toe",
    "solve onitama:3x3:boar --solver forward",
    "solve onitama:3x3:boar --solver planes --check 20",
    "solve ostle:3x3:3:1",
    "solve quoridor:3x3:1 --out {new} --force",
    "solve tic-tac-toe --weak",
    "solve onitama:4x4:boar --weak --strategy {new} --force --seconds 0.05",
    "solve onitama:5x5:tiger,crab,monkey,crane,dragon --seconds 0.1",
    "cluster local -n 2 solve tic-tac-toe",
    "deals",
    "fairness onitama:3x3:tiger,crab,monkey,crane,dragon -n 30 --agent random",
    "analyse onitama:3x3:boar",
    "analyse onitama:5x5:tiger,crab,monkey,crane,dragon --seconds 0.2",
    "analyse quoridor:5x5:6 --seconds 0.2",
    "analyse {ostle}",
    "analyse {quoridor} --moves b2,a1h",
    "cache",
    "probe {onitama}",
    "probe {ostle}",
    "line {onitama}",
    "line {quoridor}",
    "line {ostle}",
    "reach {distances}",
    "reach ostle:3x3:3:1 --out {new} --force",
    "info {onitama}",
    "info {quoridor}",
    "info {ostle}",
    "info {distances}",
    "stats {onitama}",
    "stats {quoridor}",
    "stats {ostle} --layer 1",
    "stats {onitama} --plot -",
    "verify {onitama}",
    "compare {onitama} {onitama}",
    "compare {onitama} {compact}",
    "export {onitama} --out {csv} --force",
    "graph tic-tac-toe --out {new} --format dot --max-positions 10000 --force",
    "perft quoridor:4x4:1 --plies 3 --divide",
    "laws quoridor:3x3:1 --positions 50",
    "puzzles {onitama} --count 2",
    "puzzles {ostle} --count 2 --theme quiet",
    "puzzles {ostle} --tally",
    "puzzles {ostle} --tally --theme sacrifice",
    "puzzles {quoridor} --tally --sample 50",
    "puzzles tic-tac-toe --theme only --count 1",
    "match random random -n 2",
    "match mcts:playouts=5,length=30,cutoff=0.3,c=0.55,prune=10%,proven=yes mc:playouts=5 -n 2",
    "match {bot} random -n 3",
    "tournament random mcts:playouts=5,length=30,cutoff=0.3,c=0.55,prune=10% mc:playouts=5 -n 2",
    "tournament {bot} random level:1 level:2 level:3 level:4 mc:playouts=9 mc:playouts=2 -n 2",
    "audit random mcts:playouts=5,length=30,cutoff=0.3,c=0.55 --table {onitama} -n 20",
    "audit random mcts mc --playouts 1,2,3,4,5,6 --table {quoridor} -n 20 --from ranks",
    "audit random mcts mc --playouts 1,2,3,4,5,6 --table {quoridor} -n 20 --from ranks --plot -",
    "draw onitama:5x5:tiger,crab,monkey,crane,dragon --out {svg}",
    "play quoridor:5x5:2 --agent random --seed 1",
    "review {game} --table {onitama}",
    "review {large} --seconds 0.5 --cache none",
    "study onitama-thesis --seconds 0.02",
    "study quoridor-reduced --game quoridor:3x2:1",
    "study quoridor-reduced --game quoridor:4x4:9 --seconds 0.02",
    "study ostle --game ostle:3x3:3:1 --seconds 0.02",
    "study onitama-atlas --table 1x3 --seconds 0.02",
    "study onitama-deals --table 3x3 --deals 2 --seconds 0.02",
    "study onitama-agents --scale 0.01 --playouts 1",
    "study onitama-atlas --table 1x3 --part 1/1 --out {part}",
    "study merge {part} --out {merged}",
];

/// Commands that print a script, a page or an address for other programs.
const FOR_PROGRAMS: [&str; 4] = ["agent", "completions", "man", "serve"];

/// Solves the tables that the calls name.
fn replacements(folder: &TestFolder) -> Vec<(&'static str, String)> {
    let distances = folder.path("distances");
    answer(&["reach", "ostle:3x3:3:1", "--out", &distances, "--quiet"]);
    let play = |spec: &str, name: &str, plies: &str| {
        let file = folder.path(name);
        let game = ["match", "random", "random", "-n", "1", "--game", spec, "--max-turns", plies];
        answer(&[&game[..], &["--games", &file, "--quiet"]].concat());
        file
    };
    let real_game = "onitama:5x5:tiger,crab,monkey,crane,dragon";
    vec![
        ("{game}", play("onitama:3x3:boar", "game.jsonl", "20")),
        ("{large}", play(real_game, "large.jsonl", "8")),
        ("{onitama}", folder.solve("onitama:3x3:boar", &[]).0),
        ("{compact}", folder.solve("onitama:3x3:boar", &["--layout", "compact"]).0),
        ("{quoridor}", folder.solve("quoridor:3x3:1", &[]).0),
        ("{ostle}", folder.solve("ostle:3x3:3:1", &[]).0),
        ("{distances}", distances),
        ("{bot}", faulty_bot(folder)),
        ("{new}", folder.path("new")),
        ("{csv}", folder.path("new.csv")),
        ("{svg}", folder.path("new.svg")),
        ("{part}", folder.path("part")),
        ("{merged}", folder.path("merged")),
    ]
}

/// Writes a program that answers before it is asked; returns its agent.
fn faulty_bot(folder: &TestFolder) -> String {
    let path = folder.path("a-program-with-a-long-name-that-leaves-little-room-in-a-line");
    let script = "echo hello 1\necho move to somewhere else\nwhile read -r x; do :; done\n";
    std::fs::write(&path, script).expect("a file");
    format!("cmd:sh '{path}'")
}

/// Returns true for a line that fits, or that holds one word too long for it.
fn fits(line: &str) -> bool {
    line.chars().count() <= COLUMNS || !line.trim_start().contains(' ')
}

#[test]
fn every_line_of_text_fits() {
    let folder = TestFolder::new();
    let names = replacements(&folder);
    for call in CALLS.into_iter().filter(|call| !crate::lacks_papers(call)) {
        let words = call.split(' ').map(|word| {
            let name = names.iter().find(|(name, _)| *name == word);
            name.map_or(word, |(_, path)| path)
        });
        let words: Vec<&str> = words.chain(["--quiet"]).collect();
        let input = "help\nmoves\nhint\nnonsense\na1\nundo\nresign\n";
        let (out, _) = run_with_input(0, &words, input);
        assert!(!out.is_empty(), "{call}");
        for line in out.lines() {
            assert!(fits(line), "{call}: {} columns\n{line}", line.len());
            assert_eq!(line, line.trim_end(), "{call}");
            assert!(!line.contains('\u{fdd0}'), "{call}: {line}");
        }
    }
}

#[test]
fn no_command_is_left_out() {
    let error = refusal(&["man", "nothing"]);
    let (_, commands) = error.split_once("there are ").expect("a list of commands");
    let commands: BTreeSet<&str> =
        commands.trim_end().split(", ").filter(|command| *command != "help").collect();
    let called = CALLS.iter().filter_map(|call| call.split(' ').next());
    let called: BTreeSet<&str> = called.chain(FOR_PROGRAMS).collect();
    assert_eq!(commands, called);
}

#[test]
fn rows_too_wide_for_a_line_come_in_blocks() {
    let folder = TestFolder::new();
    let (table, _) = folder.solve("quoridor:3x3:1", &[]);
    let text = answer(&["stats", &table]);
    let headings = text.lines().filter(|line| line.starts_with("layer "));
    let headings: Vec<Vec<&str>> = headings.map(|line| line.split_whitespace().collect()).collect();
    let expected = [
        vec!["layer", "positions", "won", "lost", "drawn"],
        vec!["layer", "%", "%", "%", "plies", "win", "loss"],
    ];
    assert_eq!(headings, expected);
}
