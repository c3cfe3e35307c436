use hindsight_core::Material;

use super::{BasePosition, Ostle, OstleMove, OstlePosition, UnrestrictedOstle};

impl UnrestrictedOstle {
    /// The piece that a move removes from the board, as a set.
    fn removed_piece(&self, base: BasePosition, mv: OstleMove) -> u32 {
        if mv.square() == base.hole {
            return 0;
        }
        let line = self.pushed_line(base.pieces(), base.hole, mv);
        if line.falls { line.last } else { 0 }
    }
}

impl Material for UnrestrictedOstle {
    fn describe_sacrifice(&self) -> &'static str {
        "a move that takes an own piece from the board"
    }

    fn piece_counts(&self, base: BasePosition) -> [u32; 2] {
        base.counts().into()
    }

    #[inline]
    fn is_capture(&self, base: BasePosition, mv: OstleMove) -> bool {
        self.removed_piece(base, mv) & base.other != 0
    }

    #[inline]
    fn gives_up_piece(&self, base: BasePosition, mv: OstleMove) -> bool {
        self.removed_piece(base, mv) & base.own != 0
    }
}

impl Material for Ostle {
    fn describe_sacrifice(&self) -> &'static str {
        self.unrestricted().describe_sacrifice()
    }

    fn piece_counts(&self, position: OstlePosition) -> [u32; 2] {
        self.unrestricted().piece_counts(position.base)
    }

    fn is_capture(&self, position: OstlePosition, mv: OstleMove) -> bool {
        self.unrestricted().is_capture(position.base, mv)
    }

    fn gives_up_piece(&self, position: OstlePosition, mv: OstleMove) -> bool {
        self.unrestricted().gives_up_piece(position.base, mv)
    }
}
