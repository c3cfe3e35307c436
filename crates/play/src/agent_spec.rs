use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use hindsight_core::{
    Game, PackedGame, ParseError, SpecOption, SpecOptions, TextToken, nearest_name,
};

use crate::agent::{Agent, AgentError, RandomAgent};
use crate::alphabeta::{self, AlphaBeta, AlphaBetaAgent, MAX_DEPTH};
use crate::level::{Level, LevelAgent};
use crate::lure::LureAgent;
use crate::mcts::{self, LimitedMcts, MAX_PLAYOUTS, Mcts, PruneInterval};
use crate::perfect::{BatchProbe, PerfectAgent};
use crate::pure_monte_carlo::{LimitedMonteCarlo, MoveBudget, PlayoutSettings, PureMonteCarlo};
use crate::resources::AgentResources;

/// Specification of an agent, such as `mcts:playouts=10000,c=0.4,prune=1%`.
///
/// The text is a name, and options after a colon. Upper and lower case are equal.
///
/// ```
/// use hindsight_play::AgentSpec;
///
/// let agent: AgentSpec = "MCTS:c=0.4,playouts=500".parse().unwrap();
/// assert_eq!(agent.to_string(), "mcts:playouts=500");
/// let error = "mcst".parse::<AgentSpec>().unwrap_err();
/// assert!(error.to_string().contains("did you mean 'mcts'?"));
/// ```
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum AgentSpec {
    /// `random`: a uniformly random legal move.
    Random,
    /// `mc`: pure Monte Carlo.
    PureMonteCarlo(PureMonteCarlo),
    /// `mcts`: Monte Carlo tree search.
    Mcts(Mcts),
    /// `alphabeta`: alpha-beta search.
    AlphaBeta(AlphaBeta),
    /// `perfect`: the best move by known values.
    Perfect,
    /// `level`: the strength of a level, by known values or a search.
    Level(Level),
    /// `lure`: the best move by known values after which the opponent errs most likely
    /// ([`LureAgent`]).
    Lure,
}

const NAMES: [&str; 7] = ["random", "mc", "mcts", "alphabeta", "level", "perfect", "lure"];

/// Agents that are no [`AgentSpec`], for lists of agents.
const PROGRAMS: &str =
    "programs, such as cmd:./bot, play in the commands match, tournament, play and audit";

/// Maximum of the option `length`: plies of a playout.
const MAX_PLAYOUT_PLIES: u64 = 1_000_000;

impl AgentSpec {
    /// Returns true if the agent plays by known values.
    #[must_use]
    pub fn needs_values(&self) -> bool {
        matches!(self, Self::Perfect | Self::Lure)
    }

    /// Returns the agent that people play against if they name none: alpha-beta search if the game
    /// has an evaluation of positions, else Monte Carlo tree search of 10,000 playouts.
    ///
    /// Of the agents that take some ten milliseconds for a move, it is the one that wins.
    #[must_use]
    pub fn opponent_for(game: &PackedGame) -> Self {
        let heuristics = game.heuristics();
        let evaluation = heuristics.and_then(|game_too| game_too.evaluate(game.start()));
        match evaluation {
            Some(_) => Self::AlphaBeta(AlphaBeta::default()),
            None => Self::Mcts(Mcts {
                budget: MoveBudget::Playouts(10_000),
                prune: Some(PruneInterval::Percent(1.0)),
                ..Mcts::default()
            }),
        }
    }

    /// Returns true if the agent plays by known values where there are any.
    #[must_use]
    pub fn uses_values(&self) -> bool {
        self.needs_values() || matches!(self, Self::Level(_))
    }

    /// Number of playouts a move; `None` for agents without playouts or with a time limit.
    #[must_use]
    pub fn playouts(&self) -> Option<u64> {
        let budget = match self {
            Self::PureMonteCarlo(agent) => agent.budget,
            Self::Mcts(agent) => agent.budget,
            _ => return None,
        };
        match budget {
            MoveBudget::Playouts(total) => Some(total),
            MoveBudget::Time(_) => None,
        }
    }

