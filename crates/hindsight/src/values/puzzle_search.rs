//! Puzzles among all positions, or among some drawn at random.

use std::collections::{BTreeMap, HashSet};
use std::mem;
use std::time::{Duration, Instant};

use hindsight_core::{Packed, Structure};
use hindsight_engine::Progress;
use hindsight_puzzles::{
    Puzzle, PuzzleChoice, PuzzleCriteria, PuzzleError, PuzzleSelection, PuzzleTally, PuzzleTheme,
    SacrificeCounts, SacrificeStates, Uniqueness, find_puzzles, tally_puzzles,
};

use super::Values;
use crate::error::GamesError;
use crate::games::game::AnyGame;
use crate::positions::any_puzzle::AnyPuzzle;
use crate::positions::any_value::Position;
use crate::tasks::options::{Options, check_memory, time_of};

/// Places that are looked at together first.
const FIRST_BATCH_PLACES: usize = 1 << 9;
/// Most places that are looked at together.
const MAX_BATCH_PLACES: usize = 1 << 14;
/// Time of a batch after which the next one is no larger.
const BATCH_TIME: Duration = Duration::from_millis(100);
/// Places whose values are looked at together.
const CHUNK_PLACES: usize = 1 << 17;

/// Search for puzzles.
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
    /// Places that are drawn, as by [`Values::sample`]; `None` for all places.
    pub sample: Option<usize>,
    /// Seed of the draw. The same seed gives the same puzzles.
    pub seed: u64,
}

impl Default for PuzzleSearch {
    fn default() -> Self {
        Self {
            criteria: PuzzleCriteria { unique: Uniqueness::Line, theme: None, plies: 1..=u16::MAX },
            choice: PuzzleChoice::default(),
            count: 10,
            sample: Some(100_000),
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
    /// Number of different places looked at: holes included if they were drawn, else without them.
    pub places: u64,
    /// True if the search ended before it had looked at all places.
    pub is_cut: bool,
}

/// Counts of the puzzles of a [`PuzzleSearch`].
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TalliedPuzzles<T> {
    /// The counts.
    pub tally: T,
    /// As in [`FoundPuzzles`].
    pub places: u64,
    /// As in [`FoundPuzzles`].
    pub is_cut: bool,
}

/// Counts of the states that only a sacrifice wins, by plies to the end.
pub type SacrificeTally = BTreeMap<u16, SacrificeCounts>;

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
    /// Looks for puzzles: positions with one solution.
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
        let checked = search.choice.check_count(search.count);
        checked.map_err(GamesError::PuzzleCount)?;
        let symmetric = self.game().with_symmetry().parts();
        let profile = |puzzle: &Puzzle| symmetric.puzzle_profile(puzzle);
        let wrap = |puzzle: &Puzzle| self.game().named().wrap_puzzle(puzzle);
        let mut selection = PuzzleSelection::new(search.choice, search.count, &profile);
        let mut repeats = Repeats::new(self);
        let (places, is_cut) = self.look_at(search, options, &mut |positions| {
            let mut puzzles = find_puzzles(
                self.game().rules(),
                || self.source().reader(),
                positions,
                &search.criteria,
            )
            .map_err(error_of)?;
            puzzles.retain(|puzzle| repeats.is_new(puzzle.position));
            selection.add(puzzles);
            Ok(())
        })?;
        Ok(FoundPuzzles {
            found: selection.found(),
            puzzles: selection.finish().iter().map(wrap).collect(),
            places,
            is_cut,
        })
    }

    /// Counts positions with the theme and the length of a search, of any uniqueness; in a game in
    /// which a move may be forbidden, states.
    ///
    /// # Errors
    /// As [`Values::puzzles`].
    pub fn tally_puzzles(
        &self,
        search: &PuzzleSearch,
        options: &Options,
    ) -> Result<TalliedPuzzles<PuzzleTally>, GamesError> {
        let mut tally = PuzzleTally::default();
        let (places, is_cut) = self.look_at(search, options, &mut |positions| {
            let batch = tally_puzzles(
                self.game().rules(),
                || self.source().reader(),
                positions,
                &search.criteria,
            )
            .map_err(error_of)?;
            tally = mem::take(&mut tally).merged(batch);
            Ok(())
        })?;
        Ok(TalliedPuzzles { tally, places, is_cut })
    }

