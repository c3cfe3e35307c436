//! Analysis of one position of any game: every move with its value where that is proved, and with
//! an estimate elsewhere.
//!
//! Cost: the time and memory allowed. `docs/decisions/0015-analysis.md` has what that proves, and
//! the reasons.
//!
//! ```
//! use std::time::Duration;
//!
//! use hindsight_analysis::{Analysis, AnalysisListener, AnalysisTask, Decide, analyse};
//! use hindsight_core::{Answer, Game, Value};
//! use hindsight_engine::{Limits, Progress};
//!
//! /// Lets the analysis go on to its end.
//! struct Patient;
//!
//! impl AnalysisListener for Patient {
//!     fn report(&mut self, _: Progress) -> bool {
//!         true
//!     }
//!     fn improved(&mut self, _: &Analysis) -> bool {
//!         false
//!     }
//! }
//!
//! let game = hindsight_rules::by_name("tic-tac-toe", &Default::default())?;
//! let task = AnalysisTask {
//!     game: &game,
//!     position: game.start(),
//!     limits: Limits { memory: 1 << 26, time: Some(Duration::from_secs(10)) },
//!     cache: None,
//!     kept: None,
//!     graph_time: None,
//!     decide: Decide::of(&game),
//! };
//! let found = analyse(task, &mut Patient)?;
//! assert_eq!(found.analysis.answer, Answer::Exact(Value::Draw));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`analyse`] asks its sources in rounds, each twice as long as the last:
//!
//! | source | finds |
//! |---|---|
//! | earlier analyses | what they have proved |
//! | short wins | the fewest plies of a forced win, by iterative deepening for each side |
//! | estimates | a number between -1 and 1 for each move, by alpha-beta and by playouts |
//! | proof | who wins, by proof-number search with all endgames that the game's structure offers |
//! | null-window search | the value and that of each move, where every move uses up a ply |
//! | long jobs | every value: by the graph, or as the game's structure offers |
//!
//! The rounds do not depend on the time allowed, so a longer analysis begins with what a shorter
//! one does. A long job begins once the rounds have taken half as long as it is estimated to take.
//! Time that is left after a proof goes into exact plies and into the other moves.
//!
//! A proved value is never replaced by an estimate, and an estimate is never called a value. A win
//! or draw of the position is shown only with a move that has it, and with the plies of that move.
//! The proof-number search keeps a bound on the plies with each won position of its table.
//!
//! [`KeptFindings`] are the proofs of a position in canonical form; the next analysis begins with
//! them. Their text has a checksum, and its lines are replayed when they are read. [`review_moves`]
//! judges the moves of a played game by analyses of its positions: what is proved of a position is
//! used for those before and after it.

mod analyse;
mod analysis;
mod decide;
mod estimate;
mod findings;
mod glance;
mod kept;
mod known;
mod review;
mod rounds;
mod short_wins;
mod watched_jobs;
mod window_jobs;

pub use analyse::{AnalysisListener, AnalysisOutcome, AnalysisTask, analyse};
pub use analysis::{AnalysedMove, Analysis, AnalysisSource};
pub use decide::{Decide, keep_endgame};
pub use glance::{EstimateLimits, glance};
pub use hindsight_play::GivenAway;
pub use kept::KeptFindings;
pub use review::{ReviewedMove, ReviewedValue, review_moves};