    /// Returns the agent with `playouts` playouts a move; unchanged if [`AgentSpec::playouts`] is
    /// `None`.
    ///
    /// # Errors
    /// The number is out of range, or too small for the other options. The offset of the error is
    /// in the text `playouts=NUMBER`.
    pub fn with_playouts(self, playouts: u64) -> Result<Self, ParseError> {
        let mut agent = self;
        let text = format!("playouts={playouts}");
        let token = TextToken::trimmed(&text);
        if agent.playouts().is_some() {
            agent.set_option(&SpecOption::new(token))?;
        }
        agent.check_options(token)?;
        Ok(agent)
    }

    /// Minimum memory of the agent in any game, in bytes; 0 if it keeps nothing.
    #[must_use]
    pub fn least_memory(&self) -> u64 {
        match self {
            Self::Mcts(_) => mcts::least_memory(),
            Self::AlphaBeta(_) => alphabeta::least_memory(),
            Self::Level(_) => mcts::least_memory().max(alphabeta::least_memory()),
            _ => 0,
        }
    }

    /// Returns the agent, ready to play.
    ///
    /// # Errors
    /// The agent plays by known values and `probe` is `None`, or the memory is below its minimum.
    pub fn agent<'a>(
        &self,
        probe: Option<BatchProbe<'a>>,
        resources: AgentResources<'a>,
    ) -> Result<Box<dyn Agent + 'a>, AgentError> {
        let least = self.least_memory();
        if least > resources.memory_bytes {
            return Err(AgentError::Memory {
                agent: self.name(),
                least,
                memory: resources.memory_bytes,
            });
        }
        let values = || probe.ok_or(AgentError::NoValues);
        match *self {
            Self::Random => Ok(Box::new(RandomAgent)),
            Self::PureMonteCarlo(agent) => Ok(Box::new(LimitedMonteCarlo { agent, resources })),
            Self::Mcts(agent) => Ok(Box::new(LimitedMcts { agent, resources })),
            Self::AlphaBeta(limits) => Ok(Box::new(AlphaBetaAgent::new(limits, resources))),
            Self::Level(level) => Ok(Box::new(LevelAgent::new(level, probe, resources))),
            Self::Perfect => Ok(Box::new(PerfectAgent { probe: values()? })),
            Self::Lure => Ok(Box::new(LureAgent { probe: values()?, resources })),
        }
    }
}

impl FromStr for AgentSpec {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        let lower = text.to_ascii_lowercase();
        let token = TextToken::trimmed(&lower);
        let (name, options) = match token.split_once(':') {
            Some([name, options]) => (name, Some(options).filter(|o| !o.text.is_empty())),
            None => (token, None),
        };
        if let ("level", Some(number)) = (name.text, options) {
            return read_level(number).map(Self::Level);
        }
        let mut agent = Self::default_of(name, options.is_some())?;
        let options = options.into_iter().flat_map(|options| options.split(','));
        let mut options = SpecOptions::new(options);
        while let Some(option) = options.next() {
            let option = option?;
            option.value()?;
            if ["playouts", "time"].iter().all(|key| options.has_seen(key)) {
                let message = "playouts and time are both given; one limits an agent";
                return option.token.reject(message);
            }
            agent.set_option(&option)?;
        }
        agent.check_options(token)?;
        Ok(agent)
    }
}

impl AgentSpec {
    /// Returns the agent of a name, before its options are read.
    fn default_of(name: TextToken<'_>, has_options: bool) -> Result<Self, ParseError> {
        Ok(match name.text {
            "random" => Self::Random,
            "mc" => Self::PureMonteCarlo(PureMonteCarlo::default()),
            "mcts" => Self::Mcts(Mcts::default()),
            "alphabeta" if has_options => Self::AlphaBeta(AlphaBeta::UNLIMITED),
            "alphabeta" => Self::AlphaBeta(AlphaBeta::default()),
            "level" => return name.reject("level needs a number from 1 to 10, such as level:5"),
            "perfect" => Self::Perfect,
            "lure" => Self::Lure,
            "cmd" => {
                let names = NAMES.join(", ");
                return name.reject(format!("{PROGRAMS}; here there are {names}"));
            }
            other => {
                let unknown = unknown_name("agent", other, &NAMES);
                return name.reject(format!("{unknown}; {PROGRAMS}"));
            }
        })
    }

