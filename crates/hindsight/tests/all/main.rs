//! Games, solves and tables without their types.

mod agents;
mod analysis_laws;
mod audits;
mod distances;
mod errors;
mod game_texts;
mod games;
mod kept_blocks;
mod kept_findings;
mod lines;
mod matches;
mod named_cards;
mod notation;
mod puzzles;
mod quick_solves;
mod random_positions;
mod reachable_tables;
mod review;
mod solving;
mod tables;

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use hindsight_games::{Error, Method, Options, SolverError};
use tempfile::TempDir;

/// Folder with a table of a small game.
struct TestTable {
    folder: TempDir,
    path: PathBuf,
}

impl TestTable {
    /// Solves a game and writes its table.
    fn of(spec: &str) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("a.table");
        let options = Options { table: Some(path.clone()), ..Options::default() };
        let game = hindsight_games::game(spec).expect("a game");
        game.solve(Method::Auto, &options).expect("a table");
        Self { folder, path }
    }
}

/// Checks that a solve which is stopped again and again writes the same table as one that is not,
/// and leaves no progress behind.
fn check_resumed(solve: impl Fn(&Options) -> Result<(), Error>) -> Result<(), Error> {
    let folder = tempfile::tempdir().expect("a folder");
    let whole = folder.path().join("whole.table");
    solve(&Options { table: Some(whole.clone()), ..Options::default() })?;
    let path = folder.path().join("x.table");
    let work = folder.path().join("work");
    let mut stopped = 0;
    for reports in (1..).map(|i| i * i) {
        let heard = AtomicU32::new(0);
        let options = Options {
            checkpoint: Some(work.clone()),
            resume: true,
            table: Some(path.clone()),
            progress: Some(Arc::new(move |_| heard.fetch_add(1, Ordering::Relaxed) < reports)),
            ..Options::default()
        };
        match solve(&options) {
            Ok(()) => break,
            Err(Error::Solve(SolverError::Stopped)) => stopped += 1,
            Err(error) => return Err(error),
        }
    }
    assert!(stopped > 0);
    let bytes = |path: &Path| fs::read(path).expect("a table");
    assert_eq!(bytes(&path), bytes(&whole));
    assert!(!work.join("planes.part").exists());
    Ok(())
}
