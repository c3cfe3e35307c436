use hindsight_core::{Answer, Game, Notation, Packed, PackedGame, PackedMove, Random, Value};

use crate::agent::{Agent, AgentError, ChosenMove, legal_moves};
use crate::seeded_random::SeededRandom;

/// Reason why a value could not be read.
pub type ProbeError = Box<dyn std::error::Error + Send + Sync>;

/// Values of many positions at once, for agents and audits. A closure is one.
pub trait ProbeMany: Sync {
    /// Returns the values of positions, in their order.
    ///
    /// # Errors
    /// The values cannot be read.
    fn probe_many(&self, positions: &[Packed]) -> Result<Vec<Answer>, ProbeError>;
}

impl<F: Fn(&[Packed]) -> Result<Vec<Answer>, ProbeError> + Sync> ProbeMany for F {
    fn probe_many(&self, positions: &[Packed]) -> Result<Vec<Answer>, ProbeError> {
        self(positions)
    }
}

/// Source of values that an agent asks.
pub type BatchProbe<'a> = &'a dyn ProbeMany;

/// An agent that plays by known values: the quickest win or the slowest loss.
///
/// Among equally good moves it draws at random.
#[derive(Clone, Copy)]
pub struct PerfectAgent<'a> {
    /// Source of the values.
    pub probe: BatchProbe<'a>,
}

impl std::fmt::Debug for PerfectAgent<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PerfectAgent").finish_non_exhaustive()
    }
}

/// Returns the value of an answer; a result without remoteness gets remoteness 0.
pub(crate) fn value_of_answer(answer: Answer) -> Option<Value> {
    answer.exact().or_else(|| Some(Value::terminal(answer.wdl()?)))
}

/// Returns the only move, if there is one. It draws a number too: the stream of a seed must not
/// change.
pub(crate) fn forced_move(moves: &[PackedMove], random: &mut SeededRandom) -> Option<ChosenMove> {
    let &[only] = moves else {
        return None;
    };
    random.below(1);
    Some(ChosenMove::new(only, 0))
}

impl Agent for PerfectAgent<'_> {
    fn choose(
        &mut self,
        game: &PackedGame,
        position: Packed,
        random: &mut SeededRandom,
    ) -> Result<ChosenMove, AgentError> {
        let moves = legal_moves(game, position);
        if let Some(forced) = forced_move(&moves, random) {
            return Ok(forced);
        }
        let next: Vec<Packed> = moves.iter().map(|&mv| game.play(position, mv)).collect();
        let best = BestMoves::among(game, self.probe, &next)?.indices;
        let drawn = random.below(best.len() as u32) as usize;
        Ok(ChosenMove::new(moves[best[drawn]], 0))
    }
}

/// Returns the values of positions for the side that moves to them. `read` returns the value of an
/// answer, if it is known well enough.
pub(crate) fn values_after_moves(
    game: &PackedGame,
    probe: BatchProbe<'_>,
    next: &[Packed],
    read: fn(Answer) -> Option<Value>,
) -> Result<Vec<Value>, AgentError> {
    let answers = probe.probe_many(next).map_err(AgentError::Probe)?;
    let values = answers.into_iter().zip(next).map(|(answer, &position)| {
        let value = read(answer).map(Value::before);
        value.ok_or_else(|| AgentError::Unknown(game.format(position)))
    });
    values.collect()
}

/// The best of several moves.
pub(crate) struct BestMoves {
    /// Their value for the side that makes them.
    pub(crate) value: Value,
    /// Indices of the moves, ascending.
    pub(crate) indices: Vec<usize>,
}

impl BestMoves {
    /// Returns the best of the moves to the positions `next`, of which there is at least one.
    pub(crate) fn among(
        game: &PackedGame,
        probe: BatchProbe<'_>,
        next: &[Packed],
    ) -> Result<Self, AgentError> {
        let values = values_after_moves(game, probe, next, value_of_answer)?;
        let value = values.iter().copied().max();
        let value = value.expect("a position that is not terminal has a move");
        let indices = (0..values.len()).filter(|&i| values[i] == value).collect();
        Ok(Self { value, indices })
    }
}
