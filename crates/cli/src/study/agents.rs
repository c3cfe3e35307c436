//! The study of agents: its options, the folder of its games and figures.

use std::sync::Mutex;

use anyhow::{Result, anyhow};
use hindsight_play::{GameRecord, read_games};
use hindsight_solve::Progress;
use hindsight_study::onitama_agents::{self, Figure, Found, Options};
use hindsight_study::{Forget, Keep, Report};

use super::folder::Folder;
use super::{pictures, tables};
use crate::args::{KeptArgs, StudyArgs};
use crate::context::Context;
use crate::progress::Display;

/// Reads what is to be played.
pub(super) fn read(args: &StudyArgs) -> Result<Options> {
    let usual = Options::default();
    Ok(Options {
        figures: tables(args, Figure::parse)?,
        scale: args.kept.scale.unwrap_or(usual.scale),
        playouts: args.kept.playouts.unwrap_or(usual.playouts),
        seed: args.kept.seed.unwrap_or(usual.seed),
    })
}

/// Plays the games and writes the figures. What was found is told even if something could not be written.
pub(super) fn run(
    options: &Options,
    args: &KeptArgs,
    context: &Context,
) -> Result<(Report, Result<()>)> {
    let folder = Folder::of(args, "onitama-agents", options.seed, "games")?;
    let games = folder.map(Games);
    let keep: &dyn Keep<GameRecord> = match &games {
        Some(games) => games,
        None => &Forget,
    };
    let display = Mutex::new(Display::counting("playouts", context.quiet));
    let watch = |series: &str, progress: Progress| {
        let mut display = display.lock().expect("no panic");
        display.report_of(series, progress)
    };
    let found = onitama_agents::run(options, keep, &watch);
    drop(display);
    let written = games.map_or(Ok(()), |games| games.write(&found));
    let failed = found.failed.map_or(Ok(()), |message| Err(anyhow!(message)));
    Ok((found.report, failed.and(written)))
}

/// The games, and figures over those of an earlier run.
struct Games(Folder);

impl Games {
    fn write(&self, found: &Found) -> Result<()> {
        for drawing in &found.drawings {
            let data = format!("figure-{}.csv", drawing.figure);
            self.0.write(&data, &drawing.csv())?;
            pictures::write(drawing, self.0.path())?;
        }
        self.0.write("report.csv", &found.report.csv())
    }
}

impl Keep<GameRecord> for Games {
    fn read(&self, series: &str) -> Result<Vec<GameRecord>, String> {
        self.0
            .read(series, |text| read_games(text).map(|games| games.0))
    }

    fn add(&self, series: &str, game: &GameRecord) -> Result<(), String> {
        self.0.add(series, game)
    }
}
