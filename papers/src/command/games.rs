//! Games of a study, played with a display of progress and kept in a folder.

use std::sync::Mutex;

use anyhow::{Result, anyhow};
use hindsight_games::Progress;
use hindsight_play::{GameRecord, read_games};
use hindsight_study::{NullResultStore, ResultStore, SeriesProgressFn};

use super::settings::StudySettings;
use hindsight_cli::studies::{
    Context, ProgressDisplay, ResumableStudyArgs, StudyFolder, StudyLabel,
};

/// The games of a study, in a folder if it has one.
pub(super) struct StudyGames {
    folder: Option<GamesFolder>,
    settings: StudySettings,
}

/// Folder of games.
struct GamesFolder(StudyFolder);

impl StudyGames {
    /// Opens the folder of the options, or none. Unless `quiet`, prints how the settings of its
    /// report differ.
    pub(super) fn open(
        args: &ResumableStudyArgs,
        label: &StudyLabel,
        settings: StudySettings,
        quiet: bool,
    ) -> Result<Self> {
        let open = |path| StudyFolder::open(path, label, "games").map(GamesFolder);
        let folder = args.out.as_deref().map(open).transpose()?;
        if let Some(GamesFolder(folder)) = folder.as_ref().filter(|_| !quiet) {
            settings.announce(folder.path());
        }
        Ok(Self { folder, settings })
    }

    /// Runs a study. Its progress is counted in a plural noun, `unit`.
    pub(super) fn run<R>(
        &self,
        unit: &'static str,
        context: &Context,
        study: impl FnOnce(&dyn ResultStore<GameRecord>, SeriesProgressFn<'_>) -> R,
    ) -> R {
        let store: &dyn ResultStore<GameRecord> = match &self.folder {
            Some(games) => games,
            None => &NullResultStore,
        };
        let display = Mutex::new(ProgressDisplay::with_unit(unit, context.quiet));
        study(store, &|series: &str, progress: Progress| {
            let mut display = display.lock().expect("no panic");
            display.report_series(series, progress)
        })
    }

    /// Writes files into the folder, if there is one. Returns the `failure` of the study, else that
    /// of a file.
    pub(super) fn finish(
        self,
        failure: Option<String>,
        write: impl FnOnce(&StudyFolder) -> Result<()>,
    ) -> Result<()> {
        let written = self.folder.map_or(Ok(()), |GamesFolder(folder)| {
            self.settings.write(&folder)?;
            write(&folder)
        });
        failure.map_or(Ok(()), |message| Err(anyhow!(message)))?;
        written
    }
}

impl ResultStore<GameRecord> for GamesFolder {
    fn read(&self, series: &str) -> Result<Vec<GameRecord>, String> {
        self.0.read(series, |text| read_games(text).map(|games| games.0))
    }

    fn add(&self, series: &str, game: &GameRecord) -> Result<(), String> {
        self.0.add(series, game)
    }
}