    /// Counts the states of a table that only a sacrifice wins, of any length. `None` if the values
    /// are not a table of a game in which a move may be forbidden.
    ///
    /// # Errors
    /// As [`Values::puzzles`].
    pub fn tally_sacrifices(
        &self,
        options: &Options,
    ) -> Result<Option<TalliedPuzzles<SacrificeTally>>, GamesError> {
        self.check_theme(PuzzleTheme::Sacrifice)?;
        let limits = SearchLimits::new(options);
        let mut sum = TalliedPuzzles::<SacrificeTally>::default();
        let mut take = |found: SacrificeStates, progress: Progress| {
            for (&plies, counts) in &found.counts {
                sum.tally.entry(plies).or_default().add(counts);
            }
            sum.is_cut = progress.total != Some(progress.done) && limits.are_reached(progress);
            Ok(!sum.is_cut)
        };
        let Some(positions) = self.source().sacrifices(options.limits(), &mut take) else {
            return Ok(None);
        };
        sum.places = positions?;
        Ok(Some(sum))
    }

    fn check_theme(&self, theme: PuzzleTheme) -> Result<(), GamesError> {
        self.game().parts().check_theme(theme).map_err(GamesError::Theme)
    }

    /// Hands over all positions of a search that may be puzzles. Returns the number of places that
    /// were looked at, and true if these are not all.
    fn look_at(
        &self,
        search: &PuzzleSearch,
        options: &Options,
        take: TakePositions<'_>,
    ) -> Result<(u64, bool), GamesError> {
        if let Some(theme) = search.criteria.theme {
            self.check_theme(theme)?;
        }
        match search.sample {
            Some(count) => self.look_at_some(count, search.seed, options, take),
            None => self.look_at_all(&search.criteria, options, take),
        }
    }

    fn look_at_some(
        &self,
        count: usize,
        seed: u64,
        options: &Options,
        take: TakePositions<'_>,
    ) -> Result<(u64, bool), GamesError> {
        let drawn = self.draw_places(count, seed, options.limits())?;
        let (total, limits) = (drawn.places.len(), &mut SearchLimits::new(options));
        let positions_in = |places: &[u64]| drawn.positions_in(places);
        let progress = |looked_at| progress(looked_at as u64, total as u64);
        let looked_at =
            self.look_at_places(&drawn.places, &positions_in, &progress, limits, take)?;
        Ok((looked_at as u64, looked_at < total))
    }

    /// Hands over the positions in some places, and returns the number of places until a limit was
    /// reached. `progress` is that before the place of a number.
    fn look_at_places(
        &self,
        places: &[u64],
        positions_in: &dyn Fn(&[u64]) -> Vec<Vec<Position>>,
        progress: &dyn Fn(usize) -> Progress,
        limits: &mut SearchLimits<'_>,
        take: TakePositions<'_>,
    ) -> Result<usize, GamesError> {
        let named = self.game().named();
        let mut looked_at = 0;
        while looked_at < places.len() && !limits.are_reached(progress(looked_at)) {
            let end = places.len().min(looked_at + limits.batch_places());
            let positions = positions_in(&places[looked_at..end]);
            let positions = positions.iter().flatten().map(|position| named.unwrap(position));
            take(&positions.collect::<Result<Vec<Packed>, _>>()?)?;
            looked_at = end;
        }
        Ok(looked_at)
    }

