//! How often moves of agents give away a result, by a table.

mod by_class;
mod csv;
#[cfg_attr(not(feature = "plots"), path = "audit/no_picture.rs")]
mod picture;
mod report;
mod runner;

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::{Result, bail};
use hindsight_core::{ForbiddenMove, Game, Notation, Probe, Ranked, Retro};
use hindsight_play::{AgentSpec, AuditSetup, BatchProbe, PlayQuality};
use hindsight_rules::Visitor;
use hindsight_tablebase::{Table, TableInfo};

use self::report::AuditReport;
use self::runner::{AuditRunner, sample_choices};
use crate::args::{AuditArgs, Origin};
use crate::context::Context;
use crate::game_with_values::table_answers;
use crate::output::{
    NamedFile, Output, check_distinct, finish_all, print, print_json, refuse_stdout,
};
use crate::signals::stopped;
use crate::tables::plot::PlotOutput;
use crate::tables::sampling::Place;
use crate::tables::{self, check_game_size, state_at};

/// An agent that was judged.
struct JudgedAgent {
    agent: AgentSpec,
    quality: PlayQuality,
}

pub(crate) fn run(args: &AuditArgs, context: &Context) -> Result<()> {
    let agents = parse_agents(args)?;
    check_options(args, context)?;
    let (csv, plot) = open_outputs(args, context)?;
    let opened = tables::open(&args.table)?;
    let info = opened.info();
    let begin = Instant::now();
    let audit = AuditVisitor {
        args,
        context,
        table: &opened,
        agents: &agents,
    };
    let judged = tables::visit(&info.spec, audit)??;
    if judged.is_empty() {
        return Err(hindsight_solve::Error::Stopped.into());
    }
    let report = AuditReport::new(args, info, &judged, begin.elapsed().as_secs_f64());
    if context.json {
        print_json(&report)?;
    } else {
        print(&report.text())?;
    }
    let mut files = Vec::new();
    if let Some(mut file) = csv {
        file.write_all(csv::text(args.seed, info, &judged).as_bytes())?;
        files.push(file);
    }
    if let Some(plot) = plot {
        files.extend(picture::draw(plot, &report.title(), &judged)?);
    }
    finish_all(files)?;
    if judged.len() < agents.len() {
        return Err(hindsight_solve::Error::Stopped.into());
    }
    Ok(())
}

/// The files that are written when all is judged.
fn open_outputs(
    args: &AuditArgs,
    context: &Context,
) -> Result<(Option<Output>, Option<PlotOutput>)> {
    let csv = args.csv.as_deref();
    let csv = csv.map(|file| Output::file_or_stream(file, context.force));
    let plot = args.plot.as_deref();
    let plot = plot.map(|file| PlotOutput::open(file, context.force));
    Ok((csv.transpose()?, plot.transpose()?))
}

/// The agents to be judged, each another.
fn parse_agents(args: &AuditArgs) -> Result<Vec<AgentSpec>> {
    let mut playouts = args.playouts.clone();
    playouts.sort_unstable();
    playouts.dedup();
    let mut agents: Vec<AgentSpec> = Vec::new();
    for text in &args.agents {
        let named: AgentSpec = text.parse()?;
        let family = match named.playouts() {
            Some(_) if !playouts.is_empty() => {
                let family = playouts.iter().map(|&number| named.with_playouts(number));
                family.collect::<Result<Vec<_>, _>>()?
            }
            _ => vec![named],
        };
        for agent in family {
            if agents.contains(&agent) {
                bail!("{agent} is there twice");
            }
            agents.push(agent);
        }
    }
    if !playouts.is_empty() && agents.iter().all(|agent| agent.playouts().is_none()) {
        bail!("--playouts is for mc and mcts without time=; none of the agents is one");
    }
    Ok(agents)
}

