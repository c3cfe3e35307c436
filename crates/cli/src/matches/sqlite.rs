//! Matches and their games in an SQLite file, which holds as many matches as are added to it.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, bail};
use hindsight_play::GameRecord;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior, params};

use crate::args::MatchArgs;
use crate::output::check_file;

/// Says in the header of a file that it is ours.
const APPLICATION_ID: i64 = i32::from_be_bytes(*b"Hind") as i64;

/// The version of the tables, in the header too.
const SCHEMA_VERSION: i64 = 1;

/// Agents and seats are 1 and 2, as in the names of the columns; games are numbered from 0, as in a file of games.
const CREATE_TABLES: &str = "
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    begun TEXT NOT NULL, -- ISO 8601, UTC
    version TEXT NOT NULL, -- of hindsight
    game TEXT NOT NULL, -- the spec; random where games are dealt
    agent1 TEXT NOT NULL,
    agent2 TEXT NOT NULL,
    seed INTEGER NOT NULL,
    max_turns INTEGER NOT NULL,
    games INTEGER NOT NULL -- that were wanted; fewer are kept of a match that was stopped
);
CREATE TABLE games (
    match INTEGER NOT NULL REFERENCES matches (id),
    number INTEGER NOT NULL, -- from 0; 2n and 2n + 1 have the same deal
    game TEXT NOT NULL, -- the spec as it was dealt
    first INTEGER NOT NULL, -- the agent that moved first, 1 or 2
    winner INTEGER, -- 1 or 2; NULL for a tie
    ending TEXT NOT NULL,
    plies INTEGER NOT NULL,
    moves TEXT NOT NULL, -- with spaces between
    work1 INTEGER NOT NULL, -- playouts, or positions of a search
    work2 INTEGER NOT NULL,
    seconds1 REAL NOT NULL, -- of thought
    seconds2 REAL NOT NULL,
    PRIMARY KEY (match, number)
);
-- share1: the points of agent 1 a game, 1 for a win and 1/2 for a tie.
CREATE VIEW results AS
SELECT *, (wins1 + 0.5 * ties) / games AS share1
FROM (
    SELECT m.id AS match, m.game, m.agent1, m.agent2, m.seed,
        count(g.number) AS games,
        count(CASE WHEN g.winner = 1 THEN 1 END) AS wins1,
        count(CASE WHEN g.winner = 2 THEN 1 END) AS wins2,
        count(g.number) - count(g.winner) AS ties,
        avg(g.plies) AS mean_plies
    FROM matches AS m LEFT JOIN games AS g ON g.match = m.id
    GROUP BY m.id
);
";

const INSERT_MATCH: &str = "
INSERT INTO matches (begun, version, game, agent1, agent2, seed, max_turns, games)
VALUES (strftime('%Y-%m-%dT%H:%M:%SZ', 'now'), ?, ?, ?, ?, ?, ?, ?)";

const INSERT_GAME: &str = "
INSERT INTO games (match, number, game, first, winner, ending, plies, moves,
    work1, work2, seconds1, seconds2)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";

/// Games are written together, when so much time has passed or so many have ended: each write waits for the disk.
const WRITE_INTERVAL: Duration = Duration::from_secs(1);
const MAX_WAITING_GAMES: usize = 1000;

/// How long the end of a match waits for another program that writes to the file.
const FINISH_TIMEOUT: Duration = Duration::from_secs(60);

/// A match in a file.
pub(super) struct MatchDatabase {
    connection: Connection,
    path: PathBuf,
    /// Of the match.
    id: i64,
    /// Games that are not written yet.
    waiting: Vec<GameRecord>,
    written: Instant,
}

/// Refuses what would be refused when the match begins. Nothing is written.
pub(super) fn check(path: &Path, args: &MatchArgs) -> Result<()> {
    for (option, n) in [("--seed", args.seed), ("--number", args.number)] {
        if i64::try_from(n).is_err() {
            bail!(
                "{option} {n} is too large for --sqlite, at most {}",
                i64::MAX
            );
        }
    }
    check_file(path, "a database")?;
    if path.exists() {
        has_tables(&open(path, OpenFlags::empty())?, path)?;
        return Ok(());
    }
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    let folder = folder.unwrap_or(Path::new("."));
    rustix::fs::access(folder, rustix::fs::Access::WRITE_OK).with_context(|| cannot_write(path))
}

pub(crate) fn open(path: &Path, create: OpenFlags) -> Result<Connection> {
    // SQLite gives a meaning to `:memory:` and `file:..`; a path from the root is always a path.
    let full = std::path::absolute(path).with_context(|| cannot_write(path))?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | create;
    let told = |error| sqlite_error(path, &error);
    let connection = Connection::open_with_flags(full, flags).map_err(told)?;
    // A file that may only be read is opened all the same.
    if connection.is_readonly(rusqlite::MAIN_DB).map_err(told)? {
        bail!("{}: it is read-only", cannot_write(path));
    }
    Ok(connection)
}

