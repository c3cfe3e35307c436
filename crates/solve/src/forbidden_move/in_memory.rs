//! Solved tiers in memory.

use std::convert::Infallible;

use hindsight_core::{Answer, ForbiddenMove, Game, Packed, PackedGame, Probe, Value};
use hindsight_engine::StateSource;

use super::solved_tier::SolvedStateTier;

/// Solved tiers in memory: for small games and tests.
#[derive(Default)]
pub struct SolvedStates(pub Vec<SolvedStateTier>);

impl SolvedStates {
    /// Returns a reader of the values. `game` must be the solved one.
    pub fn with<'a>(&'a self, game: &'a PackedGame) -> impl Probe<Error = Infallible> {
        SolvedStatesReader { states: self, game }
    }
}

/// Reads values of states from memory.
struct SolvedStatesReader<'a> {
    states: &'a SolvedStates,
    game: &'a PackedGame,
}

impl Probe for SolvedStatesReader<'_> {
    type Error = Infallible;

    fn probe(&self, position: Packed) -> Result<Answer, Infallible> {
        if let Some(wdl) = self.game.terminal(position) {
            return Ok(Answer::Exact(Value::terminal(wdl)));
        }
        let value_at = |(tier, rank, move_id)| {
            let solved = self.states.0.iter().find(|solved| solved.tier == tier)?;
            solved.state(rank, move_id)
        };
        let value = self.game.rank_state(position).and_then(value_at);
        Ok(value.map_or(Answer::Unknown, Answer::Exact))
    }
}
