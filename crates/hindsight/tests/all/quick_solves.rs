//! Solves of games that are small enough to be solved at once.

use std::sync::Arc;

use hindsight_games::{Error, Method, Options, SolverError};

fn within(seconds: f64, memory: u64) -> Options {
    Options { seconds: Some(seconds), memory: Some(memory), ..Options::default() }
}

#[test]
fn small_games_are_solved_and_large_ones_are_not() -> Result<(), Error> {
    for spec in ["tic-tac-toe", "dodgem:3x3", "quoridor:3x3:1", "ostle:3x3:2:1"] {
        let game = hindsight_games::game(spec)?;
        let solved = game.solve_if_quick(&within(10.0, 1 << 28))?.expect("a small game");
        let value = game.solve(Method::Reachable, &Options::default())?.start_value();
        assert_eq!(solved.probe(&game.start())?, value, "{spec}");
        let needs = game.needs(Method::Tiered, &Options::default())?;
        let bytes = needs.value_bytes;
        let kept = solved.value_bytes();
        assert!(kept >= bytes / 2 && kept < bytes + (1 << 16), "{spec}: {kept}, {bytes}");
        assert!(game.solve_if_quick(&within(10.0, 1 << 10))?.is_none(), "{spec}");
    }
    for spec in ["onitama:5x5:boar", "quoridor:9x9:10", "ostle"] {
        let game = hindsight_games::game(spec)?;
        assert!(game.solve_if_quick(&within(3.0, 1 << 30))?.is_none(), "{spec}");
    }
    Ok(())
}

/// Onitama in its published order has no ranks; what is reachable is solved.
#[test]
fn a_game_without_ranks_is_solved_by_its_graph() -> Result<(), Error> {
    let game = hindsight_games::game_in_published_order("onitama:3x3:boar", Default::default())?;
    let solved = game.solve_if_quick(&within(10.0, 1 << 28))?.expect("a small game");
    let positions = solved.summary().positions;
    assert!(solved.value_bytes() > 2 * positions);
    let memory = within(10.0, solved.value_bytes() / 2);
    assert!(game.solve_if_quick(&memory)?.is_none());
    Ok(())
}

#[test]
fn a_stop_is_an_error_and_files_are_refused() -> Result<(), Error> {
    let game = hindsight_games::game("onitama:3x4:boar")?;
    let stopping = Options { progress: Some(Arc::new(|_| false)), ..within(60.0, 1 << 30) };
    let error = game.solve_if_quick(&stopping).unwrap_err();
    assert!(matches!(error, Error::Solve(SolverError::Stopped)), "{error}");
    let writing = Options { table: Some("x.table".into()), ..within(60.0, 1 << 30) };
    assert!(matches!(game.solve_if_quick(&writing), Err(Error::Plan(_))));
    Ok(())
}
