use super::open_steps::OpenSteps;
use super::position::Fences;

/// A board without pieces, with the masks that the rules need.
#[derive(Clone, Copy, Debug)]
pub(super) struct QuoridorBoard {
    pub(super) width: u8,
    pub(super) height: u8,
    /// Steps up and to the right on the board without fences.
    pub(super) empty_board_steps: OpenSteps,
    /// Goal rows of White and of Black.
    pub(super) goal_rows: [u128; 2],
    /// Set of all anchors.
    anchors: u64,
    /// Anchors of the leftmost column.
    first_column: u64,
    /// Anchors of the rightmost column.
    last_column: u64,
}

impl QuoridorBoard {
    /// Creates a board. `check_board` must accept its size.
    #[inline]
    pub(super) fn new(width: u8, height: u8) -> Self {
        let row = (1_u128 << width) - 1;
        let rows = |rows: u8, part: u128| (0..rows).map(|y| part << (y * width)).sum();
        let first_anchors: u64 = (0..height - 1).map(|y| 1 << (y * (width - 1))).sum();
        Self {
            width,
            height,
            empty_board_steps: OpenSteps {
                north: rows(height - 1, row),
                east: rows(height, row >> 1),
                width,
            },
            goal_rows: [row << ((height - 1) * width), row],
            anchors: u64::MAX >> (64 - (width - 1) * (height - 1)),
            first_column: first_anchors,
            last_column: first_anchors << (width - 2),
        }
    }

    #[inline]
    pub(super) fn squares(&self) -> u8 {
        self.width * self.height
    }

    /// Number of anchors, 1 to 64.
    #[inline]
    pub(super) fn anchors(&self) -> u8 {
        self.anchors.count_ones() as u8
    }

    #[inline]
    pub(super) fn south_west_square(&self, anchor: u8) -> u8 {
        let row = self.width - 1;
        anchor / row * self.width + anchor % row
    }

    /// The squares south-west of a set of anchors.
    #[inline]
    fn south_west_squares(&self, anchors: u64) -> u128 {
        let row = self.width - 1;
        let mut squares = 0;
        for y in 0..self.height - 1 {
            let part = anchors >> (y * row) & ((1 << row) - 1);
            squares |= u128::from(part) << (y * self.width);
        }
        squares
    }

    /// Steps that a set of fences and the edge leave open.
    #[inline]
    pub(super) fn open_steps(&self, fences: Fences) -> OpenSteps {
        let low = self.south_west_squares(fences.horizontal);
        let left = self.south_west_squares(fences.vertical);
        OpenSteps {
            north: self.empty_board_steps.north & !(low | low << 1),
            east: self.empty_board_steps.east & !(left | left << self.width),
            width: self.width,
        }
    }

    /// Fences that neither overlap nor cross any fence of a set.
    #[inline]
    pub(super) fn placeable_fences(&self, fences: Fences) -> Fences {
        let Fences { horizontal, vertical } = fences;
        let free = self.anchors & !(horizontal | vertical);
        let (up, down) = self.up_and_down(vertical);
        let (left, right) = self.left_and_right(horizontal);
        Fences { horizontal: free & !(left | right), vertical: free & !(up | down) }
    }

    /// Returns true if the fences have anchors, and none overlaps or crosses another.
    pub(super) fn are_apart(&self, Fences { horizontal, vertical }: Fences) -> bool {
        let (up, _) = self.up_and_down(vertical);
        let (left, _) = self.left_and_right(horizontal);
        let overlap = horizontal & (vertical | left) | vertical & up;
        (horizontal | vertical) & !self.anchors == 0 && overlap == 0
    }

    /// Fences that touch the edge or a fence of the set at two or more of their three points: the
    /// two ends and the middle. Overlapping and crossing fences are not excluded.
    ///
    /// Only a fence that touches at two points can cut off a square: with one point attached, both
    /// sides stay connected around the free end.
    #[inline]
    pub(super) fn blocking_candidates(&self, fences: Fences) -> Fences {
        let Fences { horizontal, vertical } = fences;
        let (up, down) = self.up_and_down(vertical);
        let (left, right) = self.left_and_right(horizontal);
        let touched = horizontal | vertical | up | down | left | right;
        let touches_at_both = |a: u64, b: u64| a & b | touched & (a | b);
        let (touched_right, touched_left) = self.left_and_right(touched);
        let (touched_below, touched_above) = self.up_and_down(touched);
        let row = self.width - 1;
        let bottom = (1 << row) - 1;
        let top = bottom << (row * (self.height - 2));
        Fences {
            horizontal: touches_at_both(
                touched_left | self.first_column,
                touched_right | self.last_column,
            ),
            vertical: touches_at_both(touched_above | top, touched_below | bottom),
        }
    }

