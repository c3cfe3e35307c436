//! Choice of a solver, by the structure of a game and the method of a request.

use hindsight_core::{Game, Notation, Packed, PackedGame, Scope, States, Structure, TwoSided};

use super::choice::{Choice, ChoiceReason, GameSize, MAX_BYTES, choose_by_count, choose_by_size};
use super::method::{Method, PlanError};
use super::needs::rate;
use super::null_window::plan_null_window;
use super::planes::plan_planes;
use super::reachable::{plan_forward, plan_graph, plan_sorted};
use super::request::{Request, StartedWork};
use super::search::{
    FindWinner, find_by_implied_values, find_by_rules, find_in_stages, plan_search,
};
use super::solved::SolvePlan;
use super::states::plan_states;
use super::tiers::{SMALL_GAME_RANKS, TierSolver, measured_rate, plan_tiers};
use crate::tiered::TierPlan;
use crate::{pawn_pairs, tiered};

/// Bytes per rank of a tier of states, with the result.
const STATE_BYTES: u64 = 4;
/// Ranks per byte of planes, twice as many with a mirror: two bits and some.
const PLANE_RANKS: u64 = 3;

impl Request<'_> {
    /// True if the request can only be met by a solve of every position.
    pub(super) fn asks_for_every_position(&self) -> bool {
        self.storage.has_layers() || self.scope == Some(Scope::All)
    }

    /// Refuses work that a method does not do. `is_from_start` is false for a request from another
    /// position.
    ///
    /// # Errors
    /// [`PlanError::StoresNothing`], [`PlanError::NoSample`] or [`PlanError::OnlyWholeGames`].
    fn check_method(&self, method: Method, is_from_start: bool) -> Result<(), PlanError> {
        let stores = self.storage.has_layers();
        match method {
            // Tables of what is reachable hold what the start leads to.
            Method::Reachable if stores && is_from_start => Ok(()),
            Method::Reachable | Method::Forward | Method::Proof | Method::Search if stores => {
                Err(PlanError::StoresNothing)
            }
            Method::Tiered | Method::Planes | Method::Forward if !is_from_start => {
                Err(PlanError::OnlyWholeGames(method))
            }
            Method::Planes => Ok(()),
            _ if self.sample > 0 => Err(PlanError::NoSample),
            _ => Ok(()),
        }
    }
}

/// Game with the position from which it is to be solved.
struct Problem<'g, 'r> {
    game: &'g PackedGame,
    start: Packed,
    request: &'r Request<'r>,
    find_winner: FindWinner,
}

impl<'g> Problem<'g, '_> {
    fn is_from_start(&self) -> bool {
        self.start == self.game.start()
    }

    /// Returns the method of the request, or the one that is chosen for a game of some size, with
    /// the choice.
    fn method(&self, size: Option<GameSize>) -> Result<(Method, Option<Choice>), PlanError> {
        let choice = match self.request.method {
            Method::Auto => Some(self.choose(size)?),
            _ => None,
        };
        let method = choice.map_or(self.request.method, |choice| choice.method);
        self.request.check_method(method, self.is_from_start())?;
        Ok((method, choice))
    }

    fn choose(&self, size: Option<GameSize>) -> Result<Choice, PlanError> {
        let choice = self.choose_by_extent(size);
        if self.game.countdown().is_none() {
            return choice;
        }
        match choice {
            Ok(choice) if choice.method == Method::Proof => {
                Ok(Choice { method: Method::Search, ..choice })
            }
            // A search takes less memory than the count of what is reachable.
            Err(PlanError::MayNotFit { .. }) => {
                Ok(Choice { method: Method::Search, reason: ChoiceReason::TooManyReachable })
            }
            choice => choice,
        }
    }

    /// Chooses by the number of positions.
    fn choose_by_extent(&self, size: Option<GameSize>) -> Result<Choice, PlanError> {
        let request = self.request;
        if request.storage.started == StartedWork::Reached {
            let reason = ChoiceReason::Begun;
            return Ok(Choice { method: Method::Reachable, reason });
        }
        if let Some(size) = size {
            let scope = self.game.default_scope();
            return Ok(choose_by_size(request, scope, size, self.is_from_start()));
        }
        if request.storage.checkpoint {
            let reason = ChoiceReason::StoredReachable;
            return Ok(Choice { method: Method::Reachable, reason });
        }
        if request.scope == Some(Scope::All) {
            return Ok(Choice { method: Method::Tiered, reason: ChoiceReason::Stored });
        }
        let choice = choose_by_count(self.game, self.start, request.limits.memory)?;
        if !request.storage.table {
            return Ok(choice);
        }
        // Far too much may be reachable: it is explored only if the request says so.
        match choice.method {
            Method::Reachable => Ok(Choice { reason: ChoiceReason::StoredReachable, ..choice }),
            _ => Err(PlanError::Unranked),
        }
    }

    /// Plans a solve by a method that needs no ranks.
    fn plan(
        &self,
        method: Method,
        choice: Option<Choice>,
        size: Option<GameSize>,
    ) -> Result<SolvePlan<'g>, PlanError> {
        let (game, start, request) = (self.game, self.start, self.request);
        let plan = match method {
            Method::Reachable if request.storage.checkpoint => plan_sorted(game, request),
            Method::Auto | Method::Reachable => {
                let most = choice.and(size).map(GameSize::most_reachable);
                plan_graph(game, start, request, most)?
            }
            Method::Forward => plan_forward(game, game, request),
            Method::Proof => plan_search(game, start, request, self.find_winner)?,
            Method::Search => plan_null_window(game, start, request)?,
            Method::Tiered => return Err(PlanError::Unranked),
            Method::Planes => return Err(PlanError::NotTwoSided),
        };
        Ok(plan)
    }
}

