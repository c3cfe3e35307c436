//! Short wins against the state graph: the fewest plies, and a line that takes them.

use std::sync::atomic::AtomicBool;

use hindsight_core::{Game, Notation, Packed, PackedGame, Symmetry, Value};
use hindsight_engine::{Limits, NoMonitor};
use hindsight_solve::graph;
use hindsight_solve::proof::ProofProblem;
use hindsight_solve::shortest_win::ShortestWin;

use crate::game_with;

/// Looks for wins in at most `most` plies of every `step`-th position. Returns the number found.
fn compare_wins(game: &PackedGame, step: usize, most: u16) -> usize {
    let solved = graph::solve(game, Limits::default(), &mut NoMonitor).expect("no limits");
    let value_of = |position| Some(solved.value(solved.number(game, position)?));
    let stop = AtomicBool::new(false);
    let mut found = 0;
    for (number, start) in solved.positions().enumerate().step_by(step) {
        let value = solved.value(number);
        for attacks in [true, false] {
            let expected = match value {
                Value::Win(plies) if attacks => Some(plies),
                Value::Loss(plies) if !attacks => Some(plies),
                _ => None,
            };
            let expected = expected.filter(|&plies| plies > 0 && plies <= most);
            let here = format!("{}: {}", game.spec(), game.format(start));
            // Values known beforehand change the work, not the result.
            for knows in [false, true] {
                let problem = ProofProblem {
                    game,
                    start,
                    oracle: &|position| Some(value_of(position).filter(|_| knows)?.into()),
                };
                let mut search = ShortestWin::new(problem, attacks, 1 << 20, &stop);
                let plies = search.deepen(most, None).filter(|&plies| plies > 1);
                if game.terminal(start).is_some() {
                    continue;
                }
                assert_eq!(plies, expected.filter(|&plies| plies > 1), "{here}");
                let line = search.line(None);
                if let Some(plies) = plies {
                    assert_eq!(line.len(), usize::from(plies), "{here}");
                    check_line(game, start, &line);
                    found += 1;
                }
            }
        }
    }
    found
}

/// Checks that a line follows the rules to the end of the game.
fn check_line(game: &PackedGame, start: Packed, line: &[Packed]) {
    let mut at = start;
    for &next in line {
        let mut successors = Vec::new();
        game.successors(at, &mut successors);
        assert!(successors.contains(&next));
        at = next;
    }
    assert!(game.terminal(at).is_some());
}

#[test]
fn short_wins_are_those_of_the_graph() {
    for (spec, symmetry, step, plies) in [
        ("tic-tac-toe", Symmetry::None, 7, 6),
        ("dodgem:3x3", Symmetry::None, 11, 7),
        ("onitama:3x3:boar", Symmetry::All, 301, 7),
        ("onitama:3x4:boar", Symmetry::None, 6007, 8),
        ("quoridor:3x3:1", Symmetry::None, 37, 7),
        ("ostle:3x3:2:1", Symmetry::All, 7, 7),
    ] {
        let found = compare_wins(&game_with(symmetry, spec), step, plies);
        assert!(found > 20, "{spec}: {found}");
    }
}
