use alloc::vec::Vec;

use hindsight_core::{Game, Symmetry, Wdl};

use super::{BasePosition, OstleBoard, OstleMove, OstlePosition, OstleSetup, UnrestrictedOstle};

/// The rules on one board, rule 8 included.
///
/// A position that is not over always has a move: each piece of the mover has four, and one move at most
/// is forbidden.
#[derive(Debug)]
pub struct Ostle {
    unrestricted: UnrestrictedOstle,
}

impl Ostle {
    /// The game of a setup; `symmetry` is what `canonical` shall use.
    ///
    /// # Panics
    /// When [`OstleSetup::check`] finds a fault.
    #[must_use]
    #[inline]
    pub fn new(setup: OstleSetup, symmetry: Symmetry) -> Self {
        Self {
            unrestricted: UnrestrictedOstle::new(setup, symmetry),
        }
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

    /// Whether a position, with no move forbidden in it, has a move that leads here: removals included.
    /// The start and many a position with nothing forbidden have no such past.
    #[must_use]
    #[inline]
    pub fn reachable_in_one(&self, position: OstlePosition) -> bool {
        let mut before = Vec::new();
        if position.forbidden.is_none() {
            self.unrestricted
                .predecessors_by_removal(position.base, &mut before);
            if !before.is_empty() {
                return true;
            }
        }
        self.unrestricted.predecessors(position.base, &mut before);
        before
            .into_iter()
            .any(|(base, mv)| self.unrestricted.forbidden_after(base, mv) == position.forbidden)
    }

    /// The moves that rule 8 may forbid here, in order, each once.
    #[inline]
    pub(super) fn forbiddable(&self, base: BasePosition) -> Vec<OstleMove> {
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

    /// The image of a position, forbidden move and all.
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

    #[inline]
    fn start(&self) -> OstlePosition {
        OstlePosition {
            base: self.unrestricted.start(),
            forbidden: None,
        }
    }

    #[inline]
    fn terminal(&self, position: OstlePosition) -> Option<Wdl> {
        self.unrestricted.terminal(position.base)
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

    /// A hundred for a piece, and ten for one that is not at the edge.
    #[inline]
    fn evaluate(&self, position: OstlePosition) -> Option<i32> {
        let side = |pieces: u32| {
            let inside = pieces & self.board().inside();
            100 * pieces.count_ones() as i32 + 10 * inside.count_ones() as i32
        };
        Some(side(position.base.own) - side(position.base.other))
    }

    /// Black to move where the players may be exchanged, then the least of eight images: first by the
    /// pieces and the hole, then by the forbidden move.
    #[inline]
    fn canonical(&self, position: OstlePosition) -> OstlePosition {
        let black = OstlePosition {
            base: BasePosition {
                white: false,
                ..position.base
            },
            ..position
        };
        match self.unrestricted.symmetry() {
            Symmetry::None => position,
            Symmetry::Swap => black,
            Symmetry::All => (1..self.board().symmetries())
                .map(|symmetry| self.image(symmetry, black))
                .fold(black, Ord::min),
        }
    }
}
