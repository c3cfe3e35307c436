//! The null-window search against the state graph and published values.

use hindsight_core::{Game, Notation, Packed, PackedGame, Symmetry, Value, Wdl};
use hindsight_engine::{Error, Limits, Monitor, NoMonitor, Progress};
use hindsight_solve::null_window::{self, NullWindowSolution};
use hindsight_solve::{best_line, graph};
use rayon::ThreadPoolBuilder;

use crate::{game, game_with};

/// Memory of a table that loses most of what it is told.
const TINY: u64 = 1 << 10;

fn search(game: &PackedGame, start: Packed, memory: u64) -> NullWindowSolution {
    let limits = Limits { memory, ..Limits::default() };
    let countdown = game.countdown().expect("a game without cycles");
    null_window::solve(countdown, start, limits, &mut NoMonitor).expect("memory for a table")
}

fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.expect("threads").install(work)
}

/// Compares every `step`-th position with the graph. Returns the number compared.
fn compare(spec: &str, step: usize, memory: u64) -> usize {
    let game = game(spec);
    let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).expect("no limits");
    let mut compared = 0;
    for (number, position) in solved.positions().enumerate().step_by(step) {
        let here = || format!("{spec}: {}", game.format(position));
        let value = solved.value(number);
        let found = search(&game, position, memory);
        assert_eq!(found.value(), Some(value), "{}", here());
        if let Some(best) = found.best {
            let after = solved.value(solved.number(&game, best).expect("a successor"));
            assert_eq!(after.before(), value, "{}", here());
        }
        let has_move = found.best_move(&game, position).is_some();
        assert_eq!(has_move, game.terminal(position).is_none(), "{}", here());
        compared += 1;
    }
    compared
}

#[test]
fn values_are_those_of_the_graph() {
    let compared = on_threads(1, || {
        [
            ("tic-tac-toe", 1),
            ("four:2x2:2", 1),
            ("four:3x3:3", 1),
            ("four:4x3:3", 1),
            ("four:4x3", 1),
            ("four:3x5:3", 1),
            ("four:4x4:3", 1),
            ("four:4x4", 3),
            ("four:5x4", 211),
            ("four:6x2:3", 1),
        ]
        .map(|(spec, step)| compare(spec, step, TINY))
    });
    assert_eq!(compared[0], 5_478);
    assert_eq!(compared[7], 161_029_usize.div_ceil(3));
    assert!(compared.iter().all(|&count| count > 10), "{compared:?}");
}

#[test]
fn threads_change_no_value() {
    for threads in [2, 5] {
        let compared = on_threads(threads, || compare("four:4x4", 97, 1 << 20));
        assert!(compared > 1000);
    }
}

#[test]
fn the_size_of_the_table_changes_no_value() {
    let [drawn, lost] = ["four:5x4", "four:6x4"].map(game);
    for memory in [1, 32, TINY, 1 << 16, 1 << 22, 1 << 27] {
        let found = on_threads(1, || search(&drawn, drawn.start(), memory.max(32)));
        assert_eq!(found.value(), Some(Value::Draw), "{memory}");
        let memory = memory.max(TINY);
        let found = on_threads(2, || search(&lost, lost.start(), memory));
        assert_eq!(found.value(), Some(Value::Loss(24)), "{memory}");
    }
}

/// Results of boards with lines of four, by width from 4 and height from 4: `+` if the first player
/// wins, `-` if the second does, `=` for a draw.
///
/// A second program, the solver of P. Pons (github.com/PascalPons/connect4), finds the same.
const RESULTS: [&str; 4] = ["====", "===", "-=", "=="];

#[test]
fn results_of_small_boards_are_those_of_a_second_program() {
    for (width, results) in (4..).zip(RESULTS) {
        for (height, result) in (4..).zip(results.chars()) {
            let game = game(&format!("four:{width}x{height}"));
            let found = search(&game, game.start(), 1 << 26);
            let found = match found.value().expect("no limit of time") {
                Value::Win(_) => '+',
                Value::Draw => '=',
                Value::Loss(_) => '-',
            };
            assert_eq!(found, result, "{width} x {height}");
        }
    }
}

#[test]
fn mirrored_positions_have_equal_values() {
    let game = game_with(Symmetry::All, "four:6x5");
    let mut images = Vec::new();
    for position in hindsight_testkit::random_positions(&game, 60, 5) {
        images.clear();
        game.images(position, &mut images);
        let value = |position| search(&game, position, 1 << 20).value();
        assert_eq!(value(position), value(images[0]), "{}", game.format(position));
    }
}

#[test]
fn a_drawn_line_leads_to_a_full_board() {
    let game = game("four:4x4");
    let solved = graph::solve(&game, Limits::default(), &mut NoMonitor).expect("no limits");
    let line = best_line(&game, &solved.reader(&game), game.start()).expect("a line");
    assert_eq!(line.plies.len(), 16);
    assert_eq!(line.repeats, None);
    assert_eq!(game.terminal(line.end), Some(Wdl::Draw));
    for ply in &line.plies {
        let number = solved.number(&game, ply.position).expect("a number");
        assert_eq!(solved.value(number), Value::Draw);
    }
}

/// Stops the work at once.
struct StopAtOnce;

impl Monitor for StopAtOnce {
    fn report(&mut self, _: Progress) -> bool {
        false
    }
}

#[test]
fn a_stopped_search_keeps_what_is_proved() {
    let game = game("four:7x6");
    let countdown = game.countdown().expect("a game without cycles");
    let limits = Limits { memory: 1 << 20, ..Limits::default() };
    let found = null_window::solve(countdown, game.start(), limits, &mut StopAtOnce);
    let found = found.expect("memory for a table");
    assert_eq!(found.value(), None);
    assert_eq!(found.best_move(&game, game.start()), None);
    assert!(found.bounds[0] < found.bounds[1]);
    assert!(found.bounds[0] >= Value::Loss(4) && found.bounds[1] <= Value::Win(3));
}

#[test]
fn too_little_memory_is_refused() {
    let game = game("four:8x7");
    let countdown = game.countdown().expect("a game without cycles");
    let needed = null_window::least_bytes(countdown, game.start());
    let limits = Limits { memory: needed - 1, ..Limits::default() };
    let refused = null_window::solve(countdown, game.start(), limits, &mut NoMonitor);
    let error = refused.expect_err("too little memory");
    assert!(matches!(error, Error::Memory { needed: bytes, .. } if bytes == needed));
}

#[test]
#[ignore = "slow: minutes"]
fn the_usual_board_is_won_in_41() {
    let game = game("four:7x6");
    let found = search(&game, game.start(), 1 << 30);
    assert_eq!(found.value(), Some(Value::Win(41)));
    let best = found.best_move(&game, game.start()).expect("a best move");
    assert_eq!(game.format_move(game.start(), best), "d1");
}
