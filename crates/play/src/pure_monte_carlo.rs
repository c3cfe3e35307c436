use std::time::Duration;

use hindsight_core::{Game, Wdl};

use crate::agent::{Agent, AgentError, ChosenMove, legal_moves, playout_result};
use crate::resources::{AgentResources, Deadline};
use crate::seeded_random::SeededRandom;

/// Effort allowed for a move. A forced move is played without any.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveBudget {
    /// Total number of playouts.
    Playouts(u64),
    /// Wall-clock time from the request for a move.
    ///
    /// A playout in progress is finished. At least one playout is made; pure Monte Carlo makes at
    /// least one for each move.
    Time(Duration),
}

/// Length and scoring of playouts.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlayoutSettings {
    /// Plies after which a playout is cut off.
    pub max_plies: u32,
    /// Points of both sides for a playout that was cut off; a win gives 1, a draw 0.5, a loss 0.
    pub cutoff_points: f64,
}

impl Default for PlayoutSettings {
    /// The cut-off points of the thesis (section 4.2), and its limit of 100 plies for a game.
    fn default() -> Self {
        Self {
            max_plies: 100,
            cutoff_points: -0.05,
        }
    }
}

/// Pure Monte Carlo: equally many playouts for each move; the move with the most points is played.
///
/// Of equal moves the first is played. With a time limit the moves take turns, and a round that was
/// cut off does not count.
///
/// Source: R. Arntzenius, "Agents for the Strategy Game Onitama", 2021, section 4.2.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PureMonteCarlo {
    /// Budget of all moves together. Of `n` playouts each of `m` moves gets `max(n / m, 1)`.
    pub budget: MoveBudget,
    /// Length and scoring of playouts.
    pub playout: PlayoutSettings,
}

impl Default for PureMonteCarlo {
    /// 1000 playouts a move.
    fn default() -> Self {
        Self {
            budget: MoveBudget::Playouts(1000),
            playout: PlayoutSettings::default(),
        }
    }
}

/// Pure Monte Carlo with a limit of time.
pub(crate) struct LimitedMonteCarlo<'a> {
    pub(crate) agent: PureMonteCarlo,
    pub(crate) resources: AgentResources<'a>,
}

impl<G: Game> Agent<G> for PureMonteCarlo {
    fn choose(
        &mut self,
        game: &G,
        position: G::Position,
        random: &mut SeededRandom,
    ) -> Result<ChosenMove<G::Move>, AgentError> {
        let mut limited = LimitedMonteCarlo {
            agent: *self,
            resources: AgentResources::default(),
        };
        limited.choose(game, position, random)
    }
}

impl<G: Game> Agent<G> for LimitedMonteCarlo<'_> {
    fn choose(
        &mut self,
        game: &G,
        position: G::Position,
        random: &mut SeededRandom,
    ) -> Result<ChosenMove<G::Move>, AgentError> {
        let agent = self.agent;
        let time = match agent.budget {
            MoveBudget::Playouts(_) => None,
            MoveBudget::Time(time) => Some(time),
        };
        let mut deadline = self.resources.deadline(time);
        let moves = legal_moves(game, position);
        if let [only] = *moves {
            return Ok(ChosenMove::new(only, 0));
        }
        let next: Vec<G::Position> = moves.iter().map(|&mv| game.play(position, mv)).collect();
        let (points, work) = match agent.budget {
            MoveBudget::Playouts(total) => {
                agent.mean_points(game, &next, total, &mut deadline, random)
            }
            MoveBudget::Time(_) => agent.points_of_rounds(game, &next, &mut deadline, random),
        };
        let better = |best: usize, i: usize| if points[i] > points[best] { i } else { best };
        let best = (0..points.len()).fold(0, better);
        Ok(ChosenMove::new(moves[best], work))
    }
}

impl PureMonteCarlo {
    /// Returns the mean points of equally many playouts from each position, and their number.
    ///
    /// Points are those of the side that moved to the position. The deadline leaves out the last
    /// positions, and that which it cuts off unless it is the first.
    fn mean_points<G: Game>(
        &self,
        game: &G,
        positions: &[G::Position],
        total: u64,
        deadline: &mut Deadline<'_>,
        random: &mut SeededRandom,
    ) -> (Vec<f64>, u64) {
        let each = (total / positions.len() as u64).max(1);
        let (mut means, mut playouts) = (Vec::with_capacity(positions.len()), 0);
        for &position in positions {
            let (mut points, mut made) = (0.0, 0);
            while made < each && (playouts == 0 || !deadline.tick()) {
                points += self.playout.play(game, position, random);
                made += 1;
                playouts += 1;
            }
            if made < each && !means.is_empty() {
                break;
            }
            means.push(points / made as f64);
        }
        (means, playouts)
    }

    /// Returns the points summed over whole rounds, and the playouts made. A round is one playout
    /// from each position.
    ///
    /// Points are those of the side that moved to the position. The number of playouts includes the
    /// last round, which the deadline cut off.
    fn points_of_rounds<G: Game>(
        &self,
        game: &G,
        positions: &[G::Position],
        deadline: &mut Deadline<'_>,
        random: &mut SeededRandom,
    ) -> (Vec<f64>, u64) {
        let mut sums = vec![0.0; positions.len()];
        let mut round = vec![0.0; positions.len()];
        let (mut playouts, mut rounds) = (0, 0);
        loop {
            for (points, &position) in round.iter_mut().zip(positions) {
                if deadline.tick() && rounds > 0 {
                    return (sums, playouts);
                }
                *points = self.playout.play(game, position, random);
                playouts += 1;
            }
            for (sum, points) in sums.iter_mut().zip(&round) {
                *sum += points;
            }
            rounds += 1;
        }
    }
}

impl PlayoutSettings {
    /// Plays a playout; returns the points of the side that moved to `position`.
    fn play<G: Game>(&self, game: &G, position: G::Position, random: &mut SeededRandom) -> f64 {
        match playout_result(game, position, self.max_plies, random).0 {
            Some(wdl) => points_for_result(wdl.before()),
            None => self.cutoff_points,
        }
    }
}

/// Returns the points for a result: loss 0, draw 0.5, win 1.
pub(crate) fn points_for_result(wdl: Wdl) -> f64 {
    match wdl {
        Wdl::Loss => 0.0,
        Wdl::Draw => 0.5,
        Wdl::Win => 1.0,
    }
}
