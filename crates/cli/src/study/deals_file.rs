//! SQLite file of the results of the study of deals.

use std::path::PathBuf;
use std::time::Duration;

use anyhow::Result;
use hindsight_study::ResultStore;
use hindsight_study::onitama_deals::DealResult;
use rusqlite::{Connection, OpenFlags, Row, params};

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
    PRIMARY KEY (board, number, allowed)
)";

const INSERT: &str = "INSERT INTO deals VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
const SELECT: &str = "SELECT * FROM deals WHERE board = ? ORDER BY number, allowed";

/// SQLite file in the folder of a study.
pub(super) struct DealDatabase {
    /// Holds the lock of the folder while the study runs.
    _folder: StudyFolder,
    path: PathBuf,
}

impl DealDatabase {
    pub(super) fn open(folder: StudyFolder) -> Result<Self> {
        let path = folder.path().join("deals").join("deals.sqlite");
        let deals = Self {
            _folder: folder,
            path,
        };
        let made = deals.connect()?.execute(TABLE, []);
        made.map_err(|error| sqlite::sqlite_error(&deals.path, &error))?;
        Ok(deals)
    }

    fn connect(&self) -> Result<Connection> {
        let connection = sqlite::open(&self.path, OpenFlags::SQLITE_OPEN_CREATE)?;
        let timeout_set = connection.busy_timeout(Duration::from_secs(60));
        timeout_set.map_err(|error| sqlite::sqlite_error(&self.path, &error))?;
        Ok(connection)
    }

    fn select(&self, board: &str) -> Result<Vec<DealResult>> {
        let connection = self.connect()?;
        let selected = connection.prepare(SELECT).and_then(|mut select| {
            let rows = select.query_map([board], deal_from_row)?;
            rows.collect()
        });
        selected.map_err(|error| sqlite::sqlite_error(&self.path, &error))
    }

    fn insert(&self, board: &str, deal: &DealResult) -> Result<()> {
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
        ];
        let inserted = self.connect()?.execute(INSERT, row);
        inserted.map_err(|error| sqlite::sqlite_error(&self.path, &error))?;
        Ok(())
    }
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
    })
}

impl ResultStore<DealResult> for DealDatabase {
    fn read(&self, board: &str) -> Result<Vec<DealResult>, String> {
        self.select(board).map_err(|error| error.to_string())
    }

    fn add(&self, board: &str, deal: &DealResult) -> Result<(), String> {
        let added = self.insert(board, deal);
        added.map_err(|error| error.to_string())
    }
}
