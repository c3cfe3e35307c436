//! Reviews of played games: what each move gave away, and the better move. The source is a table, a
//! solve, or analyses from the last position to the first.

use std::time::{Duration, Instant};

use hindsight_analysis::{EstimateLimits, GivenAway, ReviewedMove, review_moves};
use hindsight_core::Wdl;
use hindsight_engine::checkpoint::Blobs;
use hindsight_engine::{Limits, Monitor, Progress};
use hindsight_solve::plan::Method;

use super::cache::AnalysisStore;
use super::memory::AnalysisMemory;
use crate::error::GamesError;
use crate::games::game::AnyGame;
use crate::positions::any_value::{AnyMove, Position};
use crate::solving::solved::SolvedGame;
use crate::tasks::analysis::{AnalysisWatcher, AnyAnalysis};
use crate::tasks::options::Options;
use crate::values::Values;

/// Share of the time within which a game is solved at once.
const SOLVE_SHARE: f64 = 0.5;
/// Seconds within which a game is solved at once if there is no limit of time.
const SOLVE_SECONDS: f64 = 60.0;
/// Share of the time for the first estimates of all positions.
const ESTIMATE_SHARE: f64 = 0.2;
/// Most of the time that is left after them for an endgame, which all analyses use.
const ENDGAME_SHARE: f64 = 0.5;
/// Part `1 / RESULT_DIVISOR` of the time that is left, or more near the beginning of the game, is
/// for the result of a position: the last positions are proved soonest, and those before them rest
/// on their results.
const RESULT_DIVISOR: u32 = 10;
/// Most time for the first estimate of a position.
const MAX_ESTIMATE_TIME: Duration = Duration::from_millis(200);

/// Review of a played game.
#[derive(Clone, Debug)]
pub struct GameReview {
    /// Player who made the first move, 0 or 1.
    pub first: usize,
    /// Moves in order, with values for the player who made them.
    pub plies: Vec<ReviewedMove<Position, AnyMove>>,
    /// Source of the values.
    pub source: ReviewSource,
}

/// Source of the values of a review.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReviewSource {
    /// A table: every value is known.
    Table,
    /// A solve of the game: every value is known.
    Solve,
    /// An analysis of each position.
    Analyses,
}

/// Counts of the moves of a player.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct PlayerReview {
    /// Moves.
    pub moves: u64,
    /// Moves that no other was better than, plies included, as far as that is proved.
    pub best_moves: u64,
    /// Moves that gave away a win or a draw, as far as that is proved.
    pub gave_away: u64,
    /// Moves of which it is not proved what they gave away.
    pub unknown: u64,
    /// Moves of which a loss is known, be it by estimates.
    pub judged: u64,
    /// Sum of these losses, as by [`GameReview::lost`].
    pub lost: f64,
}

impl PlayerReview {
    /// Returns the share of the value that the player kept, from 0 to 1: 1 if no move gave a result
    /// away, 0 if each turned a win into a loss. `None` if no move is judged.
    #[must_use]
    pub fn accuracy(&self) -> Option<f64> {
        (self.judged > 0).then(|| 1.0 - self.lost / (2.0 * self.judged as f64))
    }
}

impl GameReview {
    fn new(
        first: usize,
        analyses: Vec<AnyAnalysis>,
        moves: &[AnyMove],
        source: ReviewSource,
    ) -> Self {
        Self { first, plies: review_moves(analyses, moves), source }
    }

    /// Returns the player, 0 or 1, who made the move of an index from 0.
    #[must_use]
    pub fn player(&self, index: usize) -> usize {
        (self.first + index) % 2
    }

    /// Returns the counts of players 0 and 1.
    #[must_use]
    pub fn players(&self) -> [PlayerReview; 2] {
        let mut players = [PlayerReview::default(); 2];
        for (index, ply) in self.plies.iter().enumerate() {
            let player = &mut players[self.player(index)];
            player.moves += 1;
            player.best_moves += u64::from(ply.given_away == Some(GivenAway::Nothing));
            player.gave_away += u64::from(ply.given_away.is_some_and(GivenAway::is_result));
            player.unknown += u64::from(ply.given_away.is_none());
            if let Some(lost) = self.lost(index) {
                player.judged += 1;
                player.lost += lost;
            }
        }
        players
    }

