//! The value of a game from its start to its end, as points of a curve.

use anyhow::Result;
use hindsight_core::{Answer, Wdl};
use hindsight_games::{
    AnyGame, AnyMove, GameReview, GivenAway, Position, ReviewedMove, ReviewedValue,
};

/// Plies in which a proved win is drawn halfway between its least and its greatest height.
const HALFWAY_PLIES: f64 = 20.0;
/// Height of a proved win that is far away.
const LEAST_WIN: f64 = 0.5;
/// Height of an estimate of 1: below any proved win.
const MOST_ESTIMATE: f64 = 0.45;

/// Value of a game for player 0 over its plies.
pub(super) struct ValueCurve {
    pub(super) title: String,
    pub(super) subtitle: String,
    pub(super) plies: usize,
    /// Names of players 0 and 1.
    pub(super) players: [&'static str; 2],
    /// Points by ply; a position without value and estimate has none.
    pub(super) points: Vec<CurvePoint>,
}

pub(super) struct CurvePoint {
    pub(super) ply: usize,
    /// From -1, lost, to 1, won.
    pub(super) height: f64,
    pub(super) is_proved: bool,
    /// Text of the move before, if it gave away a result.
    pub(super) error: Option<String>,
}

impl ValueCurve {
    pub(super) fn new(
        game: &AnyGame,
        review: &GameReview,
        [title, subtitle]: [String; 2],
    ) -> Result<Self> {
        let mut points = Vec::new();
        if let Some(first) = review.plies.first() {
            points.extend(point(0, review.first, &first.before));
        }
        for (index, played) in review.plies.iter().enumerate() {
            let mut after = point(index + 1, review.player(index), &played.after);
            if let Some(after) = &mut after {
                after.error = error_text(game, index, played)?;
            }
            points.extend(after);
        }
        Ok(Self {
            title,
            subtitle,
            plies: review.plies.len(),
            players: game.player_names(),
            points,
        })
    }
}

impl ValueCurve {
    /// Says which values are estimates; `None` if there are none.
    pub(super) fn estimates_text(&self) -> Option<String> {
        let mut ranges: Vec<[usize; 2]> = Vec::new();
        for point in self.points.iter().filter(|point| !point.is_proved) {
            match ranges.last_mut() {
                Some([_, last]) if *last + 1 == point.ply => *last = point.ply,
                _ => ranges.push([point.ply; 2]),
            }
        }
        if ranges.is_empty() {
            return None;
        }
        if self.points.iter().all(|point| !point.is_proved) {
            return Some(String::from("Nothing is proved: all values are estimates.\n\n"));
        }
        let ranges = ranges.iter().map(|&[first, last]| {
            if first == last { first.to_string() } else { format!("{first} to {last}") }
        });
        let plies = ranges.collect::<Vec<_>>().join(", ");
        Some(format!("Estimates after plies {plies}; the other values are proved.\n\n"))
    }
}

/// Returns the text of a move that gave away a result.
fn error_text(
    game: &AnyGame,
    index: usize,
    played: &ReviewedMove<Position, AnyMove>,
) -> Result<Option<String>> {
    if !played.given_away.is_some_and(GivenAway::is_result) {
        return Ok(None);
    }
    let mv = game.format_move(&played.position, &played.mv)?;
    Ok(Some(format!("{}. {mv}", index + 1)))
}

/// Returns the point of a value that is for `player`.
fn point(ply: usize, player: usize, value: &ReviewedValue) -> Option<CurvePoint> {
    let height = height(value)?;
    Some(CurvePoint {
        ply,
        height: if player == 0 { height } else { -height },
        is_proved: value.answer != Answer::Unknown,
        error: None,
    })
}

/// Height of a value for its player. A win is the higher the sooner it comes, and a loss the lower.
fn height(value: &ReviewedValue) -> Option<f64> {
    let plies = value.answer.exact().and_then(|value| value.remoteness());
    let nearness = plies
        .or(value.bound)
        .map_or(0.0, |plies| HALFWAY_PLIES / (HALFWAY_PLIES + f64::from(plies)));
    let win = LEAST_WIN + (1.0 - LEAST_WIN) * nearness;
    match value.answer.wdl() {
        Some(Wdl::Win) => Some(win),
        Some(Wdl::Draw) => Some(0.0),
        Some(Wdl::Loss) => Some(-win),
        None => value.estimate.map(|estimate| MOST_ESTIMATE * estimate),
    }
}

#[cfg(test)]
mod tests {
    use hindsight_core::{Answer, Value, Wdl};
    use hindsight_games::ReviewedValue;

    use super::{CurvePoint, ValueCurve, height};

    #[test]
    fn an_estimate_is_never_as_high_as_a_proved_win() {
        let of = |answer, bound, estimate| {
            height(&ReviewedValue { answer, bound, estimate }).expect("a height")
        };
        let estimates = [1.0, -1.0].map(|sure| of(Answer::Unknown, None, Some(sure)));
        for answer in [Answer::Exact(Value::Win(u16::MAX - 1)), Answer::Wdl(Wdl::Win)] {
            assert!(of(answer, None, None) > estimates[0], "{answer}");
            assert!(of(answer.before(), None, None) < estimates[1], "{answer}");
        }
    }

    #[test]
    fn the_plies_of_estimates_are_named() {
        let text = |proved: &[bool]| {
            let points = proved.iter().enumerate().map(|(ply, &is_proved)| CurvePoint {
                ply,
                height: 0.0,
                is_proved,
                error: None,
            });
            let curve = ValueCurve {
                title: String::new(),
                subtitle: String::new(),
                plies: proved.len(),
                players: ["X", "O"],
                points: points.collect(),
            };
            curve.estimates_text()
        };
        assert_eq!(text(&[true; 4]), None);
        let all = text(&[false; 4]).expect("a sentence");
        assert!(all.starts_with("Nothing is proved"), "{all}");
        let some = text(&[false, true, false, false, true, true]).expect("a sentence");
        assert!(some.contains("after plies 0, 2 to 3;"), "{some}");
    }
}
