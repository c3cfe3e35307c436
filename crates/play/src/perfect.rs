use hindsight_core::{Answer, Game, Random, Value, Wdl};

use crate::agent::{Agent, AgentError, ChosenMove, legal_moves};
use crate::seeded_random::SeededRandom;

/// Answers with the values of positions, in their order; the error is a sentence.
pub type BatchProbe<'a, P> = &'a (dyn Fn(&[P]) -> Result<Vec<Answer>, String> + Sync);

/// Plays by known values: the quickest win, the slowest loss, and of equal moves any.
#[derive(Clone, Copy)]
pub struct PerfectAgent<'a, P> {
    /// What is known.
    pub probe: BatchProbe<'a, P>,
    /// Of moves of equal value, plays one after which the other side errs most if it moves at random: most of
    /// its replies give away a result, or else plies.
    pub trap: bool,
}

impl<P> std::fmt::Debug for PerfectAgent<'_, P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Perfect")
            .field("lure", &self.trap)
            .finish_non_exhaustive()
    }
}

/// A value, with its remoteness or without: the remoteness of a result alone is 0.
fn value_of_answer(answer: Answer) -> Option<Value> {
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
            // As many random numbers as for other moves: games of a seed stay as they were.
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
            let most = shares.iter().copied().fold((0.0, 0.0), most_errors);
            let mut shares = shares.into_iter();
            best.retain(|_| shares.next() == Some(most));
        }
        let drawn = random.below(best.len() as u32) as usize;
        Ok(ChosenMove::new(moves[best[drawn]], 0))
    }
}

fn most_errors(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    if b > a { b } else { a }
}

impl<P: Copy + std::fmt::Debug> PerfectAgent<'_, P> {
    /// What positions are worth to those who move to them.
    fn values_after_moves(&self, next: &[P]) -> Result<Vec<Value>, AgentError> {
        let answers = (self.probe)(next).map_err(AgentError::Probe)?;
        let known = answers.into_iter().zip(next);
        known
            .map(|(answer, position)| {
                let value = value_of_answer(answer).map(Value::before);
                value.ok_or_else(|| AgentError::Unknown(format!("{position:?}")))
            })
            .collect()
    }

    /// The numbers of the best.
    fn best_moves(&self, next: &[P]) -> Result<Vec<usize>, AgentError> {
        let worth = self.values_after_moves(next)?;
        let best = worth.iter().copied().max();
        let numbers = (0..worth.len()).filter(|&i| Some(worth[i]) == best);
        Ok(numbers.collect())
    }

    /// The share of moves of a position that give away its result, and of those that give away plies.
    fn error_shares<G: Game<Position = P>>(
        &self,
        game: &G,
        position: P,
    ) -> Result<(f64, f64), AgentError> {
        let mut next = Vec::new();
        game.successors(position, &mut next);
        let worth = self.values_after_moves(&next)?;
        let Some(best) = worth.iter().copied().max() else {
            return Ok((0.0, 0.0));
        };
        let share = |count: usize| count as f64 / worth.len() as f64;
        let result: Wdl = best.wdl();
        let wrong = worth.iter().filter(|value| value.wdl() < result).count();
        let slow = worth.iter().filter(|&&value| value < best).count();
        Ok((share(wrong), share(slow)))
    }
}
