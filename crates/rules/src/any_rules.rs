use hindsight_core::PackedGame;

use crate::visitor::{PackedVisitor, Visitor};

/// Rules of any game, by the number of words of a position.
#[derive(Clone, Debug)]
pub enum AnyRules {
    /// Two words.
    Two(PackedGame<2>),
    /// Three words.
    Three(PackedGame<3>),
    /// Six words.
    Six(PackedGame<6>),
}

impl AnyRules {
    /// Hands the rules to a visitor.
    pub fn visit<V: PackedVisitor>(self, visitor: V) -> V::Output {
        match self {
            Self::Two(game) => visitor.visit(game),
            Self::Three(game) => visitor.visit(game),
            Self::Six(game) => visitor.visit(game),
        }
    }

    /// Hands the rules to the method of a visitor for their structure.
    pub fn visit_structure<V: Visitor>(self, visitor: V) -> V::Output {
        match self {
            Self::Two(game) => visitor.packed(game),
            Self::Three(game) => visitor.packed(game),
            Self::Six(game) => visitor.packed(game),
        }
    }
}
