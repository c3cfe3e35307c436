//! Structures of games: the solvers and the tables that each allows.

use std::sync::Arc;

use hindsight_analysis::Decide;
#[cfg(feature = "cluster")]
use hindsight_cluster::{Cluster, ClusterPlan, ClusterTask, RunClusterPlan};
use hindsight_core::{
    ForbiddenMove, Notation, PackedGame, PawnPairs, Retro, Structure, Subgames, TwoSided,
    is_unreached,
};
use hindsight_rules::Visitor;
use hindsight_run::Limits;
use hindsight_solve::plan::{self, Method, PlanError, Request, SolvePlan};
use hindsight_tablebase::{CheckpointDir, Layout};

use super::game::{NamedGame, TypedGame};
use super::ranks::PositionRanks;
use crate::erased::{ErasedDistanceOutcome, ErasedGame, ErasedRanks};
use crate::error::GamesError;
use crate::tasks::distances::DistanceTask;
use crate::tasks::kept_findings::KeptPositions;
use crate::tasks::stores::Stores;

/// Structure of a game of type `G`: the solvers and tables that it allows.
pub(super) trait TypedStructure<G: Notation>: Send + Sync {
    /// Returns what decides positions in an analysis.
    fn decide(&self) -> Decide<G>;

    /// Returns the game.
    fn named(&self) -> &NamedGame<G>;

    /// Returns the numbering of the positions, if the game has one.
    fn ranks(&self) -> Option<&dyn ErasedRanks> {
        None
    }

    /// Plans a solve from a position.
    fn plan<'g>(
        &self,
        game: &'g G,
        start: G::Position,
        request: &Request<'_>,
    ) -> Result<SolvePlan<'g, G>, PlanError>;

    /// Returns the layout of stored layers: the requested one, or the default.
    ///
    /// # Errors
    /// [`GamesError::NoStates`] or [`GamesError::OnlyStates`] for a layout of other games.
    fn layout(&self, requested: Option<Layout>) -> Result<Layout, GamesError> {
        match requested {
            Some(Layout::States) => Err(GamesError::NoStates(self.named().spec.to_string())),
            layout => Ok(layout.unwrap_or(Layout::Full)),
        }
    }

    /// Returns the stores of finished work in a folder.
    fn stores<'a>(&'a self, _: &'a CheckpointDir) -> Stores<'a> {
        Stores::Nothing
    }

    /// Plans a share of a solve by several processes.
    ///
    /// # Errors
    /// [`GamesError::NoParts`] for games that are solved by one process only.
    #[cfg(feature = "cluster")]
    fn cluster_plan<'g>(
        &'g self,
        _: &'g Cluster<'g>,
        _: ClusterTask<'g>,
    ) -> Result<Box<dyn RunClusterPlan + 'g>, GamesError> {
        Err(GamesError::NoParts(self.named().spec.to_string()))
    }

    /// True if several processes can solve the game together.
    #[cfg(feature = "cluster")]
    fn has_parts(&self) -> bool {
        false
    }

    /// Finds the distances of all states from the start.
    ///
    /// # Errors
    /// [`GamesError::NoDistances`] for games that never forbid a move.
    fn find_distances(&self, _: DistanceTask<'_>) -> Result<ErasedDistanceOutcome, GamesError> {
        Err(GamesError::NoDistances(self.named().spec.to_string()))
    }

    /// Returns the least bytes of memory in which planes solve the game.
    ///
    /// `None` for games without planes, and if even a plan is too large for `limits`.
    fn planes_bytes(&self, _: Limits) -> Option<u64> {
        None
    }

    /// Returns true if it is known that no move leads to a position.
    fn is_unreached(&self, _: G::Position) -> bool {
        false
    }

    /// Returns the position in which no move is forbidden, with the same pieces and side to move.
    fn without_forbidden_move(&self, position: G::Position) -> G::Position {
        position
    }
}

/// Structure of any game: rules alone.
struct PlainGame<G: Notation> {
    named: Arc<NamedGame<G>>,
    decide: Decide<G>,
}

/// Structure of a game that ranks its positions.
struct RankedGame<G: Notation> {
    ranks: PositionRanks<G>,
    decide: Decide<G>,
    planes_bytes: fn(&G, Limits) -> Option<u64>,
    #[cfg(feature = "cluster")]
    cluster_plan: PlanShare<G>,
}

/// Function that plans a share of a solve by several processes.
#[cfg(feature = "cluster")]
type PlanShare<G> =
    for<'g> fn(&'g G, &'g Cluster<'g>, ClusterTask<'g>) -> Box<dyn RunClusterPlan + 'g>;

/// Structure of a game in which a move may be forbidden.
pub(super) struct BaseGame<G>(pub(super) Arc<NamedGame<G>>);

impl<G: Notation + Send + 'static> TypedStructure<G> for PlainGame<G> {
    fn decide(&self) -> Decide<G> {
        self.decide
    }

    fn named(&self) -> &NamedGame<G> {
        &self.named
    }

    fn plan<'g>(
        &self,
        game: &'g G,
        start: G::Position,
        request: &Request<'_>,
    ) -> Result<SolvePlan<'g, G>, PlanError> {
        plan::plain(game, start, request)
    }
}

