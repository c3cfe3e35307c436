use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use hindsight_core::combinatorics::{SetBits, expand, rank_subset, rank_subset_within};
use hindsight_core::{Ranked, Tiers, Value};

use super::position::CAPTURED;
use super::tiers::{OnitamaTierHalf, OnitamaTiers};
use super::{Bitboard, Onitama, OnitamaPlayer, OnitamaPosition};

/// Number of a square among the squares of a set, from 0.
#[inline]
pub(super) fn number_in(set: u64, square: u8) -> u64 {
    u64::from((set & ((1 << square) - 1)).count_ones())
}

/// Inverse of [`number_in`].
#[inline]
fn square_in(set: u64, number: u64) -> u8 {
    SetBits(set).nth(number as usize).expect("a number below the size of the set")
}

/// Pieces and masters of the mover and of the opponent.
#[derive(Clone, Copy)]
struct PlacedPieces {
    pieces: [u64; 2],
    masters: [u8; 2],
}

impl<W: Bitboard> Onitama<W> {
    /// Returns true if the game has fewer than 2^62 ranks. If not, the methods of [`Ranked`] that
    /// need tiers panic.
    #[must_use]
    #[inline]
    pub fn ranks_fit(&self) -> bool {
        self.ranks_fit
    }

    /// The tiers, computed on the first call, because random games do not need them.
    #[inline]
    pub(super) fn tier_index(&self) -> &OnitamaTiers {
        self.tiers.get_or_init(|| {
            assert!(self.ranks_fit, "a board whose positions fit 64 bits");
            let (squares, students) = (self.board().squares(), self.setup.students_per_side());
            Box::new(OnitamaTiers::new(squares, students, self.deals()))
        })
    }

    /// Rank inside a tier half of a position with Red to move.
    #[inline]
    fn rank_in(&self, half: &OnitamaTierHalf, position: OnitamaPosition<W>) -> u64 {
        let [own, other] =
            [OnitamaPlayer::Red, OnitamaPlayer::Blue].map(|player| position.pieces(player));
        let [own_master, other_master] = position.masters;
        let mut rank = rank_subset(own);
        rank = rank * u64::from(half.own + 1) + number_in(own, own_master);
        rank = rank * half.other_sets.len() + rank_subset_within(other, !own);
        rank = rank * u64::from(half.other + 1) + number_in(other, other_master);
        rank * self.deals() as u64 + position.deal() as u64
    }

    /// Ranks of a tier in which the mover, Red, has these pieces.
    #[inline]
    pub(super) fn ranks_of_own_pieces(&self, tier: u64, own: u64, master: u8) -> Range<u64> {
        let (half, begin) = match self.tier_index().halves(tier) {
            [first, second] if first.own + 1 != own.count_ones() => (second, first.len),
            halves => (&halves[0], 0),
        };
        let len = half.other_sets.len() * u64::from(half.other + 1) * self.deals() as u64;
        let number = rank_subset(own) * u64::from(half.own + 1) + number_in(own, master);
        begin + number * len..begin + (number + 1) * len
    }

    /// Pieces of a rank in a half, given as `rank / deals`; `None` for a hole.
    #[inline]
    fn pieces_of(&self, half: &OnitamaTierHalf, rank: u64) -> Option<PlacedPieces> {
        let (rest, other_master) = divide(rank, u64::from(half.other + 1));
        let (rest, other) = divide(rest, half.other_sets.len());
        let (own, own_master) = divide(rest, u64::from(half.own + 1));
        let own = half.own_sets.unrank(own);
        let own_master = square_in(own, own_master);
        let other = expand(half.other_sets.unrank(other), !own);
        let other_master = square_in(other, other_master);
        let is_over = own_master == self.arches[1] || other_master == self.arches[0];
        (!is_over)
            .then_some(PlacedPieces { pieces: [own, other], masters: [own_master, other_master] })
    }

    /// The position of these pieces in a deal, Red to move.
    #[inline]
    fn with_deal(placed: PlacedPieces, deal: u64) -> OnitamaPosition<W> {
        let red = OnitamaPlayer::Red;
        OnitamaPosition::new(placed.pieces, placed.masters, deal as usize, red)
    }

    /// The half in which a rank of a tier lies, and the rank inside the half.
    #[inline]
    fn half_of(&self, tier: u64, rank: u64) -> (&OnitamaTierHalf, u64) {
        match self.tier_index().halves(tier) {
            [first, second] if rank >= first.len => (second, rank - first.len),
            halves => (&halves[0], rank),
        }
    }

    /// Returns true if the player to move can move a piece.
    #[inline]
    pub(super) fn can_move(&self, position: OnitamaPosition<W>) -> bool {
        let player = position.player();
        let own = position.pieces(player);
        let held = self.hand(position);
        SetBits(own).any(|from| {
            held.iter().any(|card| self.free_targets(own, player, card.kind, from) != 0)
        })
    }

    /// Returns true if a master is captured or on the opponent's arch.
    #[inline]
    fn is_over(&self, position: OnitamaPosition<W>) -> bool {
        position.masters.contains(&CAPTURED)
            || position.masters[0] == self.arches[1]
            || position.masters[1] == self.arches[0]
    }
}

