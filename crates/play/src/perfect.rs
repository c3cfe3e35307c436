use hindsight_core::{Answer, Game, Random, Value};

use crate::agent::{Agent, AgentError, ChosenMove, legal_moves};
use crate::seeded_random::SeededRandom;

/// A probe of many positions at once; answers come in the order of the positions.
///
/// An error is a sentence.
pub type BatchProbe<'a, P> = &'a (dyn Fn(&[P]) -> Result<Vec<Answer>, String> + Sync);

/// An agent that plays by known values: the quickest win or the slowest loss.
///
/// Among equally good moves it draws at random.
#[derive(Clone, Copy)]
pub struct PerfectAgent<'a, P> {
    /// Source of the values.
    pub probe: BatchProbe<'a, P>,
}

impl<P> std::fmt::Debug for PerfectAgent<'_, P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PerfectAgent").finish_non_exhaustive()
    }
}

/// Returns the value of an answer; a result without remoteness gets remoteness 0.
pub(crate) fn value_of_answer(answer: Answer) -> Option<Value> {
    answer.exact().or_else(|| Some(Value::terminal(answer.wdl()?)))
}

impl<G: Game> Agent<G> for PerfectAgent<'_, G::Position> {
    fn choose(
        &mut self,
        game: &G,
        position: G::Position,
        random: &mut SeededRandom,
    ) -> Result<ChosenMove<G::Move>, AgentError> {
        let moves = legal_moves(game, position);
        if let [only] = *moves {
            // A forced move draws a number too: the stream of a seed must not change.
            random.below(1);
            return Ok(ChosenMove::new(only, 0));
        }
        let next: Vec<G::Position> = moves.iter().map(|&mv| game.play(position, mv)).collect();
        let best = BestMoves::among(self.probe, &next)?.indices;
        let drawn = random.below(best.len() as u32) as usize;
        Ok(ChosenMove::new(moves[best[drawn]], 0))
    }
}

/// Returns the values of positions for the side that moves to them. `read` returns the value of an
/// answer, if it is known well enough.
pub(crate) fn values_after_moves<P: std::fmt::Debug>(
    probe: BatchProbe<'_, P>,
    next: &[P],
    read: fn(Answer) -> Option<Value>,
) -> Result<Vec<Value>, AgentError> {
    let answers = probe(next).map_err(AgentError::Probe)?;
    let values = answers.into_iter().zip(next).map(|(answer, position)| {
        let value = read(answer).map(Value::before);
        value.ok_or_else(|| AgentError::Unknown(format!("{position:?}")))
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
    pub(crate) fn among<P: std::fmt::Debug>(
        probe: BatchProbe<'_, P>,
        next: &[P],
    ) -> Result<Self, AgentError> {
        let values = values_after_moves(probe, next, value_of_answer)?;
        let value = values.iter().copied().max();
        let value = value.expect("a position that is not terminal has a move");
        let indices = (0..values.len()).filter(|&i| values[i] == value).collect();
        Ok(Self { value, indices })
    }
}