    /// Returns by how much the move of an index lowered the value for its player, where a win is 1,
    /// a draw 0 and a loss -1; by estimates where nothing is proved. `None` if that is not known.
    #[must_use]
    pub fn lost(&self, index: usize) -> Option<f64> {
        let ply = &self.plies[index];
        let [before, after] = [ply.before, ply.after].map(|value| value.answer.wdl());
        match (ply.given_away, before, after) {
            (_, Some(before), Some(after)) => Some(f64::from(points(before) - points(after))),
            (Some(GivenAway::Nothing | GivenAway::Plies(_)), ..) => Some(0.0),
            (Some(GivenAway::Draw | GivenAway::Win), ..) | (None, ..) => ply.estimate_lost,
        }
    }

    /// Returns the indices of the moves that gave away a proved win or draw, in order.
    pub fn turning_points(&self) -> impl Iterator<Item = usize> + '_ {
        let gives = |ply: &ReviewedMove<_, _>| ply.given_away.is_some_and(GivenAway::is_result);
        (0..self.plies.len()).filter(move |&index| gives(&self.plies[index]))
    }

    /// Returns the indices of the worst moves of a player, the worst first: by what they lost, then
    /// by the plies that they gave away. Moves that lost less than `least` and no plies are left
    /// out.
    #[must_use]
    pub fn worst_moves(&self, player: usize, least: f64, most: usize) -> Vec<usize> {
        let plies = |index: usize| self.plies[index].given_away.and_then(GivenAway::plies);
        let cost = |index: usize| (self.lost(index).unwrap_or(0.0), plies(index).unwrap_or(0));
        let own = (0..self.plies.len()).filter(|&index| self.player(index) == player);
        let mut worst: Vec<usize> = own
            .filter(|&index| {
                let (lost, plies) = cost(index);
                lost >= least || plies > 0
            })
            .collect();
        worst.sort_by(|&a, &b| {
            let ((lost_a, plies_a), (lost_b, plies_b)) = (cost(a), cost(b));
            lost_b.total_cmp(&lost_a).then(plies_b.cmp(&plies_a))
        });
        worst.truncate(most);
        worst
    }
}

impl Values {
    /// Reviews a played game by known values alone.
    ///
    /// # Errors
    /// As [`Values::probe`]; [`Error::IllegalMove`](crate::Error::IllegalMove) if a move is not
    /// legal where it was played.
    ///
    /// ```
    /// use hindsight_games::{GivenAway, Method, Options};
    ///
    /// let game = hindsight_games::game("tic-tac-toe")?;
    /// let values = game.solve(Method::Auto, &Options::default())?.values().clone();
    /// let start = game.parse("xo./.../...")?;
    /// let moves = [game.parse_move(&start, "c3")?];
    /// let review = values.review(&start, &moves)?;
    /// assert_eq!(review.plies[0].before.answer.to_string(), "win in 5 plies");
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn review(&self, start: &Position, moves: &[AnyMove]) -> Result<GameReview, GamesError> {
        self.review_by(start, moves, ReviewSource::Table)
    }

    fn review_by(
        &self,
        start: &Position,
        moves: &[AnyMove],
        source: ReviewSource,
    ) -> Result<GameReview, GamesError> {
        let reader = self.reader();
        let positions = self.game().positions_of(start, moves)?;
        let analyses = positions.iter().map(|at| {
            let mut analysis = reader.values_of_moves(at)?;
            if analysis.answer.exact().is_none() {
                analysis.add(&self.game().glance(at, None)?);
            }
            Ok(analysis)
        });
        let analyses: Result<Vec<_>, GamesError> = analyses.collect();
        let first = self.game().player_to_move(start)?;
        Ok(GameReview::new(first, analyses?, moves, source))
    }
}

