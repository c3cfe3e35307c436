//! Variants of the search, and orders of moves.

use hindsight_core::{Game, Packed, PackedGame};

/// Variants of the search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForwardVariant {
    /// Own variant. A position with a known winning move keeps only the successor of that move.
    /// Labels are propagated at once, and the search below a labelled position is dropped.
    Best(MoveOrder),
    /// The thesis's program: labels are propagated when a terminal position *new to the graph* is
    /// found. With the published move order, it visits the numbers of positions of Tables 9 and 11.
    ThesisProgram,
    /// Algorithm 2 as printed: labels are propagated when any terminal position is found.
    ThesisAlgorithm,
}

/// Order in which [`ForwardVariant::Best`] tries the moves of a position. Each works for any game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveOrder {
    /// The game's order.
    AsListed,
    /// The game's order, reversed.
    Reversed,
    /// Fewest moves of the opponent first.
    FewestReplies,
    /// Most moves of the opponent first.
    MostReplies,
}

impl MoveOrder {
    pub(super) fn sort(self, game: &PackedGame, successors: &mut [Packed]) {
        let mut replies = Vec::new();
        let mut count = |&position: &Packed| {
            replies.clear();
            game.successors(position, &mut replies);
            replies.len()
        };
        match self {
            Self::AsListed => {}
            Self::Reversed => successors.reverse(),
            Self::FewestReplies => successors.sort_by_cached_key(&mut count),
            Self::MostReplies => {
                successors.sort_by_cached_key(|position| std::cmp::Reverse(count(position)))
            }
        }
    }
}
