//! Puzzles among positions drawn at random.

use std::collections::HashSet;

use hindsight_puzzles::{HardestPuzzles, PuzzleCriteria, PuzzleTheme, Uniqueness};

use crate::any_puzzle::AnyPuzzle;
use crate::any_value::Position;
use crate::error::GamesError;
use crate::game::AnyGame;
use crate::values::Values;

/// Places whose positions are looked at together.
const BATCH_PLACES: usize = 1 << 14;

/// Search for puzzles among positions drawn at random.
///
/// The default looks for the 10 hardest wins with one solution, among 100,000 places and with
/// seed 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuzzleSearch {
    /// Criteria of a puzzle.
    pub criteria: PuzzleCriteria,
    /// Most puzzles that are returned.
    pub count: usize,
    /// Places that are drawn, as by [`Values::sample`].
    pub sample: usize,
    /// Seed. The same seed gives the same puzzles.
    pub seed: u64,
}

impl Default for PuzzleSearch {
    fn default() -> Self {
        Self {
            criteria: PuzzleCriteria {
                unique: Uniqueness::Line,
                theme: None,
                plies: 1..=u16::MAX,
            },
            count: 10,
            sample: 100_000,
            seed: 1,
        }
    }
}

/// Puzzles of a [`PuzzleSearch`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundPuzzles {
    /// The hardest puzzles, hardest first.
    pub puzzles: Vec<AnyPuzzle>,
    /// Number of puzzles found, returned or not.
    pub found: u64,
    /// Number of different places drawn, holes included.
    pub places: u64,
}

impl AnyGame {
    /// Returns the themes of puzzles that the game can have.
    ///
    /// ```
    /// let names = |spec| -> Result<Vec<&str>, hindsight_games::Error> {
    ///     let themes = hindsight_games::game(spec)?.puzzle_themes();
    ///     Ok(themes.into_iter().map(|theme| theme.name()).collect())
    /// };
    /// assert_eq!(names("onitama:3x3:boar")?, ["sacrifice", "quiet", "only", "swindle"]);
    /// assert_eq!(names("tic-tac-toe")?, ["only", "swindle"]);
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    #[must_use]
    pub fn puzzle_themes(&self) -> Vec<PuzzleTheme> {
        let game = self.erased();
        let themes = PuzzleTheme::ALL.into_iter();
        themes
            .filter(|theme| game.check_theme(*theme).is_ok())
            .collect()
    }
}

impl Values {
    /// Looks for puzzles among positions drawn at random: positions with one solution.
    ///
    /// In a game in which a move may be forbidden, all states of a place are looked at, and the
    /// first puzzle of a position stands for all.
    ///
    /// # Errors
    /// As [`Values::sample`]; [`Error::Theme`](crate::Error::Theme) if the game cannot have the
    /// theme; [`Error::Inconsistent`](crate::Error::Inconsistent) if a value does not follow from
    /// those of the moves.
    ///
    /// ```
    /// use hindsight_games::{Method, Options, PuzzleSearch};
    ///
    /// let game = hindsight_games::game("quoridor:3x3:1")?;
    /// let solved = game.solve(Method::Auto, &Options::default())?;
    /// let found = solved.values().puzzles(&PuzzleSearch::default())?;
    /// let hardest = &found.puzzles[0];
    /// assert_eq!(hardest.value, solved.probe(&hardest.position)?.exact().expect("a value"));
    /// assert_eq!(Some(hardest.line.len()), hardest.grade.plies.map(usize::from));
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn puzzles(&self, search: &PuzzleSearch) -> Result<FoundPuzzles, GamesError> {
        let game = self.game().erased();
        if let Some(theme) = search.criteria.theme {
            game.check_theme(theme).map_err(GamesError::Theme)?;
        }
        let drawn = self.draw_places(search.sample, search.seed)?;
        let mut hardest = HardestPuzzles::new(search.count);
        let mut seen = HashSet::new();
        for places in drawn.places.chunks(BATCH_PLACES) {
            let positions = drawn.positions_in(places);
            let positions: Vec<Position> = positions.into_iter().flatten().collect();
            let puzzles = self.source().find_puzzles(&positions, &search.criteria)?;
            let mut new = Vec::with_capacity(puzzles.len());
            for puzzle in puzzles {
                if seen.insert(game.without_forbidden_move(&puzzle.position)?) {
                    new.push(puzzle);
                }
            }
            hardest.add(new);
        }
        Ok(FoundPuzzles {
            found: hardest.found(),
            puzzles: hardest.finish(),
            places: drawn.places.len() as u64,
        })
    }
}
