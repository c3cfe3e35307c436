//! Search with tables of few followers as leaves. The tables grow with the time spent.

use std::mem;
use std::time::{Duration, Instant};

use hindsight_bitplanes::{
    BitplanePlan, InMemoryOptions, Instructions, SolvedPlanes, solve_planes,
};
use hindsight_core::{
    Game, Packed, PackedGame, Placement, Ranked, TwoSided, TwoSidedRules, Value, Wdl,
};
use hindsight_engine::checkpoint::Blobs;
use hindsight_engine::checkpoint::bytes::fnv_hash;
use hindsight_engine::{Error, Limits, Monitor};

use super::problem::{OracleValue, ProofProblem};
use super::solution::ProofSolution;
use super::two_searches::solve;

/// Estimated time, in seconds, in which one thread solves planes of a billion positions.
const SECONDS_PER_BILLION: f64 = 8.0;
/// Time grows with this power of the number of positions, since larger tables have longer wins.
const TIME_EXPONENT: f64 = 1.15;
/// Estimated bytes of kept planes that are read in a second.
const BYTES_READ_PER_SECOND: f64 = 5e8;
/// Time of a solve beyond which its planes are kept.
const TIME_WORTH_KEEPING: Duration = Duration::from_millis(300);

/// Solution with the tables that it used.
pub struct StagedProof {
    /// Result for the start, as far as it was found.
    pub solution: ProofSolution,
    /// Tables of the last search.
    pub tables: ProofTables,
}

/// Tables used by a search.
#[derive(Clone, Copy, Default, Debug)]
pub struct ProofTables {
    /// Most followers per side; 0 without tables.
    pub followers: u32,
    /// Positions in the tables.
    pub positions: u64,
    /// Time spent on the current and all earlier tables.
    pub spent: Duration,
    /// True if the current tables were read, not solved.
    pub were_kept: bool,
}

/// Same as [`super::solve`], with tables of few followers as leaves.
///
/// Begins without tables. Then solves tables of one follower per side, of two, and so on, as long
/// as they fit into memory and the start has as many. Each next table begins when a search has
/// taken as long as the table will take, or sooner if time is limited.
///
/// # Errors
/// [`Error::Stopped`] if the monitor stops the work on tables. [`Error::Thread`] as in
/// [`super::solve`].
pub fn solve_staged(
    game: &PackedGame,
    start: Packed,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<StagedProof, Error> {
    let mut stages = Stages::new(game, start, None, limits);
    loop {
        let next = stages.next_tables();
        let solution = stages.search(next.as_ref(), monitor)?;
        let is_over = solution.value().is_some() || solution.stopped;
        let tables = stages.tables;
        let next = next.filter(|_| !is_over);
        let solve = |next| stages.solve_tables(next, tables.followers + 1, monitor);
        let solved = next.map_or(Ok(false), solve)?;
        if !solved {
            return Ok(StagedProof { solution, tables });
        }
    }
}

/// Planes that tell something of a position, with the estimated time in which they are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlanesCost {
    /// Most followers of a side.
    pub followers: u32,
    /// Estimated time on the threads of the current rayon pool.
    pub time: Duration,
    /// True if they hold the position.
    pub holds_start: bool,
}

/// Returns the planes that may be solved for a position, of one follower a side, of two, and so on:
/// the last, if they fit into the memory, hold the position. None for a finished position.
pub fn planes_to_solve(game: &PackedGame, start: Packed, memory: u64) -> Vec<PlanesCost> {
    if game.placement(start).is_none() {
        return Vec::new();
    }
    let most = Stages::new(game, start, None, Limits::default()).max_followers;
    let costs = (1..=most).map_while(|followers| {
        let time = NextTables::new(game, followers, memory)?.solve_time;
        Some(PlanesCost { followers, time, holds_start: followers == most })
    });
    costs.collect()
}

