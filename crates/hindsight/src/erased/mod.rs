//! Games, values and tables without the types of their positions and moves: private traits that the
//! public types hold as objects. `typed` implements them; the public types are not known here.

pub(crate) mod agent;
pub(crate) mod typed;

use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use hindsight_analysis::EstimateLimits;
use hindsight_core::{Answer, Drawing, DrawnMove, DrawnSetup, OrbitRun, ParseError, Value, Wdl};
use hindsight_play::{
    AgentSpec, GameRecord, MatchOptions, MoveVerdict, SeededRandom, SelfPlayOptions,
};
use hindsight_puzzles::{ProofNode, PuzzleCriteria, PuzzleProfile, PuzzleTheme};
use hindsight_run::{Error, Histogram, Limits, Monitor, Summary};
use hindsight_solve::BestLine;
use hindsight_solve::forbidden_move::ForbiddenMoveSolution;
use hindsight_solve::plan::{FoundWinner, SolveNeeds, SolveTimes};
use hindsight_tablebase::{Table, TableError, TableInfo, TableVerdict};

use crate::error::GamesError;
use crate::positions::agent_choice::AgentChoice;
use crate::positions::any_puzzle::AnyPuzzle;
use crate::positions::any_value::{AnyMove, Position};
use crate::positions::decoded_layer::{DecodedLayer, TableRow};
use crate::positions::numbered::NumberedPart;
use crate::positions::rated_move::AnyRatedMove;
use crate::table_bytes::TableBytes;
use crate::tasks::analysis::{AnalysisWatcher, AnyAnalysis, AnyAnalysisTask};
use crate::tasks::distances::{AnyShortestLine, DistanceNeeds, DistanceTask};
use crate::tasks::folder::{KeptWork, TaskFolder};
use crate::tasks::solve::{SampleCounts, SolveTask, WrittenTable};
use agent::{ErasedAgent, ErasedPlay};

/// Open table, with the name of its file.
pub(crate) struct TableFile {
    pub(crate) path: PathBuf,
    /// Length of the file.
    pub(crate) bytes: u64,
    pub(crate) table: Table<TableBytes>,
}

/// Game of any type.
pub(crate) trait ErasedGame: Send + Sync {
    fn spec(&self) -> &Arc<str>;

