//! Tables and games that a server was started with.

use std::sync::Arc;

use hindsight_games::{AnyGame, Error, Summary, Symmetry, Tablebase, game_without_files};

/// Table that is served by a name.
#[derive(Debug)]
pub(crate) struct ServedTable {
    pub(crate) name: String,
    pub(crate) table: Tablebase,
    /// Rules of the game, with its symmetries.
    pub(crate) game: AnyGame,
    /// Length of the file.
    pub(crate) bytes: u64,
    /// Digest of the values.
    pub(crate) digest: String,
}

/// Tables and games that a server was started with.
#[derive(Default, Debug)]
pub struct Shelf {
    tables: Vec<Arc<ServedTable>>,
    games: Vec<AnyGame>,
    is_closed: bool,
}

impl Shelf {
    /// Adds a table, which is served by a name.
    ///
    /// # Errors
    /// If the file cannot be looked at.
    pub fn add_table(&mut self, name: String, table: Tablebase) -> Result<(), Error> {
        let bytes = table.bytes();
        let histogram = table.info().histogram();
        let signature = Summary::of(&histogram).signature(Some(&histogram));
        self.tables.push(Arc::new(ServedTable {
            name,
            game: game_without_files(table.game().spec(), Symmetry::All)?,
            table,
            bytes,
            digest: format!("{signature}-{bytes:x}"),
        }));
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

    pub(crate) fn tables(&self) -> &[Arc<ServedTable>] {
        &self.tables
    }

    pub(crate) fn games(&self) -> &[AnyGame] {
        &self.games
    }

    /// Returns the table of a name.
    pub(crate) fn table(&self, name: &str) -> Option<&Arc<ServedTable>> {
        self.tables.iter().find(|table| table.name == name)
    }

    /// Returns the first table of a game.
    pub(crate) fn table_of(&self, spec: &str) -> Option<&Arc<ServedTable>> {
        self.tables.iter().find(|table| table.game.spec() == spec)
    }

    /// Returns the game of a spec in normal form, if it was added.
    pub(crate) fn named_game(&self, spec: &str) -> Option<&AnyGame> {
        self.games.iter().find(|game| game.spec() == spec)
    }
}