/// The error as one line: its source says the same once more, and our SQL is no news to the user.
pub(crate) fn sqlite_error(path: &Path, error: &rusqlite::Error) -> anyhow::Error {
    let told = match error {
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        other => other.to_string(),
    };
    anyhow!("{}: {told}", cannot_write(path))
}

/// Whether our tables are in a file; they may be added to one that is empty, but to no other.
fn has_tables(connection: &Connection, path: &Path) -> Result<bool> {
    const MARKS: &str = "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
        FROM pragma_application_id, pragma_user_version";
    let name = path.display();
    let marks = connection.query_row(MARKS, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
    match marks {
        Ok((APPLICATION_ID, SCHEMA_VERSION, _)) => Ok(true),
        Ok((0, 0, 0)) => Ok(false),
        Ok((APPLICATION_ID, version, _)) if version > SCHEMA_VERSION => bail!(
            "'{name}' is of a newer hindsight: its tables have version {version}, known is {SCHEMA_VERSION}"
        ),
        Ok(_) => bail!("'{name}' is an SQLite file of another program; choose another name"),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => {
            bail!("'{name}' is no SQLite file; choose another name")
        }
        Err(error) => Err(sqlite_error(path, &error)),
    }
}

impl MatchDatabase {
    /// Adds a match without games to a file, which is made if there is none.
    pub(super) fn begin(
        path: &Path,
        game: &str,
        agents: &[String; 2],
        args: &MatchArgs,
    ) -> Result<Self> {
        let mut connection = open(path, OpenFlags::SQLITE_OPEN_CREATE)?;
        let id = add_match(&mut connection, path, game, agents, args)?;
        Ok(Self {
            connection,
            path: path.to_owned(),
            id,
            waiting: Vec::new(),
            written: Instant::now(),
        })
    }

    /// Keeps a game, which is written now or with later ones.
    pub(super) fn add(&mut self, record: &GameRecord) -> Result<()> {
        self.waiting.push(record.clone());
        if self.waiting.len() < MAX_WAITING_GAMES && self.written.elapsed() < WRITE_INTERVAL {
            return Ok(());
        }
        match self.write() {
            // Another program writes: there will be another time.
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Ok(()),
            written => written.map_err(|error| sqlite_error(&self.path, &error)),
        }
    }

    /// Writes the games that wait.
    pub(super) fn finish(&mut self) -> Result<()> {
        let ready = self.connection.busy_timeout(FINISH_TIMEOUT);
        let written = ready.and_then(|()| self.write());
        written.map_err(|error| {
            let games = self.waiting.len();
            sqlite_error(&self.path, &error).context(format!("{games} games are not kept"))
        })
    }

    fn write(&mut self) -> rusqlite::Result<()> {
        self.written = Instant::now();
        let behavior = TransactionBehavior::Immediate;
        let transaction = self.connection.transaction_with_behavior(behavior)?;
        let mut insert = transaction.prepare(INSERT_GAME)?;
        for game in &self.waiting {
            insert.execute(params![
                self.id,
                integer(game.number),
                game.game,
                integer(game.first + 1),
                game.winner.map(|winner| integer(winner + 1)),
                game.ending,
                integer(game.moves.len()),
                game.moves.join(" "),
                integer(game.work[0]),
                integer(game.work[1]),
                game.seconds[0],
                game.seconds[1],
            ])?;
        }
        drop(insert);
        transaction.commit()?;
        self.waiting.clear();
        Ok(())
    }
}

/// A number that is known to be small enough for SQLite, or would take centuries to count up to.
fn integer(n: impl TryInto<i64>) -> i64 {
    n.try_into().unwrap_or(i64::MAX)
}

/// The number of a new match.
fn add_match(
    connection: &mut Connection,
    path: &Path,
    game: &str,
    agents: &[String; 2],
    args: &MatchArgs,
) -> Result<i64> {
    let told = |error| sqlite_error(path, &error);
    // From here on no other program adds tables.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate);
    let transaction = transaction.map_err(told)?;
    if !has_tables(&transaction, path)? {
        let marks = format!(
            "PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {SCHEMA_VERSION};"
        );
        transaction.execute_batch(&marks).map_err(told)?;
        transaction.execute_batch(CREATE_TABLES).map_err(told)?;
    }
    let row = params![
        env!("CARGO_PKG_VERSION"),
        game,
        agents[0],
        agents[1],
        integer(args.seed),
        args.max_turns,
        integer(args.number),
    ];
    transaction.execute(INSERT_MATCH, row).map_err(told)?;
    // Fails now, and not after a game, if somebody changed the tables.
    transaction.prepare(INSERT_GAME).map_err(told)?;
    let id = transaction.last_insert_rowid();
    transaction.commit().map_err(told)?;
    Ok(id)
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write '{}'", path.display())
}
