/// Everything known of a position, in 32 bits.
///
/// | bits | what |
/// |---|---|
/// | 0..9 | code of the value with nothing forbidden, 0 while it is not decided |
/// | 9..18 | until the value without the best way is known: code of the best move out of the tier, 0 if that is a draw, or was counted; then: code of that value |
/// | 18..25 | while [`OPEN`]: the numbers of undecided ways, combined by exclusive or; then: the best way |
/// | 25..30 | undecided moves; moves out of the tier are one together until the ply of their value is reached |
/// | 30..32 | the stage |
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct StateWord(pub(super) u32);

/// Nothing is decided.
pub(super) const OPEN: u32 = 0;
/// All moves but one way lose: the value without it is known.
pub(super) const KNOWN: u32 = 1;
/// Won by one way; the value without it is not known.
pub(super) const PENDING: u32 = 2;
/// All is known. Without a best way (0), nothing forbidden changes the value.
pub(super) const SETTLED: u32 = 3;

/// The greatest code.
pub(super) const MOST_CODE: u16 = 511;
/// The greatest number of undecided moves.
pub(super) const MOST_OPEN: u8 = 31;

impl StateWord {
    /// A rank without a position.
    pub(super) const HOLE: Self = Self(u32::MAX);

    #[inline]
    pub(super) fn new(stage: u32, value: u16, other: u16, way: u8, count: u8) -> Self {
        let fields = [
            (stage, 30),
            (count.into(), 25),
            (way.into(), 18),
            (other.into(), 9),
        ];
        Self(
            fields
                .into_iter()
                .fold(u32::from(value), |word, (field, at)| word | field << at),
        )
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
    pub(super) fn other(self) -> u16 {
        (self.0 >> 9 & 0x1FF) as u16
    }

    #[inline]
    pub(super) fn way(self) -> u8 {
        (self.0 >> 18 & 0x7F) as u8
    }

    #[inline]
    pub(super) fn count(self) -> u8 {
        (self.0 >> 25 & 0x1F) as u8
    }

    #[inline]
    fn settled(value: u16, way: u8, other: u16) -> Self {
        Self::new(SETTLED, value, other, way, 0)
    }

    /// After a move was found to win at a ply: a way, or none that can be forbidden (0). `win` and `loss`
    /// are the codes of a win and a loss at this ply. The same word if that changes nothing.
    #[inline]
    pub(super) fn won(self, way: u8, win: u16, loss: u16) -> Self {
        let left = self.count().saturating_sub(1);
        match self.stage() {
            OPEN if way == 0 => Self::settled(win, 0, 0),
            OPEN if left == 0 => Self::settled(win, way, loss),
            OPEN => Self::new(PENDING, win, self.other(), way, left),
            KNOWN => Self::settled(win, self.way(), self.other()),
            PENDING if self.value() == win => Self::settled(win, 0, 0),
            PENDING => Self::settled(self.value(), self.way(), win),
            _ => self,
        }
    }

    /// After a move was found to lose at a ply, `loss` being the code of a loss at this ply.
    #[inline]
    pub(super) fn lost(self, way: u8, loss: u16) -> Self {
        let left = self.count().saturating_sub(1);
        match self.stage() {
            OPEN => Self::new(OPEN, 0, self.other(), self.way() ^ way, left),
            KNOWN => Self::settled(loss, self.way(), self.other()),
            PENDING if left == 0 => Self::settled(self.value(), self.way(), loss),
            PENDING => Self::new(PENDING, self.value(), self.other(), self.way(), left),
            _ => self,
        }
    }

    /// When all of a ply is known: the moves out of the tier may decide at this ply, and the last move
    /// that lost may have left none, or one.
    #[inline]
    pub(super) fn at_end_of_ply(self, win: u16, loss: u16) -> Self {
        if self.stage() == SETTLED {
            return self;
        }
        let waits = matches!(self.stage(), OPEN | PENDING) && self.other() != 0;
        let word = if waits && self.other() == win {
            self.won(0, win, loss)
        } else if waits && self.other() == loss {
            let spent = Self::new(self.stage(), self.value(), 0, self.way(), self.count());
            spent.lost(0, loss)
        } else {
            self
        };
        match (word.stage(), word.count()) {
            (OPEN, 0) => Self::settled(loss, 0, 0),
            (OPEN, 1) if word.way() != 0 => Self::new(KNOWN, 0, loss, word.way(), 1),
            _ => word,
        }
    }

    /// Whether the next end of a ply may change the word, whatever moves are found.
    #[inline]
    pub(super) fn is_ripe(self) -> bool {
        // The stage is OPEN, that is 0, and the count at most 1.
        self.0 >> 25 <= 1
    }

    /// The best way if it is known to be the only best move, or 0.
    #[inline]
    pub(super) fn best(self) -> u8 {
        if self.stage() == OPEN { 0 } else { self.way() }
    }

    /// The code of the value without the best way; `None` while it is not decided, or without a best way.
    #[inline]
    pub(super) fn without(self) -> Option<u16> {
        let known = matches!(self.stage(), KNOWN | SETTLED) && self.way() != 0;
        (known && self != Self::HOLE).then(|| self.other())
    }
}

#[cfg(test)]
mod tests {
    use super::{KNOWN, OPEN, PENDING, SETTLED, StateWord};

