//! Graph of numbered positions, as a game.

use hindsight_games::{Game, Wdl};

/// State of the game in a position: under way, or over.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum PositionEnd {
    /// The game goes on.
    Open,
    /// The game is over, with a result for the side to move.
    Over(Wdl),
}

/// Every position with its moves. Position 0 is the start; a move is the number of an edge.
pub(super) struct ExplicitGraph {
    /// The edges of position `p` are `first[p]..first[p + 1]`.
    pub(super) first: Vec<u32>,
    /// Position to which each edge leads.
    pub(super) to: Vec<u32>,
    pub(super) ends: Vec<PositionEnd>,
}

impl ExplicitGraph {
    pub(super) fn new() -> Self {
        Self { first: vec![0], to: Vec::new(), ends: Vec::new() }
    }

    /// Ends the edges of the next position.
    pub(super) fn finish_position(&mut self, end: PositionEnd) {
        self.ends.push(end);
        self.first.push(self.to.len() as u32);
    }

    fn edges_of(&self, position: u32) -> std::ops::Range<u32> {
        self.first[position as usize]..self.first[position as usize + 1]
    }

    pub(super) fn bytes(&self) -> u64 {
        let numbers = self.first.capacity() + self.to.capacity();
        (numbers * size_of::<u32>() + self.ends.capacity() * size_of::<PositionEnd>()) as u64
    }
}

impl Game for ExplicitGraph {
    type Position = u32;
    type Move = u32;

    fn start(&self) -> u32 {
        0
    }

    fn player_to_move(&self, _: u32) -> usize {
        0
    }

    fn terminal(&self, position: u32) -> Option<Wdl> {
        match self.ends[position as usize] {
            PositionEnd::Open => None,
            PositionEnd::Over(wdl) => Some(wdl),
        }
    }

    fn moves(&self, position: u32, out: &mut Vec<u32>) {
        out.extend(self.edges_of(position));
    }

    fn play(&self, _: u32, mv: u32) -> u32 {
        self.to[mv as usize]
    }

    fn successors(&self, position: u32, out: &mut Vec<u32>) {
        let edges = self.edges_of(position);
        out.extend_from_slice(&self.to[edges.start as usize..edges.end as usize]);
    }
}
