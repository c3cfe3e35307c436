//! Structures of games: the solvers and the tables that each allows.

use std::sync::Arc;

use hindsight_analysis::Decide;
#[cfg(feature = "cluster")]
use hindsight_cluster::{Cluster, ClusterPlan, ClusterTask, RunClusterPlan};
use hindsight_core::{ForbiddenMove, Notation, PawnPairs, Retro, Subgames, TwoSided, is_unreached};
use hindsight_rules::Visitor;
use hindsight_run::Limits;
use hindsight_solve::plan::{self, PlanError, Request, SolvePlan};
use hindsight_tablebase::{CheckpointDir, Layout};

use super::game::TypedGame;
use crate::erased::{ErasedDistanceOutcome, ErasedGame, ErasedRanks};
use crate::error::GamesError;
use crate::tasks::distances::DistanceTask;
use crate::tasks::stores::Stores;

/// Structure of a game of type `G`: the solvers and tables that it allows.
pub(super) trait Structure<G: Notation + 'static>: Sized + 'static {
    /// Decides positions in an analysis.
    const DECIDE: Decide<G>;

    /// Returns the numbering of the positions, if the game has one.
    fn ranks(_: &TypedGame<G, Self>) -> Option<&dyn ErasedRanks> {
        None
    }

    /// Plans a solve from a position.
    fn plan<'g>(
        game: &'g G,
        start: G::Position,
        request: &Request<'_>,
    ) -> Result<SolvePlan<'g, G>, PlanError> {
        plan::plain(game, start, request)
    }

    /// Returns the layout of stored layers: the requested one, or the default.
    ///
    /// # Errors
    /// [`GamesError::NoStates`] or [`GamesError::OnlyStates`] for a layout of other games.
    fn layout(spec: &str, requested: Option<Layout>) -> Result<Layout, GamesError> {
        match requested {
            Some(Layout::States) => Err(GamesError::NoStates(spec.to_string())),
            layout => Ok(layout.unwrap_or(Layout::Full)),
        }
    }

    /// Returns the stores of finished work in a folder.
    fn stores<'a>(_: &'a G, _: &'a CheckpointDir) -> Stores<'a> {
        Stores::Nothing
    }

    /// True if several processes can solve the game together.
    #[cfg(feature = "cluster")]
    const HAS_PARTS: bool = false;

    /// Plans a share of a solve by several processes.
    ///
    /// # Errors
    /// [`GamesError::NoParts`] for games that are solved by one process only.
    #[cfg(feature = "cluster")]
    fn cluster_plan<'g>(
        typed: &'g TypedGame<G, Self>,
        _: &'g Cluster<'g>,
        _: ClusterTask<'g>,
    ) -> Result<Box<dyn RunClusterPlan + 'g>, GamesError> {
        Err(GamesError::NoParts(typed.spec.to_string()))
    }

    /// Finds the distances of all states from the start.
    ///
    /// # Errors
    /// [`GamesError::NoDistances`] for games that never forbid a move.
    fn find_distances(
        typed: Arc<TypedGame<G, Self>>,
        _: DistanceTask<'_>,
    ) -> Result<ErasedDistanceOutcome, GamesError> {
        Err(GamesError::NoDistances(typed.spec.to_string()))
    }

    /// Returns the least bytes of memory in which planes solve the game.
    ///
    /// `None` for games without planes, and if even a plan is too large for `limits`.
    fn planes_bytes(_game: &G, _limits: Limits) -> Option<u64> {
        None
    }

    /// Returns true if it is known that no move leads to a position.
    fn is_unreached(_game: &G, _position: G::Position) -> bool {
        false
    }

    /// Returns the position in which no move is forbidden, with the same pieces and side to move.
    fn without_forbidden_move(_game: &G, position: G::Position) -> G::Position {
        position
    }
}

/// Structure of any game: rules alone.
pub(super) enum Rules {}
/// Structure of a game with [`Subgames`], whose own positions have no ranks.
pub(super) enum RankedSubgames {}
/// Structure of a game that is [`Retro`].
pub(super) enum Ranks {}
/// Structure of a game that is [`PawnPairs`].
pub(super) enum Pairs {}
/// Structure of a game that is [`TwoSided`].
pub(super) enum Sides {}
/// Structure of a game that is [`ForbiddenMove`].
pub(super) enum BaseGame {}

impl<G: Notation + Send + 'static> Structure<G> for Rules {
    const DECIDE: Decide<G> = Decide::BY_RULES;
}

impl<G: Subgames + Notation + Send + 'static> Structure<G> for RankedSubgames {
    const DECIDE: Decide<G> = Decide::BY_SUBGAMES;
}

impl<G: Retro + Notation + Send + 'static> Structure<G> for Ranks {
    const DECIDE: Decide<G> = Decide::BY_TIERS;
    #[cfg(feature = "cluster")]
    const HAS_PARTS: bool = true;

    fn ranks(typed: &TypedGame<G, Self>) -> Option<&dyn ErasedRanks> {
        Some(typed)
    }

    fn plan<'g>(
        game: &'g G,
        start: G::Position,
        request: &Request<'_>,
    ) -> Result<SolvePlan<'g, G>, PlanError> {
        plan::ranked(game, start, request)
    }

    #[cfg(feature = "cluster")]
    fn cluster_plan<'g>(
        typed: &'g TypedGame<G, Self>,
        cluster: &'g Cluster<'g>,
        task: ClusterTask<'g>,
    ) -> Result<Box<dyn RunClusterPlan + 'g>, GamesError> {
        Ok(Box::new(ClusterPlan::retro(&typed.game, cluster, task)))
    }

    fn stores<'a>(game: &'a G, checkpoint: &'a CheckpointDir) -> Stores<'a> {
        Stores::Layers(Box::new(checkpoint.layer_store(game)))
    }
}

