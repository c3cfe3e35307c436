//! Forward-looking retrograde analysis (Algorithm 2 of the Onitama retrograde thesis, L. Elderbroek
//! 2025): who wins from the start, and a strategy, from as few positions as it can.
//!
//! Positions are expanded depth first, and what is won or lost is passed back at once through the
//! graph known so far. The search ends when the start has a label. Three ways, see [`Way`]. There is
//! no recursion: the path lies in a list of its own. All three are in this file, for they share the search's
//! lists and differ in a few lines each.
//!
//! # Memory
//! A position costs twice its own bytes (once as it was met, once for finding it), some 30 more, and
//! 13 for each of its moves.

use hindsight_core::{Answer, Game, Probe, Wdl};

use crate::bounded_growth::reserve_within;
use crate::position_table::{NO_NUMBER, PositionTable, hash_of};
use crate::{Error, Limits, Monitor, Progress, Summary};
use hindsight_run::Budget;

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
    fn sort<G: Game>(self, game: &G, successors: &mut [G::Position]) {
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

/// Label of a position, in the order in which a position's own player likes them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum VertexLabel {
    Open,
    Decided(Wdl),
}

/// A position of the graph.
#[derive(Clone, Copy, Debug)]
struct Vertex {
    label: VertexLabel,
    /// The number of moves already listed; none before the position is expanded.
    moves: u16,
    /// Moves not yet known to lose or to be worthless.
    open_moves: u16,
    /// The next move to try.
    cursor: u16,
    /// The best move, where there is a label.
    best: u16,
    expanded: bool,
    /// Its place on the path from the start, or [`NONE`].
    path_index: u32,
    /// Its first move in the list of all.
    first_edge: u32,
    /// The first of the moves that lead here, a chain.
    first_in_edge: u32,
}

