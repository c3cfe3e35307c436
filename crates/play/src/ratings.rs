//! Ratings of agents by the games between them.

use crate::match_score::NORMAL_QUANTILE_95;

/// Result of the games of a pair of agents.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PairResult {
    /// The agents, by their numbers.
    pub agents: [usize; 2],
    /// Number of games.
    pub games: u64,
    /// Points of the first agent: 1 for a win, 1/2 for a tie.
    pub points: f64,
}

/// Strength of an agent in Elo.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    /// Elo over the anchor, or over the mean of all agents.
    pub elo: f64,
    /// Bounds of its 95 % confidence interval.
    pub interval: [f64; 2],
}

/// Elo in a unit of the logarithm of odds.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;
/// Precision of the prior that holds agents together who have met neither each other nor a third:
/// a standard deviation of 10,000 Elo.
const HOLD: f64 = (ELO / 10_000.0) * (ELO / 10_000.0);
/// Most steps of Newton's method. A few suffice; a step is at most [`MAX_STEP`].
const MAX_STEPS: usize = 1000;
/// Longest step of a rating, in the logarithm of odds.
const MAX_STEP: f64 = 1.0;

/// Rates agents `0..agents`; `None` is for agents without games. The anchor has rating 0. Without
/// one, or if it has no games, the mean of the rated agents is 0.
///
/// Each agent shares half a virtual tie among its opponents by their games, so that one that won
/// everything has a rating. Bounds are of the information matrix. They take each tie for
/// half a win and half a loss, so with ties they are wider than needed.
///
/// `O(agents^3)` time.
///
/// Source: R. A. Bradley and M. E. Terry, 1952, by maximum likelihood; virtual ties as in
/// R. Coulom's BayesElo.
#[must_use]
pub fn ratings(agents: usize, pairs: &[PairResult], anchor: Option<usize>) -> Vec<Option<Rating>> {
    let mut games = vec![0; agents];
    for pair in pairs {
        pair.agents.iter().for_each(|&agent| games[agent] += pair.games);
    }
    let rated: Vec<usize> = (0..agents).filter(|&agent| games[agent] > 0).collect();
    let with_prior = |pair: &PairResult| {
        let share = |agent: usize| 0.5 * pair.games as f64 / games[agent] as f64;
        let ties = share(pair.agents[0]) + share(pair.agents[1]);
        PlayedPair {
            agents: pair.agents.map(|agent| rated.binary_search(&agent).expect("it has games")),
            games: pair.games as f64 + ties,
            points: pair.points + ties / 2.0,
        }
    };
    let played = pairs.iter().filter(|pair| pair.games > 0);
    let played: Vec<PlayedPair> = played.map(with_prior).collect();
    let mut strengths = vec![0.0; rated.len()];
    let mut covariance = Vec::new();
    for _ in 0..MAX_STEPS {
        let (slope, information) = likelihood(&strengths, &played);
        covariance = inverse(information);
        let step = covariance.iter().map(|row| dot(row, &slope));
        let step: Vec<f64> = step.collect();
        let longest = step.iter().fold(0.0_f64, |longest, step| longest.max(step.abs()));
        let scale = (MAX_STEP / longest).min(1.0);
        strengths.iter_mut().zip(&step).for_each(|(strength, step)| *strength += scale * step);
        if longest < 1e-10 {
            break;
        }
    }
    let anchor = anchor.and_then(|anchor| rated.binary_search(&anchor).ok());
    // Weights of the agents in the rating that is 0.
    let weight = |agent| match anchor {
        Some(anchor) => f64::from(u8::from(anchor == agent)),
        None => 1.0 / rated.len() as f64,
    };
    let weights: Vec<f64> = (0..rated.len()).map(weight).collect();
    let zero = dot(&weights, &strengths);
    let mut ratings = vec![None; agents];
    for (agent, &number) in rated.iter().enumerate() {
        let mut difference: Vec<f64> = weights.iter().map(|weight| -weight).collect();
        difference[agent] += 1.0;
        let products = covariance.iter().map(|row| dot(row, &difference));
        let variance = dot(&difference, &products.collect::<Vec<_>>());
        let elo = ELO * (strengths[agent] - zero);
        let half_width = ELO * NORMAL_QUANTILE_95 * variance.max(0.0).sqrt();
        ratings[number] = Some(Rating { elo, interval: [elo - half_width, elo + half_width] });
    }
    ratings
}

/// Games of two rated agents, virtual ties included.
struct PlayedPair {
    agents: [usize; 2],
    games: f64,
    points: f64,
}

/// Returns the slope of the logarithm of the likelihood, and its negative second derivatives.
fn likelihood(strengths: &[f64], pairs: &[PlayedPair]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut slope: Vec<f64> = strengths.iter().map(|strength| -HOLD * strength).collect();
    let mut information = vec![vec![0.0; strengths.len()]; strengths.len()];
    (0..strengths.len()).for_each(|agent| information[agent][agent] = HOLD);
    for &PlayedPair { agents: [first, second], games, points } in pairs {
        let share = 1.0 / (1.0 + (strengths[second] - strengths[first]).exp());
        let surplus = points - games * share;
        slope[first] += surplus;
        slope[second] -= surplus;
        let weight = games * share * (1.0 - share);
        information[first][first] += weight;
        information[second][second] += weight;
        information[first][second] -= weight;
        information[second][first] -= weight;
    }
    (slope, information)
}

