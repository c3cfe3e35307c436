use alloc::vec::Vec;

use hindsight_core::Game;

use super::board::{opposite, squares};
use super::{BasePosition, OstleMove, UnrestrictedOstle};

impl UnrestrictedOstle {
    /// Appends `(position, move)` for each move that removes nothing and leads exactly to `base`,
    /// from a position that is not over. Appends nothing if `base` is terminal.
    #[inline]
    pub fn predecessors(&self, base: BasePosition, out: &mut Vec<(BasePosition, OstleMove)>) {
        if self.terminal(base).is_some() {
            return;
        }
        let before = with_other_side_to_move(base);
        let empty = self.empty_squares(base);
        for direction in 0..4 {
            let from = self.board().shifted(1 << base.hole, opposite(direction)) & empty;
            if from != 0 {
                let hole = from.trailing_zeros() as u8;
                out.push((BasePosition { hole, ..before }, OstleMove::new(hole, direction)));
            }
            for from in squares(empty) {
                self.undo_pushes(before, OstleMove::new(from, direction), out);
            }
        }
    }

    /// Appends the positions before `mv` moved a line of 1, 2, .. pieces.
    #[inline]
    fn undo_pushes(
        &self,
        before: BasePosition,
        mv: OstleMove,
        out: &mut Vec<(BasePosition, OstleMove)>,
    ) {
        let mut next = self.board().shifted(1 << mv.square(), mv.direction());
        if next & before.own == 0 {
            return;
        }
        let mut line = 0;
        while next & before.pieces() != 0 {
            line |= next;
            next = self.board().shifted(next, mv.direction());
            out.push((self.pull_back(before, line, mv.direction()), mv));
        }
    }

    /// A line of pieces moved one step back.
    #[inline]
    fn pull_back(&self, before: BasePosition, line: u32, direction: u8) -> BasePosition {
        let pull_side =
            |side: u32| side & !line | self.board().shifted(side & line, opposite(direction));
        BasePosition { own: pull_side(before.own), other: pull_side(before.other), ..before }
    }

    /// Appends `(position, move)` for each move that removes a piece and leads exactly to `base`,
    /// from a position that is not over.
    #[inline]
    pub fn predecessors_by_removal(
        &self,
        base: BasePosition,
        out: &mut Vec<(BasePosition, OstleMove)>,
    ) {
        let before = with_other_side_to_move(base);
        for direction in 0..4 {
            for from in squares(self.empty_squares(base)) {
                self.undo_removal(before, OstleMove::new(from, direction), out);
            }
        }
    }

    /// Appends the positions before `mv` pushed a line into the hole or off the board. The line is
    /// one step back, and the fallen piece, of either side, stands at its end.
    #[inline]
    fn undo_removal(
        &self,
        before: BasePosition,
        mv: OstleMove,
        out: &mut Vec<(BasePosition, OstleMove)>,
    ) {
        let mut last = 1 << mv.square();
        let mut line = 0;
        let beyond = loop {
            let next = self.board().shifted(last, mv.direction());
            if next & before.pieces() == 0 {
                break next;
            }
            line |= next;
            last = next;
        };
        if beyond != 0 && beyond != 1 << before.hole {
            return;
        }
        let pulled = self.pull_back(before, line, mv.direction());
        let own = BasePosition { own: pulled.own | last, ..pulled };
        let other = BasePosition { other: pulled.other | last, ..pulled };
        let possible =
            |base: &BasePosition| base.own >> mv.square() & 1 == 1 && self.is_ongoing(*base);
        let found = [own, other].into_iter().filter(possible);
        out.extend(found.map(|base| (base, mv)));
    }

    /// Returns true if neither side has lost or has more pieces than at the start.
    #[inline]
    fn is_ongoing(&self, base: BasePosition) -> bool {
        let most = u32::from(self.setup().pieces);
        let (own, other) = base.counts();
        self.terminal(base).is_none() && own <= most && other <= most
    }

    #[inline]
    fn empty_squares(&self, base: BasePosition) -> u32 {
        let all = u32::MAX >> (32 - self.board().squares());
        all & !base.pieces() & !(1 << base.hole)
    }
}

/// The same squares with the other side to move.
#[inline]
fn with_other_side_to_move(base: BasePosition) -> BasePosition {
    BasePosition { own: base.other, other: base.own, hole: base.hole, white: !base.white }
}