    /// Checks that the options of the agent in `token` agree with each other.
    fn check_options(&self, token: TextToken<'_>) -> Result<(), ParseError> {
        let Self::Mcts(agent) = self else {
            return Ok(());
        };
        match (agent.budget, agent.prune) {
            (MoveBudget::Playouts(total), _) if total < agent.playouts_per_cycle.into() => token
                .reject(format!(
                    "a node has {} playouts, a move only {total} in all",
                    agent.playouts_per_cycle
                )),
            (MoveBudget::Time(_), Some(PruneInterval::Percent(_))) => token.reject(
                "prune in per cent goes with playouts; with time name node cycles, \
                 such as prune=100",
            ),
            _ => Ok(()),
        }
    }

    fn option_keys(&self) -> &'static [&'static str] {
        match self {
            Self::PureMonteCarlo(_) => &["playouts", "time", "length", "cutoff"],
            Self::Mcts(_) => &[
                "playouts", "time", "c", "rollouts", "prune", "depth", "proven", "length", "cutoff",
            ],
            Self::AlphaBeta(_) => &["depth", "nodes", "time"],
            _ => &[],
        }
    }

    fn set_option(&mut self, option: &SpecOption<'_>) -> Result<(), ParseError> {
        let (key, value) = (option.key.as_str(), option.value()?);
        let keys = self.option_keys();
        if !keys.contains(&key) {
            let name = self.name();
            return option.token.reject(match keys {
                [] => format!("'{name}' has no options"),
                _ => unknown_name(&format!("option of {name}"), key, keys),
            });
        }
        let (budget, playout) = match self {
            Self::PureMonteCarlo(agent) => (&mut agent.budget, &mut agent.playout),
            Self::Mcts(agent) => (&mut agent.budget, &mut agent.playout),
            Self::AlphaBeta(limits) => return set_alphabeta_option(limits, key, value),
            _ => return Ok(()),
        };
        match key {
            "playouts" => *budget = MoveBudget::Playouts(parse_whole(key, value, MAX_PLAYOUTS)?),
            "time" => *budget = MoveBudget::Time(parse_seconds(key, value)?),
            "length" => playout.max_plies = parse_whole(key, value, MAX_PLAYOUT_PLIES)? as u32,
            "cutoff" => playout.cutoff_points = value.number(key, -1.0..=1.0)?,
            _ => return self.set_mcts_option(option),
        }
        Ok(())
    }

    fn set_mcts_option(&mut self, option: &SpecOption<'_>) -> Result<(), ParseError> {
        let Self::Mcts(agent) = self else {
            return Ok(());
        };
        let (key, value) = (option.key.as_str(), option.value()?);
        match key {
            "c" => agent.exploration = value.number(key, 0.0..=1000.0)?,
            "rollouts" => agent.playouts_per_cycle = parse_whole(key, value, 1 << 20)? as u32,
            "depth" => agent.depth_discount = value.number(key, 0.0..=1.0)?,
            "proven" => agent.prove_values = option.yes_or_no()?,
            _ => {
                agent.prune = Some(match value.text.strip_suffix('%') {
                    Some(text) => {
                        let percent = TextToken { text, ..value };
                        PruneInterval::Percent(percent.number(key, 0.0..=100.0)?)
                    }
                    None => PruneInterval::Cycles(parse_whole(key, value, MAX_PLAYOUTS)?),
                });
            }
        }
        Ok(())
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::PureMonteCarlo(_) => "mc",
            Self::Mcts(_) => "mcts",
            Self::AlphaBeta(_) => "alphabeta",
            Self::Level(_) => "level",
            Self::Perfect => "perfect",
            Self::Lure => "lure",
        }
    }
}

