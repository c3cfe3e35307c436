#![doc = include_str!("../README.md")]
//!
//! # Guide
//!
//! | to | use |
//! |---|---|
//! | name a game | [`game()`], [`GAMES`]; [`deal()`] if cards are to be drawn |
//! | draw it, read a position from a picture | [`AnyGame::drawing`], [`AnyGame::parse_drawing`] |
//! | play it | [`AnyGame`], with [`Position`] and [`AnyMove`] |
//! | solve it | [`AnyGame::solve`], which returns a [`SolvedGame`]; [`Method`], [`Options`] |
//! | solve it if that is quick | [`AnyGame::solve_if_quick`], [`AnyGame::is_quick`] |
//! | read a table | [`open()`]; the result is a [`Tablebase`] |
//! | take values from either | [`Values`], and [`ValuesReader`] for many single probes |
//! | let an agent play | [`Player`], [`AgentSpec`], [`AgentSpec::within`] |
//! | draw positions at random | [`Values::sample`] |
//! | draw them by their values | [`Values::draw`], [`Values::sample_where`] |
//! | read a table by tiers and ranks | [`Tablebase::probe_ranks`], [`Tablebase::scan`] |
//! | play a match, also with agents of yours | [`play_match()`], [`AnyAgent`] |
//! | let several agents play, and rate them | [`play_tournament()`], [`ratings`] |
//! | play one game from a position | [`AnyGame::play_single`], [`SingleGame`] |
//! | judge the moves of an agent by values | [`Values::audit`], [`Values::draw_choices`] |
//! | find puzzles | [`Values::puzzles`], with a [`PuzzleSearch`] |
//! | prove a value to somebody else | [`Values::proof`] |
//! | judge a played game move by move | [`AnyGame::review`], [`Values::review`] |
//! | know what leads where from the start | [`AnyGame::distances`], [`StartDistances`] |
//! | name a game that a stranger sends | [`game_without_files`] |
//! | play by own rules | [`Game`], [`Packing`], [`Notation`]; [`AnyGame`] of a [`PackedGame`] |
//!
//! **Positions are opaque.** A game reads and writes them as text, and refuses those of another
//! game. They can be compared, hashed, sent to other threads and kept after the game is gone.
//!
//! **Values are for the side to move.** An [`Answer`] is an exact [`Value`] with its remoteness in
//! plies, a win, draw or loss alone, or unknown. The greater value is better.
//!
//! **Long work takes [`Options`].** A listener hears of the progress and may stop the work; limits
//! of memory are checked before they are passed.
//!
//! **Work on many positions in batches.** [`Values::probe_many`] shares what it decodes among the
//! positions, and [`Tablebase::rows`] decodes a layer at once.
//!
//! Who needs the concrete types of a game, a solver or a table takes the crates below this one:
//! [`hindsight_core`], [`hindsight_rules`], [`hindsight_solve`] and [`hindsight_tablebase`].
//!
//! # How it is built
//!
//! An [`AnyGame`] holds a [`PackedGame`] with what its structure allows: how it is planned, stored
//! and read. A [`SolveTask`] has all options of a solve; it shows the needs of the plan before
//! anything is written, keeps the checkpoint, and writes the table. An [`AnalysisCache`] is a store
//! of blobs in a folder that processes share. Planes that took long are kept there under a key that
//! names the rules by a hash; whoever reads them compares the rules themselves.
//!
//! Matches and audits with a function of the caller are played one game after the other in the
//! caller's thread, all others on all threads. Both are counted in the order of their numbers.
//!
//! A folder imports only from those before it here, as a test checks: `positions`, `tasks`,
//! `parts`, `games`, `values`, `solving`, `tables`, `analysis`, `agents`. The `mod.rs` of each says
//! what it has.

mod agents;
mod analysis;
mod error;
mod games;
pub mod memory;
mod parts;
mod positions;
mod solving;
mod table_bytes;
mod tables;
mod tasks;
mod values;

pub use agents::agent_values::AgentValues;
pub use agents::any_agent::{AgentTurn, AnyAgent, ChooseMove, MakeAgent};
pub use agents::audits::{AuditSource, AuditTask};
pub use agents::matches::{MatchTask, PlayedMatch, play_match};
/// Files that are there whole or not at all, and folders of one process.
pub mod files {
    pub use hindsight_engine::checkpoint::{
        BlobFolder, FolderLock, is_locked, make_folder, name_new_file, sync_file, sync_folder,
    };
}

