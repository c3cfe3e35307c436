//! Strategies: moves by which a side reaches the result that a search found.

use hindsight_core::{Game, Packed, PackedGame, PackedMove};

use super::search::{ProofSearch, SearchNode};
use crate::line::move_between;
use crate::position_table::{NO_NUMBER, PositionTable};

/// Number of searches repeated for wins whose proofs have left the table.
const MAX_ATTEMPTS: usize = 8;

/// Moves of one side, for every position that it can meet while it follows them.
pub struct Strategy {
    /// True if the strategy is for the side to move at the start.
    is_movers: bool,
    /// Positions of the replies; `None` if the side never comes to move.
    positions: Option<PositionTable<Packed>>,
    replies: Vec<Reply>,
}

/// A move of a strategy.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reply {
    /// Successor, up to symmetry.
    pub to: Packed,
    /// Most plies to the win, this one included; `None` if the move only prevents a loss.
    pub plies: Option<u32>,
}

impl Strategy {
    /// Returns the move from a position in the form of [`Game::canonical`]; `None` if the strategy
    /// never meets the position.
    #[must_use]
    pub fn reply(&self, position: Packed) -> Option<Reply> {
        let n = self.positions.as_ref()?.find(&position)?;
        Some(self.replies[n as usize])
    }

    /// Calls `each` with every position that the strategy meets from `start` on, with its move and
    /// [`Reply::plies`]. Symmetric positions are visited separately.
    ///
    /// `start` is the position that the strategy was found for.
    ///
    /// # Errors
    /// The first error of `each`.
    pub fn visit<E>(
        &self,
        game: &PackedGame,
        start: Packed,
        mut each: impl FnMut(Packed, PackedMove, Option<u32>) -> Result<(), E>,
    ) -> Result<(), E> {
        let start = SearchNode { position: start, attacks: self.is_movers };
        let mut reached = PositionTable::new(game.words(), start);
        let (mut next, mut moves) = (0, Vec::new());
        // `attacks`: the side of the strategy is to move.
        while let Some(SearchNode { position, attacks: is_own_turn }) = reached.get(next) {
            next += 1;
            if game.terminal(position).is_some() {
                continue;
            }
            moves.clear();
            if is_own_turn {
                let reply = self.reply(game.canonical(position));
                let reply = reply.expect("a strategy has a move wherever it leads");
                let to = move_between(game, position, reply.to).expect("a move of the game");
                each(position, to, reply.plies)?;
                moves.push(to);
            } else {
                game.moves(position, &mut moves);
            }
            for &mv in &moves {
                reached.insert(SearchNode {
                    position: game.play(position, mv),
                    attacks: !is_own_turn,
                });
            }
        }
        Ok(())
    }

    fn from_replies(
        words: usize,
        is_movers: bool,
        replies: impl Iterator<Item = (Packed, Reply)>,
    ) -> Self {
        let mut strategy = Self { is_movers, positions: None, replies: Vec::new() };
        for (position, reply) in replies {
            match &mut strategy.positions {
                Some(positions) => _ = positions.insert(position),
                None => strategy.positions = Some(PositionTable::new(words, position)),
            }
            strategy.replies.push(reply);
        }
        strategy
    }
}

/// Positions with the moves to choose from.
struct StrategyGraph {
    nodes: PositionTable<SearchNode>,
    /// Numbers of successors, grouped by position.
    edges: Vec<u32>,
    /// End of each position's group in `edges`.
    ends: Vec<usize>,
}

impl StrategyGraph {
    fn successors(&self, node: usize) -> &[u32] {
        let begin = node.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.edges[begin..self.ends[node]]
    }

    fn len(&self) -> usize {
        self.ends.len()
    }

    fn node(&self, number: usize) -> SearchNode {
        self.nodes.get(number).expect("a node of the graph")
    }

    fn bytes(&self) -> u64 {
        // Edges are kept in both directions. Half of the positions need replies.
        let edges = 2 * self.edges.capacity() * size_of::<u32>();
        let each = size_of::<usize>() + 5 * size_of::<u32>() + size_of::<Reply>();
        2 * self.nodes.bytes() + (edges + self.ends.capacity() * each) as u64
    }