/// Solves planes of `followers` a side, see [`planes_to_solve`]. They are kept in `cache` if they
/// took long.
///
/// If time is over before they are solved, the values that were found by then are returned.
///
/// # Errors
/// [`Error::Stopped`] if the monitor stops the work.
pub fn solve_endgame(
    game: &PackedGame,
    start: Packed,
    followers: u32,
    io: EndgameIo<'_>,
) -> Result<Option<Endgame>, Error> {
    let mut stages = Stages::new(game, start, io.cache, io.limits);
    let next = NextTables::new(game, followers, io.limits.memory);
    let Some(next) = next.filter(|_| game.placement(start).is_some()) else {
        return Ok(None);
    };
    stages.solve_tables(next, followers, io.monitor)?;
    Ok(Some(Endgame { planes: stages.planes, values: stages.values, tables: stages.tables }))
}

/// Means of a solve of planes.
pub struct EndgameIo<'a> {
    /// Planes of earlier solves.
    pub cache: Option<&'a dyn Blobs>,
    /// Memory and time allowed.
    pub limits: Limits,
    /// Hears of the progress.
    pub monitor: &'a mut dyn Monitor,
}

/// Returns the planes that [`read_endgame`] reads.
pub fn planes_to_read(
    game: &PackedGame,
    start: Packed,
    cache: &dyn Blobs,
    memory: u64,
) -> Option<PlanesCost> {
    let limits = Limits { memory, time: None };
    let stages = Stages::new(game, start, Some(cache), limits);
    stages.kept_tables().into_iter().next()
}

/// Reads the largest planes that are kept in `cache`, fit into memory, and are read in half of the
/// time.
pub fn read_endgame(
    game: &PackedGame,
    start: Packed,
    cache: &dyn Blobs,
    limits: Limits,
) -> Option<(SolvedPlanes, ProofTables)> {
    let mut stages = Stages::new(game, start, Some(cache), limits);
    stages.read_kept_tables();
    Some((stages.planes?, stages.tables))
}

/// Planes that were solved for a position.
pub struct Endgame {
    /// The planes; `None` if time was over before they were solved.
    pub planes: Option<SolvedPlanes>,
    /// Values of the position and of the positions after its moves, in the order of the moves, as
    /// far as they were found; none if the planes do not hold the position.
    pub values: Vec<Option<Value>>,
    /// Size of the planes; 0 without planes.
    pub tables: ProofTables,
}

/// Returns the value of a placement by planes, with the most plies of any of their values.
///
/// A player wins in an odd number of plies and loses in an even one, since no move ends the game in
/// favour of the opponent.
#[must_use]
pub fn value_by_planes(planes: &SolvedPlanes, placement: Placement) -> Option<OracleValue> {
    let wdl = planes.known(placement)?;
    let odd = planes.longest.div_ceil(2) * 2;
    let plies = match wdl {
        Wdl::Win => Some(odd.saturating_sub(1)),
        Wdl::Draw => None,
        Wdl::Loss => Some(planes.longest / 2 * 2),
    };
    Some(OracleValue { wdl, plies })
}

/// A search with tables on its way.
struct Stages<'a> {
    game: &'a PackedGame,
    rules: TwoSidedRules,
    start: Packed,
    /// Most followers of a side at the start: larger tables tell nothing more.
    max_followers: u32,
    cache: Option<&'a dyn Blobs>,
    limits: Limits,
    started: Instant,
    planes: Option<SolvedPlanes>,
    /// Size of `planes`.
    tables: ProofTables,
    /// See [`Endgame::values`].
    values: Vec<Option<Value>>,
}

impl<'a> Stages<'a> {
    fn new(
        game: &'a PackedGame,
        start: Packed,
        cache: Option<&'a dyn Blobs>,
        limits: Limits,
    ) -> Self {
        let followers = game.placement(start).map(|placement| placement.followers);
        let followers = followers.unwrap_or_default().map(u32::count_ones);
        Self {
            game,
            rules: game.two_sided_rules(),
            start,
            max_followers: followers[0].max(followers[1]),
            cache,
            limits,
            started: Instant::now(),
            planes: None,
            tables: ProofTables::default(),
            values: Vec::new(),
        }
    }