pub use agents::player::Player;
pub use agents::single_game::SingleGame;
pub use agents::tournaments::{PairedGame, PlayTask, TournamentTask, play_tournament};
pub use analysis::cache::{AnalysisCache, AnalysisStore, CachedFile};
pub use analysis::memory::AnalysisMemory;
pub use analysis::review::{GameReview, PlayerReview, ReviewSource};
pub use error::GamesError as Error;
pub use games::deal::deal;
pub use games::deck::read_deck;
pub use games::game::{
    AnyGame, game, game_in_published_order, game_with_symmetry, game_without_files,
};
pub use games::game_text::GameText;
pub use games::move_text::ReadMoves;
pub use games::own_games::{forget_game, know_game};
pub use hindsight_analysis::{
    AnalysedMove, Analysis, AnalysisSource, EstimateLimits, GivenAway, ReviewedMove, ReviewedValue,
};
#[cfg(feature = "cluster")]
pub use hindsight_cluster::{
    Cluster, ClusterError, ClusterNeeds, ClusterSolution, DEFAULT_PORT, Hosts, Reword, Traffic,
    WorkCounts,
};
pub use hindsight_core::{
    Answer, BoardCell, Drawing, DrawnCard, DrawnFence, DrawnMark, DrawnMove, DrawnPiece,
    DrawnPlace, Game, MarkKind, Notation, Packed, PackedGame, Packing, ParseError, PieceKind,
    PieceShape, Probe, Random, Scope, SetupKinds, Symmetry, Value, Wdl, shown, without_middle,
};
pub use hindsight_engine::keys::KeySections;
pub use hindsight_engine::{
    Error as SolverError, Histogram, Limits, Monitor, NoMonitor, Progress, Summary,
};
pub use hindsight_play::{
    AgentError, AgentFault, AgentLimits, AgentResources, AgentSpec, AuditTally, FaultKind,
    FirstFault, GameRecord, MatchScore, PairResult, PlayQuality, Rating, ValueClass, ratings,
    wilson_interval,
};
pub use hindsight_puzzles::{
    MOST_STARS, ProofMove, ProofNode, PuzzleChoice, PuzzleCounts, PuzzleCriteria, PuzzleGrade,
    PuzzleTally, PuzzleTheme, SacrificeCounts, Uniqueness,
};
pub use hindsight_rules::{GAMES, GameEntry, RulesOfSpec, Setup};
pub use hindsight_solve::forbidden_move::ForbiddenMoveSolution;
pub use hindsight_solve::forward::{ForwardVariant, MoveOrder};
pub use hindsight_solve::plan::{
    Choice, ChoiceReason, DiskNeeds, Extent, FoundWinner, KeptValues, Method, PlanError,
    SolveNeeds, SolveTimes, StartedWork,
};
pub use hindsight_solve::{BestLine, LinePly};
pub use hindsight_tablebase::{
    KeptBlocks, LayerInfo, Layout, PositionValue, Reachable, StateHistograms, StopCheck,
    TableError, TableFault, TableInfo, TableVerdict, set_stop_check,
};
pub use positions::agent_choice::{AgentChoice, AgentChoiceError};
pub use positions::any_puzzle::AnyPuzzle;
pub use positions::any_value::{AnyMove, Position};
pub use positions::decoded_layer::TableRow;
pub use positions::draw_error::DrawError;
pub use positions::rated_move::AnyRatedMove;
pub use solving::SolveOutcome;
pub use solving::distances::{DistanceOutcome, StartDistances};
pub use solving::solved::SolvedGame;
pub use table_bytes::{TableBytes, names_table};
pub use tables::comparison::{TableComparison, ValueDifference};
pub use tables::layer_scan::{LayerScan, ScannedRanks};
pub use tables::rows::LayerRows;
pub use tables::tablebase::{Tablebase, open, open_any};
pub use tasks::analysis::{AnalysisWatcher, AnyAnalysis};
#[cfg(feature = "cluster")]
pub use tasks::cluster::{ClusterOutcome, ClusterSolveTask, TableTarget};
pub use tasks::distances::{DistanceNeeds, DistanceTask};
pub use tasks::folder::SolveFolder;
pub use tasks::options::{Options, ProgressListener};
pub use tasks::solve::{SampleContradiction, SampleCounts, SampleTask, SolveTask, WrittenTable};
pub use values::puzzle_search::{FoundPuzzles, PuzzleSearch, SacrificeTally, TalliedPuzzles};
pub use values::random_positions::PositionFilter;
pub use values::{Values, ValuesReader};