    fn look_at_all(
        &self,
        criteria: &PuzzleCriteria,
        options: &Options,
        take: TakePositions<'_>,
    ) -> Result<(u64, bool), GamesError> {
        let (source, memory) = (self.source(), options.limits());
        let mut limits = SearchLimits::new(options);
        if criteria.theme == Some(PuzzleTheme::Sacrifice) {
            let mut is_cut = false;
            let mut take_states = |found: SacrificeStates, progress: Progress| {
                take(&found.states)?;
                is_cut = progress.total != Some(progress.done) && limits.are_reached(progress);
                Ok(!is_cut)
            };
            if let Some(positions) = source.sacrifices(memory, &mut take_states) {
                return Ok((positions?, is_cut));
            }
        }
        source.check_size(memory)?;
        let parts = source.parts()?;
        check_memory((0..parts.len()).map(|part| source.part_memory(part as u32)), memory)?;
        let total = parts.iter().map(|part| part.places).sum();
        let is_wanted = |value| criteria.accepts_value(value);
        let at = |done| progress(done, total);
        let (mut looked_at, mut before) = (0, 0);
        for (number, part) in (0..).zip(&parts) {
            let values = source.open_part(number)?;
            for first in (0..part.places).step_by(CHUNK_PLACES) {
                let chunk = first..part.places.min(first + CHUNK_PLACES as u64);
                let wanted: Vec<u64> = values.places_with(chunk.clone(), &is_wanted).collect();
                let positions_in = |places: &[u64]| values.positions_in(places);
                let progress = |i: usize| progress(before + wanted[i], total);
                let found =
                    self.look_at_places(&wanted, &positions_in, &progress, &mut limits, take)?;
                let end = wanted.get(found).copied().unwrap_or(chunk.end);
                looked_at += values.places_with(chunk.start..end, &|_| true).count() as u64;
                if before + end < total && limits.are_reached(at(before + end)) {
                    return Ok((looked_at, true));
                }
            }
            before += part.places;
        }
        Ok((looked_at, false))
    }
}

/// Consumer of positions that may be puzzles.
type TakePositions<'a> = &'a mut dyn FnMut(&[Packed]) -> Result<(), GamesError>;

/// Tells which states are of one position, of which the first puzzle stands for all.
struct Repeats<'a> {
    values: &'a Values,
    /// The last position. In a table, the states of a position follow one another.
    last: Option<Packed>,
    /// All positions before, where a place may be a state.
    seen: HashSet<Packed>,
}

impl<'a> Repeats<'a> {
    fn new(values: &'a Values) -> Self {
        Self { values, last: None, seen: HashSet::new() }
    }

    /// Returns true for a position that none before is a state of.
    fn is_new(&mut self, position: Packed) -> bool {
        let game = self.values.game().parts();
        let plain = Some(game.without_forbidden_move(position));
        if mem::replace(&mut self.last, plain) == plain {
            return false;
        }
        let has_states = self.values.game().rules().structure() == Structure::ForbiddenMove;
        let may_return = has_states && !self.values.source().has_layers();
        plain.is_none_or(|plain| !may_return || self.seen.insert(plain))
    }
}

fn error_of(error: PuzzleError<GamesError>) -> GamesError {
    match error {
        PuzzleError::Probe(error) => error,
        PuzzleError::Inconsistent | PuzzleError::TooLong(_) => GamesError::Inconsistent,
    }
}

fn progress(done: u64, total: u64) -> Progress {
    Progress { phase: "puzzles", done, total: Some(total) }
}

/// Limits of a search for puzzles.
struct SearchLimits<'a> {
    options: &'a Options,
    end: Option<Instant>,
    /// Number of places that were looked at together, and when that began.
    batch: (usize, Instant),
}

impl<'a> SearchLimits<'a> {
    fn new(options: &'a Options) -> Self {
        let (time, now) = (time_of(options.seconds), Instant::now());
        let end = time.and_then(|time| now.checked_add(time));
        Self { options, end, batch: (FIRST_BATCH_PLACES / 2, now) }
    }

    /// Returns the number of places to look at together: twice as many as before if these took
    /// little time.
    fn batch_places(&mut self) -> usize {
        let (before, begun) = self.batch;
        let places = if begun.elapsed() < BATCH_TIME { 2 * before } else { before };
        self.batch = (places.min(MAX_BATCH_PLACES), Instant::now());
        self.batch.0
    }

    /// Reports the places that were looked at; returns true if the search is to end.
    fn are_reached(&self, progress: Progress) -> bool {
        let listener = self.options.progress.as_ref();
        self.end.is_some_and(|end| Instant::now() >= end)
            || listener.is_some_and(|listener| !listener(progress))
    }
}
