//! The depth-first search and its propagation of labels.

use hindsight_core::{Game, Packed, PackedGame, Wdl};
use hindsight_engine::{Budget, Error, Progress};

use super::solution::{ForwardEdge, ForwardSolution, NEW_VERTEX, START, Vertex, VertexLabel};
use super::variant::ForwardVariant;
use crate::bounded_growth::reserve_within;
use crate::position_table::NO_NUMBER;

/// Reserves room in one of the lists for further items, within a number of bytes.
type GrowList<S> = fn(&mut S, usize, u64) -> Result<(), u64>;

/// A search in progress.
pub(super) struct ForwardSearch<'a> {
    game: &'a PackedGame,
    variant: ForwardVariant,
    solved: ForwardSolution,
    /// Positions being expanded, from the start on.
    path: Vec<u32>,
    /// Smallest index on the path of a position with a label; `usize::MAX` if there is none.
    labelled_depth: usize,
    /// Positions whose label was not propagated yet.
    unpropagated: Vec<u32>,
    /// Edges to positions that had a label already when the edge was added.
    labelled_edges: Vec<u32>,
    successors: Vec<Packed>,
    /// Memory limit in bytes.
    limit: u64,
}

impl<'a> ForwardSearch<'a> {
    /// Creates a search whose graph holds the start only.
    pub(super) fn new(game: &'a PackedGame, variant: ForwardVariant, limit: u64) -> Self {
        Self {
            game,
            variant,
            solved: ForwardSolution::new(game),
            path: Vec::new(),
            labelled_depth: usize::MAX,
            unpropagated: Vec::new(),
            labelled_edges: Vec::new(),
            successors: Vec::new(),
            limit,
        }
    }

    /// Returns the graph with its labels.
    pub(super) fn into_solution(mut self) -> ForwardSolution {
        self.solved.count_labels();
        self.solved
    }

    /// Searches until the start has a label.
    pub(super) fn run(&mut self, budget: &mut Budget<'_>) -> Result<(), Error> {
        self.push_path(START)?;
        let mut steps = 0_u32;
        loop {
            if self.label(START) != VertexLabel::Open {
                return Ok(());
            }
            match self.path.last() {
                Some(&top) => self.advance(top)?,
                None => {
                    // Labels that were not propagated yet may still decide the start.
                    self.propagate();
                    match self.unfinished() {
                        _ if self.label(START) != VertexLabel::Open => {}
                        Some(number) => self.push_path(number)?,
                        None => self.label_draws(),
                    }
                }
            }
            steps = steps.wrapping_add(1);
            if self.game.is_outside() || steps.is_multiple_of(8192) {
                self.check(budget)?;
            }
        }
    }

    fn check(&self, budget: &mut Budget<'_>) -> Result<(), Error> {
        let (positions, edges) =
            (self.solved.first_seen.len() as u64, self.solved.edges.len() as u64);
        if edges > u64::from(NO_NUMBER) / 2 {
            return Err(Error::TooMany("moves"));
        }
        let needed = self.needed_bytes();
        budget.check(
            Progress { phase: "searching", done: positions, total: None },
            positions,
            edges,
            needed,
        )
    }

    /// Bytes needed if nothing is added.
    fn needed_bytes(&self) -> u64 {
        let solved = &self.solved;
        let positions = solved.first_seen.capacity() * size_of::<Packed>()
            + solved.vertices.capacity() * size_of::<Vertex>()
            + self.successors.capacity() * size_of::<Packed>();
        let edges = solved.edges.capacity() * size_of::<ForwardEdge>();
        let lists =
            self.path.capacity() + self.unpropagated.capacity() + self.labelled_edges.capacity();
        // [`ForwardSearch::open_region`] marks and lists positions, in a list that grows by
        // doubling.
        let looking = 9 * solved.first_seen.len();
        let bytes = positions + edges + size_of::<u32>() * lists + looking;
        solved.table.bytes() + bytes as u64
    }

