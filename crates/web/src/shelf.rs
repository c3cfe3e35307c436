//! Tables and games that a server was started with.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use hindsight_games::{
    AnyGame, Error, KeptBlocks, Summary, Symmetry, Tablebase, game_without_files, open,
};

/// Time between two looks at the file of a table.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// Table that is served by a name.
#[derive(Debug)]
pub(crate) struct ServedTable {
    pub(crate) name: String,
    pub(crate) table: Tablebase,
    /// Rules of the game, with its symmetries.
    pub(crate) game: AnyGame,
    /// Length of the file.
    pub(crate) bytes: u64,
    /// Digest of the rules and the values.
    pub(crate) digest: String,
}

impl ServedTable {
    fn new(name: String, table: Tablebase) -> Result<Self, Error> {
        let bytes = table.bytes();
        let histogram = table.info().histogram();
        let signature = Summary::of(&histogram).signature(Some(&histogram));
        let spec = table.game().spec();
        let mut hasher = DefaultHasher::new();
        spec.hash(&mut hasher);
        let rules = hasher.finish();
        Ok(Self {
            name,
            game: game_without_files(spec, Symmetry::All)?,
            table,
            bytes,
            digest: format!("{signature}-{bytes:x}-{rules:016x}"),
        })
    }
}

/// Name under which the table of a file is served, whatever becomes of the file.
#[derive(Debug)]
pub(crate) struct ShelvedTable {
    pub(crate) name: String,
    path: PathBuf,
    state: Mutex<ShelvedState>,
}

#[derive(Debug)]
struct ShelvedState {
    table: Arc<ServedTable>,
    /// Time of the last look at the file; `None` if it is to be looked at.
    looked: Option<Instant>,
    /// True if the file has changed, and the new one could not be opened.
    is_lost: bool,
}

impl ShelvedTable {
    fn state(&self) -> MutexGuard<'_, ShelvedState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the table, be it that of an older file.
    pub(crate) fn latest(&self) -> Arc<ServedTable> {
        self.state().table.clone()
    }

    /// Returns the table; `None` if its file has changed and cannot be opened.
    pub(crate) fn table(&self) -> Option<Arc<ServedTable>> {
        let state = self.state();
        (!state.is_lost).then(|| state.table.clone())
    }

    /// Returns true if the file should be looked at, which others need not do then.
    pub(crate) fn begin_look(&self) -> bool {
        let mut state = self.state();
        let is_due = state.looked.is_none_or(|looked| looked.elapsed() >= LOOK_INTERVAL);
        if is_due {
            state.looked = Some(Instant::now());
        }
        is_due
    }

    /// Opens the file anew if it has changed.
    ///
    /// # Errors
    /// If the new file cannot be opened. It is tried again at the next look.
    pub(crate) fn look(&self, blocks: &Arc<KeptBlocks>) -> Result<(), Error> {
        if !self.latest().table.has_changed() {
            self.state().is_lost = false;
            return Ok(());
        }
        let opened = open(&self.path).and_then(|table| {
            table.keep_blocks(blocks);
            ServedTable::new(self.name.clone(), table)
        });
        let mut state = self.state();
        state.is_lost = opened.is_err();
        state.table = Arc::new(opened?);
        Ok(())
    }

    /// Returns true if the file of the table has changed; it is then looked at by the next request.
    pub(crate) fn is_to_be_opened(&self) -> bool {
        let mut state = self.state();
        let has_changed = state.is_lost || state.table.table.has_changed();
        if has_changed && !state.is_lost {
            state.looked = None;
        }
        has_changed
    }
}

/// Tables and games that a server was started with.
#[derive(Default, Debug)]
pub struct Shelf {
    tables: Vec<Arc<ShelvedTable>>,
    games: Vec<AnyGame>,
    is_closed: bool,
}

impl Shelf {
    /// Adds a table, which is served by a name.
    ///
    /// # Errors
    /// If the file cannot be looked at.
    pub fn add_table(&mut self, name: String, table: Tablebase) -> Result<(), Error> {
        let path = table.path().to_path_buf();
        let table = Arc::new(ServedTable::new(name.clone(), table)?);
        let state = ShelvedState { table, looked: None, is_lost: false };
        self.tables.push(Arc::new(ShelvedTable { name, path, state: Mutex::new(state) }));
        Ok(())
    }

    /// Adds a game, which is listed with the tables.
    ///
    /// # Errors
    /// If the spec names no game, or a file.
    pub fn add_game(&mut self, spec: &str) -> Result<(), Error> {
        let game = game_without_files(spec, Symmetry::All)?;
        if self.named_game(game.spec()).is_none() {
            self.games.push(game);
        }
        Ok(())
    }

    /// Closes the shelf: no other game is served.
    pub fn close(&mut self) {
        self.is_closed = true;
    }

    /// Returns true if only what is on the shelf is served.
    pub(crate) fn is_closed(&self) -> bool {
        self.is_closed
    }

    pub(crate) fn tables(&self) -> &[Arc<ShelvedTable>] {
        &self.tables
    }

    pub(crate) fn games(&self) -> &[AnyGame] {
        &self.games
    }

    pub(crate) fn table(&self, name: &str) -> Option<&Arc<ShelvedTable>> {
        self.tables.iter().find(|table| table.name == name)
    }

    /// Returns the first table of a game.
    pub(crate) fn table_of(&self, spec: &str) -> Option<&Arc<ShelvedTable>> {
        let mut tables = self.tables.iter();
        tables.find(|table| table.latest().game.spec() == spec)
    }

    /// Returns the game of a spec in normal form, if it was added.
    pub(crate) fn named_game(&self, spec: &str) -> Option<&AnyGame> {
        self.games.iter().find(|game| game.spec() == spec)
    }
}
