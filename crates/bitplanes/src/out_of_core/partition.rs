//! Partition of planes into tiles.
//!
//! A *pattern* is the part of a follower set on the higher squares of the board. In every row of a
//! plane the sets with one pattern follow each other, so a *slice* of follower sets is a union of
//! patterns, each with its mirror image. A *tile* is the intersection of one slice of rows (major
//! side) and one slice of blocks (minor side). It is stored row by row, patterns ascending inside a
//! row. Rows whose half-turns lie in the same slice are neighbours.

use hindsight_core::combinatorics::subset_count;

use crate::space::board_tables::BoardTables;
use crate::space::sets::squares;
use crate::space::subproblem::{PlaneShape, Subproblem};

const MAX_PATTERN_SQUARES: u32 = 16;

/// Follower sets of one size, cut into slices.
pub(crate) struct SetSlices {
    followers: u32,
    /// Squares below those of a pattern.
    low_squares: u32,
    /// Patterns of each slice, ascending.
    patterns: Vec<Vec<u32>>,
    slice_of_pattern: Vec<u16>,
}

/// Patterns that belong to one slice: a pattern alone, or with its mirror image.
struct PatternClass {
    patterns: Vec<u32>,
    /// Number of follower sets with these patterns.
    sets: u64,
}

impl SetSlices {
    /// Cuts the sets of `followers` followers into about `count` slices of similar length.
    ///
    /// Patterns get as long as needed for that, up to [`MAX_PATTERN_SQUARES`].
    pub(crate) fn new(tables: &BoardTables, followers: u32, count: u64) -> Self {
        let squares = tables.squares as u32;
        let max_sets = subset_count(squares, followers).div_ceil(count.max(1));
        // Whole rows of the board: then the mirror image of a pattern is a pattern.
        let step = tables.mirror.as_ref().map_or(1, |mirror| mirror.width());
        let lengths = (0..=MAX_PATTERN_SQUARES.min(squares)).step_by(step as usize);
        let mut cuts = lengths.map(|high| {
            let low = squares - high;
            (low, pattern_classes(tables, followers, low))
        });
        let (mut low, mut classes) = cuts.next().expect("no squares");
        while classes.iter().any(|class| class.sets > max_sets) {
            match cuts.next() {
                Some(next) => (low, classes) = next,
                None => break,
            }
        }
        let patterns = pack_slices(classes, max_sets);
        let mut slice_of_pattern = vec![0; 1 << (squares - low)];
        for (slice, patterns) in (0..).zip(&patterns) {
            for &pattern in patterns {
                slice_of_pattern[pattern as usize] = slice;
            }
        }
        Self { followers, low_squares: low, patterns, slice_of_pattern }
    }

    pub(crate) fn len(&self) -> usize {
        self.patterns.len()
    }

    /// Squares below those of a pattern.
    pub(crate) fn low_squares(&self) -> u32 {
        self.low_squares
    }

    /// Number of patterns, those without sets included.
    pub(crate) fn pattern_count(&self) -> usize {
        self.slice_of_pattern.len()
    }

    /// The lowest set with a pattern that avoids the squares of `other`.
    ///
    /// Meaningless if there is no such set.
    pub(crate) fn first_set(&self, pattern: u32, other: u32) -> u32 {
        let low_mask = ((1_u64 << self.low_squares) - 1) as u32;
        let rest = self.followers.saturating_sub(pattern.count_ones());
        let lowest = squares(!other & low_mask).take(rest as usize);
        let high = (u64::from(pattern) << self.low_squares) as u32;
        lowest.fold(high, |set, square| set | 1 << square)
    }

    /// Patterns of a slice, ascending.
    pub(crate) fn patterns(&self, slice: usize) -> &[u32] {
        &self.patterns[slice]
    }

    pub(crate) fn slice_of(&self, set: u32) -> usize {
        usize::from(self.slice_of_pattern[(u64::from(set) >> self.low_squares) as usize])
    }

    pub(crate) fn set_count(&self, slice: usize) -> u64 {
        let patterns = self.patterns[slice].iter();
        patterns.map(|&pattern| self.sets_beside(pattern, 0)).sum()
    }

    /// Number of sets with a pattern that avoid the squares of `other`.
    pub(crate) fn sets_beside(&self, pattern: u32, other: u32) -> u64 {
        let low_mask = (1_u64 << self.low_squares) - 1;
        let other = u64::from(other);
        if u64::from(pattern) & other >> self.low_squares != 0 {
            return 0;
        }
        let rest = self.followers - pattern.count_ones();
        subset_count(self.low_squares - (other & low_mask).count_ones(), rest)
    }
}

