//! Games whose rules are programs that the command line names.

use std::sync::Arc;

use anyhow::{Result, anyhow, bail};
use hindsight_bots::{BotCommand, RulesProgram};
use hindsight_core::Symmetry;
use hindsight_foreign::{CheckedLaws, ForeignRules, RulesFault, catch_faults, foreign_game};
use hindsight_games::{SolverError, forget_game, know_game};

use crate::args::Command;
use crate::context::Context;
use crate::inputs::spec::spec_error;
use crate::laws;
use crate::output::print_message;
use crate::process::signals::stopped;

/// Seconds, and positions at most, in which laws are checked before a solve.
const LAWS_SECONDS: f64 = 1.0;
const LAWS_POSITIONS: u64 = 2000;
/// Seed of the random games of that check.
const LAWS_SEED: u64 = 1;

/// Starts the programs among the specs of the command line, and makes their games known. Before a
/// solve some of their laws are checked.
pub(crate) fn start(specs: &[String], command: &Command, context: &Context) -> Result<()> {
    for spec in specs.iter().filter(|spec| BotCommand::is_named(spec)) {
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
        if matches!(command, Command::Solve(_)) {
            let mut checked = CheckedLaws::default();
            let (seed, positions, seconds) = (LAWS_SEED, LAWS_POSITIONS, LAWS_SECONDS);
            let broken = laws::check(&symmetric, seed, positions, seconds, &mut checked);
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
