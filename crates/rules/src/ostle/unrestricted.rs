use alloc::boxed::Box;
use alloc::vec::Vec;

use hindsight_core::{Game, Material, Symmetry, Wdl};
use once_cell::race::OnceBox;

use super::board::{opposite, squares};
use super::ranking::OstleRanking;
use super::{BasePosition, OstleBoard, OstleMove, OstleSetup, Rule8};

/// Ostle without rule 8, and the move that rule 8 would forbid after each ply.
///
/// Invariant: a position that is not over has a move, because each piece of the mover has four.
#[derive(Debug)]
pub struct UnrestrictedOstle {
    setup: OstleSetup,
    board: OstleBoard,
    symmetry: Symmetry,
    /// Computed when a rank is first needed.
    ranking: OnceBox<OstleRanking>,
}

/// The piece that moves and the pieces that it pushes.
pub(super) struct PushedLine {
    /// All pieces of the line, as a set.
    pub(super) pieces: u32,
    /// The last piece of the line, as a set.
    pub(super) last: u32,
    /// True if the last piece falls into the hole or off the board.
    pub(super) falls: bool,
}

impl UnrestrictedOstle {
    /// Creates a game whose `canonical` uses `symmetry`.
    ///
    /// # Panics
    /// If [`OstleSetup::check`] finds a fault.
    #[must_use]
    #[inline]
    pub fn new(setup: OstleSetup, symmetry: Symmetry) -> Self {
        if let Err(fault) = setup.check() {
            panic!("{fault}");
        }
        Self { setup, board: OstleBoard::new(setup.size), symmetry, ranking: OnceBox::new() }
    }

    /// The board, the pieces and the reading of rule 8.
    #[must_use]
    #[inline]
    pub fn setup(&self) -> &OstleSetup {
        &self.setup
    }

    /// The board.
    #[must_use]
    #[inline]
    pub fn board(&self) -> &OstleBoard {
        &self.board
    }

    /// The numbering of the positions.
    #[inline]
    pub(super) fn ranking(&self) -> &OstleRanking {
        self.ranking.get_or_init(|| Box::new(OstleRanking::new(&self.board, &self.setup)))
    }

    /// Symmetries that `canonical` uses.
    #[inline]
    pub(super) fn symmetry(&self) -> Symmetry {
        self.symmetry
    }

    #[inline]
    pub(super) fn pushed_line(&self, pieces: u32, hole: u8, mv: OstleMove) -> PushedLine {
        let hole = 1 << hole;
        let mut last = 1 << mv.square();
        let mut line = last;
        loop {
            let next = self.board.shifted(last, mv.direction());
            if next & pieces == 0 {
                return PushedLine { pieces: line, last, falls: next == 0 || next == hole };
            }
            line |= next;
            last = next;
        }
    }

    /// Returns `(own, other, hole)` after a move. The sides are not exchanged: `own` is still the
    /// side that moved.
    ///
    /// # Panics
    /// If the hole would leave the board.
    #[inline]
    #[must_use]
    pub fn slide(&self, own: u32, other: u32, hole: u8, mv: OstleMove) -> (u32, u32, u8) {
        if mv.square() == hole {
            let to = self.board.step(hole, mv.direction());
            return (own, other, to.expect("the hole stays on the board"));
        }
        let line = self.pushed_line(own | other, hole, mv);
        (self.after_push_one_side(own, mv, &line), self.after_push_one_side(other, mv, &line), hole)
    }

    /// The successor by a push of a line.
    #[inline]
    pub(super) fn after_push(
        &self,
        base: BasePosition,
        mv: OstleMove,
        line: &PushedLine,
    ) -> BasePosition {
        BasePosition {
            own: self.after_push_one_side(base.other, mv, line),
            other: self.after_push_one_side(base.own, mv, line),
            hole: base.hole,
            white: !base.white,
        }
    }

