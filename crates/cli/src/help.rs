//! Parsing of the command line, with help as wide as the terminal.

use std::ffi::OsString;

use clap::error::ContextValue;
use clap::{ArgMatches, Command, CommandFactory, FromArgMatches};
use hindsight_answers::report::{MAX_SENTENCE_COLUMNS, TextTable, wrap};
use hindsight_core::nearest_name;

use crate::args::Args;
use crate::output::columns;

/// Headings of the list of commands, and the commands below each.
const GROUPS: [CommandGroup; 7] = [
    CommandGroup::new("Solve", &["solve", "cluster"]),
    CommandGroup::new(
        "Look at positions",
        &["analyse", "probe", "line", "draw", "reach", "perft", "puzzles"],
    ),
    CommandGroup::new("Play", &["play", "review", "match", "tournament", "agent", "audit"]),
    CommandGroup::new("Tables", &["info", "stats", "verify", "compare", "export"]),
    CommandGroup::new("Studies", &["deals", "fairness", "study", "graph", "laws"]),
    CommandGroup::new("Programs and pages", &["serve"]),
    CommandGroup::new("Lists and help", &["games", "cards", "cache", "completions", "man", "help"]),
];

/// Commands below one heading.
struct CommandGroup {
    heading: &'static str,
    names: &'static [&'static str],
}

impl CommandGroup {
    const fn new(heading: &'static str, names: &'static [&'static str]) -> Self {
        Self { heading, names }
    }
}

/// Parses a command line; returns also the specs in it. An error may be a help text that was asked
/// for.
pub(crate) fn parse_args(
    line: impl IntoIterator<Item = OsString>,
) -> Result<(Args, Vec<String>), clap::Error> {
    let width = columns().min(MAX_SENTENCE_COLUMNS);
    let mut command = Args::command().term_width(width);
    // The command `help` is there only after that.
    command.build();
    let template = help_template(&command, width);
    let command = command.help_template(template);
    let matches = command.try_get_matches_from(line)?;
    Ok((Args::from_arg_matches(&matches)?, named_specs(&matches)))
}

/// Returns the texts of all arguments that name a game.
fn named_specs(matches: &ArgMatches) -> Vec<String> {
    let mut specs = Vec::new();
    let mut commands = std::iter::successors(Some(matches), |matches| {
        matches.subcommand().map(|(_, matches)| matches)
    });
    let last = commands.by_ref().last().expect("the program itself");
    for id in ["rules", "spec", "game", "sources"] {
        // `review` has a number of that name.
        if let Ok(Some(texts)) = last.try_get_many::<String>(id) {
            specs.extend(texts.cloned());
        }
    }
    specs
}

/// Returns the command, option or value that a wrong one was probably meant to be.
pub(crate) fn meant_name(error: &clap::Error) -> Option<&str> {
    use clap::error::ContextKind;
    let kinds = [
        [ContextKind::InvalidSubcommand, ContextKind::SuggestedSubcommand],
        [ContextKind::InvalidArg, ContextKind::SuggestedArg],
        [ContextKind::InvalidValue, ContextKind::SuggestedValue],
    ];
    let texts = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => std::slice::from_ref(text),
        Some(ContextValue::Strings(texts)) => texts,
        _ => &[],
    };
    kinds.into_iter().find_map(|[wrong, suggested]| {
        let names = texts(suggested).iter().map(|name| &**name);
        nearest_name(texts(wrong).first()?, names)
    })
}

/// Returns the template of the program's help: as clap's own, with the commands in groups.
fn help_template(program: &Command, width: usize) -> String {
    let header = program.get_styles().get_header();
    let heading = |text: &str| format!("{header}{text}:{header:#}\n");
    let groups = GROUPS.iter().map(|group| {
        let commands = commands_text(program, group, width);
        format!("{}{commands}\n", heading(group.heading))
    });
    let groups: String = groups.collect();
    let options = heading("Options");
    format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{groups}{options}{{options}}\
         {{after-help}}"
    )
}

/// Returns the commands of a group with what they are about. Names take the same width in all
/// groups.
fn commands_text(program: &Command, group: &CommandGroup, width: usize) -> String {
    let names = program.get_subcommands().map(Command::get_name);
    let name_width = names.map(str::len).max().unwrap_or(0);
    let mut table = TextTable::new("lll");
    for name in group.names {
        let command = program.find_subcommand(name);
        let about = command.and_then(Command::get_about).unwrap_or_default();
        table.push(["", &format!("{name:<name_width$}"), &about.to_string()]);
    }
    let literal = program.get_styles().get_literal();
    let mut text = wrap(&table.fit(width), width);
    for name in group.names {
        let styled = format!("  {literal}{name}{literal:#} ");
        text = text.replacen(&format!("  {name} "), &styled, 1);
    }
    text
}