impl<G: Retro + Notation + Send + 'static> TypedStructure<G> for RankedGame<G> {
    fn decide(&self) -> Decide<G> {
        self.decide
    }

    fn named(&self) -> &NamedGame<G> {
        &self.ranks.named
    }

    fn ranks(&self) -> Option<&dyn ErasedRanks> {
        Some(&self.ranks)
    }

    fn plan<'g>(
        &self,
        game: &'g G,
        start: G::Position,
        request: &Request<'_>,
    ) -> Result<SolvePlan<'g, G>, PlanError> {
        (self.ranks.plan)(game, start, request)
    }

    fn stores<'a>(&'a self, checkpoint: &'a CheckpointDir) -> Stores<'a> {
        Stores::Layers(Box::new(checkpoint.layer_store(&self.named().game)))
    }

    #[cfg(feature = "cluster")]
    fn cluster_plan<'g>(
        &'g self,
        cluster: &'g Cluster<'g>,
        task: ClusterTask<'g>,
    ) -> Result<Box<dyn RunClusterPlan + 'g>, GamesError> {
        Ok((self.cluster_plan)(&self.named().game, cluster, task))
    }

    #[cfg(feature = "cluster")]
    fn has_parts(&self) -> bool {
        true
    }

    fn planes_bytes(&self, limits: Limits) -> Option<u64> {
        (self.planes_bytes)(&self.named().game, limits)
    }
}

impl<G: ForbiddenMove + Notation + Send + 'static> TypedStructure<G> for BaseGame<G> {
    fn decide(&self) -> Decide<G> {
        Decide::BY_STATES
    }

    fn named(&self) -> &NamedGame<G> {
        &self.0
    }

    fn ranks(&self) -> Option<&dyn ErasedRanks> {
        Some(self)
    }

    fn plan<'g>(
        &self,
        game: &'g G,
        start: G::Position,
        request: &Request<'_>,
    ) -> Result<SolvePlan<'g, G>, PlanError> {
        plan::forbidden_move(game, start, request)
    }

    fn layout(&self, requested: Option<Layout>) -> Result<Layout, GamesError> {
        match requested {
            None | Some(Layout::States) => Ok(Layout::States),
            Some(_) => Err(GamesError::OnlyStates(self.0.spec.to_string())),
        }
    }

    fn stores<'a>(&'a self, checkpoint: &'a CheckpointDir) -> Stores<'a> {
        Stores::States(Box::new(checkpoint.state_store(&self.0.game)))
    }

    fn find_distances(&self, task: DistanceTask<'_>) -> Result<ErasedDistanceOutcome, GamesError> {
        self.find(task)
    }

    fn is_unreached(&self, position: G::Position) -> bool {
        is_unreached(&self.0.game, position)
    }

    fn without_forbidden_move(&self, position: G::Position) -> G::Position {
        self.0.game.encode(self.0.game.decode(position).0, None)
    }
}

impl<G: Retro + Notation + Send + 'static> RankedGame<G> {
    fn new(named: Arc<NamedGame<G>>) -> Self {
        Self {
            ranks: PositionRanks { named, plan: plan::ranked, fast_solver: Method::Tiered },
            decide: Decide::BY_TIERS,
            planes_bytes: |_, _| None,
            #[cfg(feature = "cluster")]
            cluster_plan: |game, cluster, task| Box::new(ClusterPlan::retro(game, cluster, task)),
        }
    }

    fn with_planes(named: Arc<NamedGame<G>>) -> Self
    where
        G: TwoSided,
    {
        let mut game = Self::new(named);
        game.ranks.plan = plan::two_sided;
        game.ranks.fast_solver = Method::Planes;
        Self { decide: Decide::BY_PLANES, planes_bytes: plan::planes_bytes, ..game }
    }

    fn with_pairs(named: Arc<NamedGame<G>>) -> Self
    where
        G: PawnPairs + Subgames,
    {
        let mut game = Self::new(named);
        game.ranks.plan = plan::pawn_pairs;
        Self {
            decide: Decide::BY_RANKED_SUBGAMES,
            #[cfg(feature = "cluster")]
            cluster_plan: |game, cluster, task| Box::new(ClusterPlan::pairs(game, cluster, task)),
            ..game
        }
    }
}

/// Makes an erased game of the concrete one.
pub(crate) struct Erase;

impl Visitor for Erase {
    type Output = Arc<dyn ErasedGame>;

    fn packed<const W: usize>(self, game: PackedGame<W>) -> Self::Output {
        let kind = game.structure();
        let named = Arc::new(NamedGame::new(game));
        let game = Arc::clone(&named);
        let structure: Box<dyn TypedStructure<PackedGame<W>>> = match kind {
            Structure::Plain => Box::new(PlainGame { named: game, decide: Decide::BY_RULES }),
            Structure::Subgames => Box::new(PlainGame { named: game, decide: Decide::BY_SUBGAMES }),
            Structure::Ranked => Box::new(RankedGame::new(game)),
            Structure::PawnPairs => Box::new(RankedGame::with_pairs(game)),
            Structure::TwoSided => Box::new(RankedGame::with_planes(game)),
            Structure::ForbiddenMove => Box::new(BaseGame(game)),
        };
        Arc::new(TypedGame { named, kept: KeptPositions::default(), structure })
    }

    /// Receives what has no words: Onitama in the move order of the thesis.
    fn visit<G: Notation + Send + 'static>(self, game: G) -> Self::Output {
        let named = Arc::new(NamedGame::new(game));
        let structure = PlainGame { named: Arc::clone(&named), decide: Decide::BY_RULES };
        let kept = KeptPositions::default();
        Arc::new(TypedGame { named, kept, structure: Box::new(structure) })
    }
}