const NEW_VERTEX: Vertex = Vertex {
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
struct Edge {
    from: u32,
    to: u32,
    /// The next move that leads to the same position.
    next_in_edge: u32,
    /// Whether it was taken into account for the label of `from`.
    counted: bool,
}

/// The part of the game that the search looked at, with the labels it found.
pub struct ForwardSolution<G: Game> {
    table: PositionTable<G::Position>,
    /// Each position in the orientation in which it was first met.
    first_seen: Vec<G::Position>,
    vertices: Vec<Vertex>,
    edges: Vec<Edge>,
    summary: Summary,
}

/// Searches until the start has a label.
///
/// # Errors
/// When a limit is passed or the monitor stops the work.
pub fn solve<G: Game>(
    game: &G,
    variant: ForwardVariant,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<ForwardSolution<G>, Error> {
    let solved = ForwardSolution {
        table: PositionTable::new(game.canonical(game.start())),
        first_seen: vec![game.start()],
        vertices: vec![NEW_VERTEX],
        edges: Vec::new(),
        summary: Summary::default(),
    };
    let mut search = ForwardSearch {
        game,
        variant,
        solved,
        path: Vec::new(),
        labelled_depth: usize::MAX,
        unpropagated: Vec::new(),
        labelled_edges: Vec::new(),
        successors: Vec::new(),
        limit: limits.memory,
    };
    search.run(&mut Budget::new(limits, monitor))?;
    let mut solved = search.solved;
    solved.count_labels();
    Ok(solved)
}

/// The start's number.
const START: u32 = 0;

/// Makes room in one of the lists for so many more, where so many bytes are left.
type GrowList<S> = fn(&mut S, usize, u64) -> Result<(), u64>;

struct ForwardSearch<'a, G: Game> {
    game: &'a G,
    variant: ForwardVariant,
    solved: ForwardSolution<G>,
    /// Positions being expanded, from the start on.
    path: Vec<u32>,
    /// The first place of the path whose position got a label.
    labelled_depth: usize,
    /// Positions whose label was not yet passed back.
    unpropagated: Vec<u32>,
    /// Moves found to lead to a position whose label had been passed back before.
    labelled_edges: Vec<u32>,
    successors: Vec<G::Position>,
    /// Bytes allowed.
    limit: u64,
}

impl<G: Game> ForwardSearch<'_, G> {
    fn run(&mut self, budget: &mut Budget<'_>) -> Result<(), Error> {
        self.push_path(START)?;
        let mut steps = 0_u32;
        loop {
            if self.label(START) != VertexLabel::Open {
                return Ok(());
            }
            match self.path.last() {
                Some(&top) => self.advance(top)?,
                None => {
                    // Labels that were not passed back yet may still decide the start.
                    self.propagate();
                    match self.unfinished() {
                        _ if self.label(START) != VertexLabel::Open => {}
                        Some(number) => self.push_path(number)?,
                        None => self.label_draws(),
                    }
                }
            }
            steps = steps.wrapping_add(1);
            if steps.is_multiple_of(8192) {
                self.check(budget)?;
            }
        }
    }

    fn check(&self, budget: &mut Budget<'_>) -> Result<(), Error> {
        let (positions, edges) = (
            self.solved.first_seen.len() as u64,
            self.solved.edges.len() as u64,
        );
        if edges > u64::from(NO_NUMBER) / 2 {
            return Err(Error::TooMany("moves"));
        }
        let needed = self.needed_bytes();
        budget.check(
            Progress {
                phase: "searching",
                done: positions,
                total: None,
            },
            positions,
            edges,
            needed,
        )
    }

    /// Bytes needed if nothing is added.
    fn needed_bytes(&self) -> u64 {
        let solved = &self.solved;
        let positions = solved.first_seen.capacity() * size_of::<G::Position>()
            + solved.vertices.capacity() * size_of::<Vertex>()
            + self.successors.capacity() * size_of::<G::Position>();
        let edges = solved.edges.capacity() * size_of::<Edge>();
        let lists =
            self.path.capacity() + self.unpropagated.capacity() + self.labelled_edges.capacity();
        // Looking for what is open marks positions and lists them, in a list that grows by doubling.
        let looking = 9 * solved.first_seen.len();
        let bytes = positions + edges + size_of::<u32>() * lists + looking;
        solved.table.bytes() + bytes as u64
    }

    /// Makes room for so many moves, each to a new position.
    fn reserve_moves(&mut self, moves: usize) -> Result<(), Error> {
        let grow: [GrowList<Self>; 6] = [
            |search, more, left| search.solved.table.reserve_within(more, left),
            |search, more, left| reserve_within(&mut search.solved.first_seen, more, left),
            |search, more, left| reserve_within(&mut search.solved.vertices, more, left),
            |search, more, left| reserve_within(&mut search.solved.edges, more, left),
            |search, more, left| reserve_within(&mut search.labelled_edges, more, left),
            |search, more, left| reserve_within(&mut search.unpropagated, more, left),
        ];
        for grow in grow {
            let needed = self.needed_bytes();
            let left = self.limit.saturating_sub(needed);
            grow(self, moves, left).map_err(|more| Error::Memory {
                positions: self.solved.first_seen.len() as u64,
                edges: self.solved.edges.len() as u64,
                needed: needed.saturating_add(more),
                limit: self.limit,
            })?;
        }
        Ok(())
    }

    fn label(&self, number: u32) -> VertexLabel {
        self.solved.vertices[number as usize].label
    }

    /// The number of a position, and whether it is new to the graph.
    fn number_of(&mut self, position: G::Position) -> (u32, bool) {
        let canonical = self.game.canonical(position);
        let number = self
            .solved
            .table
            .get_or_insert(canonical, hash_of(&canonical));
        let is_new = number as usize == self.solved.first_seen.len();
        if is_new {
            self.solved.first_seen.push(position);
            self.solved.vertices.push(NEW_VERTEX);
            if let Some(wdl) = self.game.terminal(position) {
                self.set_label(number, wdl, u16::MAX);
            }
        }
        (number, is_new)
    }

    fn set_label(&mut self, number: u32, wdl: Wdl, best: u16) {
        let vertex = &mut self.solved.vertices[number as usize];
        vertex.label = VertexLabel::Decided(wdl);
        vertex.best = best;
        self.labelled_depth = self.labelled_depth.min(vertex.path_index as usize);
        self.unpropagated.push(number);
    }

    /// Puts a position at the end of the path; its moves enter the graph if they are not there yet.
    fn push_path(&mut self, number: u32) -> Result<(), Error> {
        let vertex = &mut self.solved.vertices[number as usize];
        vertex.path_index = self.path.len() as u32;
        self.path.push(number);
        if std::mem::replace(&mut vertex.expanded, true) {
            return Ok(());
        }
        self.expand(number)
    }

    fn expand(&mut self, number: u32) -> Result<(), Error> {
        let mut successors = std::mem::take(&mut self.successors);
        successors.clear();
        self.game
            .successors(self.solved.first_seen[number as usize], &mut successors);
        if let ForwardVariant::Best(order) = self.variant {
            match successors
                .iter()
                .position(|&successor| self.is_lost(successor))
            {
                Some(winning) => successors = vec![successors[winning]],
                None => order.sort(self.game, &mut successors),
            }
        }
        let moves = u16::try_from(successors.len()).map_err(|_| Error::TooManyMoves(u16::MAX))?;
        self.reserve_moves(successors.len())?;
        let first = self.solved.edges.len() as u32;
        let (mut any_terminal, mut new_terminal) = (false, false);
        for &successor in &successors {
            let (to, is_new) = self.number_of(successor);
            let is_terminal = self.game.terminal(successor).is_some();
            any_terminal |= is_terminal;
            new_terminal |= is_terminal && is_new;
            self.add_edge(number, to);
        }
        let vertex = &mut self.solved.vertices[number as usize];
        (vertex.first_edge, vertex.moves, vertex.open_moves) = (first, moves, moves);
        self.successors = successors;
        let trigger = match self.variant {
            ForwardVariant::ThesisProgram => new_terminal,
            ForwardVariant::ThesisAlgorithm => any_terminal,
            ForwardVariant::Best(_) => true,
        };
        self.labelled_depth = usize::MAX;
        if trigger {
            self.propagate();
            self.draw_start_if_closed();
        }
        if let ForwardVariant::Best(_) = self.variant {
            // Below a position that has its label nothing is of interest.
            while self.path.len() > self.labelled_depth {
                self.pop_path();
            }
        }
        Ok(())
    }

    /// Whether a position is known to be lost for the side to move.
    fn is_lost(&self, position: G::Position) -> bool {
        if let Some(wdl) = self.game.terminal(position) {
            return wdl == Wdl::Loss;
        }
        let number = self.solved.table.find(&self.game.canonical(position));
        number.is_some_and(|number| self.label(number) == VertexLabel::Decided(Wdl::Loss))
    }

    fn add_edge(&mut self, from: u32, to: u32) {
        let edge = self.solved.edges.len() as u32;
        let target = &mut self.solved.vertices[to as usize];
        self.solved.edges.push(Edge {
            from,
            to,
            next_in_edge: target.first_in_edge,
            counted: false,
        });
        target.first_in_edge = edge;
        if target.label != VertexLabel::Open {
            self.labelled_edges.push(edge);
        }
    }

    /// Goes on with the last position of the path.
    fn advance(&mut self, top: u32) -> Result<(), Error> {
        let vertex = self.solved.vertices[top as usize];
        if vertex.label != VertexLabel::Open || vertex.cursor == vertex.moves {
            self.pop_path();
            return Ok(());
        }
        let edge = vertex.first_edge + u32::from(vertex.cursor);
        let to = self.solved.edges[edge as usize].to;
        let target = self.solved.vertices[to as usize];
        let unfinished =
            !target.expanded || target.cursor < target.moves && target.path_index == NO_NUMBER;
        if target.label == VertexLabel::Open && unfinished {
            return self.push_path(to);
        }
        // The target was looked at, just now or before: take its label into account if it has one.
        if target.label != VertexLabel::Open {
            self.count_edge(edge);
        }
        self.solved.vertices[top as usize].cursor += 1;
        Ok(())
    }

    fn pop_path(&mut self) {
        if let Some(number) = self.path.pop() {
            self.solved.vertices[number as usize].path_index = NO_NUMBER;
        }
    }

    /// Takes a move to a labelled position into account for the label of the position it leaves.
    fn count_edge(&mut self, edge: u32) {
        let Edge {
            from,
            to,
            counted: done,
            ..
        } = self.solved.edges[edge as usize];
        let VertexLabel::Decided(wdl) = self.label(to) else {
            return;
        };
        let vertex = &mut self.solved.vertices[from as usize];
        if done || vertex.label != VertexLabel::Open {
            return;
        }
        self.solved.edges[edge as usize].counted = true;
        vertex.open_moves -= 1;
        let mv = (edge - vertex.first_edge) as u16;
        if wdl == Wdl::Loss {
            self.set_label(from, Wdl::Win, mv);
        } else if vertex.open_moves == 0 {
            let (best, wdl) = self.best_move(from);
            self.set_label(from, wdl, best);
        }
    }

    /// The best move of a position all of whose successors have labels.
    fn best_move(&self, number: u32) -> (u16, Wdl) {
        let vertex = self.solved.vertices[number as usize];
        let values = (0..vertex.moves).map(|mv| {
            let to = self.solved.edges[vertex.first_edge as usize + usize::from(mv)].to;
            match self.label(to) {
                VertexLabel::Decided(wdl) => (wdl.before(), std::cmp::Reverse(mv)),
                VertexLabel::Open => unreachable!("every move was taken into account"),
            }
        });
        let (wdl, std::cmp::Reverse(mv)) = values
            .max()
            .expect("a position that is not over has a move");
        (mv, wdl)
    }

    /// Retrograde analysis of the graph known so far: passes labels back until nothing changes.
    fn propagate(&mut self) {
        loop {
            while let Some(edge) = self.labelled_edges.pop() {
                self.count_edge(edge);
            }
            let Some(number) = self.unpropagated.pop() else {
                return;
            };
            let mut edge = self.solved.vertices[number as usize].first_in_edge;
            while edge != NO_NUMBER {
                self.count_edge(edge);
                edge = self.solved.edges[edge as usize].next_in_edge;
            }
        }
    }

    /// Labels the start a draw if no position that was not yet looked at can be reached from it
    /// through positions without a label.
    fn draw_start_if_closed(&mut self) {
        if self.label(START) == VertexLabel::Open
            && !self.path_has_leaf()
            && self.unexpanded().is_none()
        {
            self.label_draws();
        }
    }

    /// Whether a position near the start of the path has an untried move to a position not yet looked
    /// at: the cheap and usual case.
    fn path_has_leaf(&self) -> bool {
        for &number in &self.path {
            let vertex = self.solved.vertices[number as usize];
            if vertex.label != VertexLabel::Open {
                return false;
            }
            let tried = vertex.first_edge + u32::from(vertex.cursor);
            let untried = &self.solved.edges
                [tried as usize..vertex.first_edge as usize + usize::from(vertex.moves)];
            if untried.iter().any(|edge| self.is_leaf(edge.to)) {
                return true;
            }
        }
        false
    }

    fn is_leaf(&self, number: u32) -> bool {
        let vertex = self.solved.vertices[number as usize];
        vertex.label == VertexLabel::Open && !vertex.expanded
    }

    /// Positions without a label that are reached from the start through such positions, until one
    /// fulfils `wanted`.
    fn open_region(&self, wanted: impl Fn(&Vertex) -> bool) -> Result<u32, Vec<u32>> {
        let mut region = vec![START];
        let mut seen = vec![false; self.solved.vertices.len()];
        seen[START as usize] = true;
        let mut done = 0;
        while done < region.len() {
            let vertex = self.solved.vertices[region[done] as usize];
            if wanted(&vertex) {
                return Ok(region[done]);
            }
            done += 1;
            let first = vertex.first_edge as usize;
            for edge in &self.solved.edges[first..first + usize::from(vertex.moves)] {
                let open = self.label(edge.to) == VertexLabel::Open;
                if open && !std::mem::replace(&mut seen[edge.to as usize], true) {
                    region.push(edge.to);
                }
            }
        }
        Err(region)
    }

    fn unexpanded(&self) -> Option<u32> {
        self.open_region(|vertex| !vertex.expanded).ok()
    }

    /// A position that still matters and whose moves were not all tried.
    fn unfinished(&self) -> Option<u32> {
        self.open_region(|vertex| vertex.cursor < vertex.moves || !vertex.expanded)
            .ok()
    }

    /// Labels the start and everything open around it: neither side can leave it for a win.
    fn label_draws(&mut self) {
        let region = self.open_region(|_| false).expect_err("nothing is wanted");
        for &number in &region {
            self.solved.vertices[number as usize].label = VertexLabel::Decided(Wdl::Draw);
        }
        for &number in &region {
            let vertex = self.solved.vertices[number as usize];
            let draws = |&mv: &u16| {
                let to = self.solved.edges[vertex.first_edge as usize + usize::from(mv)].to;
                self.label(to) == VertexLabel::Decided(Wdl::Draw)
            };
            let best = (0..vertex.moves)
                .find(draws)
                .expect("an open position has an open successor or a drawn one");
            self.solved.vertices[number as usize].best = best;
        }
    }
}

impl<G: Game> ForwardSolution<G> {
    fn count_labels(&mut self) {
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
