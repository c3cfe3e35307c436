use alloc::vec::Vec;

use hindsight_core::{Game, Heuristics, Material, Symmetry, Wdl};

use super::{BasePosition, OstleBoard, OstleMove, OstlePosition, OstleSetup, UnrestrictedOstle};

/// The rules on one board, rule 8 included.
///
/// Invariant: a position that is not over has a move. Each piece of the mover has four, of which at
/// most one is forbidden.
#[derive(Debug)]
pub struct Ostle {
    unrestricted: UnrestrictedOstle,
}

impl Ostle {
    /// Creates a game whose `canonical` uses `symmetry`.
    ///
    /// # Panics
    /// If [`OstleSetup::check`] finds a fault.
    #[must_use]
    #[inline]
    pub fn new(setup: OstleSetup, symmetry: Symmetry) -> Self {
        Self { unrestricted: UnrestrictedOstle::new(setup, symmetry) }
    }

    /// The board, the pieces and the reading of rule 8.
    #[must_use]
    #[inline]
    pub fn setup(&self) -> &OstleSetup {
        self.unrestricted.setup()
    }

    /// The board.
    #[must_use]
    #[inline]
    pub fn board(&self) -> &OstleBoard {
        self.unrestricted.board()
    }

    /// The same game without rule 8.
    #[must_use]
    #[inline]
    pub fn unrestricted(&self) -> &UnrestrictedOstle {
        &self.unrestricted
    }

    /// Returns true if some move, removals included, leads from a position with nothing forbidden
    /// to exactly `position`, its forbidden move included.
    #[must_use]
    #[inline]
    pub fn reachable_in_one(&self, position: OstlePosition) -> bool {
        let mut before = Vec::new();
        if position.forbidden.is_none() {
            self.unrestricted.predecessors_by_removal(position.base, &mut before);
            if !before.is_empty() {
                return true;
            }
        }
        self.unrestricted.predecessors(position.base, &mut before);
        before
            .into_iter()
            .any(|(base, mv)| self.unrestricted.forbidden_after(base, mv) == position.forbidden)
    }

    /// Moves that rule 8 may forbid here, ascending, each once.
    #[inline]
    pub(super) fn possibly_forbidden(&self, base: BasePosition) -> Vec<OstleMove> {
        let mut before = Vec::new();
        self.unrestricted.predecessors(base, &mut before);
        let mut moves: Vec<OstleMove> = before
            .into_iter()
            .filter_map(|(base, mv)| self.unrestricted.forbidden_after(base, mv))
            .collect();
        moves.sort_unstable();
        moves.dedup();
        moves
    }

    /// The image of a position and its forbidden move.
    #[inline]
    fn image(&self, symmetry: usize, position: OstlePosition) -> OstlePosition {
        let board = self.board();
        OstlePosition {
            base: board.map_base(symmetry, position.base),
            forbidden: position.forbidden.map(|mv| board.map_move(symmetry, mv)),
        }
    }
}

impl Game for Ostle {
    type Position = OstlePosition;
    type Move = OstleMove;

    fn table_bytes(&self) -> u64 {
        self.unrestricted.table_bytes()
    }

    #[inline]
    fn start(&self) -> OstlePosition {
        OstlePosition { base: self.unrestricted.start(), forbidden: None }
    }

    fn player_to_move(&self, position: OstlePosition) -> usize {
        usize::from(position.base.white)
    }

    #[inline]
    fn terminal(&self, position: OstlePosition) -> Option<Wdl> {
        self.unrestricted.terminal(position.base)
    }

    #[inline]
    fn is_position(&self, OstlePosition { base, forbidden }: OstlePosition) -> bool {
        let OstleSetup { pieces, lost_at, .. } = *self.setup();
        let squares = self.board().squares();
        let (own, other) = base.counts();
        let has_pieces = |count| (u32::from(lost_at)..=u32::from(pieces)).contains(&count);
        base.hole < squares
            && (base.pieces() | 1 << base.hole).count_ones() == own + other + 1
            && base.pieces() >> squares == 0
            && has_pieces(own)
            && has_pieces(other)
            && own + other > 2 * u32::from(lost_at)
            && forbidden.is_none_or(|mv| mv.square() < squares)
    }

    #[inline]
    fn moves(&self, position: OstlePosition, out: &mut Vec<OstleMove>) {
        let before = out.len();
        self.unrestricted.moves(position.base, out);
        if let Some(forbidden) = position.forbidden {
            let found = out[before..].iter().position(|&mv| mv == forbidden);
            if let Some(at) = found {
                out.remove(before + at);
            }
        }
    }

    #[inline]
    fn play(&self, position: OstlePosition, mv: OstleMove) -> OstlePosition {
        OstlePosition {
            base: self.unrestricted.play(position.base, mv),
            forbidden: self.unrestricted.forbidden_after(position.base, mv),
        }
    }

    #[inline]
    fn heuristics(&self) -> Option<&dyn Heuristics<Position = Self::Position, Move = Self::Move>> {
        Some(self)
    }

    fn material(&self) -> Option<&dyn Material<Position = Self::Position, Move = Self::Move>> {
        Some(self)
    }

    fn images(&self, position: OstlePosition, out: &mut Vec<OstlePosition>) {
        let symmetry = self.unrestricted.symmetry();
        let exchanged = OstlePosition {
            base: BasePosition { white: !position.base.white, ..position.base },
            ..position
        };
        out.extend((symmetry != Symmetry::None).then_some(exchanged));
        if symmetry == Symmetry::All {
            for member in [position, exchanged] {
                let turned = 1..self.board().symmetries();
                out.extend(turned.map(|symmetry| self.image(symmetry, member)));
            }
        }
    }

    /// Black to move if the exchange of the players is used, then the least of eight images: first
    /// by pieces and hole, then by the forbidden move.
    #[inline]
    fn canonical(&self, position: OstlePosition) -> OstlePosition {
        let black =
            OstlePosition { base: BasePosition { white: false, ..position.base }, ..position };
        match self.unrestricted.symmetry() {
            Symmetry::None => position,
            Symmetry::Swap => black,
            Symmetry::All => (1..self.board().symmetries())
                .map(|symmetry| self.image(symmetry, black))
                .fold(black, Ord::min),
        }
    }
}

impl Heuristics for Ostle {
    /// 100 for each piece, plus 10 if it is not at the edge; the opponent's pieces count negative.
    #[inline]
    fn evaluate(&self, position: OstlePosition) -> Option<i32> {
        let side = |pieces: u32| {
            let inside = pieces & self.board().inside();
            100 * pieces.count_ones() as i32 + 10 * inside.count_ones() as i32
        };
        Some(side(position.base.own) - side(position.base.other))
    }
}
