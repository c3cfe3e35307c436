//! The rows of a graph file: one for each position, one for each move.

use hindsight_core::{Game, Notation, Packed, PackedGame, Value};
use hindsight_foreign::RulesFault;
use hindsight_solve::graph;

/// A position of the graph.
pub(super) struct NodeRow {
    /// Position's number in the solved graph; the start has 0.
    pub(super) id: usize,
    pub(super) position: String,
    /// Player to move.
    pub(super) player: &'static str,
    /// Value for the player to move.
    pub(super) value: Value,
}

/// A move of the graph.
pub(super) struct EdgeRow {
    pub(super) from: usize,
    pub(super) to: usize,
    pub(super) mv: String,
    /// Value for the player who makes the move.
    pub(super) value: Value,
    /// True if no other move has a better value.
    pub(super) best: bool,
}

/// A solved game as rows of nodes and edges.
pub(super) struct SolvedGraph<'a> {
    pub(super) game: &'a PackedGame,
    pub(super) solved: &'a graph::GraphSolution,
}

impl SolvedGraph<'_> {
    /// Iterates over all positions with their numbers.
    fn numbered(&self) -> impl Iterator<Item = (usize, Packed)> {
        self.solved.positions().enumerate()
    }

    pub(super) fn nodes(&self) -> impl Iterator<Item = NodeRow> {
        self.numbered().map(|(id, position)| NodeRow {
            id,
            position: self.game.format(position),
            player: self.game.player_names()[self.game.player_to_move(position)],
            value: self.solved.value(id),
        })
    }

    pub(super) fn edges(&self) -> impl Iterator<Item = EdgeRow> {
        self.numbered().flat_map(move |(from, position)| {
            let mut moves = Vec::new();
            self.game.moves(position, &mut moves);
            moves.into_iter().map(move |mv| {
                let to = self.solved.number(self.game, self.game.play(position, mv));
                let to = to.unwrap_or_else(|| changed_answer(self.game, position));
                let value = self.solved.value(to).before();
                let best = value == self.solved.value(from);
                EdgeRow { from, to, mv: self.game.format_move(position, mv), value, best }
            })
        })
    }
}

/// Ends the work: a successor was not there when the position was solved.
fn changed_answer(game: &PackedGame, position: Packed) -> ! {
    assert!(game.is_outside(), "a successor of a reachable position is reachable");
    let fault = RulesFault::new("a position has another answer than before");
    RulesFault { rules: game.spec(), ..fault.at(|| game.format(position)) }.throw()
}
