//! Numbers of the positions of dobutsu shogi, all in one tier, and moves taken back.

use alloc::vec::Vec;
use core::ops::Range;

use hindsight_core::combinatorics::SetBits;
use hindsight_core::{MoveSummary, Ranked, Retro, Tiers, Value};

use super::arrangements::Orientation;
use super::replies::WinningReplies;
use super::side::{CHICK, DobutsuSide, HAND_KINDS, HEN, LION};
use super::squares::{BOARD, FLIPPED, Forward, MIRRORED, SOURCES, TURNED};
use super::{Dobutsu, DobutsuPosition};

impl Tiers for Dobutsu {
    fn layer_name(&self, _layer: u32) -> alloc::string::String {
        "every position".into()
    }
    fn tier_len(&self, _tier: u64) -> u64 {
        self.arrangements.len()
    }
}

/// A rank has South to move and the lions in one of two mirror images. If both lions stand on the
/// middle column, both images of the other pieces have ranks. There are no holes.
///
/// Positions in which a lion can take the other, or has reached its last row, have no rank: they
/// are over or won at once.
impl Ranked for Dobutsu {
    fn rank(&self, position: DobutsuPosition) -> Option<(u64, u64)> {
        let DobutsuPosition { own, other, .. } = position;
        let pair = self.arrangements.lion_pair(own.board[LION], other.board[LION])?;
        let number = match pair.orientation {
            Orientation::Mirrored => {
                let [own, other] = [own, other].map(|side| side.image(&MIRRORED));
                self.arrangements.number(pair.number, &own, &other)
            }
            _ => self.arrangements.number(pair.number, &own, &other),
        };
        Some((0, number))
    }
    fn tier(&self, position: DobutsuPosition) -> Option<u64> {
        let [own, other] = [position.own, position.other].map(|side| side.board[LION]);
        self.arrangements.lion_pair(own, other).map(|_| 0)
    }
    fn unrank(&self, _tier: u64, rank: u64) -> Option<DobutsuPosition> {
        Some(self.arrangements.position(rank))
    }
    fn unrank_range(&self, _tier: u64, ranks: Range<u64>, out: &mut Vec<(u64, DobutsuPosition)>) {
        let mut rank = ranks.start;
        self.arrangements.each_position(ranks, |position| {
            out.push((rank, position));
            rank += 1;
        });
    }
    fn immediate_value(&self, position: DobutsuPosition) -> Option<Value> {
        let wins = position.own.wins_at_once(&position.other, Forward::Up);
        wins.then_some(Value::Win(1))
    }
    fn is_implied(&self, value: Value) -> Option<bool> {
        // `immediate_value` does not see a win in one that leaves the opponent without a move.
        (value != Value::Win(1)).then_some(false)
    }
}

/// Position before a move that was taken back, as its player sees the position after it: the
/// player moves down, and the board is not turned.
struct Before {
    mover: DobutsuSide,
    waiting: DobutsuSide,
}

impl DobutsuPosition {
    /// Calls `visit` with the position before each move that can lead here, by the rules of steps,
    /// hands and promotion alone.
    fn each_before(&self, mut visit: impl FnMut(Before)) {
        let taken = self.own.squares() | self.other.squares();
        for (kind, &pieces) in self.other.board.iter().enumerate() {
            for to in SetBits(u64::from(pieces)) {
                self.each_before_step(kind, to, taken, &mut visit);
                if HAND_KINDS.contains(&kind) {
                    let mut mover = self.other;
                    mover.board[kind] &= !(1 << to);
                    *mover.in_hand_mut(kind) += 1;
                    let waiting = self.own;
                    visit(Before { mover, waiting });
                }
            }
        }
    }

    /// As [`DobutsuPosition::each_before`], for steps of the piece of a kind on a square.
    #[inline]
    fn each_before_step(&self, kind: usize, to: u8, taken: u16, visit: &mut impl FnMut(Before)) {
        let arrived = 1 << to & Forward::Down.last_row() != 0;
        let sources = |kind: usize| {
            let sources = SOURCES[Forward::Down as usize][kind][usize::from(to)] & BOARD & !taken;
            SetBits(u64::from(sources))
        };
        // A chick that steps to the last row becomes a hen.
        let is_promoted = kind == HEN && arrived;
        let as_it_is = sources(kind).filter(|_| kind != CHICK || !arrived);
        let as_chick = sources(CHICK).filter(|_| is_promoted);
        let steps = as_it_is.map(|from| (from, kind));
        for (from, kind_before) in steps.chain(as_chick.map(|from| (from, CHICK))) {
            let mut mover = self.other;
            mover.board[kind] &= !(1 << to);
            mover.board[kind_before] |= 1 << from;
            let waiting = self.own;
            visit(Before { mover, waiting });
            each_capture_undone(mover, waiting, 1 << to, visit);
        }
    }
}

