//! Solves that store their work, and tables that they write.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use hindsight_games::{Error, Layout, Method, Options, SolveFolder, SolveTask};
use hindsight_solve::NoMonitor;

/// A game for each structure and method that writes tables.
const SOLVES: [(&str, Method); 5] = [
    ("tic-tac-toe", Method::Tiered),
    ("quoridor:3x3:1", Method::Auto),
    ("onitama:3x3:boar", Method::Tiered),
    ("onitama:3x3:boar", Method::Planes),
    ("ostle:3x3:2:1", Method::Auto),
];

fn writing(table: &Path) -> Options {
    Options {
        table: Some(table.to_path_buf()),
        ..Options::default()
    }
}

#[test]
fn a_table_has_what_was_solved_and_nothing_else_is_left() -> Result<(), Error> {
    for (spec, method) in SOLVES {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("x.table");
        let game = hindsight_games::game(spec)?;
        let solved = game.solve(method, &writing(&path))?;
        let table = hindsight_games::open(&path)?;
        assert_eq!(table.game().spec(), game.spec());
        assert_eq!(solved.start_value().exact(), Some(table.info().start.value));
        assert!(table.verify(&Options::default())?.faults.is_empty());
        let files: Vec<_> = fs::read_dir(folder.path()).expect("a folder").collect();
        assert_eq!(files.len(), 1, "{spec}: {files:?}");
    }
    Ok(())
}

#[test]
fn a_file_that_exists_is_not_overwritten() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("x.table");
    fs::write(&path, "mine").expect("a file");
    let error = hindsight_games::game("tic-tac-toe")?
        .solve(Method::Auto, &writing(&path))
        .unwrap_err();
    assert!(matches!(error, Error::Unwritable { .. }), "{error}");
    assert_eq!(fs::read(&path).expect("the file"), b"mine");
    Ok(())
}

#[test]
fn a_solve_that_is_stopped_is_resumed_to_the_same_table() -> Result<(), Error> {
    for (spec, method) in SOLVES {
        let game = hindsight_games::game(spec)?;
        let folder = tempfile::tempdir().expect("a folder");
        let whole = folder.path().join("whole.table");
        game.solve(method, &writing(&whole))?;
        let path = folder.path().join("x.table");
        let mut begun = false;
        for reports in (1..).map(|i| i * i) {
            let heard = AtomicU32::new(0);
            let options = Options {
                checkpoint: Some(folder.path().join("work")),
                resume: begun,
                progress: Some(Arc::new(move |_| {
                    heard.fetch_add(1, Ordering::Relaxed) < reports
                })),
                ..writing(&path)
            };
            match game.solve(method, &options) {
                Ok(_) => break,
                Err(Error::Solve(hindsight_solve::Error::Stopped)) => begun = true,
                Err(error) => panic!("{spec}: {error}"),
            }
        }
        assert!(begun, "{spec}");
        let bytes = |path: &Path| fs::read(path).expect("a table");
        assert_eq!(bytes(&path), bytes(&whole), "{spec} by {}", method.name());
    }
    Ok(())
}

#[test]
fn layouts_and_methods_of_other_games_are_refused() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let run = |spec: &str, method, layout| {
        let mut out = Vec::new();
        let outcome = hindsight_games::game(spec)?.run(SolveTask {
            method,
            layout: Some(layout),
            folder: Some(SolveFolder {
                path: folder.path(),
                resume: false,
                is_checkpoint: false,
            }),
            table: Some(&mut out),
            ..SolveTask::new(&mut |_| Ok(Box::new(NoMonitor)))
        });
        outcome.map(|outcome| outcome.table)
    };
    let error = run("quoridor:3x3:1", Method::Auto, Layout::States).unwrap_err();
    assert!(matches!(error, Error::NoStates(_)), "{error}");
    let error = run("ostle:3x3:2:1", Method::Auto, Layout::Compact).unwrap_err();
    assert!(matches!(error, Error::OnlyStates(_)), "{error}");
    let error = run("tic-tac-toe", Method::Planes, Layout::Full).unwrap_err();
    assert!(matches!(error, Error::Plan(_)), "{error}");
    let table = run("quoridor:3x3:1", Method::Auto, Layout::Compact)?.expect("a table");
    assert_eq!(table.layout, Layout::Compact);
    assert!(table.bytes > 0);
    Ok(())
}

#[test]
fn a_solve_that_its_caller_refuses_begins_nothing() -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("work");
    let error = hindsight_games::game("quoridor:3x3:1")?
        .run(SolveTask {
            folder: Some(SolveFolder {
                path: &path,
                resume: false,
                is_checkpoint: true,
            }),
            ..SolveTask::new(&mut |needs| Err(format!("{} bytes", needs.memory).into()))
        })
        .unwrap_err();
    assert!(matches!(error, Error::Refused(_)), "{error}");
    assert!(!path.exists());
    Ok(())
}
