//! The command `match`: games between two agents. They are kept as lines of JSON, in the order of
//! their numbers, or in an SQLite file, in the order in which they end.

mod report;

#[cfg_attr(not(feature = "sqlite"), path = "no_sqlite.rs")]
pub(crate) mod sqlite;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock};
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use hindsight_answers::{MatchAnswer, MatchDescription};
use hindsight_bots::{BotAgent, BotGame, BotPool};
use hindsight_games::{
    AgentChoiceError, AgentError, AnyAgent, Error, GameRecord, MakeAgent, MatchScore, MatchTask,
    Monitor, Options, PlayedMatch, Progress, SolverError, Values, deal,
};
use hindsight_play::Agent;

use crate::args::MatchArgs;
use crate::context::Context;
use crate::inputs::agent_memory::AgentMemory;
use crate::inputs::game_with_values::{SolveWish, ValuesSource, game_and_values, named_game};
use crate::inputs::kept_game::read_kept_games;
use crate::inputs::named_agent::{NamedAgent, check_programs, start_bots};
use crate::output::{
    LiveFile, NamedFile, check_distinct, print_json, print_message, print_text, refuse_stdout,
};
use crate::process::signals::stopped;
use crate::shown::progress::ProgressDisplay;
use crate::shown::sizes::with_commas;
use sqlite::MatchDatabase;

pub(crate) const DEFAULT_GAME: &str = "onitama:5x5:random";

pub(crate) fn run(args: &MatchArgs, context: &Context) -> Result<()> {
    let agents = parse_agents(args)?;
    let needs_values = agents.iter().any(NamedAgent::needs_values);
    if args.table.is_some() && !agents.iter().any(NamedAgent::uses_values) {
        bail!("--table is for the agents level, perfect and lure");
    }
    check_programs(&args.programs, &agents)?;
    check_files(args)?;
    if let Some(path) = &args.sqlite {
        sqlite::check(path, args)?;
    }
    let games = args.games.as_deref();
    games.map_or(Ok(()), |path| mend_games(path, context))?;
    // Every line is written as soon as possible, so that games survive if the process is killed.
    let games = games.map(|path| LiveFile::open(path, context.force)).transpose()?;
    let begin = Instant::now();
    let runner = MatchRunner {
        args,
        names: [0, 1].map(|index| agents[index].to_string()),
        agents,
        bots: [const { Bots(OnceLock::new()) }; 2],
        played: Mutex::new(PlayedGames {
            score: MatchScore::default(),
            waiting: BTreeMap::new(),
            written: 0,
            file: games,
            database: None,
            display: ProgressDisplay::with_unit("games", context.quiet),
        }),
        context,
        memory: OnceLock::new(),
    };
    let spec = runner.play_all(needs_values);
    let seconds = begin.elapsed().as_secs_f64();
    runner.finish(spec, seconds)
}

/// Refuses files that are the same, or share standard output with the report.
fn check_files(args: &MatchArgs) -> Result<()> {
    refuse_stdout("--games", args.games.as_deref())?;
    let deck = args.game.as_deref().and_then(hindsight_rules::deck_file).map(PathBuf::from);
    let inputs = [
        NamedFile::optional("--table", args.table.as_ref()),
        NamedFile::optional("the deck", deck.as_ref()),
    ];
    let outputs = [
        NamedFile::optional("--games", args.games.as_ref()),
        NamedFile::optional("--sqlite", args.sqlite.as_ref()),
    ];
    let [inputs, outputs] =
        [inputs, outputs].map(|files| Vec::from_iter(files.into_iter().flatten()));
    check_distinct(&inputs, &outputs)
}

/// Cuts half a line off a file of games, which a match leaves that is killed while it writes. With
/// `--force` the file is replaced anyway.
fn mend_games(path: &Path, context: &Context) -> Result<()> {
    if !path.is_file() {
        return Ok(());
    }
    // A file of another kind is not touched.
    let Ok(kept) = read_kept_games(path) else {
        return Ok(());
    };
    let Some(half) = kept.half_line.filter(|half| half.is_of_game) else {
        return Ok(());
    };
    let (games, stay) = match kept.games.len() as u64 {
        1 => (String::from("the game"), "stays"),
        games => (format!("the {} games", with_commas(games)), "stay"),
    };
    let what_happens = if context.force {
        format!("it and {games} before it are to be replaced")
    } else if LiveFile::cut(path, half.begin)? {
        format!("it was cut off, and {games} before it {stay}")
    } else {
        return Ok(());
    };
    if !context.quiet {
        print_message(&format!(
            "note: line {} of '{}', the last line, is half a line, as after a kill; {what_happens}",
            half.number,
            path.display()
        ));
    }
    Ok(())
}

