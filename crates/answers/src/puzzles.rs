use hindsight_games::{
    AnyGame, AnyPuzzle, Error, FoundPuzzles, ProofNode, PuzzleGrade, PuzzleSearch,
};
use serde::Serialize;

use crate::known_value::wdl_word;

/// Puzzles of a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PuzzlesAnswer {
    /// Spec of the game in its normal form.
    pub game: String,
    /// Theme that was asked for; null for any.
    pub theme: Option<String>,
    /// Kind of uniqueness that was asked for.
    pub unique: String,
    /// Positions that were looked at.
    pub scanned: ScannedPositions,
    /// Number of puzzles found.
    pub found: u64,
    /// The puzzles that were chosen, hardest first; of a mix easiest first.
    pub puzzles: Vec<PuzzleAnswer>,
}

/// Positions among which puzzles were looked for.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ScannedPositions {
    /// `all` (of a table), `reachable` (of a spec) or `sample`.
    pub scope: &'static str,
    /// Number of positions; of a sample, the number of different ranks drawn, holes included.
    pub positions: u64,
    /// Seed of a sample.
    pub seed: Option<u64>,
}

/// A position with one solution.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PuzzleAnswer {
    /// Position to be solved.
    pub position: String,
    /// Name of the side to move, which solves the puzzle.
    pub player: &'static str,
    /// Value of the position for the side to move.
    pub value: String,
    /// Plies to the end; null for draws.
    pub remoteness: Option<u16>,
    /// The solution.
    pub line: Vec<PuzzlePly>,
    /// Position after the solution.
    pub end: String,
    /// Measures of difficulty.
    pub grade: GradeAnswer,
}

/// One ply of a solution.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PuzzlePly {
    /// Position before the move.
    pub position: String,
    /// The move.
    pub r#move: String,
}

/// Measures of the difficulty of a puzzle.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct GradeAnswer {
    /// Plies of the win; null for draws.
    pub plies: Option<u16>,
    /// Wrong moves that look good.
    pub tempting: u32,
    /// True if the first move neither captures nor threatens.
    pub quiet: bool,
    /// Wrong moves along the solution.
    pub wrong: u32,
    /// Difficulty in stars, from 1 to 5.
    pub stars: u8,
}

/// Puzzles with proofs of their values.
#[derive(Clone, Debug, Serialize)]
pub struct CertificateAnswer {
    /// Spec of the game in its normal form.
    pub game: String,
    /// Theme that was asked for; null for any.
    pub theme: Option<String>,
    /// Kind of uniqueness that was asked for.
    pub unique: String,
    /// True if the proofs also show that every other move is worse.
    pub full: bool,
    /// The puzzles.
    pub puzzles: Vec<ProvedPuzzle>,
}

/// A puzzle with a proof of its value.
#[derive(Clone, Debug, Serialize)]
pub struct ProvedPuzzle {
    /// Position to be solved.
    pub position: String,
    /// Name of the side to move, which solves the puzzle.
    pub player: &'static str,
    /// Value of the position for the side to move.
    pub value: String,
    /// Plies to the end; null for draws.
    pub remoteness: Option<u16>,
    /// Nodes of the proof graph; the first is the puzzle.
    pub positions: Vec<ProofNode>,
}

impl PuzzlesAnswer {
    /// Returns the puzzles of a search in a sample as an answer.
    ///
    /// # Errors
    /// As [`AnyGame::format`].
    pub fn of_sample(
        game: &AnyGame,
        search: &PuzzleSearch,
        found: &FoundPuzzles,
    ) -> Result<Self, Error> {
        let scanned =
            ScannedPositions { scope: "sample", positions: found.places, seed: Some(search.seed) };
        Self::new(game, search, found, scanned)
    }

    /// Returns the puzzles of a search as an answer.
    ///
    /// # Errors
    /// As [`AnyGame::format`].
    pub fn new(
        game: &AnyGame,
        search: &PuzzleSearch,
        found: &FoundPuzzles,
        scanned: ScannedPositions,
    ) -> Result<Self, Error> {
        let puzzles = found.puzzles.iter();
        let puzzles = puzzles.map(|puzzle| PuzzleAnswer::new(game, puzzle));
        Ok(Self {
            game: game.spec().to_string(),
            theme: search.criteria.theme.map(|theme| theme.name().to_string()),
            unique: search.criteria.unique.name().to_string(),
            scanned,
            found: found.found,
            puzzles: puzzles.collect::<Result<_, _>>()?,
        })
    }
}

impl PuzzleAnswer {
    /// Returns a puzzle as an answer.
    ///
    /// # Errors
    /// As [`AnyGame::format`].
    pub fn new(game: &AnyGame, puzzle: &AnyPuzzle) -> Result<Self, Error> {
        let mut line = Vec::with_capacity(puzzle.line.len());
        for (position, mv) in &puzzle.line {
            line.push(PuzzlePly {
                position: game.format(position)?,
                r#move: game.format_move(position, mv)?,
            });
        }
        Ok(Self {
            position: game.format(&puzzle.position)?,
            player: game.player_names()[game.player_to_move(&puzzle.position)?],
            value: wdl_word(puzzle.value.wdl()).to_string(),
            remoteness: puzzle.value.remoteness(),
            line,
            end: game.format(&puzzle.end)?,
            grade: GradeAnswer::new(puzzle.grade),
        })
    }
}

impl GradeAnswer {
    /// Returns the grade of a puzzle as an answer.
    #[must_use]
    pub fn new(grade: PuzzleGrade) -> Self {
        Self {
            plies: grade.plies,
            tempting: grade.tempting_moves,
            quiet: grade.quiet_start,
            wrong: grade.wrong_moves,
            stars: grade.stars(),
        }
    }
}
