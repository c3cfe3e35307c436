use hindsight_core::Game;

/// How the search goes about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ForwardVariant {
    /// Ours: of a position with a move that is known to win only that successor is kept, labels are
    /// passed back at once, and the search below a position that got its label is dropped.
    Best(MoveOrder),
    /// The thesis's program: labels are passed back when a finished position *new to the graph* is
    /// found. With the moves in its order, the numbers of positions are those of Tables 9 and 11.
    ThesisProgram,
    /// Algorithm 2 as printed: labels are passed back when any finished position is found.
    ThesisAlgorithm,
}

/// In which order [`Way::Best`] tries the moves of a position. All are for any game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveOrder {
    /// As the game lists them.
    AsListed,
    /// As the game lists them, last first.
    Reversed,
    /// Those after which the opponent has the fewest moves first.
    FewestReplies,
    /// Those after which the opponent has the most moves first.
    MostReplies,
}

impl MoveOrder {
    pub(super) fn sort<G: Game>(self, game: &G, successors: &mut [G::Position]) {
        let mut replies = Vec::new();
        let mut count = |&position: &G::Position| {
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
