//! Games between agents that a command line names. It does not know what is counted.

use std::sync::{Arc, Mutex, OnceLock};

use anyhow::{Result, anyhow, bail};
use hindsight_answers::GamesDescription;
use hindsight_bots::{BotAgent, BotGame, BotPool};
use hindsight_games::{
    AgentChoiceError, AgentError, AnyAgent, Error, GameRecord, MakeAgent, Options, PairedGame,
    PlayTask, SolverError, TournamentTask, Values, deal,
};
use hindsight_play::Agent;

use super::DEFAULT_GAME;
use crate::args::AgentGamesArgs;
use crate::context::Context;
use crate::inputs::agent_memory::AgentMemory;
use crate::inputs::game_with_values::{SolveWish, ValuesSource, game_and_values, named_game};
use crate::inputs::named_agent::{NamedAgent, check_programs, start_bots};
use crate::process::signals::{stop_flag, stopped};

/// Agents that play games, and what they need for it.
pub(crate) struct AgentGames<'a> {
    args: &'a AgentGamesArgs,
    agents: Vec<NamedAgent>,
    /// Bots of the agents that are programs, once the first ones were started.
    bots: Vec<Bots>,
    /// Normal forms of the agents.
    pub(crate) names: Vec<String>,
    pub(crate) context: &'a Context,
    /// Memory of all agents, divided before the games begin.
    memory: OnceLock<AgentMemory>,
    /// Spec of the games, once they may begin; random deals stay random.
    spec: OnceLock<String>,
}

/// Games to be played, in the order in which they begin, and who hears of them.
pub(crate) struct Schedule<'a> {
    pub(crate) places: u64,
    /// Returns the game of a place below `places`; `None` for none.
    pub(crate) game: &'a (dyn Fn(u64) -> Option<PairedGame> + Sync),
    /// Hears of the spec before the first game.
    pub(crate) begin: &'a dyn Fn(&str) -> Result<()>,
    /// Takes each game, on any thread.
    pub(crate) take: &'a (dyn Fn(GameRecord) -> Result<()> + Sync),
}

/// Bots of an agent, once the first one was started.
struct Bots(OnceLock<BotPool<'static>>);

impl MakeAgent for Bots {
    fn make(&self, spec: &str, seeds: &[u64]) -> Box<dyn Agent + '_> {
        let bots = self.0.get().expect("bots start before games");
        Box::new(BotAgent(BotGame::new(bots, spec.to_string(), seeds)))
    }
}

impl<'a> AgentGames<'a> {
    /// Reads the agents, and refuses options that none of them has a use for.
    pub(crate) fn parse(
        texts: &[&String],
        args: &'a AgentGamesArgs,
        context: &'a Context,
    ) -> Result<Self> {
        if texts.iter().any(|text| text.trim().eq_ignore_ascii_case(GameRecord::HUMAN)) {
            bail!(
                "a person is no agent of a match, \
                 but plays with: hindsight play SPEC --agent AGENT"
            );
        }
        let (mut agents, mut errors) = (Vec::new(), Vec::new());
        for text in texts {
            match NamedAgent::parse(text) {
                Ok(agent) => agents.push(agent),
                Err(error) => errors.push(error.to_string()),
            }
        }
        if !errors.is_empty() {
            bail!("{}", errors.join("; "));
        }
        if args.table.is_some() && !agents.iter().any(NamedAgent::uses_values) {
            bail!("--table is for the agents level, perfect and lure");
        }
        check_programs(&args.programs, &agents)?;
        Ok(Self {
            args,
            bots: agents.iter().map(|_| Bots(OnceLock::new())).collect(),
            names: agents.iter().map(NamedAgent::to_string).collect(),
            agents,
            context,
            memory: OnceLock::new(),
            spec: OnceLock::new(),
        })
    }

    /// Plays all games. A stop is no error.
    pub(crate) fn play(&self, schedule: &Schedule<'_>) -> Result<()> {
        let AgentGamesArgs { game, table, seed, .. } = self.args;
        let needs_values = self.agents.iter().any(NamedAgent::needs_values);
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
            return self.play_schedule(schedule, spec, None, &|task, options| {
                hindsight_games::play_tournament(spec, task, options)
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
        self.play_schedule(schedule, game.spec(), values.as_ref(), &|task, options| {
            game.play_tournament(task, options)
        })
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

    /// Plays all games of a spec by `play`.
    fn play_schedule(
        &self,
        schedule: &Schedule<'_>,
        spec: &str,
        values: Option<&Values>,
        play: &dyn Fn(&TournamentTask<'_>, &Options) -> Result<(), Error>,
    ) -> Result<()> {
        (schedule.begin)(spec)?;
        let _ = self.spec.set(spec.to_string());
        let agent = |index: usize| match self.agents[index].spec() {
            Some(spec) => AnyAgent::Spec(spec),
            None => AnyAgent::Made { name: &self.names[index], make: &self.bots[index] },
        };
        let agents: Vec<AnyAgent<'_>> = (0..self.agents.len()).map(agent).collect();
        let failure = Mutex::new(None);
        let take = |record| {
            (schedule.take)(record).map_err(|error: anyhow::Error| {
                let text = error.to_string();
                failure.lock().expect("no panic").get_or_insert(error);
                text.into()
            })
        };
        let mut task = TournamentTask {
            agents: &agents,
            places: schedule.places,
            schedule: schedule.game,
            play: PlayTask {
                max_plies: self.args.max_turns,
                opening_plies: self.args.opening,
                seed: self.args.seed,
                values,
                stop: Some(stop_flag()),
                exhausted: None,
            },
            take: &take,
        };
        let searches = task.searches_at_once();
        let memory = self.memory.get_or_init(|| AgentMemory::divide(self.context, searches));
        task.play.exhausted = Some(memory.exhausted());
        let options = Options {
            memory: Some(memory.bytes()),
            progress: Some(Arc::new(|_| !stopped())),
            ..Options::default()
        };
        match play(&task, &options) {
            // The report covers the games that were finished.
            Ok(()) | Err(Error::Solve(SolverError::Stopped)) => Ok(()),
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

    /// Returns what was played; `None` if no game could begin.
    pub(crate) fn described(&self, seconds: f64) -> Option<GamesDescription> {
        let &AgentGamesArgs { max_turns, opening, seed, .. } = self.args;
        let game = self.spec.get()?.clone();
        Some(GamesDescription { game, max_turns, opening, seed, seconds })
    }

    /// Prints a note if search trees reached their share of the memory.
    pub(crate) fn report_if_full(&self) {
        if let Some(memory) = self.memory.get() {
            memory.report_if_full(self.context);
        }
    }
}
