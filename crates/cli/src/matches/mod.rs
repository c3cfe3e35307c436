//! The command `match`: games between two agents. They are kept as lines of JSON, in the order of
//! their numbers, or in an SQLite file, in the order in which they end.

pub(crate) mod agent_games;
pub(crate) mod games_file;
mod report;

#[cfg_attr(not(feature = "sqlite"), path = "no_sqlite.rs")]
pub(crate) mod sqlite;

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::Instant;

use anyhow::Result;
use hindsight_answers::MatchAnswer;
use hindsight_games::{GameRecord, MatchScore, Monitor, PairedGame, Progress, SolverError};

use crate::args::MatchArgs;
use crate::context::Context;
use crate::output::{LiveFile, print_json, print_text};
use crate::process::signals::stopped;
use crate::shown::progress::ProgressDisplay;
use agent_games::{AgentGames, Schedule};
use games_file::{GamesFile, check_files, mend_games};
pub(crate) use report::{faults_text, games_line};
use sqlite::MatchDatabase;

pub(crate) const DEFAULT_GAME: &str = "onitama:5x5:random";

pub(crate) fn run(args: &MatchArgs, context: &Context) -> Result<()> {
    let games = AgentGames::parse(&[&args.first, &args.second], &args.shared, context)?;
    check_files(&args.shared)?;
    if let Some(path) = &args.shared.sqlite {
        sqlite::check(path, &args.shared, args.number)?;
    }
    let file = args.shared.games.as_deref();
    file.map_or(Ok(()), |path| mend_games(path, context))?;
    // Every line is written as soon as possible, so that games survive if the process is killed.
    let file = file.map(|path| LiveFile::open(path, context.force)).transpose()?;
    let begin = Instant::now();
    let runner = MatchRunner {
        args,
        games: &games,
        played: Mutex::new(PlayedGames {
            score: MatchScore::default(),
            waiting: BTreeMap::new(),
            written: 0,
            file: GamesFile(file),
            database: None,
            display: ProgressDisplay::with_unit("games", context.quiet),
        }),
    };
    let played = runner.play_all();
    runner.finish(played, begin.elapsed().as_secs_f64())
}

/// Match in progress, shared by its threads.
struct MatchRunner<'a> {
    args: &'a MatchArgs,
    games: &'a AgentGames<'a>,
    played: Mutex<PlayedGames>,
}

/// Games played so far, and the files they go to.
struct PlayedGames {
    score: MatchScore,
    /// Games that wait for earlier games: the file has games in the order of their numbers.
    waiting: BTreeMap<u64, GameRecord>,
    /// Number of games written to the file.
    written: u64,
    file: GamesFile,
    database: Option<MatchDatabase>,
    display: ProgressDisplay,
}

impl MatchRunner<'_> {
    fn play_all(&self) -> Result<()> {
        let number = self.args.number;
        let schedule = Schedule {
            places: number,
            game: &|number| Some(PairedGame { agents: [0, 1], number }),
            begin: &|spec| self.open_database(spec),
            take: &|record| self.played.lock().expect("no panic").add(record, number),
        };
        self.games.play(&schedule)
    }

    /// Opens the database of `--sqlite`, if requested, and adds a match of `spec`.
    fn open_database(&self, spec: &str) -> Result<()> {
        let args = &self.args.shared;
        if let Some(path) = &args.sqlite {
            let number = self.args.number;
            let database = MatchDatabase::begin(path, spec, [self.names()], args, number)?;
            self.played.lock().expect("no panic").database = Some(database);
        }
        Ok(())
    }

    fn names(&self) -> [String; 2] {
        [0, 1].map(|index| self.games.names[index].clone())
    }

    /// Prints the report of all finished games, then returns the first error, if any.
    fn finish(self, played: Result<()>, seconds: f64) -> Result<()> {
        let agents = self.names();
        let mut games = self.played.into_inner().expect("no panic");
        let written = games.write_waiting();
        drop(games.display);
        self.games.report_if_full();
        let described = self.games.described(seconds);
        let Some(described) = described.filter(|_| played.is_ok() || games.score.games() > 0)
        else {
            return played;
        };
        let answer = MatchAnswer::new(described, agents, &games.score);
        if self.games.context.json {
            print_json(&answer)?;
        } else {
            print_text(&report::text(&answer, &games.score))?;
        }
        played?;
        written?;
        if stopped() { Err(SolverError::Stopped.into()) } else { Ok(()) }
    }
}

impl PlayedGames {
    /// Counts a game, keeps it in the files, and reports the progress among `total` games.
    fn add(&mut self, record: GameRecord, total: u64) -> Result<()> {
        self.score.add(&record);
        let stored = match &mut self.database {
            Some(database) => database.add(&record),
            None => Ok(()),
        };
        if self.file.0.is_some() {
            self.waiting.insert(record.number, record);
        }
        while let Some(record) = self.waiting.remove(&self.written) {
            self.write(&record)?;
        }
        let progress = Progress { phase: "playing", done: self.score.games(), total: Some(total) };
        self.display.report(progress);
        stored
    }

    fn write(&mut self, record: &GameRecord) -> Result<()> {
        self.written += 1;
        self.file.add(record)
    }

    /// Writes all waiting games to the database and to the file. A stopped match may have a gap in
    /// the numbers; games after the gap are written too.
    fn write_waiting(&mut self) -> Result<()> {
        let stored = match &mut self.database {
            Some(database) => database.finish(),
            None => Ok(()),
        };
        for record in std::mem::take(&mut self.waiting).into_values() {
            self.write(&record)?;
        }
        stored
    }
}
