//! Agents of ten strengths, from careless to perfect.

use std::fmt;

use hindsight_core::{Game, Packed, PackedGame, Random, Value};

use crate::agent::{Agent, AgentError, ChosenMove, legal_moves};
use crate::alphabeta::{AlphaBeta, AlphaBetaAgent, points_of_value};
use crate::mcts::{Mcts, search_tree::SearchTree};
use crate::perfect::{BatchProbe, value_of_answer, values_after_moves};
use crate::resources::AgentResources;
use crate::seeded_random::SeededRandom;

/// Strength of an agent, from 1 (careless) to 10 (no mistake that the agent can see).
///
/// ```
/// use hindsight_play::Level;
///
/// assert!(Level::new(7).is_some_and(|level| level < Level::HIGHEST));
/// assert_eq!(Level::new(11), None);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Level(u8);

impl Level {
    /// The highest level, 10.
    pub const HIGHEST: Self = Self(10);

    /// Returns the level of a number; `None` unless it is from 1 to 10.
    #[must_use]
    pub fn new(number: u8) -> Option<Self> {
        (1..=Self::HIGHEST.0).contains(&number).then_some(Self(number))
    }

    fn care(self) -> Care {
        CARE[usize::from(self.0) - 1]
    }
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Care of a level. A move is chosen with a chance of `exp(score / temperature)`.
#[derive(Clone, Copy)]
struct Care {
    /// Plies after which a known win or loss counts half, where values are known.
    horizon: f64,
    /// Temperature of scores of known values.
    temperature_of_values: f64,
    /// Positions that a search looks at.
    nodes: u64,
    /// Temperature of scores of a search.
    temperature: f64,
    /// Playouts, where the game has no evaluation of positions.
    playouts: u64,
    /// Temperature of the logarithm of visits.
    temperature_of_visits: f64,
}

/// Care of the levels 1 to 10, chosen so that each level beats the one below by 100 Elo or more in
/// long games.
#[rustfmt::skip]
const CARE: [Care; 10] = [
    //    horizon, temperatures         nodes      playouts
    care(1.2, [2200.0, 430.0, 2.00],         0,       16),
    care(2.9, [620.0, 80.0, 1.50],         250,       40),
    care(4.7, [340.0, 56.0, 1.12],         700,      100),
    care(6.5, [224.0, 40.0, 0.84],       2_000,      250),
    care(8.2, [166.0, 28.0, 0.63],       5_600,      600),
    care(10.4, [123.0, 20.0, 0.47],     16_000,    1_500),
    care(13.1, [91.0, 14.0, 0.36],      45_000,    4_000),
    care(15.8, [72.0, 10.0, 0.27],     125_000,   10_000),
    care(19.1, [57.0, 7.0, 0.20],      350_000,   25_000),
    care(19.1, [0.0, 0.0, 0.0],      1_000_000,   60_000),
];

/// Returns the care of a level; temperatures are those of values, of a search and of visits.
const fn care(horizon: f64, temperatures: [f64; 3], nodes: u64, playouts: u64) -> Care {
    let [temperature_of_values, temperature, temperature_of_visits] = temperatures;
    Care { horizon, temperature_of_values, nodes, temperature, playouts, temperature_of_visits }
}

/// Score of a win or loss at once, where values are known.
const KNOWN_RESULT: f64 = 1000.0;

/// Temperatures by which a move may be worse than the best and still be chosen.
const MOST_WORSE: f64 = 5.0;

/// An agent of a level. It plays by known values, or else by a search.
pub(crate) struct LevelAgent<'a> {
    level: Level,
    probe: Option<BatchProbe<'a>>,
    resources: AgentResources<'a>,
    /// Alpha-beta search, made for the first move that needs it.
    search: Option<AlphaBetaAgent<'a>>,
}

/// Scores of the legal moves in their order, and the work that they took.
struct MoveScores {
    scores: Vec<f64>,
    temperature: f64,
    work: u64,
}

impl<'a> LevelAgent<'a> {
    pub(crate) fn new(
        level: Level,
        probe: Option<BatchProbe<'a>>,
        resources: AgentResources<'a>,
    ) -> Self {
        Self { level, probe, resources, search: None }
    }
}

impl Agent for LevelAgent<'_> {
    fn choose(
        &mut self,
        game: &PackedGame,
        position: Packed,
        random: &mut SeededRandom,
    ) -> Result<ChosenMove, AgentError> {
        let moves = legal_moves(game, position);
        if let [only] = *moves {
            return Ok(ChosenMove::new(only, 0));
        }
        let care = self.level.care();
        let next: Vec<Packed> = moves.iter().map(|&mv| game.play(position, mv)).collect();
        let scored = match self.probe {
            Some(probe) => scores_of_values(game, probe, &next, care)?,
            None if has_evaluation(game, position) => self.scores_of_search(game, position, care),
            None => self.scores_of_playouts(game, position, care, random)?,
        };
        let drawn = draw_by_score(&scored.scores, scored.temperature, random);
        Ok(ChosenMove::new(moves[drawn], scored.work))
    }
}

fn has_evaluation(game: &PackedGame, position: Packed) -> bool {
    let evaluation = game.heuristics().and_then(|game| game.evaluate(position));
    evaluation.is_some()
}

