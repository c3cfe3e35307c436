//! Help texts fit a terminal of 80 columns.

use crate::harness::{answer, refusal};

/// Returns the commands that a help text lists.
fn listed_commands(help: &str) -> Vec<String> {
    let lines = help.lines().skip_while(|line| !line.starts_with("Usage:"));
    let rows = lines.take_while(|line| *line != "Options:");
    // A continuation is indented deeper than a name; an argument begins with a bracket.
    let names = rows.filter_map(|row| row.strip_prefix("  "));
    names
        .filter(|row| row.starts_with(|first: char| first.is_ascii_lowercase()))
        .filter_map(|row| row.split_whitespace().next())
        .map(String::from)
        .collect()
}

/// Adds the pages of help of `command` and of all commands below to `pages`.
fn collect_pages(command: &[&str], pages: &mut Vec<String>) {
    let page = |option| answer(&[command, &[option]].concat());
    let help = page("--help");
    for below in listed_commands(&help) {
        // `help help` describes the command `help`, which has no options of its own.
        if below != "help" {
            collect_pages(&[command, &[&below]].concat(), pages);
        }
    }
    pages.extend([help, page("-h")]);
}

#[test]
fn help_fits_80_columns() {
    let mut pages = Vec::new();
    collect_pages(&[], &mut pages);
    pages.push(answer(&["help", "help"]));
    // Two pages for each of 20 commands and for the program.
    assert!(pages.len() > 40, "{} pages", pages.len());
    let lines = pages.iter().flat_map(|page| page.lines());
    let long: Vec<&str> = lines.filter(|line| line.chars().count() > 80).collect();
    assert!(long.is_empty(), "{}", long.join("\n"));
}

#[test]
fn help_lists_every_command_once_below_a_heading() {
    let help = answer(&["--help"]);
    let error = refusal(&["man", "nothing"]);
    let (_, commands) = error.split_once("there are ").expect("a list of commands");
    let commands: Vec<&str> = commands.trim_end().split(", ").collect();
    assert_eq!(listed_commands(&help), commands, "one order everywhere");
    let below = |heading: &str| {
        let (_, rest) = help.split_once(&format!("\n\n{heading}:\n  ")).expect("a heading");
        rest.split_whitespace().next().expect("a command").to_string()
    };
    assert_eq!(below("Tables"), "info");
    assert_eq!(below("Play"), "play");
    assert!(help.contains("\n  info         Show the summary of a table"), "{help}");
}

#[test]
fn help_names_the_options_of_every_command_apart() {
    let help = answer(&["solve", "--help"]);
    let [own, all] = ["\nOptions:\n", "\nOptions of every command:\n"].map(|heading| {
        let at = help.find(heading);
        at.unwrap_or_else(|| panic!("no heading{heading}in\n{help}"))
    });
    assert!(own < all);
    assert!(help[own..all].contains("--solver") && !help[own..all].contains("--json"));
    assert!(help[all..].contains("--json"));
}
