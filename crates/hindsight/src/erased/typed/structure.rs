//! Structures of games: the solvers and the tables that each allows.

use std::sync::Arc;

use hindsight_analysis::Decide;
#[cfg(feature = "cluster")]
use hindsight_cluster::{Cluster, ClusterPlan, ClusterTask, RunClusterPlan};
use hindsight_core::{Notation, Packed, PackedGame, States, Structure, Symmetry, is_unreached};
use hindsight_rules::{PackedVisitor, Setup, Visitor, by_name_in_published_order};
use hindsight_run::Limits;
use hindsight_solve::plan::{self, Method, PlanError, Request, SolvePlan};
use hindsight_tablebase::{CheckpointDir, Layout};

use super::game::NamedGame;
use super::ranks::PositionRanks;
use crate::erased::{ErasedDistanceOutcome, ErasedGame, ErasedRanks};
use crate::error::GamesError;
use crate::tasks::distances::DistanceTask;
use crate::tasks::kept_findings::KeptPositions;
use crate::tasks::stores::Stores;

/// Game with what its structure allows.
pub(super) struct TypedGame<const W: usize> {
    pub(super) named: Arc<NamedGame<W>>,
    /// Proofs of the last analyses.
    pub(super) kept: KeptPositions,
    pub(super) structure: Box<dyn TypedStructure<W>>,
}

/// Plan of a solve, or the reason why there is none.
pub(super) type PlanResult<'g, const W: usize> = Result<SolvePlan<'g, PackedGame<W>>, PlanError>;

/// Structure of a game: the solvers and tables that it allows.
pub(super) trait TypedStructure<const W: usize>: Send + Sync {
    /// Returns what decides positions in an analysis.
    fn decide(&self) -> Decide<PackedGame<W>>;

    /// Returns the game.
    fn named(&self) -> &NamedGame<W>;

    /// Returns the numbering of the positions, if the game has one.
    fn ranks(&self) -> Option<&dyn ErasedRanks> {
        None
    }

    /// Plans a solve from a position.
    fn plan(&self, start: Packed<W>, request: &Request<'_>) -> PlanResult<'_, W>;

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
    fn is_unreached(&self, _: Packed<W>) -> bool {
        false
    }

    /// Returns the position in which no move is forbidden, with the same pieces and side to move.
    fn without_forbidden_move(&self, position: Packed<W>) -> Packed<W> {
        position
    }
}

/// Structure of any game: rules alone.
struct PlainGame<const W: usize> {
    named: Arc<NamedGame<W>>,
    decide: Decide<PackedGame<W>>,
    /// The game in the order of moves of the forward solver, if it is another one.
    forward: Option<Box<dyn OrderedRules<W>>>,
}

/// Structure of a game that ranks its positions.
struct RankedGame<const W: usize> {
    ranks: PositionRanks<W>,
    decide: Decide<PackedGame<W>>,
    planes_bytes: fn(&PackedGame<W>, Limits) -> Option<u64>,
    #[cfg(feature = "cluster")]
    cluster_plan: PlanShare<W>,
}

/// Function that plans a share of a solve by several processes.
#[cfg(feature = "cluster")]
type PlanShare<const W: usize> =
    for<'g> fn(&'g PackedGame<W>, &'g Cluster<'g>, ClusterTask<'g>) -> Box<dyn RunClusterPlan + 'g>;

/// Structure of a game in which a move may be forbidden.
pub(super) struct StatesGame<const W: usize> {
    pub(super) named: Arc<NamedGame<W>>,
}

impl<const W: usize> TypedStructure<W> for PlainGame<W> {
    fn decide(&self) -> Decide<PackedGame<W>> {
        self.decide
    }

    fn named(&self) -> &NamedGame<W> {
        &self.named
    }

    fn plan(&self, start: Packed<W>, request: &Request<'_>) -> PlanResult<'_, W> {
        match &self.forward {
            Some(ordered) if request.method == Method::Forward => {
                ordered.plan(&self.named.game, start, request)
            }
            _ => plan::plain(&self.named.game, start, request),
        }
    }
}

impl<const W: usize> TypedStructure<W> for RankedGame<W> {
    fn decide(&self) -> Decide<PackedGame<W>> {
        self.decide
    }

    fn named(&self) -> &NamedGame<W> {
        &self.ranks.named
    }

    fn ranks(&self) -> Option<&dyn ErasedRanks> {
        Some(&self.ranks)
    }