    fn time_left(&self) -> Option<Duration> {
        let time = self.limits.time?;
        Some(time.saturating_sub(self.started.elapsed()))
    }

    /// Key of the planes with at most `followers` followers a side.
    fn key(&self, followers: u32) -> String {
        planes_key(&self.rules, followers)
    }

    /// Returns the tables that are kept and fit into memory, the largest first.
    fn kept_tables(&self) -> Vec<PlanesCost> {
        let keys = self.cache.and_then(|cache| cache.keys().ok());
        let keys = keys.unwrap_or_default();
        let kept = (1..=self.max_followers).rev();
        let kept = kept.filter(|&followers| keys.contains(&self.key(followers)));
        let costs = kept.filter_map(|followers| {
            let bytes = BitplanePlan::up_to(self.game, followers).peak(0);
            let time = Duration::from_secs_f64(bytes as f64 / BYTES_READ_PER_SECOND);
            (bytes <= self.limits.memory).then_some(PlanesCost {
                followers,
                time,
                holds_start: followers == self.max_followers,
            })
        });
        costs.collect()
    }

    /// Reads the largest tables that are kept, fit into memory, and are read in half of the time.
    fn read_kept_tables(&mut self) {
        let Some(cache) = self.cache else {
            return;
        };
        for cost in self.kept_tables() {
            if self.time_left().is_some_and(|left| 2 * cost.time > left) {
                continue;
            }
            let followers = cost.followers;
            let plan = BitplanePlan::up_to(self.game, followers);
            let positions = plan.positions();
            let begin = Instant::now();
            let read = SolvedPlanes::get(&self.rules, plan, cache, &self.key(followers));
            if let Ok(Some(planes)) = read {
                self.planes = Some(planes);
                self.tables =
                    ProofTables { followers, positions, spent: begin.elapsed(), were_kept: true };
                return;
            }
        }
    }

    /// Returns the tables to solve next, unless time or memory are too short for them.
    fn next_tables(&self) -> Option<NextTables> {
        if self.tables.followers >= self.max_followers {
            return None;
        }
        let next = NextTables::new(self.game, self.tables.followers + 1, self.limits.memory)?;
        let fits = |left| next.solve_and_search_time() < left;
        self.time_left().is_none_or(fits).then_some(next)
    }

    /// Searches until the result is known, or `next` is due.
    fn search(
        &self,
        next: Option<&NextTables>,
        monitor: &mut dyn Monitor,
    ) -> Result<ProofSolution, Error> {
        let time_to_next = next.map(|next| next.delay(self.started.elapsed(), self.time_left()));
        let oracle = |position| {
            let value = self.game.implied_value(position).map(OracleValue::from);
            value.or_else(|| {
                let planes = self.planes.as_ref()?;
                value_by_planes(planes, self.game.placement(position)?)
            })
        };
        let limits = Limits {
            memory: self.limits.memory - self.planes.as_ref().map_or(0, SolvedPlanes::bytes),
            time: [self.time_left(), time_to_next].into_iter().flatten().min(),
        };
        let problem = ProofProblem { game: self.game, start: self.start, oracle: &oracle };
        solve(problem, limits, monitor)
    }

