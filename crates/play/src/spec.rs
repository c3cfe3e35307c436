use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use hindsight_core::Game;

use crate::agent::{Agent, Error, RandomAgent};
use crate::alphabeta::{self, AlphaBeta, MOST_DEPTH, Searcher};
use crate::mcts::{self, Limited, MOST_PLAYOUTS, Mcts, Prune};
use crate::perfect::{Perfect, Values};
use crate::pure::{Budget, Playouts, PureMonteCarlo};
use crate::resources::Resources;

/// An agent by its text, such as `mcts:playouts=10000,c=0.4,prune=1%`: a name, and options behind a colon.
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
    /// Any legal move.
    Random,
    /// Pure Monte Carlo.
    Mc(PureMonteCarlo),
    /// Monte Carlo tree search.
    Mcts(Mcts),
    /// Alpha-beta search.
    AlphaBeta(AlphaBeta),
    /// By known values.
    Perfect,
    /// By known values, with traps.
    Lure,
}

/// What was wrong with the text of an agent, and what would be right.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct SpecError(String);

const NAMES: [&str; 6] = ["random", "mc", "mcts", "alphabeta", "perfect", "lure"];

/// Most plies of a playout.
const MOST_LENGTH: u64 = 1_000_000;

impl AgentSpec {
    /// Whether it plays by known values.
    #[must_use]
    pub fn needs_values(&self) -> bool {
        matches!(self, Self::Perfect | Self::Lure)
    }

    /// Its playouts a move; none if it makes none, or as many as its time allows.
    #[must_use]
    pub fn playouts(&self) -> Option<u64> {
        let budget = match self {
            Self::Mc(agent) => agent.budget,
            Self::Mcts(agent) => agent.budget,
            _ => return None,
        };
        match budget {
            Budget::Playouts(all) => Some(all),
            Budget::Time(_) => None,
        }
    }

    /// The same agent with so many playouts a move; unchanged if it has no number of them.
    ///
    /// # Errors
    /// When there cannot be so many, or so few with its other options.
    pub fn with_playouts(self, playouts: u64) -> Result<Self, SpecError> {
        let mut agent = self;
        if agent.playouts().is_some() {
            agent.set("playouts", &playouts.to_string())?;
        }
        agent.check()?;
        Ok(agent)
    }

    /// Bytes without which it cannot play a game with such positions; 0 if it keeps nothing.
    #[must_use]
    pub fn least_memory<G: Game>(&self) -> u64 {
        match self {
            Self::Mcts(_) => mcts::least_memory::<G>(),
            Self::AlphaBeta(_) => alphabeta::least_memory::<G::Position>(),
            _ => 0,
        }
    }

    /// The agent, ready to play.
    ///
    /// # Errors
    /// When it plays by known values and there are no `values`, or cannot do with the memory.
    pub fn agent<'a, G: Game>(
        &self,
        values: Option<Values<'a, G::Position>>,
        resources: Resources<'a>,
    ) -> Result<Box<dyn Agent<G> + 'a>, Error> {
        let least = self.least_memory::<G>();
        if least > resources.memory {
            return Err(Error::Memory {
                agent: self.name(),
                least,
                memory: resources.memory,
            });
        }
        let perfect = |lure| {
            let values = values.ok_or(Error::NoValues)?;
            Ok(Box::new(Perfect { values, lure }) as Box<dyn Agent<G> + 'a>)
        };
        match *self {
            Self::Random => Ok(Box::new(RandomAgent)),
            Self::Mc(agent) => Ok(Box::new(agent)),
            Self::Mcts(agent) => Ok(Box::new(Limited { agent, resources })),
            Self::AlphaBeta(limits) => Ok(Box::new(Searcher::new(limits, resources))),
            Self::Perfect => perfect(false),
            Self::Lure => perfect(true),
        }
    }
}