/// Plans a solve of a game from a position, by the methods that its structure allows.
///
/// # Errors
/// - [`PlanError::Unranked`], [`PlanError::NotTwoSided`] or [`PlanError::NoCountdown`] if the
///   method is for other games.
/// - [`PlanError::StoresNothing`], [`PlanError::NoSample`] or [`PlanError::OnlyWholeGames`] for
///   work that it does not do.
/// - [`PlanError::MayNotFit`] or [`PlanError::SearchMemory`] if the method that was chosen may need
///   too much memory.
/// - [`PlanError::Solver`] if the game is too large to list its tiers.
/// - [`PlanError::NeedsCheckpoint`] if planes do not fit in memory, or
///   [`PlanError::NoTableOfSlices`].
/// - [`PlanError::BegunByPlanes`] or [`PlanError::BegunOtherwise`] if the checkpoint is of another
///   method.
pub fn plan<'g>(
    game: &'g PackedGame,
    start: Packed,
    request: &Request<'_>,
) -> Result<SolvePlan<'g>, PlanError> {
    let structure = game.structure();
    let (find_winner, size): (FindWinner, _) = match structure {
        Structure::Plain | Structure::Subgames => (find_by_rules, None),
        Structure::Ranked => (find_by_implied_values, Some(size_within_time(game, request))),
        Structure::PawnPairs => (find_by_implied_values, Some(size_of_pairs(game))),
        Structure::TwoSided => (find_in_stages, Some(size_by_planes(game, request))),
        Structure::ForbiddenMove => (find_by_rules, Some(size_of_states(game))),
    };
    let problem = Problem { game, start, request, find_winner };
    let (method, choice) = problem.method(size)?;
    let is_begun = request.storage.started != StartedWork::Nothing;
    let has_reached = request.storage.started == StartedWork::Reached;
    if is_begun && has_reached != (method == Method::Reachable) {
        return Err(PlanError::BegunOtherwise { graph: has_reached });
    }
    let plan = match (method, structure) {
        (Method::Tiered, Structure::Ranked | Structure::TwoSided) => {
            plan_tiers(game, request, tier_solver())?
        }
        (Method::Tiered, Structure::PawnPairs) => plan_tiers(game, request, pair_solver())?,
        (Method::Tiered, Structure::ForbiddenMove) => plan_states(game, request)?,
        (Method::Planes, Structure::TwoSided) if choice.is_some() => {
            return plan_planes_or_tiers(game, request, choice);
        }
        (Method::Planes, Structure::TwoSided) => plan_planes(game, request)?,
        (Method::Reachable, Structure::ForbiddenMove) if request.storage.has_layers() => {
            return Err(PlanError::StoresNothing);
        }
        _ => problem.plan(method, choice, size)?,
    };
    Ok(plan.chosen(choice))
}