/// Calls `visit` with each piece out of the hand put back on the square on which it was taken.
#[inline]
fn each_capture_undone(
    mover: DobutsuSide,
    waiting: DobutsuSide,
    square: u16,
    visit: &mut impl FnMut(Before),
) {
    for kind in HAND_KINDS.into_iter().filter(|&kind| *mover.in_hand(kind) > 0) {
        let mut mover = mover;
        *mover.in_hand_mut(kind) -= 1;
        for kind_before in [kind, HEN] {
            if kind_before == kind || kind == CHICK {
                let mut waiting = waiting;
                waiting.board[kind_before] |= square;
                visit(Before { mover, waiting });
            }
        }
    }
}

impl Before {
    /// Lions as the mover sees them.
    #[inline]
    fn orientation(&self, game: &Dobutsu) -> Option<super::arrangements::LionPair> {
        let lion = |side: &DobutsuSide| TURNED[usize::from(side.board[LION])];
        game.arrangements.lion_pair(lion(&self.mover), lion(&self.waiting))
    }

    fn position(&self, player: u8) -> DobutsuPosition {
        DobutsuPosition {
            player,
            own: self.mover.image(&TURNED),
            other: self.waiting.image(&TURNED),
        }
    }
}

impl Dobutsu {
    /// True if both mirror images of a position have ranks.
    fn has_both_images(&self, position: DobutsuPosition) -> bool {
        let [own, other] = [position.own, position.other].map(|side| side.board[LION]);
        let pair = self.arrangements.lion_pair(own, other);
        pair.is_some_and(|pair| pair.orientation == Orientation::Both)
    }
}

/// A class of two images that have one rank leads to a class with two ranks by one move to each.
/// Only the image that is numbered is then a predecessor. The other way round, both images are.
impl Retro for Dobutsu {
    fn predecessors(&self, position: DobutsuPosition, out: &mut Vec<DobutsuPosition>) {
        let has_both = self.has_both_images(position);
        position.each_before(|before| {
            let Some(pair) = before.orientation(self) else {
                return;
            };
            let found = before.position(1 - position.player);
            match (has_both, pair.orientation) {
                (true, Orientation::Mirrored) => {}
                (false, Orientation::Both) => out.extend([found, found.mirrored()]),
                _ => out.push(found),
            }
        });
    }

    fn summarize_moves(
        &self,
        _tier: u64,
        position: DobutsuPosition,
        _outside: &mut Vec<DobutsuPosition>,
    ) -> MoveSummary {
        let mut summary = MoveSummary::default();
        let replies = WinningReplies::new(&position);
        let stays_mobile = position.other.stays_mobile();
        position.each_move(|mv| {
            if replies.refute(mv) {
                summary.best = summary.best.max(Some(Value::Loss(2)));
            } else if stays_mobile || position.moved(mv).other.can_move(Forward::Down) {
                summary.open += 1;
            } else {
                summary.best = Some(Value::Win(1));
            }
        });
        summary
    }

    fn predecessor_ranks(&self, position: DobutsuPosition, out: &mut Vec<u64>) {
        let has_both = self.has_both_images(position);
        position.each_before(|before| {
            let Some(pair) = before.orientation(self) else {
                return;
            };
            if before.mover.wins_at_once(&before.waiting, Forward::Down) {
                return;
            }
            let mut add = |table| {
                let [own, other] = [before.mover, before.waiting].map(|side| side.image(table));
                out.push(self.arrangements.number(pair.number, &own, &other));
            };
            match (has_both, pair.orientation) {
                (true, Orientation::Mirrored) => {}
                (false, Orientation::Both) => {
                    add(&TURNED);
                    add(&FLIPPED);
                }
                (_, Orientation::Mirrored) => add(&FLIPPED),
                _ => add(&TURNED),
            }
        });
    }
}