impl<G: PawnPairs + Subgames + Retro + Notation + Send + 'static> Structure<G> for Pairs {
    const DECIDE: Decide<G> = Decide::BY_RANKED_SUBGAMES;
    #[cfg(feature = "cluster")]
    const HAS_PARTS: bool = true;

    fn ranks(typed: &TypedGame<G, Self>) -> Option<&dyn ErasedRanks> {
        Some(typed)
    }

    fn plan<'g>(
        game: &'g G,
        start: G::Position,
        request: &Request<'_>,
    ) -> Result<SolvePlan<'g, G>, PlanError> {
        plan::pawn_pairs(game, start, request)
    }

    #[cfg(feature = "cluster")]
    fn cluster_plan<'g>(
        typed: &'g TypedGame<G, Self>,
        cluster: &'g Cluster<'g>,
        task: ClusterTask<'g>,
    ) -> Result<Box<dyn RunClusterPlan + 'g>, GamesError> {
        Ok(Box::new(ClusterPlan::pairs(&typed.game, cluster, task)))
    }

    fn stores<'a>(game: &'a G, checkpoint: &'a CheckpointDir) -> Stores<'a> {
        Stores::Layers(Box::new(checkpoint.layer_store(game)))
    }
}

impl<G: TwoSided + Retro + Notation + Send + 'static> Structure<G> for Sides {
    const DECIDE: Decide<G> = Decide::BY_PLANES;
    #[cfg(feature = "cluster")]
    const HAS_PARTS: bool = true;

    fn ranks(typed: &TypedGame<G, Self>) -> Option<&dyn ErasedRanks> {
        Some(typed)
    }

    fn plan<'g>(
        game: &'g G,
        start: G::Position,
        request: &Request<'_>,
    ) -> Result<SolvePlan<'g, G>, PlanError> {
        plan::two_sided(game, start, request)
    }

    fn planes_bytes(game: &G, limits: Limits) -> Option<u64> {
        plan::planes_bytes(game, limits)
    }

    #[cfg(feature = "cluster")]
    fn cluster_plan<'g>(
        typed: &'g TypedGame<G, Self>,
        cluster: &'g Cluster<'g>,
        task: ClusterTask<'g>,
    ) -> Result<Box<dyn RunClusterPlan + 'g>, GamesError> {
        Ok(Box::new(ClusterPlan::retro(&typed.game, cluster, task)))
    }

    fn stores<'a>(game: &'a G, checkpoint: &'a CheckpointDir) -> Stores<'a> {
        Stores::Layers(Box::new(checkpoint.layer_store(game)))
    }
}

impl<G: ForbiddenMove + Notation + Send + 'static> Structure<G> for BaseGame {
    const DECIDE: Decide<G> = Decide::BY_STATES;

    fn ranks(typed: &TypedGame<G, Self>) -> Option<&dyn ErasedRanks> {
        Some(typed)
    }

    fn plan<'g>(
        game: &'g G,
        start: G::Position,
        request: &Request<'_>,
    ) -> Result<SolvePlan<'g, G>, PlanError> {
        plan::forbidden_move(game, start, request)
    }

    fn layout(spec: &str, requested: Option<Layout>) -> Result<Layout, GamesError> {
        match requested {
            None | Some(Layout::States) => Ok(Layout::States),
            Some(_) => Err(GamesError::OnlyStates(spec.to_string())),
        }
    }

    fn stores<'a>(game: &'a G, checkpoint: &'a CheckpointDir) -> Stores<'a> {
        Stores::States(Box::new(checkpoint.state_store(game)))
    }

    fn find_distances(
        typed: Arc<TypedGame<G, Self>>,
        task: DistanceTask<'_>,
    ) -> Result<ErasedDistanceOutcome, GamesError> {
        typed.find(task)
    }

    fn is_unreached(game: &G, position: G::Position) -> bool {
        is_unreached(game, position)
    }

    fn without_forbidden_move(game: &G, position: G::Position) -> G::Position {
        game.encode(game.decode(position).0, None)
    }
}

/// Makes an erased game of the concrete one.
pub(crate) struct Erase;

impl Erase {
    fn erase<G, S>(game: G) -> Arc<dyn ErasedGame>
    where
        G: Notation + Send + 'static,
        S: Structure<G>,
    {
        Arc::new(TypedGame::<G, S>::new(game))
    }
}

impl Visitor for Erase {
    type Output = Arc<dyn ErasedGame>;

    fn visit<G: Notation + Send + 'static>(self, game: G) -> Self::Output {
        Self::erase::<G, Rules>(game)
    }

    fn ranked<G: Retro + Notation + Send + 'static>(self, game: G) -> Self::Output {
        Self::erase::<G, Ranks>(game)
    }

    fn pawn_pairs<G: PawnPairs + Subgames + Retro + Notation + Send + 'static>(
        self,
        game: G,
    ) -> Self::Output {
        Self::erase::<G, Pairs>(game)
    }

    fn subgames<G: Subgames + Notation + Send + 'static>(self, game: G) -> Self::Output {
        Self::erase::<G, RankedSubgames>(game)
    }

    fn two_sided<G: TwoSided + Retro + Notation + Send + 'static>(self, game: G) -> Self::Output {
        Self::erase::<G, Sides>(game)
    }

    fn forbidden_move<G: ForbiddenMove + Notation + Send + 'static>(self, game: G) -> Self::Output {
        Self::erase::<G, BaseGame>(game)
    }
}
