//! Retrograde analysis of a graph of numbered positions, ply by ply.
//!
//! The first plies decide most positions. They are found by sweeps over the open positions: the
//! moves lie in order, and only the values of successors are read at random. Once a ply decides few
//! positions, the remaining moves are reversed. From then on the frontier of positions decided in
//! `n` plies decides positions in `n + 1` plies. A position that never gets a value is a draw.

use hindsight_core::{Value, Wdl};
use hindsight_engine::{Budget, Error, Histogram, Progress, memory};
use rayon::prelude::*;

use crate::open_moves::OpenMoves;

/// Value of a position in two bytes.
///
/// | code | meaning |
/// |---|---|
/// | `2 * plies` | loss in `plies` |
/// | `2 * plies + 1` | win in `plies` |
/// | `0x8000` | open; a draw at the end |
/// | `0x8000 + n` | open, with `n` moves not yet known to lose |
/// | `0xFFFF` | terminal draw |
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct GraphCode(u16);

impl GraphCode {
    /// Bytes of memory of a value.
    pub(crate) const BYTES: u64 = size_of::<Self>() as u64;
    pub(crate) const OPEN: Self = Self(0x8000);
    /// A terminal draw. Its predecessors count it as a move that is not known to lose; it is never
    /// among the open positions itself.
    const DRAWN: Self = Self(0xFFFF);
    pub(crate) const MAX_REMOTENESS: u16 = (Self::OPEN.0 - 1) / 2;
    /// The most moves that an open position can count.
    pub(crate) const MAX_MOVES: u16 = Self::DRAWN.0 - Self::OPEN.0 - 1;

    /// Open, with `moves` moves that are not known to lose: at most [`GraphCode::MAX_MOVES`].
    #[inline]
    fn counting(moves: usize) -> Self {
        let moves = u16::try_from(moves).ok().filter(|&n| n <= Self::MAX_MOVES);
        Self(Self::OPEN.0 + moves.expect("a position with more moves was refused"))
    }

    /// Returns the code as a number.
    #[inline]
    pub(crate) fn bits(self) -> u16 {
        self.0
    }

    /// Inverse of [`GraphCode::bits`].
    #[inline]
    pub(crate) fn of_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// Returns the codes of numbers of two bytes, the low one first.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Vec<Self> {
        bytes.as_chunks::<2>().0.iter().map(|&bits| Self(u16::from_le_bytes(bits))).collect()
    }

    #[inline]
    pub(crate) fn is_open(self) -> bool {
        self.0 >= Self::OPEN.0
    }

    #[inline]
    pub(crate) fn decided(wdl: Wdl, plies: u16) -> Self {
        Self(plies << 1 | u16::from(wdl == Wdl::Win))
    }

    /// Code of a value that the rules tell: a draw is terminal.
    #[inline]
    pub(crate) fn known(value: Value) -> Self {
        match value {
            Value::Draw => Self::DRAWN,
            Value::Win(plies) => Self::decided(Wdl::Win, plies),
            Value::Loss(plies) => Self::decided(Wdl::Loss, plies),
        }
    }

    #[inline]
    pub(crate) fn wins(self) -> bool {
        self.0 & 1 == 1
    }

    #[inline]
    pub(crate) fn plies(self) -> u16 {
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

/// The most open positions that one thread handles at a time.
const MAX_PORTION: usize = 1 << 14;
/// Portions decided before their values are written.
const PORTIONS_PER_BATCH: usize = 64;
/// A sweep is worthwhile while a ply decides at least one in `SWEEP_DIVISOR` open positions.
const SWEEP_DIVISOR: usize = 6;

/// Open positions per portion, for a memory limit in bytes.
#[inline]
fn portion_len(limit: u64) -> usize {
    (limit >> 15).clamp(1 << 6, MAX_PORTION as u64) as usize
}

/// Upper bound for the bytes that [`retrograde`] allocates, if `limit` bytes are allowed.
#[inline]
pub(crate) fn retrograde_bytes(positions: u64, moves: u64, limit: u64) -> u64 {
    // Decided positions of one batch, in lists with up to twice the capacity they need.
    let found =
        (PORTIONS_PER_BATCH * portion_len(limit) * 2 * size_of::<(u32, GraphCode)>()) as u64;
    8 * positions + found.min(16 * positions).max(4 * moves)
}

/// Decides positions ply by ply; a position that stays open is a draw.
///
/// `values` must hold the values of terminal positions and of positions with an immediate win.
/// `moves` must hold the moves of all others.
#[inline]
pub(crate) fn retrograde(
    moves: &OpenMoves,
    values: &mut [GraphCode],
    budget: &mut Budget<'_>,
) -> Result<(), Error> {
    let bytes = retrograde_bytes(values.len() as u64, moves.len() as u64, budget.memory());
    memory::ask(bytes)?;
    let is_open = |code: &GraphCode| *code == GraphCode::OPEN;
    let mut open: Vec<u32> = positions_with(values, is_open, 0);
    let mut plies = 1;
    while !open.is_empty() {
        check_budget(budget, values.len(), open.len())?;
        let before = open.len();
        let portion = portion_len(budget.memory());
        // A position decided in this ply does not count for others of the same ply: its remoteness
        // is too high.
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
        // The first two plies may find nothing, since the explorer gave their results already.
        if few && plies > 3 {
            return solve_by_frontier(plies, moves, values, open, budget);
        }
    }
    Ok(())
}

/// Positions whose code is wanted, in a list with capacity for `more` others.
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
    let progress = Progress { phase: "solving", done: total - open as u64, total: Some(total) };
    budget.check(progress, total, 0, 0)
}

