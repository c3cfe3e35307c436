//! The study of agents: its options, and the folder of its games and figures.

use std::sync::Mutex;

use anyhow::{Result, anyhow};
use hindsight_play::{GameRecord, read_games};
use hindsight_solve::Progress;
use hindsight_study::onitama_agents::{self, AgentsFigure, AgentsFindings, AgentsOptions};
use hindsight_study::{NullResultStore, ResultStore};

use super::answer::{StudyAnswer, StudyOutcome};
use super::folder::StudyFolder;
use super::label::StudyLabel;
use super::table_names::parse_tables;
use crate::args::{ResumableStudyArgs, StudyArgs};
use crate::charts;
use crate::context::Context;
use crate::progress::ProgressDisplay;

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

/// Plays the games and writes the figures.
/// Returns the report, and the error of a file that could not be written, if any.
pub(super) fn run(
    options: &AgentsOptions,
    args: &ResumableStudyArgs,
    context: &Context,
) -> Result<StudyOutcome> {
    let label = StudyLabel::new("onitama-agents", options.seed, None);
    let open = |path| StudyFolder::open(path, &label, "games").map(AgentGames);
    let games = args.out.as_deref().map(open).transpose()?;
    let store: &dyn ResultStore<GameRecord> = match &games {
        Some(games) => games,
        None => &NullResultStore,
    };
    let display = Mutex::new(ProgressDisplay::with_unit("playouts", context.quiet));
    let monitor = |series: &str, progress: Progress| {
        let mut display = display.lock().expect("no panic");
        display.report_series(series, progress)
    };
    let results = onitama_agents::run(options, store, &monitor);
    drop(display);
    let written = games.map_or(Ok(()), |games| games.write(&results));
    let failed = results
        .failure
        .map_or(Ok(()), |message| Err(anyhow!(message)));
    Ok(StudyOutcome {
        answer: StudyAnswer::Whole(results.report),
        written: failed.and(written),
    })
}

/// Folder of games and figures. Figures of an earlier run are overwritten.
struct AgentGames(StudyFolder);

impl AgentGames {
    /// Writes the figures and the report.
    fn write(&self, results: &AgentsFindings) -> Result<()> {
        for chart in &results.charts {
            let data = format!("figure-{}.csv", chart.figure);
            self.0.write(&data, &chart.csv())?;
            charts::write_figure(chart, self.0.path())?;
        }
        self.0.write("report.csv", &results.report.csv())
    }
}

impl ResultStore<GameRecord> for AgentGames {
    fn read(&self, series: &str) -> Result<Vec<GameRecord>, String> {
        self.0
            .read(series, |text| read_games(text).map(|games| games.0))
    }

    fn add(&self, series: &str, game: &GameRecord) -> Result<(), String> {
        self.0.add(series, game)
    }
}
