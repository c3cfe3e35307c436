//! The command `tournament`: games between several agents, pair by pair, and their ratings. A file
//! of games keeps them as they end, and a later run goes on with it.

mod record;
mod report;

use std::collections::HashSet;
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

use anyhow::{Context as _, Result, anyhow, bail};
use hindsight_answers::{ScoredPair, TournamentAnswer, TournamentDescription};
use hindsight_games::{GameRecord, MatchScore, Monitor, PairedGame, Progress, SolverError};

use crate::args::TournamentArgs;
use crate::context::Context;
use crate::inputs::named_agent::NamedAgent;
use crate::matches::agent_games::{AgentGames, Schedule};
use crate::matches::games_file::{check_files, game_line};
use crate::output::{LiveFile, print_json, print_message, print_text};
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
    check_files(&args.shared, args.games.as_ref(), None)?;
    let lasts = if args.gauntlet { 1 } else { names.len() };
    let pairs =
        (0..lasts).flat_map(|first| (first + 1..names.len()).map(move |last| [first, last]));
    let pairs: Vec<[usize; 2]> = pairs.collect();
    let record = args.games.as_deref().map(|path| TournamentRecord::open(path, context));
    let TournamentRecord { file, header, games: kept } = record.transpose()?.unwrap_or_default();
    let runner = TournamentRunner {
        args,
        games: &games,
        anchor,
        header,
        kept: OnceLock::new(),
        spec: OnceLock::new(),
        played: Mutex::new(PlayedTournament {
            pairs: pairs.iter().map(|_| MatchScore::default()).collect(),
            file,
            display: ProgressDisplay::with_unit("games", context.quiet),
        }),
        pairs,
    };
    runner.take_over(kept)?;
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
    kept: OnceLock<HashSet<(usize, u64)>>,
    /// Spec of the game, once games may begin.
    spec: OnceLock<String>,
    played: Mutex<PlayedTournament>,
}

/// Games played so far, and the file they go to.
struct PlayedTournament {
    /// Results, in the order of the pairs.
    pairs: Vec<MatchScore>,
    file: Option<LiveFile>,
    display: ProgressDisplay,
}

impl TournamentRunner<'_> {
    /// Counts the games of an earlier run.
    fn take_over(&self, games: Vec<GameRecord>) -> Result<()> {
        let TournamentArgs { games: path, number: wanted, .. } = self.args;
        let past = games.iter().map(|game| game.number + 1).max().unwrap_or(0);
        let mut kept = HashSet::new();
        let mut played = self.played.lock().expect("no panic");
        for game in &games {
            let path = path.as_ref().expect("games are of a file").display();
            let number = game.number;
            let [first, last] = &game.agents;
            let Some(pair) = self.pair(game).filter(|_| game.first as u64 == number % 2) else {
                bail!(
                    "'{path}' has a game of '{first}' with '{last}', which are no pair of this \
                     tournament: name the agents in the order of the file, and new ones behind"
                );
            };
            if !kept.insert((pair, number)) {
                bail!("'{path}' has game {number} of '{first}' with '{last}' twice");
            }
            played.pairs[pair].add(game);
        }
        if let Some(path) = path.as_ref().filter(|_| !games.is_empty()) {
            let path = path.display();
            if past > *wanted {
                let least = past.next_multiple_of(2);
                bail!(
                    "'{path}' has more games of a pair: to go on with it, -n is at least {least}"
                );
            }
            if !self.games.context.quiet {
                let games = counted(games.len() as u64, "game");
                print_message(&format!("note: {games} of '{path}' count as played"));
            }
        }
        let _ = self.kept.set(kept);
        Ok(())
    }

    /// Returns the index of the pair that played a game.
    fn pair(&self, game: &GameRecord) -> Option<usize> {
        let names = &self.games.names;
        self.pairs.iter().position(|pair| pair.map(|agent| &names[agent]) == game.agents.each_ref())
    }

    fn play_all(&self) -> Result<()> {
        let places = (self.pairs.len() as u64).checked_mul(self.args.number);
        let places = places.context("these are too many games")?;
        let kept = self.kept.get().expect("kept games are counted first");
        self.games.play(&Schedule {
            places,
            game: &|place| {
                let (pair, game) = self.game(place);
                (!kept.contains(&(pair, game.number))).then_some(game)
            },
            begin: &|spec| self.begin(spec),
            take: &|record| self.add(&record, places),
        })?;
        Ok(())
    }

    /// Returns the game at a place of the schedule, with the index of its pair: all pairs play two
    /// games, then the next two.
    fn game(&self, place: u64) -> (usize, PairedGame) {
        let pairs = self.pairs.len() as u64;
        let (round, in_round) = (place / (2 * pairs), place % (2 * pairs));
        let pair = (in_round / 2) as usize;
        (pair, PairedGame { agents: self.pairs[pair], number: 2 * round + in_round % 2 })
    }

    /// Compares the file of games with the tournament, or writes its first line.
    fn begin(&self, spec: &str) -> Result<()> {
        let wanted = TournamentHeader::new(spec, &self.args.shared);
        if let (Some(header), Some(path)) = (&self.header, &self.args.games) {
            header.check(&wanted, path)?;
        } else {
            self.write(&wanted.line()?)?;
        }
        let _ = self.spec.set(spec.to_string());
        Ok(())
    }

    /// Writes a line to the file; after an error no more are written.
    fn write(&self, line: &str) -> Result<()> {
        let mut played = self.played.lock().expect("no panic");
        let written = played.file.as_mut().map_or(Ok(()), |file| file.line(line));
        if written.is_err() {
            played.file = None;
        }
        Ok(written?)
    }

    /// Counts a game, keeps it in the file, and reports the progress among `total` games.
    fn add(&self, record: &GameRecord, total: u64) -> Result<()> {
        self.write(&game_line(record)?)?;
        let mut played = self.played.lock().expect("no panic");
        let pair = self.pair(record).expect("agents of the tournament");
        played.pairs[pair].add(record);
        let done = played.pairs.iter().map(MatchScore::games).sum();
        played.display.report(Progress { phase: "playing", done, total: Some(total) });
        Ok(())
    }

    /// Prints the report of all finished games, then returns the first error, if any.
    fn finish(self, played: Result<()>, seconds: f64) -> Result<()> {
        let PlayedTournament { pairs: scores, display, .. } =
            self.played.into_inner().expect("no panic");
        drop(display);
        self.games.report_if_full();
        let Some(game) = self.spec.into_inner() else {
            return played;
        };
        let TournamentArgs { gauntlet, number, shared, .. } = self.args;
        let described = TournamentDescription {
            game,
            gauntlet: *gauntlet,
            agents: self.games.names.clone(),
            anchor: self.anchor,
            games_a_pair: *number,
            max_turns: shared.max_turns,
            opening: shared.opening,
            seed: shared.seed,
            seconds,
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
        if stopped() { Err(SolverError::Stopped.into()) } else { Ok(()) }
    }
}
