use hindsight_core::{Answer, Game, Random, Value, Wdl};

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
    /// True to prefer, among the best moves, those that set a trap.
    ///
    /// A trap is a successor where a random reply errs most often: first by the share of replies
    /// that give away the result, then by the share that give away plies.
    pub trap: bool,
}

impl<P> std::fmt::Debug for PerfectAgent<'_, P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PerfectAgent")
            .field("trap", &self.trap)
            .finish_non_exhaustive()
    }
}

/// Shares of the moves of a position that are errors, compared field by field.
#[derive(Clone, Copy, PartialEq, PartialOrd)]
struct ErrorShares {
    /// Share of moves that give away the result.
    result: f64,
    /// Share of moves that give away the result or plies.
    plies: f64,
}

impl ErrorShares {
    const NONE: Self = Self {
        result: 0.0,
        plies: 0.0,
    };

    /// Returns the greater shares, `self` if they are equal.
    fn max(self, other: Self) -> Self {
        if other > self { other } else { self }
    }
}

/// Returns the value of an answer; a result without remoteness gets remoteness 0.
pub(crate) fn value_of_answer(answer: Answer) -> Option<Value> {
    answer
        .exact()
        .or_else(|| Some(Value::terminal(answer.wdl()?)))
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
        let mut best = self.best_moves(&next)?;
        if self.trap && best.len() > 1 {
            let mut shares = Vec::new();
            for &i in &best {
                shares.push(self.error_shares(game, next[i])?);
            }
            let greatest = shares
                .iter()
                .copied()
                .fold(ErrorShares::NONE, ErrorShares::max);
            let mut shares = shares.into_iter();
            best.retain(|_| shares.next() == Some(greatest));
        }
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

impl<P: Copy + std::fmt::Debug> PerfectAgent<'_, P> {
    /// Returns the indices of the best positions to move to.
    fn best_moves(&self, next: &[P]) -> Result<Vec<usize>, AgentError> {
        let values = values_after_moves(self.probe, next, value_of_answer)?;
        let best = values.iter().copied().max();
        let indices = (0..values.len()).filter(|&i| Some(values[i]) == best);
        Ok(indices.collect())
    }

    /// Returns the shares of errors among the moves of a position; zero without moves.
    fn error_shares<G: Game<Position = P>>(
        &self,
        game: &G,
        position: P,
    ) -> Result<ErrorShares, AgentError> {
        let mut next = Vec::new();
        game.successors(position, &mut next);
        let values = values_after_moves(self.probe, &next, value_of_answer)?;
        let Some(best) = values.iter().copied().max() else {
            return Ok(ErrorShares::NONE);
        };
        let share = |count: usize| count as f64 / values.len() as f64;
        let best_result: Wdl = best.wdl();
        let worse_result = values.iter().filter(|value| value.wdl() < best_result);
        let worse_value = values.iter().filter(|&&value| value < best);
        Ok(ErrorShares {
            result: share(worse_result.count()),
            plies: share(worse_value.count()),
        })
    }
}
