//! Retrograde analysis of a graph of numbered positions, ply by ply.
//!
//! The first plies decide most positions, so they are found by going over what is open and looking at
//! its successors: the moves lie in order, only the values are read at random. When a ply decides
//! little, the moves that are left are turned round, and the frontier of positions decided in n plies
//! decides those in n + 1.

use hindsight_core::{Value, Wdl};
use hindsight_run::{Budget, Error, Histogram, Progress};
use rayon::prelude::*;

use crate::open_moves::OpenMoves;

/// The value of a position in two bytes: twice the plies, and 1 for a win; or open, which in the end is
/// a draw; or open with a number of moves not yet known to lose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GraphCode(u16);

impl GraphCode {
    pub(crate) const OPEN: Self = Self(0x8000);
    /// The game is over and nobody won: never decided, and never counted as open by another.
    const DRAWN: Self = Self(0xFFFF);
    pub(crate) const MAX_REMOTENESS: u16 = (Self::OPEN.0 - 1) / 2;
    /// The most moves that an open position can count.
    pub(crate) const MAX_MOVES: u16 = Self::DRAWN.0 - Self::OPEN.0 - 1;

    /// Open, with so many moves that are not known to lose: at most [`Code::MOST_MOVES`].
    #[inline]
    fn counting(moves: usize) -> Self {
        let moves = u16::try_from(moves).ok().filter(|&n| n <= Self::MAX_MOVES);
        Self(Self::OPEN.0 + moves.expect("a position with more moves was refused"))
    }

    #[inline]
    fn is_open(self) -> bool {
        self.0 >= Self::OPEN.0
    }

    #[inline]
    pub(crate) fn decided(wdl: Wdl, plies: u16) -> Self {
        Self(plies << 1 | u16::from(wdl == Wdl::Win))
    }

    #[inline]
    pub(crate) fn terminal(wdl: Wdl) -> Self {
        if wdl == Wdl::Draw {
            Self::DRAWN
        } else {
            Self::decided(wdl, 0)
        }
    }

    #[inline]
    fn wins(self) -> bool {
        self.0 & 1 == 1
    }

    #[inline]
    fn plies(self) -> u16 {
        self.0 >> 1
    }

    #[inline]
    pub(crate) fn value(self) -> Value {
        match (self.is_open(), self.wins()) {
            (true, _) => Value::Draw,
            (_, true) => Value::Win(self.plies()),
            (_, false) => Value::Loss(self.plies()),
        }
    }

    #[inline]
    pub(crate) fn histogram(codes: &[Self]) -> Histogram {
        let mut counts = vec![0_u64; 1 << 16];
        for code in codes {
            counts[usize::from(code.0)] += 1;
        }
        let counted = (0..=u16::MAX).zip(counts).filter(|&(_, n)| n > 0);
        counted.map(|(code, n)| (Self(code).value(), n)).collect()
    }
}

/// Open positions looked at by a thread at a time, at most.
const MAX_PORTION: usize = 1 << 14;
/// Portions looked at before what was decided is entered.
const PORTIONS_PER_BATCH: usize = 64;
/// Going over what is open pays while a ply decides at least one in so many.
const SWEEP_DIVISOR: usize = 6;

/// Open positions of a portion, if so many bytes are allowed.
#[inline]
fn portion_len(limit: u64) -> usize {
    (limit >> 15).clamp(1 << 6, MAX_PORTION as u64) as usize
}

/// Bytes that [`retrograde`] takes at most for so many positions and moves, if so many are allowed.
#[inline]
pub(crate) fn retrograde_bytes(positions: u64, moves: u64, limit: u64) -> u64 {
    // Positions decided in some portions, in lists that have up to twice the room they need.
    let found =
        (PORTIONS_PER_BATCH * portion_len(limit) * 2 * size_of::<(u32, GraphCode)>()) as u64;
    8 * positions + found.min(16 * positions).max(4 * moves)
}

/// Decides positions ply by ply; what stays open is a draw. Values of positions that are over, and of
/// those with a move that wins at once, are there already; moves of all others are given.
#[inline]
pub(crate) fn retrograde(
    moves: &OpenMoves,
    values: &mut [GraphCode],
    budget: &mut Budget<'_>,
) -> Result<(), Error> {
    let is_open = |code: &GraphCode| *code == GraphCode::OPEN;
    let mut open: Vec<u32> = positions_with(values, is_open, 0);
    let mut plies = 1;
    while !open.is_empty() {
        check_budget(budget, values.len(), open.len())?;
        let before = open.len();
        let portion = portion_len(budget.memory());
        // What is decided now has too many plies to count for what is looked at later in this ply.
        for some in open.chunks(PORTIONS_PER_BATCH * portion) {
            for found in decide_ply(plies, moves, values, some, portion) {
                for (position, code) in found {
                    values[position as usize] = code;
                }
            }
        }
        plies += 1;
        open.retain(|&position| values[position as usize] == GraphCode::OPEN);
        let few = (before - open.len()) * SWEEP_DIVISOR < before;
        // The first two plies may find nothing because what they would find was given.
        if few && plies > 3 {
            return solve_by_frontier(plies, moves, values, open, budget);
        }
    }
    Ok(())
}

