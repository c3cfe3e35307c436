use std::time::Duration;

use hindsight_core::{Game, Wdl};

use crate::agent::{Agent, Choice, Error, moves_of, outcome};
use crate::random::Seeded;
use crate::resources::Deadline;

/// The thought that an agent may give to a move. A single legal move is played without any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Budget {
    /// Playouts in all.
    Playouts(u64),
    /// Time by the clock on the wall, from when a move is asked for; but at least one playout, of pure Monte
    /// Carlo one for each move. A playout that was begun is finished.
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
/// first of those that win as many. By time, moves take turns, and a round that was cut off does not count (R. Arntzenius, "Agents for the Strategy Game Onitama", 2021, section
/// 4.2).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PureMonteCarlo {
    /// Shared by all moves: of N playouts each gets N / moves, at least one; time allows as many rounds as it does.
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
        let time = match self.budget {
            Budget::Playouts(_) => None,
            Budget::Time(time) => Some(time),
        };
        let mut deadline = Deadline::new(time);
        let moves = moves_of(game, position);
        if let [only] = *moves {
            return Ok(Choice::of(only, 0));
        }
        let next: Vec<G::Position> = moves.iter().map(|&mv| game.play(position, mv)).collect();
        let (points, work) = match self.budget {
            Budget::Playouts(all) => self.shares(game, &next, all, random),
            Budget::Time(_) => self.rounds(game, &next, &mut deadline, random),
        };
        let better = |best: usize, i: usize| if points[i] > points[best] { i } else { best };
        Ok(Choice::of(moves[(0..points.len()).fold(0, better)], work))
    }
}

impl PureMonteCarlo {
    /// The worth of positions to the one who moves there, each by its share of the playouts; and their number.
    fn shares<G: Game>(
        &self,
        game: &G,
        next: &[G::Position],
        all: u64,
        random: &mut Seeded,
    ) -> (Vec<f64>, u64) {
        let each = (all / next.len() as u64).max(1);
        let mut score = |&at: &G::Position| {
            let playouts = (0..each).map(|_| self.playouts.mover(game, at, random));
            playouts.sum::<f64>() / each as f64
        };
        let means = next.iter().map(&mut score).collect();
        (means, each * next.len() as u64)
    }

    /// The sums of what whole rounds were worth, a playout from each position; how many playouts were made, those of a
    /// round that was cut off included.
    fn rounds<G: Game>(
        &self,
        game: &G,
        next: &[G::Position],
        deadline: &mut Deadline,
        random: &mut Seeded,
    ) -> (Vec<f64>, u64) {
        let mut sums = vec![0.0; next.len()];
        let mut round = vec![0.0; next.len()];
        let (mut work, mut rounds) = (0, 0);
        loop {
            for (points, &at) in round.iter_mut().zip(next) {
                if deadline.step() && rounds > 0 {
                    return (sums, work);
                }
                *points = self.playouts.mover(game, at, random);
                work += 1;
            }
            for (sum, points) in sums.iter_mut().zip(&round) {
                *sum += points;
            }
            rounds += 1;
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
