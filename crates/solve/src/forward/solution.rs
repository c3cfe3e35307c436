//! The graph of a search, with labels, and its reader.

use std::convert::Infallible;

use hindsight_core::{Answer, Game, Packed, PackedGame, Probe, Wdl};
use hindsight_engine::Summary;

use crate::position_table::{NO_NUMBER, PositionTable};

pub(super) const START: u32 = 0;

/// Label of a position, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum VertexLabel {
    Open,
    Decided(Wdl),
}

/// A position of the graph.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    pub(super) label: VertexLabel,
    /// Number of its edges; 0 before the position is expanded.
    pub(super) moves: u16,
    /// Edges not yet counted for the label.
    pub(super) open_moves: u16,
    /// Index of the next move to try.
    pub(super) cursor: u16,
    /// Index of the best move; `u16::MAX` without a label or without a move.
    pub(super) best: u16,
    pub(super) expanded: bool,
    /// Index on the path from the start, or [`NO_NUMBER`].
    pub(super) path_index: u32,
    pub(super) first_edge: u32,
    /// First incoming edge, the head of a linked list; [`NO_NUMBER`] if there is none.
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
    /// Next edge to the same position, or [`NO_NUMBER`].
    pub(super) next_in_edge: u32,
    /// True once the edge was counted for the label of `from`.
    pub(super) counted: bool,
}

/// Part of the game that the search visited, with the labels it found.
pub struct ForwardSolution {
    pub(super) table: PositionTable<Packed>,
    /// Each position in the orientation in which it was first seen.
    pub(super) first_seen: Vec<Packed>,
    pub(super) vertices: Vec<Vertex>,
    pub(super) edges: Vec<ForwardEdge>,
    summary: Summary,
}

impl ForwardSolution {
    /// A graph of the start only, without a label.
    pub(super) fn new(game: &PackedGame) -> Self {
        Self {
            table: PositionTable::new(game.canonical_words(), game.canonical(game.start())),
            first_seen: vec![game.start()],
            vertices: vec![NEW_VERTEX],
            edges: Vec::new(),
            summary: Summary::default(),
        }
    }

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

    /// Returns the totals: positions visited, unexpanded ones included, moves between them, and
    /// positions by label.
    #[must_use]
    pub fn summary(&self) -> Summary {
        self.summary
    }

    /// Returns the value of the start.
    #[must_use]
    pub fn start(&self) -> Wdl {
        match self.vertices[START as usize].label {
            VertexLabel::Decided(wdl) => wdl,
            VertexLabel::Open => unreachable!("the search ends with a label of the start"),
        }
    }

    /// Returns all positions visited, as first seen; number 0 is the start.
    #[must_use]
    pub fn positions(&self) -> &[Packed] {
        &self.first_seen
    }

    /// Returns the number of a position, or of its symmetry class, if it was visited.
    #[must_use]
    pub fn number(&self, game: &PackedGame, position: Packed) -> Option<usize> {
        self.table.find(&game.canonical(position)).map(|number| number as usize)
    }

    /// Returns the value of the position with this number, if it has a label.
    ///
    /// # Panics
    /// If no position has this number.
    #[must_use]
    pub fn wdl(&self, number: usize) -> Option<Wdl> {
        match self.vertices[number].label {
            VertexLabel::Decided(wdl) => Some(wdl),
            VertexLabel::Open => None,
        }
    }

    /// Returns the number of the successor that the strategy moves to.
    ///
    /// Each move from a won position gets nearer to the end, and a drawn position stays drawn.
    /// `None` if the game is over or there is no label.
    ///
    /// # Panics
    /// If no position has this number.
    #[must_use]
    pub fn best_successor(&self, number: usize) -> Option<usize> {
        let vertex = self.vertices[number];
        let labelled = vertex.label != VertexLabel::Open && vertex.best != u16::MAX;
        labelled
            .then(|| self.edges[vertex.first_edge as usize + usize::from(vertex.best)].to as usize)
    }

    /// Returns a reader of the labels for positions of this game.
    #[must_use]
    pub fn reader<'a>(&'a self, game: &'a PackedGame) -> impl Probe<Error = Infallible> {
        ForwardReader { game, solved: self }
    }
}

/// Reads the labels of a solved game.
struct ForwardReader<'a> {
    game: &'a PackedGame,
    solved: &'a ForwardSolution,
}

impl Probe for ForwardReader<'_> {
    type Error = Infallible;

    fn probe(&self, position: Packed) -> Result<Answer, Self::Error> {
        let number = self.solved.number(self.game, position);
        let wdl = number.and_then(|number| self.solved.wdl(number));
        Ok(wdl.map_or(Answer::Unknown, Answer::Wdl))
    }
}
