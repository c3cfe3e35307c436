//! Answers as JSON: those of the command `hindsight` with `--json`, and of its server. [`report`]
//! has the forms of reports: aligned text tables, lines of CSV, rows of histograms.
//!
//! ```
//! use hindsight_answers::ProbeAnswer;
//! use hindsight_games::{Answer, Value};
//!
//! let game = hindsight_games::game("tic-tac-toe")?;
//! let known = Answer::Exact(Value::Draw);
//! let answer: ProbeAnswer = ProbeAnswer::new(&game, &game.start(), known, None)?;
//! assert_eq!(serde_json::to_value(&answer).expect("JSON")["value"], "draw");
//! # Ok::<(), hindsight_games::Error>(())
//! ```
//!
//! | type | answer of |
//! |---|---|
//! | [`ProbeAnswer`], [`ProbedMove`] | `probe` |
//! | [`AnalysisAnswer`], [`MoveAnalysis`], [`KnownValue`] | `analyse` |
//! | [`LineAnswer`] | `line` |
//! | [`SolveAnswer`], [`ClusterAnswer`] | `solve`, `cluster solve` |
//! | [`DistancesAnswer`], [`ReachAnswer`] | `reach`, without and with a position |
//! | [`DealAnswer`] | `deals` |
//! | [`VerifiedDealAnswer`], [`MergedDealsAnswer`] | `deals --verify`, `deals --add` |
//! | [`LawsAnswer`] | `laws` |
//! | [`PerftAnswer`] | `perft` |
//! | [`ReviewAnswer`], [`ReviewedPly`], [`PlayerCounts`], [`TurningPoint`] | `review` |
//! | [`PuzzlesAnswer`], [`CertificateAnswer`] | `puzzles`, and its certificate |
//! | [`PuzzleTallyAnswer`], [`SacrificesAnswer`] | `puzzles --tally`, by plies and of sacrifices |
//! | [`MatchAnswer`], [`AuditAnswer`] | `match`, `audit` |
//! | [`TournamentAnswer`], [`RatedAgent`], [`TournamentPair`] | `tournament` |
//! | [`PlayEvent`] | `play`, a line for each event |
//! | [`TableDescription`], [`DistanceDescription`] | `info`, of values and of distances |
//! | [`TableStats`], [`VerifyAnswer`], [`CompareAnswer`] | `stats`, `verify`, `compare` |
//! | [`ExportAnswer`], [`GraphAnswer`], [`DrawAnswer`] | `export`, `graph`, `draw` |
//! | [`CacheAnswer`] | `cache` |
//! | [`ListedGame`], [`ListedCard`] | `games`, `cards` |
//! | [`BoardAnswer`], [`DrawnMoveAnswer`] | the server, for pictures of a position and of a move |
//! | [`SetupAnswer`], [`PlaceAnswer`] | the server, for positions put together from pictures |
//!
//! Values are `"win"`, `"draw"` or `"loss"` for the side to move unless the type says otherwise;
//! null stands for what is not known. Keys do not change but by additions.

mod analysis;
mod audit;
mod cluster;
mod deals;
mod explorer_link;
mod known_value;
mod laws;
mod line;
mod lists;
mod matches;
mod perft;
mod pictures;
mod play;
mod probe;
mod puzzle_tally;
mod puzzles;
mod reach;
pub mod report;
mod review;
mod solve;
mod tables;
mod tournament;
mod valued_position;

pub use analysis::{AnalysisAnswer, MoveAnalysis};
pub use audit::{AuditAnswer, AuditClass, AuditCounts, AuditLayer, AuditRow};
pub use cluster::{ClusterAnswer, ThreadWork};
pub use deals::{DealAnswer, DealtCardsAnswer, MergedDealsAnswer, VerifiedDealAnswer};
pub use explorer_link::explorer_link;
pub use known_value::{BoundAnswer, KnownValue, ValueAnswer, wdl_word};
pub use laws::{BrokenLawAnswer, LawsAnswer};
pub use line::{LineAnswer, LinePlyAnswer};
pub use lists::{CardSet, ListedCard, ListedGame, all_cards, listed_games};
pub use matches::{FirstFaultAnswer, FirstMoverScore, GamesDescription, MatchAnswer};
pub use perft::{DivideRow, PerftAnswer, PerftRow};
pub use pictures::drawing::{
    BoardAnswer, CardAnswer, FenceAnswer, MarkAnswer, PieceAnswer, SeatAnswer,
};
pub use pictures::drawn_move::DrawnMoveAnswer;
pub use pictures::drawn_setup::{PieceKindAnswer, PlaceAnswer, SetupAnswer, mark_word};
pub use play::PlayEvent;
pub use probe::{ProbeAnswer, ProbedMove};
pub use puzzle_tally::{PuzzleTallyAnswer, PuzzleTallyRow, SacrificeRow, SacrificesAnswer};
pub use puzzles::{
    CertificateAnswer, GradeAnswer, ProvedPuzzle, PuzzleAnswer, PuzzlePly, PuzzlesAnswer,
    ScannedPositions,
};
pub use reach::{DistanceRow, DistancesAnswer, ReachAnswer, ReachPly};
pub use review::{
    LEAST_LOSS, PlayerCounts, ReviewAnswer, ReviewedPlayer, ReviewedPly, TurningPoint, given_word,
};
pub use solve::{
    ChosenSolver, SampleAnswer, SearchFiles, SearchKnowledge, SmallTables, SolveAnswer,
    StartAnswer, StrategyFileAnswer, TableFileAnswer, scope_name,
};
pub use tables::compare::{CompareAnswer, DifferenceAnswer};
pub use tables::files::{CacheAnswer, CachedFileAnswer, DrawAnswer, ExportAnswer, GraphAnswer};
pub use tables::table_description::{DistanceDescription, DistantPosition, TableDescription};
pub use tables::table_stats::{LayerStats, PositionStats, TableStats};
pub use tables::value_counts::{SolvedStats, ValueCounts};
pub use tables::verify::{FaultAnswer, VerifyAnswer};
pub use tournament::{
    RatedAgent, ScoredPair, TournamentAnswer, TournamentDescription, TournamentPair,
};
pub use valued_position::ValuedPosition;
