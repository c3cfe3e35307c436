//! Errors say what was wrong, and name their cause.

use std::error::Error as _;
use std::fs;
use std::sync::Arc;

use hindsight_games::{Error, Method, Options, PlanError, Position, Symmetry};

use crate::TestTable;

#[test]
fn positions_and_moves_of_other_games_are_refused() -> Result<(), Error> {
    let game = hindsight_games::game("quoridor:3x3:1")?;
    let file = TestTable::of(game.spec());
    let table = hindsight_games::open(&file.path)?;
    // The same type of position, but another board; and another type.
    for other in ["quoridor:5x5:1", "quoridor:3x3:2", "tic-tac-toe"] {
        let other = hindsight_games::game(other)?;
        let position: Position = other.start();
        let text = "the position is of another game than quoridor:3x3:1";
        let refused = [
            game.format(&position).err(),
            game.moves(&position).err(),
            game.canonical(&position).err(),
            game.solve_from(&position, &Options::default()).err(),
            table.probe(&position).err(),
            table.line(&position).err(),
        ];
        for error in refused {
            let error = error.expect("an error");
            assert!(matches!(error, Error::OtherGame { .. }), "{error}");
            assert_eq!(error.to_string(), text);
        }
        let mv = &other.moves(&position)?[0];
        let illegal = game.play(&game.start(), mv).unwrap_err();
        assert!(matches!(illegal, Error::IllegalMove { .. }), "{illegal}");
    }
    Ok(())
}

#[test]
fn illegal_moves_are_refused() -> Result<(), Error> {
    let game = hindsight_games::game("tic-tac-toe")?;
    let mv = game.parse_move(&game.start(), "b2")?;
    let next = game.play(&game.start(), &mv)?;
    let text = "the move is not legal in .../.x./...";
    assert_eq!(game.play(&next, &mv).unwrap_err().to_string(), text);
    assert_eq!(game.format_move(&next, &mv).unwrap_err().to_string(), text);
    let error = game.parse_move(&next, "b2").unwrap_err().to_string();
    assert!(error.starts_with("'b2' is no legal move here; legal are: "), "{error}");
    Ok(())
}

#[test]
fn texts_say_what_would_be_right() -> Result<(), Error> {
    let error = hindsight_games::game("onitama:3x4:nocard").unwrap_err();
    assert!(error.to_string().starts_with("'onitama:3x4:nocard': "), "{error}");
    let missing = hindsight_games::game("onitama:3x4:boar:deck=no.toml").unwrap_err();
    assert!(missing.to_string().contains("cannot read 'no.toml'"), "{missing}");
    let error = hindsight_games::game("tic-tac-toe")?.parse("x").unwrap_err();
    assert!(error.to_string().starts_with("position 'x', character 1: "), "{error}");
    Ok(())
}

#[test]
fn limits_and_listeners_stop_a_solve() -> Result<(), Error> {
    let game = hindsight_games::game("onitama:3x4:boar")?;
    let solve = |options| game.solve(Method::Reachable, &options).map(|_| ());
    let small = Options { memory: Some(1 << 16), ..Options::default() };
    let error = solve(small).unwrap_err();
    assert!(error.to_string().starts_with("out of memory at "), "{error}");
    let short = Options { seconds: Some(0.0), ..Options::default() };
    let error = solve(short).unwrap_err();
    assert!(error.to_string().starts_with("out of time after 0 s"), "{error}");
    let stopped = Options { progress: Some(Arc::new(|_| false)), ..Options::default() };
    assert_eq!(solve(stopped).unwrap_err().to_string(), "stopped");
    let folder = tempfile::tempdir().expect("a folder");
    let reachable = Options { checkpoint: Some(folder.path().join("x")), ..Options::default() };
    let error = game.solve_from(&game.start(), &reachable).unwrap_err();
    assert!(matches!(error, Error::Plan(PlanError::StoresNothing)));
    Ok(())
}

#[test]
fn files_that_are_no_table_are_named() {
    let file = TestTable::of("quoridor:3x3:1");
    let path = |name: &str| file.folder.path().join(name);
    let name = |name: &str| format!("'{}'", path(name).display());
    let mut bytes = fs::read(&file.path).expect("a table");
    fs::write(path("cut"), &bytes[..400]).expect("a file");
    fs::write(path("text"), "hello").expect("a file");
    bytes[8] ^= 4;
    fs::write(path("old"), &bytes).expect("a file");
    let error = |name: &str| hindsight_games::open(path(name)).unwrap_err();
    let fault = format!("is damaged: the file has 400 bytes, its header says {}", bytes.len());
    assert_eq!(error("cut").to_string(), format!("{} {fault}", name("cut")));
    assert!(error("text").to_string().contains("is not a Hindsight table"));
    assert!(
        error("old")
            .to_string()
            .contains("is of format version 7, this program reads versions 2 to 4; solve")
    );
    assert!(matches!(error("none"), Error::NoFile(_)));
    assert!(matches!(error(""), Error::Folder(_)));
}

#[test]
fn damage_of_a_block_names_the_table() -> Result<(), Error> {
    let TestTable { folder: _folder, path } = TestTable::of("quoridor:3x3:1");
    let mut bytes = fs::read(&path).expect("a table");
    let at = bytes.len() - 200;
    bytes[at] ^= 255;
    fs::write(&path, &bytes).expect("a file");
    let damaged = hindsight_games::open(&path)?;
    let start = damaged.game().start();
    let errors = [
        damaged.rated_moves(&start).err(),
        damaged.line(&start).err(),
        (0..3).find_map(|layer| damaged.rows(layer, |_| true).err()),
    ];
    for error in errors {
        let error = error.expect("an error");
        let expected = format!("'{}' is damaged: ", path.display());
        assert!(error.to_string().starts_with(&expected), "{error}");
        assert!(error.source().is_none(), "the whole text");
    }
    let verdict = damaged.verify(&Options::default())?;
    assert!(!verdict.faults.is_empty());
    Ok(())
}

#[test]
fn a_game_in_its_published_order_has_the_same_positions_and_pictures() -> Result<(), Error> {
    let spec = "onitama:3x4:boar";
    let game = hindsight_games::game_in_published_order(spec, Symmetry::None)?;
    let plain = hindsight_games::game(spec)?;
    assert_eq!(game.start(), plain.start());
    assert_eq!(game.setup_kinds(), plain.setup_kinds());
    assert_eq!(game.parse_drawing(&game.drawing(&plain.start())?)?, plain.start());
    let options = Options::default();
    let possible = |start| game.possible_solve(start, Method::Forward, &options).is_some();
    let second = plain.successors(&plain.start())?[0];
    let start = plain.start();
    assert!(possible(None) && possible(Some(&start)));
    assert!(!possible(Some(&second)), "the forward solver begins at the start");
    let refused = game.ranked_member(&plain.start());
    assert!(matches!(refused, Err(Error::Unranked(spec)) if spec == game.spec()));
    Ok(())
}
