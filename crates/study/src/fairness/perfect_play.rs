use hindsight_core::{Symmetry, Value};
use hindsight_engine::{Limits, Monitor, Progress};
use hindsight_games::{AnyGame, Error, Method, Options, SolvedGame, Summary, Values};
use hindsight_rules::onitama::Onitama;
use serde::Serialize;

use super::deals::{Deal, onitama_setup};
use super::options::FairnessOptions;
use crate::onitama_starts::{SolvedStarts, solve_starts};

/// Estimated seconds of a solve with the values of all positions that is preferred to one with the
/// values of the deals alone.
const QUICK_SECONDS: f64 = 10.0;
/// Factor within which the estimate of a solve is right.
const ESTIMATE_FACTOR: f64 = 4.0;
/// Most squares of a board with planes.
const MAX_PLANE_SQUARES: u8 = 32;

/// Perfect play of all deals, as far as it is known.
pub(super) enum PerfectPlay {
    /// The values of all positions.
    Solved {
        game: Box<SolvedGame>,
        starts: SolvedStarts,
    },
    /// The values of the deals, with counts of all positions.
    Starts(SolvedStarts),
    /// The value of the start of a game without deals, by a search.
    Searched(Value),
    Unsolved(UnsolvedReason),
}

impl PerfectPlay {
    /// Solves the game if that takes the allowed time and memory.
    pub(super) fn find(
        game: &AnyGame,
        deals: &[Deal],
        options: &FairnessOptions,
    ) -> Result<Self, Error> {
        let solve = |seconds| solve_positions(game, deals, &options.solve_options(seconds));
        if let Some(solved) = solve(options.seconds.min(QUICK_SECONDS))? {
            return Ok(solved);
        }
        if let Some(starts) = solve_planes(game, options)? {
            return Ok(Self::Starts(starts));
        }
        if let Some(solved) = solve(options.seconds)? {
            return Ok(solved);
        }
        if let Some(value) = search(game, options)? {
            return Ok(Self::Searched(value));
        }
        Ok(Self::Unsolved(unsolved_reason(game, options)))
    }

    /// Returns the values of all positions, if they are known.
    pub(super) fn values(&self) -> Option<&Values> {
        match self {
            Self::Solved { game, .. } => Some(game.values()),
            _ => None,
        }
    }

    /// Returns the values of the deals.
    pub(super) fn starts(&self) -> Result<&[Value], &UnsolvedReason> {
        match self {
            Self::Solved { starts, .. } | Self::Starts(starts) => Ok(&starts.values),
            Self::Searched(value) => Ok(std::slice::from_ref(value)),
            Self::Unsolved(reason) => Err(reason),
        }
    }

    /// Returns the solution with counts of all positions; `None` if they were not solved.
    pub(super) fn counts(&self) -> Option<&SolvedStarts> {
        match self {
            Self::Solved { starts, .. } | Self::Starts(starts) => Some(starts),
            Self::Searched(_) | Self::Unsolved(_) => None,
        }
    }
}

/// Reason why a game was not solved.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct UnsolvedReason {
    /// Rough seconds that a solve takes; null if not known.
    pub seconds: Option<f64>,
    /// Bytes of memory that a solve takes; null if not known.
    pub memory: Option<u64>,
    /// Seconds that were allowed.
    pub allowed_seconds: f64,
    /// True if a search for the value of the start ended without an answer, for want of time or
    /// memory.
    pub was_searched: bool,
}