/// Returns the inverse of a symmetric positive definite matrix, by Gauss and Jordan. Such a matrix
/// needs no exchange of rows.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    for pivot in 0..matrix.len() {
        let factor = 1.0 / matrix[pivot][pivot];
        matrix[pivot][pivot] = 1.0;
        matrix[pivot].iter_mut().for_each(|cell| *cell *= factor);
        let pivot_row = matrix[pivot].clone();
        let (above, below) = matrix.split_at_mut(pivot);
        for row in above.iter_mut().chain(&mut below[1..]) {
            let factor = std::mem::take(&mut row[pivot]);
            row.iter_mut().zip(&pivot_row).for_each(|(cell, pivot)| *cell -= factor * pivot);
        }
    }
    matrix
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::{PairResult, ratings};
    use crate::SeededRandom;
    use hindsight_core::Random as _;

    fn pair(agents: [usize; 2], games: u64, points: f64) -> PairResult {
        PairResult { agents, games, points }
    }

    fn near(a: f64, b: f64, most: f64) {
        assert!((a - b).abs() < most, "{a} {b}");
    }

    /// Two agents: 75 of 100 games, and one virtual tie: 400 log10(75.5 / 25.5) = 188.56. The
    /// information is 101 p (1 - p) = 19.062 with p = 75.5 / 101: 1.96 deviations are 77.99 Elo.
    #[test]
    fn two_agents_by_hand() {
        let rated = ratings(2, &[pair([0, 1], 100, 75.0)], Some(1));
        let [first, second] = [rated[0].unwrap(), rated[1].unwrap()];
        near(first.elo, 188.56, 0.01);
        near(first.interval[1] - first.elo, 77.99, 0.01);
        near(second.elo, 0.0, 1e-9);
        near(second.interval[0], 0.0, 1e-6);
        // The mean of both is half as far from each, and so are the bounds.
        let rated = ratings(2, &[pair([0, 1], 100, 75.0)], None);
        let first = rated[0].unwrap();
        near(first.elo, 94.28, 0.01);
        near(first.elo - first.interval[0], 38.99, 0.01);
        near(rated[1].unwrap().elo, -94.28, 0.01);
    }

    /// A ladder whose shares are those of 200 Elo a rung: p = 1 / (1 + 10^(-1/2)) = 0.75975.
    #[test]
    fn ratings_add_up_along_a_ladder() {
        let games = 1_000_000;
        let points = 0.759_747 * games as f64;
        let pairs = [pair([0, 1], games, points), pair([1, 2], games, points)];
        let rated = ratings(3, &pairs, Some(2));
        near(rated[0].unwrap().elo, 400.0, 0.01);
        near(rated[1].unwrap().elo, 200.0, 0.01);
    }

    #[test]
    fn who_won_all_has_a_rating_and_who_played_nothing_has_none() {
        let pairs = [pair([0, 1], 20, 20.0), pair([0, 2], 0, 0.0), pair([1, 3], 20, 10.0)];
        let rated = ratings(4, &pairs, None);
        let best = rated[0].unwrap();
        assert!(best.elo > 200.0 && best.elo < 2000.0, "{best:?}");
        assert!(best.interval[0] > 0.0 && best.interval[1] > best.elo + 100.0, "{best:?}");
        assert_eq!(rated[2], None);
        // An anchor without games leaves the mean, and nothing rates nobody.
        assert_eq!(ratings(4, &pairs, Some(2)), rated);
        assert_eq!(ratings(3, &[], None), [None; 3]);
        // Two pairs that never met are not comparable.
        let apart = ratings(4, &[pair([0, 1], 9, 5.0), pair([2, 3], 9, 4.0)], None);
        assert!(apart.iter().all(|rating| rating.unwrap().interval[1] > 5_000.0), "{apart:?}");
    }

    /// Simulated round robins: about 95 % of the bounds hold the true rating.
    #[test]
    fn true_ratings_lie_within_bounds() {
        let truth = [-500.0, -200.0, -50.0, 0.0, 250.0, 500.0];
        let (mut inside, mut all) = (0, 0);
        for seed in 0..100 {
            let mut random = SeededRandom::new(&[seed]);
            let mut pairs = Vec::new();
            for first in 0..truth.len() {
                for second in 0..first {
                    let share = 1.0 / (1.0 + 10f64.powf((truth[second] - truth[first]) / 400.0));
                    let mut wins = || f64::from(random.below(1 << 20)) < share * f64::from(1 << 20);
                    let points = (0..60).filter(|_| wins()).count();
                    pairs.push(pair([first, second], 60, points as f64));
                }
            }
            let rated = ratings(truth.len(), &pairs, None);
            for (rating, truth) in rated.iter().zip(truth) {
                let [low, high] = rating.unwrap().interval;
                inside += i32::from((low..high).contains(&truth));
                all += 1;
            }
        }
        let share = f64::from(inside) / f64::from(all);
        assert!((0.93..0.98).contains(&share), "{share}");
    }
}
