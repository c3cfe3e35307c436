use std::time::{Duration, Instant};

use game::{Game, Wdl};

use crate::agent::{Agent, Choice, Error, moves_of, outcome};
use crate::random::Seeded;

/// How much an agent may think about a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// Playouts in all.
    Playouts(u64),
    /// Time, but at least one playout, of pure Monte Carlo one for each move.
    Time(Duration),
}

/// What playouts are worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Playouts {
    /// Plies after which a playout is cut off.
    pub length: u32,
    /// What one that was cut off is worth to both sides; a win is worth 1, a draw 0.5, a loss 0.
    pub cutoff: f64,
}

impl Default for Playouts {
    /// The value is that of the thesis (section 4.2), the length that of its games.
    fn default() -> Self {
        Self {
            length: 100,
            cutoff: -0.05,
        }
    }
}

/// Pure Monte Carlo: the same number of playouts for each move, and the move that wins most of them, the
/// first of those that win as many (R. Arntzenius, "Agents for the Strategy Game Onitama", 2021, section
/// 4.2).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PureMonteCarlo {
    /// Shared by all moves: of N playouts each gets N / moves, at least one.
    pub budget: Budget,
    /// What playouts are worth.
    pub playouts: Playouts,
}

impl<G: Game> Agent<G> for PureMonteCarlo {
    fn choose(
        &mut self,
        game: &G,
        position: G::Position,
        random: &mut Seeded,
    ) -> Result<Choice<G::Move>, Error> {
        let moves = moves_of(game, position);
        let mut work = 0;
        let mut best = (moves[0], f64::NEG_INFINITY);
        for &mv in &moves {
            let next = game.play(position, mv);
            let (score, playouts) = self.score(game, next, moves.len(), random);
            work += playouts;
            if score > best.1 {
                best = (mv, score);
            }
        }
        Ok(Choice::of(best.0, work))
    }
}

impl PureMonteCarlo {
    /// What a position is worth on average to the one who moved there, and by how many playouts.
    fn score<G: Game>(
        &self,
        game: &G,
        position: G::Position,
        moves: usize,
        random: &mut Seeded,
    ) -> (f64, u64) {
        let begin = Instant::now();
        let mut sum = 0.0;
        let mut done = 0;
        loop {
            sum += self.playouts.mover(game, position, random);
            done += 1;
            let enough = match self.budget {
                Budget::Playouts(all) => done >= all / moves as u64,
                Budget::Time(all) => begin.elapsed() >= all / moves as u32,
            };
            if enough {
                return (sum / done as f64, done);
            }
        }
    }
}

impl Playouts {
    /// What a playout from a position is worth to the one who moved there.
    fn mover<G: Game>(&self, game: &G, position: G::Position, random: &mut Seeded) -> f64 {
        match outcome(game, position, self.length, random).0 {
            Some(wdl) => worth(wdl.before()),
            None => self.cutoff,
        }
    }
}

/// The points for a result.
pub(crate) fn worth(wdl: Wdl) -> f64 {
    match wdl {
        Wdl::Loss => 0.0,
        Wdl::Draw => 0.5,
        Wdl::Win => 1.0,
    }
}
