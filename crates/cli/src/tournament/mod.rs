//! The command `tournament`: games between several agents, pair by pair, and their ratings. A file
//! of games keeps them as they end, and a later run goes on with it.

mod record;
mod report;

use std::collections::HashSet;
use std::sync::Mutex;
use std::time::Instant;

use anyhow::{Context as _, Result, anyhow, bail};
use hindsight_answers::{ScoredPair, TournamentAnswer, TournamentDescription};
use hindsight_games::{GameRecord, MatchScore, Monitor, PairedGame, Progress, SolverError};

use crate::args::TournamentArgs;
use crate::context::Context;
use crate::inputs::named_agent::NamedAgent;
use crate::matches::agent_games::{AgentGames, Schedule};
use crate::matches::games_file::{GamesFile, check_files};
use crate::matches::sqlite::{self, MatchDatabase};
use crate::output::{print_json, print_message, print_text};
use crate::process::signals::stopped;
use crate::shown::progress::ProgressDisplay;
use crate::shown::sizes::counted;
use record::{TournamentHeader, TournamentRecord};

pub(crate) fn run(args: &TournamentArgs, context: &Context) -> Result<()> {
    let texts: Vec<&String> = args.agents.iter().collect();
    let games = AgentGames::parse(&texts, &args.shared, context)?;
    let names = &games.names;
    if names.len() < 2 {
        bail!("a tournament needs at least two agents, and '{}' is one", names[0]);
    }
    let first = |name: &String| names.iter().position(|other| other == name);
    if let Some((_, twice)) = names.iter().enumerate().find(|(i, name)| first(name) != Some(*i)) {
        bail!("the agent '{twice}' is named twice, and an agent does not play itself here");
    }
    let anchor = args.anchor.as_deref().map(|text| {
        let anchor = NamedAgent::parse(text).context("--anchor")?.to_string();
        first(&anchor).ok_or_else(|| anyhow!("--anchor: '{anchor}' is no agent of the tournament"))
    });
    let anchor = anchor.transpose()?;
    check_files(&args.shared)?;
    if let Some(path) = &args.shared.sqlite {
        sqlite::check(path, &args.shared, args.number)?;
    }
    let lasts = if args.gauntlet { 1 } else { names.len() };
    let pairs =
        (0..lasts).flat_map(|first| (first + 1..names.len()).map(move |last| [first, last]));
    let pairs: Vec<[usize; 2]> = pairs.collect();
    let record = args.shared.games.as_deref();
    let record = record.map(|path| TournamentRecord::open(path, &args.shared, context));
    let TournamentRecord { file, header, games: kept } = record.transpose()?.unwrap_or_default();
    let mut runner = TournamentRunner {
        args,
        games: &games,
        anchor,
        header,
        kept: HashSet::new(),
        played: Mutex::new(PlayedTournament {
            pairs: pairs.iter().map(|_| MatchScore::default()).collect(),
            file,
            database: None,
            display: ProgressDisplay::with_unit("games", context.quiet),
        }),
        pairs,
    };
    runner.take_over(&kept)?;
    let begin = Instant::now();
    let played = runner.play_all();
    runner.finish(played, begin.elapsed().as_secs_f64())
}

/// Tournament in progress, shared by its threads.
struct TournamentRunner<'a> {
    args: &'a TournamentArgs,
    games: &'a AgentGames<'a>,
    anchor: Option<usize>,
    /// First line of the file of games, if it was there before.
    header: Option<TournamentHeader>,
    pairs: Vec<[usize; 2]>,
    /// Games that were played before, each with the index of its pair.
    kept: HashSet<(usize, u64)>,
    played: Mutex<PlayedTournament>,
}

/// Games played so far, and the files they go to.
struct PlayedTournament {
    /// Results, in the order of the pairs.
    pairs: Vec<MatchScore>,
    file: GamesFile,
    database: Option<MatchDatabase>,
    display: ProgressDisplay,
}

