//! Games whose rules are programs that the command line names.

use std::sync::Arc;

use anyhow::{Result, anyhow};
use hindsight_bots::{BotCommand, RulesProgram};
use hindsight_core::Symmetry;
use hindsight_foreign::{ForeignRules, RulesFault, catch_faults, foreign_game};
use hindsight_games::{SolverError, know_game};

use crate::context::Context;
use crate::inputs::spec::spec_error;
use crate::output::print_message;
use crate::process::signals::stopped;

/// Starts the programs among the specs of the command line, and makes their games known.
pub(crate) fn start(specs: &[String], context: &Context) -> Result<()> {
    for spec in specs.iter().filter(|spec| BotCommand::is_named(spec)) {
        let command: BotCommand = spec.parse().map_err(|fault| spec_error(spec, &fault))?;
        let program = RulesProgram::start(command, stopped).map_err(explained)?;
        if !program.hello().tells_turns() && !context.quiet {
            print_message(&format!(
                "note: '{spec}' says neither 'turns alternate' nor 'player N': the players are \
                 taken to move in turn"
            ));
        }
        let rules: Arc<dyn ForeignRules> = Arc::new(program);
        let [plain, symmetric] = [Symmetry::None, Symmetry::All]
            .map(|symmetry| foreign_game(Arc::clone(&rules), symmetry));
        know_game(plain, symmetric);
    }
    Ok(())
}

/// Runs a command. A fault of rules that it meets becomes its error.
pub(crate) fn catch<T>(command: impl FnOnce() -> Result<T>) -> Result<T> {
    catch_faults(command).map_err(explained).flatten()
}

fn explained(fault: RulesFault) -> anyhow::Error {
    if fault.is_stop { SolverError::Stopped.into() } else { anyhow!("{fault}") }
}
