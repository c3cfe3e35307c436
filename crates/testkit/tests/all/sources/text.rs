//! Comments begin with their subject, lines end at column 100, and the pages for builders are short
//! and name files that exist.

use super::{assert_none, sources, workspace};

/// First words of comments that name no subject.
const NO_SUBJECT: [&str; 5] = ["What", "Whether", "How", "That", "It"];

/// Folders of a crate that hold sources.
const FOLDERS: [&str; 4] = ["src", "tests", "examples", "benches"];

/// Most columns of a line.
const COLUMNS: usize = 100;

/// Text of a comment line; `None` for a line of code.
fn comment(line: &str) -> Option<&str> {
    let text = line.trim_start().strip_prefix("//")?;
    Some(text.trim_start_matches(['/', '!']).trim_start())
}

/// Calls `check(place, line before, line)` for each line of each source. `place` is `path:line`;
/// the line before the first is empty.
fn each_line(check: &mut dyn FnMut(&str, &str, &str)) {
    for folder in FOLDERS {
        for source in sources(folder).into_values().flatten() {
            let mut before = "";
            for (n, line) in source.text.lines().enumerate() {
                check(&format!("{}:{}", source.path, n + 1), before, line);
                before = line;
            }
        }
    }
}

#[test]
fn lines_end_at_column_100() {
    let mut long = Vec::new();
    each_line(&mut |place, _, line| {
        let columns = line.chars().count();
        // A literal that cannot be broken, such as a spec or an expected line, may be longer.
        let is_literal = comment(line).is_none() && line.contains('"');
        if columns > COLUMNS && !is_literal {
            long.push(format!("{place}: {columns} columns"));
        }
    });
    assert_none("lines end at column 100", &long);
}

#[test]
fn comments_begin_with_their_subject() {
    let mut odd = Vec::new();
    each_line(&mut |place, before, line| {
        let Some(text) = comment(line) else { return };
        // Only the first line of a paragraph begins a sentence for sure.
        let is_first = comment(before).is_none_or(str::is_empty);
        let first_word = text.split([' ', ',', '\'']).next().unwrap_or_default();
        if is_first && NO_SUBJECT.contains(&first_word) || text.contains("so many ") {
            odd.push(format!("{place}: {text}"));
        }
    });
    assert_none("a comment begins with its subject", &odd);
}

/// Most columns of a line of prose in Markdown.
const PROSE_COLUMNS: usize = 110;

/// Markdown of the workspace, by path; dated measurements in `runs` stay as they were written.
fn markdown() -> Vec<(String, String)> {
    let root = workspace();
    let folders = ["", "docs", "docs/decisions", "docs/papers"].map(|folder| root.join(folder));
    let entries = folders.iter().flat_map(|folder| {
        let entries = std::fs::read_dir(folder).expect("a folder of documents");
        entries.map(|entry| entry.expect("an entry").path())
    });
    let documents = entries.filter(|path| path.extension().is_some_and(|end| end == "md"));
    let text = |path: std::path::PathBuf| {
        let text = std::fs::read_to_string(&path).expect("a document");
        (path.to_string_lossy().into_owned(), text)
    };
    documents.map(text).collect()
}

#[test]
fn prose_in_markdown_ends_at_column_110() {
    let mut long = Vec::new();
    for (path, text) in markdown() {
        let mut is_code = false;
        for (n, line) in text.lines().enumerate() {
            is_code ^= line.trim_start().starts_with("```");
            let is_prose = !is_code && !line.trim_start().starts_with(['|', '!', '[', '<']);
            if is_prose && line.chars().count() > PROSE_COLUMNS {
                long.push(format!("{path}:{}", n + 1));
            }
        }
    }
    assert_none("prose in Markdown ends at column 110", &long);
}

#[test]
fn tables_in_markdown_have_a_header() {
    let mut broken = Vec::new();
    for (path, text) in markdown() {
        let lines: Vec<&str> = text.lines().collect();
        for (n, pair) in lines.windows(3).enumerate() {
            let is_row = |line: &str| line.starts_with('|');
            let begins = is_row(pair[1]) && !is_row(pair[0]);
            if begins && !pair[2].starts_with("|-") && !pair[2].starts_with("|:") {
                broken.push(format!("{path}:{}: {}", n + 2, pair[1]));
            }
        }
    }
    assert_none("a table in Markdown has a header", &broken);
}

/// Pages for builders, with the most words of each.
const SHORT_PAGES: [(&str, usize); 2] = [("ARCHITECTURE.md", 1000), ("CONTRIBUTING.md", 1200)];

#[test]
fn pages_for_builders_are_short() {
    let words = |page: &str| {
        let text = std::fs::read_to_string(workspace().join(page)).expect("a page");
        text.split_whitespace().count()
    };
    let counted = SHORT_PAGES.map(|(page, most)| (page, words(page), most));
    let long = counted.iter().filter(|(_, words, most)| words > most);
    let long = long.map(|(page, words, most)| format!("{page}: {words} words, at most {most}"));
    assert_none("pages for builders are short", &long.collect::<Vec<_>>());
}

/// Texts in backticks, but for those of blocks of code.
fn code_spans(text: &str) -> Vec<&str> {
    // Every second part lies in a block.
    let prose = text.split("```").step_by(2);
    prose.flat_map(|prose| prose.split('`').skip(1).step_by(2)).collect()
}

#[test]
fn paths_in_architecture_exist() {
    let root = workspace();
    let text = std::fs::read_to_string(root.join("ARCHITECTURE.md")).expect("a page");
    let paths = code_spans(&text).into_iter().filter(|span| span.contains('/'));
    let lost = paths.filter(|path| !root.join(path).exists()).map(str::to_owned);
    assert_none("paths in ARCHITECTURE.md exist", &lost.collect::<Vec<_>>());
}

#[test]
fn code_spans_are_found_beside_blocks() {
    let text = "`a/b` and `c`.\n\n```\nd `e/f`\n```\n\n| `g/h` |";
    assert_eq!(code_spans(text), ["a/b", "c", "g/h"]);
}
