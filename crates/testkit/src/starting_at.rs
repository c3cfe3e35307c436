use hindsight_core::{Game, Heuristics, Wdl};

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

    fn player_to_move(&self, position: Self::Position) -> usize {
        self.game.player_to_move(position)
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

    fn heuristics(&self) -> Option<&dyn Heuristics<Position = Self::Position, Move = Self::Move>> {
        self.game.heuristics()
    }

    fn canonical(&self, position: Self::Position) -> Self::Position {
        self.game.canonical(position)
    }
}
