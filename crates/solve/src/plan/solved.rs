//! Plans, and results of solves.

use std::convert::Infallible;
use std::ops::Range;
use std::time::{Duration, Instant};

use hindsight_bitplanes::SampleReport;
use hindsight_core::{Answer, Game, Packed, PackedGame, PackedMove, Probe, Value};
use hindsight_engine::checkpoint::Checkpoint;
use hindsight_engine::{Error, Histogram, Limits, StrongSolution, Summary, memory};

use super::choice::Choice;
use super::in_memory::{PlacedPosition, ValuesInMemory};
use super::io::SolveIo;
use super::needs::{Extent, SolveNeeds};
use crate::forbidden_move::ForbiddenMoveSolution;
use crate::graph::GraphSolution;
use crate::proof::ProofTables;
use crate::sorted::SortedSolution;

/// A solve that is ready to start.
#[must_use]
pub struct SolvePlan<'g> {
    needs: SolveNeeds,
    limits: Limits,
    run: Box<RunSolve<'g>>,
}

/// Solve of one method.
type RunSolve<'g> = dyn FnOnce(SolveIo<'_>) -> Result<Solved, Error> + 'g;

impl<'g> SolvePlan<'g> {
    pub(super) fn new(
        needs: SolveNeeds,
        limits: Limits,
        run: impl FnOnce(SolveIo<'_>) -> Result<Solved, Error> + 'g,
    ) -> Self {
        Self { needs, limits, run: Box::new(run) }
    }

    /// Notes the choice that led to the plan.
    pub(super) fn chosen(mut self, choice: Option<Choice>) -> Self {
        self.needs.choice = choice;
        self
    }

    /// Needs of the solve.
    #[must_use]
    pub fn needs(&self) -> SolveNeeds {
        self.needs
    }

    /// Checks that the solve fits into the memory allowed.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if it does not.
    pub fn check(&self) -> Result<(), Error> {
        let (needed, limit) = (self.needs.memory, self.limits.memory);
        if needed <= limit {
            return Ok(());
        }
        Err(Error::TooLarge { ranks: self.needs.extent.positions().unwrap_or(0), needed, limit })
    }

    /// Solves the game.
    ///
    /// # Errors
    /// As [`SolvePlan::check`]; [`Error::NoMemory`] if the system refuses what the plan needs; then
    /// any error of the solver.
    ///
    /// # Panics
    /// If `io` lacks the checkpoint or the random bits that the request asks for.
    pub fn run(self, io: SolveIo<'_>) -> Result<Solved, Error> {
        self.check()?;
        if self.needs.extent.positions().is_some() {
            memory::ask(self.needs.memory)?;
        }
        let begin = Instant::now();
        // Tiles are the memory of a solve by slices: it works while it reads and writes them.
        let is_by_slices = matches!(self.needs.extent, Extent::Slices(_));
        let checkpoint = io.checkpoint.filter(|_| !is_by_slices);
        let spent = || checkpoint.map_or(Duration::ZERO, Checkpoint::spent);
        let spent_before = spent();
        let mut solved = (self.run)(io)?;
        solved.times.storing += spent() - spent_before;
        solved.times.solving = begin.elapsed().saturating_sub(solved.times.storing);
        Ok(solved)
    }
}

/// Result of a solve.
pub struct Solved {
    /// Value of the start; without its remoteness from [`Method::Forward`](super::Method::Forward)
    /// and [`Method::Proof`](super::Method::Proof). From searches it may be unknown.
    pub start: Answer,
    /// Totals.
    pub summary: Summary,
    /// Positions by value; `None` from [`Method::Forward`](super::Method::Forward) and from
    /// searches.
    pub histogram: Option<Histogram>,
    /// Counts of states, of a game in which a move may be forbidden.
    pub states: Option<ForbiddenMoveSolution>,
    /// A first move that keeps the value, from [`Method::Forward`](super::Method::Forward) and
    /// searches. Of a lost start only [`Method::Search`](super::Method::Search) has one: that which
    /// delays the loss.
    pub strategy_move: Option<PackedMove>,
    /// Result of [`Method::Proof`](super::Method::Proof) and
    /// [`Method::Search`](super::Method::Search).
    pub winner: Option<FoundWinner>,
    /// Result of the check by positions drawn at random.
    pub sample: Option<SampleReport>,
    /// Time that the solve took.
    pub times: SolveTimes,
    pub(super) values: Option<ValuesInMemory>,
}

/// Result of a search for the winner.
#[derive(Clone, Copy, Debug)]
pub struct FoundWinner {
    /// For the side to move and for the other, true if it can force a win; `None` if unknown.
    pub wins: [Option<bool>; 2],
    /// Worst and best value that the start may have, for the side to move, from
    /// [`Method::Search`](super::Method::Search).
    pub bounds: Option<[Value; 2]>,
    /// Tables in which lines of the search ended.
    pub tables: ProofTables,
}

/// Time that a solve took.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SolveTimes {
    /// Time without `storing`.
    pub solving: Duration,
    /// Time spent in stores and checkpoint, but for the tiles of a solve by slices.
    pub storing: Duration,
}

