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
    /// Method of the request, in which [`Method::Auto`] is replaced by the default of its scope.
    ///
    /// Stored layers and [`Scope::All`] ask for tiers.
    fn resolved_method(&self, default_scope: Scope) -> Method {
        if self.method != Method::Auto {
            return self.method;
        }
        match self.scope.unwrap_or(default_scope) {
            _ if self.storage.has_layers() => Method::Tiered,
            Scope::All => Method::Tiered,
            Scope::Reachable => Method::Reachable,
        }
    }
}

/// Plans a solve of any game.
///
/// # Errors
/// [`PlanError::Unranked`] or [`PlanError::NotTwoSided`] if the method is for other games.
pub fn plain<'g, G: Notation + 'static>(
    game: &'g G,
    request: &Request<'_>,
) -> Result<SolvePlan<'g, G>, PlanError> {
    reachable(game, request, request.resolved_method(game.default_scope()))
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
/// [`PlanError::NotTwoSided`] for planes; [`PlanError::Solver`] if the game is too large to list
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
    match request.resolved_method(game.default_scope()) {
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
    match request.resolved_method(game.default_scope()) {
        Method::Tiered => plan_tiers(game, request, solver),
        method => reachable(game, request, method),
    }
}

/// Plans a solve of a game with a leader and followers on each side.
///
/// # Errors
/// As [`ranked`]; [`PlanError::NeedsCheckpoint`] if the planes do not fit in memory.
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
    match request.resolved_method(game.default_scope()) {
        Method::Tiered => plan_states(game, request),
        method => reachable(game, request, method),
    }
}
