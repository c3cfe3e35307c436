//! Choice of the method that [`Method::Auto`] stands for.

use std::fmt;
use std::time::{Duration, Instant};

use hindsight_core::{Expansion, Game, Packed, PackedGame, Scope, Tiers};

use super::method::{Method, PlanError};
use super::needs::{graph_bytes, rate, rough_seconds};
use super::request::Request;
use crate::position_table::PositionTable;

/// Most ranks of a game whose reachable positions are solved by default: the graph takes less than
/// a minute and 4 GiB.
const MAX_GRAPH_RANKS: u64 = 1 << 25;
/// Most positions of a game without ranks whose reachable positions are solved by default.
const MAX_COUNTED_POSITIONS: usize = 1 << 19;
/// Time of the count where rules live outside; the graph is chosen all the same.
const COUNT_TIME: Duration = Duration::from_secs(2);
/// Positions that are expanded together in the count.
const COUNTED_TOGETHER: usize = 256;
/// Most seconds of one thread in which every position is solved by default.
const MAX_SECONDS: f64 = 3600.0;
/// Most bytes of memory in which every position is solved by default.
pub(super) const MAX_BYTES: u64 = 16 << 30;

/// Method that [`Method::Auto`] stands for.
///
/// The choice depends on the game and the request, and on the machine only if the request limits
/// the time. Without memory for the choice, the plan is refused.
///
/// 1. A table or a checkpoint, or [`Scope::All`] in the request: every position; of a game without
///    ranks the graph of what is reachable, for a table if it is small or the rules live outside,
///    for a checkpoint in any case.
/// 2. A small game whose scope is [`Scope::Reachable`]: the graph of what is reachable.
/// 3. No scope in the request: every position, if a thread of 2023 solves it in an hour and in 16
///    GiB.
/// 4. Rules that live outside: the graph of what is reachable.
/// 5. Otherwise: a search from the start. It finds the value and the remoteness if every move uses
///    up a ply ([`Game::countdown`]), else the winner.
///
/// Methods that would take longer than the time of the request are left out of 2 and 3.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Choice {
    /// The method; never [`Method::Auto`].
    pub method: Method,
    /// Reason for the method.
    pub reason: ChoiceReason,
}

impl Choice {
    /// Returns true if the graph is chosen because it is small.
    #[must_use]
    pub fn has_small_graph(self) -> bool {
        self.reason == ChoiceReason::SmallGraph
    }
}

/// Reason for a choice. Its text follows the method and "because".
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ChoiceReason {
    /// The request asks for every position, or for a table or a checkpoint.
    Stored,
    /// The request asks for a table of a game that does not rank its positions.
    StoredReachable,
    /// The checkpoint was begun so.
    Begun,
    /// The graph is small.
    SmallGraph,
    /// The graph asks rules that live outside for many positions at a time; it may be large.
    Outside,
    /// Every position can be solved, and the graph is not known to be small.
    EveryPosition,
    /// Every position is too much work.
    TooMany,
    /// Too many positions may be reachable, and the request asks for these.
    TooManyReachable,
    /// No other method ends in the time of the request. Holds its seconds.
    Time(f64),
}

impl fmt::Display for ChoiceReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Stored => f.write_str("tables and checkpoints hold every position"),
            Self::StoredReachable => f.write_str("its tables hold what is reachable"),
            Self::Begun => f.write_str("the checkpoint was begun so"),
            Self::SmallGraph => f.write_str("few positions are reachable"),
            Self::Outside => f.write_str("it asks the rules for many positions at a time"),
            Self::EveryPosition => f.write_str("every position is solved soonest this way"),
            Self::TooMany => f.write_str("every position is too much to solve"),
            Self::TooManyReachable => f.write_str("too many positions may be reachable"),
            Self::Time(seconds) => write!(f, "no other solver ends in {seconds} s"),
        }
    }
}

/// Size of a game, and the cost of a solve of every position.
#[derive(Clone, Copy, Debug)]
pub(super) struct GameSize {
    /// Ranks of all layers, about.
    pub(super) ranks: u64,
    /// Method that solves every position soonest.
    pub(super) every_position: Method,
    /// Ranks that a thread decides in a second.
    pub(super) rate: f64,
    /// Bytes of memory for every position, about.
    pub(super) bytes: u64,
}

