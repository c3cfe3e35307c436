//! The fallible opponent that a lure imagines.

use hindsight_core::Value;

/// Plies that the imagined opponents look ahead. Each of them is as likely as any other.
///
/// The opponent of sight 0 draws any move. The others see a win or a loss within their sight, and
/// draw among the moves that look alike to them, rather one that the game's estimate prefers.
const SIGHTS: [u16; 11] = [0, 2, 4, 6, 8, 10, 12, 16, 20, 24, 32];

/// Chances, or expected gains, against each of the [`SIGHTS`].
pub(super) type BySight = [f64; SIGHTS.len()];

/// Chance of a move that is seen to lose, as a share of the chance that the move has unseen.
const OVERSIGHT: f64 = 0.02;

/// Points of an estimate by which a move is better that is drawn 2.7 times as often.
const TEMPERATURE: f64 = 50.0;

/// A move of the opponent, for the side that makes it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Prospect {
    /// Value with plies, `None` if the plies are not known.
    pub(super) value: Option<Value>,
    /// Points of the game's estimate; 0 without an estimate.
    pub(super) points: i32,
}

/// Returns the chance that each move is made, by sight. The chances of a sight add up to one.
pub(super) fn chances_of_moves(moves: &[Prospect]) -> Vec<BySight> {
    let most_points = moves.iter().map(|mv| mv.points).max().unwrap_or(0);
    let weights = moves.iter().map(|mv| {
        let behind = f64::from(most_points - mv.points);
        let attraction = (-behind / TEMPERATURE).exp();
        SIGHTS.map(|sight| match sight {
            0 => 1.0,
            _ => attraction * mv.weight_in_sight(sight),
        })
    });
    let mut chances: Vec<BySight> = weights.collect();
    let mut totals = [0.0; SIGHTS.len()];
    for weights in &chances {
        add(&mut totals, weights, 1.0);
    }
    for chances in &mut chances {
        for (chance, total) in chances.iter_mut().zip(totals) {
            *chance /= total;
        }
    }
    chances
}

impl Prospect {
    /// Weight of the move for an opponent of this sight: 1 if no end is seen.
    fn weight_in_sight(self, sight: u16) -> f64 {
        match self.value {
            Some(Value::Loss(plies)) if plies <= sight => OVERSIGHT,
            Some(Value::Win(plies)) if plies <= sight => 1.0 / OVERSIGHT,
            _ => 1.0,
        }
    }
}

/// Adds `factor` times the numbers of `terms` to those of `sums`.
pub(super) fn add(sums: &mut BySight, terms: &BySight, factor: f64) {
    for (sum, term) in sums.iter_mut().zip(terms) {
        *sum += factor * term;
    }
}

pub(super) fn mean(numbers: &BySight) -> f64 {
    numbers.iter().sum::<f64>() / numbers.len() as f64
}

#[cfg(test)]
mod tests {
    use super::{OVERSIGHT, Prospect, SIGHTS, chances_of_moves};
    use hindsight_core::Value;

    fn prospect(value: Value, points: i32) -> Prospect {
        Prospect { value: Some(value), points }
    }

    #[test]
    fn chances_add_up_to_one() {
        let moves = [
            prospect(Value::Draw, 0),
            prospect(Value::Loss(2), 9_999),
            prospect(Value::Loss(40), -9_999),
            prospect(Value::Win(5), 120),
            Prospect { value: None, points: 30 },
        ];
        for number in 1..=moves.len() {
            let chances = chances_of_moves(&moves[..number]);
            for sight in 0..SIGHTS.len() {
                let sum: f64 = chances.iter().map(|chances| chances[sight]).sum();
                assert!((sum - 1.0).abs() < 1e-12, "{sum}");
                assert!(chances.iter().all(|chances| chances[sight] >= 0.0));
            }
        }
        assert!(chances_of_moves(&[]).is_empty());
    }

    #[test]
    fn a_loss_is_avoided_as_far_as_it_is_seen() {
        let moves = [prospect(Value::Draw, 7), prospect(Value::Loss(8), 7)];
        let chances = chances_of_moves(&moves);
        for (index, sight) in SIGHTS.into_iter().enumerate() {
            let share = chances[1][index] / chances[0][index];
            let expected = if sight >= 8 { OVERSIGHT } else { 1.0 };
            assert!((share - expected).abs() < 1e-12, "{sight}: {share}");
        }
    }

    #[test]
    fn estimates_attract_all_but_the_blind() {
        let moves = [prospect(Value::Draw, 0), prospect(Value::Loss(90), 100)];
        let chances = chances_of_moves(&moves);
        assert_eq!(chances[0][0], 0.5);
        assert!(chances[1][1..].iter().all(|&chance| chance > 0.85));
    }
}
