//! Alpha-beta search, deeper and deeper, with a table of positions that were met before.

use std::hash::BuildHasher;
use std::time::Duration;

use foldhash::fast::FixedState;
use hindsight_core::{Game, Random, Wdl};

use crate::agent::{Agent, Choice, Error, moves_of};
use crate::random::Seeded;
use crate::resources::{Deadline, Resources};

/// What a search may take for a move; the first limit that is reached ends it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct AlphaBeta {
    /// Plies ahead.
    pub depth: Option<u32>,
    /// Positions looked at.
    pub nodes: Option<u64>,
    /// Time.
    pub time: Option<Duration>,
}

/// No game is searched deeper.
pub(crate) const MOST_DEPTH: u32 = 200;

impl Default for AlphaBeta {
    /// A hundred thousand positions a move.
    fn default() -> Self {
        Self {
            nodes: Some(100_000),
            ..Self::NONE
        }
    }
}

impl AlphaBeta {
    pub(crate) const NONE: Self = Self {
        depth: None,
        nodes: None,
        time: None,
    };
}

/// What a win at once is worth; one ply later it is worth one less.
const WIN: i32 = 1_000_000;

/// Values beyond this are wins and losses that were seen to the end.
const SEEN: i32 = WIN - 10_000;

/// Most positions in the table, a power of two.
const TABLE: usize = 1 << 17;

/// Least positions in it.
const LEAST_TABLE: usize = 1 << 10;

/// The least memory that a search can do with, in bytes.
pub(crate) fn least_memory<P>() -> u64 {
    Resources::needed(LEAST_TABLE, size_of::<Option<Entry<P>>>())
}

/// Whether a value is exact, or only not exceeded, or only reached.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// What was found of a position.
#[derive(Clone, Copy)]
struct Entry<P> {
    position: P,
    depth: u32,
    /// Wins counted from here.
    value: i32,
    bound: Bound,
    /// The number of the best move.
    best: u16,
}

/// An agent that searches; it remembers positions from move to move.
pub(crate) struct Searcher<P> {
    limits: AlphaBeta,
    /// A power of two of places.
    table: Vec<Option<Entry<P>>>,
    hasher: FixedState,
}

impl<P: Copy> Searcher<P> {
    /// A search whose table fits in the memory, which is at least [`least_memory`].
    pub(crate) fn new(limits: AlphaBeta, resources: Resources<'_>) -> Self {
        let most = resources.items(size_of::<Option<Entry<P>>>());
        let most = most.clamp(LEAST_TABLE, TABLE);
        Self {
            limits,
            table: vec![None; 1 << most.ilog2()],
            hasher: FixedState::with_seed(0),
        }
    }
}

impl<G: Game> Agent<G> for Searcher<G::Position> {
    fn choose(
        &mut self,
        game: &G,
        position: G::Position,
        random: &mut Seeded,
    ) -> Result<Choice<G::Move>, Error> {
        let deadline = Deadline::new(self.limits.time);
        let moves = moves_of(game, position);
        if let [only] = *moves {
            return Ok(Choice::of(only, 0));
        }
        let mut order: Vec<usize> = (0..moves.len()).collect();
        for i in (1..order.len()).rev() {
            // Moves of equal value are played by chance.
            order.swap(i, random.below(i as u32 + 1) as usize);
        }
        let next: Vec<G::Position> = moves.iter().map(|&mv| game.play(position, mv)).collect();
        let mut search = Search {
            game,
            agent: self,
            deadline,
            nodes: 0,
            over: false,
            path: vec![position],
        };
        let best = search.deepen(&next, order);
        Ok(Choice::of(moves[best], search.nodes))
    }
}

/// A search for one move.
struct Search<'a, G: Game> {
    game: &'a G,
    agent: &'a mut Searcher<G::Position>,
    deadline: Deadline,
    nodes: u64,
    /// Whether a limit was reached: values are worth nothing then.
    over: bool,
    /// From the root to the position that is looked at.
    path: Vec<G::Position>,
}

/// A successor: what it seems to be worth to the one who moves there, its number, and itself.
type Seeming<P> = (i32, u16, P);

