//! Limits of agents that strangers name: an agent within them surely ends.

use std::time::Duration;

use hindsight_core::ParseError;

use crate::agent_spec::AgentSpec;
use crate::pure_monte_carlo::{MoveBudget, PlayoutSettings};

/// Limits of the work of an agent for a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AgentLimits {
    /// Most playouts.
    pub playouts: u64,
    /// Longest time.
    pub time: Duration,
}

impl AgentSpec {
    /// Returns the agent if it surely ends within some limits. Alpha-beta search gets their time if
    /// it has no shorter one.
    ///
    /// Other agents end by themselves: the levels look at 1,000,000 positions or make 60,000
    /// playouts at most.
    ///
    /// # Errors
    /// The agent may make more playouts, longer ones than by default, or think longer. The offset
    /// of the error is 0.
    ///
    /// ```
    /// use hindsight_play::{AgentLimits, AgentSpec};
    /// use std::time::Duration;
    ///
    /// let limits = AgentLimits {
    ///     playouts: 20_000,
    ///     time: Duration::from_secs(2),
    /// };
    /// let read = |text: &str| text.parse::<AgentSpec>()?.within(&limits);
    /// assert_eq!(read("alphabeta:depth=40")?.to_string(), "alphabeta:depth=40,time=2");
    /// assert_eq!(
    ///     read("mcts:playouts=50000").unwrap_err().message,
    ///     "playouts=50000 is too many: at most 20000 are allowed"
    /// );
    /// # Ok::<(), hindsight_core::ParseError>(())
    /// ```
    pub fn within(mut self, limits: &AgentLimits) -> Result<Self, ParseError> {
        let (budget, playout) = match &mut self {
            Self::PureMonteCarlo(agent) => (agent.budget, agent.playout),
            Self::Mcts(agent) => (agent.budget, agent.playout),
            Self::AlphaBeta(search) => {
                let time = search.time.unwrap_or(limits.time);
                search.time = Some(time.min(limits.time));
                return Ok(self);
            }
            Self::Random | Self::Perfect | Self::Level(_) | Self::Lure => return Ok(self),
        };
        match limits.fault(budget, playout) {
            None => Ok(self),
            Some(message) => Err(ParseError::new(0, message)),
        }
    }
}

impl AgentLimits {
    /// Returns the fault of playouts that are not within the limits.
    fn fault(&self, budget: MoveBudget, playout: PlayoutSettings) -> Option<String> {
        let longest = PlayoutSettings::default().max_plies;
        match budget {
            MoveBudget::Playouts(playouts) if playouts > self.playouts => Some(format!(
                "playouts={playouts} is too many: at most {} are allowed",
                self.playouts
            )),
            MoveBudget::Time(time) if time > self.time => Some(format!(
                "time={} is too long: at most {} seconds are allowed",
                time.as_secs_f64(),
                self.time.as_secs_f64()
            )),
            _ if playout.max_plies > longest => Some(format!(
                "length={} is too long: playouts of at most {longest} plies are allowed",
                playout.max_plies
            )),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::AgentLimits;
    use crate::agent_spec::AgentSpec;
    use std::time::Duration;

    const LIMITS: AgentLimits = AgentLimits { playouts: 10_000, time: Duration::from_secs(3) };

    fn within(text: &str) -> Result<String, String> {
        let agent: AgentSpec = text.parse().expect("an agent");
        let agent = agent.within(&LIMITS);
        agent.map(|agent| agent.to_string()).map_err(|error| error.message)
    }

    #[test]
    fn agents_within_the_limits_stay() {
        for text in [
            "random",
            "perfect",
            "lure",
            "level:10",
            "mc:playouts=10000",
            "mcts:time=3,c=2",
            "mcts:playouts=10000,length=50",
            "alphabeta:depth=3,time=0.5",
        ] {
            assert_eq!(within(text).as_deref(), Ok(text));
        }
    }

    #[test]
    fn alpha_beta_search_ends_in_time() {
        assert_eq!(within("alphabeta:depth=40"), Ok("alphabeta:depth=40,time=3".into()));
        assert_eq!(within("alphabeta:time=60"), Ok("alphabeta:time=3".into()));
        assert_eq!(within("alphabeta"), Ok("alphabeta:nodes=100000,time=3".into()));
    }

    #[test]
    fn more_work_is_refused_by_name() {
        for (text, fault) in [
            ("mc:playouts=10001", "playouts=10001 is too many: at most 10000 are allowed"),
            ("mcts:time=3.5", "time=3.5 is too long: at most 3 seconds are allowed"),
            ("mc:length=101", "length=101 is too long: playouts of at most 100 plies are allowed"),
        ] {
            assert_eq!(within(text), Err(fault.into()));
        }
    }
}
