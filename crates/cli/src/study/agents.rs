//! The study of agents: its options, the folder of its games and figures.

use std::fs::{self, File};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::{Context, Result, anyhow, bail};
use play::{Record, read_games};
use serde::{Deserialize, Serialize};
use solve::{Monitor, Progress};
use study::Report;
use study::onitama_agents::{self, Figure, Forget, Found, Keep, Options};

use super::{pictures, tables};
use crate::args::{AgentsArgs, Common, StudyArgs};
use crate::output::Output;
use crate::progress::Display;

/// Refuses options of this study with another one.
pub(super) fn refuse(args: &AgentsArgs) -> Result<()> {
    let AgentsArgs {
        scale,
        playouts,
        seed,
        out,
    } = args;
    if scale.is_some() || playouts.is_some() || seed.is_some() || out.is_some() {
        bail!("--scale, --playouts, --seed and --out are for onitama-agents");
    }
    Ok(())
}

/// Reads what is to be played.
pub(super) fn read(args: &StudyArgs) -> Result<Options> {
    let usual = Options::default();
    Ok(Options {
        figures: tables(args, Figure::parse)?,
        scale: args.agents.scale.unwrap_or(usual.scale),
        playouts: args.agents.playouts.unwrap_or(usual.playouts),
        seed: args.agents.seed.unwrap_or(usual.seed),
    })
}

/// Plays the games and writes the figures. What was found is told even if something could not be written.
pub(super) fn run(
    options: &Options,
    args: &AgentsArgs,
    common: &Common,
) -> Result<(Report, Result<()>)> {
    let folder = args
        .out
        .as_deref()
        .map(|path| Folder::open(path, options.seed));
    let folder = folder.transpose()?;
    let keep: &dyn Keep = match &folder {
        Some(folder) => folder,
        None => &Forget,
    };
    let display = Mutex::new((Display::counting("playouts", common.quiet), String::new()));
    let watch = |series: &str, progress: Progress| {
        let mut display = display.lock().expect("no panic");
        if display.1 != series {
            display.1 = series.into();
            display.0.note(series);
        }
        display.0.report(progress)
    };
    let found = onitama_agents::run(options, keep, &watch);
    drop(display);
    let written = folder.map_or(Ok(()), |folder| folder.write(&found));
    let failed = found.failed.map_or(Ok(()), |message| Err(anyhow!(message)));
    Ok((found.report, failed.and(written)))
}

/// A folder with the games of a study, a file for each series, one JSON object a line.
struct Folder {
    path: PathBuf,
    /// That of the series being played.
    file: Mutex<Option<(String, File)>>,
}

/// What a folder says of itself.
#[derive(PartialEq, Serialize, Deserialize)]
struct Label {
    study: String,
    /// Raised when agents or rules change, so that games of two kinds are not mixed.
    version: u32,
    seed: u64,
}

const LABEL: &str = "study.json";
const GAMES: &str = "games";

impl Folder {
    /// A folder that is not there yet, is empty, or is one of this study with the same seed.
    fn open(path: &Path, seed: u64) -> Result<Self> {
        let name = path.display();
        let label = Label {
            study: "onitama-agents".into(),
            version: 1,
            seed,
        };
        match fs::read_to_string(path.join(LABEL)) {
            Ok(text) => {
                let found: Label = serde_json::from_str(&text)
                    .with_context(|| format!("'{name}/{LABEL}' is no label of a study"))?;
                if found != label {
                    bail!(
                        "'{name}' has the games of {}, version {}, with --seed {}, not of version {} with --seed {seed}; \
                         name another folder",
                        found.study,
                        found.version,
                        found.seed,
                        label.version
                    );
                }
            }
            Err(error) if error.kind() != ErrorKind::NotFound && path.is_dir() => {
                return Err(error).with_context(|| format!("cannot read '{name}/{LABEL}'"));
            }
            Err(_) => {
                if path.exists() && !path.is_dir() {
                    bail!("'{name}' is no folder");
                }
                if fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_some()) {
                    bail!("'{name}' has files that are not of this study; name another folder");
                }
                let made = fs::create_dir_all(path);
                made.with_context(|| format!("cannot make the folder '{name}'"))?;
                let mut file = Output::create(&path.join(LABEL), false)?;
                serde_json::to_writer(&mut file, &label)?;
                file.write_all(b"\n")?;
                file.finish()?;
            }
        }
        let made = fs::create_dir_all(path.join(GAMES));
        made.with_context(|| format!("cannot make the folder '{name}/{GAMES}'"))?;
        Ok(Self {
            path: path.to_owned(),
            file: Mutex::new(None),
        })
    }

    /// Writes figures and report, over those of an earlier run.
    fn write(&self, found: &Found) -> Result<()> {
        for drawing in &found.drawings {
            pictures::write(drawing, &self.path)?;
        }
        let mut file = Output::create(&self.path.join("report.csv"), true)?;
        file.write_all(found.report.csv().as_bytes())?;
        file.finish()
    }

    fn file_of(&self, series: &str) -> PathBuf {
        self.path.join(GAMES).join(format!("{series}.jsonl"))
    }
}

impl Keep for Folder {
    fn read(&self, series: &str) -> Result<Vec<Record>, String> {
        let path = self.file_of(series);
        let named = |error: &dyn std::fmt::Display| format!("'{}': {error}", path.display());
        if !path.exists() {
            return Ok(Vec::new());
        }
        let text = fs::read_to_string(&path).map_err(|error| named(&error))?;
        // Games go on after the last whole line.
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        if whole < text.len() {
            let file = File::options().write(true).open(&path);
            let cut = file.and_then(|file| file.set_len(whole as u64));
            cut.map_err(|error| named(&error))?;
        }
        let (games, _) = read_games(&text[..whole]).map_err(|error| named(&error))?;
        Ok(games)
    }

    fn add(&self, series: &str, game: &Record) -> Result<(), String> {
        let path = self.file_of(series);
        let named = |error: std::io::Error| format!("cannot write '{}': {error}", path.display());
        let line = serde_json::to_string(game).map_err(|error| error.to_string())? + "\n";
        let mut open = self.file.lock().expect("no panic");
        if open.as_ref().is_none_or(|(of, _)| of != series) {
            let file = File::options().create(true).append(true).open(&path);
            *open = Some((series.into(), file.map_err(named)?));
        }
        let (_, file) = open.as_mut().expect("it was just opened");
        file.write_all(line.as_bytes()).map_err(named)
    }
}
