//! Tables of the positions that can be reached.

use std::fs;
use std::path::Path;

use hindsight_games::{
    Answer, AnyGame, Error, Layout, Limits, Method, Monitor, Options, Progress, SolveFolder,
    SolveTask, SolverError, Symmetry, game_with_symmetry,
};

/// Returns the bytes of a table of what is reachable, if `reports` are enough to write it.
fn table_by(
    game: &AnyGame,
    method: Method,
    layout: Layout,
    folder: SolveFolder<'_>,
    reports: u32,
) -> Result<Vec<u8>, Error> {
    let mut table = Vec::new();
    game.run(SolveTask {
        method,
        limits: Limits { memory: 1 << 30, time: None },
        layout: Some(layout),
        folder: Some(folder),
        table: Some(&mut table),
        ..SolveTask::new(&mut |_| Ok(Box::new(StopAfter(reports))))
    })?;
    Ok(table)
}

/// Stops after a number of reports.
struct StopAfter(u32);

impl Monitor for StopAfter {
    fn report(&mut self, _: Progress) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 > 0
    }
}

/// Writes a table of what is reachable.
fn write(game: &AnyGame, layout: Layout, path: &Path) -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = SolveFolder {
        path: &folder.path().join("layers"),
        resume: false,
        is_checkpoint: false,
        limit_as_begun: false,
    };
    let table = table_by(game, Method::Reachable, layout, folder, u32::MAX)?;
    fs::write(path, table).expect("a file");
    Ok(())
}

#[test]
fn a_solve_with_a_checkpoint_goes_on_to_the_same_table() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let (path, checkpoint) = (folder.path().join("r.table"), folder.path().join("checkpoint"));
    let game = hindsight_games::game("quixo:3x3")?;
    write(&game, Layout::Full, &path)?;
    let whole = fs::read(&path).expect("a table");
    let at = |resume| SolveFolder {
        path: &checkpoint,
        resume,
        is_checkpoint: true,
        limit_as_begun: true,
    };
    let by_graph =
        |folder, reports| table_by(&game, Method::Reachable, Layout::Full, folder, reports);
    for reports in (2..).step_by(9) {
        fs::remove_dir_all(&checkpoint).ok();
        let Err(stopped) = by_graph(at(false), reports) else { break };
        assert!(matches!(stopped, Error::Solve(SolverError::Stopped)), "{stopped}");
        assert_eq!(by_graph(at(true), u32::MAX)?, whole);
        // A finished one writes the table again, and goes on by the method that began it.
        assert_eq!(by_graph(at(true), u32::MAX)?, whole);
        let again = table_by(&game, Method::Auto, Layout::Full, at(true), u32::MAX)?;
        assert_eq!(again, whole);
    }
    let other = table_by(&game, Method::Tiered, Layout::Full, at(true), u32::MAX).unwrap_err();
    assert_eq!(other.to_string(), "the checkpoint was begun by a graph: go on with that");
    let merged = game_with_symmetry("quixo:3x3", Symmetry::All)?;
    let other = table_by(&merged, Method::Reachable, Layout::Full, at(true), 9).unwrap_err();
    assert_eq!(
        other.to_string(),
        "the checkpoint was begun with symmetry none, not all: go on with that"
    );
    fs::remove_dir_all(&checkpoint).expect("a folder");
    table_by(&game, Method::Tiered, Layout::Full, at(false), u32::MAX)?;
    let other = by_graph(at(true), u32::MAX).unwrap_err();
    assert!(other.to_string().contains("begun by layers of every position"), "{other}");
    Ok(())
}

#[test]
fn damaged_keys_are_errors_and_no_unknown_positions() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("r.table");
    let game = hindsight_games::game("four:4x3:3")?;
    write(&game, Layout::Full, &path)?;
    let solved = game.solve(Method::Reachable, &Options::default())?;
    let reached = solved.reached(0..u64::MAX);
    let info = hindsight_games::open(&path)?.info().clone();
    let pages = info.reachable.expect("keys").keys.pages as usize;
    let mut bytes = fs::read(&path).expect("a table");
    let middle = bytes.len() - pages / 2;
    bytes[middle] ^= 1;
    fs::write(&path, &bytes).expect("a file");
    let Ok(table) = hindsight_games::open(&path) else { return Ok(()) };
    let mut errors = 0;
    for (position, value) in reached {
        match table.probe(&position) {
            Ok(answer) => assert_eq!(answer, Answer::Exact(value)),
            Err(error) => {
                errors += 1;
                assert!(error.to_string().contains("keys"), "{error}");
            }
        }
    }
    assert!(errors > 0);
    assert!(table.scan(0, &Options::default()).is_err());
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