    /// Pieces of one side after a push of a line.
    #[inline]
    fn after_push_one_side(&self, side: u32, mv: OstleMove, line: &PushedLine) -> u32 {
        let staying = if line.falls { line.pieces & !line.last } else { line.pieces };
        side & !line.pieces | self.board.shifted(side & staying, mv.direction())
    }

    /// Returns true if a move removes a piece from the board.
    #[inline]
    #[must_use]
    pub fn removes(&self, base: BasePosition, mv: OstleMove) -> bool {
        mv.square() != base.hole && self.pushed_line(base.pieces(), base.hole, mv).falls
    }

    /// Returns true if a move is legal but for rule 8 and the end of the game.
    #[inline]
    #[must_use]
    pub fn is_move(&self, base: BasePosition, mv: OstleMove) -> bool {
        if mv.square() == base.hole {
            let to = self.board.shifted(1 << base.hole, mv.direction());
            to & !base.pieces() != 0
        } else {
            base.own >> mv.square() & 1 == 1
        }
    }

    /// All moves of a position that is not over, in the order of Algorithm 1 of H. Takizawa (2023):
    /// squares ascending; up, down, left, right.
    #[inline]
    pub(super) fn all_moves(&self, base: BasePosition) -> impl Iterator<Item = OstleMove> {
        squares(base.own | 1 << base.hole)
            .flat_map(|square| (0..4).map(move |direction| OstleMove::new(square, direction)))
            .filter(move |&mv| self.is_move(base, mv))
    }

    /// The move that rule 8 forbids after `mv` from `before`, by the setup's reading. `None` if
    /// `mv` removes a piece or no move leads back.
    #[inline]
    #[must_use]
    pub fn forbidden_after(&self, before: BasePosition, mv: OstleMove) -> Option<OstleMove> {
        match self.setup.rule8 {
            Rule8::Exact => self.exact_return_move(before, mv),
            Rule8::Paper => self.return_move_up_to_symmetry(before, mv),
        }
    }

    /// The move from the successor back to exactly `before`. This move starts on the square that
    /// the ply filled. So the hole makes it, or the last piece of the line, which must be the
    /// opponent's.
    #[inline]
    fn exact_return_move(&self, before: BasePosition, mv: OstleMove) -> Option<OstleMove> {
        let last = if mv.square() == before.hole {
            1 << before.hole
        } else {
            let line = self.pushed_line(before.pieces(), before.hole, mv);
            if line.falls || line.last & before.other == 0 {
                return None;
            }
            line.last
        };
        let end = self.board.shifted(last, mv.direction());
        Some(OstleMove::new(end.trailing_zeros() as u8, opposite(mv.direction())))
    }

    /// The first move from the successor back to an image of `before`. As in the paper, moves are
    /// compared in the successor's least image; the first move is mapped back to the successor.
    ///
    /// Images of a ply thus forbid images of a move, up to the symmetries of the successor. The
    /// choice among them changes no value.
    #[inline]
    fn return_move_up_to_symmetry(&self, before: BasePosition, mv: OstleMove) -> Option<OstleMove> {
        if self.removes(before, mv) {
            return None;
        }
        let after = self.play(before, mv);
        let mut returns = self.return_moves(before, after, u8::MAX).peekable();
        returns.peek()?;
        let (_, symmetry) = self.least_image(after);
        let first = returns.map(|back| self.board.map_move(symmetry, back)).min();
        first.map(|first| self.board.map_move(OstleBoard::inverse(symmetry), first))
    }

    /// Moves from `after` back to images of `before` under `symmetries`; bit `s` is symmetry `s`.
    /// Both positions must have the same number of pieces. A move may occur several times.
    #[inline]
    pub(super) fn return_moves(
        &self,
        before: BasePosition,
        after: BasePosition,
        symmetries: u8,
    ) -> impl Iterator<Item = OstleMove> {
        squares(symmetries.into()).filter_map(move |symmetry| {
            let symmetry = usize::from(symmetry);
            let hole = self.board.map_square(symmetry, before.hole);
            let image = || self.board.map_base(symmetry, before);
            let is_near = self.board.distance(hole, after.hole) <= 1;
            is_near.then(|| self.move_between(after, image())).flatten()
        })
    }

