use alloc::vec::Vec;
use core::ops::Range;

use hindsight_core::{Placement, Ranked, TwoSided, TwoSidedMirror, TwoSidedRules};

use super::{Bitboard, Onitama, OnitamaPlayer, OnitamaPosition};

/// Side 0 is Red. A context is a deal. The kind of a move into a context is the card then set
/// aside.
impl<W: Bitboard> TwoSided for Onitama<W> {
    #[inline]
    fn two_sided_rules(&self) -> TwoSidedRules {
        let squares = self.board().squares();
        let players = [OnitamaPlayer::Red, OnitamaPlayer::Blue];
        let next = |player: OnitamaPlayer| {
            let held = self.hands.iter().skip(player as usize).step_by(2);
            held.map(|held| held.iter().map(|card| card.next_deal).collect()).collect()
        };
        let targets = |player: OnitamaPlayer| {
            let kinds = 0..self.kinds().len() as u8;
            let by_square = |kind: u8| -> Vec<u32> {
                let froms = 0..squares;
                froms.map(|from| self.targets(kind, player, from) as u32).collect()
            };
            kinds.map(by_square).collect()
        };
        TwoSidedRules {
            squares,
            max_followers: self.setup().students_per_side(),
            kind_into: self.kind_aside.clone(),
            next_contexts: players.map(next),
            targets: players.map(targets),
            exchanged_contexts: self.swapped_deal.clone(),
            mirror: self
                .mirrored_deals()
                .map(|contexts| TwoSidedMirror { width: self.setup().width, contexts }),
            goals: [OnitamaPlayer::Blue, OnitamaPlayer::Red]
                .map(|player| self.board().arch(player)),
        }
    }

    #[inline]
    fn placement(&self, position: OnitamaPosition<W>) -> Option<Placement> {
        self.tier(position)?;
        let followers = [OnitamaPlayer::Red, OnitamaPlayer::Blue].map(|player| {
            let master = 1 << position.masters[player as usize];
            (position.pieces(player) & !master) as u32
        });
        Some(Placement {
            mover: position.player() as usize,
            followers,
            leaders: position.masters,
            context: position.deal() as u16,
        })
    }

    #[inline]
    fn position_of(&self, placement: Placement) -> OnitamaPosition<W> {
        let side =
            |side: usize| u64::from(placement.followers[side]) | 1 << placement.leaders[side];
        let player = [OnitamaPlayer::Red, OnitamaPlayer::Blue][placement.mover];
        let deal = usize::from(placement.context);
        OnitamaPosition::new([side(0), side(1)], placement.leaders, deal, player)
    }

    #[inline]
    fn ranks_beside(&self, followers: u32, leader: u8, other: u32) -> (u64, Range<u64>) {
        let tier = self.tier_index().tier(followers.count_ones(), other);
        let pieces = u64::from(followers) | 1 << leader;
        (tier, self.ranks_of_own_pieces(tier, pieces, leader))
    }
}