/// Solves the game with the values of all positions. `None` if that takes too long, or if the
/// values do not tell those of all deals.
fn solve_positions(
    game: &AnyGame,
    deals: &[Deal],
    options: &Options,
) -> Result<Option<PerfectPlay>, Error> {
    let Some(solved) = game.solve_if_quick(options)? else {
        return Ok(None);
    };
    let mut values = Vec::new();
    for deal in deals {
        match solved.probe(&deal.start_in(game)?)?.exact() {
            Some(value) => values.push(value),
            None => return Ok(None),
        }
    }
    let Some(histogram) = solved.histogram() else {
        return Ok(None);
    };
    let wins = histogram.rows().into_iter().filter_map(|row| match row.0 {
        Value::Win(plies) => Some(plies),
        _ => None,
    });
    Ok(Some(PerfectPlay::Solved {
        starts: SolvedStarts {
            values,
            summary: Summary::of(&histogram),
            longest_win: wins.max().unwrap_or(0),
        },
        game: Box::new(solved),
    }))
}

/// Solves a game of Onitama by planes. `None` for other games, and if that takes too long.
fn solve_planes(game: &AnyGame, options: &FairnessOptions) -> Result<Option<SolvedStarts>, Error> {
    let fits = |setup: &hindsight_rules::onitama::OnitamaSetup| {
        setup.board().squares() <= MAX_PLANE_SQUARES
    };
    let Some(setup) = onitama_setup(game).filter(fits) else {
        return Ok(None);
    };
    let solve_options = options.solve_options(options.seconds);
    let memory = hindsight_games::memory::limit(options.memory);
    let Ok(needs) = game.needs(Method::Planes, &solve_options) else {
        return Ok(None);
    };
    let is_short = needs.seconds.is_some_and(|time| time <= options.seconds);
    if !is_short || needs.memory > memory {
        return Ok(None);
    }
    let limits = Limits {
        memory,
        time: std::time::Duration::try_from_secs_f64(ESTIMATE_FACTOR * options.seconds).ok(),
    };
    let game = Onitama::<u32>::new(setup, Symmetry::None);
    match solve_starts(&game, limits, &mut FairnessMonitor(options)) {
        Ok(starts) => Ok(Some(starts)),
        Err(hindsight_engine::Error::Stopped) => Err(hindsight_engine::Error::Stopped.into()),
        Err(error) if error.is_lack() => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// Searches for the value of the start within the time allowed. `None` for games whose moves do not
/// each use up a ply, and if the search takes longer.
fn search(game: &AnyGame, options: &FairnessOptions) -> Result<Option<Value>, Error> {
    let options = options.solve_options(options.seconds);
    if game.possible_solve(None, Method::Search, &options).is_none() {
        return Ok(None);
    }
    match game.solve(Method::Search, &options) {
        Ok(solved) => Ok(solved.start_value().exact()),
        Err(Error::Solve(hindsight_engine::Error::Stopped)) => {
            Err(hindsight_engine::Error::Stopped.into())
        }
        Err(Error::Solve(error)) if error.is_lack() => Ok(None),
        Err(error) => Err(error),
    }
}

fn unsolved_reason(game: &AnyGame, options: &FairnessOptions) -> UnsolvedReason {
    let solve_options = options.solve_options(options.seconds);
    let methods = [Method::Planes, Method::Tiered];
    let of_methods = methods.map(|method| game.needs(method, &solve_options).ok());
    let needs = of_methods.into_iter().flatten().min_by(|a, b| {
        let seconds = |needs: &hindsight_games::SolveNeeds| needs.seconds.unwrap_or(f64::INFINITY);
        seconds(a).total_cmp(&seconds(b))
    });
    UnsolvedReason {
        seconds: needs.as_ref().and_then(|needs| needs.seconds),
        memory: needs.map(|needs| needs.memory),
        allowed_seconds: options.seconds,
        was_searched: game.possible_solve(None, Method::Search, &solve_options).is_some(),
    }
}

/// Monitor that reports to the listener of the options.
struct FairnessMonitor<'a>(&'a FairnessOptions);

impl Monitor for FairnessMonitor<'_> {
    fn report(&mut self, progress: Progress) -> bool {
        let listener = self.0.progress.as_ref();
        listener.is_none_or(|listener| listener(progress))
    }
}
