use hindsight_run::{Error, Limits};

use crate::out_of_core::partition::Partition;
use crate::pass::sweep::{bytes_of_row, bytes_of_scratch};
use crate::plane::plane::Plane;
use crate::space::board_tables::BoardTables;
use crate::space::plan::BitplanePlan;
use crate::space::subproblem::{Subproblem, after_capture};

/// Slices that are tried, of the sets of the most followers.
const SLICE_COUNTS: [u64; 12] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];

/// The part of a solve that the shortest lists take.
const SHORT_LISTS_PART: u64 = 16;

/// What a solve by slices takes, known before it starts.
pub struct OutOfCorePlan {
    pub(crate) plan: BitplanePlan,
    pub(crate) partition: Partition,
    pub(crate) peak: u64,
    /// Bytes of lists, which are a part of this.
    pub(crate) frontier_bytes: u64,
}

/// Bytes of the largest planes, or parts of them, that are in memory at a time.
#[derive(Clone, Copy)]
pub(crate) struct BufferBytes {
    /// The slice that a pass goes over.
    pub(crate) rows: u64,
    /// What it looks at.
    pub(crate) quiet: u64,
    /// What captures lead to.
    pub(crate) captured: u64,
}

impl OutOfCorePlan {
    /// With as few slices as fit in so many bytes of memory; those that take least if none do.
    #[must_use]
    pub fn new(plan: BitplanePlan, memory: u64) -> Self {
        let peaks =
            SLICE_COUNTS.map(|slices| (plan.out_of_core_peak(&plan.partition(slices)), slices));
        let fits = peaks.iter().find(|(peak, _)| *peak <= memory);
        let least = peaks.iter().min();
        let (_, slices) = fits.or(least).expect("counts");
        Self::with_slices(plan, *slices, memory)
    }

    /// With about so many slices of the sets of most followers. Lists of what passes find are as long as there is room for in so
    /// many bytes, or short.
    #[must_use]
    pub fn with_slices(plan: BitplanePlan, slices: u64, memory: u64) -> Self {
        let cut = plan.partition(slices);
        let least = plan.out_of_core_peak(&cut);
        let short = least / SHORT_LISTS_PART;
        let room = memory.saturating_sub(least - short);
        let lists = room.min(plan.bytes_of_frontiers()).max(short);
        Self {
            peak: least - short + lists,
            plan,
            partition: cut,
            frontier_bytes: lists,
        }
    }

    /// Positions from the mover's view, none of them over.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.plan.positions()
    }

    /// Bytes of memory at the peak.
    #[must_use]
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// Refuses a solve that takes so many bytes.
    ///
    /// # Errors
    /// [`Error::TooLarge`] if fewer are allowed.
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

    /// Bytes for what is undecided and where it leads: those of planes that passes over it do without, and of lists.
    pub(crate) fn explicit_bytes(&self) -> u64 {
        let room = self.plan.buffers(&self.partition);
        room.captured + room.quiet + self.frontier_bytes
    }

    /// About how many slices there are of the sets of most followers.
    #[must_use]
    pub fn slices(&self) -> u64 {
        self.partition.count
    }
}

impl BitplanePlan {
    fn partition(&self, count: u64) -> Partition {
        Partition::new(&self.tables, self.most_followers(), count)
    }

    /// Bytes of a solve by these slices, a little too many.
    fn out_of_core_peak(&self, cut: &Partition) -> u64 {
        let threads = rayon::current_num_threads() as u64;
        let scratch = bytes_of_scratch(&self.tables, &self.subproblems);
        let scratch = scratch + bytes_of_row(&self.subproblems);
        let BufferBytes {
            rows,
            quiet: inside,
            captured,
        } = self.buffers(cut);
        let moved = self.subproblems.iter().flat_map(|subproblem| {
            [0, 1].map(|mover| 4 * subproblem.block_after_move_len(&self.tables, mover) as u64)
        });
        let others = self.bytes_of_move_lists() + moved.max().unwrap_or(0) + threads * scratch;
        let all = rows + inside + captured + others;
        // With short lists, which are a part of it.
        all + all / (SHORT_LISTS_PART - 1) + 1
    }

    pub(crate) fn buffers(&self, cut: &Partition) -> BufferBytes {
        // Late passes have rows where others have what they look at.
        let mut room = BufferBytes {
            rows: 0,
            quiet: 0,
            captured: 0,
        };
        for (i, subproblem) in self.subproblems.iter().enumerate() {
            for mover in 0..2 {
                room.rows = room.rows.max(longest_row_slice(cut, subproblem, mover));
                room.quiet = room
                    .quiet
                    .max(longest_column(&self.tables, cut, subproblem, mover));
                if let Some(fewer) = after_capture(&self.subproblems, i, mover) {
                    let fewer = &self.subproblems[fewer];
                    let whole = Plane::bytes_for(fewer, fewer.canonical_blocks(mover));
                    room.captured = room.captured.max(whole);
                }
            }
        }
        room.quiet = room.quiet.max(room.rows);
        room.captured = room.captured.max(room.rows);
        room
    }
}

/// Bytes of the longest slice of rows that a pass with a side to move goes over.
pub(crate) fn longest_row_slice(cut: &Partition, subproblem: &Subproblem, mover: usize) -> u64 {
    let slices = cut.slices(subproblem, 1 - mover);
    let mut rows = vec![0; slices.len()];
    for &set in &subproblem.canonical_rows[1 - mover].sets {
        rows[slices.slice_of(set)] += 1;
    }
    Plane::bytes_for(
        subproblem,
        rows.into_iter().max().unwrap_or(0) * subproblem.blocks_per_row(mover) as u64,
    )
}

/// Bytes of the longest slice of blocks that it looks at, a little too many: in rows that are their own images a block may not
/// have an image.
fn longest_column(
    tables: &BoardTables,
    cut: &Partition,
    subproblem: &Subproblem,
    mover: usize,
) -> u64 {
    let slices = cut.slices(subproblem, 1 - mover);
    let sets = (0..slices.len()).map(|slice| slices.set_count(slice));
    let sets = sets.max().unwrap_or(0);
    let kept = subproblem.canonical_rows[mover].sets.iter();
    let own = kept
        .clone()
        .filter(|&&set| tables.orbit_size(set) == 1)
        .count() as u64;
    let all = sets * subproblem.blocks_per_row(mover) as u64;
    let blocks = match tables.mirror {
        Some(_) => (all + own * sets.min(subproblem.blocks_per_row(1 - mover) as u64)) / 2,
        None => all,
    };
    Plane::bytes_for(subproblem, blocks)
}
