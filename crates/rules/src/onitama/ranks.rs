use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use hindsight_combinatorics::{Subsets, expand, rank_among, rank_subset, subsets};
use hindsight_core::{MoveSummary, Ranked, Retro, Value, summary_by_moves};

use super::position::CAPTURED;
use super::rules::{HeldCard, Squares};
use super::{Bitboard, Onitama, OnitamaPlayer, OnitamaPosition};

/// The positions in which the mover has `own` students and the other `other`, as seen by the mover:
/// the players are exchanged where Blue is to move.
///
/// A rank is a mixed number, the deal fastest: squares of the mover's pieces, which of them is the
/// master, squares of the other's pieces on what is free, which is the master, the deal. Holes are the
/// finished games, those with a master on the other's arch.
#[derive(Clone, Debug)]
struct Part {
    own: u32,
    other: u32,
    own_sets: Subsets,
    other_sets: Subsets,
    len: u64,
}

impl Part {
    #[inline]
    fn new(squares: u32, own: u32, other: u32, deals: u64) -> Self {
        Self {
            own,
            other,
            own_sets: Subsets::new(squares, own + 1),
            other_sets: Subsets::new(squares - own - 1, other + 1),
            len: part_len(squares, own, other, deals).expect("positions that fit 64 bits"),
        }
    }
}

/// The positions of a part; `None` if 64 bits cannot number them.
#[inline]
fn part_len(squares: u32, own: u32, other: u32, deals: u64) -> Option<u64> {
    let free = squares.checked_sub(own + 1)?;
    subsets(squares, own + 1)
        .checked_mul(u64::from(own + 1))?
        .checked_mul(subsets(free, other + 1))?
        .checked_mul(u64::from(other + 1))?
        .checked_mul(deals)
}

/// Tiers by captures: tier number n holds the positions with i and j students, whoever has more, since
/// such positions lead to each other. Each tier is a layer.
#[derive(Clone, Debug)]
pub(super) struct Ranks {
    /// One part where both sides have as many students, else two.
    tiers: Vec<Vec<Part>>,
    /// `tier_of[i][j]`
    tier_of: Vec<Vec<u64>>,
}

/// As many ranks as fit 63 bits, so that sums of few never overflow.
const MOST: u64 = 1 << 62;

impl Ranks {
    /// Whether all ranks fit 64 bits.
    #[inline]
    pub(super) fn fit(squares: u8, students: u8, deals: usize) -> bool {
        let of = |(own, other)| part_len(squares.into(), own, other, deals as u64);
        let parts = pairs(squares, students).into_iter().flat_map(sides);
        let mut lens = parts.map(of);
        let all = lens.try_fold(0_u64, |all, len| all.checked_add(len?));
        all.is_some_and(|all| all < MOST)
    }

    /// Where they fit.
    #[inline]
    pub(super) fn new(squares: u8, students: u8, deals: usize) -> Self {
        let most = usize::from(students);
        let mut ranks = Self {
            tiers: Vec::new(),
            tier_of: alloc::vec![alloc::vec![0; most + 1]; most + 1],
        };
        for (tier, (i, j)) in (0..).zip(pairs(squares, students)) {
            let part = |(own, other)| Part::new(squares.into(), own, other, deals as u64);
            ranks.tiers.push(sides((i, j)).map(part).collect());
            ranks.tier_of[i as usize][j as usize] = tier;
            ranks.tier_of[j as usize][i as usize] = tier;
        }
        ranks
    }

    #[inline]
    fn tier(&self, own: u32, other: u32) -> u64 {
        self.tier_of[own as usize][other as usize]
    }

    #[inline]
    fn parts(&self, tier: u64) -> &[Part] {
        &self.tiers[tier as usize]
    }
}

/// The students of the side that has more and of the other, for every tier in order.
#[inline]
fn pairs(squares: u8, students: u8) -> Vec<(u32, u32)> {
    let mut pairs: Vec<(u32, u32)> = (0..=u32::from(students))
        .flat_map(|i| (0..=i).map(move |j| (i, j)))
        .filter(|(i, j)| i + j + 2 <= u32::from(squares))
        .collect();
    pairs.sort_by_key(|&(i, j)| (i + j, i));
    pairs
}

