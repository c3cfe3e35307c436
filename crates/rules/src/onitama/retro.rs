use alloc::vec::Vec;

use hindsight_core::combinatorics::{SetBits, rank_subset, rank_subset_within};
use hindsight_core::{MoveSummary, Ranked, Retro, Value, summary_by_moves};

use super::cards::hands::HeldCard;
use super::ranked::number_in;
use super::{Bitboard, Onitama, OnitamaPlayer, OnitamaPosition};

impl<W: Bitboard> Retro for Onitama<W> {
    /// Takes back moves by the card now aside, which the mover used. Each card now in the mover's
    /// hand may have been aside before. No capture is taken back: a capture leaves the tier.
    #[inline]
    fn predecessors(&self, position: OnitamaPosition<W>, out: &mut Vec<OnitamaPosition<W>>) {
        let player = position.player();
        let mover = player.opponent();
        let [pieces, master] = [position.pieces(mover), position.masters[mover as usize].into()];
        let occupied = pieces | position.pieces(player);
        let used = self.kind_aside[position.deal()];
        let arch = 1_u64 << self.arches[player as usize];
        let before = OnitamaPosition { cards: position.cards ^ 1, ..position };
        let hand = self.hand(before);
        for to in SetBits(pieces) {
            let moves_master = master == u64::from(to);
            let barred = if moves_master { occupied | arch } else { occupied };
            let staying = u64::from(self.setup.stay) << to;
            let sources = self.sources(used, mover, to) & (!barred | staying);
            for from in SetBits(sources) {
                let mut earlier = before;
                earlier.pieces[mover as usize] = W::narrow(pieces & !(1 << to) | 1 << from);
                if moves_master {
                    earlier.masters[mover as usize] = from;
                }
                out.extend(hand.iter().map(|card| OnitamaPosition {
                    cards: card.next_deal << 1 | mover as u16,
                    ..earlier
                }));
            }
        }
        for card in hand {
            let earlier = OnitamaPosition { cards: card.next_deal << 1 | mover as u16, ..before };
            if !self.can_move(earlier) {
                out.push(earlier);
            }
        }
    }

    /// Counts quiet moves, that is, moves without a capture, by bit operations. A quiet move leaves
    /// the opponent's pieces and cards. So the opponent's win in one ply depends only on the square
    /// of the mover's master.
    #[inline]
    fn summarize_moves(
        &self,
        tier: u64,
        position: OnitamaPosition<W>,
        outside: &mut Vec<OnitamaPosition<W>>,
    ) -> MoveSummary {
        let player = position.player();
        let [own, other] = [player, player.opponent()].map(|p| position.pieces(p));
        let master = position.masters[player as usize];
        let threat = self.threat(position, player.opponent());
        let master_is_safe = threat.spares(master);
        let before = outside.len();
        let (mut open, mut inside, mut captures) = (0, 0, 0);
        for from in SetBits(own) {
            for card in self.hand(position) {
                let free = self.free_targets(own, player, card.kind, from);
                let quiet = free & !other;
                inside += quiet.count_ones();
                if from == master {
                    open += SetBits(quiet).filter(|&to| threat.spares(to)).count() as u32;
                } else if master_is_safe {
                    open += quiet.count_ones();
                }
                if free & other != 0 {
                    captures += 1;
                    outside.extend(Self::after_moves(position, from, free & other, card.next_deal));
                }
            }
        }
        if inside + captures == 0 {
            return summary_by_moves(self, tier, position, outside);
        }
        let unfiltered_len = outside.len();
        // The first `before` entries belong to the caller and stay.
        let mut earlier = before;
        outside.retain(|&next| {
            let is_earlier = earlier > 0;
            earlier = earlier.saturating_sub(1);
            is_earlier || self.immediate_value(next).is_none()
        });
        let has_losing_move = open < inside || outside.len() < unfiltered_len;
        MoveSummary { open, best: has_losing_move.then_some(Value::Loss(2)) }
    }

