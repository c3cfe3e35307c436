//! Puzzles among positions drawn at random.

use std::collections::HashSet;
use std::time::Instant;

use hindsight_core::Packed;
use hindsight_puzzles::{
    Puzzle, PuzzleChoice, PuzzleCriteria, PuzzleSelection, PuzzleTheme, Uniqueness,
};
use hindsight_run::Progress;

use super::Values;
use crate::error::GamesError;
use crate::games::game::AnyGame;
use crate::positions::any_puzzle::AnyPuzzle;
use crate::tasks::options::{Options, time_of};

/// Places whose positions are looked at together.
const BATCH_PLACES: usize = 1 << 14;
/// Places between two looks at the limits.
const LIMITED_BATCH_PLACES: usize = 1 << 9;

/// Search for puzzles among positions drawn at random.
///
/// The default looks for the 10 hardest wins with one solution of which no two are alike, among
/// 100,000 places and with seed 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuzzleSearch {
    /// Criteria of a puzzle.
    pub criteria: PuzzleCriteria,
    /// Way to choose among the puzzles found.
    pub choice: PuzzleChoice,
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
            criteria: PuzzleCriteria { unique: Uniqueness::Line, theme: None, plies: 1..=u16::MAX },
            choice: PuzzleChoice::default(),
            count: 10,
            sample: 100_000,
            seed: 1,
        }
    }
}

/// Puzzles of a [`PuzzleSearch`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FoundPuzzles {
    /// The puzzles that were chosen, hardest first; of a mix easiest first.
    pub puzzles: Vec<AnyPuzzle>,
    /// Number of puzzles found, returned or not.
    pub found: u64,
    /// Number of different places looked at, holes included.
    pub places: u64,
    /// True if the search ended before it had looked at all places that were drawn.
    pub is_cut: bool,
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
        let game = self.parts();
        let themes = PuzzleTheme::ALL.into_iter();
        themes.filter(|theme| game.check_theme(*theme).is_ok()).collect()
    }
}

impl Values {
    /// Looks for puzzles among positions drawn at random: positions with one solution.
    ///
    /// In a game in which a move may be forbidden, all states of a place are looked at, and the
    /// first puzzle of a position stands for all.
    ///
    /// The search ends when the seconds of the options are over, or when their listener stops it.
    /// It then returns what it has found. Places are looked at in their order.
    ///
    /// # Errors
    /// As [`Values::sample`]; [`Error::Theme`](crate::Error::Theme) if the game cannot have the
    /// theme; [`Error::PuzzleCount`](crate::Error::PuzzleCount) if too many are to be chosen;
    /// [`Error::Inconsistent`](crate::Error::Inconsistent) if a value does not follow from
    /// those of the moves.
    ///
    /// ```
    /// use hindsight_games::{Method, Options, PuzzleSearch};
    ///
    /// let game = hindsight_games::game("quoridor:3x3:1")?;
    /// let solved = game.solve(Method::Auto, &Options::default())?;
    /// let found = solved.values().puzzles(&PuzzleSearch::default(), &Options::default())?;
    /// let hardest = &found.puzzles[0];
    /// assert_eq!(hardest.value, solved.probe(&hardest.position)?.exact().expect("a value"));
    /// assert_eq!(Some(hardest.line.len()), hardest.grade.plies.map(usize::from));
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn puzzles(
        &self,
        search: &PuzzleSearch,
        options: &Options,
    ) -> Result<FoundPuzzles, GamesError> {
        let limits = SearchLimits::new(options);
        let game = self.game().parts();
        if let Some(theme) = search.criteria.theme {
            game.check_theme(theme).map_err(GamesError::Theme)?;
        }
        let checked = search.choice.check_count(search.count);
        checked.map_err(GamesError::PuzzleCount)?;
        let symmetric = self.game().with_symmetry().parts();
        let profile = |puzzle: &Puzzle| symmetric.puzzle_profile(puzzle);
        let wrap = |puzzle: &Puzzle| game.named.wrap_puzzle(puzzle);
        let drawn = self.draw_places(search.sample, search.seed)?;
        let mut selection = PuzzleSelection::new(search.choice, search.count, &profile);
        let mut seen = HashSet::new();
        let (mut looked_at, total) = (0, drawn.places.len());
        for places in drawn.places.chunks(limits.batch_places()) {
            if limits.are_reached(looked_at, total) {
                break;
            }
            let positions = drawn.positions_in(places);
            let positions = positions.iter().flatten().map(|position| game.named.unwrap(position));
            let positions: Vec<Packed> = positions.collect::<Result<_, _>>()?;
            let mut puzzles = self.source().find_puzzles(&positions, &search.criteria)?;
            puzzles.retain(|puzzle| seen.insert(game.without_forbidden_move(puzzle.position)));
            selection.add(puzzles);
            looked_at += places.len();
        }
        Ok(FoundPuzzles {
            found: selection.found(),
            puzzles: selection.finish().iter().map(wrap).collect(),
            places: looked_at as u64,
            is_cut: looked_at < total,
        })
    }
}

/// Limits of a search for puzzles.
struct SearchLimits<'a> {
    options: &'a Options,
    end: Option<Instant>,
}

impl<'a> SearchLimits<'a> {
    fn new(options: &'a Options) -> Self {
        let time = time_of(options.seconds);
        Self { options, end: time.and_then(|time| Instant::now().checked_add(time)) }
    }

    /// Returns the number of places to look at together.
    fn batch_places(&self) -> usize {
        match self.end.is_some() || self.options.progress.is_some() {
            true => LIMITED_BATCH_PLACES,
            false => BATCH_PLACES,
        }
    }

    /// Reports the places that were looked at; returns true if the search is to end.
    fn are_reached(&self, looked_at: usize, total: usize) -> bool {
        let progress =
            Progress { phase: "puzzles", done: looked_at as u64, total: Some(total as u64) };
        let listener = self.options.progress.as_ref();
        self.end.is_some_and(|end| Instant::now() >= end)
            || listener.is_some_and(|listener| !listener(progress))
    }
}
