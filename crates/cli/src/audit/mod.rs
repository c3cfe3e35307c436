//! The command `audit`: judges the moves of agents by a table.

mod by_class;
mod csv;
mod judged;
mod options;
mod picture;
mod report;
mod rows;
mod runner;

use std::io::Write;
use std::time::Instant;

use anyhow::Result;

use self::options::{check_options, open_outputs, parse_agents};
use self::runner::judge_all;
use crate::args::AuditArgs;
use crate::context::Context;
use crate::output::{finish_all, print_json, print_text};
use crate::tables;

pub(crate) fn run(args: &AuditArgs, context: &Context) -> Result<()> {
    let agents = parse_agents(args)?;
    check_options(args, context)?;
    let (csv, plot) = open_outputs(args, context)?;
    let opened = tables::open(&args.table)?;
    let info = opened.info();
    let begin = Instant::now();
    let judged = judge_all(&opened, &agents, args, context)?;
    if judged.is_empty() {
        return Err(hindsight_games::SolverError::Stopped.into());
    }
    let answer = report::answer(args, info, &judged, begin.elapsed().as_secs_f64());
    if context.json {
        print_json(&answer)?;
    } else {
        print_text(&report::text(&answer))?;
    }
    let mut files = Vec::new();
    if let Some(mut file) = csv {
        file.write_all(csv::text(args.seed, info, &judged).as_bytes())?;
        files.push(file);
    }
    if let Some(plot) = plot {
        files.extend(picture::draw(plot, &report::title(&answer), &judged)?);
    }
    finish_all(files)?;
    if judged.len() < agents.len() {
        return Err(hindsight_games::SolverError::Stopped.into());
    }
    Ok(())
}