impl FromStr for AgentSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let lower = text.trim().to_ascii_lowercase();
        let (name, options) = lower.split_once(':').unwrap_or((&lower, ""));
        let mut agent = match name {
            "random" => Self::Random,
            "mc" => Self::Mc(PureMonteCarlo::default()),
            "mcts" => Self::Mcts(Mcts::default()),
            "alphabeta" if options.is_empty() => Self::AlphaBeta(AlphaBeta::default()),
            "alphabeta" => Self::AlphaBeta(AlphaBeta::NONE),
            "perfect" => Self::Perfect,
            "lure" => Self::Lure,
            _ => return Err(unknown("agent", name, &NAMES)),
        };
        let mut seen: Vec<&str> = Vec::new();
        for option in options.split(',').filter(|_| !options.is_empty()) {
            let Some((key, value)) = option.split_once('=') else {
                return wrong(format!("'{option}' is no option: options are key=value"));
            };
            if seen.contains(&key) {
                return wrong(format!("the option {key} is given twice"));
            }
            if matches!(key, "time" | "playouts")
                && seen.iter().any(|k| matches!(*k, "time" | "playouts"))
            {
                return wrong("playouts and time are both given; one limits an agent".into());
            }
            agent.set(key, value)?;
            seen.push(key);
        }
        agent.check()?;
        Ok(agent)
    }
}

impl AgentSpec {
    /// Whether options go together.
    fn check(&self) -> Result<(), SpecError> {
        let Self::Mcts(agent) = self else {
            return Ok(());
        };
        match (agent.budget, agent.prune) {
            (Budget::Playouts(all), _) if all < agent.rollouts.into() => wrong(format!(
                "a node has {} playouts, a move only {all} in all",
                agent.rollouts
            )),
            (Budget::Time(_), Some(Prune::Percent(_))) => wrong(String::from(
                "prune in per cent goes with playouts; with time name node cycles, such as prune=100",
            )),
            _ => Ok(()),
        }
    }

    fn keys(&self) -> &'static [&'static str] {
        match self {
            Self::Mc(_) => &["playouts", "time", "length", "cutoff"],
            Self::Mcts(_) => &[
                "playouts", "time", "c", "rollouts", "prune", "depth", "proven", "length", "cutoff",
            ],
            Self::AlphaBeta(_) => &["depth", "nodes", "time"],
            _ => &[],
        }
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
        let keys = self.keys();
        if !keys.contains(&key) {
            let name = self.name();
            if keys.is_empty() {
                return wrong(format!("'{name}' has no options"));
            }
            return Err(unknown(&format!("option of {name}"), key, keys));
        }
        let (budget, playouts) = match self {
            Self::Mc(agent) => (&mut agent.budget, &mut agent.playouts),
            Self::Mcts(agent) => (&mut agent.budget, &mut agent.playouts),
            Self::AlphaBeta(limits) => return set_limit(limits, key, value),
            _ => return Ok(()),
        };
        match key {
            "playouts" => *budget = Budget::Playouts(whole(key, value, MOST_PLAYOUTS)?),
            "time" => *budget = Budget::Time(seconds(key, value)?),
            "length" => playouts.length = whole(key, value, MOST_LENGTH)? as u32,
            "cutoff" => playouts.cutoff = number(key, value, (-1.0, 1.0))?,
            _ => return self.set_of_mcts(key, value),
        }
        Ok(())
    }

    fn set_of_mcts(&mut self, key: &str, value: &str) -> Result<(), SpecError> {
        let Self::Mcts(agent) = self else {
            return Ok(());
        };
        match key {
            "c" => agent.c = number(key, value, (0.0, 1000.0))?,
            "rollouts" => agent.rollouts = whole(key, value, 1 << 20)? as u32,
            "depth" => agent.depth = number(key, value, (0.0, 1.0))?,
            "proven" => agent.proven = yes(key, value)?,
            _ => {
                agent.prune = Some(match value.strip_suffix('%') {
                    Some(percent) => Prune::Percent(number(key, percent, (0.0, 100.0))?),
                    None => Prune::Cycles(whole(key, value, MOST_PLAYOUTS)?),
                });
            }
        }
        Ok(())
    }

    fn name(&self) -> &'static str {
        match self {
            Self::Random => "random",
            Self::Mc(_) => "mc",
            Self::Mcts(_) => "mcts",
            Self::AlphaBeta(_) => "alphabeta",
            Self::Perfect => "perfect",
            Self::Lure => "lure",
        }
    }
}