/// Plans the forward solver of a game that sees its moves in the order of `ordered`, which is the
/// same game.
///
/// # Errors
/// As [`plan`].
pub fn forward_in_order<'g>(
    game: &'g PackedGame,
    ordered: &'g PackedGame,
    start: Packed,
    request: &Request<'_>,
) -> Result<SolvePlan<'g>, PlanError> {
    request.check_method(Method::Forward, start == game.start())?;
    Ok(plan_forward(game, ordered, request))
}

fn tier_solver() -> TierSolver {
    TierSolver {
        solve: tiered::solve_from,
        can_stream: false,
        max_remoteness: tiered::MAX_REMOTENESS,
        rate: None,
    }
}

fn pair_solver() -> TierSolver {
    TierSolver {
        solve: pawn_pairs::solve_from,
        can_stream: true,
        max_remoteness: pawn_pairs::MAX_REMOTENESS,
        rate: Some(rate::PAWN_PAIRS),
    }
}

/// Size of a game that is solved by tiers.
fn size_by_tiers(game: &PackedGame) -> GameSize {
    GameSize {
        ranks: GameSize::ranks_of(game),
        every_position: Method::Tiered,
        rate: rate::TIERS,
        bytes: TierPlan::rough_bytes(game, false).saturating_mul(2),
    }
}

/// As [`size_by_tiers`], with the measured rate if the choice depends on it: the time is limited,
/// and the game is not too large in any case.
fn size_within_time(game: &PackedGame, request: &Request<'_>) -> GameSize {
    let size = size_by_tiers(game);
    let is_chosen_by_time = request.method == Method::Auto
        && request.limits.time.is_some()
        && size.bytes <= request.limits.memory.min(MAX_BYTES);
    match is_chosen_by_time.then(|| measured_rate(game, &TierPlan::new(game))).flatten() {
        Some(rate) => GameSize { rate, ..size },
        None => size,
    }
}

/// Size of a game whose tiers are pairs of pawn squares.
fn size_of_pairs(game: &PackedGame) -> GameSize {
    GameSize {
        rate: rate::PAWN_PAIRS,
        bytes: TierPlan::rough_bytes(game, true),
        ..size_by_tiers(game)
    }
}

/// Size of a game in which a move may be forbidden.
fn size_of_states(game: &PackedGame) -> GameSize {
    let ranks = GameSize::ranks_of(game.base());
    GameSize {
        ranks,
        every_position: Method::Tiered,
        rate: rate::STATES,
        bytes: ranks.saturating_mul(STATE_BYTES),
    }
}

/// Plans planes, or tiers if only these fit in memory.
fn plan_planes_or_tiers<'g>(
    game: &'g PackedGame,
    request: &Request<'_>,
    choice: Option<Choice>,
) -> Result<SolvePlan<'g>, PlanError> {
    let planes = plan_planes(game, request);
    if planes.as_ref().is_ok_and(|plan| plan.check().is_ok()) {
        return Ok(planes?.chosen(choice));
    }
    let tiers = plan_tiers(game, request, tier_solver());
    match tiers.ok().filter(|plan| plan.check().is_ok()) {
        Some(plan) => {
            let choice = choice.map(|choice| Choice { method: Method::Tiered, ..choice });
            Ok(plan.chosen(choice))
        }
        None => Ok(planes?.chosen(choice)),
    }
}

/// Size of a game that is solved by planes, or by tiers where these are small or were begun.
fn size_by_planes(game: &PackedGame, request: &Request<'_>) -> GameSize {
    let size = size_within_time(game, request);
    let by_tiers = match request.storage.started {
        StartedWork::Nothing | StartedWork::Reached => size.ranks <= SMALL_GAME_RANKS,
        StartedWork::Layers => true,
        StartedWork::Planes | StartedWork::Slices(_) => false,
    };
    if by_tiers {
        return size;
    }
    let images = 1 + u64::from(game.two_sided_rules().mirror.is_some());
    GameSize {
        every_position: Method::Planes,
        rate: rate::PLANES,
        bytes: size.ranks / (PLANE_RANKS * images),
        ..size
    }
}
