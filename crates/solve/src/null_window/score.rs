//! Values as small numbers that need no change from ply to ply.

use hindsight_core::Value;

/// Value of a position for its side to move; `-score` is that for the other side. A successor has
/// the opposite score, whatever the ply.
///
/// If `left` plies are left where the game is lost, the score of the winner is `left / 2 + 1`,
/// rounded down: the greater, the sooner the win. A draw is 0. Two neighbouring plies share a
/// score, since each of them can end with a win of one side only.
pub(super) type Score = i32;

/// Score of a win in some plies, with `left` plies left now.
#[inline]
pub(super) fn win_score(left: u32, plies: u32) -> Score {
    ((left + 2 - plies) / 2) as Score
}

/// Score of a loss in some plies, with `left` plies left now.
#[inline]
pub(super) fn loss_score(left: u32, plies: u32) -> Score {
    -win_score(left, plies)
}

/// Value of a score, with `left` plies left now.
pub(super) fn value(score: Score, left: u32) -> Value {
    if score == 0 {
        return Value::Draw;
    }
    // A win takes an odd number of plies, a loss an even one.
    let most = left + 2 - 2 * score.unsigned_abs();
    let parity = u32::from(score > 0);
    let plies = most - u32::from(most % 2 != parity);
    let plies = u16::try_from(plies).expect("a remoteness of few plies");
    if score > 0 { Value::Win(plies) } else { Value::Loss(plies) }
}

#[cfg(test)]
mod tests {
    use super::{loss_score, value, win_score};
    use hindsight_core::Value;

    #[test]
    fn scores_are_those_of_values() {
        for left in 0..=64_u16 {
            for plies in (1..=left).step_by(2) {
                let score = win_score(left.into(), plies.into());
                assert!(score > 0);
                assert_eq!(value(score, left.into()), Value::Win(plies));
            }
            for plies in (0..=left).step_by(2) {
                let score = loss_score(left.into(), plies.into());
                assert!(score < 0);
                assert_eq!(value(score, left.into()), Value::Loss(plies));
            }
            assert_eq!(value(0, left.into()), Value::Draw);
        }
    }

    #[test]
    fn a_successor_has_the_opposite_score() {
        for left in 1..=64_u32 {
            for plies in (0..left).step_by(2) {
                assert_eq!(win_score(left, plies + 1), -loss_score(left - 1, plies));
            }
            for plies in (1..left).step_by(2) {
                assert_eq!(loss_score(left, plies + 1), -win_score(left - 1, plies));
            }
        }
    }
}
