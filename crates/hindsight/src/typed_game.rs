//! A game of a known type with the strongest structure that the registry knows of it.

use std::marker::PhantomData;
use std::sync::Arc;

use hindsight_core::{
    ForbiddenMove, Game, Material, Notation, ParseError, PawnPairs, Retro, TwoSided, Wdl,
    is_unreached,
};
use hindsight_rules::Visitor;
use hindsight_run::{Limits, Monitor};
use hindsight_solve::graph;
use hindsight_solve::plan::{self, PlanError, Request, SolveIo, SolvePlan};

use crate::any_value::{AnyMove, Position};
use crate::erased::{ErasedGame, ErasedRanks, ErasedSolution};
use crate::error::GamesError;
use crate::typed_solution::{ReachableValues, SolvedValues};

/// Game of type `G` with the structure `S`.
pub(crate) struct TypedGame<G, S> {
    /// Spec in normal form, shared with all positions and moves.
    pub(crate) spec: Arc<str>,
    pub(crate) game: G,
    structure: PhantomData<fn() -> S>,
}

/// Structure of a game of type `G`: the solvers and tables that it allows.
pub(crate) trait Structure<G: Game>: Sized + 'static {
    /// Returns the numbering of the positions, if the game has one.
    fn ranks(typed: &TypedGame<G, Self>) -> Option<&dyn ErasedRanks>;

    /// Plans a solve.
    fn plan<'g>(game: &'g G, request: &Request<'_>) -> Result<SolvePlan<'g, G>, PlanError>;

    /// Returns true if it is known that no move leads to a position.
    fn is_unreached(_game: &G, _position: G::Position) -> bool {
        false
    }
}

/// Structure of any game: rules alone.
pub(crate) enum Rules {}
/// Structure of a game that is [`Retro`].
pub(crate) enum Ranks {}
/// Structure of a game that is [`PawnPairs`].
pub(crate) enum Pairs {}
/// Structure of a game that is [`TwoSided`].
pub(crate) enum Sides {}
/// Structure of a game that is [`ForbiddenMove`].
pub(crate) enum BaseGame {}

impl<G: Game + Notation + Send + 'static> Structure<G> for Rules {
    fn ranks(_: &TypedGame<G, Self>) -> Option<&dyn ErasedRanks> {
        None
    }

    fn plan<'g>(game: &'g G, request: &Request<'_>) -> Result<SolvePlan<'g, G>, PlanError> {
        plan::plain(game, request)
    }
}

impl<G: Retro + Notation + Send + 'static> Structure<G> for Ranks {
    fn ranks(typed: &TypedGame<G, Self>) -> Option<&dyn ErasedRanks> {
        Some(typed)
    }

    fn plan<'g>(game: &'g G, request: &Request<'_>) -> Result<SolvePlan<'g, G>, PlanError> {
        plan::ranked(game, request)
    }
}

impl<G: PawnPairs + Retro + Notation + Send + 'static> Structure<G> for Pairs {
    fn ranks(typed: &TypedGame<G, Self>) -> Option<&dyn ErasedRanks> {
        Some(typed)
    }

    fn plan<'g>(game: &'g G, request: &Request<'_>) -> Result<SolvePlan<'g, G>, PlanError> {
        plan::pawn_pairs(game, request)
    }
}

impl<G: TwoSided + Retro + Notation + Send + 'static> Structure<G> for Sides {
    fn ranks(typed: &TypedGame<G, Self>) -> Option<&dyn ErasedRanks> {
        Some(typed)
    }

    fn plan<'g>(game: &'g G, request: &Request<'_>) -> Result<SolvePlan<'g, G>, PlanError> {
        plan::two_sided(game, request)
    }
}

impl<G: ForbiddenMove + Notation + Send + 'static> Structure<G> for BaseGame {
    fn ranks(typed: &TypedGame<G, Self>) -> Option<&dyn ErasedRanks> {
        Some(typed)
    }

    fn plan<'g>(game: &'g G, request: &Request<'_>) -> Result<SolvePlan<'g, G>, PlanError> {
        plan::forbidden_move(game, request)
    }

    fn is_unreached(game: &G, position: G::Position) -> bool {
        is_unreached(game, position)
    }
}

/// Makes an erased game of the concrete one.
pub(crate) struct Erase;

impl Erase {
    fn erase<G, S>(game: G) -> Arc<dyn ErasedGame>
    where
        G: Game + Notation + Send + 'static,
        S: Structure<G>,
    {
        Arc::new(TypedGame::<G, S> {
            spec: game.spec().into(),
            game,
            structure: PhantomData,
        })
    }
}

impl Visitor for Erase {
    type Output = Arc<dyn ErasedGame>;

    fn visit<G: Game + Notation + Material + Send + 'static>(self, game: G) -> Self::Output {
        Self::erase::<G, Rules>(game)
    }

    fn ranked<G: Retro + Notation + Material + Send + 'static>(self, game: G) -> Self::Output {
        Self::erase::<G, Ranks>(game)
    }

    fn pawn_pairs<G: PawnPairs + Retro + Notation + Material + Send + 'static>(
        self,
        game: G,
    ) -> Self::Output {
        Self::erase::<G, Pairs>(game)
    }

    fn two_sided<G: TwoSided + Retro + Notation + Material + Send + 'static>(
        self,
        game: G,
    ) -> Self::Output {
        Self::erase::<G, Sides>(game)
    }

    fn forbidden_move<G: ForbiddenMove<Base: Material> + Notation + Material + Send + 'static>(
        self,
        game: G,
    ) -> Self::Output {
        Self::erase::<G, BaseGame>(game)
    }
}