/// Either side may be the one with more.
#[inline]
fn sides((i, j): (u32, u32)) -> impl Iterator<Item = (u32, u32)> {
    core::iter::once((i, j)).chain((i != j).then_some((j, i)))
}

/// The number of a square among the squares of a set.
#[inline]
fn number_in(set: u64, square: u8) -> u64 {
    u64::from((set & ((1 << square) - 1)).count_ones())
}

/// The square of a number among the squares of a set.
#[inline]
fn square_in(set: u64, number: u64) -> u8 {
    Squares(set)
        .nth(number as usize)
        .expect("a number below the size of the set")
}

/// The pieces of both sides, without the cards.
#[derive(Clone, Copy)]
struct Pieces {
    pieces: [u64; 2],
    masters: [u8; 2],
}

impl<W: Bitboard> Onitama<W> {
    /// Whether every position has a number of 64 bits; else there is no [`Ranked`] for this board.
    #[must_use]
    #[inline]
    pub fn ranks_fit(&self) -> bool {
        self.ranks_fit
    }

    #[inline]
    fn ranks(&self) -> &Ranks {
        // Made when they are first asked for: whoever only plays needs none.
        self.ranks.get_or_init(|| {
            assert!(self.ranks_fit, "a board whose positions fit 64 bits");
            let (squares, students) = (self.board().squares(), self.setup.students_per_side());
            Box::new(Ranks::new(squares, students, self.deals()))
        })
    }

    #[inline]
    fn rank_in(&self, part: &Part, position: OnitamaPosition<W>) -> u64 {
        let [own, other] =
            [OnitamaPlayer::Red, OnitamaPlayer::Blue].map(|player| position.pieces(player));
        let [own_master, other_master] = position.masters;
        let mut rank = rank_subset(own);
        rank = rank * u64::from(part.own + 1) + number_in(own, own_master);
        rank = rank * part.other_sets.len() + rank_among(other, !own);
        rank = rank * u64::from(part.other + 1) + number_in(other, other_master);
        rank * self.deals() as u64 + position.deal() as u64
    }

    /// The pieces of a rank without its lowest digit, the deal; `None` where the game is over.
    #[inline]
    fn pieces_of(&self, part: &Part, rank: u64) -> Option<Pieces> {
        let (rest, other_master) = divide(rank, u64::from(part.other + 1));
        let (rest, other) = divide(rest, part.other_sets.len());
        let (own, own_master) = divide(rest, u64::from(part.own + 1));
        let own = part.own_sets.unrank(own);
        let own_master = square_in(own, own_master);
        let other = expand(part.other_sets.unrank(other), !own);
        let other_master = square_in(other, other_master);
        let over = own_master == self.arches[1] || other_master == self.arches[0];
        (!over).then_some(Pieces {
            pieces: [own, other],
            masters: [own_master, other_master],
        })
    }

    #[inline]
    fn with_deal(pieces: Pieces, deal: u64) -> OnitamaPosition<W> {
        OnitamaPosition::new(
            pieces.pieces,
            pieces.masters,
            deal as usize,
            OnitamaPlayer::Red,
        )
    }

    /// The part that a rank of a tier lies in, and the rank inside it.
    #[inline]
    fn part_of(&self, tier: u64, rank: u64) -> (&Part, u64) {
        match self.ranks().parts(tier) {
            [first, second] if rank >= first.len => (second, rank - first.len),
            parts => (&parts[0], rank),
        }
    }

    /// Whether a piece of the player to move can go anywhere.
    #[inline]
    pub(super) fn can_move(&self, position: OnitamaPosition<W>) -> bool {
        let player = position.player();
        let own = position.pieces(player);
        let held = self.held(position);
        Squares(own).any(|from| {
            held.iter()
                .any(|card| self.free_targets(own, player, card.kind, from) != 0)
        })
    }
}

#[inline]
fn divide(n: u64, by: u64) -> (u64, u64) {
    (n / by, n % by)
}