    /// The move from one position to another with the same number of pieces; `None` if there is
    /// none.
    #[inline]
    pub(super) fn move_between(&self, from: BasePosition, to: BasePosition) -> Option<OstleMove> {
        let mut directions = 0..4;
        if from.hole != to.hole {
            let same = (from.own, from.other) == (to.other, to.own);
            let direction =
                directions.find(|&direction| self.board.next(from.hole, direction) == to.hole);
            return direction
                .filter(|_| same)
                .map(|direction| OstleMove::new(from.hole, direction));
        }
        // A push empties a square of the mover's and fills the empty square beyond its line.
        let changed = from.pieces() ^ to.pieces();
        let (emptied, filled) = (changed & from.own, changed & !from.pieces());
        if changed != emptied | filled || !emptied.is_power_of_two() || !filled.is_power_of_two() {
            return None;
        }
        let (square, end) = (emptied.trailing_zeros() as u8, filled.trailing_zeros() as u8);
        let mv = directions
            .find(|&direction| self.board.line_end(from.pieces(), square, direction).1 == end)
            .map(|direction| OstleMove::new(square, direction))?;
        let (own, other, _) = self.slide(from.own, from.other, from.hole, mv);
        ((own, other) == (to.other, to.own)).then_some(mv)
    }

    /// The least of the eight images, and the first symmetry that gives it.
    #[inline]
    fn least_image(&self, base: BasePosition) -> (BasePosition, usize) {
        (1..self.board.symmetries()).fold((base, 0), |least, symmetry| {
            let image = self.board.map_base(symmetry, base);
            if image < least.0 { (image, symmetry) } else { least }
        })
    }
}

impl Game for UnrestrictedOstle {
    type Position = BasePosition;
    type Move = OstleMove;

    fn table_bytes(&self) -> u64 {
        self.ranking().bytes()
    }

    #[inline]
    fn start(&self) -> BasePosition {
        let OstleSetup { size, pieces, .. } = self.setup;
        let own: u32 = (0..pieces).map(|file| 1 << (file * size)).sum();
        let middle = (size - 1) / 2;
        BasePosition { own, other: own << (size - 1), hole: middle * size + middle, white: false }
    }

    fn player_to_move(&self, base: BasePosition) -> usize {
        usize::from(base.white)
    }

    /// A player with `lost_at` pieces or fewer has lost. Never have both, because a move removes at
    /// most one piece.
    #[inline]
    fn terminal(&self, base: BasePosition) -> Option<Wdl> {
        let lost_at = u32::from(self.setup.lost_at);
        match base.counts() {
            (own, _) if own <= lost_at => Some(Wdl::Loss),
            (_, other) if other <= lost_at => Some(Wdl::Win),
            _ => None,
        }
    }

    #[inline]
    fn moves(&self, base: BasePosition, out: &mut Vec<OstleMove>) {
        if self.terminal(base).is_none() {
            out.extend(self.all_moves(base));
        }
    }

    #[inline]
    fn play(&self, base: BasePosition, mv: OstleMove) -> BasePosition {
        let (own, other, hole) = self.slide(base.own, base.other, base.hole, mv);
        BasePosition { own: other, other: own, hole, white: !base.white }
    }

    #[inline]
    fn successors(&self, base: BasePosition, out: &mut Vec<BasePosition>) {
        if self.terminal(base).is_none() {
            out.extend(self.all_moves(base).map(|mv| self.play(base, mv)));
        }
    }

    fn material(&self) -> Option<&dyn Material<Position = Self::Position, Move = Self::Move>> {
        Some(self)
    }

    /// Black to move if the exchange of the players is used, then the least of eight images.
    #[inline]
    fn canonical(&self, base: BasePosition) -> BasePosition {
        let black = BasePosition { white: false, ..base };
        match self.symmetry {
            Symmetry::None => base,
            Symmetry::Swap => black,
            Symmetry::All => self.least_image(black).0,
        }
    }
}