impl AnyGame {
    /// Reviews a played game: its moves from a position on.
    ///
    /// Values come from the table of the game in `cache`, if there is one. A game that is solved in
    /// a part of the time is solved. Otherwise all positions are estimated, and then
    /// [analysed](AnyGame::analyse) from the last to the first, for their results and then for the
    /// plies. Endgames that they share are solved once, before them. What the rules alone tell, as
    /// a win in one ply, is known however short the time is, and so is an estimate of each position
    /// of which they tell nothing.
    ///
    /// The listener of the options hears of the progress and may stop the work. The review then has
    /// what was known by then, and what the rules tell.
    ///
    /// # Errors
    /// As [`AnyGame::analyse`]; [`Error::IllegalMove`](crate::Error::IllegalMove) if a move is not
    /// legal where it was played.
    ///
    /// ```
    /// use hindsight_games::{GivenAway, Options};
    ///
    /// let game = hindsight_games::game("tic-tac-toe")?;
    /// let mut position = game.start();
    /// let mut moves = Vec::new();
    /// for text in ["b2", "a2", "a1"] {
    ///     moves.push(game.parse_move(&position, text)?);
    ///     position = game.play(&position, &moves[moves.len() - 1])?;
    /// }
    /// let review = game.review(&game.start(), &moves, &Options::default(), None)?;
    /// let given_away = review.plies.iter().map(|ply| ply.given_away);
    /// let expected = [GivenAway::Nothing, GivenAway::Draw, GivenAway::Nothing].map(Some);
    /// assert!(given_away.eq(expected));
    /// assert_eq!(review.players()[1].gave_away, 1);
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn review(
        &self,
        start: &Position,
        moves: &[AnyMove],
        options: &Options,
        cache: Option<&dyn AnalysisStore>,
    ) -> Result<GameReview, GamesError> {
        let started = Instant::now();
        if let Some(values) = cache.and_then(|cache| cache.values_of(self)) {
            // A table that cannot be read is no reason to say nothing.
            if let Ok(review) = values.review(start, moves) {
                return Ok(review);
            }
        }
        let positions = self.positions_of(start, moves)?;
        if let Some(solved) = self.solve_quickly(start, options)? {
            return solved.values().review_by(start, moves, ReviewSource::Solve);
        }
        let mut limits = options.limits();
        let kept = AnalysisMemory::new(limits.memory / 2);
        let cache: &dyn Blobs = match cache {
            Some(cache) => cache,
            None => {
                limits.memory /= 2;
                &kept
            }
        };
        let search = ReviewSearch { game: self, cache, limits, started };
        let analyses = search.analyses(&positions, options)?;
        let first = self.player_to_move(start)?;
        Ok(GameReview::new(first, analyses, moves, ReviewSource::Analyses))
    }

    /// Returns the positions of a played game: the first, and that after each move.
    fn positions_of(
        &self,
        start: &Position,
        moves: &[AnyMove],
    ) -> Result<Vec<Position>, GamesError> {
        let mut positions = vec![*start];
        for mv in moves {
            positions.push(self.play(&positions[positions.len() - 1], mv)?);
        }
        Ok(positions)
    }

    /// Solves all that may follow a position, or every position, if that takes a part of the time.
    fn solve_quickly(
        &self,
        start: &Position,
        options: &Options,
    ) -> Result<Option<SolvedGame>, GamesError> {
        let seconds = options.seconds.map(|seconds| seconds * SOLVE_SHARE);
        let part = Options { seconds: Some(seconds.unwrap_or(SOLVE_SECONDS)), ..options.clone() };
        let solved = if self.has_small_graph(&part) {
            self.solve_from(start, &part)
        } else if self.is_quick(&part) {
            self.solve(Method::Tiered, &part)
        } else {
            return Ok(None);
        };
        match solved {
            Ok(solved) => Ok(Some(solved).filter(SolvedGame::has_values)),
            // The analyses stop or end in time by themselves.
            Err(GamesError::Solve(error)) if error.is_lack() => Ok(None),
            Err(error) => Err(error),
        }
    }
}

fn points(wdl: Wdl) -> i8 {
    match wdl {
        Wdl::Win => 1,
        Wdl::Draw => 0,
        Wdl::Loss => -1,
    }
}

/// Analyses of the positions of a game, with their means.
struct ReviewSearch<'a> {
    game: &'a AnyGame,
    /// Endgames and proofs that the analyses share.
    cache: &'a dyn Blobs,
    limits: Limits,
    started: Instant,
}

