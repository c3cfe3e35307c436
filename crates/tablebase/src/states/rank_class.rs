//! The states of a layer that the rules determine.

use hindsight_core::{ForbiddenMove, PackedGame, Ranked, States, Value};

use crate::address::Address;
use crate::layout::Layout;

/// Value of a position with a winning move that ends the game.
pub(crate) const WIN_IN_ONE: Value = Value::Win(1);

/// Content of a rank by the rules alone.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RankClass {
    /// No position.
    Hole,
    /// A position with a move that ends the game and wins. Such a move is never forbidden, so every
    /// state has value [`WIN_IN_ONE`].
    WinInOne,
    /// A position whose values the rules do not determine.
    Open,
}

/// Classifies a rank by the rules. `scratch` is overwritten.
///
/// Implied values of the base game do not help, since the base game forbids no moves. In a table of
/// distances the rules determine only the holes.
pub(super) fn classify_rank(
    game: &PackedGame,
    layout: Layout,
    address: Address,
    scratch: &mut Vec<(u64, u64)>,
) -> RankClass {
    let Address { tier, rank } = address;
    if layout == Layout::Distances {
        let position = game.base().unrank(tier, rank);
        return position.map_or(RankClass::Hole, |_| RankClass::Open);
    }
    scratch.clear();
    match game.summarize_moves(tier, rank, scratch) {
        None => RankClass::Hole,
        Some(summary) if summary.best == Some(WIN_IN_ONE) => RankClass::WinInOne,
        Some(_) => RankClass::Open,
    }
}