fn parse_agents(args: &MatchArgs) -> Result<[NamedAgent; 2]> {
    let texts = [&args.first, &args.second];
    if texts.iter().any(|text| text.trim().eq_ignore_ascii_case(GameRecord::HUMAN)) {
        bail!("a person is no agent of a match, but plays with: hindsight play SPEC --agent AGENT");
    }
    match texts.map(|text| NamedAgent::parse(text)) {
        [Ok(first), Ok(second)] => Ok([first, second]),
        agents => {
            let errors = agents.into_iter().filter_map(Result::err);
            let errors: Vec<String> = errors.map(|error| error.to_string()).collect();
            bail!("{}", errors.join("; "))
        }
    }
}

/// Match in progress, shared by its threads.
struct MatchRunner<'a> {
    args: &'a MatchArgs,
    agents: [NamedAgent; 2],
    /// Bots of the agents that are programs, once the first ones were started.
    bots: [Bots; 2],
    names: [String; 2],
    played: Mutex<PlayedGames>,
    context: &'a Context,
    /// Memory of all agents, divided before the games begin.
    memory: OnceLock<AgentMemory>,
}

/// Bots of an agent, once the first one was started.
struct Bots(OnceLock<BotPool<'static>>);

impl MakeAgent for Bots {
    fn make(&self, spec: &str, seeds: &[u64]) -> Box<dyn Agent + '_> {
        let bots = self.0.get().expect("bots start before games");
        Box::new(BotAgent(BotGame::new(bots, spec.to_string(), seeds)))
    }
}

/// Games played so far, and the files they go to.
struct PlayedGames {
    score: MatchScore,
    /// Games that wait for earlier games: the file has games in the order of their numbers.
    waiting: BTreeMap<u64, GameRecord>,
    /// Number of games written to the file.
    written: u64,
    file: Option<LiveFile>,
    database: Option<MatchDatabase>,
    display: ProgressDisplay,
}

