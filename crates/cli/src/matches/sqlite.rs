//! SQLite file of matches and their games; every match with `--sqlite` is added to it, and every
//! pair of a tournament as a match.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context as _, Result, anyhow, bail};
use hindsight_play::GameRecord;
use rusqlite::{Connection, ErrorCode, OpenFlags, TransactionBehavior, params};

use crate::args::AgentGamesArgs;
use crate::output::{check_file, parent_folder};

/// Mark of our files in their header.
const APPLICATION_ID: i64 = i32::from_be_bytes(*b"Hind") as i64;

/// Version of the tables, in the header of the file as well.
const SCHEMA_VERSION: i64 = 1;

/// Statements that create the tables. Agents and seats are 1 and 2, as in the names of columns.
/// Games are numbered from 0, as in a file of games.
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

/// Longest time between two writes. Games are written together, as each write waits for the disk.
const WRITE_INTERVAL: Duration = Duration::from_secs(1);
/// Number of waiting games from which they are written at once.
const MAX_WAITING_GAMES: usize = 1000;

/// Longest wait, at the end of a match, for another program that writes to the file.
const FINISH_TIMEOUT: Duration = Duration::from_secs(60);

/// Matches in a file.
pub(crate) struct MatchDatabase {
    connection: Connection,
    path: PathBuf,
    /// Agents of each match, and its key.
    matches: Vec<([String; 2], i64)>,
    /// Games that are not written yet.
    waiting: Vec<GameRecord>,
    /// Time of the last attempt to write.
    written: Instant,
}

/// Refuses a file or options that [`MatchDatabase::begin`] would refuse. Writes nothing.
pub(crate) fn check(path: &Path, args: &AgentGamesArgs, number: u64) -> Result<()> {
    for (option, n) in [("--seed", args.seed), ("--number", number)] {
        if i64::try_from(n).is_err() {
            bail!("{option} {n} is too large for --sqlite, at most {}", i64::MAX);
        }
    }
    if args.opening > 0 {
        bail!("--sqlite keeps no openings: leave out --opening, or keep the games with --games");
    }
    check_file(path, "a database")?;
    if path.exists() {
        has_tables(&open(path, OpenFlags::empty())?, path)?;
        return Ok(());
    }
    let allowed = rustix::fs::access(parent_folder(path), rustix::fs::Access::WRITE_OK);
    allowed.with_context(|| cannot_write(path))
}

/// Opens a file for reading and writing; `create` is a flag to create it, or empty.
pub(crate) fn open(path: &Path, create: OpenFlags) -> Result<Connection> {
    // SQLite treats `:memory:` and `file:..` specially; an absolute path is always a path.
    let full = std::path::absolute(path).with_context(|| cannot_write(path))?;
    let flags = OpenFlags::SQLITE_OPEN_READ_WRITE | OpenFlags::SQLITE_OPEN_NO_MUTEX | create;
    let name_file = |error| sqlite_error(path, &error);
    let connection = Connection::open_with_flags(full, flags).map_err(name_file)?;
    // SQLite opens a write-protected file without an error.
    if connection.is_readonly(rusqlite::MAIN_DB).map_err(name_file)? {
        bail!("{}: it is read-only", cannot_write(path));
    }
    Ok(connection)
}

/// Error as one line, with the name of the file and without its source and our SQL.
pub(crate) fn sqlite_error(path: &Path, error: &rusqlite::Error) -> anyhow::Error {
    let message = match error {
        rusqlite::Error::SqlInputError { msg, .. } => msg.clone(),
        other => other.to_string(),
    };
    anyhow!("{}: {message}", cannot_write(path))
}

/// Returns true if the file has our tables, and false if it is empty.
///
/// # Errors
/// An error if the file is of another program or of a newer version.
fn has_tables(connection: &Connection, path: &Path) -> Result<bool> {
    const MARKS: &str = "SELECT application_id, user_version, (SELECT count(*) FROM sqlite_schema)
        FROM pragma_application_id, pragma_user_version";
    let name = path.display();
    let marks = connection.query_row(MARKS, [], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)));
    match marks {
        Ok((APPLICATION_ID, SCHEMA_VERSION, _)) => Ok(true),
        Ok((0, 0, 0)) => Ok(false),
        Ok((APPLICATION_ID, version, _)) if version > SCHEMA_VERSION => bail!(
            "'{name}' is of a newer hindsight: \
             its tables have version {version}, known is {SCHEMA_VERSION}"
        ),
        Ok(_) => bail!("'{name}' is an SQLite file of another program; choose another name"),
        Err(error) if error.sqlite_error_code() == Some(ErrorCode::NotADatabase) => {
            bail!("'{name}' is no SQLite file; choose another name")
        }
        Err(error) => Err(sqlite_error(path, &error)),
    }
}

