//! Moves of a played game, judged by analyses of its positions.

use hindsight_core::{Answer, Wdl};
use hindsight_play::GivenAway;

use crate::analysis::{AnalysedMove, Analysis};
use crate::known::Known;

/// Knowledge of a position, or of a move, for one player.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ReviewedValue {
    /// Value, as far as it is proved.
    pub answer: Answer,
    /// Most plies of a proved win or loss whose exact number is not known.
    pub bound: Option<u16>,
    /// Estimate from -1 to 1; `None` if the value is proved or there is no estimate.
    pub estimate: Option<f64>,
}

/// Move of a played game. All values are for the player who made it.
#[derive(Clone, PartialEq, Debug)]
pub struct ReviewedMove<P, M> {
    /// Position before the move.
    pub position: P,
    /// The move.
    pub mv: M,
    /// Value of the position before the move.
    pub before: ReviewedValue,
    /// Value of the position after the move.
    pub after: ReviewedValue,
    /// Judgement: what the move gave away; `None` if that is not known.
    pub given_away: Option<GivenAway>,
    /// Best move, by value where that is proved, else by estimate. It is the move itself if no
    /// other is better.
    pub best: M,
    /// True if the best move is proved to have the value of the position.
    pub best_is_proved: bool,
    /// Estimate of the best move less that of the move, both by the analysis of the position. A
    /// proved value counts as 1, 0 or -1. `None` if both are proved or there is no estimate.
    pub estimate_lost: Option<f64>,
}

/// Judges the moves of a played game by analyses of its positions: of that before each move, and of
/// that after the last.
///
/// Proofs of a position are used for those before and after it, so that the value after a move is
/// the value of the next position. An estimate after a move is that of the next position too.
///
/// # Panics
/// If there is not one analysis more than there are moves, or if a move is not among those of the
/// analysis of its position.
pub fn review_moves<P, M>(mut analyses: Vec<Analysis<P, M>>, moves: &[M]) -> Vec<ReviewedMove<P, M>>
where
    P: Clone,
    M: Clone + PartialEq,
{
    assert_eq!(analyses.len(), moves.len() + 1, "an analysis of each position");
    for ply in (0..moves.len()).rev() {
        let after = analyses[ply + 1].known().before();
        let played = played_index(&analyses[ply], &moves[ply]);
        analyses[ply].note_move(played, after);
    }
    for ply in 0..moves.len() {
        let played = played_index(&analyses[ply], &moves[ply]);
        let after = analyses[ply].moves[played].known();
        analyses[ply + 1].note_position(after.after());
    }
    for analysis in &mut analyses {
        analysis.sort_moves();
    }
    let plies = analyses.windows(2).zip(moves);
    plies.map(|(pair, mv)| reviewed(&pair[0], &pair[1], mv)).collect()
}

/// Index of a played move in the analysis of its position.
fn played_index<P, M: PartialEq>(analysis: &Analysis<P, M>, mv: &M) -> usize {
    let played = analysis.moves.iter().position(|analysed| analysed.mv == *mv);
    played.expect("a played move is one of the analysed moves")
}

fn reviewed<P: Clone, M: Clone + PartialEq>(
    at: &Analysis<P, M>,
    next: &Analysis<P, M>,
    mv: &M,
) -> ReviewedMove<P, M> {
    let played = &at.moves[played_index(at, mv)];
    let has_value = |analysed: &&AnalysedMove<P, M>| {
        at.answer != Answer::Unknown && analysed.answer == at.answer
    };
    let proved = at.moves.iter().find(has_value);
    let best = proved.unwrap_or(&at.moves[0]);
    let given_away = match at.moves.len() {
        1 => Some(GivenAway::Nothing),
        _ => GivenAway::between_answers(at.answer, played.answer),
    };
    let is_as_good = given_away == Some(GivenAway::Nothing);
    ReviewedMove {
        position: at.position.clone(),
        mv: mv.clone(),
        before: ReviewedValue::of(at.known(), at.estimate),
        after: ReviewedValue::of(played.known(), next.estimate.map(|estimate| -estimate)),
        given_away,
        best: if is_as_good { mv } else { &best.mv }.clone(),
        best_is_proved: is_as_good || proved.is_some(),
        estimate_lost: estimate_lost(best, played),
    }
}

/// Returns the estimate of the best move less that of the played one.
fn estimate_lost<P, M>(best: &AnalysedMove<P, M>, played: &AnalysedMove<P, M>) -> Option<f64> {
    let number = |analysed: &AnalysedMove<P, M>| match analysed.answer.wdl() {
        Some(Wdl::Win) => Some(1.0),
        Some(Wdl::Draw) => Some(0.0),
        Some(Wdl::Loss) => Some(-1.0),
        None => analysed.estimate,
    };
    let is_proved = best.known() != Known::NOTHING && played.known() != Known::NOTHING;
    let lost = number(best)? - number(played)?;
    (!is_proved).then_some(lost.max(0.0))
}

impl ReviewedValue {
    fn of(known: Known, estimate: Option<f64>) -> Self {
        Self {
            answer: known.answer,
            bound: known.bound,
            estimate: estimate.filter(|_| known == Known::NOTHING),
        }
    }
}

#[cfg(test)]
mod tests;
