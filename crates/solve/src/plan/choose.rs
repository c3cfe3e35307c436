//! Choice of a solver, by the structure of a game and the method of a request.

use hindsight_core::{ClassWords, Game, Notation, Packed, PackedGame, Scope, States, TwoSided};

use super::choice::{Choice, ChoiceReason, GameSize, choose_by_count, choose_by_size};
use super::method::{Method, PlanError};
use super::needs::rate;
use super::null_window::plan_null_window;
use super::planes::plan_planes;
use super::reachable::{plan_forward, plan_graph};
use super::request::{Request, StartedWork};
use super::search::{
    FindWinner, find_by_implied_values, find_by_rules, find_in_stages, plan_search,
};
use super::solved::SolvePlan;
use super::states::plan_states;
use super::tiers::{SMALL_GAME_RANKS, TierSolver, listed_rate, plan_tiers};
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

impl<'g, 'r> Problem<'g, 'r> {
    fn new(
        game: &'g PackedGame,
        start: Packed,
        request: &'r Request<'r>,
        find_winner: FindWinner,
    ) -> Self {
        Self { game, start, request, find_winner }
    }

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
        if let Some(size) = size {
            let scope = self.game.default_scope();
            return Ok(choose_by_size(request, scope, size, self.is_from_start()));
        }
        if request.asks_for_every_position() {
            return Ok(Choice { method: Method::Tiered, reason: ChoiceReason::Stored });
        }
        choose_by_count(self.game, self.start, request.limits.memory)
    }

    /// Plans a solve by a method that needs no ranks.
    fn plan(
        self,
        method: Method,
        choice: Option<Choice>,
        size: Option<GameSize>,
    ) -> Result<SolvePlan<'g>, PlanError> {
        let (game, start, request) = (self.game, self.start, self.request);
        let plan = match method {
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
        Ok(plan.chosen(choice))
    }
}

/// Plans a solve of any game from a position.
///
/// # Errors
/// [`PlanError::Unranked`], [`PlanError::NotTwoSided`] or [`PlanError::NoCountdown`] if the method
/// is for other games; [`PlanError::StoresNothing`], [`PlanError::NoSample`] or
/// [`PlanError::OnlyWholeGames`] for work that it does not do; [`PlanError::MayNotFit`] or
/// [`PlanError::SearchMemory`] if the method that was chosen may need too much memory.
pub fn plain<'g>(
    game: &'g PackedGame,
    start: Packed,
    request: &Request<'_>,
) -> Result<SolvePlan<'g>, PlanError> {
    let problem = Problem::new(game, start, request, find_by_rules);
    let (method, choice) = problem.method(None)?;
    problem.plan(method, choice, None)
}

/// Plans the forward solver of a game that sees its moves in the order of `ordered`, which is the
/// same game.
///
/// # Errors
/// As [`plain`].
pub fn forward_in_order<'g, O: Notation + ClassWords>(
    game: &'g PackedGame,
    ordered: &'g O,
    start: Packed,
    request: &Request<'_>,
) -> Result<SolvePlan<'g>, PlanError> {
    request.check_method(Method::Forward, start == game.start())?;
    Ok(plan_forward(game, ordered, request))
}

/// Plans a solve of a game that ranks every position.
///
/// # Errors
/// As [`plain`]; [`PlanError::Solver`] if the game is too large to list
/// its tiers; [`PlanError::BegunByPlanes`] if the checkpoint is of another method.
pub fn ranked<'g>(
    game: &'g PackedGame,
    start: Packed,
    request: &Request<'_>,
) -> Result<SolvePlan<'g>, PlanError> {
    let problem = Problem::new(game, start, request, find_by_implied_values);
    let mut size = size_by_tiers(game);
    if request.limits.time.is_some() {
        size.rate = listed_rate(game, request.limits.memory).unwrap_or(size.rate);
    }
    match problem.method(Some(size))? {
        (Method::Tiered, choice) => {
            let plan = plan_tiers(game, request, tier_solver())?;
            Ok(plan.chosen(choice))
        }
        (method, choice) => problem.plan(method, choice, Some(size)),
    }
}

/// Size of a game that is solved by tiers.
fn size_by_tiers(game: &PackedGame) -> GameSize {
    let ranks = GameSize::ranks_of(game);
    GameSize {
        ranks,
        every_position: Method::Tiered,
        rate: rate::TIERS,
        bytes: TierPlan::rough_bytes(game, false).saturating_mul(2),
    }
}

fn tier_solver() -> TierSolver {
    TierSolver {
        solve: tiered::solve_from,
        can_stream: false,
        max_remoteness: tiered::MAX_REMOTENESS,
        rate: None,
    }
}

/// Plans a solve of a game whose tiers are pairs of pawn squares.
///
/// # Errors
/// As [`ranked`].
pub fn pawn_pairs<'g>(
    game: &'g PackedGame,
    start: Packed,
    request: &Request<'_>,
) -> Result<SolvePlan<'g>, PlanError> {
    let problem = Problem::new(game, start, request, find_by_implied_values);
    let solver = TierSolver {
        solve: pawn_pairs::solve_from,
        can_stream: true,
        max_remoteness: pawn_pairs::MAX_REMOTENESS,
        rate: Some(rate::PAWN_PAIRS),
    };
    let size = GameSize {
        rate: rate::PAWN_PAIRS,
        bytes: TierPlan::rough_bytes(game, true),
        ..size_by_tiers(game)
    };
    match problem.method(Some(size))? {
        (Method::Tiered, choice) => Ok(plan_tiers(game, request, solver)?.chosen(choice)),
        (method, choice) => problem.plan(method, choice, Some(size)),
    }
}

/// Plans a solve of a game with a leader and followers on each side.
///
/// # Errors
/// As [`ranked`]; [`PlanError::NeedsCheckpoint`] if the planes do not fit in memory;
/// [`PlanError::NoTableOfSlices`].
pub fn two_sided<'g>(
    game: &'g PackedGame,
    start: Packed,
    request: &Request<'_>,
) -> Result<SolvePlan<'g>, PlanError> {
    let problem = Problem::new(game, start, request, find_in_stages);
    let size = size_by_planes(game, request);
    match problem.method(Some(size))? {
        (Method::Tiered, choice) => {
            let plan = plan_tiers(game, request, tier_solver())?;
            Ok(plan.chosen(choice))
        }
        (Method::Planes, None) => plan_planes(game, request),
        (Method::Planes, choice) => plan_planes_or_tiers(game, request, choice),
        (method, choice) => problem.plan(method, choice, Some(size)),
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
    let size = size_by_tiers(game);
    let by_tiers = match request.storage.started {
        StartedWork::Nothing => size.ranks <= SMALL_GAME_RANKS,
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

/// Plans a solve of a game in which a move may be forbidden.
///
/// # Errors
/// As [`ranked`].
pub fn forbidden_move<'g>(
    game: &'g PackedGame,
    start: Packed,
    request: &Request<'_>,
) -> Result<SolvePlan<'g>, PlanError> {
    let problem = Problem::new(game, start, request, find_by_rules);
    let ranks = GameSize::ranks_of(game.base());
    let size = GameSize {
        ranks,
        every_position: Method::Tiered,
        rate: rate::STATES,
        bytes: ranks.saturating_mul(STATE_BYTES),
    };
    match problem.method(Some(size))? {
        (Method::Tiered, choice) => Ok(plan_states(game, request)?.chosen(choice)),
        (method, choice) => problem.plan(method, choice, Some(size)),
    }
}
