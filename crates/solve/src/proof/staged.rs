//! Search with tables of few followers as leaves. The tables grow with the time spent.

use std::time::{Duration, Instant};

use hindsight_core::TwoSided;
use hindsight_run::{Error, Limits, Monitor};

use super::two_searches::{ProofSolution, solve};
use hindsight_bitplanes::{BitplanePlan, InMemoryOptions, Instructions, Planes, solve_planes};

/// Estimated time, in seconds, in which one thread solves planes of a billion positions.
const SECONDS_PER_BILLION: f64 = 8.0;
/// Time grows with this power of the number of positions, since larger tables have longer wins.
const TIME_EXPONENT: f64 = 1.15;

/// Solution with the tables that it used.
#[derive(Clone, Copy, Debug)]
pub struct StagedProof<P> {
    /// Result for the start, as far as it was found.
    pub solution: ProofSolution<P>,
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
}

/// Same as [`solve`], with tables of few followers as leaves.
///
/// Begins without tables. Then solves tables of one follower per side, of two, and so on, as long
/// as they fit into memory. Each next table begins when a search has taken as long as the table
/// will take, or sooner if time is limited.
///
/// # Errors
/// [`Error::Stopped`] if the monitor stops the work on tables. [`Error::Thread`] as in [`solve`].
pub fn solve_staged<G: TwoSided>(
    game: &G,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<StagedProof<G::Position>, Error> {
    let started = Instant::now();
    let time_left = || {
        limits
            .time
            .map(|time| time.saturating_sub(started.elapsed()))
    };
    let (mut planes, mut tables): (Option<Planes>, _) = (None, ProofTables::default());
    loop {
        let next = NextTables::new(game, tables.followers + 1, limits.memory);
        let next = next.filter(|next| {
            time_left().is_none_or(|time_left| next.solve_and_search_time() < time_left)
        });
        let time_to_next = next
            .as_ref()
            .map(|next| next.delay(started.elapsed(), time_left()));
        let oracle = |position| {
            let value = game.implied_value(position).map(|value| value.wdl());
            value.or_else(|| planes.as_ref()?.known(game.placement(position)?))
        };
        let search_limits = Limits {
            memory: limits.memory - planes.as_ref().map_or(0, Planes::bytes),
            time: [time_left(), time_to_next].into_iter().flatten().min(),
        };
        let solution = solve(game, &oracle, search_limits, monitor)?;
        let is_over = solution.value().is_some() || solution.stopped;
        let Some(next) = next.filter(|_| !is_over) else {
            return Ok(StagedProof { solution, tables });
        };
        let tables_started = Instant::now();
        drop(planes);
        let options = InMemoryOptions {
            instructions: Instructions::detect(),
            limits: Limits {
                time: time_left(),
                ..limits
            },
            monitor,
            checkpoint: None,
        };
        let positions = next.plan.positions();
        let solved = solve_planes(game, next.plan, options);
        if let Err(Error::Time { .. }) = solved {
            return Ok(StagedProof { solution, tables });
        }
        planes = Some(solved?);
        tables = ProofTables {
            followers: tables.followers + 1,
            positions,
            spent: tables.spent + tables_started.elapsed(),
        };
    }
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

    /// Plans tables of `followers` per side; `None` if that is the whole game or does not fit.
    fn new<G: TwoSided>(game: &G, followers: u32, memory: u64) -> Option<Self> {
        if followers >= game.two_sided_rules().max_followers.into() {
            return None;
        }
        let plan = BitplanePlan::up_to(game, followers);
        let threads = rayon::current_num_threads() as f64;
        let solve_time = SECONDS_PER_BILLION * (plan.positions() as f64 / 1e9).powf(TIME_EXPONENT);
        let solve_time = Duration::from_secs_f64(solve_time / threads);
        (plan.peak(memory) <= memory).then_some(Self { plan, solve_time })
    }
}
