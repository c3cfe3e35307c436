//! The native part of the Python package `hindsight_games`, which wraps each class and function of
//! it: `python/hindsight_games/_native.pyi` describes them.
//!
//! Positions and moves are texts. A value is a pair `(wdl, plies)`: 1, 0 or -1 for the side to
//! move, and the plies to the end, `None` for draws and where they are not known; `None` in place
//! of the pair where nothing is known. Answers of several parts are JSON, as by `hindsight --json`.

mod agents;
mod analysis;
mod audits;
mod command;
mod errors;
mod exit;
mod game;
mod matches;
mod own_game;
mod pool;
mod reading;
mod server;
mod solved;
mod solving;
mod table;
mod typed_text;
mod values;
mod watch;
mod watch_here;
mod wish;

use pyo3::prelude::*;

#[pymodule]
mod _native {
    /// Version of the package.
    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
    #[pymodule_export]
    use crate::analysis::analyse;
    #[pymodule_export]
    use crate::audits::audit;
    #[pymodule_export]
    use crate::command::run_command;
    #[pymodule_export]
    use crate::exit::end_calls;
    #[pymodule_export]
    use crate::game::Game;
    #[pymodule_export]
    use crate::matches::play_match;
    #[pymodule_export]
    use crate::own_game::{OwnSolved, solve_own};
    #[pymodule_export]
    use crate::server::Server;
    #[pymodule_export]
    use crate::solved::Solved;
    #[pymodule_export]
    use crate::solving::solve;
    #[pymodule_export]
    use crate::table::{Scan, Table};
    #[pymodule_export]
    use crate::values::Values;
    #[pymodule_export]
    use crate::wish::{StopWish, look};
}
