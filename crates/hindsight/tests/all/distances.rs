//! Distances from the start, found and read from a table.

use hindsight_engine::Limits;
use hindsight_games::{Error, Layout, NoMonitor, Options, Position};
use hindsight_rules::{Setup, by_name};
use hindsight_solve::distance::{self, NextStates};

const SPEC: &str = "ostle:3x3:2:1";

#[test]
fn distances_are_those_of_the_solver_and_of_their_table() -> Result<(), Error> {
    let rules = by_name(SPEC, &Setup::default()).expect("a game");
    let limits = Limits::default();
    let expected = distance::solve(&rules, NextStates::Allowed, limits, &mut NoMonitor)?;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("reach.table");
    let options = Options { table: Some(path.clone()), ..Options::default() };
    let game = hindsight_games::game(SPEC)?;
    let found = game.distances(&options)?;
    assert_eq!(found.states(), expected.states_by_distance());
    assert!(matches!(hindsight_games::open(&path), Err(Error::KeepsDistances(_))));
    let table = hindsight_games::open_any(&path)?;
    assert_eq!(table.info().layout, Layout::Distances);
    assert!(table.verify(&Options::default())?.faults.is_empty());
    let read = table.distances()?;
    assert_eq!(read.states(), found.states());
    let mut position = game.start();
    for plies in 0..6 {
        let line = found.shortest_line(&position)?.expect("moves lead there");
        for pair in line.windows(2) {
            let [(before, _), (after, mv)] = [pair[0], pair[1]];
            let mv = mv.expect("each position but the start has the move that leads to it");
            assert_eq!(game.play(&before, &mv)?, after);
            assert!(matches!(game.play(&after, &mv), Err(Error::IllegalMove { .. })));
        }
        assert!(line.len() <= plies + 1);
        assert_eq!(line[0], (game.start(), None));
        assert_eq!(read.shortest_line(&position)?.map(|line| line.len()), Some(line.len()));
        let mut successors = game.successors(&position)?.into_iter();
        let is_open = |next: &Position| matches!(game.outcome(next), Ok(None));
        position = successors.find(is_open).expect("the game goes on");
    }
    Ok(())
}

#[test]
fn distances_of_other_games_and_tables_are_refused() -> Result<(), Error> {
    let game = hindsight_games::game("quoridor:3x3:1")?;
    let error = game.distances(&Options::default()).unwrap_err();
    assert!(matches!(error, Error::NoDistances(_)), "{error}");
    let values = crate::TestTable::of(SPEC);
    let error = hindsight_games::open(&values.path)?.distances().unwrap_err();
    assert!(matches!(error, Error::KeepsValues(_)), "{error}");
    let little = Options { memory: Some(10), ..Options::default() };
    let error = hindsight_games::game(SPEC)?.distances(&little).unwrap_err();
    assert!(matches!(error, Error::Solve(_)), "{error}");
    let found = hindsight_games::game(SPEC)?.distances(&Options::default())?;
    let error = found.shortest_line(&game.start()).unwrap_err();
    assert!(matches!(error, Error::OtherGame { .. }), "{error}");
    Ok(())
}

#[test]
fn a_search_that_is_stopped_is_resumed_to_the_same_table() -> Result<(), Error> {
    let game = hindsight_games::game(SPEC)?;
    crate::check_resumed(|options| game.distances(options).map(|_| ()))
}
