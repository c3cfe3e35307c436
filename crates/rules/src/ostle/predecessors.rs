use alloc::vec::Vec;

use hindsight_core::Game;

use super::board::{opposite, squares};
use super::{BasePosition, OstleMove, UnrestrictedOstle};

impl UnrestrictedOstle {
    /// Appends every position with as many pieces of each side, not over, from which one move leads to
    /// exactly this one, with the move. Nothing was removed.
    #[inline]
    pub fn predecessors(&self, base: BasePosition, out: &mut Vec<(BasePosition, OstleMove)>) {
        if self.terminal(base).is_some() {
            return;
        }
        let before = before_the_turn(base);
        let empty = self.empty_squares(base);
        for direction in 0..4 {
            let from = self.board().shifted(1 << base.hole, opposite(direction)) & empty;
            if from != 0 {
                let hole = from.trailing_zeros() as u8;
                out.push((
                    BasePosition { hole, ..before },
                    OstleMove::new(hole, direction),
                ));
            }
            for from in squares(empty) {
                self.undo_pushes(before, OstleMove::new(from, direction), out);
            }
        }
    }

    /// The pieces that end where a move may have pushed them, taken back one, two, .. at a time.
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
        let mut row = 0;
        while next & before.pieces() != 0 {
            row |= next;
            next = self.board().shifted(next, mv.direction());
            out.push((self.pulled(before, row, mv.direction()), mv));
        }
    }

    /// A row of pieces one step back.
    #[inline]
    fn pulled(&self, before: BasePosition, row: u32, direction: u8) -> BasePosition {
        let pulled =
            |side: u32| side & !row | self.board().shifted(side & row, opposite(direction));
        BasePosition {
            own: pulled(before.own),
            other: pulled(before.other),
            ..before
        }
    }

    /// Appends every position, not over, from which a move that removes a piece leads to exactly this
    /// one, with the move.
    #[inline]
    pub fn predecessors_by_removal(
        &self,
        base: BasePosition,
        out: &mut Vec<(BasePosition, OstleMove)>,
    ) {
        let before = before_the_turn(base);
        for direction in 0..4 {
            for from in squares(self.empty_squares(base)) {
                self.undo_removal(before, OstleMove::new(from, direction), out);
            }
        }
    }

    /// The pieces from a square to the hole or the edge one step back, and one that fell behind them.
    #[inline]
    fn undo_removal(
        &self,
        before: BasePosition,
        mv: OstleMove,
        out: &mut Vec<(BasePosition, OstleMove)>,
    ) {
        let mut last = 1 << mv.square();
        let mut row = 0;
        let beyond = loop {
            let next = self.board().shifted(last, mv.direction());
            if next & before.pieces() == 0 {
                break next;
            }
            row |= next;
            last = next;
        };
        if beyond != 0 && beyond != 1 << before.hole {
            return;
        }
        let pulled = self.pulled(before, row, mv.direction());
        let own = BasePosition {
            own: pulled.own | last,
            ..pulled
        };
        let other = BasePosition {
            other: pulled.other | last,
            ..pulled
        };
        let possible =
            |base: &BasePosition| base.own >> mv.square() & 1 == 1 && self.is_before_the_end(*base);
        let found = [own, other].into_iter().filter(possible);
        out.extend(found.map(|base| (base, mv)));
    }

    /// Whether both sides have more pieces than lose and no more than at the start.
    #[inline]
    fn is_before_the_end(&self, base: BasePosition) -> bool {
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

/// The same squares, with the other side to move.
#[inline]
fn before_the_turn(base: BasePosition) -> BasePosition {
    BasePosition {
        own: base.other,
        other: base.own,
        hole: base.hole,
        white: !base.white,
    }
}
