//! Solvers against the slow obvious one, against a second program, and against each other. One
//! module, because the comparisons share their specs and their variants.

mod finished;
mod limits;
mod second_program;

use std::collections::HashMap;

use hindsight_core::{Answer, Game, Notation, PackedGame, Probe, Symmetry, Value, Wdl};
use hindsight_engine::{Limits, NoMonitor};
use hindsight_rules::{Setup, in_published_order};
use hindsight_solve::forward::{self, ForwardVariant, MoveOrder};
use hindsight_solve::{best_line, graph};
use hindsight_testkit::reference;

use crate::{game, game_with};

/// Small boards and deals: five different cards, duplicates, passes, draws, both parities.
const SPECS: [&str; 25] = [
    "tic-tac-toe",
    "dodgem:2x2",
    "dodgem:3x3",
    "quixo:3x3",
    "four:3x3:3",
    "ostle:3x3:1:0",
    "ostle:3x3:1:0:rule8=paper",
    "quoridor:2x2:1:edge=open",
    "quoridor:2x3:2,1",
    "quoridor:2x4:1:edge=open",
    "quoridor:2x5:1:start=point",
    "quoridor:3x2:1:edge=open",
    "onitama:1x4:boar",
    "onitama:2x2:boar",
    "onitama:2x3:boar",
    "onitama:2x5:boar",
    "onitama:3x3:tiger",
    "onitama:3x2:tiger,crab,monkey,crane,dragon",
    "onitama:2x3:ox,horse,boar,crab,elephant",
    "onitama:2x4:mantis,mantis,tiger,tiger,ox",
    "onitama:2x4:rooster,goose,rooster,goose,monkey",
    "onitama:1x6:eel,cobra,rabbit,frog,goose",
    "onitama:3x3:(0,1)(1,1)@blue,(0,1)(1,1),(),(),boar:students=1",
    "onitama:2x3:(0,0)(0,1)(1,-1):stay=yes",
    "onitama:3x2:fox,dog,bear:hand=1",
];

const SYMMETRIES: [Symmetry; 3] = [Symmetry::None, Symmetry::Swap, Symmetry::All];
const VARIANTS: [ForwardVariant; 6] = [
    ForwardVariant::ThesisProgram,
    ForwardVariant::ThesisAlgorithm,
    ForwardVariant::Best(MoveOrder::AsListed),
    ForwardVariant::Best(MoveOrder::Reversed),
    ForwardVariant::Best(MoveOrder::FewestReplies),
    ForwardVariant::Best(MoveOrder::MostReplies),
];

fn solved(game: &PackedGame) -> graph::GraphSolution {
    graph::solve(game, Limits::default(), &mut NoMonitor).unwrap()
}

/// Compares the graph solver with the reference, position by position.
fn check_graph(game: &PackedGame) {
    let expected = reference(game, 100_000).expect("a small board");
    let solved = solved(game);
    assert_eq!(solved.len(), expected.len(), "{}", game.spec());
    let positions: Vec<_> = solved.positions().collect();
    for (number, position) in positions.iter().enumerate() {
        let here = || format!("{}: {}", game.spec(), game.format(*position));
        assert_eq!(solved.value(number), expected[position], "{}", here());
    }
    let probed = solved.reader(game).probe_many(&positions).unwrap();
    let mut pairs = probed.iter().zip(&positions);
    assert!(pairs.all(|(answer, position)| *answer == Answer::Exact(expected[position])));
    let histogram: HashMap<Value, u64> = solved.histogram().rows().into_iter().collect();
    assert_eq!(histogram, hindsight_testkit::histogram(&expected).into_iter().collect());
    let summary = solved.summary();
    assert_eq!(summary.positions, summary.wins + summary.losses + summary.draws);
}

#[test]
fn graph_solver_agrees_with_the_reference() {
    for spec in SPECS {
        for symmetry in SYMMETRIES {
            check_graph(&game_with(symmetry, spec));
        }
    }
}

/// The L-game has 89 moves a position: too many for the other comparisons.
#[test]
fn graph_solver_agrees_on_the_l_game() {
    for symmetry in SYMMETRIES {
        check_graph(&game_with(symmetry, "l-game"));
    }
}