fn set_limit(limits: &mut AlphaBeta, key: &str, value: &str) -> Result<(), SpecError> {
    match key {
        "depth" => limits.depth = Some(whole(key, value, MOST_DEPTH.into())? as u32),
        "nodes" => limits.nodes = Some(whole(key, value, u64::MAX)?),
        _ => limits.time = Some(seconds(key, value)?),
    }
    Ok(())
}

fn seconds(key: &str, value: &str) -> Result<Duration, SpecError> {
    Ok(Duration::from_secs_f64(number(
        key,
        value,
        (0.000_001, 86_400.0),
    )?))
}

fn wrong<T>(message: String) -> Result<T, SpecError> {
    Err(SpecError(message))
}

fn unknown(what: &str, name: &str, all: &[&str]) -> SpecError {
    let near = all.iter().copied().max_by(|a, b| {
        let likeness = |other: &str| strsim::jaro(name, other);
        likeness(a).total_cmp(&likeness(b))
    });
    let near = near.filter(|other| strsim::jaro(name, other) > 0.7);
    let hint = near.map_or(String::new(), |other| format!("did you mean '{other}'? "));
    SpecError(format!(
        "there is no {what} '{name}'; {hint}there are {}",
        all.join(", ")
    ))
}

/// A whole number from 1.
fn whole(key: &str, value: &str, most: u64) -> Result<u64, SpecError> {
    match value.parse::<u64>() {
        Ok(n) if (1..=most).contains(&n) => Ok(n),
        _ => wrong(format!(
            "{key} is a whole number from 1 to {most}, not '{value}'"
        )),
    }
}

fn number(key: &str, value: &str, (least, most): (f64, f64)) -> Result<f64, SpecError> {
    match value.parse::<f64>() {
        Ok(x) if (least..=most).contains(&x) => Ok(x),
        _ => wrong(format!(
            "{key} is a number from {least} to {most}, not '{value}'"
        )),
    }
}

fn yes(key: &str, value: &str) -> Result<bool, SpecError> {
    match value {
        "yes" => Ok(true),
        "no" => Ok(false),
        _ => wrong(format!("{key} is yes or no, not '{value}'")),
    }
}

/// The normal form: options that are not the defaults, in a fixed order.
impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        let (budget, playouts) = match self {
            Self::Mc(agent) => (agent.budget, agent.playouts),
            Self::Mcts(agent) => (agent.budget, agent.playouts),
            Self::AlphaBeta(limits) => return write_limits(limits, f),
            _ => return Ok(()),
        };
        let mut options = vec![match budget {
            Budget::Playouts(n) => format!("playouts={n}"),
            Budget::Time(time) => format!("time={}", time.as_secs_f64()),
        }];
        if let Self::Mcts(agent) = self {
            let usual = Mcts::default();
            let mut add = |differs: bool, key: &str, value: &dyn fmt::Display| {
                if differs {
                    options.push(format!("{key}={value}"));
                }
            };
            add(agent.c != usual.c, "c", &agent.c);
            add(
                agent.rollouts != usual.rollouts,
                "rollouts",
                &agent.rollouts,
            );
            match agent.prune {
                None => {}
                Some(Prune::Cycles(n)) => add(true, "prune", &n),
                Some(Prune::Percent(x)) => add(true, "prune", &format!("{x}%")),
            }
            add(agent.depth != usual.depth, "depth", &agent.depth);
            add(agent.proven, "proven", &"yes");
        }
        let usual = Playouts::default();
        if playouts.length != usual.length {
            options.push(format!("length={}", playouts.length));
        }
        if playouts.cutoff != usual.cutoff {
            options.push(format!("cutoff={}", playouts.cutoff));
        }
        write!(f, ":{}", options.join(","))
    }
}

fn write_limits(limits: &AlphaBeta, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let limits = [
        limits.depth.map(|depth| format!("depth={depth}")),
        limits.nodes.map(|nodes| format!("nodes={nodes}")),
        limits
            .time
            .map(|time| format!("time={}", time.as_secs_f64())),
    ];
    let options: Vec<String> = limits.into_iter().flatten().collect();
    write!(f, ":{}", options.join(","))
}

impl Default for PureMonteCarlo {
    /// 1000 playouts a move.
    fn default() -> Self {
        Self {
            budget: Budget::Playouts(1000),
            playouts: Playouts::default(),
        }
    }
}
