//! The study of agents: its options, and the folder of its games and figures.

use std::sync::Mutex;

use anyhow::{Result, anyhow};
use hindsight_play::{GameRecord, read_games};
use hindsight_solve::Progress;
use hindsight_study::onitama_agents::{self, Figure, Found, Options};
use hindsight_study::{Forget, Keep, Report};

use super::folder::StudyFolder;
use super::{parse_tables, pictures};
use crate::args::{ResumableStudyArgs, StudyArgs};
use crate::context::Context;
use crate::progress::ProgressDisplay;

/// Reads the options of the study.
pub(super) fn parse(args: &StudyArgs) -> Result<Options> {
    let defaults = Options::default();
    Ok(Options {
        figures: parse_tables(args, Figure::parse)?,
        scale: args.resumable.scale.unwrap_or(defaults.scale),
        playouts: args.resumable.playouts.unwrap_or(defaults.playouts),
        seed: args.resumable.seed.unwrap_or(defaults.seed),
    })
}

/// Plays the games and writes the figures.
/// Returns the report, and the error of a file that could not be written, if any.
pub(super) fn run(
    options: &Options,
    args: &ResumableStudyArgs,
    context: &Context,
) -> Result<(Report, Result<()>)> {
    let folder = StudyFolder::from_args(args, "onitama-agents", options.seed, "games")?;
    let games = folder.map(AgentGames);
    let store: &dyn Keep<GameRecord> = match &games {
        Some(games) => games,
        None => &Forget,
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
        .failed
        .map_or(Ok(()), |message| Err(anyhow!(message)));
    Ok((results.report, failed.and(written)))
}

/// Folder of games and figures. Figures of an earlier run are overwritten.
struct AgentGames(StudyFolder);

impl AgentGames {
    /// Writes the figures and the report.
    fn write(&self, results: &Found) -> Result<()> {
        for drawing in &results.drawings {
            let data = format!("figure-{}.csv", drawing.figure);
            self.0.write(&data, &drawing.csv())?;
            pictures::write_figure(drawing, self.0.path())?;
        }
        self.0.write("report.csv", &results.report.csv())
    }
}

impl Keep<GameRecord> for AgentGames {
    fn read(&self, series: &str) -> Result<Vec<GameRecord>, String> {
        self.0
            .read(series, |text| read_games(text).map(|games| games.0))
    }

    fn add(&self, series: &str, game: &GameRecord) -> Result<(), String> {
        self.0.add(series, game)
    }
}
