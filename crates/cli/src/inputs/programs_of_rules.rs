//! Games whose rules are programs that the command line names.

use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use hindsight_bots::{BotCommand, RulesProgram};
use hindsight_core::Symmetry;
use hindsight_foreign::{CheckedLaws, ForeignRules, RulesFault, catch_faults, foreign_game};
use hindsight_games::{NoMonitor, SolverError, forget_game, know_game};

use crate::args::{Args, Command};
use crate::context::Context;
use crate::inputs::spec::spec_error;
use crate::laws;
use crate::output::print_message;
use crate::process::signals::stopped;

/// Seconds in which laws are checked before a solve, and before other commands.
const SOLVE_LAWS_SECONDS: f64 = 1.0;
const LAWS_SECONDS: f64 = 0.25;
/// Most positions of such a check.
const LAWS_POSITIONS: u64 = 2000;
/// Seed of the random games of that check.
const LAWS_SEED: u64 = 1;

/// Starts the programs among the specs of the command line, and makes their games known. Some of
/// their laws are checked first.
pub(crate) fn start(specs: &[String], args: &Args, context: &Context) -> Result<()> {
    let of_files = args.common.rules.as_deref();
    if let Some(rules) = of_files.filter(|rules| !BotCommand::is_named(rules)) {
        bail!("--rules takes the program of a game of yours, cmd:PROGRAM, not '{rules}'");
    }
    for (number, spec) in specs.iter().enumerate() {
        if !BotCommand::is_named(spec) || specs[..number].contains(spec) {
            continue;
        }
        let program: BotCommand = spec.parse().map_err(|fault| spec_error(spec, &fault))?;
        let program = RulesProgram::start(program, stopped).map_err(explained)?;
        if !program.hello().tells_turns() && !context.quiet {
            print_message(&format!(
                "note: '{spec}' says neither 'turns alternate' nor 'player N': the players are \
                 taken to move in turn"
            ));
        }
        let rules: Arc<dyn ForeignRules> = Arc::new(program);
        let [plain, symmetric] = [Symmetry::None, Symmetry::All]
            .map(|symmetry| foreign_game(Arc::clone(&rules), symmetry));
        let seconds = match &args.command {
            _ if of_files == Some(spec) => None,
            Command::Laws(_) | Command::Agent(_) | Command::Perft(_) | Command::Play(_) => None,
            Command::Solve(_) => Some(SOLVE_LAWS_SECONDS),
            _ => Some(LAWS_SECONDS),
        };
        if let Some(seconds) = seconds {
            let (mut checked, positions) = (CheckedLaws::default(), LAWS_POSITIONS);
            let monitor = &mut NoMonitor;
            let broken =
                laws::check(&symmetric, LAWS_SEED, positions, seconds, monitor, &mut checked);
            if let Some(broken) = broken {
                bail!("the rules '{spec}' break a law: {broken} (`hindsight laws` checks more)");
            }
        }
        know_game(plain, symmetric);
    }
    Ok(())
}

/// Runs a command. A fault of rules that it meets becomes its error. Afterwards the programs end.
pub(crate) fn catch<T>(specs: &[String], command: impl FnOnce() -> Result<T>) -> Result<T> {
    let done = catch_faults(command).map_err(explained).flatten();
    let programs = specs.iter().filter_map(|spec| spec.parse::<BotCommand>().ok());
    programs.for_each(|program| forget_game(&program.to_string()));
    done
}

fn explained(fault: RulesFault) -> anyhow::Error {
    if fault.is_stop { SolverError::Stopped.into() } else { anyhow!("{fault}") }
}
