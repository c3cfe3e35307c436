//! Tables of the positions that can be reached.

use std::fs;
use std::path::Path;

use hindsight_games::{
    Answer, AnyGame, Error, Layout, Limits, Method, NoMonitor, Options, SolveFolder, SolveTask,
    Symmetry, game_with_symmetry,
};

/// Writes a table of what is reachable.
fn write(game: &AnyGame, layout: Layout, path: &Path) -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut table = Vec::new();
    game.run(SolveTask {
        method: Method::Reachable,
        limits: Limits { memory: 1 << 30, time: None },
        layout: Some(layout),
        folder: Some(SolveFolder {
            path: &folder.path().join("layers"),
            resume: false,
            is_checkpoint: false,
            limit_as_begun: false,
        }),
        table: Some(&mut table),
        ..SolveTask::new(&mut |_| Ok(Box::new(NoMonitor)))
    })?;
    fs::write(path, table).expect("a file");
    Ok(())
}

#[test]
fn every_reached_position_has_its_value_and_no_other_has_one() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("r.table");
    for (spec, unreached) in [
        ("tic-tac-toe", "xx./.../..."),
        ("four:4x3", "..../..../oo.."),
        ("quoridor:3x3:1", "a1 a3 1,1 a1h white"),
        ("dodgem:3x3", ""),
    ] {
        for symmetry in [Symmetry::None, Symmetry::All] {
            let game = game_with_symmetry(spec, symmetry)?;
            let solved = game.solve(Method::Reachable, &Options::default())?;
            for layout in [Layout::Full, Layout::Compact, Layout::Wdl] {
                write(&game, layout, &path)?;
                let table = hindsight_games::open(&path)?;
                assert_eq!(table.info().ranks(), solved.summary().positions, "{spec}");
                assert_eq!(Some(table.info().histogram()), solved.histogram(), "{spec}");
                let reached = solved.reached(0..u64::MAX);
                let positions: Vec<_> = reached.iter().map(|(position, _)| *position).collect();
                let values: Vec<_> =
                    reached.iter().map(|&(_, value)| Answer::Exact(value)).collect();
                assert_eq!(table.probe_many(&positions)?, values, "{spec} {symmetry:?} {layout}");
                if let Ok(other) = game.parse(unreached) {
                    assert_eq!(solved.reached_value(&other)?, None, "{spec} {unreached}");
                    assert_eq!(table.probe(&other)?, Answer::Unknown, "{spec} {unreached}");
                }
                let verdict = table.verify(&Options::default())?;
                let checked = verdict.positions_checked;
                assert_eq!((verdict.faults.len(), checked), (0, solved.summary().positions));
            }
        }
    }
    Ok(())
}

#[test]
fn tables_of_other_positions_are_not_compared() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    let write_as = |symmetry, name: &str| {
        write(&game_with_symmetry("tic-tac-toe", symmetry)?, Layout::Full, &path(name))
    };
    write_as(Symmetry::None, "none")?;
    write_as(Symmetry::None, "again")?;
    write_as(Symmetry::All, "all")?;
    let every = Options { table: Some(path("every")), ..Options::default() };
    hindsight_games::game("tic-tac-toe")?.solve(Method::Tiered, &every)?;
    let table = hindsight_games::open(path("none"))?;
    let compared = table.compare(&hindsight_games::open(path("again"))?, &Options::default())?;
    assert_eq!((compared.positions, compared.different), (5478, 0));
    for other in ["all", "every"] {
        let other = hindsight_games::open(path(other))?;
        let error = table.compare(&other, &Options::default()).unwrap_err();
        assert!(
            error.to_string().ends_with("they have different positions of the game"),
            "{error}"
        );
    }
    Ok(())
}

#[test]
fn every_flipped_bit_and_every_cut_is_found() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("r.table");
    write(&hindsight_games::game("four:3x2:3")?, Layout::Full, &path)?;
    let bytes = fs::read(&path).expect("a table");
    for at in 0..bytes.len() {
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << (at % 8);
        for other in [&flipped[..], &bytes[..at]] {
            fs::write(&path, other).expect("a file");
            let is_found = match hindsight_games::open(&path) {
                Err(_) => true,
                Ok(table) => !table.verify(&Options::default())?.faults.is_empty(),
            };
            assert!(is_found, "byte {at} of {}", bytes.len());
        }
    }
    Ok(())
}
