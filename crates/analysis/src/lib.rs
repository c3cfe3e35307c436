//! Analysis of one position of any game: every move with its value where that is proved, and with
//! an estimate elsewhere.
//!
//! [`analyse`] asks its sources in turn, the quickest first, until the value of the position is
//! proved or time is over:
//!
//! | source | finds |
//! |---|---|
//! | short wins | the fewest plies of a forced win, by iterative deepening for each side |
//! | graph | every value, if few positions are reachable |
//! | estimates | a number between -1 and 1 for each move, by alpha-beta and by playouts |
//! | proof | who wins, by proof-number search with all endgames that the game's structure offers |
//!
//! A proved value is never replaced by an estimate, and an estimate is never called a value.

mod analyse;
mod analysis;
mod decide;
mod estimate;
mod findings;
mod known;
mod review;
mod short_wins;
mod watched_jobs;

pub use analyse::{AnalysisListener, AnalysisTask, analyse};
pub use analysis::{AnalysedMove, Analysis, AnalysisSource};
pub use decide::{Decide, DecideOnce, Decision, DecisionTask, KnownValues};
pub use hindsight_play::GivenAway;
pub use review::{ReviewedMove, ReviewedValue, review_moves};
