use hindsight_run::{Error, Limits};

use crate::out_of_core::partition::Cut;
use crate::pass::sweep::{bytes_of_row, bytes_of_scratch};
use crate::plane::plane::Plane;
use crate::space::board_tables::Frame;
use crate::space::plan::Plan;
use crate::space::subproblem::{Problem, captured};

/// Slices that are tried, of the sets of the most followers.
const COUNTS: [u64; 12] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];

/// The part of a solve that the shortest lists take.
const SHORT: u64 = 16;

/// What a solve by slices takes, known before it starts.
pub struct SlicedPlan {
    pub(crate) plan: Plan,
    pub(crate) cut: Cut,
    pub(crate) peak: u64,
    /// Bytes of lists, which are a part of this.
    pub(crate) lists: u64,
}

/// Bytes of the largest planes, or parts of them, that are in memory at a time.
#[derive(Clone, Copy)]
pub(crate) struct Room {
    /// The slice that a pass goes over.
    pub(crate) rows: u64,
    /// What it looks at.
    pub(crate) inside: u64,
    /// What captures lead to.
    pub(crate) captured: u64,
}

impl SlicedPlan {
    /// With as few slices as fit in so many bytes of memory; those that take least if none do.
    #[must_use]
    pub fn new(plan: Plan, memory: u64) -> Self {
        let peaks = COUNTS.map(|slices| (plan.sliced_peak(&plan.cut(slices)), slices));
        let fits = peaks.iter().find(|(peak, _)| *peak <= memory);
        let least = peaks.iter().min();
        let (_, slices) = fits.or(least).expect("counts");
        Self::with_slices(plan, *slices, memory)
    }

    /// With about so many slices of the sets of most followers. Lists of what passes find are as long as there is room for in so
    /// many bytes, or short.
    #[must_use]
    pub fn with_slices(plan: Plan, slices: u64, memory: u64) -> Self {
        let cut = plan.cut(slices);
        let least = plan.sliced_peak(&cut);
        let short = least / SHORT;
        let room = memory.saturating_sub(least - short);
        let lists = room.min(plan.bytes_of_lists()).max(short);
        Self {
            peak: least - short + lists,
            plan,
            cut,
            lists,
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
        let planes = self.plan.problems.iter();
        planes
            .flat_map(|problem| {
                [0, 1].map(|major| problem.kept_blocks(major) * problem.stride as u64)
            })
            .sum()
    }

    /// Bytes for what is undecided and where it leads: those of planes that passes over it do without, and of lists.
    pub(crate) fn room_of_rest(&self) -> u64 {
        let room = self.plan.room(&self.cut);
        room.captured + room.inside + self.lists
    }

    /// About how many slices there are of the sets of most followers.
    #[must_use]
    pub fn slices(&self) -> u64 {
        self.cut.count
    }
}

impl Plan {
    fn cut(&self, count: u64) -> Cut {
        Cut::new(&self.frame, self.most_followers(), count)
    }

    /// Bytes of a solve by these slices, a little too many.
    fn sliced_peak(&self, cut: &Cut) -> u64 {
        let threads = rayon::current_num_threads() as u64;
        let scratch = bytes_of_scratch(&self.frame, &self.problems);
        let scratch = scratch + bytes_of_row(&self.problems);
        let Room {
            rows,
            inside,
            captured,
        } = self.room(cut);
        let moved = self.problems.iter().flat_map(|problem| {
            [0, 1].map(|mover| 4 * problem.len_of_moved(&self.frame, mover) as u64)
        });
        let others = self.bytes_of_rearranged() + moved.max().unwrap_or(0) + threads * scratch;
        let all = rows + inside + captured + others;
        // With short lists, which are a part of it.
        all + all / (SHORT - 1) + 1
    }

    pub(crate) fn room(&self, cut: &Cut) -> Room {
        // Late passes have rows where others have what they look at.
        let mut room = Room {
            rows: 0,
            inside: 0,
            captured: 0,
        };
        for (i, problem) in self.problems.iter().enumerate() {
            for mover in 0..2 {
                room.rows = room.rows.max(rows(cut, problem, mover));
                room.inside = room.inside.max(columns(&self.frame, cut, problem, mover));
                if let Some(fewer) = captured(&self.problems, i, mover) {
                    let fewer = &self.problems[fewer];
                    let whole = Plane::bytes_of(fewer, fewer.kept_blocks(mover));
                    room.captured = room.captured.max(whole);
                }
            }
        }
        room.inside = room.inside.max(room.rows);
        room.captured = room.captured.max(room.rows);
        room
    }
}

/// Bytes of the longest slice of rows that a pass with a side to move goes over.
pub(crate) fn rows(cut: &Cut, problem: &Problem, mover: usize) -> u64 {
    let slices = cut.of(problem, 1 - mover);
    let mut rows = vec![0; slices.len()];
    for &set in &problem.kept[1 - mover].sets {
        rows[slices.of(set)] += 1;
    }
    Plane::bytes_of(
        problem,
        rows.into_iter().max().unwrap_or(0) * problem.row(mover) as u64,
    )
}

/// Bytes of the longest slice of blocks that it looks at, a little too many: in rows that are their own images a block may not
/// have an image.
fn columns(frame: &Frame, cut: &Cut, problem: &Problem, mover: usize) -> u64 {
    let slices = cut.of(problem, 1 - mover);
    let sets = (0..slices.len()).map(|slice| slices.sets(slice));
    let sets = sets.max().unwrap_or(0);
    let kept = problem.kept[mover].sets.iter();
    let own = kept
        .clone()
        .filter(|&&set| frame.stands_for(set) == 1)
        .count() as u64;
    let all = sets * problem.row(mover) as u64;
    let blocks = match frame.mirror {
        Some(_) => (all + own * sets.min(problem.row(1 - mover) as u64)) / 2,
        None => all,
    };
    Plane::bytes_of(problem, blocks)
}
