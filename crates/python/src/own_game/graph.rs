//! Graph of numbered positions, as a game.

use hindsight_games::{Game, Notation, Packing, ParseError, Wdl};

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

    /// Returns the number of moves of each position.
    pub(super) fn move_counts(&self) -> Vec<u16> {
        let counts = self.first.windows(2).map(|pair| pair[1] - pair[0]);
        // The solver refuses a position with more moves.
        counts.map(|n| u16::try_from(n).unwrap_or(u16::MAX)).collect()
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

impl Packing<1> for ExplicitGraph {
    fn pack(&self, position: u32) -> [u32; 1] {
        [position]
    }

    fn unpack(&self, [position]: [u32; 1]) -> u32 {
        position
    }

    fn pack_move(&self, mv: u32) -> u64 {
        mv.into()
    }

    fn unpack_move(&self, number: u64) -> u32 {
        number as u32
    }
}

/// Positions and moves are numbers: texts are those of Python.
impl Notation for ExplicitGraph {
    fn spec(&self) -> String {
        String::from("python")
    }

    fn player_names(&self) -> [&'static str; 2] {
        ["Mover", "Opponent"]
    }

    fn format(&self, position: u32) -> String {
        position.to_string()
    }

    fn parse(&self, text: &str) -> Result<u32, ParseError> {
        let number = text.parse().ok().filter(|&number| (number as usize) < self.ends.len());
        number.ok_or_else(|| ParseError::new(0, "the number of a position is needed"))
    }

    fn format_move(&self, _: u32, mv: u32) -> String {
        mv.to_string()
    }
}