/// The positions with certain codes, in a list that has room for so many more.
#[inline]
fn positions_with(
    values: &[GraphCode],
    is_wanted: impl Fn(&GraphCode) -> bool,
    more: usize,
) -> Vec<u32> {
    let wanted = || values.iter().filter(|code| is_wanted(code));
    let mut list = Vec::with_capacity(wanted().count() + more);
    let positions = (0..).zip(values).filter(|(_, code)| is_wanted(code));
    list.extend(positions.map(|(position, _)| position));
    list
}

#[inline]
fn check_budget(budget: &mut Budget<'_>, positions: usize, open: usize) -> Result<(), Error> {
    let total = positions as u64;
    let progress = Progress {
        phase: "solving",
        done: total - open as u64,
        total: Some(total),
    };
    budget.check(progress, total, 0, 0)
}

/// The open positions that are decided in exactly so many plies, when all in fewer plies are known; portion
/// by portion of so many.
#[inline]
fn decide_ply(
    plies: u16,
    moves: &OpenMoves,
    values: &[GraphCode],
    open: &[u32],
    portion: usize,
) -> Vec<Vec<(u32, GraphCode)>> {
    let decide = |&position: &u32| {
        let mut loses = true;
        for &to in moves.targets(position as usize) {
            let code = values[to as usize];
            // What is decided in as many plies or more is not known yet: wins in one were given.
            if code.is_open() || code.plies() >= plies {
                loses = false;
            } else if !code.wins() {
                return Some((position, GraphCode::decided(Wdl::Win, plies)));
            }
        }
        loses.then(|| (position, GraphCode::decided(Wdl::Loss, plies)))
    };
    let portions = open.par_chunks(portion);
    let decided = portions.map(|portion| portion.iter().filter_map(decide).collect());
    decided.collect()
}

/// Decides the rest from the frontier of positions decided one ply before.
#[inline]
fn solve_by_frontier(
    first_plies: u16,
    moves: &OpenMoves,
    values: &mut [GraphCode],
    open: Vec<u32>,
    budget: &mut Budget<'_>,
) -> Result<(), Error> {
    let before = first_plies - 1;
    let matters = |code: GraphCode| code.is_open() || code.plies() == before;
    let predecessors = ReverseGraph::new(moves, values, &open, matters);
    // From here on an open position counts its moves that are not known to lose.
    for &position in &open {
        let to = moves.targets(position as usize).iter();
        let count = to.filter(|&&to| matters(values[to as usize])).count();
        values[position as usize] = GraphCode::counting(count);
    }
    let mut left = open.len();
    drop(open);
    let is_last = |code: &GraphCode| !code.is_open() && code.plies() == before;
    // Each position is decided once: what follows has room behind the first frontier.
    let mut frontiers = positions_with(values, is_last, left);
    let mut frontier = 0..frontiers.len();
    for plies in first_plies.. {
        if frontier.is_empty() {
            break;
        }
        if plies > GraphCode::MAX_REMOTENESS {
            return Err(Error::TooLong(GraphCode::MAX_REMOTENESS));
        }
        check_budget(budget, values.len(), left)?;
        let end = frontier.end;
        for i in frontier {
            let number = frontiers[i] as usize;
            let lost = !values[number].wins();
            for &position in predecessors.of(number) {
                let code = &mut values[position as usize];
                if !code.is_open() {
                    continue;
                }
                if lost {
                    *code = GraphCode::decided(Wdl::Win, plies);
                    frontiers.push(position);
                } else {
                    code.0 -= 1;
                    if *code == GraphCode::OPEN {
                        *code = GraphCode::decided(Wdl::Loss, plies);
                        frontiers.push(position);
                    }
                }
            }
        }
        frontier = end..frontiers.len();
        left -= frontier.len();
    }
    Ok(())
}

/// Moves of open positions turned round: which of these lead to each position.
struct ReverseGraph {
    /// `last[p - 1]..last[p]` are the predecessors of position `p`; those of 0 begin at 0.
    ends: Vec<u32>,
    sources: Vec<u32>,
}

impl ReverseGraph {
    #[inline]
    fn of(&self, position: usize) -> &[u32] {
        let first = if position == 0 {
            0
        } else {
            self.ends[position - 1]
        };
        &self.sources[first as usize..self.ends[position] as usize]
    }

    /// Turns round the moves of open positions that lead to positions that matter.
    #[inline]
    fn new(
        moves: &OpenMoves,
        values: &[GraphCode],
        open: &[u32],
        matters: impl Fn(GraphCode) -> bool,
    ) -> Self {
        let targets = |position: u32| {
            moves
                .targets(position as usize)
                .iter()
                .filter(|&&to| matters(values[to as usize]))
        };
        let mut last = vec![0_u32; values.len()];
        for &position in open {
            for &to in targets(position) {
                last[to as usize] += 1;
            }
        }
        let mut sum = 0;
        for cursor in &mut last {
            sum += std::mem::replace(cursor, sum);
        }
        let mut from = vec![0_u32; sum as usize];
        for &position in open {
            for &to in targets(position) {
                let cursor = &mut last[to as usize];
                from[*cursor as usize] = position;
                *cursor += 1;
            }
        }
        Self {
            ends: last,
            sources: from,
        }
    }
}
