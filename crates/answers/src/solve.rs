use crate::report::{HistogramRow, histogram_rows};
use hindsight_core::{Answer, Value};
use hindsight_games::{
    AnyGame, Choice, Error, Method, Position, SampleCounts, SolveOutcome, WrittenTable, memory,
};
use serde::Serialize;

use crate::known_value::{ValueAnswer, wdl_word};

/// Result of a solve or of a search for the winner. What is not known or not counted is null.
#[derive(Clone, Debug, Serialize)]
pub struct SolveAnswer {
    /// Spec of the game in its normal form.
    pub game: String,
    /// Positions that were solved: `all` or `reachable`.
    pub scope: &'static str,
    /// Name of the solver.
    pub solver: &'static str,
    /// Solver that was chosen, and why; null if it was asked for.
    pub chosen: Option<ChosenSolver>,
    /// Name of the symmetry.
    pub symmetry: &'static str,
    /// The position that the solve began from.
    pub start: StartAnswer,
    /// Positions; of a search, those that it looked at.
    pub positions: Option<u64>,
    /// States, without those of positions that are won at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// Moves.
    pub edges: Option<u64>,
    /// Positions that the side to move wins.
    pub wins: Option<u64>,
    /// Positions that the side to move loses.
    pub losses: Option<u64>,
    /// Drawn positions.
    pub draws: Option<u64>,
    /// Positions, or states if there are any, by value and plies.
    pub histogram: Option<Vec<HistogramRow>>,
    /// Files and tables of a search.
    #[serde(flatten)]
    pub search: Option<SearchFiles>,
    /// Time of the solve in seconds, without that of writing.
    pub seconds: f64,
    /// Peak of the resident memory of the process; null if the system does not tell it.
    pub peak_memory_bytes: Option<u64>,
    /// Counts and hash by which solves of the same set are compared; `-` for a search.
    pub signature: String,
    /// The table that was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<TableFileAnswer>,
    /// Counts of a check by positions drawn at random; given only if all values agree.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub checked: Option<SampleAnswer>,
}

/// Value of the position that a solve began from.
#[derive(Clone, Debug, Serialize)]
pub struct StartAnswer {
    /// Value for the side to move.
    pub value: Option<&'static str>,
    /// Plies to the end; null for draws.
    pub remoteness: Option<u16>,
    /// Knowledge of a search.
    #[serde(flatten)]
    pub search: Option<SearchKnowledge>,
    /// The position.
    pub position: String,
}

/// Knowledge of a search about the position that it began from.
#[derive(Clone, Debug, Serialize)]
pub struct SearchKnowledge {
    /// True if the side to move can force a win.
    pub mover_wins: Option<bool>,
    /// True if the other side can force a win.
    pub other_wins: Option<bool>,
    /// Move of a strategy that keeps the value.
    pub best_move: Option<String>,
    /// Worst and best value that the position may have, from a null-window search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[ValueAnswer; 2]>,
}

/// Tables that a search used, and the file of a strategy that it found.
#[derive(Clone, Debug, Serialize)]
pub struct SearchFiles {
    /// Tables of positions with few students, in which lines of the search ended.
    pub tables: Option<SmallTables>,
    /// The strategy that was written.
    pub strategy: Option<StrategyFileAnswer>,
}

/// Tables of positions with few students.
#[derive(Clone, Debug, Serialize)]
pub struct SmallTables {
    /// Most students a side.
    pub followers: u32,
    /// Positions in the tables.
    pub positions: u64,
    /// Time in seconds that the tables took.
    pub seconds: f64,
}

/// File of strategies that was written.
#[derive(Clone, Debug, Serialize)]
pub struct StrategyFileAnswer {
    /// Name of the file.
    pub file: String,
    /// Positions in which the side of a strategy is to move.
    pub positions: u64,
}

/// Solver that was chosen, and the reason.
#[derive(Clone, Debug, Serialize)]
pub struct ChosenSolver {
    /// Name of the solver.
    pub solver: &'static str,
    /// The reason, the end of a sentence.
    pub because: String,
}

/// Positions drawn at random whose values agree with those of their successors.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct SampleAnswer {
    /// Positions drawn.
    pub positions: u64,
    /// Their successors, counted with multiplicity.
    pub successors: u64,
}

/// Table that was written.
#[derive(Clone, Debug, Serialize)]
pub struct TableFileAnswer {
    /// Absolute path of the file.
    pub file: String,
    /// Layout of the values.
    pub layout: String,
    /// Length of the file.
    pub bytes: u64,
    /// Time of writing in seconds, layers included; not a part of the time of the solve.
    pub seconds: f64,
}

impl SolveAnswer {
    /// Returns the result of a solve that began from `start`, under a symmetry of a name.
    ///
    /// # Errors
    /// As [`AnyGame::format`].
    pub fn new(
        game: &AnyGame,
        start: &Position,
        symmetry: &'static str,
        outcome: &SolveOutcome,
        table: Option<TableFileAnswer>,
    ) -> Result<Self, Error> {
        let method = outcome.needs.method;
        let solved = &outcome.solved;
        let summary = solved.summary();
        let states = solved.states();
        let histogram = solved.histogram();
        let shown = states.map_or(histogram.as_ref(), |states| Some(&states.nontrivial));
        let scope = scope_name(method);
        Ok(Self {
            game: game.spec().to_string(),
            scope,
            solver: method.name(),
            chosen: outcome.needs.choice.map(ChosenSolver::from),
            symmetry,
            start: StartAnswer::new(game, start, solved.start_value())?,
            positions: Some(summary.positions),
            states: states.map(|states| states.nontrivial.positions()),
            edges: (scope == "reachable").then_some(summary.edges),
            wins: Some(summary.wins),
            losses: Some(summary.losses),
            draws: Some(summary.draws),
            histogram: shown.map(histogram_rows),
            search: None,
            seconds: outcome.times.solving.as_secs_f64(),
            peak_memory_bytes: memory::peak_bytes(),
            signature: solved.signature(),
            table,
            checked: solved.sample().map(SampleAnswer::from),
        })
    }
}

/// Returns the set of positions that a method counts: `all` or `reachable`.
#[must_use]
pub fn scope_name(method: Method) -> &'static str {
    match method {
        Method::Tiered | Method::Planes => "all",
        _ => "reachable",
    }
}

impl StartAnswer {
    /// Returns a position with its value as an answer.
    ///
    /// # Errors
    /// As [`AnyGame::format`].
    pub fn new(game: &AnyGame, start: &Position, answer: Answer) -> Result<Self, Error> {
        Ok(Self {
            value: answer.wdl().map(wdl_word),
            remoteness: answer.exact().and_then(Value::remoteness),
            search: None,
            position: game.format(start)?,
        })
    }
}

impl From<Choice> for ChosenSolver {
    fn from(choice: Choice) -> Self {
        Self { solver: choice.method.name(), because: choice.reason.to_string() }
    }
}

impl From<SampleCounts> for SampleAnswer {
    fn from(sample: SampleCounts) -> Self {
        Self { positions: sample.positions, successors: sample.successors }
    }
}

impl TableFileAnswer {
    /// Describes a table that was written to a file of a name.
    #[must_use]
    pub fn new(file: String, table: WrittenTable) -> Self {
        Self {
            file,
            layout: table.layout.to_string(),
            bytes: table.bytes,
            seconds: table.time.as_secs_f64(),
        }
    }
}