    /// Returns, for each position, the plies to the attacker's win against the longest defence;
    /// [`NO_NUMBER`] if no choice of moves wins.
    fn plies(&self) -> Vec<u32> {
        let mut starts = vec![0_u32; self.len() + 1];
        for &to in &self.edges {
            starts[to as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let (mut back, mut filled) = (vec![0; self.edges.len()], starts.clone());
        for node in 0..self.len() {
            for &to in self.successors(node) {
                back[filled[to as usize] as usize] = node as u32;
                filled[to as usize] += 1;
            }
        }
        let mut open: Vec<u32> =
            (0..self.len()).map(|node| self.successors(node).len() as u32).collect();
        let mut plies = vec![NO_NUMBER; self.len()];
        let mut decided: Vec<u32> = Vec::new();
        for node in 0..self.len() {
            // A position without moves is the end of a game, won by the attacker.
            if open[node] == 0 {
                plies[node] = 0;
                decided.push(node as u32);
            }
        }
        let mut next = 0;
        while let Some(&node) = decided.get(next) {
            let [begin, end] = [0, 1].map(|i| starts[node as usize + i] as usize);
            for &before in &back[begin..end] {
                let attacks = self.node(before as usize).attacks;
                open[before as usize] -= 1;
                if plies[before as usize] == NO_NUMBER && (attacks || open[before as usize] == 0) {
                    plies[before as usize] = plies[node as usize] + 1;
                    decided.push(before);
                }
            }
            next += 1;
        }
        plies
    }
}

impl ProofSearch<'_> {
    /// Returns the moves by which a side reaches its result from `root`: the attacker's if `wins`,
    /// else the defender's.
    ///
    /// `None` if the memory of the search and `extra_bytes` do not suffice, or the search was
    /// stopped.
    pub(super) fn strategy(
        &mut self,
        root: SearchNode,
        wins: bool,
        extra_bytes: u64,
    ) -> Option<Strategy> {
        self.defence_bytes += extra_bytes;
        let SearchNode { position, attacks } = root;
        let root = self.game.canonical(position);
        if !wins {
            return self.defence(root, attacks);
        }
        for _ in 0..MAX_ATTEMPTS {
            let graph = self.winning_graph(root, attacks)?;
            let plies = graph.plies();
            if plies[0] != NO_NUMBER {
                let choices = (0..graph.len())
                    .filter(|&node| graph.node(node).attacks && plies[node] != NO_NUMBER);
                let replies = choices.filter_map(|node| {
                    let targets = graph.successors(node).iter();
                    let target = targets.min_by_key(|&&to| plies[to as usize])?;
                    let to = graph.node(*target as usize).position;
                    let plies = Some(plies[node]);
                    Some((graph.node(node).position, Reply { to, plies }))
                });
                return Some(Strategy::from_replies(self.game.words(), attacks, replies));
            }
            // Proofs of these positions have left the table. The remaining moves go in circles.
            for node in (0..graph.len()).filter(|&node| plies[node] == NO_NUMBER) {
                let SearchNode { position, attacks } = graph.node(node);
                self.forget(self.key(position, attacks));
            }
            self.search_root(root, attacks)?;
        }
        None
    }

    /// Returns the moves by which the defender prevents a win.
    fn defence(&mut self, root: Packed, attacks: bool) -> Option<Strategy> {
        for _ in 0..MAX_ATTEMPTS {
            let mut replies = Vec::new();
            if self.verify_defence(root, attacks, Some(&mut replies))? {
                let plies = None;
                let reply = |(position, to)| (position, Reply { to, plies });
                let replies = replies.into_iter().map(reply);
                return Some(Strategy::from_replies(self.game.words(), !attacks, replies));
            }
            self.forget_path_dependent();
            self.search_root(root, attacks)?;
        }
        None
    }

    /// Collects all positions reached by moves of the defender and by known wins of the attacker.
    fn winning_graph(&mut self, root: Packed, attacks: bool) -> Option<StrategyGraph> {
        let mut graph = StrategyGraph {
            nodes: PositionTable::new(self.game.words(), SearchNode { position: root, attacks }),
            edges: Vec::new(),
            ends: Vec::new(),
        };
        let mut next = 0;
        while let Some(SearchNode { position, attacks }) = graph.nodes.get(next) {
            let mut moves = self.canonical_successors(position);
            if attacks && self.game.terminal(position).is_none() {
                moves = self.winning_moves(&moves);
                if moves.is_empty() {
                    moves = vec![self.find_win_again(position)?];
                }
            }
            for to in moves {
                let node = SearchNode { position: to, attacks: !attacks };
                let left = self.defence_bytes.checked_sub(graph.bytes())?;
                // The strategy will hold the positions once more.
                graph.nodes.reserve_within(1, left / 2).ok()?;
                let number = graph.nodes.insert(node);
                graph.edges.push(number);
            }
            graph.ends.push(graph.edges.len());
            if graph.bytes() > self.defence_bytes || self.is_stopped() {
                return None;
            }
            next += 1;
        }
        Some(graph)
    }

    /// Searches again for a winning move of the attacker that has left the table.
    fn find_win_again(&mut self, position: Packed) -> Option<Packed> {
        let entry = self.search_root(position, true)?;
        if entry.numbers.proof != 0 {
            // The result "no win" was proved on one path only, and is wrong.
            self.forget_path_dependent();
            self.search_root(position, true)?;
        }
        self.best
    }

    /// Returns the successors up to symmetry, each once; none if the game is over.
    pub(super) fn canonical_successors(&self, position: Packed) -> Vec<Packed> {
        if self.game.terminal(position).is_some() {
            return Vec::new();
        }
        let mut successors = Vec::new();
        self.game.successors(position, &mut successors);
        self.game.canonicalize(&mut successors);
        let mut moves: Vec<Packed> = Vec::new();
        for to in successors {
            if !moves.contains(&to) {
                moves.push(to);
            }
        }
        moves
    }

    /// Returns the moves of the attacker that are known to win: an immediate win alone, or else
    /// all.
    fn winning_moves(&self, moves: &[Packed]) -> Vec<Packed> {
        let over = |to: &&Packed| self.game.terminal(**to) == Some(hindsight_core::Wdl::Loss);
        if let Some(&at_once) = moves.iter().find(over) {
            return vec![at_once];
        }
        let wins = |to: &&Packed| self.successor(self.key(**to, false)).numbers.disproof == 0;
        moves.iter().filter(wins).copied().collect()
    }
}
