//! A solve whose planes do not fit in memory: they are elsewhere, in tiles (`slices.rs`).
//!
//! A pass over a plane goes slice by slice of its rows. What a row leads to has the same followers of the side that does not
//! move, so of the other side's plane one slice of columns is needed, and of the one that captures lead to all. Each pass thus reads
//! and writes a plane once, and reads those it looks at once. Once little is new, passes follow that (`late.rs`); once little is
//! undecided, it is listed in memory with what it leads to (`rest.rs`).

mod late;
mod leads;
mod left;
mod lists;
mod rest;
mod run;
mod store;
mod watch;

use hindsight_core::{Placement, TwoSided, Value};

use super::plane::Plane;
use super::rows::captured;
use super::shape::{Frame, Problem};
use super::slices::Cut;
use super::{Instructions, Plan, Stage, pass};
use crate::tiered::Outcome;
use crate::{Error, Limits, Monitor, StoreError};

/// Slices that are tried, of the sets of the most followers.
const COUNTS: [u64; 12] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64];

/// Where the tiles are of a solve that does not fit in memory, and how far it has come.
pub trait Tiles: Sync {
    /// Takes the bytes of tiles.
    ///
    /// # Errors
    /// When they cannot be kept.
    fn put(&mut self, tiles: Vec<Given<'_>>) -> Result<(), StoreError>;

    /// Fills pieces of tiles.
    ///
    /// # Errors
    /// When they cannot be read back.
    fn get(&mut self, tiles: Vec<Wanted<'_>>) -> Result<(), StoreError>;

    /// Forgets a tile, if it is there.
    ///
    /// # Errors
    /// When it cannot be removed.
    fn remove(&mut self, tile: Tile) -> Result<(), StoreError>;

    /// Keeps how far the solve has come. Whenever it is killed, this is what it goes on from.
    ///
    /// # Errors
    /// When it cannot be kept.
    fn put_stage(&mut self, stage: &SlicedStage) -> Result<(), StoreError>;

    /// What was kept last.
    ///
    /// # Errors
    /// When it cannot be read back.
    fn stage(&mut self) -> Result<Option<SlicedStage>, StoreError>;
}

/// A part of a plane.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Tile {
    /// The plane, in the order in which passes go over them.
    pub plane: u32,
    /// Which slice of its rows, and which of the blocks in these.
    pub part: [u16; 2],
    /// Whether it is the second of two copies: a new one is kept beside the old one until the stage says so.
    pub second: bool,
}

/// What a tile has.
#[derive(Debug)]
pub struct Given<'a> {
    /// The tile.
    pub tile: Tile,
    /// Bytes of a block. Blocks that follow each other are alike.
    pub stride: usize,
    /// Its bytes.
    pub bytes: &'a [u8],
}

/// What is wanted of a tile.
#[derive(Debug)]
pub struct Wanted<'a> {
    /// The tile.
    pub tile: Tile,
    /// Bytes of a block.
    pub stride: usize,
    /// Its bytes.
    pub bytes: u64,
    /// Where pieces of it begin, ascending, and what is to be filled with each.
    pub pieces: Vec<(u64, &'a mut [u8])>,
}

/// How far a solve by slices has come.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SlicedStage {
    /// Slices that were asked for.
    pub slices: u64,
    /// Passes; its planes are slices of planes.
    pub stage: Stage,
    /// For each slice of each plane, then of what passes with side 0 to move found, the last pass that wrote it, twice, and one for its
    /// second copy; 0 if there is none.
    pub written: Vec<u32>,
    /// Once passes are late one more than the slices of planes that have what is undecided; 0 before.
    pub turned: u64,
    /// The start and what else is watched: the pass that decided it, or 0.
    pub watched: Vec<u16>,
}

/// The part of a solve that the shortest lists take.
const SHORT: u64 = 16;

/// How to solve by slices.
pub struct SlicedTerms<'a> {
    /// The processor's.
    pub instructions: Instructions,
    /// Memory and time.
    pub limits: Limits,
    /// Is told how far it has come.
    pub monitor: &'a mut dyn Monitor,
    /// Has the planes.
    pub tiles: &'a mut dyn Tiles,
}

/// What a solve by slices takes, known before it starts.
pub struct SlicedPlan {
    plan: Plan,
    cut: Cut,
    peak: u64,
    /// Bytes of lists, which are a part of this.
    lists: u64,
}

/// Bytes of the largest planes, or parts of them, that are in memory at a time.
#[derive(Clone, Copy)]
struct Room {
    /// The slice that a pass goes over.
    rows: u64,
    /// What it looks at.
    inside: u64,
    /// What captures lead to.
    captured: u64,
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
    fn room_of_rest(&self) -> u64 {
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
        let scratch = pass::bytes_of_scratch(&self.frame, &self.problems);
        let scratch = scratch + pass::bytes_of_row(&self.problems);
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

    fn room(&self, cut: &Cut) -> Room {
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
fn rows(cut: &Cut, problem: &Problem, mover: usize) -> u64 {
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

/// Solves every position, and tells when some of them were decided, in their order; `None` for draws.
///
/// # Errors
/// Before anything is allocated, [`Error::TooLarge`] if the plan needs more memory than is allowed; then
/// what monitor, clock and tiles say.
pub fn solve_by_slices<G: TwoSided>(
    game: &G,
    plan: SlicedPlan,
    terms: SlicedTerms<'_>,
    watched: impl Iterator<Item = Placement>,
) -> Result<(Outcome, Vec<Option<Value>>), Error> {
    plan.check(plan.peak, terms.limits)?;
    run::run(game, plan, terms, watched)
}