    /// Returns the spec without names that change no rule.
    fn rules(&self) -> &Arc<str>;
    /// Returns a position by its words; `None` for another number of words.
    fn position_of(&self, words: &[u32]) -> Option<Position>;
    fn player_names(&self) -> [&'static str; 2];
    fn start(&self) -> Position;
    fn parse(&self, text: &str) -> Result<Position, ParseError>;
    fn format(&self, position: &Position) -> Result<String, GamesError>;
    fn diagram(&self, position: &Position) -> Result<String, GamesError>;
    fn drawing(&self, position: &Position) -> Result<Drawing, GamesError>;
    fn player_to_move(&self, position: &Position) -> Result<usize, GamesError>;
    fn outcome(&self, position: &Position) -> Result<Option<Wdl>, GamesError>;
    fn win_condition(&self, position: &Position) -> Result<Option<&'static str>, GamesError>;
    fn moves(&self, position: &Position) -> Result<Vec<AnyMove>, GamesError>;
    fn parse_move(&self, position: &Position, text: &str) -> Result<AnyMove, GamesError>;
    fn format_move(&self, position: &Position, mv: &AnyMove) -> Result<String, GamesError>;
    fn drawn_move(
        &self,
        position: &Position,
        mv: &AnyMove,
    ) -> Result<Option<DrawnMove>, GamesError>;
    fn drawn_setup(&self) -> Option<&dyn DrawnSetup>;
    fn play(&self, position: &Position, mv: &AnyMove) -> Result<Position, GamesError>;
    fn successors(&self, position: &Position) -> Result<Vec<Position>, GamesError>;
    fn canonical(&self, position: &Position) -> Result<Position, GamesError>;

    /// Returns the different images of a position by symmetry, without itself.
    fn images(&self, position: &Position) -> Result<Vec<Position>, GamesError>;

    /// Returns true if it is known that no move leads to a position.
    fn is_unreached(&self, position: &Position) -> Result<bool, GamesError>;

    /// Solves the game, stores what the task asks for, and writes the table.
    fn run_task(self: Arc<Self>, task: SolveTask<'_>) -> Result<ErasedOutcome, GamesError>;

    /// Plans the solve of a task. Its folder, if it goes on with one, is not looked into.
    fn needs(&self, task: &SolveTask<'_>) -> Result<SolveNeeds, GamesError>;

    /// Finds the distances of all states, stores what the task asks for, and writes the table.
    fn find_distances(
        self: Arc<Self>,
        task: DistanceTask<'_>,
    ) -> Result<ErasedDistanceOutcome, GamesError>;

    /// Solves every position together with other processes.
    #[cfg(feature = "cluster")]
    fn solve_in_cluster(
        &self,
        task: crate::tasks::cluster::ClusterSolveTask<'_>,
    ) -> Result<crate::tasks::cluster::ClusterOutcome, GamesError>;

    /// Returns the least bytes of memory in which planes solve the game; `None` for games without
    /// planes, and if even a plan is too large for `limits`.
    fn planes_bytes(&self, limits: Limits) -> Option<u64>;

    /// Solves all positions that can be reached from `start`.
    fn solve_from(
        self: Arc<Self>,
        start: &Position,
        limits: Limits,
        monitor: &mut dyn Monitor,
    ) -> Result<Box<dyn ErasedSolution>, GamesError>;

    /// Returns what the rules alone tell of a position, with estimates if there is time for them.
    fn glance(
        &self,
        position: &Position,
        estimate: Option<EstimateLimits>,
    ) -> Result<AnyAnalysis, GamesError>;

    /// Analyses a position.
    fn analyse(
        &self,
        task: AnyAnalysisTask<'_>,
        watcher: &mut dyn AnalysisWatcher,
    ) -> Result<AnyAnalysis, GamesError>;

    /// Checks that the game can have puzzles of a theme; the error is a sentence.
    fn check_theme(&self, theme: PuzzleTheme) -> Result<(), String>;

    /// Returns what tells if a puzzle is like another.
    fn puzzle_profile(&self, puzzle: &AnyPuzzle) -> Result<PuzzleProfile, GamesError>;

    /// Returns the position in which no move is forbidden, with the same pieces and side to move.
    fn without_forbidden_move(&self, position: &Position) -> Result<Position, GamesError>;

    /// Lets an agent choose a move.
    fn choose(
        &self,
        position: &Position,
        agent: &AgentSpec,
        means: ErasedMeans<'_>,
    ) -> Result<AgentChoice, GamesError>;

    /// Returns the agent that people play against if they name none.
    fn default_agent(&self) -> AgentSpec;

    /// Returns the least bytes of memory of an agent; 0 if it keeps nothing.
    fn least_memory(&self, agent: &AgentSpec) -> u64;

    /// Plays game `number` of a match.
    fn play_numbered(
        &self,
        agents: [ErasedAgent<'_>; 2],
        number: u64,
        options: MatchOptions<'_>,
        play: &ErasedPlay<'_>,
    ) -> Result<GameRecord, GamesError>;

    /// Plays a game from a position.
    fn play_from(
        &self,
        start: &Position,
        agents: [AgentSpec; 2],
        number: u64,
        options: MatchOptions<'_>,
        play: &ErasedPlay<'_>,
    ) -> Result<GameRecord, GamesError>;

    /// Judges the choice of an agent in a position; `None` if there are fewer than two moves.
    fn judge_choice(
        &self,
        agent: ErasedAgent<'_>,
        position: &Position,
        random: &mut SeededRandom,
        play: &ErasedPlay<'_>,
    ) -> Result<Option<MoveVerdict>, GamesError>;

    /// Judges the choices of an agent in game `number` against itself.
    fn judge_game(
        &self,
        agent: ErasedAgent<'_>,
        number: u64,
        options: SelfPlayOptions<'_>,
        play: &ErasedPlay<'_>,
    ) -> Result<Vec<MoveVerdict>, GamesError>;

    /// Returns the numbering of the positions, if the game has one.
    fn ranks(&self) -> Option<&dyn ErasedRanks>;
}

/// Means of an agent.
#[derive(Clone, Copy)]
pub(crate) struct ErasedMeans<'a> {
    /// Values of the agent's game.
    pub(crate) values: Option<&'a dyn ErasedValues>,
    pub(crate) memory_bytes: u64,
    pub(crate) seed: u64,
    pub(crate) time: Option<Duration>,
    pub(crate) stop: Option<&'a AtomicBool>,
}

/// Numbering of the positions of a game, by which tables are read.
pub(crate) trait ErasedRanks: Send + Sync {
    fn layers(&self) -> u32;
    fn layer_name(&self, layer: u32) -> String;

    /// Compares a header with the game.
    fn check_header(&self, info: &TableInfo) -> Result<(), TableError>;

    /// Checks, without listing tiers, that they are not too many to be listed.
    fn check_size(&self, memory: u64) -> Result<(), Error>;

    /// Returns the tier of a position; `None` if it is terminal or has no rank.
    fn tier(&self, position: &Position) -> Option<u64>;

    /// Returns the position at any tier and rank; `forbidden` is the id of a forbidden move, or 0.
    fn position_at(&self, tier: u64, rank: u64, forbidden: u8) -> Option<Position>;

    /// Returns the number of ranks of a tier, holes included; `None` if there is no such tier.
    fn tier_len(&self, tier: u64) -> Option<u64>;

    /// Returns how many positions a rank stands for by symmetry, and the ranks from this one on
    /// that stand for as many.
    fn orbit_run(&self, tier: u64, rank: u64) -> OrbitRun;

    /// Returns the tier and rank of a position; `None` if it has none.
    fn address(&self, position: &Position) -> Result<Option<(u64, u64)>, GamesError>;

    /// Returns the values at some ranks of a tier, which it has; unknown for holes.
    fn probe_ranks(
        &self,
        file: &TableFile,
        tier: u64,
        ranks: &[u64],
    ) -> Result<Vec<Answer>, GamesError>;

    /// Returns the tier and rank of some ranks of a layer, which are counted from its first tier on
    /// and must ascend.
    fn addresses(&self, layer: u32, ranks: &[u64]) -> Vec<(u64, u64)>;

    /// Returns the position at an address, or its states that some move leads to. None for a hole.
    fn positions_at(&self, tier: u64, rank: u64) -> Vec<Position>;

    /// Returns the ranked member of a position's class; `None` if the position has no rank.
    fn ranked_member(&self, position: &Position) -> Result<Option<Position>, GamesError>;

    fn reader<'a>(&'a self, file: &'a TableFile) -> Box<dyn ErasedReader + 'a>;

    /// Returns the puzzles among some positions, by a table of values.
    fn find_puzzles(
        &self,
        file: &TableFile,
        positions: &[Position],
        criteria: &PuzzleCriteria,
    ) -> Result<Vec<AnyPuzzle>, GamesError>;

    /// Returns a shortest line to a position, by a table of distances.
    fn line_to(
        &self,
        file: &TableFile,
        position: &Position,
    ) -> Result<Option<AnyShortestLine>, GamesError>;

    /// Returns the bytes of memory that [`ErasedRanks::decode`] needs.
    fn decode_memory(&self, table: &Table<TableBytes>, layer: u32) -> Result<u64, TableError>;
    fn decode(&self, table: &Table<TableBytes>, layer: u32) -> Result<DecodedLayer, TableError>;

    /// Returns the rows of some ranks of the `i`-th tier of a layer, those with a wanted value.
    fn rows(
        &self,
        layer: &DecodedLayer,
        i: usize,
        ranks: Range<u64>,
        wanted: &dyn Fn(Value) -> bool,
    ) -> Vec<TableRow>;

    /// Returns true if a second solve can keep its work.
    fn keeps_second_solve(&self) -> bool;

    /// Compares a table with a second solve, which may keep its work.
    fn verify_by_solving(
        &self,
        table: &Table<TableBytes>,
        limits: Limits,
        kept: Option<KeptWork<'_>>,
        monitor: &mut dyn Monitor,
    ) -> Result<SecondSolve, TableError>;

    /// Returns the bytes of memory that [`ErasedRanks::verify`] needs.
    fn verify_memory(&self, table: &Table<TableBytes>) -> Result<u64, TableError>;
    fn verify(
        &self,
        table: &Table<TableBytes>,
        limits: Limits,
        monitor: &mut dyn Monitor,
    ) -> Result<TableVerdict, TableError>;
}

/// Outcome of a check by a second solve.
pub(crate) enum SecondSolve {
    Compared(TableVerdict),
    /// No solver is faster than [`ErasedRanks::verify`], or the fast one did not solve the game.
    Unsolved {
        /// Bytes of memory of a solve that keeps its work, if the lack of memory was the cause.
        kept_memory: Option<u64>,
    },
}

/// Reader of the values of a game. It may keep what it read last.
pub(crate) trait ErasedReader: Send {
    fn probe_many(&self, positions: &[Position]) -> Result<Vec<Answer>, GamesError>;
    fn rated_moves(&self, position: &Position) -> Result<Vec<AnyRatedMove>, GamesError>;
    fn line(&self, from: &Position) -> Result<BestLine<Position, AnyMove>, GamesError>;

    /// Returns at most `max_positions` positions that prove the value of a position.
    fn proof(
        &self,
        position: &Position,
        all_replies: bool,
        max_positions: usize,
    ) -> Result<Vec<ProofNode>, GamesError>;
}

/// Source of readers, with positions by number.
pub(crate) trait ErasedValues: Send + Sync {
    fn reader(&self) -> Box<dyn ErasedReader + '_>;

    /// Returns true if the parts are layers of a table.
    fn has_layers(&self) -> bool;

    /// Returns the puzzles among some positions, in their order.
    fn find_puzzles(
        &self,
        positions: &[Position],
        criteria: &PuzzleCriteria,
    ) -> Result<Vec<AnyPuzzle>, GamesError>;

    /// Refuses a table whose tiers are too many to list.
    fn check_size(&self, limits: Limits) -> Result<(), GamesError>;

    /// Returns the parts, in which positions have places.
    fn parts(&self) -> Result<Vec<NumberedPart>, GamesError>;

    /// Returns the positions in each of some places of a part, which must ascend.
    fn positions_in(&self, part: u32, places: &[u64]) -> Vec<Vec<Position>>;

    /// Returns the position in each of some places of a part, which must ascend; `None` for a hole.
    /// Where a place has several states, it is that in which no move is forbidden.
    fn plain_positions(&self, part: u32, places: &[u64]) -> Vec<Option<Position>>;

    /// Returns the layer of a position in a table; 0 without layers and for terminal positions.
    fn layer_of(&self, position: &Position) -> u32;

    /// Returns at most `most` places of a part with a wanted value, from a random one on.
    fn places_with(
        &self,
        part: u32,
        wanted: &dyn Fn(Value) -> bool,
        most: usize,
        random: &mut SeededRandom,
    ) -> Result<Vec<u64>, GamesError>;
}

/// Result of a [`SolveTask`].
pub(crate) struct ErasedOutcome {
    pub(crate) solution: Arc<dyn ErasedSolution>,
    pub(crate) needs: SolveNeeds,
    pub(crate) times: SolveTimes,
    pub(crate) table: Option<WrittenTable>,
    pub(crate) folder: Option<TaskFolder>,
}

/// Result of a [`DistanceTask`].
pub(crate) struct ErasedDistanceOutcome {
    pub(crate) distances: Arc<dyn ErasedDistances>,
    pub(crate) needs: DistanceNeeds,
    pub(crate) times: SolveTimes,
    pub(crate) table: Option<WrittenTable>,
}

/// Distances of the states of a game from its start.
pub(crate) trait ErasedDistances: Send + Sync {
    /// Returns the number of states at each distance, from 0.
    fn states(&self) -> Vec<u64>;
    fn line_to(&self, position: &Position) -> Result<Option<AnyShortestLine>, GamesError>;
}

/// Values of a solved game, and their counts.
pub(crate) trait ErasedSolution: ErasedValues {
    fn has_values(&self) -> bool;
    fn value_bytes(&self) -> u64;
    fn states(&self) -> Option<&ForbiddenMoveSolution>;
    fn strategy_move(&self) -> Option<AnyMove>;
    fn winner(&self) -> Option<FoundWinner>;
    fn sample(&self) -> Option<SampleCounts>;
    fn start_value(&self) -> Answer;
    fn summary(&self) -> Summary;
    fn histogram(&self) -> Option<Histogram>;
}
