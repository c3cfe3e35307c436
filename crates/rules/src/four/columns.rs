//! Columns of discs in one word.

/// Size of a board, and its bits. Column `c` has the bits from `c * (height + 1)`, bottom first.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    pub(super) width: u8,
    pub(super) height: u8,
    /// The lowest bit of each column.
    pub(super) bottom: u64,
    /// The bits of squares: all but the highest of each column.
    pub(super) squares: u64,
    /// Every second square of each column, counted so that the topmost is left out.
    pub(super) alternate: u64,
    /// For each bit, the number of columns between its own and the nearest side.
    centrality: [u8; 64],
    /// For each step of [`Columns::discs`], the bits that take part in it.
    filled: [u64; 5],
}

/// Steps of [`Columns::discs`]: bits below the top that are filled at a time.
const FILL_STEPS: [u32; 5] = [1, 2, 4, 8, 16];
/// Bits 0, 2, 4, ..; shifted by one, bits 1, 3, 5, ..
const ALTERNATE_BITS: u64 = 0x5555_5555_5555_5555;

impl Columns {
    pub(super) fn new(width: u8, height: u8) -> Self {
        assert!(u32::from(width) * (u32::from(height) + 1) <= 64, "the columns fit in a word");
        let column_bits = u32::from(height) + 1;
        let of_columns = |column: u64| {
            let columns = (0..u32::from(width)).map(|number| column << (number * column_bits));
            columns.fold(0, |all, column| all | column)
        };
        let low = |bits: u32| (1_u64 << bits) - 1;
        let mut centrality = [0; 64];
        for (column, bits) in (0..width).zip(centrality.chunks_mut(column_bits as usize)) {
            bits.fill(column.min(width - 1 - column));
        }
        Self {
            width,
            height,
            bottom: of_columns(1),
            squares: of_columns(low(height.into())),
            alternate: of_columns(low(height.into()) & ALTERNATE_BITS >> (height % 2)),
            centrality,
            filled: FILL_STEPS.map(|step| of_columns(low(column_bits.saturating_sub(step)))),
        }
    }

    /// Lowest bit of a column.
    fn shift(&self, column: u8) -> u32 {
        u32::from(column) * (u32::from(self.height) + 1)
    }

    /// Bit of a square, by its column from the left and its row from the bottom.
    pub(super) fn bit(&self, column: u8, row: u8) -> u64 {
        1 << (self.shift(column) + u32::from(row))
    }

    /// Squares with a disc: those below the highest bit of each column.
    #[inline]
    pub(super) fn discs(&self, columns: u64) -> u64 {
        let mut filled = columns;
        for (step, part) in FILL_STEPS.into_iter().zip(self.filled) {
            filled |= filled >> step & part;
        }
        filled >> 1 & self.squares
    }

    /// True if each column has a highest bit, and there are no bits after the last column.
    #[inline]
    pub(super) fn are_columns(&self, columns: u64) -> bool {
        let bits = self.squares | self.squares << 1;
        let has_bit = |column| columns >> self.shift(column) & ((2 << self.height) - 1) != 0;
        columns & !bits == 0 && (0..self.width).all(has_bit)
    }

    /// True if a column is not full.
    #[inline]
    pub(super) fn is_open(&self, columns: u64, column: u8) -> bool {
        columns >> (self.shift(column) + u32::from(self.height)) & 1 == 0
    }

    /// Columns after a disc of a player falls into one that is not full.
    #[inline]
    pub(super) fn dropped(&self, columns: u64, column: u8, player: usize) -> u64 {
        let shift = self.shift(column);
        let bits = (2 << self.height) - 1;
        let top = 1 << ((columns >> shift & bits).ilog2() + shift);
        // The highest bit moves up by one, and stays too for a disc of the second player.
        columns + top + top * player as u64
    }

    /// Number of columns between that of a bit and the nearest side.
    #[inline]
    pub(super) fn centrality(&self, bit: u64) -> u32 {
        u32::from(self.centrality[bit.trailing_zeros() as usize])
    }

    /// Columns in the opposite order.
    #[inline]
    pub(super) fn mirrored(&self, columns: u64) -> u64 {
        let bits = (2 << self.height) - 1;
        let mirrored = |out: u64, column| {
            let last = self.width - 1 - column;
            out | (columns >> self.shift(column) & bits) << self.shift(last)
        };
        (0..self.width).fold(0, mirrored)
    }

    /// True if `length` of the discs lie in a line.
    #[inline]
    pub(super) fn has_line(&self, discs: u64, length: u8) -> bool {
        let height = u32::from(self.height);
        [1, height, height + 1, height + 2].into_iter().any(|step| {
            let (mut found, mut found_length) = (discs, 1);
            while found_length < length {
                let more = found_length.min(length - found_length);
                found &= found.unbounded_shr(u32::from(more) * step);
                found_length += more;
            }
            found != 0
        })
    }

    /// Bits of which each would complete a line of `length` with some of the discs. Bits that are
    /// no empty squares may be among them.
    #[inline]
    pub(super) fn completing(&self, discs: u64, length: u8) -> u64 {
        match length {
            // The compiler unrolls the usual length.
            4 => self.completing_any(discs, 4),
            length => self.completing_any(discs, length),
        }
    }

    #[inline(always)]
    fn completing_any(&self, discs: u64, length: u8) -> u64 {
        let height = u32::from(self.height);
        let steps = [height, height + 1, height + 2].into_iter();
        let across = steps.map(|step| completing_by(discs, length, step));
        let upright = (1..u32::from(length)).fold(!0, |run, i| run & discs.unbounded_shl(i));
        across.fold(upright, |all, found| all | found)
    }
}

/// Longest line of any board.
const MAX_LENGTH: usize = 32;

/// Bits of which each would complete a line in one direction, whose squares are `step` bits apart.
#[inline(always)]
fn completing_by(discs: u64, length: u8, step: u32) -> u64 {
    let length = usize::from(length);
    // Runs of `i` discs that begin behind a bit.
    let mut ahead = [!0; MAX_LENGTH];
    for i in 1..length {
        ahead[i] = ahead[i - 1] & discs.unbounded_shr(i as u32 * step);
    }
    let (mut behind, mut found) = (!0, ahead[length - 1]);
    for i in 1..length {
        behind &= discs.unbounded_shl(i as u32 * step);
        found |= behind & ahead[length - 1 - i];
    }
    found
}