/// Compares every label of the forward solver with the reference, and plays the strategy out.
/// `check` gets each solution and the value of the start.
fn check_forward(game: &PackedGame, check: impl Fn(&forward::ForwardSolution, Wdl)) {
    let expected = reference(game, 100_000).expect("a small board");
    for variant in VARIANTS {
        let solved = forward::solve(game, variant, Limits::default(), &mut NoMonitor).unwrap();
        let start = expected[&game.canonical(game.start())].wdl();
        assert_eq!(solved.start(), start, "{} {variant:?}", game.spec());
        for (number, &position) in solved.positions().iter().enumerate() {
            if let Some(wdl) = solved.wdl(number) {
                let value = expected[&game.canonical(position)];
                let here = || format!("{} {variant:?}: {}", game.spec(), game.format(position));
                assert_eq!(wdl, value.wdl(), "{}", here());
            }
        }
        let number = solved.number(game, game.start()).expect("the start");
        assert_eq!(solved.wdl(number), Some(start));
        check(&solved, start);
        check_strategy(game, &solved);
    }
}

/// Plays the strategy of a side that does not lose against every reply. It must always be defined,
/// keep its promise, and bring a win to an end.
fn check_strategy(game: &PackedGame, solved: &forward::ForwardSolution) {
    // Sides that do not lose. Each position is reached with the strategist or the opponent to move.
    let strategists: &[bool] = match solved.start() {
        Wdl::Win => &[true],
        Wdl::Loss => &[false],
        Wdl::Draw => &[true, false],
    };
    for &strategist_moves in strategists {
        let mut plays = StrategyPlays { game, solved, depth: HashMap::new() };
        plays.longest(0, strategist_moves, solved.start() != Wdl::Draw);
    }
}

/// All plays against a strategy.
struct StrategyPlays<'a> {
    game: &'a PackedGame,
    solved: &'a forward::ForwardSolution,
    /// Longest play from a position, by its number and by whether the strategist is to move. `None`
    /// marks positions of the current play. A winning strategy must not meet them again.
    depth: HashMap<(usize, bool), Option<u32>>,
}

impl StrategyPlays<'_> {
    /// Longest play from a position; checks every position on the way.
    fn longest(&mut self, number: usize, strategist_moves: bool, wins: bool) -> u32 {
        let Self { game, solved, .. } = *self;
        let position = solved.positions()[number];
        let here = || format!("{}: {}", game.spec(), game.format(position));
        if let Some(known) = self.depth.get(&(number, strategist_moves)) {
            assert!(known.is_some() || !wins, "a win goes round in a circle; {}", here());
            return known.unwrap_or(0);
        }
        self.depth.insert((number, strategist_moves), None);
        let label = solved.wdl(number).unwrap_or_else(|| panic!("no label; {}", here()));
        let for_strategist = if strategist_moves { label } else { label.before() };
        assert!(
            for_strategist >= if wins { Wdl::Win } else { Wdl::Draw },
            "the promise is broken; {}",
            here()
        );
        let next: Vec<usize> = match (game.terminal(position), strategist_moves) {
            (Some(_), _) => Vec::new(),
            (None, true) => {
                vec![solved.best_successor(number).unwrap_or_else(|| panic!("no move; {}", here()))]
            }
            (None, false) => {
                let mut successors = Vec::new();
                game.successors(position, &mut successors);
                let number = |&to| {
                    solved.number(game, to).unwrap_or_else(|| panic!("unknown reply; {}", here()))
                };
                successors.iter().map(number).collect()
            }
        };
        // If the opponent errs, a draw may become a win. From there on a win is promised.
        let wins = wins || for_strategist == Wdl::Win;
        let plays = next.into_iter().map(|to| 1 + self.longest(to, !strategist_moves, wins));
        let plies = plays.max().unwrap_or(0);
        self.depth.insert((number, strategist_moves), Some(plies));
        plies
    }
}

#[test]
fn forward_solver_agrees_with_the_reference_and_its_strategy_holds() {
    let body = || {
        for spec in SPECS {
            for symmetry in SYMMETRIES {
                let game = game_with(symmetry, spec);
                check_forward(&game, |solved, start| {
                    let probed = solved.reader(&game).probe(game.start());
                    assert_eq!(probed, Ok(Answer::Wdl(start)));
                });
                let setup = Setup { symmetry, ..Setup::default() };
                if let Some(ordered) = in_published_order(spec, &setup).unwrap() {
                    check_forward(&ordered, |_, _| ());
                }
            }
        }
    };
    // The check is recursive; the solver is not.
    let thread = std::thread::Builder::new().stack_size(256 << 20).spawn(body).unwrap();
    assert!(thread.join().is_ok());
}

