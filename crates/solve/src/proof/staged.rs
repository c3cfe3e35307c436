//! Search with tables of few followers as leaves, more of them the longer it takes.

use std::time::{Duration, Instant};

use hindsight_core::TwoSided;
use hindsight_run::{Error, Limits, Monitor};

use super::two_searches::{ProofSolution, solve};
use hindsight_bitplanes::{
    BitplanePlan, InMemoryOptions, Instructions, NoPlaneCheckpoint, Planes, solve_planes,
};

/// Seconds that a thread takes for planes of a billion positions, roughly.
const SECONDS_PER_BILLION: f64 = 8.0;
/// With more positions wins take longer: seconds rise with this power of them.
const TIME_EXPONENT: f64 = 1.15;

/// A solution, and what it took.
#[derive(Clone, Copy, Debug)]
pub struct StagedProof<P> {
    /// Who wins, as far as it was found.
    pub solution: ProofSolution<P>,
    /// The tables of the last search.
    pub tables: ProofTables,
}

/// Tables that a search had.
#[derive(Clone, Copy, Default, Debug)]
pub struct ProofTables {
    /// The most followers a side, 0 without tables.
    pub followers: u32,
    /// Positions in them.
    pub positions: u64,
    /// Spent on these and all before.
    pub spent: Duration,
}

/// As [`solve`]; begins without tables, and makes those of one follower a side, two, and so on, as long as
/// they fit into the memory: when a search has taken as much time as they do, or sooner if time is limited.
///
/// # Errors
/// [`Error::Stopped`] if the monitor says so while tables are made, [`Error::Thread`] as [`solve`].
pub fn solve_staged<G: TwoSided>(
    game: &G,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<StagedProof<G::Position>, Error> {
    let begin = Instant::now();
    let left = || limits.time.map(|time| time.saturating_sub(begin.elapsed()));
    let (mut planes, mut tables): (Option<Planes>, _) = (None, ProofTables::default());
    loop {
        let next = NextTables::new(game, tables.followers + 1, limits.memory);
        let next =
            next.filter(|next| left().is_none_or(|left| next.solve_and_search_time() < left));
        let until_next = next
            .as_ref()
            .map(|next| next.delay(begin.elapsed(), left()));
        let known = |position| {
            let value = game.implied_value(position).map(|value| value.wdl());
            value.or_else(|| planes.as_ref()?.known(game.placement(position)?))
        };
        let for_search = Limits {
            memory: limits.memory - planes.as_ref().map_or(0, Planes::bytes),
            time: [left(), until_next].into_iter().flatten().min(),
        };
        let solution = solve(game, &known, for_search, monitor)?;
        let is_over = solution.value().is_some() || solution.stopped;
        let Some(next) = next.filter(|_| !is_over) else {
            return Ok(StagedProof { solution, tables });
        };
        let made = Instant::now();
        drop(planes);
        let terms = InMemoryOptions {
            instructions: Instructions::detect(),
            limits: Limits {
                time: left(),
                ..limits
            },
            monitor,
            checkpoint: &mut NoPlaneCheckpoint,
        };
        let positions = next.plan.positions();
        let solved = solve_planes(game, next.plan, terms);
        if let Err(Error::Time { .. }) = solved {
            return Ok(StagedProof { solution, tables });
        }
        planes = Some(solved?);
        tables = ProofTables {
            followers: tables.followers + 1,
            positions,
            spent: tables.spent + made.elapsed(),
        };
    }
}

/// Tables to be made.
struct NextTables {
    plan: BitplanePlan,
    solve_time: Duration,
}

impl NextTables {
    /// What they take, and a quarter as long for a search with them, which decides soon what it decides.
    fn solve_and_search_time(&self) -> Duration {
        self.solve_time * 5 / 4
    }

    /// Until a search without them has taken as long as they do, or no more time is left than they need.
    fn delay(&self, spent: Duration, left: Option<Duration>) -> Duration {
        let as_long = self.solve_time.saturating_sub(spent);
        left.map_or(as_long, |left| {
            as_long.min(left.saturating_sub(self.solve_and_search_time()))
        })
    }

    /// The tables of so many followers a side, if they are not all there are and fit.
    fn new<G: TwoSided>(game: &G, followers: u32, memory: u64) -> Option<Self> {
        if followers >= game.two_sided_rules().max_followers.into() {
            return None;
        }
        let plan = BitplanePlan::up_to(game, followers);
        let threads = rayon::current_num_threads() as f64;
        let takes = SECONDS_PER_BILLION * (plan.positions() as f64 / 1e9).powf(TIME_EXPONENT);
        let takes = Duration::from_secs_f64(takes / threads);
        (plan.peak(memory) <= memory).then_some(Self {
            plan,
            solve_time: takes,
        })
    }
}
