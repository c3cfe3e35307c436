//! Undecided successors of undecided positions, and passes over them.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::out_of_core::explicit::index::{SidePosition, UndecidedIndex};
use crate::simd::token::{Kernel, Simd};
use crate::space::board_tables::BoardTables;
use crate::space::sets::squares;
use crate::space::subproblem::Subproblem;

/// Kernel that finds the undecided successors of the positions in one row.
pub(crate) struct EdgeKernel<'a> {
    pub(crate) tables: &'a BoardTables,
    pub(crate) subproblems: &'a [Subproblem],
    pub(crate) index: &'a UndecidedIndex,
    /// Index of the row's subproblem.
    pub(crate) subproblem: usize,
    /// Canonical row.
    pub(crate) row: usize,
}

impl Kernel for EdgeKernel<'_> {
    type Output = EdgeRow;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> EdgeRow {
        let Self { tables, subproblems, index, .. } = self;
        let positions = &index.rows[self.subproblem][self.row];
        let subproblem = &subproblems[self.subproblem];
        let major = subproblem.canonical_rows[1].sets[self.row];
        let mut edges = Vec::new();
        let mut counts = Vec::with_capacity(positions.bits.len());
        let mut next = Vec::new();
        for (block, &own) in subproblem.sets_beside[0].iter().enumerate() {
            let (_, bits) = positions.block(block);
            if bits.is_empty() {
                continue;
            }
            let own = simd.deposit(own.into(), (!major).into()) as u32;
            let free = tables.board() & !(own | major);
            for &bit in bits {
                let bit = usize::from(bit);
                let lane = bit / 8 / subproblem.lane_bytes;
                let bit_of_lane = bit - 8 * subproblem.lane_bytes * lane;
                let leaders =
                    [bit_of_lane / subproblem.free_squares, bit_of_lane % subproblem.free_squares];
                let leaders =
                    leaders.map(|n| simd.deposit(1 << n, free.into()).trailing_zeros() as usize);
                let position = SidePosition { followers: [own, major], leaders, lane };
                successors(tables, position, &mut next);
                let before = edges.len();
                for &next in &next {
                    let exchanged = next.exchanged(tables);
                    if let Some(number) = index.number_of(simd, tables, subproblems, exchanged) {
                        edges.push(number);
                    }
                }
                counts.push((edges.len() - before) as u16);
            }
        }
        edges.shrink_to_fit();
        EdgeRow { first: positions.first, orbit_size: tables.orbit_size(major), counts, edges }
    }
}

/// Lists the positions after each move of side 0 that does not win at once.
#[inline(always)]
fn successors(tables: &BoardTables, position: SidePosition, next: &mut Vec<SidePosition>) {
    next.clear();
    let SidePosition { followers: [own, other], leaders: [leader, other_leader], lane } = position;
    let all = own | 1 << leader;
    let mut is_stuck = true;
    for &next_lane in &tables.next_lanes[0][lane] {
        let targets = &tables.kinds[tables.kind_of_lane[next_lane]].moves[0].targets;
        for from in squares(all) {
            let rest = all & !(1 << from);
            for to in squares(targets[from] & !rest) {
                is_stuck = false;
                let is_won = to == other_leader || from == leader && tables.goals[0] >> to & 1 == 1;
                if is_won {
                    continue;
                }
                let (followers, leader) =
                    if from == leader { (own, to) } else { (own & !(1 << from) | 1 << to, leader) };
                next.push(SidePosition {
                    followers: [followers, other & !(1 << to)],
                    leaders: [leader, other_leader],
                    lane: next_lane,
                });
            }
        }
    }
    if is_stuck {
        let lanes = tables.next_lanes[0][lane].iter();
        next.extend(lanes.map(|&lane| SidePosition { lane, ..position }));
    }
}

/// The undecided positions with their undecided successors.
pub(crate) struct ExplicitGraph {
    /// Rows that have undecided positions, by ascending numbers.
    pub(crate) rows: Vec<EdgeRow>,
    /// Number of undecided positions.
    pub(crate) count: u32,
}

/// Undecided positions with one follower set of side 1, and their successors.
pub(crate) struct EdgeRow {
    /// Number of the first position.
    first: u32,
    /// Number of positions that each one stands for.
    pub(crate) orbit_size: u64,
    /// Number of successors of each position.
    counts: Vec<u16>,
    /// Numbers of the successors, position after position.
    edges: Vec<u32>,
}

impl EdgeRow {
    /// Bytes of the lists.
    pub(crate) fn bytes(&self) -> u64 {
        2 * self.counts.len() as u64 + 4 * self.edges.len() as u64
    }

    /// Positions of the row that a pass decides.
    ///
    /// Losses have no successor that is not decided, wins have a successor that is lost.
    pub(crate) fn newly_decided(&self, is_loss: bool, known: &DecidedBits) -> Vec<u32> {
        let mut new = Vec::new();
        let mut edges = &self.edges[..];
        for (number, &count) in (self.first..).zip(&self.counts) {
            let (successors, others) = edges.split_at(count.into());
            edges = others;
            if known.is_decided(number) {
                continue;
            }
            let is_new = if is_loss {
                successors.iter().all(|&next| known.is_decided(next))
            } else {
                successors.iter().any(|&next| known.is_lost(next))
            };
            if is_new {
                new.push(number);
            }
        }
        new
    }
}

/// Two bits for each position: decided, and lost for its mover.
pub(crate) struct DecidedBits {
    decided: Vec<AtomicU64>,
    lost: Vec<AtomicU64>,
}

impl DecidedBits {
    /// Bits of `count` undecided positions.
    pub(crate) fn new(count: u32) -> Self {
        let zeros = || {
            let words = 0..count.div_ceil(64);
            words.map(|_| AtomicU64::new(0)).collect()
        };
        Self { decided: zeros(), lost: zeros() }
    }

    /// Returns true if a position is decided.
    #[inline(always)]
    pub(crate) fn is_decided(&self, number: u32) -> bool {
        is_set(&self.decided, number)
    }

    /// Returns true if a position is lost for its mover.
    #[inline(always)]
    pub(crate) fn is_lost(&self, number: u32) -> bool {
        is_set(&self.lost, number)
    }

    /// Records positions that a pass has decided.
    pub(crate) fn record(&self, new: &[u32], is_loss: bool) {
        for &number in new {
            let (word, bit) = (number as usize / 64, 1 << (number % 64));
            self.decided[word].fetch_or(bit, Ordering::Relaxed);
            if is_loss {
                self.lost[word].fetch_or(bit, Ordering::Relaxed);
            }
        }
    }
}

#[inline(always)]
fn is_set(set: &[AtomicU64], number: u32) -> bool {
    let word = set[number as usize / 64].load(Ordering::Relaxed);
    word >> (number % 64) & 1 == 1
}