/// Scores moves by the known values of the positions after them.
fn scores_of_values(
    game: &PackedGame,
    probe: BatchProbe<'_>,
    next: &[Packed],
    care: Care,
) -> Result<MoveScores, AgentError> {
    let values = values_after_moves(game, probe, next, value_of_answer)?;
    let scores = values.iter().map(|&value| care.score(value));
    Ok(MoveScores { scores: scores.collect(), temperature: care.temperature_of_values, work: 0 })
}

impl LevelAgent<'_> {
    /// Scores moves by alpha-beta search, in points of the evaluation.
    fn scores_of_search(&mut self, game: &PackedGame, position: Packed, care: Care) -> MoveScores {
        let limits = AlphaBeta { nodes: Some(care.nodes), ..AlphaBeta::UNLIMITED };
        let resources = self.resources;
        let search = self.search.get_or_insert_with(|| AlphaBetaAgent::new(limits, resources));
        let margin = (MOST_WORSE * care.temperature) as i32;
        let deadline = resources.deadline(None);
        let ([values, _], work) = search.values_of_moves(game, position, Some(margin), deadline);
        let scores = values.iter().map(|&value| points_of_value(value));
        MoveScores { scores: scores.collect(), temperature: care.temperature, work }
    }

    /// Scores moves by Monte Carlo tree search: the logarithm of their visits.
    fn scores_of_playouts(
        &self,
        game: &PackedGame,
        position: Packed,
        care: Care,
        random: &mut SeededRandom,
    ) -> Result<MoveScores, AgentError> {
        let agent = Mcts { prove_values: true, ..Mcts::default() };
        let mut tree = SearchTree::new(game, &agent, position, self.resources)?;
        let (mut deadline, mut work) = (self.resources.deadline(None), 0);
        while work < care.playouts && !tree.is_proven() {
            work += tree.cycle(random, &mut deadline);
            if deadline.tick() {
                break;
            }
        }
        if tree.is_full() {
            self.resources.report_exhausted();
        }
        let scores = tree.preferences_of_moves();
        Ok(MoveScores { scores: scores.collect(), temperature: care.temperature_of_visits, work })
    }
}

impl Care {
    /// Returns the score of a known value: the nearer an end, the more it counts.
    fn score(self, value: Value) -> f64 {
        let decided = |plies: u16| {
            let halvings = f64::from(plies) / self.horizon;
            KNOWN_RESULT * (-halvings).exp2()
        };
        match value {
            Value::Win(plies) => decided(plies),
            Value::Draw => 0.0,
            Value::Loss(plies) => -decided(plies),
        }
    }
}

/// Draws an index, each with a chance proportional to `exp(score / temperature)`.
///
/// A score that is worse than the best by [`MOST_WORSE`] temperatures is never drawn. At
/// temperature 0 the greatest score is drawn, any of equals.
fn draw_by_score(scores: &[f64], temperature: f64, random: &mut SeededRandom) -> usize {
    let greatest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weight = |score: f64| match greatest - score {
        0.0 => 1.0,
        worse if worse < MOST_WORSE * temperature => (-worse / temperature).exp(),
        _ => 0.0,
    };
    let weights: Vec<f64> = scores.iter().map(|&score| weight(score)).collect();
    let total: f64 = weights.iter().sum();
    let mut left = total * (random.bits() >> 11) as f64 / (1u64 << 53) as f64;
    let drawn = weights.iter().position(|weight| {
        left -= weight;
        left < 0.0
    });
    drawn.unwrap_or_else(|| weights.iter().rposition(|&w| w > 0.0).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::{CARE, MOST_WORSE, draw_by_score};
    use crate::seeded_random::SeededRandom;
    use hindsight_core::Value;

    fn shares(scores: &[f64], temperature: f64) -> Vec<f64> {
        let mut random = SeededRandom::new(&[1]);
        let mut shares = vec![0.0; scores.len()];
        for _ in 0..20_000 {
            shares[draw_by_score(scores, temperature, &mut random)] += 1.0 / 20_000.0;
        }
        shares
    }

    #[test]
    fn chances_follow_the_scores() {
        let drawn = shares(&[0.0, 10.0, 10.0 - 10.0 * MOST_WORSE], 10.0);
        let e = std::f64::consts::E;
        assert!((drawn[0] - 1.0 / (1.0 + e)).abs() < 0.01, "{drawn:?}");
        assert_eq!(drawn[2], 0.0, "too much worse");
        let best = shares(&[3.0, 7.0, 7.0, -1.0], 0.0);
        assert_eq!((best[0], best[3]), (0.0, 0.0));
        assert!((best[1] - 0.5).abs() < 0.02, "{best:?}");
    }

    #[test]
    fn scores_are_in_the_order_of_values() {
        for care in CARE {
            let mut values: Vec<Value> = (1..300).map(Value::Win).collect();
            values.extend([Value::Draw]);
            values.extend((1..300).rev().map(Value::Loss));
            let scores: Vec<f64> = values.iter().map(|&value| care.score(value)).collect();
            assert!(scores.is_sorted_by(|a, b| a > b));
        }
    }
}
