//! Choice of a solver, by the structure of a game and the method of a request.

use hindsight_core::{ForbiddenMove, Game, Notation, PawnPairs, Retro, Scope, TwoSided};

use super::method::{Method, PlanError};
use super::needs::rate;
use super::planes::plan_planes;
use super::reachable::{plan_forward, plan_graph};
use super::request::Request;
use super::solved::SolvePlan;
use super::states::plan_states;
use super::tiers::{TierSolver, plan_tiers};
use crate::{pawn_pairs, tiered};

impl Request<'_> {
    /// Returns the method of the request, in which [`Method::Auto`] is replaced by the default of
    /// its scope.
    ///
    /// Stored layers and [`Scope::All`] ask for tiers.
    ///
    /// # Errors
    /// [`PlanError::StoresNothing`] or [`PlanError::NoSample`] for work that the method does not
    /// do.
    fn checked_method(&self, default_scope: Scope) -> Result<Method, PlanError> {
        let stores = self.storage.has_layers();
        let method = match (self.method, self.scope.unwrap_or(default_scope)) {
            (Method::Auto, Scope::Reachable) if !stores => Method::Reachable,
            (Method::Auto, _) => Method::Tiered,
            (method, _) => method,
        };
        match method {
            Method::Reachable | Method::Forward if stores => Err(PlanError::StoresNothing),
            Method::Planes => Ok(method),
            _ if self.sample > 0 => Err(PlanError::NoSample),
            _ => Ok(method),
        }
    }
}

/// Plans a solve of any game.
///
/// # Errors
/// [`PlanError::Unranked`] or [`PlanError::NotTwoSided`] if the method is for other games;
/// [`PlanError::StoresNothing`] or [`PlanError::NoSample`] for work that it does not do.
pub fn plain<'g, G: Notation + 'static>(
    game: &'g G,
    request: &Request<'_>,
) -> Result<SolvePlan<'g, G>, PlanError> {
    let method = request.checked_method(game.default_scope())?;
    reachable(game, request, method)
}

/// Plans a solve of the reachable positions by `method`, which is never [`Method::Auto`].
fn reachable<'g, G: Game + 'static>(
    game: &'g G,
    request: &Request<'_>,
    method: Method,
) -> Result<SolvePlan<'g, G>, PlanError> {
    match method {
        Method::Auto | Method::Reachable => Ok(plan_graph(game, request)),
        Method::Forward => Ok(plan_forward(game, request)),
        Method::Tiered => Err(PlanError::Unranked),
        Method::Planes => Err(PlanError::NotTwoSided),
    }
}

/// Plans a solve of a game that ranks every position.
///
/// # Errors
/// As [`plain`]; [`PlanError::Solver`] if the game is too large to list
/// its tiers; [`PlanError::BegunByPlanes`] if the checkpoint is of another method.
pub fn ranked<'g, G: Retro + Notation + 'static>(
    game: &'g G,
    request: &Request<'_>,
) -> Result<SolvePlan<'g, G>, PlanError> {
    let solver = TierSolver {
        solve: tiered::solve_from,
        can_stream: false,
        max_remoteness: tiered::MAX_REMOTENESS,
        rate: rate::TIERS,
    };
    match request.checked_method(game.default_scope())? {
        Method::Tiered => plan_tiers(game, request, solver),
        method => reachable(game, request, method),
    }
}

/// Plans a solve of a game whose tiers are pairs of pawn squares.
///
/// # Errors
/// As [`ranked`].
pub fn pawn_pairs<'g, G: PawnPairs + Notation + 'static>(
    game: &'g G,
    request: &Request<'_>,
) -> Result<SolvePlan<'g, G>, PlanError> {
    let solver = TierSolver {
        solve: |game, plan, storage, limits, monitor| {
            pawn_pairs::solve(game, plan, storage.layers, limits, monitor)
        },
        can_stream: true,
        max_remoteness: pawn_pairs::MAX_REMOTENESS,
        rate: rate::PAWN_PAIRS,
    };
    match request.checked_method(game.default_scope())? {
        Method::Tiered => plan_tiers(game, request, solver),
        method => reachable(game, request, method),
    }
}

/// Plans a solve of a game with a leader and followers on each side.
///
/// # Errors
/// As [`ranked`]; [`PlanError::NeedsCheckpoint`] if the planes do not fit in memory;
/// [`PlanError::NoTableOfSlices`].
pub fn two_sided<'g, G: TwoSided + Retro + Notation + 'static>(
    game: &'g G,
    request: &Request<'_>,
) -> Result<SolvePlan<'g, G>, PlanError> {
    match request.method {
        Method::Planes => plan_planes(game, request),
        _ => ranked(game, request),
    }
}

/// Plans a solve of a game in which a move may be forbidden.
///
/// # Errors
/// As [`ranked`].
pub fn forbidden_move<'g, G: ForbiddenMove + Notation + 'static>(
    game: &'g G,
    request: &Request<'_>,
) -> Result<SolvePlan<'g, G>, PlanError> {
    match request.checked_method(game.default_scope())? {
        Method::Tiered => plan_states(game, request),
        method => reachable(game, request, method),
    }
}