    /// Ranks predecessors from the seat of the player who moved, so that none has to be turned. The
    /// digits above the deal are computed once for all earlier deals.
    #[inline]
    fn predecessor_ranks(&self, position: OnitamaPosition<W>, out: &mut Vec<u64>) {
        let mover = position.player().opponent();
        let after = OnitamaPosition { cards: position.cards ^ 1, ..position };
        let after = match mover {
            OnitamaPlayer::Red => after,
            OnitamaPlayer::Blue => self.swapped(after),
        };
        let [own, other] =
            [OnitamaPlayer::Red, OnitamaPlayer::Blue].map(|player| after.pieces(player));
        let [master, other_master] = after.masters;
        let students = own.count_ones() - 1;
        let tier = self.tier_index().tier(students, other.count_ones() - 1);
        let halves = self.tier_index().halves(tier);
        let (half, first) = match halves {
            [first, second] if first.own != students => (second, first.len),
            _ => (&halves[0], 0),
        };
        let hand = self.hand(after);
        let used = self.kind_aside[after.deal()];
        let other_master_number = number_in(other, other_master);
        let winning = |card: &HeldCard| self.winning_squares(card.next_deal, other_master);
        for to in SetBits(own) {
            let moves_master = to == master;
            let arch = u64::from(moves_master) << self.arches[1];
            let staying = u64::from(self.setup.stay) << to;
            let sources =
                self.sources(used, OnitamaPlayer::Red, to) & (!(own | other | arch) | staying);
            for from in SetBits(sources) {
                let earlier = own & !(1 << to) | 1 << from;
                let earlier_master = if moves_master { from } else { master };
                let mut rank = None;
                for card in hand {
                    if self.wins_in_one(winning(card), earlier, earlier_master) {
                        continue;
                    }
                    let base = *rank.get_or_insert_with(|| {
                        let mut rank = rank_subset(earlier);
                        rank = rank * u64::from(half.own + 1) + number_in(earlier, earlier_master);
                        rank = rank * half.other_sets.len() + rank_subset_within(other, !earlier);
                        rank = rank * u64::from(half.other + 1) + other_master_number;
                        first + rank * self.deals() as u64
                    });
                    out.push(base + u64::from(card.next_deal));
                }
            }
        }
        for card in hand {
            let earlier = OnitamaPosition { cards: card.next_deal << 1, ..after };
            if !self.can_move(earlier) && self.immediate_value(earlier).is_none() {
                out.extend(self.rank(earlier).map(|(_, rank)| rank));
            }
        }
    }
}

/// Squares from which Red's hand in a deal wins in one ply.
#[derive(Clone, Copy)]
struct WinningSquares {
    /// A piece on one of these squares captures the opponent's master.
    pieces: u64,
    /// The master on one of these squares enters the opponent's arch, unless an own piece is there.
    master: u64,
}

/// Threats of a player in the next ply against the opponent's master and arch.
#[derive(Clone, Copy)]
struct Threat {
    /// True if the player's master can enter the arch; no quiet move prevents that.
    enters: bool,
    /// Squares that the player's pieces reach in one ply, own pieces included.
    attacked: u64,
}

impl Threat {
    /// Returns true if the player cannot win in one ply with the opponent's master on a square.
    #[inline]
    fn spares(self, square: u8) -> bool {
        !self.enters && self.attacked >> square & 1 == 0
    }
}

impl<W: Bitboard> Onitama<W> {
    #[inline]
    fn winning_squares(&self, deal: u16, other_master: u8) -> WinningSquares {
        let cards = self.hands[2 * usize::from(deal)].iter();
        let none = WinningSquares { pieces: 0, master: 0 };
        cards.fold(none, |all, card| WinningSquares {
            pieces: all.pieces | self.sources(card.kind, OnitamaPlayer::Red, other_master),
            master: all.master | self.sources(card.kind, OnitamaPlayer::Red, self.arches[1]),
        })
    }

    /// Returns true if Red, with these pieces, wins in one ply.
    #[inline]
    fn wins_in_one(&self, winning: WinningSquares, own: u64, master: u8) -> bool {
        winning.pieces & own != 0
            || winning.master >> master & 1 != 0 && own >> self.arches[1] & 1 == 0
    }

    #[inline]
    fn threat(&self, position: OnitamaPosition<W>, player: OnitamaPlayer) -> Threat {
        let pieces = position.pieces(player);
        let master = position.masters[player as usize];
        let arch = self.arches[player.opponent() as usize];
        let held = &self.hands[usize::from(position.cards & !1) + player as usize];
        let mut threat = Threat { enters: false, attacked: 0 };
        for card in held {
            for from in SetBits(pieces) {
                threat.attacked |= self.targets(card.kind, player, from);
            }
            threat.enters |= self.sources(card.kind, player, arch) >> master & 1 == 1;
        }
        threat.enters &= pieces >> arch & 1 == 0;
        threat
    }
}