/// Quotient and remainder.
#[inline]
fn divide(n: u64, by: u64) -> (u64, u64) {
    (n / by, n % by)
}

impl<W: Bitboard> Tiers for Onitama<W> {
    #[inline]
    fn layers(&self) -> u32 {
        self.tier_index().len() as u32
    }

    #[inline]
    fn tiers(&self, layer: u32, out: &mut Vec<u64>) {
        out.push(layer.into());
    }

    #[inline]
    fn layer_successors(&self, layer: u32) -> Vec<u32> {
        let half = &self.tier_index().halves(layer.into())[0];
        let mut layers = Vec::new();
        if let Some(fewer) = half.other.checked_sub(1) {
            layers.push(self.tier_index().tier(half.own, fewer) as u32);
        }
        if let Some(fewer) = half.own.checked_sub(1).filter(|_| half.own != half.other) {
            layers.push(self.tier_index().tier(fewer, half.other) as u32);
        }
        layers.sort_unstable();
        layers
    }

    #[inline]
    fn layer_name(&self, layer: u32) -> String {
        let half = &self.tier_index().halves(layer.into())[0];
        format!("{} against {} students", half.own, half.other)
    }

    #[inline]
    fn tier_len(&self, tier: u64) -> u64 {
        let halves = self.tier_index().halves(tier);
        halves.iter().map(|half| half.len).sum()
    }
}

impl<W: Bitboard> Ranked for Onitama<W> {
    #[inline]
    fn tier(&self, position: OnitamaPosition<W>) -> Option<u64> {
        if self.is_over(position) {
            return None;
        }
        let students = |player| position.pieces(player).count_ones() - 1;
        let [red, blue] = [OnitamaPlayer::Red, OnitamaPlayer::Blue].map(students);
        Some(self.tier_index().tier(red, blue))
    }

    #[inline]
    fn rank(&self, position: OnitamaPosition<W>) -> Option<(u64, u64)> {
        let tier = self.tier(position)?;
        let position = match position.player() {
            OnitamaPlayer::Red => position,
            OnitamaPlayer::Blue => self.swapped(position),
        };
        let own = position.pieces(OnitamaPlayer::Red).count_ones() - 1;
        match self.tier_index().halves(tier) {
            [first, second] if first.own != own => {
                Some((tier, first.len + self.rank_in(second, position)))
            }
            halves => Some((tier, self.rank_in(&halves[0], position))),
        }
    }

    #[inline]
    fn unrank(&self, tier: u64, rank: u64) -> Option<OnitamaPosition<W>> {
        let (half, rank) = self.half_of(tier, rank);
        let (rank, deal) = divide(rank, self.deals() as u64);
        self.pieces_of(half, rank).map(|placed| Self::with_deal(placed, deal))
    }

    /// Unranks the pieces once for all deals.
    #[inline]
    fn unrank_range(&self, tier: u64, ranks: Range<u64>, out: &mut Vec<(u64, OnitamaPosition<W>)>) {
        let deals = self.deals() as u64;
        let mut rank = ranks.start;
        while rank < ranks.end {
            let (half, rank_in_half) = self.half_of(tier, rank);
            let (placement, first) = divide(rank_in_half, deals);
            let last = (first + ranks.end - rank).min(deals);
            if let Some(placed) = self.pieces_of(half, placement) {
                let base = rank - first;
                out.extend((first..last).map(|deal| (base + deal, Self::with_deal(placed, deal))));
            }
            rank += last - first;
        }
    }

    /// The number of deals, if there are several: the deal is the fastest digit of a rank.
    #[inline]
    fn rank_periods(&self) -> Vec<u32> {
        let deals = self.deals() as u32;
        if deals == 1 { Vec::new() } else { alloc::vec![deals] }
    }

    /// Returns `Win(1)` if a piece can capture the opponent's master, or the own master can enter
    /// the opponent's arch.
    #[inline]
    fn immediate_value(&self, position: OnitamaPosition<W>) -> Option<Value> {
        let player = position.player();
        let own = position.pieces(player);
        let master = 1 << position.masters[player as usize];
        let other_master = position.masters[player.opponent() as usize];
        let arch = self.arches[player.opponent() as usize];
        let entering = if own >> arch & 1 == 0 { master } else { 0 };
        let wins = self.hand(position).iter().any(|card| {
            self.sources(card.kind, player, other_master) & own != 0
                || self.sources(card.kind, player, arch) & entering != 0
        });
        wins.then_some(Value::Win(1))
    }

    /// Adds `Loss(2)`: after each move the opponent wins in one ply.
    #[inline]
    fn implied_value(&self, position: OnitamaPosition<W>) -> Option<Value> {
        let lost = || (!self.has_safe_move(position)).then_some(Value::Loss(2));
        self.immediate_value(position).or_else(lost)
    }

    #[inline]
    fn is_implied(&self, value: Value) -> Option<bool> {
        Some(matches!(value, Value::Win(1) | Value::Loss(2)))
    }
}