/// Whether options go together.
fn check_options(args: &AuditArgs, context: &Context) -> Result<()> {
    if args.from == Origin::Ranks && (args.opening.is_some() || args.max_turns.is_some()) {
        bail!("--opening and --max-turns are for games, not for --from ranks");
    }
    if args.opening() >= args.max_turns() {
        bail!(
            "after an opening of {} plies nothing is left of games of {}; see --opening and --max-turns",
            args.opening(),
            args.max_turns()
        );
    }
    let terminal = Some(Path::new("-"));
    if context.json && args.plot.as_deref() == terminal {
        bail!("--plot - goes with text only; give the plot a file, such as --plot FILE.svg");
    }
    let plot = args
        .plot
        .as_ref()
        .filter(|file| Some(file.as_path()) != terminal);
    for (option, file) in [("--csv", args.csv.as_ref()), ("--plot", plot)] {
        refuse_stdout(option, file.map(|file| &**file))?;
    }
    let outputs = [
        NamedFile::optional("--csv", args.csv.as_ref()),
        NamedFile::optional("--plot", plot),
    ];
    let outputs: Vec<_> = outputs.into_iter().flatten().collect();
    check_distinct(&[NamedFile::new("the table", &args.table)], &outputs)
}

impl AuditArgs {
    /// Plies of a game that are drawn.
    fn opening(&self) -> u32 {
        self.opening.unwrap_or(4)
    }

    /// Plies after which a game is cut off.
    fn max_turns(&self) -> u32 {
        self.max_turns.unwrap_or(100)
    }
}

/// Judges all agents on the game of a table.
struct AuditVisitor<'a> {
    args: &'a AuditArgs,
    context: &'a Context,
    table: &'a Table<File>,
    agents: &'a [AgentSpec],
}

impl Visitor for AuditVisitor<'_> {
    type Output = Result<Vec<JudgedAgent>>;

    fn visit<G: Game + Notation>(self, game: G) -> Self::Output {
        Err(tables::unranked_error(&game))
    }

    fn ranked<G: Retro + Notation>(self, game: G) -> Self::Output {
        let (path, table) = (&*self.args.table, self.table);
        let values = |positions: &[_]| table_answers(path, table.with(&game).probe_many(positions));
        let layer = |position| layer_of_tier(table.info(), game.tier(position));
        let at = |(tier, rank)| game.unrank(tier, rank);
        self.judge((&game, &game), &values, &layer, &at)
    }

    fn forbidden_move<G: ForbiddenMove + Notation>(self, game: G) -> Self::Output {
        let (path, table) = (&*self.args.table, self.table);
        let values =
            |positions: &[_]| table_answers(path, table.with_states(&game).probe_many(positions));
        let base = game.base();
        let layer = |position| layer_of_tier(table.info(), base.tier(game.decode(position).0));
        let at = |place| state_at(&game, place, 0);
        self.judge((&game, base), &values, &layer, &at)
    }
}

/// The layer of a table that has a tier; 0 for a position without one, which is over.
fn layer_of_tier(info: &TableInfo, tier: Option<u64>) -> u32 {
    let begins = |layer: &hindsight_tablebase::LayerInfo| {
        tier >= layer.first_tier && layer.first_tier.is_some()
    };
    let found = info.layers.iter().rposition(begins);
    found.unwrap_or(0) as u32
}

impl AuditVisitor<'_> {
    /// Judges agents on a game whose positions `at` some places have ranks in `base`.
    fn judge<G: Game, B: Ranked>(
        &self,
        (game, base): (&G, &B),
        values: BatchProbe<'_, G::Position>,
        layer: &(dyn Fn(G::Position) -> u32 + Sync),
        at: &dyn Fn(Place) -> Option<G::Position>,
    ) -> Result<Vec<JudgedAgent>> {
        let drawn = if self.args.from == Origin::Ranks {
            check_game_size(base, self.context)?;
            let drawn = sample_choices((game, base), self.table.info(), self.args, at);
            if drawn.is_empty() {
                bail!("no position with two moves was found in the table");
            }
            Some(drawn)
        } else {
            None
        };
        let ground = AuditSetup {
            game,
            probe: values,
            layer,
        };
        let field = AuditRunner::new(self.args, ground, drawn, self.agents.len(), self.context);
        let mut judged = Vec::new();
        for &agent in self.agents {
            match field.judge(&agent) {
                Ok(quality) => judged.push(JudgedAgent { agent, quality }),
                Err(_) if stopped() => break,
                Err(error) => return Err(error),
            }
        }
        field.memory().report_if_full(self.context);
        Ok(judged)
    }
}
