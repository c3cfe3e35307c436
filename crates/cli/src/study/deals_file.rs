//! SQLite file of the results of the study of deals.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Context as _, Result, anyhow};
use hindsight_games::files::sync_file;
use hindsight_study::ResultStore;
use hindsight_study::onitama_deals::DealResult;
use rusqlite::{Connection, ErrorCode, OpenFlags, Row, params};

use super::folder::StudyFolder;
use crate::matches::sqlite;

const TABLE: &str = "
CREATE TABLE IF NOT EXISTS deals (
    board TEXT NOT NULL,
    number INTEGER NOT NULL, -- from 0
    game TEXT NOT NULL, -- the spec
    allowed REAL NOT NULL, -- seconds
    mover_wins INTEGER, -- whether the player who moves first can force a win; \
     NULL where it is not known
    other_wins INTEGER,
    best_move TEXT,
    positions INTEGER NOT NULL, -- looked at
    students INTEGER NOT NULL, -- a side, in the tables used
    seconds REAL NOT NULL,
    plies INTEGER, -- most that the win takes; NULL if no bound is known
    PRIMARY KEY (board, number, allowed)
)";

const INSERT: &str = "INSERT INTO deals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
/// For a file of an earlier version.
const ADD_PLIES: &str = "ALTER TABLE deals ADD COLUMN plies INTEGER";
const SELECT: &str = "SELECT * FROM deals WHERE board = ? ORDER BY number, allowed";

const FILE: &str = "deals.sqlite";

/// Longest wait for another program that uses the file.
const BUSY_TIMEOUT: Duration = Duration::from_secs(60);

/// SQLite file in the folder of a study.
pub(super) struct DealDatabase {
    /// Its lock is held while the study runs.
    folder: StudyFolder,
    path: PathBuf,
}

impl DealDatabase {
    pub(super) fn open(folder: StudyFolder) -> Result<Self> {
        let path = folder.path().join("deals").join(FILE);
        let deals = Self { folder, path };
        let connection = deals.connect()?;
        let made = connection.execute(TABLE, []).and_then(|_| {
            if connection.column_exists(None, "deals", "plies")? {
                return Ok(0);
            }
            connection.execute(ADD_PLIES, [])
        });
        made.map_err(|error| deals.error(&error))?;
        Ok(deals)
    }

    /// Writes a file beside the database.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<()> {
        self.folder.write(name, text)
    }

    fn connect(&self) -> Result<Connection> {
        let connection = sqlite::open(&self.path, OpenFlags::SQLITE_OPEN_CREATE)?;
        let timeout_set = connection.busy_timeout(BUSY_TIMEOUT);
        timeout_set.map_err(|error| self.error(&error))?;
        Ok(connection)
    }

    fn error(&self, error: &rusqlite::Error) -> anyhow::Error {
        sqlite::sqlite_error(&self.path, error)
    }

    /// Adds deals one by one, as a study does, which decides the bytes of the file. They are on the
    /// disk at the end, not before.
    pub(super) fn add_all(&self, board: &str, deals: &[DealResult]) -> Result<()> {
        let connection = self.connect()?;
        let added = connection
            .execute_batch("PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY;")
            .and_then(|()| deals.iter().try_for_each(|deal| insert(&connection, board, deal)));
        added.map_err(|error| self.error(&error))?;
        let synced = File::open(&self.path).and_then(|file| sync_file(&file));
        synced.with_context(|| format!("cannot write '{}'", self.path.display()))
    }
}

/// Reads the deals in the folder of a database, which may be missing. Nothing is written.
pub(super) fn read_deals(folder: &Path, board: &str) -> Result<Vec<DealResult>> {
    let path = folder.join(FILE);
    if !path.exists() {
        return Ok(Vec::new());
    }
    let flags = OpenFlags::SQLITE_OPEN_READ_ONLY | OpenFlags::SQLITE_OPEN_NO_MUTEX;
    let name = path.display();
    let full = std::path::absolute(&path).with_context(|| format!("cannot read '{name}'"))?;
    let connection = Connection::open_with_flags(full, flags);
    let deals = connection.and_then(|connection| {
        connection.busy_timeout(BUSY_TIMEOUT)?;
        select(&connection, board)
    });
    deals.map_err(|error| match error.sqlite_error_code() {
        // Only a connection that may write takes back what a killed process left half written.
        Some(ErrorCode::ReadOnly) => {
            anyhow!("'{name}' was left half written; run the part again")
        }
        _ => anyhow!("cannot read '{name}': {error}"),
    })
}

fn select(connection: &Connection, board: &str) -> rusqlite::Result<Vec<DealResult>> {
    let mut select = connection.prepare(SELECT)?;
    let rows = select.query_map([board], deal_from_row)?;
    rows.collect()
}

fn insert(connection: &Connection, board: &str, deal: &DealResult) -> rusqlite::Result<()> {
    let row = params![
        board,
        deal.number as i64,
        deal.spec,
        deal.allowed_seconds,
        deal.wins[0],
        deal.wins[1],
        deal.best_move,
        deal.positions as i64,
        deal.students,
        deal.seconds,
        deal.plies,
    ];
    connection.execute(INSERT, row)?;
    Ok(())
}

/// Reads a column of numbers that are not negative.
fn count(row: &Row<'_>, column: &str) -> rusqlite::Result<u64> {
    let value: i64 = row.get(column)?;
    let index = row.as_ref().column_index(column)?;
    u64::try_from(value).map_err(|_| rusqlite::Error::IntegralValueOutOfRange(index, value))
}

fn deal_from_row(row: &Row<'_>) -> rusqlite::Result<DealResult> {
    Ok(DealResult {
        number: count(row, "number")?,
        spec: row.get("game")?,
        allowed_seconds: row.get("allowed")?,
        wins: [row.get("mover_wins")?, row.get("other_wins")?],
        best_move: row.get("best_move")?,
        positions: count(row, "positions")?,
        students: row.get("students")?,
        seconds: row.get("seconds")?,
        plies: match row.get("plies") {
            Err(rusqlite::Error::InvalidColumnName(_)) => None,
            plies => plies?,
        },
    })
}

impl ResultStore<DealResult> for DealDatabase {
    fn read(&self, board: &str) -> Result<Vec<DealResult>, String> {
        let deals = self
            .connect()
            .and_then(|connection| select(&connection, board).map_err(|error| self.error(&error)));
        deals.map_err(|error| error.to_string())
    }

    fn add(&self, board: &str, deal: &DealResult) -> Result<(), String> {
        let added = self.connect().and_then(|connection| {
            insert(&connection, board, deal).map_err(|error| self.error(&error))
        });
        added.map_err(|error| error.to_string())
    }
}
