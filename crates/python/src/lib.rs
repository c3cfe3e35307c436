//! The native part of the Python package `hindsight_games`, which wraps each class and function of
//! it: `python/hindsight_games/_native.pyi` describes them.
//!
//! Positions and moves are texts. A value is a pair `(wdl, plies)`: 1, 0 or -1 for the side to
//! move, and the plies to the end, `None` for draws and where they are not known; `None` in place
//! of the pair where nothing is known. Answers of several parts are JSON, as by `hindsight --json`.
//!
//! Cost: a call more a probe, some 0.1 microseconds. `docs/python.md` has speeds and examples,
//! `docs/decisions/0018-python.md` the reasons.
//!
//! | native | Python | has |
//! |---|---|---|
//! | `game.rs` | `_game.py` | rules of a spec; `Position`, a text that draws itself |
//! | `values.rs`, `solved.rs`, `solving.rs` | `_values.py`, `_solution.py`, .. | values |
//! | `table.rs` | `_table.py`, `_arrow.py` | values by ranks, scans, verification |
//! | `analysis.rs`, `server.rs` | `_analysis.py`, `_puzzles.py`, `_server.py` | as the command |
//! | `agents.rs`, `matches.rs`, `audits.rs` | `_match.py`, `_audit.py` | agents, also functions |
//! | `foreign` | `_own_*.py`, `_array_*.py`, `_laws.py` | rules in Python, as those of any game |
//! | | `openspiel.py` with `_spiel_*.py`, `pettingzoo.py` | games of these libraries |
//! | `command.rs` | `_command.py` | the command, which is the library `hindsight-cli` |
//!
//! Long work runs in threads of its own (`watch.rs`), while the thread that called looks at signals
//! and reports progress; so Ctrl-C is heard in any solver, and other threads of Python go on. Rules
//! of users are called by that thread too, for the others (`foreign/caller.rs`). Work with agents
//! of users stays in the thread that called (`watch_here.rs`), with the lock of the interpreter
//! held while they are asked. A fault of rules unwinds to where work is begun, and becomes an
//! exception there (`foreign/faults.rs`). `pool.rs` has the threads that array calls share; a fork
//! makes its own. Reads that may wait for a server ask their thread whether they are to stop
//! (`reading.rs`). A cancelled task of asyncio wishes the same (`wish.rs`, `_threads.py`).
//! `exit.rs` ends calls before the interpreter ends. An error of the library becomes an exception
//! in one place (`errors.rs`).

mod agents;
mod analysis;
mod audits;
mod command;
mod errors;
mod exit;
mod foreign;
mod game;
mod matches;
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
    use crate::foreign::OwnRules;
    #[pymodule_export]
    use crate::game::{Game, read_game};
    #[pymodule_export]
    use crate::matches::play_match;
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
