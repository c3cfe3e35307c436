use std::time::Duration;

use hindsight_core::{Answer, Value, Wdl};

use super::{ReviewedMove, review_moves};
use crate::{AnalysedMove, Analysis, GivenAway};

const UNKNOWN: Answer = Answer::Unknown;

fn win(plies: u16) -> Answer {
    Answer::Exact(Value::Win(plies))
}

fn loss(plies: u16) -> Answer {
    Answer::Exact(Value::Loss(plies))
}

/// Returns an analysis of a position with moves 0, 1, ..; estimates are those of moves without an
/// answer.
fn analysis(answer: Answer, moves: &[Answer], estimates: &[f64]) -> Analysis<u8, usize> {
    let estimate_of = |answer, i: usize| estimates.get(i).copied().filter(|_| answer == UNKNOWN);
    let moves = moves.iter().enumerate().map(|(mv, &answer)| AnalysedMove {
        mv,
        to: 0,
        answer,
        bound: None,
        estimate: estimate_of(answer, mv),
        line: vec![mv],
    });
    let estimates = estimates.iter().copied();
    Analysis {
        position: 0,
        answer,
        bound: None,
        estimate: estimates.reduce(f64::max).filter(|_| answer == UNKNOWN),
        moves: moves.collect(),
        sources: Vec::new(),
        work: 0,
        elapsed: Duration::ZERO,
    }
}

/// Reviews one move, the first of the position, by its analysis and that of the next position.
fn review_one(at: Analysis<u8, usize>, next: Answer) -> ReviewedMove<u8, usize> {
    let reviewed = review_moves(vec![at, analysis(next, &[UNKNOWN; 2], &[0.25, 0.5])], &[0]);
    reviewed.into_iter().next().expect("a move")
}

#[test]
fn exact_values_tell_what_was_given_away() {
    for (moves, given_away, best) in [
        ([win(5), win(7)], GivenAway::Nothing, 0),
        ([win(7), win(7)], GivenAway::Nothing, 0),
        ([win(9), win(7)], GivenAway::Plies(2), 1),
        ([loss(2), loss(8)], GivenAway::Plies(6), 1),
        ([loss(2), Answer::Exact(Value::Draw)], GivenAway::Draw, 1),
        ([loss(2), win(1)], GivenAway::Win, 1),
        ([Answer::Exact(Value::Draw), win(3)], GivenAway::Win, 1),
    ] {
        let value = moves.iter().filter_map(|answer| answer.exact()).max();
        let at = analysis(value.map_or(UNKNOWN, Answer::Exact), &moves, &[]);
        let reviewed = review_one(at, UNKNOWN);
        assert_eq!(reviewed.given_away, Some(given_away), "{moves:?}");
        assert_eq!(reviewed.best, best, "{moves:?}");
        assert_eq!(reviewed.after.answer, moves[0]);
        assert_eq!(reviewed.before.answer.exact(), value);
        assert_eq!(reviewed.after.estimate, None);
        assert_eq!(reviewed.estimate_lost, None);
    }
}

#[test]
fn the_next_position_helps_the_one_before() {
    let reviewed = review_one(analysis(UNKNOWN, &[UNKNOWN, loss(6)], &[0.5]), loss(4));
    assert_eq!(reviewed.after.answer, win(5));
    assert_eq!(reviewed.before.answer, win(5), "the other move loses");
    assert_eq!(reviewed.before.estimate, None);
    assert_eq!(reviewed.given_away, Some(GivenAway::Nothing));
    // Another move may win sooner.
    let reviewed = review_one(analysis(UNKNOWN, &[UNKNOWN, UNKNOWN], &[0.5, 0.6]), loss(4));
    assert_eq!(reviewed.before.answer, Answer::Wdl(Wdl::Win));
    assert_eq!(reviewed.before.bound, Some(5));
    assert_eq!((reviewed.given_away, reviewed.best), (None, 0));
    // The position was known to be won, and the move loses.
    let known = analysis(Answer::Wdl(Wdl::Win), &[UNKNOWN, UNKNOWN], &[0.5, 0.6]);
    let reviewed = review_one(known, win(4));
    assert_eq!(reviewed.given_away, Some(GivenAway::Win));
    assert_eq!(reviewed.best, 1);
}

#[test]
fn the_position_before_helps_the_next() {
    let analyses = vec![
        analysis(Answer::Wdl(Wdl::Loss), &[UNKNOWN; 2], &[-0.5, -0.6]),
        analysis(UNKNOWN, &[UNKNOWN; 2], &[0.25, 0.5]),
        analysis(UNKNOWN, &[UNKNOWN; 2], &[0.25, 0.5]),
    ];
    let reviewed = review_moves(analyses, &[0, 0]);
    assert_eq!(reviewed[0].after.answer, Answer::Wdl(Wdl::Loss));
    assert_eq!(reviewed[1].before.answer, Answer::Wdl(Wdl::Win));
    assert_eq!(reviewed[1].before.estimate, None);
    assert_eq!(reviewed[1].after.answer, UNKNOWN);
    assert_eq!(reviewed[1].given_away, None);
}

#[test]
fn estimates_are_those_of_the_next_position() {
    let reviewed = review_one(analysis(UNKNOWN, &[UNKNOWN; 3], &[0.1, 0.4, 0.3]), UNKNOWN);
    assert_eq!((reviewed.before.estimate, reviewed.after.estimate), (Some(0.4), Some(-0.5)));
    assert_eq!((reviewed.given_away, reviewed.best), (None, 1));
    let lost = reviewed.estimate_lost.expect("estimates of both");
    assert!((lost - 0.3).abs() < 1e-9, "{lost}");
}

#[test]
fn an_only_move_gives_nothing_away() {
    let reviewed = review_one(analysis(UNKNOWN, &[UNKNOWN], &[0.1]), UNKNOWN);
    assert_eq!(reviewed.given_away, Some(GivenAway::Nothing));
    assert_eq!(reviewed.after.answer, UNKNOWN);
}