    fn plan(&self, start: Packed<W>, request: &Request<'_>) -> PlanResult<'_, W> {
        (self.ranks.plan)(&self.ranks.named.game, start, request)
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

impl<const W: usize> TypedStructure<W> for StatesGame<W> {
    fn decide(&self) -> Decide<PackedGame<W>> {
        Decide::BY_STATES
    }

    fn named(&self) -> &NamedGame<W> {
        &self.named
    }

    fn ranks(&self) -> Option<&dyn ErasedRanks> {
        Some(self)
    }

    fn plan(&self, start: Packed<W>, request: &Request<'_>) -> PlanResult<'_, W> {
        plan::forbidden_move(&self.named.game, start, request)
    }

    fn layout(&self, requested: Option<Layout>) -> Result<Layout, GamesError> {
        match requested {
            None | Some(Layout::States) => Ok(Layout::States),
            Some(_) => Err(GamesError::OnlyStates(self.named.spec.to_string())),
        }
    }

    fn stores<'a>(&'a self, checkpoint: &'a CheckpointDir) -> Stores<'a> {
        Stores::States(Box::new(checkpoint.state_store(&self.named.game)))
    }

    fn find_distances(&self, task: DistanceTask<'_>) -> Result<ErasedDistanceOutcome, GamesError> {
        self.find(task)
    }

    fn is_unreached(&self, position: Packed<W>) -> bool {
        is_unreached(&self.named.game, position)
    }

    fn without_forbidden_move(&self, position: Packed<W>) -> Packed<W> {
        self.named.game.encode(self.named.game.decode(position).0, None)
    }
}

impl<const W: usize> RankedGame<W> {
    fn new(named: Arc<NamedGame<W>>) -> Self {
        Self {
            ranks: PositionRanks { named, plan: plan::ranked, fast_solver: Method::Tiered },
            decide: Decide::BY_TIERS,
            planes_bytes: |_, _| None,
            #[cfg(feature = "cluster")]
            cluster_plan: |game, cluster, task| Box::new(ClusterPlan::retro(game, cluster, task)),
        }
    }

    fn with_planes(named: Arc<NamedGame<W>>) -> Self {
        let mut game = Self::new(named);
        game.ranks.plan = plan::two_sided;
        game.ranks.fast_solver = Method::Planes;
        Self { decide: Decide::BY_PLANES, planes_bytes: plan::planes_bytes, ..game }
    }

    fn with_pairs(named: Arc<NamedGame<W>>) -> Self {
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

/// Makes an erased game of a packed one.
pub(crate) struct Erase;

impl Erase {
    fn erase<const W: usize>(
        game: PackedGame<W>,
        forward: Option<Box<dyn OrderedRules<W>>>,
    ) -> Arc<dyn ErasedGame> {
        let kind = if forward.is_some() { Structure::Plain } else { game.structure() };
        let named = Arc::new(NamedGame::new(game));
        let game = Arc::clone(&named);
        let structure: Box<dyn TypedStructure<W>> = match kind {
            Structure::Plain => {
                Box::new(PlainGame { named: game, decide: Decide::BY_RULES, forward })
            }
            Structure::Subgames => {
                Box::new(PlainGame { named: game, decide: Decide::BY_SUBGAMES, forward })
            }
            Structure::Ranked => Box::new(RankedGame::new(game)),
            Structure::PawnPairs => Box::new(RankedGame::with_pairs(game)),
            Structure::TwoSided => Box::new(RankedGame::with_planes(game)),
            Structure::ForbiddenMove => Box::new(StatesGame { named: game }),
        };
        Arc::new(TypedGame { named, kept: KeptPositions::default(), structure })
    }
}

impl PackedVisitor for Erase {
    type Output = Arc<dyn ErasedGame>;

    fn visit<const W: usize>(self, game: PackedGame<W>) -> Self::Output {
        Self::erase(game, None)
    }
}

/// Makes an erased game whose forward solver takes moves in the order of the published program.
/// Onitama in this order has no tables.
pub(crate) struct EraseInPublishedOrder {
    pub(crate) symmetry: Symmetry,
}

impl PackedVisitor for EraseInPublishedOrder {
    type Output = Arc<dyn ErasedGame>;

    fn visit<const W: usize>(self, game: PackedGame<W>) -> Self::Output {
        // A spec in its normal form needs no files.
        let setup = Setup { symmetry: self.symmetry, ..Setup::default() };
        let ordered = by_name_in_published_order(&game.spec(), &setup, MakeOrdered::<W>);
        Erase::erase(game, ordered.expect("the spec of a game is read"))
    }
}

/// Rules in another order of moves.
trait OrderedRules<const W: usize>: Send + Sync {
    /// Plans the forward solver of a game in this order.
    fn plan<'g>(
        &'g self,
        game: &'g PackedGame<W>,
        start: Packed<W>,
        request: &Request<'_>,
    ) -> PlanResult<'g, W>;
}

struct Ordered<G>(G);

impl<G: Notation + Send + 'static, const W: usize> OrderedRules<W> for Ordered<G> {
    fn plan<'g>(
        &'g self,
        game: &'g PackedGame<W>,
        start: Packed<W>,
        request: &Request<'_>,
    ) -> PlanResult<'g, W> {
        plan::forward_in_order(game, &self.0, start, request)
    }
}

/// Takes rules in their own order; nothing for games that have no other order.
struct MakeOrdered<const W: usize>;

impl<const W: usize> Visitor for MakeOrdered<W> {
    type Output = Option<Box<dyn OrderedRules<W>>>;

    fn packed<const N: usize>(self, _: PackedGame<N>) -> Self::Output {
        None
    }

    fn visit<G: Notation + Send + 'static>(self, game: G) -> Self::Output {
        Some(Box::new(Ordered(game)))
    }
}