impl TournamentRunner<'_> {
    /// Counts the games of an earlier run.
    fn take_over(&mut self, games: &[GameRecord]) -> Result<()> {
        let Some(path) = self.args.shared.games.as_ref().filter(|_| !games.is_empty()) else {
            return Ok(());
        };
        let path = path.display();
        for game in games {
            let [first, last] = &game.agents;
            let Some(pair) = self.pair(game) else {
                let place = |name| self.games.names.iter().position(|other| other == name);
                let advice = match (place(first), place(last)) {
                    (Some(first), Some(last)) if first < last => "leave out --gauntlet",
                    _ => "name the agents in the order of the file, and new ones behind",
                };
                bail!(
                    "'{path}' has a game of '{first}' with '{last}', which are no pair of this \
                     tournament: {advice}"
                );
            };
            if !self.kept.insert((pair, game.number)) {
                bail!("'{path}' has game {} of '{first}' with '{last}' twice", game.number);
            }
            self.played.get_mut().expect("no panic").pairs[pair].add(game);
        }
        let past = games.iter().map(|game| game.number + 1).max().unwrap_or(0);
        if past > self.args.number {
            let least = past.next_multiple_of(2);
            bail!("'{path}' has more games of a pair: to go on with it, -n is at least {least}");
        }
        if !self.games.context.quiet {
            let games = counted(games.len() as u64, "game");
            print_message(&format!("note: {games} of '{path}' count as played"));
        }
        Ok(())
    }

    /// Returns the index of the pair that played a game.
    fn pair(&self, game: &GameRecord) -> Option<usize> {
        let names = &self.games.names;
        self.pairs.iter().position(|pair| pair.map(|agent| &names[agent]) == game.agents.each_ref())
    }

    /// Returns the number of games of the whole tournament.
    fn places(&self) -> u64 {
        self.pairs.len() as u64 * self.args.number
    }

    fn play_all(&self) -> Result<()> {
        self.games.play(&Schedule {
            places: self.places(),
            game: &|place| {
                let (pair, game) = self.game(place);
                (!self.kept.contains(&(pair, game.number))).then_some(game)
            },
            begin: &|spec| self.begin(spec),
            take: &|record| self.add(&record),
        })
    }

    /// Returns the game at a place of the schedule, with the index of its pair: all pairs play two
    /// games, then the next two.
    fn game(&self, place: u64) -> (usize, PairedGame) {
        let pairs = self.pairs.len() as u64;
        let (round, in_round) = (place / (2 * pairs), place % (2 * pairs));
        let pair = (in_round / 2) as usize;
        (pair, PairedGame { agents: self.pairs[pair], number: 2 * round + in_round % 2 })
    }

    /// Compares the file of games with the tournament, or writes its first line. Adds the pairs to
    /// the database.
    fn begin(&self, spec: &str) -> Result<()> {
        let args = &self.args.shared;
        let wanted = TournamentHeader::new(spec, args);
        let mut played = self.played.lock().expect("no panic");
        match (&self.header, &args.games) {
            (Some(header), Some(path)) => header.check(&wanted, path)?,
            _ => played.file.add(&wanted)?,
        }
        if let Some(path) = &args.sqlite {
            let names = |pair: &[usize; 2]| pair.map(|agent| self.games.names[agent].clone());
            let (pairs, number) = (self.pairs.iter().map(names), self.args.number);
            played.database = Some(MatchDatabase::begin(path, spec, pairs, args, number)?);
        }
        Ok(())
    }

    /// Counts a game, keeps it in the files, and reports the progress.
    fn add(&self, record: &GameRecord) -> Result<()> {
        let mut played = self.played.lock().expect("no panic");
        played.file.add(record)?;
        if let Some(database) = &mut played.database {
            database.add(record)?;
        }
        let pair = self.pair(record).expect("agents of the tournament");
        played.pairs[pair].add(record);
        let done = played.pairs.iter().map(MatchScore::games).sum();
        played.display.report(Progress { phase: "playing", done, total: Some(self.places()) });
        Ok(())
    }

    /// Prints the report of all finished games, then returns the first error, if any.
    fn finish(self, played: Result<()>, seconds: f64) -> Result<()> {
        let PlayedTournament { pairs: scores, mut database, display, .. } =
            self.played.into_inner().expect("no panic");
        let stored = database.as_mut().map_or(Ok(()), MatchDatabase::finish);
        drop(display);
        self.games.report_if_full();
        let Some(games) = self.games.described(seconds) else {
            return played;
        };
        let described = TournamentDescription {
            games,
            gauntlet: self.args.gauntlet,
            agents: self.games.names.clone(),
            anchor: self.anchor,
            games_a_pair: self.args.number,
        };
        let pairs = self.pairs.into_iter().zip(scores);
        let pairs = pairs.map(|(agents, score)| ScoredPair { agents, score });
        let answer = TournamentAnswer::new(described, &pairs.collect::<Vec<_>>());
        if self.games.context.json {
            print_json(&answer)?;
        } else {
            print_text(&report::text(&answer))?;
        }
        played?;
        stored?;
        if stopped() { Err(SolverError::Stopped.into()) } else { Ok(()) }
    }
}
