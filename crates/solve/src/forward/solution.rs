use hindsight_core::{Answer, Game, Probe, Wdl};
use hindsight_run::Summary;

use crate::position_table::{NO_NUMBER, PositionTable};

/// The start's number.
pub(super) const START: u32 = 0;

/// Label of a position, in the order in which a position's own player likes them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum VertexLabel {
    Open,
    Decided(Wdl),
}

/// A position of the graph.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    pub(super) label: VertexLabel,
    /// The number of moves already listed; none before the position is expanded.
    pub(super) moves: u16,
    /// Moves not yet known to lose or to be worthless.
    pub(super) open_moves: u16,
    /// The next move to try.
    pub(super) cursor: u16,
    /// The best move, where there is a label.
    pub(super) best: u16,
    pub(super) expanded: bool,
    /// Its place on the path from the start, or [`NONE`].
    pub(super) path_index: u32,
    /// Its first move in the list of all.
    pub(super) first_edge: u32,
    /// The first of the moves that lead here, a chain.
    pub(super) first_in_edge: u32,
}

pub(super) const NEW_VERTEX: Vertex = Vertex {
    label: VertexLabel::Open,
    moves: 0,
    open_moves: 0,
    cursor: 0,
    best: u16::MAX,
    expanded: false,
    path_index: NO_NUMBER,
    first_edge: 0,
    first_in_edge: NO_NUMBER,
};

/// A move of the graph.
#[derive(Clone, Copy, Debug)]
pub(super) struct ForwardEdge {
    pub(super) from: u32,
    pub(super) to: u32,
    /// The next move that leads to the same position.
    pub(super) next_in_edge: u32,
    /// Whether it was taken into account for the label of `from`.
    pub(super) counted: bool,
}

/// The part of the game that the search looked at, with the labels it found.
pub struct ForwardSolution<G: Game> {
    pub(super) table: PositionTable<G::Position>,
    /// Each position in the orientation in which it was first met.
    pub(super) first_seen: Vec<G::Position>,
    pub(super) vertices: Vec<Vertex>,
    pub(super) edges: Vec<ForwardEdge>,
    pub(super) summary: Summary,
}

impl<G: Game> ForwardSolution<G> {
    pub(super) fn count_labels(&mut self) {
        self.summary.positions = self.first_seen.len() as u64;
        self.summary.edges = self.edges.len() as u64;
        for vertex in &self.vertices {
            match vertex.label {
                VertexLabel::Decided(Wdl::Win) => self.summary.wins += 1,
                VertexLabel::Decided(Wdl::Loss) => self.summary.losses += 1,
                VertexLabel::Decided(Wdl::Draw) => self.summary.draws += 1,
                VertexLabel::Open => {}
            }
        }
    }

    /// What was counted: positions looked at, those at the edge of the search included, moves between
    /// them, and positions with a label.
    #[must_use]
    pub fn summary(&self) -> Summary {
        self.summary
    }

    /// Who wins from the start.
    #[must_use]
    pub fn start(&self) -> Wdl {
        match self.vertices[START as usize].label {
            VertexLabel::Decided(wdl) => wdl,
            VertexLabel::Open => unreachable!("the search ends with a label of the start"),
        }
    }

    /// All positions looked at, as they were first met; number 0 is the start.
    #[must_use]
    pub fn positions(&self) -> &[G::Position] {
        &self.first_seen
    }

    /// The number of a position that was looked at, any member of its symmetry class.
    #[must_use]
    pub fn number(&self, game: &G, position: G::Position) -> Option<usize> {
        self.table
            .find(&game.canonical(position))
            .map(|number| number as usize)
    }

    /// Who wins from the position with this number, if that was found out.
    ///
    /// # Panics
    /// When there is no such number.
    #[must_use]
    pub fn wdl(&self, number: usize) -> Option<Wdl> {
        match self.vertices[number].label {
            VertexLabel::Decided(wdl) => Some(wdl),
            VertexLabel::Open => None,
        }
    }

    /// The positional strategy: the number of the position to move to. Won positions get nearer to the
    /// end with every ply; drawn ones stay drawn. `None` where the game is over or there is no label.
    ///
    /// # Panics
    /// When there is no such number.
    #[must_use]
    pub fn best_successor(&self, number: usize) -> Option<usize> {
        let vertex = self.vertices[number];
        let labelled = vertex.label != VertexLabel::Open && vertex.best != u16::MAX;
        labelled
            .then(|| self.edges[vertex.first_edge as usize + usize::from(vertex.best)].to as usize)
    }

    /// Values for positions of this game.
    #[must_use]
    pub fn reader<'a>(&'a self, game: &'a G) -> ForwardReader<'a, G> {
        ForwardReader { game, solved: self }
    }
}

/// Reads the labels of a solved game.
pub struct ForwardReader<'a, G: Game> {
    game: &'a G,
    solved: &'a ForwardSolution<G>,
}

impl<G: Game> Probe<G> for ForwardReader<'_, G> {
    type Error = std::convert::Infallible;

    fn probe(&self, position: G::Position) -> Result<Answer, Self::Error> {
        let number = self.solved.number(self.game, position);
        let wdl = number.and_then(|number| self.solved.wdl(number));
        Ok(wdl.map_or(Answer::Unknown, Answer::Wdl))
    }
}