/// Compares both solvers with the reference at the start. Returns the number of positions and the
/// value of the start.
fn check_start(game: &PackedGame) -> (u64, Value) {
    let solved = solved(game);
    let expected = reference(game, 1_000_000).expect("a small board");
    let start = solved.value(0);
    assert_eq!(start, expected[&game.canonical(game.start())]);
    for variant in [ForwardVariant::ThesisProgram, ForwardVariant::Best(MoveOrder::AsListed)] {
        let forward = forward::solve(game, variant, Limits::default(), &mut NoMonitor).unwrap();
        assert_eq!(forward.start(), start.wdl(), "{} {variant:?}", game.spec());
    }
    (solved.summary().positions, start)
}

/// Own counts; a second program (Python, lists of characters) agrees.
#[test]
fn small_boards_of_ostle_are_solved() {
    for (spec, positions, plies) in [
        ("ostle:3x3:2:1", 1_688, 11),
        ("ostle:3x3:2:1:rule8=paper", 1_694, 11),
        ("ostle:3x3:3:1", 6_727, 17),
        ("ostle:3x3:3:2", 2_567, 5),
        ("ostle:3x3:3:2:rule8=paper", 2_567, 5),
    ] {
        let start = |symmetry| check_start(&game_with(symmetry, spec));
        assert_eq!(start(Symmetry::All), (positions, Value::Win(plies)), "{spec}");
        assert_eq!(start(Symmetry::Swap).1, Value::Win(plies), "{spec}");
    }
}

/// Values of all solved positions in the order of their numbers, to compare solves.
fn numbered_values(game: &PackedGame) -> Vec<(String, Value)> {
    let solved = solved(game);
    let positions = solved.positions().enumerate();
    positions.map(|(i, position)| (game.format(position), solved.value(i))).collect()
}

#[test]
fn values_are_unchanged_by_player_swap_and_mirror() {
    for spec in [
        "onitama:3x3:boar",
        "onitama:3x3:(1,1)(0,1),(1,1)(0,1),(-1,1)(0,1),(-1,1)(0,1),crab",
        "onitama:2x4:tiger,ox,horse,eel,cobra",
    ] {
        let values = |symmetry| -> HashMap<String, Value> {
            numbered_values(&game_with(symmetry, spec)).into_iter().collect()
        };
        let all = values(Symmetry::None);
        for symmetry in [Symmetry::Swap, Symmetry::All] {
            let merged = values(symmetry);
            assert!(merged.len() < all.len(), "{spec}");
            // The canonical member of a class may be unreachable itself.
            let common =
                merged.iter().filter_map(|(position, value)| Some((value, all.get(position)?)));
            let mut compared = 0;
            for (one, other) in common {
                assert_eq!(one, other, "{spec}");
                compared += 1;
            }
            assert!(compared * 2 > merged.len(), "{spec}: {compared} of {}", merged.len());
        }
    }
}

#[test]
fn numbers_and_values_are_the_same_for_any_number_of_threads() {
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| numbered_values(&game("onitama:3x3:boar")))
    };
    let one = with(1);
    assert_eq!(one.len(), 59_666);
    assert!(one == with(2) && one == with(7));
}

/// Checks that best lines from the start and from drawn positions end as promised.
fn check_lines(game: &PackedGame) {
    let solved = solved(game);
    let drawn = (0..solved.len()).filter(|&i| solved.value(i) == Value::Draw);
    for i in [0].into_iter().chain(drawn.take(2000)) {
        check_line(game, &solved, i);
    }
}

fn check_line(game: &PackedGame, solved: &graph::GraphSolution, i: usize) {
    let (from, reader) = (solved.position(i).expect("a position"), solved.reader(game));
    let name = format!("{}: {}", game.spec(), game.format(from));
    let line = best_line(game, &reader, from).expect(&name);
    let mut position = from;
    for ply in &line.plies {
        assert!(ply.equal > 0);
        assert_eq!(ply.position, position, "{name}");
        position = game.play(position, ply.mv);
    }
    assert_eq!(line.end, position, "{name}");
    match (solved.value(i).remoteness(), line.repeats) {
        (Some(plies), None) => {
            assert_eq!(line.plies.len(), usize::from(plies), "{name}");
            assert!(game.terminal(position).is_some());
        }
        (None, Some(ply)) => assert_eq!(line.plies[ply].position, position, "{name}"),
        (None, None) => assert_eq!(game.terminal(position), Some(Wdl::Draw), "{name}"),
        (Some(_), Some(_)) => panic!("a won game does not repeat: {name}"),
    }
}

#[test]
fn best_lines_end_as_promised() {
    for spec in SPECS {
        for symmetry in SYMMETRIES {
            check_lines(&game_with(symmetry, spec));
        }
    }
}
