//! The command `match`: games between two agents.

#[cfg_attr(not(feature = "sqlite"), path = "matches/no_sqlite.rs")]
pub(crate) mod sqlite;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock};
use std::time::Instant;

use anyhow::{Result, anyhow, bail};
use hindsight_answers::{MatchAnswer, MatchDescription};
use hindsight_core::Notation;
use hindsight_play::{AgentError, AgentSpec, BatchProbe, GameRecord, MatchOptions, MatchScore};
use hindsight_report::TextTable;
use hindsight_solve::{Monitor, Progress, parallel};

use crate::agent_memory::AgentMemory;
use crate::args::MatchArgs;
use crate::context::Context;
use crate::errors::game_error;
use crate::game_with_values::{SolveWish, ValuesSource, WithValues, named_game, with_values};
use crate::output::{
    LiveFile, NamedFile, check_distinct, fitted, print_json, print_text, refuse_stdout,
};
use crate::progress::ProgressDisplay;
use crate::signals::stopped;
use crate::sizes::counted;
use crate::spec::parse_agent;
use sqlite::MatchDatabase;

pub(crate) const DEFAULT_GAME: &str = "onitama:5x5:random";

pub(crate) fn run(args: &MatchArgs, context: &Context) -> Result<()> {
    let agents = parse_agents(args)?;
    let needs_values = agents.iter().any(AgentSpec::needs_values);
    if args.table.is_some() && !agents.iter().any(AgentSpec::uses_values) {
        bail!("--table is for the agents level, perfect and lure");
    }
    check_files(args)?;
    if let Some(path) = &args.sqlite {
        sqlite::check(path, args)?;
    }
    let games = args.games.as_deref();
    // Every line is written as soon as possible, so that games survive if the process is killed.
    let games = games
        .map(|path| LiveFile::open(path, context.force))
        .transpose()?;
    let begin = Instant::now();
    let runner = MatchRunner {
        args,
        agents,
        names: agents.map(|agent| agent.to_string()),
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
    let deck = args
        .game
        .as_deref()
        .and_then(hindsight_rules::deck_file)
        .map(PathBuf::from);
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

fn parse_agents(args: &MatchArgs) -> Result<[AgentSpec; 2]> {
    let texts = [&args.first, &args.second];
    if texts
        .iter()
        .any(|text| text.trim().eq_ignore_ascii_case(GameRecord::HUMAN))
    {
        bail!("a person is no agent of a match, but plays with: hindsight play SPEC --agent AGENT");
    }
    let specs = texts.map(|text| parse_agent(text));
    if let [Ok(a), Ok(b)] = specs {
        return Ok([a, b]);
    }
    let errors = specs.into_iter().filter_map(Result::err);
    let errors: Vec<String> = errors.map(|error| error.to_string()).collect();
    bail!("{}", errors.join("; "))
}

/// Match in progress, shared by its threads.
struct MatchRunner<'a> {
    args: &'a MatchArgs,
    agents: [AgentSpec; 2],
    names: [String; 2],
    played: Mutex<PlayedGames>,
    context: &'a Context,
    /// Memory of all agents, divided when the first game begins.
    memory: OnceLock<AgentMemory>,
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
        let MatchArgs { game, table, .. } = self.args;
        let spec = game.as_deref().or(table.is_none().then_some(DEFAULT_GAME));
        let first = spec.map_or(Ok(None), |spec| self.deal(spec, 0))?;
        let (Some(spec), Some(first)) = (spec, first) else {
            let source = ValuesSource {
                spec,
                table: table.as_deref(),
                solve: match needs_values {
                    true => SolveWish::Always,
                    false if self.agents.iter().any(AgentSpec::uses_values) => SolveWish::IfQuick,
                    false => SolveWish::Never,
                },
            };
            return with_values(source, self.context, &AllGames { runner: self });
        };
        if needs_values {
            bail!("perfect and lure play by a solution of one game: name the cards in '{spec}'");
        }
        // Checks the rest of the spec, by its first deal, before any file is made.
        named_game(&first, spec)?;
        self.open_database(spec)?;
        self.on_all_threads(&|number| {
            let dealt = self.deal(spec, number)?;
            let source = ValuesSource {
                spec: dealt.as_deref(),
                table: None,
                solve: SolveWish::Never,
            };
            let game = OneGame {
                runner: self,
                number,
            };
            with_values(source, self.context, &game).map(|_| ())
        })?;
        Ok(spec.to_string())
    }

    /// Returns the spec of a game with its cards drawn, the same for both games of a pair. `None`
    /// if the spec leaves nothing to draw.
    fn deal(&self, spec: &str, number: u64) -> Result<Option<String>> {
        hindsight_games::deal(spec, self.args.seed, number / 2).map_err(game_error)
    }

    /// Opens the database of `--sqlite`, if requested, and adds a match of `spec`.
    fn open_database(&self, spec: &str) -> Result<()> {
        if let Some(path) = &self.args.sqlite {
            let database = MatchDatabase::begin(path, spec, &self.names, self.args)?;
            self.played.lock().expect("no panic").database = Some(database);
        }
        Ok(())
    }

    /// Calls `play` with the number of each game, on all threads, until a signal or an error.
    fn on_all_threads(&self, play: &(dyn Fn(u64) -> Result<()> + Sync)) -> Result<()> {
        parallel::try_in_order(0..self.args.number, &|| !stopped(), play)
    }

    /// Plays one game and adds it to the match.
    fn play<G: Notation>(
        &self,
        game: &G,
        values: Option<BatchProbe<'_, G::Position>>,
        number: u64,
    ) -> Result<()> {
        let memory = self.memory.get_or_init(|| {
            let needs_memory = |agent: &&AgentSpec| agent.least_memory::<G>() > 0;
            let games = self.args.number.min(rayon::current_num_threads() as u64);
            let agents = self.agents.iter().filter(needs_memory).count() as u64;
            AgentMemory::divide(self.context, games * agents)
        });
        let make_agent = |index: usize| {
            let agent = self.agents[index].agent::<G>(values, memory.resources());
            agent.map_err(|error| memory.agent_error(error))
        };
        let (mut first, mut second) = (make_agent(0)?, make_agent(1)?);
        let options = MatchOptions {
            opening_plies: 0,
            max_plies: self.args.max_turns,
            seed: self.args.seed,
            keep_going: &|| !stopped(),
        };
        let names = [&*self.names[0], &*self.names[1]];
        match hindsight_play::play_game(game, [&mut *first, &mut *second], names, number, options) {
            Ok(record) => self
                .played
                .lock()
                .expect("no panic")
                .add(record, self.args.number),
            // The report covers the games that were finished.
            Err(AgentError::Stopped) => Ok(()),
            Err(error) => Err(anyhow!("{}: {error}", game.spec())),
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
            print_text(&text(&answer, &games.score))?;
        }
        spec?;
        written?;
        if stopped() {
            return Err(hindsight_solve::Error::Stopped.into());
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
        let progress = Progress {
            phase: "playing",
            done: self.score.games(),
            total: Some(total),
        };
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

/// Operation that plays all games of a match.
struct AllGames<'a> {
    runner: &'a MatchRunner<'a>,
}

impl WithValues for AllGames<'_> {
    fn run<G: Notation>(
        &self,
        game: &G,
        values: Option<BatchProbe<'_, G::Position>>,
    ) -> Result<()> {
        self.runner.open_database(&game.spec())?;
        self.runner
            .on_all_threads(&|number| self.runner.play(game, values, number))
    }
}

/// Operation that plays one game of a match.
struct OneGame<'a> {
    runner: &'a MatchRunner<'a>,
    number: u64,
}