impl<G: Game + Notation + Send + 'static, S> TypedGame<G, S> {
    pub(crate) fn wrap(&self, position: G::Position) -> Position {
        Position::new(&self.spec, position)
    }

    pub(crate) fn wrap_move(&self, mv: G::Move) -> AnyMove {
        AnyMove::new(&self.spec, mv)
    }

    /// Returns a position of this game.
    ///
    /// # Errors
    /// [`GamesError::OtherGame`] for a position of another game.
    pub(crate) fn unwrap(&self, position: &Position) -> Result<G::Position, GamesError> {
        position
            .get(&self.spec)
            .ok_or_else(|| GamesError::OtherGame {
                game: self.spec.to_string(),
            })
    }

    pub(crate) fn legal_moves(&self, position: G::Position) -> Vec<G::Move> {
        let mut moves = Vec::new();
        self.game.moves(position, &mut moves);
        moves
    }

    /// Returns a legal move of this game.
    ///
    /// # Errors
    /// [`GamesError::IllegalMove`] for a move of another game, or one that is not legal here.
    fn unwrap_move(&self, position: G::Position, mv: &AnyMove) -> Result<G::Move, GamesError> {
        let own: Option<G::Move> = mv.get(&self.spec);
        let legal = own.filter(|mv| self.legal_moves(position).contains(mv));
        legal.ok_or_else(|| GamesError::IllegalMove {
            position: self.game.format(position),
        })
    }
}

impl<G: Game + Notation + Send + 'static, S: Structure<G>> ErasedGame for TypedGame<G, S> {
    fn spec(&self) -> &str {
        &self.spec
    }

    fn player_names(&self) -> [&'static str; 2] {
        self.game.player_names()
    }

    fn start(&self) -> Position {
        self.wrap(self.game.start())
    }

    fn parse(&self, text: &str) -> Result<Position, ParseError> {
        self.game.parse(text).map(|position| self.wrap(position))
    }

    fn format(&self, position: &Position) -> Result<String, GamesError> {
        Ok(self.game.format(self.unwrap(position)?))
    }

    fn diagram(&self, position: &Position) -> Result<String, GamesError> {
        Ok(self.game.diagram(self.unwrap(position)?))
    }

    fn player_to_move(&self, position: &Position) -> Result<usize, GamesError> {
        Ok(self.game.player_to_move(self.unwrap(position)?))
    }

    fn outcome(&self, position: &Position) -> Result<Option<Wdl>, GamesError> {
        Ok(self.game.terminal(self.unwrap(position)?))
    }

    fn win_condition(&self, position: &Position) -> Result<Option<&'static str>, GamesError> {
        let position = self.unwrap(position)?;
        let is_won = self
            .game
            .terminal(position)
            .is_some_and(|wdl| wdl != Wdl::Draw);
        Ok(self.game.win_condition(position).filter(|_| is_won))
    }

    fn moves(&self, position: &Position) -> Result<Vec<AnyMove>, GamesError> {
        let moves = self.legal_moves(self.unwrap(position)?).into_iter();
        Ok(moves.map(|mv| self.wrap_move(mv)).collect())
    }

    fn parse_move(&self, position: &Position, text: &str) -> Result<AnyMove, GamesError> {
        let mv = self.game.parse_move(self.unwrap(position)?, text);
        mv.map(|mv| self.wrap_move(mv))
            .map_err(GamesError::MoveText)
    }

    fn format_move(&self, position: &Position, mv: &AnyMove) -> Result<String, GamesError> {
        let position = self.unwrap(position)?;
        Ok(self
            .game
            .format_move(position, self.unwrap_move(position, mv)?))
    }

    fn play(&self, position: &Position, mv: &AnyMove) -> Result<Position, GamesError> {
        let position = self.unwrap(position)?;
        let mv = self.unwrap_move(position, mv)?;
        Ok(self.wrap(self.game.play(position, mv)))
    }

    fn successors(&self, position: &Position) -> Result<Vec<Position>, GamesError> {
        let mut successors = Vec::new();
        self.game
            .successors(self.unwrap(position)?, &mut successors);
        Ok(successors.into_iter().map(|to| self.wrap(to)).collect())
    }

    fn canonical(&self, position: &Position) -> Result<Position, GamesError> {
        Ok(self.wrap(self.game.canonical(self.unwrap(position)?)))
    }

    fn is_unreached(&self, position: &Position) -> Result<bool, GamesError> {
        Ok(S::is_unreached(&self.game, self.unwrap(position)?))
    }

    fn solve(
        self: Arc<Self>,
        request: &Request<'_>,
        io: SolveIo<'_>,
    ) -> Result<Box<dyn ErasedSolution>, GamesError> {
        let solved = S::plan(&self.game, request)?.run(io)?;
        Ok(Box::new(SolvedValues { game: self, solved }))
    }

    fn solve_from(
        self: Arc<Self>,
        start: &Position,
        limits: Limits,
        monitor: &mut dyn Monitor,
    ) -> Result<Box<dyn ErasedSolution>, GamesError> {
        let start = self.unwrap(start)?;
        let solution = graph::solve_from(&self.game, start, limits, monitor)?;
        Ok(Box::new(ReachableValues {
            game: self,
            solution,
        }))
    }

    fn ranks(&self) -> Option<&dyn ErasedRanks> {
        S::ranks(self)
    }
}
