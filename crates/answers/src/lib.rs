//! Answers as JSON: those of the command `hindsight` with `--json`, and of its server.
//!
//! | type | answer of |
//! |---|---|
//! | [`ProbeAnswer`], [`ProbedMove`] | `probe` |
//! | [`AnalysisAnswer`], [`MoveAnalysis`], [`KnownValue`] | `analyse` |
//! | [`LineAnswer`] | `line` |
//! | [`ReviewedPly`], [`PlayerCounts`] | `review` |
//! | [`PuzzlesAnswer`] | `puzzles` |
//! | [`MatchAnswer`], [`AuditRow`] | `match`, and an agent of `audit` |
//! | [`TableDescription`], [`TableStats`] | `info`, `stats` |
//! | [`ListedGame`], [`ListedCard`] | `games`, `cards` |
//! | [`BoardAnswer`], [`DrawnMoveAnswer`] | the server, for pictures of a position and of a move |
//! | [`SetupAnswer`], [`PlaceAnswer`] | the server, for positions put together from pictures |
//!
//! Values are `"win"`, `"draw"` or `"loss"` for the side to move unless the type says otherwise;
//! null stands for what is not known. Keys do not change but by additions.

mod analysis;
mod audit;
mod drawing;
mod drawn_move;
mod drawn_setup;
mod known_value;
mod line;
mod lists;
mod matches;
mod probe;
mod puzzles;
mod review;
mod table_description;
mod table_stats;
mod value_counts;
mod valued_position;

pub use analysis::{AnalysisAnswer, MoveAnalysis};
pub use audit::{AuditClass, AuditCounts, AuditLayer, AuditRow};
pub use drawing::{BoardAnswer, CardAnswer, FenceAnswer, MarkAnswer, PieceAnswer, SeatAnswer};
pub use drawn_move::DrawnMoveAnswer;
pub use drawn_setup::{PieceKindAnswer, PlaceAnswer, SetupAnswer, mark_word};
pub use known_value::{BoundAnswer, KnownValue, rounded_estimate, wdl_word};
pub use line::{LineAnswer, LinePlyAnswer};
pub use lists::{CardSet, ListedCard, ListedGame, all_cards, listed_games};
pub use matches::{FirstFaultAnswer, FirstMoverScore, MatchAnswer, MatchDescription};
pub use probe::{ProbeAnswer, ProbedMove};
pub use puzzles::{GradeAnswer, PuzzleAnswer, PuzzlePly, PuzzlesAnswer, ScannedPositions};
pub use review::{PlayerCounts, ReviewedPly, given_word};
pub use table_description::TableDescription;
pub use table_stats::{LayerStats, PositionStats, TableStats};
pub use value_counts::{SolvedStats, ValueCounts};
pub use valued_position::ValuedPosition;
