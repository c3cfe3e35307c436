//! Paths and positions by plies, against known numbers and a slow obvious recursion.

use std::collections::HashSet;

use hindsight_core::{Game, Notation, Packed, PackedGame};
use hindsight_engine::{Error, Limits, Monitor, NoMonitor, Progress};
use hindsight_solve::{PlyCount, perft, perft_divide};

use crate::game;

fn count_without_limits(game: &PackedGame, position: Packed, plies: u32) -> Vec<PlyCount> {
    perft(game, position, plies, Limits::default(), &mut NoMonitor).expect("no limit")
}

/// The paths are those that programs of tic-tac-toe agree on. The positions sum to the 5,478 of
/// `golden/tic_tac_toe.csv`.
#[test]
fn tic_tac_toe_has_the_known_numbers() {
    let game = game("tic-tac-toe");
    let counts = count_without_limits(&game, game.start(), 11);
    let paths: Vec<u128> = counts.iter().map(|count| count.paths).collect();
    let known = [1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872, 0, 0];
    assert_eq!(paths, known);
    let positions: Vec<u64> = counts.iter().map(|count| count.positions).collect();
    let ours = [1, 9, 72, 252, 756, 1_260, 1_520, 1_140, 390, 78, 0, 0];
    assert_eq!(positions, ours);
    assert_eq!(positions.iter().sum::<u64>(), 5_478);
}

/// Number of paths, found by walking each one.
fn walk(game: &PackedGame, position: Packed, plies: u32, ends: &mut HashSet<Packed>) -> u128 {
    if plies == 0 {
        ends.insert(position);
        return 1;
    }
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let below = |mv| walk(game, game.play(position, mv), plies - 1, ends);
    moves.into_iter().map(below).sum()
}

/// Compares with the recursion from the start and from the positions of the first plies.
fn check_first_plies(game: &PackedGame) {
    let mut from = vec![game.start()];
    for i in 0..40 {
        let Some(&position) = from.get(i) else { break };
        let mut next = Vec::new();
        game.successors(position, &mut next);
        from.extend(next);
    }
    for position in from.into_iter().step_by(7).take(12) {
        check(game, position, 3);
    }
    check(game, game.start(), 4);
}

fn check(game: &PackedGame, position: Packed, plies: u32) {
    let here = format!("{}: {}", game.spec(), game.format(position));
    let counts = count_without_limits(game, position, plies);
    for (ply, count) in (0..=plies).zip(&counts) {
        let mut ends = HashSet::new();
        let paths = walk(game, position, ply, &mut ends);
        let slow = PlyCount { paths, positions: ends.len() as u64 };
        assert_eq!(*count, slow, "{here}, ply {ply}");
    }
    let divided = perft_divide(game, position, plies, Limits::default(), &mut NoMonitor);
    let divided = divided.expect("no limit");
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    assert_eq!(divided.len(), moves.len());
    for (&(mv, paths), expected) in divided.iter().zip(moves) {
        assert_eq!(mv, expected, "{here}");
        let below = walk(game, game.play(position, mv), plies - 1, &mut HashSet::new());
        assert_eq!(paths, below, "{here} {}", game.format_move(position, mv));
    }
    let sum: u128 = divided.iter().map(|row| row.1).sum();
    assert_eq!(sum, counts[plies as usize].paths, "{here}");
}

#[test]
fn every_game_counts_as_a_slow_recursion() {
    for spec in [
        "tic-tac-toe",
        "onitama:2x3:boar",
        "onitama:3x3:tiger,crab,monkey,crane,dragon",
        "onitama:2x3:(0,0)(0,1)(1,-1):stay=yes",
        "onitama:3x3:(1,1),boar,(0,2),boar,():hand=2",
        "ostle:3x3:2:1",
        "ostle:3x3:3:1:rule8=paper",
        "quoridor:2x2:1:edge=open",
        "quoridor:2x3:1",
        "quoridor:3x2:1:edge=open",
        "quoridor:4x3:2,1:start=point",
    ] {
        check_first_plies(&game(spec));
    }
}

#[test]
fn a_finished_game_has_one_position_and_no_path_onward() {
    let game = game("tic-tac-toe");
    let over = game.parse("xxx/oo./...").expect("a position");
    let counts = count_without_limits(&game, over, 2);
    let numbers: Vec<_> = counts.iter().map(|c| (c.paths, c.positions)).collect();
    assert_eq!(numbers, [(1, 1), (0, 0), (0, 0)]);
    let divided = perft_divide(&game, over, 2, Limits::default(), &mut NoMonitor);
    assert_eq!(divided.expect("no limit").len(), 0);
}

fn limited(
    spec: &str,
    plies: u32,
    memory: u64,
    monitor: &mut dyn Monitor,
) -> Result<Vec<PlyCount>, Error> {
    let limits = Limits { memory, time: None };
    let game = game(spec);
    perft(&game, game.start(), plies, limits, monitor)
}

#[test]
fn limits_end_a_count() {
    let limit = 4 << 20;
    let refused = limited("quoridor:5x5:2", 6, limit, &mut NoMonitor);
    match refused {
        Err(Error::Memory { needed, limit: of, .. }) => assert!(needed > limit && of == limit),
        other => panic!("{other:?}"),
    }
    struct Never;
    impl Monitor for Never {
        fn report(&mut self, _: Progress) -> bool {
            false
        }
    }
    let stopped = limited("quoridor:5x5:2", 6, u64::MAX, &mut Never);
    assert!(matches!(stopped, Err(Error::Stopped)), "{stopped:?}");
}

/// The game has 512 positions, and play can go on for ever.
#[test]
fn more_paths_than_a_number_holds_are_an_error() {
    let endless = |plies| limited("onitama:2x3:boar", plies, u64::MAX, &mut NoMonitor);
    let most = endless(1000);
    let Err(Error::TooManyPaths(ply)) = most else {
        panic!("{most:?}");
    };
    let before = endless(ply - 1).expect("as many as fit");
    assert!(before[ply as usize - 1].paths > 1 << 125);
}

#[test]
fn counts_are_the_same_for_any_number_of_threads() {
    let with = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().expect("a pool");
        pool.install(|| limited("quoridor:4x4:2", 5, u64::MAX, &mut NoMonitor).expect("it fits"))
    };
    let one = with(1);
    assert!(one[5].positions > 10_000);
    assert!(one == with(2) && one == with(5));
}
