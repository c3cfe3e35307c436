use hindsight_core::{ForbiddenMove, Notation, PawnPairs, Retro, Subgames, TwoSided};

/// Receives the concrete game that a spec names.
///
/// [`crate::by_name`] calls the most specific method that the game supports. The default of a
/// specific method calls a more general one.
pub trait Visitor {
    /// Result of the visit.
    type Output;

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