impl MatchDatabase {
    /// Adds matches of a number of games, without games yet, to a file, which is created if it does
    /// not exist.
    pub(crate) fn begin(
        path: &Path,
        game: &str,
        pairs: impl IntoIterator<Item = [String; 2]>,
        args: &AgentGamesArgs,
        number: u64,
    ) -> Result<Self> {
        let mut connection = open(path, OpenFlags::SQLITE_OPEN_CREATE)?;
        let pairs = pairs.into_iter();
        let matches = pairs.map(|agents| {
            let id = add_match(&mut connection, path, game, &agents, args, number)?;
            Ok((agents, id))
        });
        let matches: Vec<([String; 2], i64)> = matches.collect::<Result<_>>()?;
        Ok(Self {
            connection,
            path: path.to_owned(),
            matches,
            waiting: Vec::new(),
            written: Instant::now(),
        })
    }

    /// Adds a game, which is written now or together with later ones.
    pub(crate) fn add(&mut self, record: &GameRecord) -> Result<()> {
        self.waiting.push(record.clone());
        if self.waiting.len() < MAX_WAITING_GAMES && self.written.elapsed() < WRITE_INTERVAL {
            return Ok(());
        }
        match self.write() {
            // Another program is writing: the games are written with later ones.
            Err(error) if error.sqlite_error_code() == Some(ErrorCode::DatabaseBusy) => Ok(()),
            written => written.map_err(|error| sqlite_error(&self.path, &error)),
        }
    }

    /// Writes all waiting games.
    pub(crate) fn finish(&mut self) -> Result<()> {
        let ready = self.connection.busy_timeout(FINISH_TIMEOUT);
        let written = ready.and_then(|()| self.write());
        written.map_err(|error| {
            let lost = match self.waiting.len() {
                1 => String::from("1 game is not kept"),
                games => format!("{games} games are not kept"),
            };
            sqlite_error(&self.path, &error).context(lost)
        })
    }

    fn write(&mut self) -> rusqlite::Result<()> {
        self.written = Instant::now();
        let behavior = TransactionBehavior::Immediate;
        let transaction = self.connection.transaction_with_behavior(behavior)?;
        let mut insert = transaction.prepare(INSERT_GAME)?;
        for game in &self.waiting {
            let (_, id) =
                self.matches.iter().find(|(agents, _)| *agents == game.agents).expect("a match");
            insert.execute(params![
                id,
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

/// Number as an SQLite integer. Invariant: seeds and lengths are checked, and counts stay far below
/// the bound.
fn integer(n: impl TryInto<i64>) -> i64 {
    n.try_into().unwrap_or(i64::MAX)
}

/// Adds a match, and the tables to an empty file; returns the key of the match.
fn add_match(
    connection: &mut Connection,
    path: &Path,
    game: &str,
    agents: &[String; 2],
    args: &AgentGamesArgs,
    number: u64,
) -> Result<i64> {
    let name_file = |error| sqlite_error(path, &error);
    // The lock keeps other programs from adding tables at the same time.
    let transaction = connection.transaction_with_behavior(TransactionBehavior::Immediate);
    let transaction = transaction.map_err(name_file)?;
    if !has_tables(&transaction, path)? {
        let marks = format!(
            "PRAGMA application_id = {APPLICATION_ID}; PRAGMA user_version = {SCHEMA_VERSION};"
        );
        transaction.execute_batch(&marks).map_err(name_file)?;
        transaction.execute_batch(CREATE_TABLES).map_err(name_file)?;
    }
    let row = params![
        env!("CARGO_PKG_VERSION"),
        game,
        agents[0],
        agents[1],
        integer(args.seed),
        args.max_turns,
        integer(number),
    ];
    transaction.execute(INSERT_MATCH, row).map_err(name_file)?;
    // Fails before the first game if the tables were changed.
    transaction.prepare(INSERT_GAME).map_err(name_file)?;
    let id = transaction.last_insert_rowid();
    transaction.commit().map_err(name_file)?;
    Ok(id)
}

fn cannot_write(path: &Path) -> String {
    format!("cannot write '{}'", path.display())
}
