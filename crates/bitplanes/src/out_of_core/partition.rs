//! Sets of followers cut into slices, so that a plane comes in tiles.
//!
//! The followers on the higher squares of the board are a set's *pattern*. Sets with the same pattern follow each other
//! in every row of a plane, so a slice is some patterns, with each its image. A *tile* has of the rows of one slice of
//! the major side's sets the blocks of one slice of the other's: row by row, in each pattern by pattern. Rows that are in the same
//! slice when the board is turned follow each other.

use hindsight_combinatorics::subset_count;

use crate::space::board_tables::BoardTables;
use crate::space::sets::squares;
use crate::space::subproblem::Subproblem;

/// Squares of the longest patterns.
const MAX_PATTERN_SQUARES: u32 = 16;

/// The sets of so many followers, cut.
pub(crate) struct SetSlices {
    followers: u32,
    /// Squares below those of a pattern.
    low_squares: u32,
    /// The patterns of each slice, ascending.
    patterns: Vec<Vec<u32>>,
    /// The slice of each pattern.
    slice_of_pattern: Vec<u16>,
}

/// Patterns that are in one slice: one, or one and its image.
struct PatternClass {
    patterns: Vec<u32>,
    sets: u64,
}

impl SetSlices {
    /// About so many slices, equally long if patterns allow it.
    pub(crate) fn new(tables: &BoardTables, followers: u32, count: u64) -> Self {
        let squares = tables.squares as u32;
        let most = subset_count(squares, followers).div_ceil(count.max(1));
        // A pattern whose image is a pattern has whole rows of the board.
        let step = tables.mirror.as_ref().map_or(1, |mirror| mirror.width());
        let lengths = (0..=MAX_PATTERN_SQUARES.min(squares)).step_by(step as usize);
        let mut cuts = lengths.map(|high| {
            (
                squares - high,
                pattern_classes(tables, followers, squares - high),
            )
        });
        let (mut low, mut of_low) = cuts.next().expect("no squares");
        // With the longest patterns if none are long enough.
        while of_low.iter().any(|class| class.sets > most) {
            match cuts.next() {
                Some(next) => (low, of_low) = next,
                None => break,
            }
        }
        Self::packed(followers, (squares, low), most, of_low)
    }

