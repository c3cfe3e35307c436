//! Every example of every help text, of README and of the pages of the documentation is run.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::harness::{TestFolder, answer, run_with_code};

/// Commands whose help has examples.
const COMMANDS: [&str; 30] = [
    "",
    "solve",
    "cluster",
    "probe",
    "line",
    "draw",
    "reach",
    "perft",
    "laws",
    "info",
    "stats",
    "verify",
    "compare",
    "export",
    "puzzles",
    "match",
    "tournament",
    "agent",
    "audit",
    "play",
    "review",
    "deals",
    "fairness",
    "graph",
    "study",
    "study merge",
    "serve",
    "cards",
    "man",
    "completions",
];

/// Pages of the documentation that call the command.
const PAGES: [&str; 12] = [
    "README.md",
    "docs/api.md",
    "docs/cluster.md",
    "docs/command.md",
    "docs/explorer.md",
    "docs/fair-cards.md",
    "docs/lure.md",
    "docs/own-game.md",
    "docs/protocol.md",
    "docs/papers/onitama-thesis.md",
    "docs/papers/ostle.md",
    "docs/papers/quoridor-reduced.md",
];

/// Words that stand for something else.
const PLACEHOLDERS: [&str; 4] = ["AGENT", "COMMAND", "FILE", "SPEC"];

/// Tables that examples read and no example of the page has written, with the call that makes each.
/// A large table is replaced by one of a small game.
const TABLES: [(&str, &str); 11] = [
    ("q552.table", "solve quoridor:5x5:2"),
    ("q552-compact.table", "solve quoridor:5x5:2 --layout compact"),
    ("q551.table", "solve quoridor:5x5:1"),
    ("q556.table", "solve quoridor:3x3:1"),
    ("q.table", "solve quoridor:3x3:1"),
    ("mine.table", "solve quoridor:3x3:1"),
    ("theirs.table", "solve quoridor:3x3:1"),
    ("o45.table", "solve onitama:3x4:boar"),
    ("boar.table", "solve onitama:3x4:boar"),
    ("ostle.table", "solve ostle:3x3:3:1"),
    ("r431.table", "reach ostle:4x4:3:1"),
];

/// Options that are followed by a file to be written, which may be there from an earlier example.
const OUTPUTS: [&str; 8] =
    ["--out", "--games", "--csv", "--plot", "--svg", "--pdf", "--certificate", ">"];

/// Time after which an example is stopped. A long one is right if it is still at work then.
const LIMIT: Duration = Duration::from_millis(700);

/// Examples of a text: its lines that call `hindsight`, without the remark behind them.
fn examples(text: &str) -> Vec<String> {
    let calls = text.lines().map(str::trim).filter(|line| {
        let is_usage = line.contains("[OPTIONS]");
        line.starts_with("hindsight ") && !is_usage
            || line.starts_with("printf ") && line.contains(" | hindsight ")
    });
    calls.map(|call| call.split("  ").next().unwrap_or(call).to_string()).collect()
}

/// Folders of a page: one for its examples, one for the tables of all pages.
struct ExampleFolders<'a> {
    page: &'a Path,
    tables: &'a Path,
}

impl ExampleFolders<'_> {
    /// Makes the inputs of an example that are not there, and removes its outputs.
    fn prepare(&self, call: &str) {
        let words: Vec<&str> = call.split_whitespace().collect();
        for (i, word) in words.iter().enumerate() {
            // A table of the server may have a name before it.
            let word = match word.split_once('=') {
                Some((_, file)) if file.ends_with(".table") => file,
                _ => word.trim_start_matches("cmd:\"./").trim_matches('"'),
            };
            let path = self.page.join(word);
            let is_output = i > 0 && OUTPUTS.contains(&words[i - 1]);
            if is_output && path.is_file() {
                std::fs::remove_file(&path).expect("a file");
            }
            if !is_output && !path.exists() {
                self.make_input(word, &path);
            }
        }
    }

    /// Makes an input, if the word is the name of one.
    fn make_input(&self, word: &str, path: &Path) {
        if let Some((_, call)) = TABLES.iter().find(|(name, _)| *name == word) {
            let table = self.tables.join(word);
            if !table.exists() {
                let target = table.to_str().expect("UTF-8");
                let call: Vec<&str> = call.split(' ').collect();
                run_with_code(0, &[&call[..], &["--out", target, "--quiet"]].concat());
            }
            std::fs::hard_link(table, path).expect("a link");
        }
        if ["game.jsonl", "games.jsonl"].contains(&word) {
            let target = path.to_str().expect("UTF-8");
            let game = ["match", "random", "random", "-n", "4", "--game", "tic-tac-toe"];
            run_with_code(0, &[&game[..], &["--games", target, "--quiet"]].concat());
        }
        let program = match word {
            "bot.py" => Some(include_str!("../../../../../docs/protocol.md")),
            "take.py" => Some(include_str!("../../../../../docs/own-game.md")),
            _ => None,
        };
        if let Some(page) = program {
            let (_, program) = page.split_once("```python\n").expect("a program");
            let (program, _) = program.split_once("```").expect("its end");
            std::fs::write(path, program).expect("a file");
        }
        if word == "morris" {
            let source = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/morris.c");
            let target = path.to_str().expect("UTF-8");
            let compiled = Command::new("cc").args(["-O2", "-o", target, source]).status();
            assert!(compiled.expect("a compiler of C").success());
        }
        if word == "proved-deals.txt" {
            std::fs::write(path, "# none\n").expect("a file");
        }
        if word == "game.txt" {
            std::fs::write(path, "b1 b3 1,1 - white\n").expect("a file");
        }
        if word == "positions.txt" {
            std::fs::write(path, "c1 c5 2,2 - white\n").expect("a file");
        }
        if word == "five-cards.toml" {
            let card = |(name, right)| {
                format!("[[card]]\nname = \"{name}\"\noffsets = [[{right}, 1], [0, -1]]\n")
            };
            let cards = ["a", "b", "c", "d", "e"].into_iter().zip(-2..=2);
            std::fs::write(path, cards.map(card).collect::<String>()).expect("a file");
        }
        if word == "my-cards.toml" {
            let card = "[[card]]\nname = \"wolf\"\noffsets = [[-1, 2], [1, 2], [0, -1]]\n";
            std::fs::write(path, card).expect("a file");
        }
    }
}