impl WithValues for OneGame<'_> {
    fn run<G: Notation>(
        &self,
        game: &G,
        values: Option<BatchProbe<'_, G::Position>>,
    ) -> Result<()> {
        self.runner.play(game, values, self.number)
    }
}

/// Returns the result of a match as text.
fn text(answer: &MatchAnswer, score: &MatchScore) -> String {
    let share = |wins: u64| format!("{:.1} %", 100.0 * wins as f64 / answer.games.max(1) as f64);
    let mut table = TextTable::new("lrrrr");
    table.push(["", "wins", "share", "ms a move", "work a move"]);
    for i in 0..2 {
        let moves = score.moves[i].max(1) as f64;
        table.push([
            answer.agents[i].clone(),
            answer.wins[i].to_string(),
            share(answer.wins[i]),
            format!("{:.3}", 1e3 * answer.seconds_a_move[i]),
            format!("{:.0}", score.work[i] as f64 / moves),
        ]);
    }
    table.push(["ties".into(), answer.ties.to_string(), share(answer.ties)]);
    let elo = |elo: Option<f64>| elo.map_or("?".into(), |elo| format!("{elo:+.0}"));
    let [low, high] = answer.elo_interval.map(elo);
    let mut text = format!(
        "{}: {} of at most {}, seed {}\n\n{}",
        answer.game,
        counted(answer.games, "game"),
        counted(answer.max_turns, "ply"),
        answer.seed,
        fitted(&table)
    );
    text.push_str(&format!(
        "\nElo of the first agent {} (95 %: {low} to {high})\n\
         mean length {:.1} plies, median {}\n\n",
        elo(answer.elo),
        answer.mean_plies,
        answer.median_plies
    ));
    let mut endings = TextTable::new("lr");
    endings.push(["ending", "games"]);
    for (ending, games) in &answer.endings {
        endings.push([ending, &games.to_string()]);
    }
    text.push_str(&format!("{}\n{:.3} s\n", fitted(&endings), answer.seconds));
    text
}