    /// Puts classes together, the longest first, each into the first slice with room for it.
    fn packed(
        followers: u32,
        (squares, low): (u32, u32),
        most: u64,
        mut classes: Vec<PatternClass>,
    ) -> Self {
        classes.sort_by_key(|class| (u64::MAX - class.sets, class.patterns[0]));
        let mut slices: Vec<(u64, Vec<u32>)> = Vec::new();
        for class in classes {
            let room = slices
                .iter_mut()
                .find(|(sets, _)| sets + class.sets <= most);
            match room {
                Some((sets, patterns)) => {
                    *sets += class.sets;
                    patterns.extend(class.patterns);
                }
                None => slices.push((class.sets, class.patterns)),
            }
        }
        let mut of = vec![0; 1 << (squares - low)];
        let mut patterns: Vec<Vec<u32>> = slices.into_iter().map(|(_, all)| all).collect();
        for (slice, patterns) in (0..).zip(&mut patterns) {
            patterns.sort_unstable();
            for &pattern in &*patterns {
                of[pattern as usize] = slice;
            }
        }
        Self {
            followers,
            low_squares: low,
            patterns,
            slice_of_pattern: of,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.patterns.len()
    }

    /// Squares below those of a pattern.
    pub(crate) fn low_squares(&self) -> u32 {
        self.low_squares
    }

    /// Patterns there are, with or without sets.
    pub(crate) fn pattern_count(&self) -> usize {
        self.slice_of_pattern.len()
    }

    /// The first set of a pattern beside one of the other side's, if there is one.
    pub(crate) fn first_set(&self, pattern: u32, other: u32) -> u32 {
        let below = ((1_u64 << self.low_squares) - 1) as u32;
        let rest = self.followers.saturating_sub(pattern.count_ones());
        let lowest = squares(!other & below).take(rest as usize);
        let high = (u64::from(pattern) << self.low_squares) as u32;
        lowest.fold(high, |set, square| set | 1 << square)
    }

    /// The patterns of a slice, ascending.
    pub(crate) fn patterns(&self, slice: usize) -> &[u32] {
        &self.patterns[slice]
    }

    /// The slice of a set.
    pub(crate) fn slice_of(&self, set: u32) -> usize {
        usize::from(self.slice_of_pattern[(u64::from(set) >> self.low_squares) as usize])
    }

    /// How many sets a slice has.
    pub(crate) fn set_count(&self, slice: usize) -> u64 {
        let patterns = self.patterns[slice].iter();
        patterns.map(|&pattern| self.sets_beside(pattern, 0)).sum()
    }

    /// How many sets of a pattern there are beside one of the other side's.
    pub(crate) fn sets_beside(&self, pattern: u32, other: u32) -> u64 {
        let below = (1_u64 << self.low_squares) - 1;
        let other = u64::from(other);
        if u64::from(pattern) & other >> self.low_squares != 0 {
            return 0;
        }
        let rest = self.followers - pattern.count_ones();
        subset_count(self.low_squares - (other & below).count_ones(), rest)
    }
}

/// The patterns above so many squares that sets of followers have.
fn pattern_classes(tables: &BoardTables, followers: u32, low: u32) -> Vec<PatternClass> {
    let high = tables.squares as u32 - low;
    let class = |pattern: u32| {
        let image = match u64::from(pattern) << low {
            0 => 0,
            set => (u64::from(tables.mirror_set(set as u32)) >> low) as u32,
        };
        let rest = followers.checked_sub(pattern.count_ones())?;
        let sets = subset_count(low, rest);
        let patterns = match pattern == image {
            true => vec![pattern],
            false => vec![pattern, image],
        };
        let sets = sets * patterns.len() as u64;
        (pattern <= image && sets > 0).then_some(PatternClass { patterns, sets })
    };
    (0..1_u64 << high)
        .filter_map(|pattern| class(pattern as u32))
        .collect()
}

/// How the planes of all problems are cut.
pub(crate) struct Partition {
    /// By followers.
    slices: Vec<SetSlices>,
    /// What they were made for.
    pub(crate) count: u64,
    squares: usize,
}

/// Which part of a plane: slices of the major side's sets and of the other's.
pub(crate) type TileIndex = (usize, usize);

impl Partition {
    /// So many slices of the sets of most followers, in proportion fewer of the others.
    pub(crate) fn new(tables: &BoardTables, most_followers: u32, count: u64) -> Self {
        let sets = |n| subset_count(tables.squares as u32, n);
        let most = (0..=most_followers).map(sets).max().unwrap_or(1);
        let slices = |n| SetSlices::new(tables, n, sets(n).saturating_mul(count).div_ceil(most));
        Self {
            slices: (0..=most_followers).map(slices).collect(),
            count,
            squares: tables.squares,
        }
    }

    /// Those of a side's sets in a problem.
    pub(crate) fn slices(&self, subproblem: &Subproblem, side: usize) -> &SetSlices {
        &self.slices[subproblem.followers[side] as usize]
    }

    /// Calls with each row and pattern of a part of a plane, and its number of blocks, as they lie in the tile.
    pub(crate) fn for_each_run(
        &self,
        (subproblem, major): (&Subproblem, usize),
        (row, column): TileIndex,
        each: &mut dyn FnMut(usize, u32, u64),
    ) {
        let columns = self.slices(subproblem, 1 - major);
        for n in self.rows((subproblem, major), row) {
            let set = subproblem.canonical_rows[major].sets[n];
            for &pattern in columns.patterns(column) {
                each(n, pattern, columns.sets_beside(pattern, set));
            }
        }
    }

    /// The rows of a slice, as they lie in its tiles.
    pub(crate) fn rows(&self, (subproblem, major): (&Subproblem, usize), row: usize) -> Vec<usize> {
        let slices = self.slices(subproblem, major);
        let sets = subproblem.canonical_rows[major].sets.iter().enumerate();
        let rows = sets.filter(|&(_, &set)| slices.slice_of(set) == row);
        let turned = |set: u32| slices.slice_of(set.reverse_bits() >> (32 - self.squares));
        let mut rows: Vec<(usize, usize)> = rows.map(|(n, &set)| (turned(set), n)).collect();
        rows.sort_unstable();
        rows.into_iter().map(|(_, n)| n).collect()
    }

    /// Bytes of a tile.
    pub(crate) fn tile_bytes(&self, plane: (&Subproblem, usize), part: TileIndex) -> u64 {
        let mut blocks = 0;
        self.for_each_run(plane, part, &mut |_, _, more| blocks += more);
        blocks * plane.0.block_bytes as u64
    }
}
