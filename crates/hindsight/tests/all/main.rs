//! Games, solves and tables without their types.

mod errors;
mod games;
mod solving;
mod tables;

use std::path::PathBuf;

use hindsight_games::{Method, Options};
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
        let options = Options {
            table: Some(path.clone()),
            ..Options::default()
        };
        let game = hindsight_games::game(spec).expect("a game");
        game.solve(Method::Auto, &options).expect("a table");
        Self { folder, path }
    }
}