    /// Solves tables of `followers` a side; returns false if time is over before they are solved.
    fn solve_tables(
        &mut self,
        next: NextTables,
        followers: u32,
        monitor: &mut dyn Monitor,
    ) -> Result<bool, Error> {
        let begin = Instant::now();
        // The memory of the planes is free for the next.
        self.planes = None;
        let spent_before = mem::take(&mut self.tables).spent;
        let options = InMemoryOptions {
            instructions: Instructions::detect(),
            limits: Limits { time: self.time_left(), ..self.limits },
            monitor,
            checkpoint: None,
        };
        let positions = next.plan.positions();
        let mut watched = WatchedValues::new(self.game, self.start);
        let watches = followers >= self.max_followers;
        let solved = solve_planes(self.game, next.plan, options, &mut |planes, value| {
            if watches {
                watched.note(|placement| planes.known(placement), value);
            }
            Ok(())
        });
        if let Err(Error::Time { .. }) = solved {
            self.values = watched.values(watches, false);
            return Ok(false);
        }
        let planes = solved?;
        if let Some(cache) = self.cache.filter(|_| begin.elapsed() > TIME_WORTH_KEEPING) {
            // Ignored: without the kept tables the next solve does the work again.
            let _ = planes.put(&self.rules, cache, &self.key(followers));
        }
        self.values = watched.values(watches, true);
        self.planes = Some(planes);
        self.tables = ProofTables {
            followers,
            positions,
            spent: spent_before + begin.elapsed(),
            were_kept: false,
        };
        Ok(true)
    }
}

/// Values of a position and its successors, noted while planes are solved.
struct WatchedValues {
    /// Placements with their values; `None` of a placement for a finished position.
    watched: Vec<(Option<Placement>, Option<Value>)>,
}

impl WatchedValues {
    fn new(game: &PackedGame, start: Packed) -> Self {
        let mut positions = vec![start];
        game.successors(start, &mut positions);
        let watch = |position| {
            let over = game.terminal(position).map(Value::terminal);
            (game.placement(position), over)
        };
        Self { watched: positions.into_iter().map(watch).collect() }
    }

    /// Notes the value that a pass has decided for positions that were open before it.
    fn note(&mut self, known: impl Fn(Placement) -> Option<Wdl>, value: Value) {
        for (placement, found) in self.watched.iter_mut().filter(|(_, found)| found.is_none()) {
            let wdl = placement.and_then(&known);
            *found = wdl.filter(|wdl| *wdl == value.wdl()).map(|_| value);
        }
    }

    /// Returns the values if they were watched; once no pass decides any more, open positions are
    /// drawn.
    fn values(self, were_watched: bool, is_solved: bool) -> Vec<Option<Value>> {
        let watched = self.watched.into_iter().filter(|_| were_watched);
        let values = watched.map(|(_, found)| found.or(is_solved.then_some(Value::Draw)));
        values.collect()
    }
}

/// Returns the key under which planes with at most `followers` followers a side are kept.
#[must_use]
pub fn planes_key(rules: &TwoSidedRules, followers: u32) -> String {
    let (text, squares) = (format!("{rules:?}"), rules.squares);
    let hash = fnv_hash(text.as_bytes());
    format!("planes-{squares}-squares-{followers}-followers-{hash:016x}")
}

/// Tables to solve next.
struct NextTables {
    plan: BitplanePlan,
    solve_time: Duration,
}

impl NextTables {
    /// Returns the time for the tables, and a quarter more for a search with them. A search with
    /// tables decides early or hardly ever.
    fn solve_and_search_time(&self) -> Duration {
        self.solve_time * 5 / 4
    }

    /// Returns the time until the tables begin. By then a search has taken as long as the tables
    /// will, or the rest of the time is just enough for them.
    fn delay(&self, spent: Duration, time_left: Option<Duration>) -> Duration {
        let as_long = self.solve_time.saturating_sub(spent);
        time_left.map_or(as_long, |time_left| {
            as_long.min(time_left.saturating_sub(self.solve_and_search_time()))
        })
    }

    /// Plans tables of `followers` per side; `None` if they do not fit.
    fn new(game: &PackedGame, followers: u32, memory: u64) -> Option<Self> {
        let plan = BitplanePlan::up_to(game, followers);
        let threads = rayon::current_num_threads() as f64;
        let seconds = SECONDS_PER_BILLION * (plan.positions() as f64 / 1e9).powf(TIME_EXPONENT);
        let solve_time = Duration::from_secs_f64(seconds / threads);
        (plan.peak(memory) <= memory).then_some(Self { plan, solve_time })
    }
}
