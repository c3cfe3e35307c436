//! The commands `completions` and `man`: texts generated from the arguments.

use anyhow::{Result, anyhow};
use clap::{Command, CommandFactory};

use crate::args::{Args, CompletionsArgs, ManArgs};
use crate::output::print;

pub(crate) fn completions(args: &CompletionsArgs) -> Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Args::command(), "hindsight", &mut script);
    print(&String::from_utf8(script)?)
}

pub(crate) fn man(args: &ManArgs) -> Result<()> {
    let mut program = Args::command();
    program.build();
    let command = match &args.command {
        None => program,
        Some(name) => {
            // The page of `study merge` is `study-merge`.
            let mut words = name.split([' ', '-']);
            let command = words
                .try_fold(&program, |command, word| command.find_subcommand(word))
                .cloned()
                .ok_or_else(|| {
                    anyhow!("there is no command '{name}'; there are {}", command_names(&program))
                })?;
            // The page of a command is named `hindsight-solve`, as git names its pages.
            command.name(leak(format!("hindsight-{}", name.replace(' ', "-"))))
        }
    };
    let mut page = Vec::new();
    clap_mangen::Man::new(command).render(&mut page)?;
    print(&String::from_utf8(page)?)
}

fn command_names(command: &Command) -> String {
    let names: Vec<&str> = command.get_subcommands().map(Command::get_name).collect();
    names.join(", ")
}

/// Returns `name` for the rest of the process. The leak is harmless: one page is printed.
fn leak(name: String) -> &'static str {
    Box::leak(name.into_boxed_str())
}
