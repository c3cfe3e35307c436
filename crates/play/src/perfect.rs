use hindsight_core::{Answer, Game, Random, Value, Wdl};

use crate::agent::{Agent, Choice, Error, moves_of};
use crate::random::Seeded;

/// Answers with the values of positions, in their order; the error is a sentence.
pub type Values<'a, P> = &'a (dyn Fn(&[P]) -> Result<Vec<Answer>, String> + Sync);

/// Plays by known values: the quickest win, the slowest loss, and of equal moves any.
#[derive(Clone, Copy)]
pub struct Perfect<'a, P> {
    /// What is known.
    pub values: Values<'a, P>,
    /// Of moves of equal value, plays one after which the other side errs most if it moves at random: most of
    /// its replies give away a result, or else plies.
    pub lure: bool,
}

impl<P> std::fmt::Debug for Perfect<'_, P> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Perfect")
            .field("lure", &self.lure)
            .finish_non_exhaustive()
    }
}

/// A value, with its remoteness or without: the remoteness of a result alone is 0.
fn value(answer: Answer) -> Option<Value> {
    answer
        .exact()
        .or_else(|| Some(Value::terminal(answer.wdl()?)))
}

impl<G: Game> Agent<G> for Perfect<'_, G::Position> {
    fn choose(
        &mut self,
        game: &G,
        position: G::Position,
        random: &mut Seeded,
    ) -> Result<Choice<G::Move>, Error> {
        let moves = moves_of(game, position);
        if let [only] = *moves {
            // As many random numbers as for other moves: games of a seed stay as they were.
            random.below(1);
            return Ok(Choice::of(only, 0));
        }
        let next: Vec<G::Position> = moves.iter().map(|&mv| game.play(position, mv)).collect();
        let mut best = self.best(&next)?;
        if self.lure && best.len() > 1 {
            let mut shares = Vec::new();
            for &i in &best {
                shares.push(self.errors(game, next[i])?);
            }
            let most = shares.iter().copied().fold((0.0, 0.0), most_errors);
            let mut shares = shares.into_iter();
            best.retain(|_| shares.next() == Some(most));
        }
        let drawn = random.below(best.len() as u32) as usize;
        Ok(Choice::of(moves[best[drawn]], 0))
    }
}

fn most_errors(a: (f64, f64), b: (f64, f64)) -> (f64, f64) {
    if b > a { b } else { a }
}

impl<P: Copy + std::fmt::Debug> Perfect<'_, P> {
    /// What positions are worth to those who move to them.
    fn worth(&self, next: &[P]) -> Result<Vec<Value>, Error> {
        let answers = (self.values)(next).map_err(Error::Probe)?;
        let known = answers.into_iter().zip(next);
        known
            .map(|(answer, position)| {
                let value = value(answer).map(Value::before);
                value.ok_or_else(|| Error::Unknown(format!("{position:?}")))
            })
            .collect()
    }

    /// The numbers of the best.
    fn best(&self, next: &[P]) -> Result<Vec<usize>, Error> {
        let worth = self.worth(next)?;
        let best = worth.iter().copied().max();
        let numbers = (0..worth.len()).filter(|&i| Some(worth[i]) == best);
        Ok(numbers.collect())
    }

    /// The share of moves of a position that give away its result, and of those that give away plies.
    fn errors<G: Game<Position = P>>(&self, game: &G, position: P) -> Result<(f64, f64), Error> {
        let mut next = Vec::new();
        game.successors(position, &mut next);
        let worth = self.worth(&next)?;
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
