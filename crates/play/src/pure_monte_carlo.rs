use std::time::Duration;

use hindsight_core::{Game, Packed, PackedGame, Wdl};

use crate::agent::{Agent, AgentError, ChosenMove, legal_moves};
use crate::move_playouts::{MovePlayouts, PlayoutOrder, PointsSum};
use crate::resources::AgentResources;
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
        Self { max_plies: 100, cutoff_points: -0.05 }
    }
}

/// Pure Monte Carlo: equally many playouts for each move; the move with the most points is played.
///
/// Of equal moves the first is played. With a time limit the moves take turns, so that some may get
/// one playout more than others; the mean counts.
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
        Self { budget: MoveBudget::Playouts(1000), playout: PlayoutSettings::default() }
    }
}

/// Pure Monte Carlo with a limit of time.
pub(crate) struct LimitedMonteCarlo<'a> {
    pub(crate) agent: PureMonteCarlo,
    pub(crate) resources: AgentResources<'a>,
}

impl Agent for PureMonteCarlo {
    fn choose(
        &mut self,
        game: &PackedGame,
        position: Packed,
        random: &mut SeededRandom,
    ) -> Result<ChosenMove, AgentError> {
        let mut limited = LimitedMonteCarlo { agent: *self, resources: AgentResources::default() };
        limited.choose(game, position, random)
    }
}

impl Agent for LimitedMonteCarlo<'_> {
    fn choose(
        &mut self,
        game: &PackedGame,
        position: Packed,
        random: &mut SeededRandom,
    ) -> Result<ChosenMove, AgentError> {
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
        let next: Vec<Packed> = moves.iter().map(|&mv| game.play(position, mv)).collect();
        let order = match agent.budget {
            MoveBudget::Playouts(total) => PlayoutOrder::Each((total / next.len() as u64).max(1)),
            MoveBudget::Time(_) => PlayoutOrder::Rounds,
        };
        let playouts = MovePlayouts {
            game,
            settings: agent.playout,
            positions: &next,
            order,
            deadline: &mut deadline,
        };
        let sums = playouts.make(random);
        let work = sums.iter().map(|sum| sum.playouts).sum();
        Ok(ChosenMove::new(moves[best_move(order, &sums)], work))
    }
}

/// Returns the index of the move with the greatest mean, the first of equals.
///
/// Moves whose turn the deadline cut off do not count, but the first does.
fn best_move(order: PlayoutOrder, sums: &[PointsSum]) -> usize {
    let least = match order {
        PlayoutOrder::Each(each) => each,
        PlayoutOrder::Rounds => 1,
    };
    let counts = |i: usize| sums[i].playouts >= least;
    let better = |best: usize, i: usize| {
        if counts(i) && sums[i].mean() > sums[best].mean() { i } else { best }
    };
    (1..sums.len()).fold(0, better)
}

impl PlayoutSettings {
    /// Returns the points of the side that moved to the start of a playout; `result` is that of the
    /// other, or `None` if the playout was cut off.
    pub(crate) fn points_for_mover(&self, result: Option<Wdl>) -> f64 {
        result.map_or(self.cutoff_points, |wdl| points_for_result(wdl.before()))
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
