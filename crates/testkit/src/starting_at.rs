use hindsight_core::{Game, Wdl};

/// Game with the same rules but another first position.
pub struct StartingAt<'a, G: Game> {
    /// Game that supplies the rules.
    pub game: &'a G,
    /// First position; must not be terminal.
    pub start: G::Position,
}

impl<G: Game> Game for StartingAt<'_, G> {
    type Position = G::Position;
    type Move = G::Move;

    fn start(&self) -> Self::Position {
        self.start
    }

    fn terminal(&self, position: Self::Position) -> Option<Wdl> {
        self.game.terminal(position)
    }

    fn moves(&self, position: Self::Position, out: &mut Vec<Self::Move>) {
        self.game.moves(position, out);
    }

    fn play(&self, position: Self::Position, mv: Self::Move) -> Self::Position {
        self.game.play(position, mv)
    }

    fn successors(&self, position: Self::Position, out: &mut Vec<Self::Position>) {
        self.game.successors(position, out);
    }

    fn evaluate(&self, position: Self::Position) -> Option<i32> {
        self.game.evaluate(position)
    }

    fn safe_move_count(&self, position: Self::Position) -> Option<u32> {
        self.game.safe_move_count(position)
    }

    fn canonical(&self, position: Self::Position) -> Self::Position {
        self.game.canonical(position)
    }
}