impl Solved {
    /// Returns the result of a solve of reachable positions, with all values.
    #[must_use]
    pub fn of_graph(solution: GraphSolution) -> Self {
        let start = Answer::Exact(solution.value(0));
        let summary = solution.summary();
        Self {
            histogram: Some(solution.histogram()),
            values: Some(ValuesInMemory::Graph(solution)),
            ..Self::new(start, summary)
        }
    }

    pub(super) fn of_sorted(start: Value, solution: SortedSolution) -> Self {
        let summary = solution.summary;
        Self {
            histogram: Some(solution.histogram.clone()),
            values: Some(ValuesInMemory::Sorted(solution)),
            ..Self::new(Answer::Exact(start), summary)
        }
    }

    pub(super) fn strong(solution: StrongSolution) -> Self {
        Self {
            histogram: Some(solution.histogram),
            ..Self::new(Answer::Exact(solution.start), solution.summary)
        }
    }

    pub(super) fn new(start: Answer, summary: Summary) -> Self {
        Self {
            start,
            summary,
            histogram: None,
            states: None,
            strategy_move: None,
            winner: None,
            sample: None,
            times: SolveTimes::default(),
            values: None,
        }
    }

    /// Returns a reader of the values; `None` if they were not kept in memory.
    ///
    /// `game` must be the solved one.
    pub fn reader<'a>(&'a self, game: &'a PackedGame) -> Option<impl Probe<Error = Infallible>> {
        let values = self.values.as_ref()?;
        Some(SolvedReader { game, values })
    }

    /// Returns the number of places of the values in memory; 0 if none were kept.
    ///
    /// A place has a position, or is a hole. Places are numbered from 0.
    #[must_use]
    pub fn places(&self) -> u64 {
        self.values.as_ref().map_or(0, ValuesInMemory::places)
    }

    /// Returns the position in a place; `None` after the last place.
    #[must_use]
    pub fn position_in(&self, place: u64) -> Option<PlacedPosition> {
        self.values.as_ref()?.position_in(place)
    }

    /// Returns those of some places that have a wanted value, ascending. In a game in which a move
    /// may be forbidden, the value with no move forbidden counts, and that without the only best
    /// move.
    pub fn places_with<'a>(
        &'a self,
        places: Range<u64>,
        wanted: &'a dyn Fn(Value) -> bool,
    ) -> impl Iterator<Item = u64> + 'a {
        let values = self.values.iter();
        values.flat_map(move |values| values.places_with(places.clone(), wanted))
    }

    /// Returns the value of a position that was reached from the start; `None` if it was not, or
    /// after a solve of other positions. The rules are not asked.
    #[must_use]
    pub fn reached_value(&self, game: &PackedGame, position: Packed) -> Option<Value> {
        self.values.as_ref()?.reached_value(game, position)
    }

    /// Returns the positions that were reached from the start, with their values: in the order in
    /// which they were met, or sorted after a solve with a checkpoint. None after a solve of other
    /// positions.
    pub fn reached(&self, places: Range<u64>) -> impl Iterator<Item = (Packed, Value)> + '_ {
        let values = self.values.iter();
        values.flat_map(move |values| values.reached(places.clone()))
    }

    /// Returns the position with a number and its value, if it was reached from the start.
    #[must_use]
    pub fn reached_as(&self, number: usize) -> Option<(Packed, Value)> {
        let number = number as u64;
        self.values.as_ref()?.reached(number..number + 1).next()
    }

    /// Returns the positions and values of a solve that has sorted them.
    #[must_use]
    pub fn sorted(&self) -> Option<&SortedSolution> {
        match &self.values {
            Some(ValuesInMemory::Sorted(solution)) => Some(solution),
            _ => None,
        }
    }

    /// True if values of every position were kept, not only of those that the start leads to.
    #[must_use]
    pub fn has_every_position(&self) -> bool {
        matches!(&self.values, Some(ValuesInMemory::Layers(_) | ValuesInMemory::States(_)))
    }

    /// Returns the bytes of memory of the values; 0 if none were kept.
    #[must_use]
    pub fn value_bytes(&self) -> u64 {
        self.values.as_ref().map_or(0, ValuesInMemory::bytes)
    }

    /// Signature of the solve.
    #[must_use]
    pub fn signature(&self) -> String {
        self.summary.signature(self.histogram.as_ref())
    }
}

/// Reads values that a solve has kept in memory.
struct SolvedReader<'a> {
    game: &'a PackedGame,
    values: &'a ValuesInMemory,
}

impl Probe for SolvedReader<'_> {
    type Error = Infallible;

    fn probe(&self, position: Packed) -> Result<Answer, Infallible> {
        Ok(match self.game.terminal(position) {
            Some(wdl) => Answer::Exact(Value::terminal(wdl)),
            None => self.values.read(self.game, position),
        })
    }
}