/// Returns the open positions that are decided in exactly `plies`, given all decided in fewer. The
/// open positions are split into portions of length `portion`.
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
            // A code with as many plies or more comes from this ply, or is a given win in one: not
            // known yet.
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

/// Decides the remaining positions, each ply from the positions decided one ply before.
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
    // From here on the code of an open position counts its moves that are not known to lose.
    for &position in &open {
        let to = moves.targets(position as usize).iter();
        let count = to.filter(|&&to| matters(values[to as usize])).count();
        values[position as usize] = GraphCode::counting(count);
    }
    let mut left = open.len();
    drop(open);
    let is_last = |code: &GraphCode| !code.is_open() && code.plies() == before;
    // Each position is decided once, so all later frontiers fit behind the first one.
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

/// Reversed moves of open positions: the predecessors of each position.
struct ReverseGraph {
    /// The predecessors of position `p` are `sources[ends[p - 1]..ends[p]]`, with `ends[-1] = 0`.
    ends: Vec<u32>,
    sources: Vec<u32>,
}

impl ReverseGraph {
    #[inline]
    fn of(&self, position: usize) -> &[u32] {
        let first = if position == 0 { 0 } else { self.ends[position - 1] };
        &self.sources[first as usize..self.ends[position] as usize]
    }

    /// Reverses the moves of open positions to positions that matter.
    #[inline]
    fn new(
        moves: &OpenMoves,
        values: &[GraphCode],
        open: &[u32],
        matters: impl Fn(GraphCode) -> bool,
    ) -> Self {
        let targets = |position: u32| {
            moves.targets(position as usize).iter().filter(|&&to| matters(values[to as usize]))
        };
        let mut ends = vec![0_u32; values.len()];
        for &position in open {
            for &to in targets(position) {
                ends[to as usize] += 1;
            }
        }
        let mut sum = 0;
        for cursor in &mut ends {
            sum += std::mem::replace(cursor, sum);
        }
        let mut sources = vec![0_u32; sum as usize];
        for &position in open {
            for &to in targets(position) {
                let cursor = &mut ends[to as usize];
                sources[*cursor as usize] = position;
                *cursor += 1;
            }
        }
        Self { ends, sources }
    }
}
