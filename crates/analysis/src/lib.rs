//! Analysis of one position of any game: every move with its value where that is proved, and with
//! an estimate elsewhere.
//!
//! [`analyse`] asks its sources in rounds, each twice as long as the last:
//!
//! | source | finds |
//! |---|---|
//! | earlier analyses | what they have proved |
//! | short wins | the fewest plies of a forced win, by iterative deepening for each side |
//! | estimates | a number between -1 and 1 for each move, by alpha-beta and by playouts |
//! | proof | who wins, by proof-number search with all endgames that the game's structure offers |
//! | long jobs | every value: by the graph, or as the game's structure offers |
//!
//! The rounds do not depend on the time allowed, so a longer analysis begins with what a shorter
//! one does. A long job begins once the rounds have taken half as long as it is estimated to take.
//! Time that is left after a proof goes into exact plies and into the other moves.
//!
//! A proved value is never replaced by an estimate, and an estimate is never called a value.

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

pub use analyse::{AnalysisListener, AnalysisOutcome, AnalysisTask, analyse};
pub use analysis::{AnalysedMove, Analysis, AnalysisSource};
pub use decide::Decide;
pub use glance::{EstimateLimits, glance};
pub use hindsight_play::GivenAway;
pub use kept::KeptFindings;
pub use review::{ReviewedMove, ReviewedValue, review_moves};