fn set_alphabeta_option(
    limits: &mut AlphaBeta,
    key: &str,
    value: TextToken<'_>,
) -> Result<(), ParseError> {
    match key {
        "depth" => limits.depth = Some(parse_whole(key, value, MAX_DEPTH.into())? as u32),
        "nodes" => limits.nodes = Some(parse_whole(key, value, u64::MAX)?),
        _ => limits.time = Some(parse_seconds(key, value)?),
    }
    Ok(())
}

fn read_level(number: TextToken<'_>) -> Result<Level, ParseError> {
    match number.text.parse().ok().and_then(Level::new) {
        Some(level) => Ok(level),
        None => number.reject(format!("levels are numbers from 1 to 10, not '{}'", number.text)),
    }
}

fn parse_seconds(key: &str, value: TextToken<'_>) -> Result<Duration, ParseError> {
    let seconds = value.number(key, 0.000_001..=86_400.0)?;
    Ok(Duration::from_secs_f64(seconds))
}

/// Parses a whole number from 1 to `max`.
fn parse_whole(key: &str, value: TextToken<'_>, max: u64) -> Result<u64, ParseError> {
    match value.text.parse::<u64>() {
        Ok(number) if (1..=max).contains(&number) => Ok(number),
        _ => value.reject(format!("{key} is a whole number from 1 to {max}, not '{}'", value.text)),
    }
}

/// Returns the sentence for a name that is not in `names`, with the most similar one if any.
fn unknown_name(kind: &str, name: &str, names: &[&str]) -> String {
    let nearest = nearest_name(name, names.iter().copied());
    let hint = nearest.map_or(String::new(), |other| format!("did you mean '{other}'? "));
    format!("there is no {kind} '{name}'; {hint}there are {}", names.join(", "))
}

/// Writes the normal form: options that differ from the defaults, in a fixed order.
impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        let (budget, playout) = match self {
            Self::PureMonteCarlo(agent) => (agent.budget, agent.playout),
            Self::Mcts(agent) => (agent.budget, agent.playout),
            Self::AlphaBeta(limits) => return write_alphabeta_options(limits, f),
            Self::Level(level) => return write!(f, ":{level}"),
            _ => return Ok(()),
        };
        let mut options = vec![match budget {
            MoveBudget::Playouts(n) => format!("playouts={n}"),
            MoveBudget::Time(time) => format!("time={}", time.as_secs_f64()),
        }];
        if let Self::Mcts(agent) = self {
            let default = Mcts::default();
            let mut add = |differs: bool, key: &str, value: &dyn fmt::Display| {
                if differs {
                    options.push(format!("{key}={value}"));
                }
            };
            add(agent.exploration != default.exploration, "c", &agent.exploration);
            add(
                agent.playouts_per_cycle != default.playouts_per_cycle,
                "rollouts",
                &agent.playouts_per_cycle,
            );
            match agent.prune {
                None => {}
                Some(PruneInterval::Cycles(n)) => add(true, "prune", &n),
                Some(PruneInterval::Percent(x)) => add(true, "prune", &format!("{x}%")),
            }
            add(agent.depth_discount != default.depth_discount, "depth", &agent.depth_discount);
            add(agent.prove_values, "proven", &"yes");
        }
        let default = PlayoutSettings::default();
        if playout.max_plies != default.max_plies {
            options.push(format!("length={}", playout.max_plies));
        }
        if playout.cutoff_points != default.cutoff_points {
            options.push(format!("cutoff={}", playout.cutoff_points));
        }
        write!(f, ":{}", options.join(","))
    }
}

fn write_alphabeta_options(limits: &AlphaBeta, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let limits = [
        limits.depth.map(|depth| format!("depth={depth}")),
        limits.nodes.map(|nodes| format!("nodes={nodes}")),
        limits.time.map(|time| format!("time={}", time.as_secs_f64())),
    ];
    let options: Vec<String> = limits.into_iter().flatten().collect();
    write!(f, ":{}", options.join(","))
}