impl<G: Game> Search<'_, G> {
    /// The number of the best move.
    fn deepen(&mut self, next: &[G::Position], mut order: Vec<usize>) -> usize {
        let most = self.agent.limits.depth.unwrap_or(MOST_DEPTH);
        for depth in 1..=most {
            let (mut best, mut alpha) = (None, -WIN);
            for &number in &order {
                let value = self.after(next[number], depth - 1, (alpha, WIN), 1);
                if self.over {
                    break;
                }
                if best.is_none() || value > alpha {
                    (best, alpha) = (Some(number), value);
                }
            }
            if let Some(best) = best {
                order.retain(|&number| number != best);
                order.insert(0, best);
            }
            if self.over || order.len() == 1 || alpha.abs() > SEEN {
                break;
            }
        }
        order[0]
    }

    /// What a move to a position is worth to the one who makes it; a window of one value first, since mostly
    /// it is not better than the best so far.
    fn after(&mut self, next: G::Position, depth: u32, (alpha, beta): (i32, i32), ply: i32) -> i32 {
        if alpha > -WIN {
            let value = -self.value(next, depth, (-alpha - 1, -alpha), ply);
            if value <= alpha || value >= beta || self.over {
                return value;
            }
        }
        -self.value(next, depth, (-beta, -alpha), ply)
    }

    /// What a position is worth to the side to move, as far as it lies in the window.
    fn value(
        &mut self,
        position: G::Position,
        depth: u32,
        (mut alpha, beta): (i32, i32),
        ply: i32,
    ) -> i32 {
        if !self.count() {
            return 0;
        }
        if let Some(wdl) = self.game.terminal(position) {
            return finished(wdl, ply);
        }
        if self.path.contains(&position) {
            return 0;
        }
        if depth == 0 {
            return self.guess(position);
        }
        let slot = self.agent.hasher.hash_one(position) as usize & (self.agent.table.len() - 1);
        let known = self.agent.table[slot].filter(|entry| entry.position == position);
        if let Some(entry) = known.filter(|entry| entry.depth >= depth) {
            let value = from_here(entry.value, -ply);
            let enough = match entry.bound {
                Bound::Exact => true,
                Bound::AtLeast => value >= beta,
                Bound::AtMost => value <= alpha,
            };
            if enough {
                return value;
            }
        }
        let options = self.options(position, known.map(|entry| entry.best), ply);
        let (first, mut best) = (alpha, (-WIN, 0));
        self.path.push(position);
        for (seems, number, next) in options {
            // What a move seems to be worth is what a search of no depth would say.
            let value = if depth == 1 || seems.abs() > SEEN {
                seems
            } else {
                self.after(next, depth - 1, (alpha, beta), ply + 1)
            };
            if value > best.0 {
                best = (value, number);
            }
            alpha = alpha.max(value);
            if alpha >= beta || self.over {
                break;
            }
        }
        self.path.pop();
        if !self.over {
            let bound = match best.0 {
                value if value <= first => Bound::AtMost,
                value if value >= beta => Bound::AtLeast,
                _ => Bound::Exact,
            };
            self.agent.table[slot] = Some(Entry {
                position,
                depth,
                value: from_here(best.0, ply),
                bound,
                best: best.1,
            });
        }
        best.0
    }

    /// The successors, the one that was best before first, then as they seem; when a limit is reached, those until
    /// then.
    fn options(
        &mut self,
        position: G::Position,
        best: Option<u16>,
        ply: i32,
    ) -> Vec<Seeming<G::Position>> {
        let mut next = Vec::new();
        self.game.successors(position, &mut next);
        let mut options = Vec::with_capacity(next.len());
        for (number, next) in (0..).zip(next) {
            if !self.count() {
                break;
            }
            let value = match self.game.terminal(next) {
                Some(wdl) => finished(wdl, ply + 1),
                None if self.path.contains(&next) => 0,
                None => self.guess(next),
            };
            options.push((-value, number, next));
        }
        options.sort_by_key(|&(seems, number, _)| (Some(number) != best, -seems));
        options
    }

    /// A guess for the side to move: the game's, or the number of moves.
    fn guess(&self, position: G::Position) -> i32 {
        self.game
            .evaluate(position)
            .unwrap_or_else(|| moves_of(self.game, position).len() as i32)
    }

    /// Counts a position; `false` if a limit is reached, and it is not to be looked at.
    fn count(&mut self) -> bool {
        let most = self.agent.limits.nodes;
        self.over |= most.is_some_and(|most| self.nodes >= most) || self.deadline.step();
        self.nodes += u64::from(!self.over);
        !self.over
    }
}

/// The value of a finished game so many plies from the root.
fn finished(wdl: Wdl, ply: i32) -> i32 {
    match wdl {
        Wdl::Win => WIN - ply,
        Wdl::Draw => 0,
        Wdl::Loss => ply - WIN,
    }
}

/// A value at a root as one counted from a position so many plies deep, or back with the sign changed.
fn from_here(value: i32, plies: i32) -> i32 {
    match value {
        value if value > SEEN => value + plies,
        value if value < -SEEN => value - plies,
        value => value,
    }
}
