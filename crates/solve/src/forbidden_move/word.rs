//! State of a position in a word.

/// State of a position, in 32 bits.
///
/// | bits | [`OPEN`], [`PENDING`] | [`LAST_MOVE`], [`SETTLED`] |
/// |---|---|---|
/// | 0..9 | code of V0; 0 while unknown, at the end a draw | same |
/// | 9..18 | code of the best exit; 0 if it is a draw or counted already | code of V1 |
/// | 18..25 | exclusive or of the undecided move ids; best move if `PENDING` | best move |
/// | 25..30 | undecided moves; all exits count as one until their ply | same |
/// | 30..32 | stage | same |
///
/// V0 is the value with nothing forbidden, V1 the value without the best move. An exit is a move
/// out of the tier.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct StateWord(pub(super) u32);

/// Stage: nothing is decided.
pub(super) const OPEN: u32 = 0;
/// Stage: all moves but one lose, so V1 is known.
pub(super) const LAST_MOVE: u32 = 1;
/// Stage: won by one move, V1 is not known.
pub(super) const PENDING: u32 = 2;
/// Stage: V0 and V1 are known. If the best move is 0, no forbidden move changes the value.
pub(super) const SETTLED: u32 = 3;

pub(super) const MAX_CODE: u16 = 511;
pub(super) const MAX_OPEN_MOVES: u8 = 31;

impl StateWord {
    /// Word of a rank without a position.
    pub(super) const HOLE: Self = Self(u32::MAX);

    #[inline]
    pub(super) fn new(stage: u32, value: u16, other: u16, move_id: u8, count: u8) -> Self {
        let fields = [(stage, 30), (count.into(), 25), (move_id.into(), 18), (other.into(), 9)];
        Self(fields.into_iter().fold(u32::from(value), |word, (field, at)| word | field << at))
    }

    #[inline]
    pub(super) fn stage(self) -> u32 {
        self.0 >> 30
    }

    #[inline]
    pub(super) fn value(self) -> u16 {
        (self.0 & 0x1FF) as u16
    }

    #[inline]
    pub(super) fn second_code(self) -> u16 {
        (self.0 >> 9 & 0x1FF) as u16
    }

    #[inline]
    pub(super) fn move_id(self) -> u8 {
        (self.0 >> 18 & 0x7F) as u8
    }

    #[inline]
    pub(super) fn open_moves(self) -> u8 {
        (self.0 >> 25 & 0x1F) as u8
    }

    #[inline]
    fn settled(value: u16, move_id: u8, other: u16) -> Self {
        Self::new(SETTLED, value, other, move_id, 0)
    }

    /// Word after a move was found to win at a ply; `move_id` is 0 for moves that cannot be
    /// forbidden. `win` and `loss` are the codes of this ply. Returns the same word if nothing
    /// changes.
    #[inline]
    pub(super) fn with_win(self, move_id: u8, win: u16, loss: u16) -> Self {
        let left = self.open_moves().saturating_sub(1);
        match self.stage() {
            OPEN if move_id == 0 => Self::settled(win, 0, 0),
            OPEN if left == 0 => Self::settled(win, move_id, loss),
            OPEN => Self::new(PENDING, win, self.second_code(), move_id, left),
            LAST_MOVE => Self::settled(win, self.move_id(), self.second_code()),
            PENDING if self.value() == win => Self::settled(win, 0, 0),
            PENDING => Self::settled(self.value(), self.move_id(), win),
            _ => self,
        }
    }

    /// Word after a move was found to lose at a ply. `loss` is the code of a loss at this ply.
    #[inline]
    pub(super) fn with_loss(self, move_id: u8, loss: u16) -> Self {
        let left = self.open_moves().saturating_sub(1);
        match self.stage() {
            OPEN => Self::new(OPEN, 0, self.second_code(), self.move_id() ^ move_id, left),
            LAST_MOVE => Self::settled(loss, self.move_id(), self.second_code()),
            PENDING if left == 0 => Self::settled(self.value(), self.move_id(), loss),
            PENDING => Self::new(PENDING, self.value(), self.second_code(), self.move_id(), left),
            _ => self,
        }
    }

    /// Word at the end of a ply, when all its moves are applied. Exits may decide at this ply. The
    /// last losing move may have left one open move, or none.
    #[inline]
    pub(super) fn at_end_of_ply(self, win: u16, loss: u16) -> Self {
        if self.stage() == SETTLED {
            return self;
        }
        let waits = matches!(self.stage(), OPEN | PENDING) && self.second_code() != 0;
        let word = if waits && self.second_code() == win {
            self.with_win(0, win, loss)
        } else if waits && self.second_code() == loss {
            let spent = Self::new(self.stage(), self.value(), 0, self.move_id(), self.open_moves());
            spent.with_loss(0, loss)
        } else {
            self
        };
        match (word.stage(), word.open_moves()) {
            (OPEN, 0) => Self::settled(loss, 0, 0),
            (OPEN, 1) if word.move_id() != 0 => Self::new(LAST_MOVE, 0, loss, word.move_id(), 1),
            _ => word,
        }
    }

