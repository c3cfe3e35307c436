use hindsight_core::{
    ForbiddenMove, Notation, PackedGame, PawnPairs, Retro, Structure, Subgames, TwoSided,
};

/// Receives the game that a spec names.
///
/// [`crate::by_name`] calls [`Visitor::packed`], which calls the most specific of the other methods
/// that the game supports. The default of a specific method calls a more general one. Each method
/// is compiled for the sizes of positions, and [`Visitor::visit`] also for the move order of the
/// retrograde thesis.
pub trait Visitor {
    /// Result of the visit.
    type Output;

    /// Receives a game without the types of its positions and moves.
    fn packed<const W: usize>(self, game: PackedGame<W>) -> Self::Output
    where
        Self: Sized,
    {
        match game.structure() {
            Structure::Plain => self.visit(game),
            Structure::Ranked => self.ranked(game),
            Structure::PawnPairs => self.pawn_pairs(game),
            Structure::Subgames => self.subgames(game),
            Structure::TwoSided => self.two_sided(game),
            Structure::ForbiddenMove => self.forbidden_move(game),
        }
    }

    /// Receives any game.
    fn visit<G: Notation + Send + 'static>(self, game: G) -> Self::Output;

    /// Receives a game whose tiers consist of pairs of pawn squares. Calls [`Visitor::ranked`]
    /// unless overridden.
    fn pawn_pairs<G: PawnPairs + Subgames + Retro + Notation + Send + 'static>(
        self,
        game: G,
    ) -> Self::Output
    where
        Self: Sized,
    {
        self.ranked(game)
    }

    /// Receives a game with too many tiers for ranks, but whose subgames may be ranked. Calls
    /// [`Visitor::visit`] unless overridden.
    fn subgames<G: Subgames + Notation + Send + 'static>(self, game: G) -> Self::Output
    where
        Self: Sized,
    {
        self.visit(game)
    }

    /// Receives a game with a leader and followers on each side. Calls [`Visitor::ranked`] unless
    /// overridden.
    fn two_sided<G: TwoSided + Retro + Notation + Send + 'static>(self, game: G) -> Self::Output
    where
        Self: Sized,
    {
        self.ranked(game)
    }

    /// Receives a game in which a move may be forbidden and whose base game is ranked. Calls
    /// [`Visitor::visit`] unless overridden.
    fn forbidden_move<G: ForbiddenMove + Notation + Send + 'static>(self, game: G) -> Self::Output
    where
        Self: Sized,
    {
        self.visit(game)
    }

    /// Receives a game that ranks every position and can take moves back. Calls [`Visitor::visit`]
    /// unless overridden.
    fn ranked<G: Retro + Notation + Send + 'static>(self, game: G) -> Self::Output
    where
        Self: Sized,
    {
        self.visit(game)
    }
}

/// Receives the game that a spec names without the types of its positions and moves.
///
/// [`AnyRules::visit`](crate::AnyRules::visit) calls it. It is compiled for the sizes of positions,
/// and needs no more than the rules.
pub trait PackedVisitor {
    /// Result of the visit.
    type Output;

    /// Receives the game.
    fn visit<const W: usize>(self, game: PackedGame<W>) -> Self::Output;
}