impl<W: Bitboard> Ranked for Onitama<W> {
    #[inline]
    fn layers(&self) -> u32 {
        self.ranks().tiers.len() as u32
    }

    #[inline]
    fn tiers(&self, layer: u32, out: &mut Vec<u64>) {
        out.push(layer.into());
    }

    #[inline]
    fn layer_successors(&self, layer: u32) -> Vec<u32> {
        let part = &self.ranks().parts(layer.into())[0];
        let mut layers = Vec::new();
        if let Some(fewer) = part.other.checked_sub(1) {
            layers.push(self.ranks().tier(part.own, fewer) as u32);
        }
        if let Some(fewer) = part.own.checked_sub(1).filter(|_| part.own != part.other) {
            layers.push(self.ranks().tier(fewer, part.other) as u32);
        }
        layers.sort_unstable();
        layers
    }

    #[inline]
    fn layer_name(&self, layer: u32) -> String {
        let part = &self.ranks().parts(layer.into())[0];
        format!("{} against {} students", part.own, part.other)
    }

    #[inline]
    fn tier_len(&self, tier: u64) -> u64 {
        self.ranks().parts(tier).iter().map(|part| part.len).sum()
    }

    #[inline]
    fn tier(&self, position: OnitamaPosition<W>) -> Option<u64> {
        if self.is_over(position) {
            return None;
        }
        let students = |player| position.pieces(player).count_ones() - 1;
        Some(
            self.ranks()
                .tier(students(OnitamaPlayer::Red), students(OnitamaPlayer::Blue)),
        )
    }

    #[inline]
    fn rank(&self, position: OnitamaPosition<W>) -> Option<(u64, u64)> {
        let tier = self.tier(position)?;
        let position = match position.player() {
            OnitamaPlayer::Red => position,
            OnitamaPlayer::Blue => self.swapped(position),
        };
        let own = position.pieces(OnitamaPlayer::Red).count_ones() - 1;
        match self.ranks().parts(tier) {
            [first, second] if first.own != own => {
                Some((tier, first.len + self.rank_in(second, position)))
            }
            parts => Some((tier, self.rank_in(&parts[0], position))),
        }
    }

    #[inline]
    fn unrank(&self, tier: u64, rank: u64) -> Option<OnitamaPosition<W>> {
        let (part, rank) = self.part_of(tier, rank);
        let (rank, deal) = divide(rank, self.deals() as u64);
        self.pieces_of(part, rank)
            .map(|pieces| Self::with_deal(pieces, deal))
    }

    /// Pieces are found once for all deals.
    #[inline]
    fn unrank_range(&self, tier: u64, ranks: Range<u64>, out: &mut Vec<(u64, OnitamaPosition<W>)>) {
        let deals = self.deals() as u64;
        let mut rank = ranks.start;
        while rank < ranks.end {
            let (part, inside) = self.part_of(tier, rank);
            let (arrangement, first) = divide(inside, deals);
            let last = (first + ranks.end - rank).min(deals);
            if let Some(pieces) = self.pieces_of(part, arrangement) {
                let base = rank - first;
                out.extend((first..last).map(|deal| (base + deal, Self::with_deal(pieces, deal))));
            }
            rank += last - first;
        }
    }

    #[inline]
    fn periods(&self) -> Vec<u32> {
        let deals = self.deals() as u32;
        if deals == 1 {
            Vec::new()
        } else {
            alloc::vec![deals]
        }
    }

    /// A master that can be captured or can step on the other's arch.
    #[inline]
    fn obvious(&self, position: OnitamaPosition<W>) -> Option<Value> {
        let player = position.player();
        let own = position.pieces(player);
        let master = 1 << position.masters[player as usize];
        let other_master = position.masters[player.opponent() as usize];
        let arch = self.arches[player.opponent() as usize];
        let free_arch = if own >> arch & 1 == 0 { master } else { 0 };
        let wins = self.held(position).iter().any(|card| {
            self.sources(card.kind, player, other_master) & own != 0
                || self.sources(card.kind, player, arch) & free_arch != 0
        });
        wins.then_some(Value::Win(1))
    }

