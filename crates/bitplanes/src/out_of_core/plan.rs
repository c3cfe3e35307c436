//! Slices, bytes of memory and bytes of tiles of an out-of-core solve, known before it starts.

use hindsight_engine::{Error, Limits};

use crate::out_of_core::partition::Partition;
use crate::pass::sweep::{bytes_of_row, bytes_of_scratch};
use crate::plane::plane::Plane;
use crate::space::board_tables::BoardTables;
use crate::space::plan::BitplanePlan;
use crate::space::subproblem::{Subproblem, after_capture};

/// Numbers of slices that are tried, fewest first.
const SLICE_COUNTS: [u64; 12] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];

/// Frontiers take at least one part in this number of all memory.
const SHORT_LISTS_PART: u64 = 16;

/// Plan of an out-of-core solve: its slices, and the bytes that it takes.
pub struct OutOfCorePlan {
    /// Subproblems of the game.
    pub(crate) plan: BitplanePlan,
    /// Partition of planes into tiles.
    pub(crate) partition: Partition,
    /// Bytes of memory at the peak.
    pub(crate) peak: u64,
    /// Bytes of frontiers, included in the peak.
    pub(crate) frontier_bytes: u64,
}

/// Bytes of each [`Buffer`](crate::out_of_core::state::Buffer).
#[derive(Clone, Copy)]
pub(crate) struct BufferBytes {
    /// Rows that a pass goes over.
    pub(crate) rows: u64,
    /// Columns that quiet moves lead to.
    pub(crate) quiet: u64,
    /// Plane that captures lead to.
    pub(crate) captured: u64,
}

impl OutOfCorePlan {
    /// Plans with the fewest slices that fit into `memory` bytes; with those that take least if
    /// none do.
    #[must_use]
    pub fn new(plan: BitplanePlan, memory: u64) -> Self {
        let peaks =
            SLICE_COUNTS.map(|slices| (plan.out_of_core_peak(&plan.partition(slices)), slices));
        let fits = peaks.iter().find(|(peak, _)| *peak <= memory);
        let least = peaks.iter().min();
        let (_, slices) = fits.or(least).expect("counts");
        Self::with_slices(plan, *slices, memory)
    }

    /// Plans with about `slices` slices of the sets of the most followers.
    ///
    /// Frontiers take what is left of `memory` bytes, or their minimum.
    #[must_use]
    pub fn with_slices(plan: BitplanePlan, slices: u64, memory: u64) -> Self {
        let partition = plan.partition(slices);
        let least = plan.out_of_core_peak(&partition);
        let short = least / SHORT_LISTS_PART;
        let left = memory.saturating_sub(least - short);
        let frontiers = left.min(plan.bytes_of_frontiers()).max(short);
        Self { peak: least - short + frontiers, plan, partition, frontier_bytes: frontiers }
    }

    /// Number of positions, exchanged ones counted once; terminal ones are left out.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.plan.positions()
    }

    /// Bytes of memory at the peak.
    #[must_use]
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// Refuses a solve that needs more than the memory allowed.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if `needed` bytes are more than `limits.memory`.
    pub fn check(&self, needed: u64, limits: Limits) -> Result<(), Error> {
        self.plan.check(needed, limits)
    }

    /// Bytes of all tiles.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let planes = self.plan.subproblems.iter();
        planes
            .flat_map(|subproblem| {
                [0, 1]
                    .map(|major| subproblem.canonical_blocks(major) * subproblem.block_bytes as u64)
            })
            .sum()
    }

    /// Bytes for the explicit graph, which takes the place of two buffers and of the frontiers.
    pub(crate) fn explicit_bytes(&self) -> u64 {
        let buffers = self.plan.buffers(&self.partition);
        buffers.captured + buffers.quiet + self.frontier_bytes
    }

    /// Slices asked for, of the sets of the most followers.
    #[must_use]
    pub fn slices(&self) -> u64 {
        self.partition.count
    }
}

impl BitplanePlan {
    fn partition(&self, count: u64) -> Partition {
        Partition::new(&self.tables, self.most_followers(), count)
    }

    /// Bytes at the peak of a solve with this partition and the shortest frontiers; rounded up.
    fn out_of_core_peak(&self, partition: &Partition) -> u64 {
        let threads = rayon::current_num_threads() as u64;
        let scratch =
            bytes_of_scratch(&self.tables, &self.subproblems) + bytes_of_row(&self.subproblems);
        let buffers = self.buffers(partition);
        let blocks_after_moves = self.subproblems.iter().flat_map(|subproblem| {
            [0, 1].map(|mover| 4 * subproblem.block_after_move_len(&self.tables, mover) as u64)
        });
        let others =
            self.bytes_of_move_lists() + blocks_after_moves.max().unwrap_or(0) + threads * scratch;
        let all = buffers.rows + buffers.quiet + buffers.captured + others;
        // The shortest frontiers on top.
        all + all / (SHORT_LISTS_PART - 1) + 1
    }

    /// Bytes of the buffers of a solve with this partition.
    pub(crate) fn buffers(&self, partition: &Partition) -> BufferBytes {
        let mut buffers = BufferBytes { rows: 0, quiet: 0, captured: 0 };
        for (i, subproblem) in self.subproblems.iter().enumerate() {
            for mover in 0..2 {
                buffers.rows = buffers.rows.max(longest_row_slice(partition, subproblem, mover));
                buffers.quiet =
                    buffers.quiet.max(longest_column(&self.tables, partition, subproblem, mover));
                if let Some(fewer) = after_capture(&self.subproblems, i, mover) {
                    let fewer = &self.subproblems[fewer];
                    let whole = Plane::bytes_for(fewer, fewer.canonical_blocks(mover));
                    buffers.captured = buffers.captured.max(whole);
                }
            }
        }
        // Incremental passes keep rows in all three.
        buffers.quiet = buffers.quiet.max(buffers.rows);
        buffers.captured = buffers.captured.max(buffers.rows);
        buffers
    }
}

/// Bytes of the longest slice of rows in the plane of a mover.
fn longest_row_slice(partition: &Partition, subproblem: &Subproblem, mover: usize) -> u64 {
    let slices = partition.slices(subproblem, 1 - mover);
    let mut rows = vec![0; slices.len()];
    for &set in &subproblem.canonical_rows[1 - mover].sets {
        rows[slices.slice_of(set)] += 1;
    }
    Plane::bytes_for(
        subproblem,
        rows.into_iter().max().unwrap_or(0) * subproblem.blocks_per_row(mover) as u64,
    )
}

/// Bytes of the longest slice of blocks that quiet moves of a mover lead to, rounded up.
///
/// In a row that is its own mirror image a block may lack an image: such rows count twice.
fn longest_column(
    tables: &BoardTables,
    partition: &Partition,
    subproblem: &Subproblem,
    mover: usize,
) -> u64 {
    let slices = partition.slices(subproblem, 1 - mover);
    let sets = (0..slices.len()).map(|slice| slices.set_count(slice));
    let sets = sets.max().unwrap_or(0);
    let rows = subproblem.canonical_rows[mover].sets.iter();
    let own_images = rows.clone().filter(|&&set| tables.orbit_size(set) == 1).count() as u64;
    let all = sets * subproblem.blocks_per_row(mover) as u64;
    let blocks = match tables.mirror {
        Some(_) => (all + own_images * sets.min(subproblem.blocks_per_row(1 - mover) as u64)) / 2,
        None => all,
    };
    Plane::bytes_for(subproblem, blocks)
}
