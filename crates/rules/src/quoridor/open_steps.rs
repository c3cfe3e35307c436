/// Steps that the edge and the fences leave open to a pawn.
#[derive(Clone, Copy, Debug)]
pub(super) struct OpenSteps {
    /// Squares with an open step up.
    pub(super) north: u128,
    /// Squares with an open step to the right.
    pub(super) east: u128,
    /// Squares in a row.
    pub(super) width: u8,
}

impl OpenSteps {
    /// Squares one open step from any square of a set.
    #[inline]
    pub(super) fn neighbours(self, squares: u128) -> u128 {
        let rows = (squares & self.north) << self.width | squares >> self.width & self.north;
        let files = (squares & self.east) << 1 | squares >> 1 & self.east;
        rows | files
    }

    /// Squares connected to a set of squares, the set included.
    #[inline]
    pub(super) fn reachable(self, squares: u128) -> u128 {
        let mut seen = squares;
        loop {
            let more = seen | self.neighbours(seen);
            if more == seen {
                return seen;
            }
            seen = more;
        }
    }

    /// Number of steps from one set of squares to the other; `None` without a path.
    #[inline]
    pub(super) fn distance(self, from: u128, to: u128) -> Option<u32> {
        let (mut seen, mut steps) = (from, 0);
        while seen & to == 0 {
            let more = seen | self.neighbours(seen);
            if more == seen {
                return None;
            }
            (seen, steps) = (more, steps + 1);
        }
        Some(steps)
    }

    /// Returns true if there is a path from one set of squares to the other.
    #[inline]
    pub(super) fn connects(self, from: u128, to: u128) -> bool {
        self.distance(from, to).is_some()
    }

    /// The open steps after a horizontal fence is added; `corner` is the square south-west of its
    /// anchor.
    #[inline]
    pub(super) fn with_horizontal(self, corner: u8) -> Self {
        Self { north: self.north & !(0b11 << corner), ..self }
    }

    /// The open steps after a vertical fence is added; `corner` is the square south-west of its
    /// anchor.
    #[inline]
    pub(super) fn with_vertical(self, corner: u8) -> Self {
        Self { east: self.east & !((1 | 1 << self.width) << corner), ..self }
    }
}