    /// Also a loss in two: after each move the opponent obviously wins.
    #[inline]
    fn implied(&self, position: OnitamaPosition<W>) -> Option<Value> {
        let lost = || (!self.has_safe_move(position)).then_some(Value::Loss(2));
        self.obvious(position).or_else(lost)
    }
}

impl<W: Bitboard> Retro for Onitama<W> {
    /// The card set aside is the one that was used, and a card of the hand was aside before.
    #[inline]
    fn predecessors(&self, position: OnitamaPosition<W>, out: &mut Vec<OnitamaPosition<W>>) {
        let player = position.player();
        let mover = player.opponent();
        let [pieces, master] = [
            position.pieces(mover),
            position.masters[mover as usize].into(),
        ];
        let occupied = pieces | position.pieces(player);
        let used = self.aside[position.deal()];
        let arch = 1_u64 << self.arches[player as usize];
        let before = OnitamaPosition {
            cards: position.cards ^ 1,
            ..position
        };
        let deals = self.held(before);
        for to in Squares(pieces) {
            let moves_master = master == u64::from(to);
            let barred = if moves_master {
                occupied | arch
            } else {
                occupied
            };
            let stayed = u64::from(self.setup.stay) << to;
            let sources = self.sources(used, mover, to) & (!barred | stayed);
            for from in Squares(sources) {
                let mut earlier = before;
                earlier.pieces[mover as usize] = W::narrow(pieces & !(1 << to) | 1 << from);
                if moves_master {
                    earlier.masters[mover as usize] = from;
                }
                out.extend(deals.iter().map(|held| OnitamaPosition {
                    cards: held.next_deal << 1 | mover as u16,
                    ..earlier
                }));
            }
        }
        for held in deals {
            let earlier = OnitamaPosition {
                cards: held.next_deal << 1 | mover as u16,
                ..before
            };
            if !self.can_move(earlier) {
                out.push(earlier);
            }
        }
    }

    /// The other's pieces and cards stay as they are unless a piece is captured, so whether it can win
    /// at once after a move depends on the square of the mover's master alone.
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
        for from in Squares(own) {
            for held in self.held(position) {
                let free = self.free_targets(own, player, held.kind, from);
                let quiet = free & !other;
                inside += quiet.count_ones();
                if from == master {
                    open += Squares(quiet).filter(|&to| threat.spares(to)).count() as u32;
                } else if master_is_safe {
                    open += quiet.count_ones();
                }
                if free & other != 0 {
                    captures += 1;
                    outside.extend(Self::moved(position, from, free & other, held.next_deal));
                }
            }
        }
        if inside + captures == 0 {
            return summary_by_moves(self, tier, position, outside);
        }
        let met = outside.len();
        // What was there before stays.
        let mut earlier = before;
        outside.retain(|&next| {
            let stays = earlier > 0;
            earlier = earlier.saturating_sub(1);
            stays || self.obvious(next).is_none()
        });
        let loses = open < inside || outside.len() < met;
        MoveSummary {
            open,
            best: loses.then_some(Value::Loss(2)),
        }
    }

    /// Squares are seen from the seat of the player who moved, so that the earlier positions need not be
    /// turned; the rank without the deal is the same for all earlier hands.
    #[inline]
    fn predecessor_ranks(&self, position: OnitamaPosition<W>, out: &mut Vec<u64>) {
        let mover = position.player().opponent();
        let after = OnitamaPosition {
            cards: position.cards ^ 1,
            ..position
        };
        let after = match mover {
            OnitamaPlayer::Red => after,
            OnitamaPlayer::Blue => self.swapped(after),
        };
        let [own, other] =
            [OnitamaPlayer::Red, OnitamaPlayer::Blue].map(|player| after.pieces(player));
        let [master, other_master] = after.masters;
        let students = own.count_ones() - 1;
        let tier = self.ranks().tier(students, other.count_ones() - 1);
        let parts = self.ranks().parts(tier);
        let (part, first) = match parts {
            [first, second] if first.own != students => (second, first.len),
            _ => (&parts[0], 0),
        };
        let deals = self.held(after);
        let used = self.aside[after.deal()];
        let lower = number_in(other, other_master);
        let winning = |held: &HeldCard| self.winning(held.next_deal, other_master);
        for to in Squares(own) {
            let moves_master = to == master;
            let arch = u64::from(moves_master) << self.arches[1];
            let stayed = u64::from(self.setup.stay) << to;
            let sources =
                self.sources(used, OnitamaPlayer::Red, to) & (!(own | other | arch) | stayed);
            for from in Squares(sources) {
                let earlier = own & !(1 << to) | 1 << from;
                let earlier_master = if moves_master { from } else { master };
                let mut rank = None;
                for held in deals {
                    if self.wins(winning(held), earlier, earlier_master) {
                        continue;
                    }
                    let base = *rank.get_or_insert_with(|| {
                        let mut rank = rank_subset(earlier);
                        rank = rank * u64::from(part.own + 1) + number_in(earlier, earlier_master);
                        rank = rank * part.other_sets.len() + rank_among(other, !earlier);
                        rank = rank * u64::from(part.other + 1) + lower;
                        first + rank * self.deals() as u64
                    });
                    out.push(base + u64::from(held.next_deal));
                }
            }
        }
        for held in deals {
            let earlier = OnitamaPosition {
                cards: held.next_deal << 1,
                ..after
            };
            if !self.can_move(earlier) && self.obvious(earlier).is_none() {
                out.extend(self.rank(earlier).map(|(_, rank)| rank));
            }
        }
    }
}