impl ReviewSearch<'_> {
    /// Looks at all positions, then analyses them, the last first: for their results, and with the
    /// time that is left for plies.
    fn analyses(
        &self,
        positions: &[Position],
        options: &Options,
    ) -> Result<Vec<AnyAnalysis>, GamesError> {
        let total = positions.len() as u64;
        let mut watcher =
            ReviewWatcher { options, done: 0, total, wants_plies: false, stopped: false };
        let mut analyses = self.glances(positions, &mut watcher)?;
        if analyses.iter().all(|analysis| analysis.answer.exact().is_some()) {
            return Ok(analyses);
        }
        self.endgame(&positions[0], &mut watcher)?;
        for wants_plies in [false, true] {
            watcher = ReviewWatcher { done: 0, wants_plies, ..watcher };
            self.analyse(&mut analyses, &mut watcher)?;
        }
        Ok(analyses)
    }

    /// Keeps the endgame of a position in the cache, if half of its share of the time seems enough.
    fn endgame(
        &self,
        position: &Position,
        watcher: &mut ReviewWatcher<'_>,
    ) -> Result<(), GamesError> {
        let time = self.time_left().map(|left| left.mul_f64(ENDGAME_SHARE));
        let limits = Limits { time, ..self.limits };
        let parts = self.game.with_symmetry().parts();
        match parts.keep_endgame(position, limits, self.cache, watcher) {
            Err(GamesError::Solve(error)) if error.is_lack() => Ok(()),
            kept => kept,
        }
    }

    /// Analyses positions of which more is wanted, the last first, as far as time goes.
    fn analyse(
        &self,
        analyses: &mut [AnyAnalysis],
        watcher: &mut ReviewWatcher<'_>,
    ) -> Result<(), GamesError> {
        let parts = self.game.with_symmetry().parts();
        for (index, analysis) in analyses.iter_mut().enumerate().rev() {
            watcher.done += 1;
            if watcher.is_enough(analysis) {
                continue;
            }
            let before = index as u32 + 1;
            let divisor = if watcher.wants_plies { before } else { before.min(RESULT_DIVISOR) };
            let time = self.time_left().map(|time| time / divisor);
            // An analysis takes some time, however small its share is.
            if watcher.stopped || time.is_some_and(|time| time.is_zero()) {
                break;
            }
            let limits = Limits { time, ..self.limits };
            let cache = Some(self.cache);
            let found = parts.run_analysis(&analysis.position, limits, cache, watcher)?;
            let known = std::mem::replace(analysis, found);
            analysis.add(&known);
        }
        Ok(())
    }

    /// Returns what the rules tell of each position, with estimates until the watcher stops them.
    fn glances(
        &self,
        positions: &[Position],
        watcher: &mut ReviewWatcher<'_>,
    ) -> Result<Vec<AnyAnalysis>, GamesError> {
        let share = |left: Duration| left.mul_f64(ESTIMATE_SHARE) / positions.len() as u32;
        let time = self.time_left().map_or(MAX_ESTIMATE_TIME, share);
        let limits =
            EstimateLimits { time: time.min(MAX_ESTIMATE_TIME), memory: self.limits.memory };
        let glances = positions.iter().map(|position| {
            let is_estimated = watcher.goes_on();
            self.game.glance(position, is_estimated.then_some(limits))
        });
        glances.collect()
    }

    /// Returns the time that is left; `None` without a limit.
    fn time_left(&self) -> Option<Duration> {
        let spent = self.started.elapsed();
        let time = self.limits.time;
        time.map(|time| time.saturating_sub(spent))
    }
}

/// Watcher of the analyses, which reports the positions that are done.
struct ReviewWatcher<'a> {
    options: &'a Options,
    done: u64,
    total: u64,
    /// True if plies are wanted, and not results alone.
    wants_plies: bool,
    stopped: bool,
}

impl ReviewWatcher<'_> {
    /// Reports the progress. Returns false if the listener stops the review.
    fn goes_on(&mut self) -> bool {
        let phase = if self.wants_plies { "finding plies" } else { "reviewing" };
        let progress = Progress { phase, done: self.done, total: Some(self.total) };
        let listener = self.options.progress.as_ref();
        self.stopped |= listener.is_some_and(|listener| !listener(progress));
        !self.stopped
    }
}

impl AnalysisWatcher for ReviewWatcher<'_> {
    fn report(&mut self, _: Progress) -> bool {
        self.goes_on()
    }

    fn improved(&mut self, _: &AnyAnalysis) {}

    /// The moves have their values from the next positions.
    fn is_enough(&self, analysis: &AnyAnalysis) -> bool {
        if self.wants_plies {
            analysis.answer.exact().is_some()
        } else {
            analysis.answer.wdl().is_some()
        }
    }
}

impl Monitor for ReviewWatcher<'_> {
    fn report(&mut self, _: Progress) -> bool {
        self.goes_on()
    }
}