    const LOSS: [u16; 5] = [1, 2, 3, 4, 5];
    const WIN: [u16; 5] = [11, 12, 13, 14, 15];

    fn end(word: StateWord, ply: usize) -> StateWord {
        word.at_end_of_ply(WIN[ply], LOSS[ply])
    }

    #[test]
    fn a_win_by_one_way_waits_for_the_next_best() {
        let word = StateWord::new(OPEN, 0, 0, 7 ^ 9, 3).won(7, WIN[1], LOSS[1]);
        assert_eq!(
            (word.stage(), word.value(), word.best()),
            (PENDING, WIN[1], 7)
        );
        let later = end(word, 1).won(0, WIN[3], LOSS[3]);
        assert_eq!((later.value(), later.without()), (WIN[1], Some(WIN[3])));
        let tie = word.won(9, WIN[1], LOSS[1]);
        assert_eq!((tie.stage(), tie.value(), tie.best()), (SETTLED, WIN[1], 0));
        let lost = end(word, 1).lost(9, LOSS[2]).lost(0, LOSS[2]);
        assert_eq!((lost.value(), lost.without()), (WIN[1], Some(LOSS[2])));
    }

    #[test]
    fn the_last_way_is_known_before_its_value() {
        let word = end(StateWord::new(OPEN, 0, 0, 7 ^ 9, 2).lost(9, LOSS[2]), 2);
        assert_eq!(
            (word.stage(), word.best(), word.without()),
            (KNOWN, 7, Some(LOSS[2]))
        );
        assert_eq!(
            word.lost(7, LOSS[4]),
            StateWord::new(SETTLED, LOSS[4], LOSS[2], 7, 0)
        );
        let both = StateWord::new(OPEN, 0, 0, 7 ^ 9, 2)
            .lost(9, LOSS[2])
            .lost(7, LOSS[2]);
        assert_eq!(
            end(both, 2),
            StateWord::new(SETTLED, LOSS[2], 0, 0, 0),
            "ties have no best way"
        );
    }

    #[test]
    fn moves_out_of_the_tier_wait_for_their_ply() {
        let outside = StateWord::new(OPEN, 0, LOSS[3], 7, 2);
        let word = end(outside.lost(7, LOSS[1]), 1);
        assert_eq!((word.stage(), word.count()), (OPEN, 1));
        assert_eq!(end(word, 3), StateWord::new(SETTLED, LOSS[3], 0, 0, 0));
        let winning = StateWord::new(OPEN, 0, WIN[3], 7, 2).lost(7, LOSS[1]);
        assert_eq!(
            end(end(winning, 1), 3),
            StateWord::new(SETTLED, WIN[3], 0, 0, 0)
        );
        let sooner = StateWord::new(OPEN, 0, WIN[3], 7, 2).won(7, WIN[2], LOSS[2]);
        let both = end(end(sooner, 2), 3);
        assert_eq!(
            (both.value(), both.best(), both.without()),
            (WIN[2], 7, Some(WIN[3]))
        );
        let drawn = end(StateWord::new(OPEN, 0, 0, 7, 2).lost(7, LOSS[1]), 1);
        assert_eq!((drawn.stage(), drawn.best()), (OPEN, 0));
    }
}
