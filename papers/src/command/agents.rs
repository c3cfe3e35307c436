//! The study of agents: its options, its games and its figures.

use crate::onitama_agents::{self, AgentsFigure, AgentsFindings, AgentsOptions};
use anyhow::Result;

use super::games::StudyGames;
use super::settings::StudySettings;
use hindsight_cli::studies as charts;
use hindsight_cli::studies::{
    Context, ResumableStudyArgs, StudyAnswer, StudyArgs, StudyFolder, StudyLabel, StudyOutcome,
    parse_tables,
};

/// Reads the options of the study.
pub(super) fn parse(args: &StudyArgs) -> Result<AgentsOptions> {
    let defaults = AgentsOptions::default();
    Ok(AgentsOptions {
        figures: parse_tables(args, AgentsFigure::parse)?,
        scale: args.resumable.scale.unwrap_or(defaults.scale),
        playouts: args.resumable.playouts.unwrap_or(defaults.playouts),
        seed: args.resumable.seed.unwrap_or(defaults.seed),
    })
}

fn settings(options: &AgentsOptions) -> StudySettings {
    let AgentsOptions { figures, scale, playouts, .. } = options;
    let numbers = figures.iter().map(|figure| figure.number());
    let numbers = numbers.map(|number| format!("--table {number}"));
    let settings = [format!("--scale {scale}"), format!("--playouts {playouts}")];
    StudySettings(settings.into_iter().chain(numbers).collect())
}

/// Plays the games and writes the figures.
///
/// Returns the report, and the error of a file that could not be written, if any.
pub(super) fn run(
    options: &AgentsOptions,
    args: &ResumableStudyArgs,
    context: &Context,
) -> Result<StudyOutcome> {
    let label = StudyLabel::new("onitama-agents", options.seed, None);
    let games = StudyGames::open(args, &label, settings(options), context.quiet)?;
    let mut results = games.run("playouts", context, |store, on_progress| {
        onitama_agents::run(options, store, on_progress)
    });
    let failure = results.failure.take();
    let written = games.finish(failure, |folder| write_figures(folder, &results));
    Ok(StudyOutcome { answer: StudyAnswer::Whole(results.report), written })
}

/// Writes the figures and the report. Those of an earlier run are overwritten.
fn write_figures(folder: &StudyFolder, results: &AgentsFindings) -> Result<()> {
    for chart in &results.charts {
        let data = format!("figure-{}.csv", chart.figure);
        folder.write(&data, &chart.csv())?;
        charts::write_figure(chart, folder.path())?;
    }
    folder.write("report.csv", &results.report.csv())
}
