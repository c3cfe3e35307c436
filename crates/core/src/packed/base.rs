//! Texts of the base of a game in which a move may be forbidden: those of the game.

use alloc::string::String;
use alloc::vec::Vec;

use super::adapter::{Adapter, BaseOf};
use super::state_rules::StateRules;
use super::{Packed, PackedMove, Packing};
use crate::{ForbiddenMove, Game, Notation, ParseError};

/// A position is that in which no move is forbidden.
impl<G, const W: usize> Notation for Adapter<BaseOf<G, W>, W>
where
    G: Packing<W> + Notation + ForbiddenMove<Base: Packing<W>> + Send,
{
    fn spec(&self) -> String {
        self.0.0.spec()
    }

    fn player_names(&self) -> [&'static str; 2] {
        self.0.0.player_names()
    }

    fn format(&self, position: Packed) -> String {
        self.0.0.format(self.0.0.encode(position, None))
    }

    fn parse(&self, text: &str) -> Result<Packed, ParseError> {
        self.0.0.parse(text).map(|state| self.0.0.decode(state).0)
    }

    /// The moves of a state without a forbidden move are those of its base, in their order.
    fn format_move(&self, position: Packed, mv: PackedMove) -> String {
        let state = self.0.0.encode(position, None);
        let (mut moves, mut of_state) = (Vec::new(), Vec::new());
        self.moves(position, &mut moves);
        self.0.0.moves(state, &mut of_state);
        let index = moves.iter().position(|&listed| listed == mv).expect("a legal move");
        self.0.0.format_move(state, of_state[index])
    }
}