impl MatchRunner<'_> {
    /// Plays all games; returns the spec of the match, with random deals left random.
    fn play_all(&self, needs_values: bool) -> Result<String> {
        let MatchArgs { game, table, seed, .. } = self.args;
        let spec = game.as_deref().or(table.is_none().then_some(DEFAULT_GAME));
        let first = spec.map_or(Ok(None), |spec| deal(spec, *seed, 0))?;
        if let (Some(spec), Some(first)) = (spec, first) {
            if needs_values {
                bail!(
                    "perfect and lure play by a solution of one game: name the cards in '{spec}'"
                );
            }
            // Checks the rest of the spec, by its first deal, before any file is made.
            named_game(&first, spec)?;
            self.start_bots(spec)?;
            self.open_database(spec)?;
            return self.play(spec, None, &|task, options| {
                hindsight_games::play_match(spec, task, options)
            });
        }
        // Programs that do not start end the match before the game is solved.
        if let (Some(spec), None) = (spec, table) {
            self.start_bots(named_game(spec, spec)?.spec())?;
        }
        let source = ValuesSource {
            spec,
            table: table.as_deref(),
            solve: if needs_values {
                SolveWish::Always
            } else if self.agents.iter().any(NamedAgent::uses_values) {
                SolveWish::IfQuick
            } else {
                SolveWish::Never
            },
        };
        let (game, values) = game_and_values(source, self.context)?;
        self.start_bots(game.spec())?;
        self.open_database(game.spec())?;
        self.play(game.spec(), values.as_ref(), &|task, options| game.play_match(task, options))
    }

    /// Starts a first bot of each agent that is a program, unless that was done.
    fn start_bots(&self, spec: &str) -> Result<()> {
        for (agent, bots) in self.agents.iter().zip(&self.bots) {
            if let (Some(command), None) = (agent.program(), bots.0.get()) {
                let _ = bots.0.set(start_bots(command, spec, &self.args.programs)?);
            }
        }
        Ok(())
    }

    /// Opens the database of `--sqlite`, if requested, and adds a match of `spec`.
    fn open_database(&self, spec: &str) -> Result<()> {
        if let Some(path) = &self.args.sqlite {
            let database = MatchDatabase::begin(path, spec, &self.names, self.args)?;
            self.played.lock().expect("no panic").database = Some(database);
        }
        Ok(())
    }

    /// Plays all games of a spec and adds each to the match; returns the spec.
    fn play(
        &self,
        spec: &str,
        values: Option<&Values>,
        play: &dyn Fn(&MatchTask<'_>, &Options) -> Result<PlayedMatch, Error>,
    ) -> Result<String> {
        let needs_memory =
            |agent: &&NamedAgent| agent.spec().is_some_and(|spec| spec.least_memory() > 0);
        let games = self.args.number.min(rayon::current_num_threads() as u64);
        let agents = self.agents.iter().filter(needs_memory).count() as u64;
        let memory = self.memory.get_or_init(|| AgentMemory::divide(self.context, games * agents));
        let agent = |index: usize| match self.agents[index].spec() {
            Some(spec) => AnyAgent::Spec(spec),
            None => AnyAgent::Made { name: &self.names[index], make: &self.bots[index] },
        };
        let failure = Mutex::new(None);
        let take = |record| {
            let mut played = self.played.lock().expect("no panic");
            played.add(record, self.args.number).map_err(|error| {
                let text = error.to_string();
                failure.lock().expect("no panic").get_or_insert(error);
                text.into()
            })
        };
        let task = MatchTask {
            games: self.args.number,
            max_plies: self.args.max_turns,
            seed: self.args.seed,
            values,
            exhausted: Some(memory.exhausted()),
            take: Some(&take),
            ..MatchTask::new(agent(0), agent(1))
        };
        let options = Options {
            memory: Some(memory.bytes()),
            progress: Some(Arc::new(|_| !stopped())),
            ..Options::default()
        };
        match play(&task, &options) {
            // The report covers the games that were finished.
            Ok(_) | Err(Error::Solve(SolverError::Stopped)) => Ok(spec.to_string()),
            Err(Error::Refused(_)) => {
                let failure = failure.into_inner().expect("no panic");
                Err(failure.expect("the error of a game that was refused"))
            }
            Err(Error::Agent(AgentChoiceError::Agent(error @ AgentError::Memory { .. }))) => {
                Err(memory.agent_error(error))
            }
            Err(error) => Err(anyhow!("{spec}: {:#}", anyhow::Error::from(error))),
        }
    }

    /// Prints the report of all finished games, then returns the first error, if any.
    /// `spec` is the spec of the match, or the error that ended the match.
    fn finish(self, spec: Result<String>, seconds: f64) -> Result<()> {
        let mut games = self.played.into_inner().expect("no panic");
        let written = games.write_waiting();
        drop(games.display);
        if let Some(memory) = self.memory.get() {
            memory.report_if_full(self.context);
        }
        let game = match &spec {
            Ok(game) => game.as_str(),
            Err(_) if games.score.games() == 0 => return spec.map(|_| ()),
            Err(_) => self.args.game.as_deref().unwrap_or(DEFAULT_GAME),
        };
        let described = MatchDescription {
            game: game.to_string(),
            agents: self.names,
            max_turns: self.args.max_turns,
            seed: self.args.seed,
            seconds,
        };
        let answer = MatchAnswer::new(described, &games.score);
        if self.context.json {
            print_json(&answer)?;
        } else {
            print_text(&report::text(&answer, &games.score))?;
        }
        spec?;
        written?;
        if stopped() {
            return Err(hindsight_games::SolverError::Stopped.into());
        }
        Ok(())
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
        if self.file.is_some() {
            self.waiting.insert(record.number, record);
        }
        while let Some(record) = self.waiting.remove(&self.written) {
            self.write(&record)?;
        }
        let progress = Progress { phase: "playing", done: self.score.games(), total: Some(total) };
        self.display.report(progress);
        stored
    }

    /// Writes a game to the file; after an error no more are written.
    fn write(&mut self, record: &GameRecord) -> Result<()> {
        self.written += 1;
        if let Some(file) = &mut self.file {
            let line = serde_json::to_string(record)? + "\n";
            let written = file.line(&line);
            if written.is_err() {
                self.file = None;
            }
            written?;
        }
        Ok(())
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
        if let Some(file) = self.file.take().filter(|_| self.score.games() > 0) {
            file.finish()?;
        }
        stored
    }
}