    /// True if the end of a ply may decide the word by its count alone: open, with at most one
    /// undecided move.
    #[inline]
    pub(super) fn may_change_at_ply_end(self) -> bool {
        // The stage is [`OPEN`], that is 0, and at most one move is open.
        self.0 >> 25 <= 1
    }

    /// Returns the best move if it is known to be the only one, or 0.
    #[inline]
    pub(super) fn best_move(self) -> u8 {
        if self.stage() == OPEN { 0 } else { self.move_id() }
    }

    /// Returns the code of V1; `None` while it is unknown, or without a best move.
    #[inline]
    pub(super) fn value_without_best(self) -> Option<u16> {
        let known = matches!(self.stage(), LAST_MOVE | SETTLED) && self.move_id() != 0;
        (known && self != Self::HOLE).then(|| self.second_code())
    }
}

#[cfg(test)]
mod tests {
    use super::{LAST_MOVE, OPEN, PENDING, SETTLED, StateWord};

    const LOSS: [u16; 5] = [1, 2, 3, 4, 5];
    const WIN: [u16; 5] = [11, 12, 13, 14, 15];

    fn end(word: StateWord, ply: usize) -> StateWord {
        word.at_end_of_ply(WIN[ply], LOSS[ply])
    }

    #[test]
    fn a_win_by_one_way_waits_for_the_next_best() {
        let word = StateWord::new(OPEN, 0, 0, 7 ^ 9, 3).with_win(7, WIN[1], LOSS[1]);
        assert_eq!((word.stage(), word.value(), word.best_move()), (PENDING, WIN[1], 7));
        let later = end(word, 1).with_win(0, WIN[3], LOSS[3]);
        assert_eq!((later.value(), later.value_without_best()), (WIN[1], Some(WIN[3])));
        let tie = word.with_win(9, WIN[1], LOSS[1]);
        assert_eq!((tie.stage(), tie.value(), tie.best_move()), (SETTLED, WIN[1], 0));
        let lost = end(word, 1).with_loss(9, LOSS[2]).with_loss(0, LOSS[2]);
        assert_eq!((lost.value(), lost.value_without_best()), (WIN[1], Some(LOSS[2])));
    }

    #[test]
    fn the_last_way_is_known_before_its_value() {
        let word = end(StateWord::new(OPEN, 0, 0, 7 ^ 9, 2).with_loss(9, LOSS[2]), 2);
        assert_eq!(
            (word.stage(), word.best_move(), word.value_without_best()),
            (LAST_MOVE, 7, Some(LOSS[2]))
        );
        assert_eq!(word.with_loss(7, LOSS[4]), StateWord::new(SETTLED, LOSS[4], LOSS[2], 7, 0));
        let both = StateWord::new(OPEN, 0, 0, 7 ^ 9, 2).with_loss(9, LOSS[2]).with_loss(7, LOSS[2]);
        assert_eq!(
            end(both, 2),
            StateWord::new(SETTLED, LOSS[2], 0, 0, 0),
            "ties have no best move_id"
        );
    }

    #[test]
    fn moves_out_of_the_tier_wait_for_their_ply() {
        let outside = StateWord::new(OPEN, 0, LOSS[3], 7, 2);
        let word = end(outside.with_loss(7, LOSS[1]), 1);
        assert_eq!((word.stage(), word.open_moves()), (OPEN, 1));
        assert_eq!(end(word, 3), StateWord::new(SETTLED, LOSS[3], 0, 0, 0));
        let winning = StateWord::new(OPEN, 0, WIN[3], 7, 2).with_loss(7, LOSS[1]);
        assert_eq!(end(end(winning, 1), 3), StateWord::new(SETTLED, WIN[3], 0, 0, 0));
        let sooner = StateWord::new(OPEN, 0, WIN[3], 7, 2).with_win(7, WIN[2], LOSS[2]);
        let both = end(end(sooner, 2), 3);
        assert_eq!(
            (both.value(), both.best_move(), both.value_without_best()),
            (WIN[2], 7, Some(WIN[3]))
        );
        let drawn = end(StateWord::new(OPEN, 0, 0, 7, 2).with_loss(7, LOSS[1]), 1);
        assert_eq!((drawn.stage(), drawn.best_move()), (OPEN, 0));
    }
}