/// Squares from which a hand wins at once.
#[derive(Clone, Copy)]
struct Winning {
    /// A piece here captures the master.
    pieces: u64,
    /// A master here enters the arch, unless an own piece is on it.
    master: u64,
}

/// What a player could do to the other's master in the next ply.
#[derive(Clone, Copy)]
struct Threat {
    /// It can step on the arch: nothing helps.
    enters: bool,
    attacked: u64,
}

impl Threat {
    /// Whether a master on a square could be lost, or the arch entered.
    #[inline]
    fn spares(self, square: u8) -> bool {
        !self.enters && self.attacked >> square & 1 == 0
    }
}

impl<W: Bitboard> Onitama<W> {
    #[inline]
    fn winning(&self, deal: u16, other_master: u8) -> Winning {
        let cards = self.held[2 * usize::from(deal)].iter();
        let none = Winning {
            pieces: 0,
            master: 0,
        };
        cards.fold(none, |all, card| Winning {
            pieces: all.pieces | self.sources(card.kind, OnitamaPlayer::Red, other_master),
            master: all.master | self.sources(card.kind, OnitamaPlayer::Red, self.arches[1]),
        })
    }

    #[inline]
    fn wins(&self, winning: Winning, own: u64, master: u8) -> bool {
        winning.pieces & own != 0
            || winning.master >> master & 1 != 0 && own >> self.arches[1] & 1 == 0
    }

    #[inline]
    fn threat(&self, position: OnitamaPosition<W>, player: OnitamaPlayer) -> Threat {
        let pieces = position.pieces(player);
        let master = position.masters[player as usize];
        let arch = self.arches[player.opponent() as usize];
        let held = &self.held[usize::from(position.cards & !1) + player as usize];
        let mut threat = Threat {
            enters: false,
            attacked: 0,
        };
        for card in held {
            for from in Squares(pieces) {
                threat.attacked |= self.targets(card.kind, player, from);
            }
            threat.enters |= self.sources(card.kind, player, arch) >> master & 1 == 1;
        }
        threat.enters &= pieces >> arch & 1 == 0;
        threat
    }
}

impl<W: Bitboard> Onitama<W> {
    /// Whether a master is captured or on the other's arch.
    #[inline]
    fn is_over(&self, position: OnitamaPosition<W>) -> bool {
        position.masters.contains(&CAPTURED)
            || position.masters[0] == self.arches[1]
            || position.masters[1] == self.arches[0]
    }
}
