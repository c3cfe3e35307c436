use hindsight_core::{ClassWords, Notation};

/// Receives a game in the order of moves of the program that was published with it.
pub trait OrderVisitor {
    /// Result of the visit.
    type Output;

    /// Receives the game.
    fn visit<G: Notation + ClassWords + Send + 'static>(self, game: G) -> Self::Output;
}
