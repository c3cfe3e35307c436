//! The command `agent`: an agent as a program that another program asks for moves.

use std::io;

use anyhow::{Context as _, Result, bail};
use hindsight_bots::{BotLine, BotServing, BotSession, HostInput, ServingEnd};
use hindsight_core::PackedGame;
use hindsight_games::{AnyGame, Values};
use hindsight_play::{AgentResources, AgentSpec, BatchProbe};

use crate::args::AgentArgs;
use crate::context::Context;
use crate::inputs::agent_memory::AgentMemory;
use crate::inputs::game_with_values::{SolveWish, ValuesSource, game_and_values, named_game};
use crate::inputs::named_agent::NamedAgent;
use crate::output::print_message;
use crate::process::exit::DONE;
use crate::process::signals::{end_at_once, end_process};

pub(crate) fn run(args: &AgentArgs, context: &Context) -> Result<()> {
    let NamedAgent::Spec(agent) = NamedAgent::parse(&args.agent)? else {
        bail!("'{}' is a program already", args.agent);
    };
    if args.table.is_some() && !agent.uses_values() {
        bail!("--table is for the agents level, perfect and lure");
    }
    // Nothing is to be saved, and a host that ends its bot does not wait for a solve.
    end_at_once();
    let input = read_host(context)?;
    let is_named = args.game.is_some() || args.table.is_some();
    let load = |spec: Option<&str>| ServedMatch::load(agent, spec, args, context);
    let named = is_named.then(|| load(args.game.as_deref())).transpose()?;
    let mut output = io::stdout().lock();
    let mut session = BotSession {
        input: &input,
        output: &mut output,
        name: concat!("hindsight ", env!("CARGO_PKG_VERSION")),
        check_match: &|_| Ok(()),
    };
    let Some(spec) = session.await_hello()? else {
        return Ok(());
    };
    let served = match named {
        Some(named) => named.check_match(&spec).map(|()| named),
        None => load(Some(&spec)),
    };
    let served = match served {
        Ok(served) => served,
        Err(error) => {
            session.answer(BotLine::Error(&format!("{error:#}")))?;
            return Err(error);
        }
    };
    let check_match = |spec: &str| {
        let checked = served.check_match(spec);
        checked.map_err(|error| format!("{error:#}"))
    };
    session.check_match = &check_match;
    session.answer_hello()?;
    served.serve(&mut session)?;
    if input.waiting() > 0 && !context.quiet {
        print_message(UNANSWERED);
    }
    Ok(())
}

/// Note for hosts that do not wait for answers.
const UNANSWERED: &str = "note: the input ended before all was answered; \
                          a host waits for the answers to hello and to each go";

/// Starts to read the lines of the host. Once they have ended, the process ends soon too, whatever
/// it does.
fn read_host(context: &Context) -> Result<HostInput> {
    let is_quiet = context.quiet;
    let no_thread = "cannot make a thread";
    let input = HostInput::new(io::stdin()).context(no_thread)?;
    let watched = input.watch_end(move || {
        if !is_quiet {
            print_message(UNANSWERED);
        }
        end_process(DONE.into());
    });
    watched.context(no_thread)?;
    Ok(input)
}

/// Games of a match, which an agent plays.
struct ServedMatch<'a> {
    agent: AgentSpec,
    /// Spec in its normal form; as it was given if its cards are random.
    spec: String,
    /// The game; `None` if cards are drawn for each pair of games.
    game: Option<AnyGame>,
    values: Option<Values>,
    context: &'a Context,
}

impl<'a> ServedMatch<'a> {
    /// Loads the game of a spec or of the table, and solves it if the agent needs that.
    fn load(
        agent: AgentSpec,
        spec: Option<&str>,
        args: &AgentArgs,
        context: &'a Context,
    ) -> Result<Self> {
        let dealt = spec.map_or(Ok(None), deal)?;
        if let (Some(spec), Some(dealt)) = (spec, dealt) {
            named_game(&dealt, spec)?;
            if agent.needs_values() {
                bail!(
                    "perfect and lure play by a solution of one game: name the cards in '{spec}'"
                );
            }
            return Ok(Self { agent, spec: spec.to_string(), game: None, values: None, context });
        }
        let source = ValuesSource {
            spec,
            table: args.table.as_deref(),
            solve: match agent {
                _ if agent.needs_values() => SolveWish::Always,
                _ if agent.uses_values() => SolveWish::IfQuick,
                _ => SolveWish::Never,
            },
        };
        let (game, values) = game_and_values(source, context)?;
        Ok(Self { agent, spec: game.spec().to_string(), game: Some(game), values, context })
    }

    /// Refuses a match of another game.
    fn check_match(&self, spec: &str) -> Result<()> {
        let is_dealt = deal(spec)?.is_some();
        if !is_dealt {
            return self.game(spec).map(|_| ());
        }
        match self.game {
            None => Ok(()),
            Some(_) => bail!("this agent plays {}, not {spec}", self.spec),
        }
    }

    /// Returns the game of a spec; refuses one that is not of the match.
    fn game(&self, spec: &str) -> Result<AnyGame> {
        if let Some(game) = self.game.as_ref().filter(|game| game.spec() == spec) {
            return Ok(game.clone());
        }
        if deal(spec)?.is_some() {
            bail!("a game has named cards, and '{spec}' has not");
        }
        let game = named_game(spec, spec)?;
        match &self.game {
            Some(own) if !game.has_rules_of(own) => {
                bail!("this agent plays {}, not {}", own.spec(), game.spec())
            }
            _ => Ok(game),
        }
    }

    /// Plays games until the host quits.
    fn serve(&self, session: &mut BotSession<'_>) -> Result<()> {
        let (mut spec, mut seed) = (self.spec.clone(), String::new());
        loop {
            let end = match self.game(&spec) {
                Ok(game) => self.serve_game(game.rules(), &seed, session),
                Err(error) => session.refuse(&format!("{error:#}")),
            };
            match end? {
                ServingEnd::NewGame { spec: next, seed: next_seed } => {
                    (spec, seed) = (next, next_seed)
                }
                ServingEnd::Quit => return Ok(()),
            }
        }
    }

    fn serve_game(
        &self,
        rules: &PackedGame,
        seed: &str,
        session: &mut BotSession<'_>,
    ) -> io::Result<ServingEnd> {
        let memory = AgentMemory::divide(self.context, 1);
        let values = self.values.as_ref().map(Values::for_agents);
        let probe = values.as_ref().map(|values| values as BatchProbe<'_>);
        let input = session.input;
        let serving = BotServing {
            game: rules,
            make_agent: &|time| {
                let resources = AgentResources {
                    time: Some(time),
                    stop: Some(input.stop_flag()),
                    ..memory.resources()
                };
                self.agent.agent(probe, resources)
            },
            seed,
        };
        let end = session.serve(&serving);
        memory.report_if_full(self.context);
        end
    }
}

/// Returns a deal of a spec with random cards; `None` if the spec leaves nothing to draw.
fn deal(spec: &str) -> Result<Option<String>> {
    Ok(hindsight_games::deal(spec, 0, 0)?)
}
