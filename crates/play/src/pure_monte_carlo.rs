use std::time::Duration;

use hindsight_core::{Game, Wdl};

use crate::agent::{Agent, AgentError, ChosenMove, legal_moves, playout_result};
use crate::resources::Deadline;
use crate::seeded_random::SeededRandom;

/// The thought that an agent may give to a move. A single legal move is played without any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveBudget {
    /// Playouts in all.
    Playouts(u64),
    /// Time by the clock on the wall, from when a move is asked for; but at least one playout, of pure Monte
    /// Carlo one for each move. A playout that was begun is finished.
    Time(Duration),
}

/// What playouts are worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayoutSettings {
    /// Plies after which a playout is cut off.
    pub max_plies: u32,
    /// What one that was cut off is worth to both sides; a win is worth 1, a draw 0.5, a loss 0.
    pub cutoff_points: f64,
}

impl Default for PlayoutSettings {
    /// The value is that of the thesis (section 4.2), the length that of its games.
    fn default() -> Self {
        Self {
            max_plies: 100,
            cutoff_points: -0.05,
        }
    }
}

/// Pure Monte Carlo: the same number of playouts for each move, and the move that wins most of them, the
/// first of those that win as many. By time, moves take turns, and a round that was cut off does not count (R. Arntzenius, "Agents for the Strategy Game Onitama", 2021, section
/// 4.2).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PureMonteCarlo {
    /// Shared by all moves: of N playouts each gets N / moves, at least one; time allows as many rounds as it does.
    pub budget: MoveBudget,
    /// What playouts are worth.
    pub playout: PlayoutSettings,
}

impl<G: Game> Agent<G> for PureMonteCarlo {
    fn choose(
        &mut self,
        game: &G,
        position: G::Position,
        random: &mut SeededRandom,
    ) -> Result<ChosenMove<G::Move>, AgentError> {
        let time = match self.budget {
            MoveBudget::Playouts(_) => None,
            MoveBudget::Time(time) => Some(time),
        };
        let mut deadline = Deadline::new(time);
        let moves = legal_moves(game, position);
        if let [only] = *moves {
            return Ok(ChosenMove::new(only, 0));
        }
        let next: Vec<G::Position> = moves.iter().map(|&mv| game.play(position, mv)).collect();
        let (points, work) = match self.budget {
            MoveBudget::Playouts(all) => self.equal_shares(game, &next, all, random),
            MoveBudget::Time(_) => self.timed_rounds(game, &next, &mut deadline, random),
        };
        let better = |best: usize, i: usize| if points[i] > points[best] { i } else { best };
        Ok(ChosenMove::new(
            moves[(0..points.len()).fold(0, better)],
            work,
        ))
    }
}

impl PureMonteCarlo {
    /// The worth of positions to the one who moves there, each by its share of the playouts; and their number.
    fn equal_shares<G: Game>(
        &self,
        game: &G,
        next: &[G::Position],
        all: u64,
        random: &mut SeededRandom,
    ) -> (Vec<f64>, u64) {
        let each = (all / next.len() as u64).max(1);
        let mut score = |&at: &G::Position| {
            let playouts = (0..each).map(|_| self.playout.points_of_one(game, at, random));
            playouts.sum::<f64>() / each as f64
        };
        let means = next.iter().map(&mut score).collect();
        (means, each * next.len() as u64)
    }

    /// The sums of what whole rounds were worth, a playout from each position; how many playouts were made, those of a
    /// round that was cut off included.
    fn timed_rounds<G: Game>(
        &self,
        game: &G,
        next: &[G::Position],
        deadline: &mut Deadline,
        random: &mut SeededRandom,
    ) -> (Vec<f64>, u64) {
        let mut sums = vec![0.0; next.len()];
        let mut round = vec![0.0; next.len()];
        let (mut work, mut rounds) = (0, 0);
        loop {
            for (points, &at) in round.iter_mut().zip(next) {
                if deadline.step_is_late() && rounds > 0 {
                    return (sums, work);
                }
                *points = self.playout.points_of_one(game, at, random);
                work += 1;
            }
            for (sum, points) in sums.iter_mut().zip(&round) {
                *sum += points;
            }
            rounds += 1;
        }
    }
}

impl PlayoutSettings {
    /// What a playout from a position is worth to the one who moved there.
    fn points_of_one<G: Game>(
        &self,
        game: &G,
        position: G::Position,
        random: &mut SeededRandom,
    ) -> f64 {
        match playout_result(game, position, self.max_plies, random).0 {
            Some(wdl) => points(wdl.before()),
            None => self.cutoff_points,
        }
    }
}

/// The points for a result.
pub(crate) fn points(wdl: Wdl) -> f64 {
    match wdl {
        Wdl::Loss => 0.0,
        Wdl::Draw => 0.5,
        Wdl::Win => 1.0,
    }
}