    /// Horizontal fences that shut off both goal rows; `None` for odd widths, on which fences leave
    /// a gap.
    #[inline]
    pub(super) fn sealing_fences(&self) -> Option<Fences> {
        let row = self.width - 1;
        let bottom: u64 = (0..row).step_by(2).map(|x| 1 << x).sum();
        self.width.is_multiple_of(2).then_some(Fences {
            vertical: 0,
            horizontal: bottom | bottom << (row * (self.height - 2)),
        })
    }

    /// `(up, down)`: a set of anchors shifted by one row.
    #[inline]
    fn up_and_down(&self, anchors: u64) -> (u64, u64) {
        let row = self.width - 1;
        ((anchors << row) & self.anchors, anchors >> row)
    }

    /// `(left, right)`: a set of anchors shifted by one column.
    #[inline]
    fn left_and_right(&self, anchors: u64) -> (u64, u64) {
        ((anchors & !self.first_column) >> 1, (anchors & !self.last_column) << 1)
    }

    /// Images of fences and hands under the four symmetries: identity, mirror, exchange of the
    /// players, both.
    #[inline]
    pub(super) fn symmetric_images(
        &self,
        fences: Fences,
        hands: [u8; 2],
    ) -> [(Fences, [u8; 2]); 4] {
        let mirrored = self.mirrored(fences);
        let swapped = [hands[1], hands[0]];
        [
            (fences, hands),
            (mirrored, hands),
            (self.half_turn(fences), swapped),
            (self.half_turn(mirrored), swapped),
        ]
    }

    /// The fences after a half turn of the board.
    #[inline]
    pub(super) fn half_turn(&self, fences: Fences) -> Fences {
        let turn = |anchors: u64| anchors.reverse_bits() >> (64 - self.anchors());
        Fences { horizontal: turn(fences.horizontal), vertical: turn(fences.vertical) }
    }

    /// The mirror image of the fences, left and right exchanged.
    #[inline]
    pub(super) fn mirrored(&self, fences: Fences) -> Fences {
        let last = self.width - 2;
        let mut mirrored = Fences::default();
        for x in 0..=last {
            let mirror = |anchors: u64| (anchors >> x & self.first_column) << (last - x);
            mirrored.horizontal |= mirror(fences.horizontal);
            mirrored.vertical |= mirror(fences.vertical);
        }
        mirrored
    }

    /// The mirror image of a square, left and right exchanged.
    #[inline]
    pub(super) fn mirrored_square(&self, square: u8) -> u8 {
        let column = square % self.width;
        square - column + (self.width - 1 - column)
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec;

    use hindsight_core::combinatorics::SetBits;

    use super::{Fences, QuoridorBoard};

    #[test]
    fn no_fence_but_a_touching_one_cuts_off_a_square() {
        for (width, height) in [(2, 2), (2, 5), (3, 2), (3, 3), (4, 2), (4, 3)] {
            let board = QuoridorBoard::new(width, height);
            let all = (1_u128 << board.squares()) - 1;
            let mut todo = vec![Fences::default()];
            while let Some(fences) = todo.pop() {
                let before = components(&board, fences, all);
                let (placeable, touching) =
                    (board.placeable_fences(fences), board.blocking_candidates(fences));
                for anchor in 0..board.anchors() {
                    let bit = 1_u64 << anchor;
                    for (vertical, horizontal) in [(0, bit), (bit, 0)] {
                        if (placeable.vertical & vertical) | (placeable.horizontal & horizontal)
                            == 0
                        {
                            continue;
                        }
                        let more = Fences {
                            vertical: fences.vertical | vertical,
                            horizontal: fences.horizontal | horizontal,
                        };
                        let touches =
                            (touching.vertical & vertical) | (touching.horizontal & horizontal);
                        assert!(touches != 0 || components(&board, more, all) == before);
                        if more > fences {
                            todo.push(more);
                        }
                    }
                }
            }
        }
    }

    fn components(board: &QuoridorBoard, fences: Fences, all: u128) -> usize {
        let (mut rest, mut components) = (all, 0);
        while rest != 0 {
            rest &= !board.open_steps(fences).reachable(rest & rest.wrapping_neg());
            components += 1;
        }
        components
    }

    #[test]
    fn mirrors_and_turns_are_their_own_inverse() {
        for (width, height) in [(2, 2), (2, 9), (3, 2), (5, 4), (9, 9)] {
            let board = QuoridorBoard::new(width, height);
            for anchor in SetBits(board.anchors) {
                let fences = Fences { vertical: 1 << anchor, horizontal: board.anchors >> anchor };
                assert_eq!(board.half_turn(board.half_turn(fences)), fences);
                assert_eq!(board.mirrored(board.mirrored(fences)), fences);
                assert_ne!(board.half_turn(fences).len(), 0);
            }
        }
    }
}
