//! Where undecided positions lead, as numbers, and what passes find by these.

use std::sync::atomic::{AtomicU64, Ordering};

use crate::out_of_core::explicit::index::{SidePosition, UndecidedIndex};
use crate::simd::token::{Kernel, Simd};
use crate::space::board_tables::BoardTables;
use crate::space::sets::squares;
use crate::space::subproblem::Subproblem;

/// To find what the positions of a row lead to.
pub(crate) struct EdgeKernel<'a> {
    pub(crate) of: (&'a BoardTables, &'a [Subproblem]),
    pub(crate) index: &'a UndecidedIndex,
    /// Of a problem.
    pub(crate) row: (usize, usize),
}

impl Kernel for EdgeKernel<'_> {
    type Output = EdgeRow;

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> EdgeRow {
        let (tables, subproblems) = self.of;
        let (subproblem, row) = self.row;
        let left = &self.index.rows[subproblem][row];
        let subproblem = &subproblems[subproblem];
        let major = subproblem.canonical_rows[1].sets[row];
        let mut leads = Vec::new();
        let mut counts = Vec::with_capacity(left.bits.len());
        let mut to = Vec::new();
        for (block, &own) in subproblem.sets_beside[0].iter().enumerate() {
            let (_, bits) = left.block(block);
            if bits.is_empty() {
                continue;
            }
            let own = simd.deposit(own.into(), (!major).into()) as u32;
            let free = tables.board() & !(own | major);
            for &bit in bits {
                let (lane, bit) = (
                    usize::from(bit) / 8 / subproblem.lane_bytes,
                    usize::from(bit),
                );
                let pair = bit - 8 * subproblem.lane_bytes * lane;
                let leaders = [
                    pair / subproblem.free_squares,
                    pair % subproblem.free_squares,
                ];
                let leaders =
                    leaders.map(|n| simd.deposit(1 << n, free.into()).trailing_zeros() as usize);
                let position = SidePosition {
                    followers: [own, major],
                    leaders,
                    lane,
                };
                successors(tables, position, &mut to);
                let before = leads.len();
                for &to in &to {
                    if let Some(number) = self.index.number_of(simd, self.of, to.exchanged(tables))
                    {
                        leads.push(number);
                    }
                }
                counts.push((leads.len() - before) as u16);
            }
        }
        leads.shrink_to_fit();
        EdgeRow {
            first: left.first,
            orbit_size: tables.orbit_size(major),
            counts,
            edges: leads,
        }
    }
}

/// What the moves of side 0 lead to if they do not win.
#[inline(always)]
fn successors(tables: &BoardTables, position: SidePosition, to: &mut Vec<SidePosition>) {
    to.clear();
    let SidePosition {
        followers: [own, other],
        leaders: [leader, target],
        lane,
    } = position;
    let all = own | 1 << leader;
    let mut is_stuck = true;
    for &next in &tables.next_lanes[0][lane] {
        let targets = &tables.kinds[tables.kind_of_lane[next]].moves[0].targets;
        for from in squares(all) {
            let rest = all & !(1 << from);
            for square in squares(targets[from] & !rest) {
                is_stuck = false;
                let is_won =
                    square == target || from == leader && tables.goals[0] >> square & 1 == 1;
                if is_won {
                    continue;
                }
                let (followers, leader) = match from == leader {
                    true => (own, square),
                    false => (own & !(1 << from) | 1 << square, leader),
                };
                to.push(SidePosition {
                    followers: [followers, other & !(1 << square)],
                    leaders: [leader, target],
                    lane: next,
                });
            }
        }
    }
    if is_stuck {
        let next = tables.next_lanes[0][lane].iter();
        to.extend(next.map(|&next| SidePosition {
            lane: next,
            ..position
        }));
    }
}

/// Where everything undecided leads.
pub(crate) struct ExplicitGraph {
    pub(crate) rows: Vec<EdgeRow>,
    pub(crate) count: u32,
}

/// Positions with the same followers of side 1.
pub(crate) struct EdgeRow {
    /// The number of the first.
    pub(crate) first: u32,
    /// How many positions each stands for.
    pub(crate) orbit_size: u64,
    /// How many of those that follow each leads to.
    pub(crate) counts: Vec<u16>,
    pub(crate) edges: Vec<u32>,
}

impl EdgeRow {
    pub(crate) fn bytes(&self) -> u64 {
        2 * self.counts.len() as u64 + 4 * self.edges.len() as u64
    }

    /// What a pass finds here.
    pub(crate) fn newly_decided(&self, is_loss: bool, known: &DecidedBits) -> Vec<u32> {
        let mut new = Vec::new();
        let mut leads = &self.edges[..];
        for (number, &count) in (self.first..).zip(&self.counts) {
            let (to, others) = leads.split_at(count.into());
            leads = others;
            if known.is_decided(number) {
                continue;
            }
            let is_new = match is_loss {
                true => to.iter().all(|&to| known.is_decided(to)),
                false => to.iter().any(|&to| known.is_lost(to)),
            };
            if is_new {
                new.push(number);
            }
        }
        new
    }
}

/// A bit for each number.
pub(crate) struct DecidedBits {
    pub(crate) decided: Vec<AtomicU64>,
    pub(crate) lost: Vec<AtomicU64>,
}

impl DecidedBits {
    pub(crate) fn new(count: u32) -> Self {
        let none = || {
            let words = 0..count.div_ceil(64);
            words.map(|_| AtomicU64::new(0)).collect()
        };
        Self {
            decided: none(),
            lost: none(),
        }
    }

    #[inline(always)]
    pub(crate) fn is_decided(&self, number: u32) -> bool {
        is_in(&self.decided, number)
    }

    #[inline(always)]
    pub(crate) fn is_lost(&self, number: u32) -> bool {
        is_in(&self.lost, number)
    }

    pub(crate) fn add(&self, new: &[u32], is_loss: bool) {
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
fn is_in(set: &[AtomicU64], number: u32) -> bool {
    let word = set[number as usize / 64].load(Ordering::Relaxed);
    word >> (number % 64) & 1 == 1
}