impl GameSize {
    pub(super) fn ranks_of(game: &PackedGame) -> u64 {
        let ranks = (0..game.layers()).map(|layer| game.estimated_ranks(layer));
        ranks.fold(0, u64::saturating_add)
    }

    /// Most positions that may be reachable: with either side to move.
    pub(super) fn most_reachable(self) -> u64 {
        self.ranks.saturating_mul(2)
    }
}

/// Chooses for a game whose positions have ranks. `is_from_start` is false for a request from
/// another position, which only methods for reachable positions answer.
pub(super) fn choose_by_size(
    request: &Request<'_>,
    default_scope: Scope,
    size: GameSize,
    is_from_start: bool,
) -> Choice {
    if request.asks_for_every_position() {
        return Choice { method: size.every_position, reason: ChoiceReason::Stored };
    }
    let time = request.limits.time;
    let scope =
        if is_from_start { request.scope.unwrap_or(default_scope) } else { Scope::Reachable };
    let reachable = size.most_reachable();
    let has_small_graph = size.ranks <= MAX_GRAPH_RANKS;
    let has_time_for_graph = ends_in(time, rough_seconds(reachable, rate::GRAPH));
    let seconds = size.ranks as f64 / size.rate;
    let may_solve_all = request.scope.is_none() && is_from_start;
    let can_solve_all = may_solve_all && seconds <= MAX_SECONDS && size.bytes <= MAX_BYTES;
    let has_time_for_all = ends_in(time, rough_seconds(size.ranks, size.rate));
    let (method, reason) = if scope == Scope::Reachable && has_small_graph && has_time_for_graph {
        (Method::Reachable, ChoiceReason::SmallGraph)
    } else if can_solve_all && has_time_for_all {
        (size.every_position, ChoiceReason::EveryPosition)
    } else {
        let was_possible = scope == Scope::Reachable && has_small_graph || can_solve_all;
        let reason = match time {
            Some(time) if was_possible => ChoiceReason::Time(time.as_secs_f64()),
            _ if may_solve_all => ChoiceReason::TooMany,
            _ => ChoiceReason::TooManyReachable,
        };
        (Method::Proof, reason)
    };
    Choice { method, reason }
}

/// Chooses for a game without ranks: counts what is reachable, up to a limit.
///
/// # Errors
/// [`PlanError::MayNotFit`] if `memory` bytes are too few to count.
pub(super) fn choose_by_count(
    game: &PackedGame,
    start: Packed,
    memory: u64,
) -> Result<Choice, PlanError> {
    let is_small = reaches_at_most(game, start, MAX_COUNTED_POSITIONS, memory);
    let is_small = is_small.ok_or(PlanError::MayNotFit {
        positions: MAX_COUNTED_POSITIONS as u64,
        needed: graph_bytes(game, MAX_COUNTED_POSITIONS as u64),
        limit: memory,
    })?;
    let (method, reason) = if is_small {
        (Method::Reachable, ChoiceReason::SmallGraph)
    } else if game.is_outside() {
        (Method::Reachable, ChoiceReason::Outside)
    } else {
        (Method::Proof, ChoiceReason::TooManyReachable)
    };
    Ok(Choice { method, reason })
}

/// Returns true if work of `seconds` ends in the time allowed.
fn ends_in(time: Option<Duration>, seconds: f64) -> bool {
    time.is_none_or(|time| seconds <= time.as_secs_f64())
}

/// Returns true if at most `most` positions are reachable from a position; `None` if `memory` bytes
/// are too few to count them.
fn reaches_at_most(game: &PackedGame, start: Packed, most: usize, memory: u64) -> Option<bool> {
    let begun = Instant::now();
    let mut reached = PositionTable::new(game.canonical_words(), game.canonical(start));
    let (mut next, mut expansion) = (0, Expansion::default());
    while next < reached.len() {
        let end = reached.len().min(next + COUNTED_TOGETHER);
        let positions = reached.rows(next..end).collect::<Vec<Packed>>();
        game.expand(&positions, COUNTED_TOGETHER * COUNTED_TOGETHER, &mut expansion);
        next += expansion.positions.len();
        let left = memory.checked_sub(reached.bytes())?;
        reached.reserve_within(expansion.successors.len(), left).ok()?;
        for successor in expansion.successors.drain(..) {
            reached.insert(successor);
        }
        expansion.positions.clear();
        if reached.len() > most || game.is_outside() && begun.elapsed() > COUNT_TIME {
            return Some(false);
        }
    }
    Some(true)
}