/// Returns true if a child ends within a time.
fn ends_in_time(child: &mut Child, limit: Duration) -> bool {
    let begin = Instant::now();
    while begin.elapsed() < limit {
        if child.try_wait().expect("a child").is_some() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    false
}

/// Search path on which the program itself comes first, for examples that name it as an agent.
fn path_with_program() -> String {
    let folder = Path::new(env!("CARGO_BIN_EXE_hindsight")).parent();
    let folder = folder.expect("a folder").display();
    format!("{folder}:{}", std::env::var("PATH").unwrap_or_default())
}

/// Runs an example in a shell. Returns a fault unless it succeeds, or is at work until it is
/// stopped.
fn fault_of(folders: &ExampleFolders<'_>, call: &str) -> Option<String> {
    folders.prepare(call);
    let program = format!("exec {}", env!("CARGO_BIN_EXE_hindsight"));
    let (answer, errors) = (folders.page.join("stdout"), folders.page.join("stderr"));
    let file = |path: &Path| std::fs::File::create(path).expect("a file");
    let mut script = call.replacen("hindsight", &program, 1);
    if call.starts_with("hindsight serve") && !call.contains("--port") {
        // The default port may be taken on this machine.
        script.push_str(" --port 0");
    }
    let mut child = Command::new("sh")
        .args(["-c", &script])
        .current_dir(folders.page)
        .env("PATH", path_with_program())
        .stdin(Stdio::null())
        .stdout(file(&answer))
        .stderr(file(&errors))
        .spawn()
        .expect("a shell");
    // Later examples read the table.
    let writes_own = call.contains("cmd:") && call.contains("--out ");
    let has_ended = ends_in_time(&mut child, if writes_own { 60 * LIMIT } else { LIMIT });
    if !has_ended {
        let kill = format!("kill -TERM {}", child.id());
        Command::new("sh").args(["-c", &kill]).status().expect("a shell");
    }
    let code = child.wait().expect("a child").code().unwrap_or(-1);
    let text = |path: &Path| std::fs::read_to_string(path).unwrap_or_default();
    let (stdout, stderr) = (text(&answer), text(&errors));
    // The machine may be too small for what it is told.
    let is_too_large = code == 2 && stderr.contains("are free");
    let is_right = code == 0 || code == 143 && !has_ended || is_too_large;
    let is_void = stdout.contains("is no legal move") || stdout.contains(" 0 puzzles found");
    (!is_right || is_void).then(|| format!("{call}\nexit code {code}\n{stdout}{stderr}"))
}

/// Returns true for an example that needs what no test has.
fn is_left_out(call: &str) -> bool {
    // The official game of Ostle takes 10 GB of memory, and hours.
    let needs_ostle = call.contains(" ostle --") && call.contains(".table");
    let needs_parquet = call.contains(".parquet") && cfg!(not(feature = "parquet"));
    // The page is shown by another program; the shell's folder may not exist.
    let needs_system = call.contains("| man ") || call.contains("~/");
    // Two machines, and parts of a study that takes hours.
    let needs_others = call.contains("--hosts") || call.contains("study merge");
    let needs_papers = crate::lacks_papers(call);
    let is_form = call.split([' ', '[']).any(|word| PLACEHOLDERS.contains(&word));
    needs_ostle || needs_parquet || needs_system || needs_others || needs_papers || is_form
}

/// Runs the examples of a text, one after the other in one folder, and returns their faults.
fn faults_of_page(text: &str, tables: &TestFolder) -> Vec<String> {
    let page = TestFolder::new();
    let folders = ExampleFolders { page: page.0.path(), tables: tables.0.path() };
    let calls = examples(text);
    assert!(!calls.is_empty(), "no examples in\n{text}");
    let tried = calls.iter().filter(|call| !is_left_out(call));
    tried.filter_map(|call| fault_of(&folders, call)).collect()
}

#[test]
fn every_example_of_help_works() {
    let tables = TestFolder::new();
    let mut faults = Vec::new();
    for command in COMMANDS {
        let help = match command {
            "" => answer(&["--help"]),
            command => {
                let words: Vec<&str> = command.split(' ').collect();
                answer(&[&["help"], &words[..]].concat())
            }
        };
        faults.extend(faults_of_page(&help, &tables));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_example_of_the_pages_works() {
    let tables = TestFolder::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let read = |page: &Path| std::fs::read_to_string(page).expect("a page");
    let faults = PAGES.iter().flat_map(|page| faults_of_page(&read(&root.join(page)), &tables));
    let faults: Vec<String> = faults.collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
    // No other page calls the command.
    let folders = ["docs", "docs/papers", "."];
    let entries = folders.map(|folder| std::fs::read_dir(root.join(folder)).expect("a folder"));
    for entry in entries.into_iter().flatten() {
        let page = entry.expect("an entry").path();
        let is_page = page.extension().is_some_and(|ending| ending == "md");
        if is_page && !PAGES.iter().any(|known| page.ends_with(known)) {
            assert_eq!(examples(&read(&page)), [""; 0], "{} is no page of PAGES", page.display());
        }
    }
}
