use alloc::vec::Vec;

use crate::{Game, Retro};

/// Position of the base game of `G`.
pub(crate) type BasePosition<G> = <<G as States>::Base as Game>::Position;
/// Move of the base game of `G`.
pub(crate) type BaseMove<G> = <<G as States>::Base as Game>::Move;

/// Game in which each position forbids at most one move, for example the undoing of the last move.
///
/// A position of the game is a **state**: a position of the **base game**, which forbids nothing,
/// and perhaps one move that is forbidden there. [`crate::ForbiddenMove`] numbers the states.
///
/// # Laws
/// `hindsight_testkit::check_forbidden_move` checks them on samples:
///
/// * `encode(decode(state)) == state`.
/// * The moves of a state are the moves of its base position except the forbidden move.
pub trait States: Game {
    /// The same game with nothing forbidden.
    type Base: Retro;

    /// Returns the base game.
    fn base(&self) -> &Self::Base;

    /// Splits a state into its base position and the move forbidden there.
    fn decode(&self, state: Self::Position) -> (BasePosition<Self>, Option<BaseMove<Self>>);

    /// Returns the state with this base position and forbidden move. Inverse of
    /// [`States::decode`].
    fn encode(&self, base: BasePosition<Self>, forbidden: Option<BaseMove<Self>>)
    -> Self::Position;

    /// Returns the move that is forbidden in the position after `mv`; `None` if none is.
    fn forbidden_after(
        &self,
        base: BasePosition<Self>,
        mv: BaseMove<Self>,
    ) -> Option<BaseMove<Self>>;

    /// Appends every base position, of any tier, with a move to exactly `base`, and that move.
    ///
    /// Neither `base` nor the positions appended are terminal.
    fn predecessor_moves(
        &self,
        base: BasePosition<Self>,
        out: &mut Vec<(BasePosition<Self>, BaseMove<Self>)>,
    );

    /// Returns true if some move leads to the state of `base` in which nothing is forbidden.
    fn reached_unrestricted(&self, base: BasePosition<Self>) -> bool;
}