/// Patterns of slices of at most `max_sets` sets: first fit, the longest classes first.
fn pack_slices(mut classes: Vec<PatternClass>, max_sets: u64) -> Vec<Vec<u32>> {
    classes.sort_by_key(|class| (u64::MAX - class.sets, class.patterns[0]));
    let mut slices: Vec<PatternClass> = Vec::new();
    for class in classes {
        let room = slices.iter_mut().find(|slice| slice.sets + class.sets <= max_sets);
        match room {
            Some(slice) => {
                slice.sets += class.sets;
                slice.patterns.extend(class.patterns);
            }
            None => slices.push(class),
        }
    }
    let sorted = |mut slice: PatternClass| {
        slice.patterns.sort_unstable();
        slice.patterns
    };
    slices.into_iter().map(sorted).collect()
}

/// Classes of the patterns above `low` squares that sets of `followers` followers have.
fn pattern_classes(tables: &BoardTables, followers: u32, low: u32) -> Vec<PatternClass> {
    let high = tables.squares as u32 - low;
    let class = |pattern: u32| {
        let image = match u64::from(pattern) << low {
            0 => 0,
            set => (u64::from(tables.mirror_set(set as u32)) >> low) as u32,
        };
        let rest = followers.checked_sub(pattern.count_ones())?;
        let patterns = if pattern == image { vec![pattern] } else { vec![pattern, image] };
        let sets = subset_count(low, rest) * patterns.len() as u64;
        (pattern <= image && sets > 0).then_some(PatternClass { patterns, sets })
    };
    (0..1_u64 << high).filter_map(|pattern| class(pattern as u32)).collect()
}

/// Partition of the planes of all subproblems.
pub(crate) struct Partition {
    /// Slices of follower sets, by number of followers.
    slices: Vec<SetSlices>,
    /// Slices asked for, of the sets of the most followers.
    pub(crate) count: u64,
    squares: usize,
}

/// A tile of a plane.
#[derive(Clone, Copy)]
pub(crate) struct TileIndex {
    /// Slice of rows: of the major side's follower sets.
    pub(crate) row_slice: usize,
    /// Slice of blocks: of the minor side's follower sets.
    pub(crate) column: usize,
}

/// Consecutive blocks of one row in a tile: those with one pattern.
#[derive(Clone, Copy)]
pub(crate) struct BlockRun {
    /// Canonical row.
    pub(crate) row: usize,
    /// Pattern of the minor side's sets.
    pub(crate) pattern: u32,
    /// Number of blocks, perhaps 0.
    pub(crate) blocks: u64,
}

impl Partition {
    /// Cuts the sets of the most followers into about `count` slices, smaller families in
    /// proportion.
    pub(crate) fn new(tables: &BoardTables, most_followers: u32, count: u64) -> Self {
        let sets = |n| subset_count(tables.squares as u32, n);
        let most = (0..=most_followers).map(sets).max().unwrap_or(1);
        let slices = |n| SetSlices::new(tables, n, sets(n).saturating_mul(count).div_ceil(most));
        Self { slices: (0..=most_followers).map(slices).collect(), count, squares: tables.squares }
    }

    /// Slices of a side's follower sets in a subproblem.
    pub(crate) fn slices(&self, subproblem: &Subproblem, side: usize) -> &SetSlices {
        &self.slices[subproblem.followers[side] as usize]
    }

    /// Slices of the rows of a plane.
    pub(crate) fn row_slices(&self, shape: PlaneShape<'_>) -> &SetSlices {
        self.slices(shape.subproblem, shape.major)
    }

    /// Slices of the blocks of a plane's rows.
    pub(crate) fn columns(&self, shape: PlaneShape<'_>) -> &SetSlices {
        self.slices(shape.subproblem, 1 - shape.major)
    }

    /// Calls `act` with each run of blocks of a tile, in the order in which they are stored.
    pub(crate) fn for_each_run(
        &self,
        shape: PlaneShape<'_>,
        tile: TileIndex,
        act: &mut dyn FnMut(BlockRun),
    ) {
        let columns = self.columns(shape);
        for row in self.rows(shape, tile.row_slice) {
            let set = shape.row_sets()[row];
            for &pattern in columns.patterns(tile.column) {
                act(BlockRun { row, pattern, blocks: columns.sets_beside(pattern, set) });
            }
        }
    }

    /// Canonical rows of a slice, in the order in which its tiles store them.
    pub(crate) fn rows(&self, shape: PlaneShape<'_>, row_slice: usize) -> Vec<usize> {
        let slices = self.row_slices(shape);
        let sets = shape.row_sets().iter().enumerate();
        let rows = sets.filter(|&(_, &set)| slices.slice_of(set) == row_slice);
        let half_turn = |set: u32| slices.slice_of(set.reverse_bits() >> (32 - self.squares));
        let mut rows: Vec<(usize, usize)> = rows.map(|(n, &set)| (half_turn(set), n)).collect();
        rows.sort_unstable();
        rows.into_iter().map(|(_, row)| row).collect()
    }

    pub(crate) fn tile_bytes(&self, shape: PlaneShape<'_>, tile: TileIndex) -> u64 {
        let mut blocks = 0;
        self.for_each_run(shape, tile, &mut |run| blocks += run.blocks);
        blocks * shape.subproblem.block_bytes as u64
    }
}
