//! Structures of games: the solvers and the tables that each allows.

use std::sync::Arc;

#[cfg(feature = "cluster")]
use hindsight_cluster::{Cluster, ClusterPlan, ClusterTask};
use hindsight_core::{Packed, PackedGame, States, Structure, Symmetry, is_unreached};
use hindsight_solve::plan::{self, Method, PlanError, Request, SolvePlan};
use hindsight_tablebase::{CheckpointDir, Layout};

use super::game::NamedGame;
use super::ranks::RankedGame;
use crate::error::GamesError;
use crate::parts::distances::FoundDistanceTask;
use crate::parts::table_ranks::TableRanks;
use crate::tasks::distances::DistanceTask;
use crate::tasks::kept_findings::KeptPositions;
use crate::tasks::stores::Stores;

/// Game with what its structure allows.
pub(crate) struct GameParts {
    pub(crate) named: Arc<NamedGame>,
    /// Proofs of the last analyses.
    pub(super) kept: KeptPositions,
    pub(crate) structure: Box<dyn GameStructure>,
    /// Symmetry by which canonical members are merged.
    pub(crate) symmetry: Symmetry,
}

/// Plan of a solve, or the reason why there is none.
pub(super) type PlanResult<'g> = Result<SolvePlan<'g>, PlanError>;

/// Structure of a game: the solvers and tables that it allows.
pub(crate) trait GameStructure: Send + Sync {
    fn named(&self) -> &NamedGame;

    /// Returns the numbering of the positions, if the game has one.
    fn ranks(&self) -> Option<&dyn TableRanks> {
        None
    }

    /// Plans a solve from a position.
    fn plan(&self, start: Packed, request: &Request<'_>) -> PlanResult<'_> {
        plan::plan(&self.named().game, start, request)
    }

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
    ) -> Result<ClusterPlan<'g>, GamesError> {
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
    fn find_distances(&self, _: DistanceTask<'_>) -> Result<FoundDistanceTask, GamesError> {
        Err(GamesError::NoDistances(self.named().spec.to_string()))
    }

    /// Returns true if it is known that no move leads to a position.
    fn is_unreached(&self, _: Packed) -> bool {
        false
    }

    /// Returns the position in which no move is forbidden, with the same pieces and side to move.
    fn without_forbidden_move(&self, position: Packed) -> Packed {
        position
    }
}

/// Structure of any game: rules alone.
struct PlainGame {
    named: Arc<NamedGame>,
    /// The game in the order of moves of the forward solver, if it is another one.
    forward: Option<PackedGame>,
}

/// Structure of a game in which a move may be forbidden.
pub(super) struct StatesGame {
    pub(super) named: Arc<NamedGame>,
}

impl GameStructure for PlainGame {
    fn named(&self) -> &NamedGame {
        &self.named
    }

    fn plan(&self, start: Packed, request: &Request<'_>) -> PlanResult<'_> {
        match &self.forward {
            Some(ordered) if request.method == Method::Forward => {
                plan::forward_in_order(&self.named.game, ordered, start, request)
            }
            _ => plan::plan(&self.named.game, start, request),
        }
    }
}

impl GameStructure for RankedGame {
    fn named(&self) -> &NamedGame {
        &self.named
    }

    fn ranks(&self) -> Option<&dyn TableRanks> {
        Some(self)
    }

    fn stores<'a>(&'a self, checkpoint: &'a CheckpointDir) -> Stores<'a> {
        Stores::Layers(Box::new(checkpoint.layer_store(&self.named.game)))
    }

    #[cfg(feature = "cluster")]
    fn cluster_plan<'g>(
        &'g self,
        cluster: &'g Cluster<'g>,
        task: ClusterTask<'g>,
    ) -> Result<ClusterPlan<'g>, GamesError> {
        Ok(ClusterPlan::new(&self.named.game, cluster, task))
    }

    /// Other processes would need the rules that live outside.
    #[cfg(feature = "cluster")]
    fn has_parts(&self) -> bool {
        !self.named.game.is_outside()
    }
}

impl GameStructure for StatesGame {
    fn named(&self) -> &NamedGame {
        &self.named
    }

    fn ranks(&self) -> Option<&dyn TableRanks> {
        Some(self)
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

    fn find_distances(&self, task: DistanceTask<'_>) -> Result<FoundDistanceTask, GamesError> {
        self.find(task)
    }

    fn is_unreached(&self, position: Packed) -> bool {
        is_unreached(&self.named.game, position)
    }

    fn without_forbidden_move(&self, position: Packed) -> Packed {
        self.named.game.encode(self.named.game.decode(position).0, None)
    }
}

impl GameParts {
    /// Returns the numbering of the positions, if the game has one.
    pub(crate) fn ranks(&self) -> Option<&dyn TableRanks> {
        self.structure.ranks()
    }

    pub(crate) fn new(game: PackedGame, symmetry: Symmetry) -> Self {
        Self::with_forward(game, None, symmetry, false)
    }

    /// Returns a game with the ranks of a table, perhaps of reachable positions.
    pub(crate) fn of_table(game: PackedGame, symmetry: Symmetry, is_reachable: bool) -> Self {
        Self::with_forward(game, None, symmetry, is_reachable)
    }

    /// Returns a game without tables, whose forward solver takes moves in the order of `ordered`,
    /// the same game.
    pub(crate) fn in_order_of(ordered: PackedGame, game: &PackedGame, symmetry: Symmetry) -> Self {
        Self::with_forward(game.rules_alone(), Some(ordered), symmetry, false)
    }

    fn with_forward(
        game: PackedGame,
        forward: Option<PackedGame>,
        symmetry: Symmetry,
        is_reachable: bool,
    ) -> Self {
        let structure = game.structure();
        let named = Arc::new(NamedGame::new(game));
        let game = Arc::clone(&named);
        let structure: Box<dyn GameStructure> = match structure {
            Structure::Plain | Structure::Subgames => Box::new(PlainGame { named: game, forward }),
            Structure::Ranked | Structure::PawnPairs | Structure::TwoSided => {
                Box::new(RankedGame { named: game, is_reachable })
            }
            Structure::ForbiddenMove => Box::new(StatesGame { named: game }),
        };
        Self { named, kept: KeptPositions::default(), structure, symmetry }
    }
}
