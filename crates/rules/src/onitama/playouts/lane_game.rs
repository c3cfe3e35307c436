//! One of the random games in lanes: sets of squares in words, and a draw without a branch.

use super::super::position::CAPTURED;
use super::super::{Bitboard, Onitama, OnitamaPosition};
use super::lane_table::{LaneHand, LaneTable, MAX_PIECES};

/// Number of words of a [`LaneGame`].
pub(super) const GAME_WORDS: usize = 9;

/// A random game in progress, from the view of the side to move.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneGame {
    own: u32,
    others: u32,
    /// Square of the own master, as a set.
    own_master: u32,
    /// Square of the opponent's master; empty once it is captured.
    other_master: u32,
    /// The opponent's arch, as a set.
    goal: u32,
    hand: LaneHand,
    /// Plies that may still be played.
    pub(super) plies_left: u32,
    /// 1 once the game is over or has no plies left; then no draw changes it.
    is_over: u32,
    /// Draws since the last move.
    pub(super) rejected: u32,
}

/// Rules that all lanes share.
#[derive(Clone, Copy, Debug)]
pub(super) struct LaneRules {
    /// Set of both arches.
    arches: u32,
    /// All squares if a piece may stay on its square, else none.
    stay: u32,
}

impl LaneRules {
    #[inline]
    pub(super) fn new<W: Bitboard>(game: &Onitama<W>) -> Self {
        Self {
            arches: game.arches.iter().fold(0, |set, arch| set | 1 << arch),
            stay: if game.setup.stay { u32::MAX } else { 0 },
        }
    }
}

impl LaneGame {
    /// A lane without a game.
    pub(super) const IDLE: Self = Self {
        own: 0,
        others: 0,
        own_master: 0,
        other_master: 0,
        goal: 0,
        hand: LaneHand(0),
        plies_left: 0,
        is_over: 1,
        rejected: 0,
    };

    /// Returns the game from a position that is not terminal.
    #[inline]
    pub(super) fn new<W: Bitboard>(
        game: &Onitama<W>,
        table: &LaneTable,
        position: OnitamaPosition<W>,
        plies_left: u32,
    ) -> Self {
        let player = position.player() as usize;
        let pieces = position.pieces.map(|set| set.widen() as u32);
        let masters = position.masters.map(|square| 1 << square);
        Self {
            own: pieces[player],
            others: pieces[player ^ 1],
            own_master: masters[player],
            other_master: masters[player ^ 1],
            goal: 1 << game.arches[player ^ 1],
            hand: table.hand(position.cards),
            plies_left,
            is_over: u32::from(plies_left == 0),
            rejected: 0,
        }
    }

    /// The position, the last one if the game is over.
    #[inline]
    pub(super) fn position<W: Bitboard>(self, table: &LaneTable) -> OnitamaPosition<W> {
        let cards = table.cards(self.hand);
        let square = |master: u32| match master {
            0 => CAPTURED,
            set => set.trailing_zeros() as u8,
        };
        let mut pieces = [self.own, self.others];
        let mut masters = [self.own_master, self.other_master].map(square);
        if cards & 1 == 1 {
            pieces.reverse();
            masters.reverse();
        }
        OnitamaPosition { pieces: pieces.map(|set| W::narrow(set.into())), masters, cards }
    }

    /// Draws a piece and an offset, from 16 random bits each, and makes the move if it is legal.
    ///
    /// A legal move is one pair of piece and offset, so all are equally likely but for rounding:
    /// chances of a piece or an offset differ by at most 2^-16.
    #[inline(always)]
    pub(super) fn after_draw(self, table: &LaneTable, rules: LaneRules, bits: u32) -> Self {
        let offset = self.hand.first() + scale(bits >> 16, self.hand.count());
        let piece = scale(bits & 0xFFFF, self.own.count_ones());
        let from = nth_square(self.own, piece);
        let after = table.after(offset);
        let to = after.target(from & table.sources(offset));
        let blocked = self.own & !(from & rules.stay);
        let is_legal = (to != 0) & (to & blocked == 0) & (self.is_over == 0);
        let master = if from == self.own_master { to } else { self.own_master };
        let plies_left = self.plies_left.wrapping_sub(1);
        let is_over = (to == self.other_master) | (master == self.goal) | (plies_left == 0);
        let moved = Self {
            own: self.others & !to,
            others: self.own ^ from | to,
            own_master: self.other_master & !to,
            other_master: master,
            goal: self.goal ^ rules.arches,
            hand: after.hand(),
            plies_left,
            is_over: is_over.into(),
            rejected: 0,
        };
        let rejected = Self { rejected: self.rejected.wrapping_add(1), ..self };
        moved.or(rejected, is_legal)
    }

    /// Returns `self` if `condition`, else `other`.
    #[inline(always)]
    fn or(self, other: Self, condition: bool) -> Self {
        let [one, two] = [self, other].map(Self::words);
        Self::from_words(core::array::from_fn(|i| if condition { one[i] } else { two[i] }))
    }

    /// True once no draw changes the game.
    #[inline(always)]
    pub(super) fn is_over(self) -> bool {
        self.is_over != 0
    }

    #[inline(always)]
    pub(super) fn words(self) -> [u32; GAME_WORDS] {
        [
            self.own,
            self.others,
            self.own_master,
            self.other_master,
            self.goal,
            self.hand.0,
            self.plies_left,
            self.is_over,
            self.rejected,
        ]
    }

    #[inline(always)]
    pub(super) fn from_words(words: [u32; GAME_WORDS]) -> Self {
        let [own, others, own_master, other_master, goal, hand, plies_left, is_over, rejected] =
            words;
        Self {
            own,
            others,
            own_master,
            other_master,
            goal,
            hand: LaneHand(hand),
            plies_left,
            is_over,
            rejected,
        }
    }
}

/// Maps 16 random bits to a number in `0..n`; `n` is below 2^16. Returns 0 if `n` is 0.
#[inline(always)]
fn scale(bits: u32, n: u32) -> u32 {
    (bits * n) >> 16
}

/// Returns the `n`th square of a set, from 0, as a set; `n` is below [`MAX_PIECES`].
#[inline(always)]
fn nth_square(set: u32, n: u32) -> u32 {
    let mut rest = set;
    for lower in 0..MAX_PIECES - 1 {
        let without_lowest = rest & rest.wrapping_sub(1);
        rest = if n > lower { without_lowest } else { rest };
    }
    rest & rest.wrapping_neg()
}