    /// Reserves room for `moves` edges, each to a new position.
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
            grow(self, moves, left).map_err(|more| match needed.saturating_add(more) {
                needed if needed <= self.limit => Error::NoMemory { bytes: more },
                needed => Error::Memory {
                    positions: self.solved.first_seen.len() as u64,
                    edges: self.solved.edges.len() as u64,
                    needed,
                    limit: self.limit,
                },
            })?;
        }
        Ok(())
    }

    fn label(&self, number: u32) -> VertexLabel {
        self.solved.vertices[number as usize].label
    }

    /// Returns the number of a position, and true if it is new to the graph.
    fn number_of(&mut self, position: Packed) -> (u32, bool) {
        let number = self.solved.table.insert(self.game.canonical(position));
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

    /// Appends a position to the path and expands it, unless that was done before.
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
        self.game.successors(self.solved.first_seen[number as usize], &mut successors);
        if let ForwardVariant::Best(order) = self.variant {
            match successors.iter().position(|&successor| self.is_lost(successor)) {
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
            // The search below a labelled position is of no use.
            while self.path.len() > self.labelled_depth {
                self.pop_path();
            }
        }
        Ok(())
    }

    /// True if a position is known to be lost for the side to move.
    fn is_lost(&self, position: Packed) -> bool {
        if let Some(wdl) = self.game.terminal(position) {
            return wdl == Wdl::Loss;
        }
        let number = self.solved.table.find(&self.game.canonical(position));
        number.is_some_and(|number| self.label(number) == VertexLabel::Decided(Wdl::Loss))
    }

    fn add_edge(&mut self, from: u32, to: u32) {
        let edge = self.solved.edges.len() as u32;
        let target = &mut self.solved.vertices[to as usize];
        self.solved.edges.push(ForwardEdge {
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

    /// Takes one step from the last position of the path.
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
        // The target was searched, just now or before. Its label counts for this position.
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

    /// Counts an edge to a labelled position for the label of its source.
    fn count_edge(&mut self, edge: u32) {
        let ForwardEdge { from, to, counted, .. } = self.solved.edges[edge as usize];
        let VertexLabel::Decided(wdl) = self.label(to) else {
            return;
        };
        let vertex = &mut self.solved.vertices[from as usize];
        if counted || vertex.label != VertexLabel::Open {
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

    /// Returns the best move of a position whose successors all have labels.
    fn best_move(&self, number: u32) -> (u16, Wdl) {
        let vertex = self.solved.vertices[number as usize];
        let values = (0..vertex.moves).map(|mv| {
            let to = self.solved.edges[vertex.first_edge as usize + usize::from(mv)].to;
            match self.label(to) {
                VertexLabel::Decided(wdl) => (wdl.before(), std::cmp::Reverse(mv)),
                VertexLabel::Open => unreachable!("every move was taken into account"),
            }
        });
        let (wdl, std::cmp::Reverse(mv)) =
            values.max().expect("a position that is not over has a move");
        (mv, wdl)
    }

    /// Retrograde analysis of the known graph: propagates labels until nothing changes.
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

    /// Labels the start a draw if the open region around it has no unexpanded position.
    fn draw_start_if_closed(&mut self) {
        if self.label(START) == VertexLabel::Open
            && !self.path_has_leaf()
            && self.unexpanded().is_none()
        {
            self.label_draws();
        }
    }

    /// True if an open position on the path has an untried move to an unexpanded position. This is
    /// a cheap test for the usual case.
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

    /// Walks the open positions reachable from the start through open positions. Returns the first
    /// one that is `wanted`, or else the whole region.
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

    /// Returns a position of the open region whose moves were not all tried.
    fn unfinished(&self) -> Option<u32> {
        self.open_region(|vertex| vertex.cursor < vertex.moves || !vertex.expanded).ok()
    }

    /// Labels the whole open region around the start as draws: neither side can leave it for a win.
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
