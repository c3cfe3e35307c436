//! The command `audit`: judges the moves of agents by a table.

mod by_class;
mod csv;
mod judged;
mod options;
#[cfg_attr(not(feature = "plots"), path = "audit/no_picture.rs")]
mod picture;
mod report;
mod rows;
mod runner;

use std::fs::File;
use std::io::Write;
use std::time::Instant;

use anyhow::{Result, bail};
use hindsight_core::{ForbiddenMove, Game, Notation, Probe, Ranked, Retro, state_at};
use hindsight_play::{AgentSpec, AuditSetup, BatchProbe};
use hindsight_rules::Visitor;
use hindsight_tablebase::{Table, TableInfo};

use self::judged::JudgedAgent;
use self::options::{check_options, open_outputs, parse_agents};
use self::report::AuditReport;
use self::runner::{AuditRunner, sample_choices};
use crate::args::{AuditArgs, Origin};
use crate::context::Context;
use crate::game_with_values::table_answers;
use crate::output::{finish_all, print_json, print_text};
use crate::signals::stopped;
use crate::tables::{self, check_game_size};

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
        table: opened.table(),
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
        print_text(&report.text())?;
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

/// Judges all agents on the game of a table. Returns fewer than all if a signal asked to stop.
struct AuditVisitor<'a> {
    args: &'a AuditArgs,
    context: &'a Context,
    table: &'a Table<File>,
    agents: &'a [AgentSpec],
}

impl Visitor for AuditVisitor<'_> {
    type Output = Result<Vec<JudgedAgent>>;

    fn visit<G: Notation>(self, game: G) -> Self::Output {
        Err(tables::unranked_error(&game))
    }

    fn ranked<G: Retro + Notation>(self, game: G) -> Self::Output {
        let (path, table) = (&*self.args.table, self.table);
        let values = |positions: &[_]| table_answers(path, table.with(&game).probe_many(positions));
        let layer = |position| layer_of_tier(table.info(), game.tier(position));
        let at = |tier, rank| game.unrank(tier, rank);
        self.judge(&game, &game, &values, &layer, &at)
    }

    fn forbidden_move<G: ForbiddenMove + Notation>(self, game: G) -> Self::Output {
        let (path, table) = (&*self.args.table, self.table);
        let values =
            |positions: &[_]| table_answers(path, table.with_states(&game).probe_many(positions));
        let base = game.base();
        let layer = |position| layer_of_tier(table.info(), base.tier(game.decode(position).0));
        let at = |tier, rank| state_at(&game, tier, rank, 0);
        self.judge(&game, base, &values, &layer, &at)
    }
}

/// Returns the layer of a tier; 0 for `None`, the tier of a terminal position.
fn layer_of_tier(info: &TableInfo, tier: Option<u64>) -> u32 {
    let begins_before = |layer: &hindsight_tablebase::LayerInfo| {
        tier >= layer.first_tier && layer.first_tier.is_some()
    };
    let layer = info.layers.iter().rposition(begins_before);
    layer.unwrap_or(0) as u32
}

impl AuditVisitor<'_> {
    /// Judges the agents.
    ///
    /// `base` numbers the positions of the table. `values` reads values, `layer` returns the layer
    /// of a position, and `at` returns the position at a tier and rank of `base`.
    fn judge<G: Game, B: Ranked>(
        &self,
        game: &G,
        base: &B,
        values: BatchProbe<'_, G::Position>,
        layer: &(dyn Fn(G::Position) -> u32 + Sync),
        at: &dyn Fn(u64, u64) -> Option<G::Position>,
    ) -> Result<Vec<JudgedAgent>> {
        let drawn = if self.args.from == Origin::Ranks {
            check_game_size(base, self.context)?;
            let drawn = sample_choices(game, base, self.table.info(), self.args, at);
            if drawn.is_empty() {
                bail!("no position with two moves was found in the table");
            }
            Some(drawn)
        } else {
            None
        };
        let setup = AuditSetup {
            game,
            probe: values,
            layer,
        };
        let runner = AuditRunner::new(self.args, setup, drawn, self.agents.len(), self.context);
        let mut judged = Vec::new();
        for &agent in self.agents {
            match runner.judge(&agent) {
                Ok(quality) => judged.push(JudgedAgent { agent, quality }),
                Err(_) if stopped() => break,
                Err(error) => return Err(error),
            }
        }
        runner.memory().report_if_full(self.context);
        Ok(judged)
    }
}
