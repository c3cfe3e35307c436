//! Playouts after each of several moves, and their points.

use hindsight_core::{Game, Packed, PackedGame, PlayoutQueue};

use crate::agent::result_for_start;
use crate::pure_monte_carlo::PlayoutSettings;
use crate::resources::Deadline;
use crate::seeded_random::SeededRandom;

/// Order of playouts from several positions.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PlayoutOrder {
    /// So many playouts from each position, one position after the other.
    Each(u64),
    /// Rounds of one playout from each position, until the deadline.
    Rounds,
}

/// Points of the side that moved to a position, summed over its playouts.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub(crate) struct PointsSum {
    pub(crate) points: f64,
    pub(crate) playouts: u64,
}

impl PointsSum {
    pub(crate) fn mean(self) -> f64 {
        self.points / self.playouts as f64
    }
}

/// Playouts from positions that the moves of one position lead to.
pub(crate) struct MovePlayouts<'a, 'd> {
    pub(crate) game: &'a PackedGame,
    pub(crate) settings: PlayoutSettings,
    pub(crate) positions: &'a [Packed],
    pub(crate) order: PlayoutOrder,
    pub(crate) deadline: &'a mut Deadline<'d>,
}

impl MovePlayouts<'_, '_> {
    /// Makes all playouts; returns the sums for each position.
    ///
    /// The deadline lets no more playouts begin. The first of all begins nevertheless, and in
    /// rounds all of the first round.
    pub(crate) fn make(self, random: &mut SeededRandom) -> Vec<PointsSum> {
        let (game, plies) = (self.game, self.settings.max_plies);
        let mut queue = MoveQueue {
            begun: 0,
            sums: vec![PointsSum::default(); self.positions.len()],
            playouts: self,
        };
        game.random_playouts(plies, &mut queue, random);
        queue.sums
    }

    /// Returns the index of the position from which playout `number` begins; `None` after the last.
    fn index_of(&self, number: u64) -> Option<usize> {
        let positions = self.positions.len() as u64;
        let index = match self.order {
            PlayoutOrder::Each(each) => number / each,
            PlayoutOrder::Rounds => number % positions,
        };
        (index < positions).then_some(index as usize)
    }

    /// Number of playouts that begin whatever the deadline is.
    fn least_playouts(&self) -> u64 {
        match self.order {
            PlayoutOrder::Each(_) => 1,
            PlayoutOrder::Rounds => self.positions.len() as u64,
        }
    }
}

/// The playouts as a queue.
struct MoveQueue<'a, 'd> {
    playouts: MovePlayouts<'a, 'd>,
    begun: u64,
    sums: Vec<PointsSum>,
}

impl PlayoutQueue<Packed> for MoveQueue<'_, '_> {
    fn next_start(&mut self) -> Option<Packed> {
        let index = self.playouts.index_of(self.begun)?;
        let is_over = self.playouts.deadline.tick();
        if is_over && self.begun >= self.playouts.least_playouts() {
            return None;
        }
        self.begun += 1;
        Some(self.playouts.positions[index])
    }

    fn finish(&mut self, number: u64, last: Packed, plies: u32) {
        let index = self.playouts.index_of(number).expect("a playout that began");
        let result = result_for_start(self.playouts.game, last, plies);
        let sum = &mut self.sums[index];
        sum.points += self.playouts.settings.points_for_mover(result);
        sum.playouts += 1;
    }
}
