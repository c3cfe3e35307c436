//! The options of an audit, checked before any work.

use std::path::Path;

use anyhow::{Result, bail};

use crate::args::{AuditArgs, Origin};
use crate::context::Context;
use crate::inputs::named_agent::{NamedAgent, check_programs};
use crate::inputs::spec::agent_error;
use crate::output::{NamedFile, Output, check_distinct, refuse_stdout};
use crate::shown::sizes::counted;
use crate::tables::plot::PlotOutput;

/// Opens the CSV file and the plot, which are written after all agents are judged.
pub(super) fn open_outputs(
    args: &AuditArgs,
    context: &Context,
) -> Result<(Option<Output>, Option<PlotOutput>)> {
    let csv = args.csv.as_deref();
    let csv = csv.map(|file| Output::file_or_stream(file, context.force));
    let plot = args.plot.as_deref();
    let plot = plot.map(|file| PlotOutput::open(file, context.force));
    Ok((csv.transpose()?, plot.transpose()?))
}

/// Returns the agents to judge; no two are the same.
///
/// With `--playouts`, an agent with a number of playouts stands for one agent for each number.
pub(super) fn parse_agents(args: &AuditArgs) -> Result<Vec<NamedAgent>> {
    let mut playouts = args.playouts.clone();
    playouts.sort_unstable();
    playouts.dedup();
    let mut agents: Vec<NamedAgent> = Vec::new();
    for text in &args.agents {
        let typed = NamedAgent::parse(text)?;
        let playing_out = typed.spec().filter(|agent| agent.playouts().is_some());
        let family = match playing_out {
            Some(agent) if !playouts.is_empty() => {
                let family = playouts.iter().map(|&number| agent.with_playouts(number));
                let family = family.map(|agent| agent.map(NamedAgent::Spec));
                family.collect::<Result<Vec<_>, _>>().map_err(agent_error)?
            }
            _ => vec![typed],
        };
        for agent in family {
            if agents.contains(&agent) {
                bail!("{agent} is there twice");
            }
            agents.push(agent);
        }
    }
    check_programs(&args.programs, &agents)?;
    if !playouts.is_empty() && agents.iter().all(|agent| agent.playouts().is_none()) {
        bail!("--playouts is for mc and mcts without time=; none of the agents is one");
    }
    Ok(agents)
}

/// Refuses options that do not go together, and outputs that are the same file.
pub(super) fn check_options(args: &AuditArgs, context: &Context) -> Result<()> {
    if args.from == Origin::Ranks && (args.opening.is_some() || args.max_turns.is_some()) {
        bail!("--opening and --max-turns are for games, not for --from ranks");
    }
    if args.opening() >= args.max_turns() {
        bail!(
            "after an opening of {} nothing is left of games of {}; \
             see --opening and --max-turns",
            counted(args.opening(), "ply"),
            args.max_turns()
        );
    }
    let terminal_plot = Some(Path::new("-"));
    if context.json && args.plot.as_deref() == terminal_plot {
        bail!("--plot - goes with text only; give the plot a file, such as --plot FILE.svg");
    }
    let plot = args.plot.as_ref().filter(|file| Some(file.as_path()) != terminal_plot);
    for (option, file) in [("--csv", args.csv.as_ref()), ("--plot", plot)] {
        refuse_stdout(option, file.map(|file| &**file))?;
    }
    let outputs =
        [NamedFile::optional("--csv", args.csv.as_ref()), NamedFile::optional("--plot", plot)];
    let outputs: Vec<_> = outputs.into_iter().flatten().collect();
    check_distinct(&[NamedFile::new("the table", &args.table)], &outputs)
}

impl AuditArgs {
    /// Plies at the start of a game that are drawn at random.
    pub(super) fn opening(&self) -> u32 {
        self.opening.unwrap_or(4)
    }

    /// Plies after which a game is cut off.
    pub(super) fn max_turns(&self) -> u32 {
        self.max_turns.unwrap_or(100)
    }
}
