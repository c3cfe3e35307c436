//! Best lines of solved games.

use hindsight_games::{Method, Options, Value};

/// A drawn position from which a breadth-first search reaches the positions of each cycle on other
/// paths than the cycle takes. Its drawing moves lead 0 to 1, 1 to 2 and 6, 2 to 3, 3 to 4, 4 to 5,
/// 5 to 2, 6 to 7, and 7 to 4.
#[test]
fn a_draw_leads_into_a_cycle_from_everywhere() {
    let game = hindsight_games::game("onitama:3x4:boar").expect("a game");
    let solved = game.solve(Method::Reachable, &Options::default());
    let solved = solved.expect("a small game");
    let text = "1Rr/3/bb1/B1r boar,boar boar,boar boar blue";
    let position = game.parse(text).expect("a position");
    let line = solved.line(&position).expect("a line");
    let ply = line.repeats.expect("a cycle");
    assert_eq!(line.plies[ply].position, line.end);
    let mut at = position;
    for ply in line.plies {
        assert_eq!(ply.position, at);
        let value = solved.probe(&at).expect("a value").exact();
        assert_eq!(value, Some(Value::Draw));
        at = game.play(&at, &ply.mv).expect("a legal move");
    }
    assert_eq!(at, line.end);
}
