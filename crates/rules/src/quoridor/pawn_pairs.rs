use alloc::vec::Vec;

use hindsight_core::combinatorics::SetBits;
use hindsight_core::{PawnJump, PawnPairRules, PawnPairSymmetry, PawnPairs, Subgames};

use super::Quoridor;
use super::position::{Fences, QuoridorPosition};
use super::tier_numbering::TierNumbering;

impl Quoridor {
    /// Images of each single fence, in the order of
    /// [`super::board::QuoridorBoard::symmetric_images`]. Index: `anchor` for a horizontal fence,
    /// `anchors + anchor` for a vertical one.
    #[inline]
    pub(super) fn images_of_fences(&self) -> Vec<[Fences; 4]> {
        let anchors = 0..self.board.anchors();
        let horizontal =
            anchors.clone().map(|anchor| Fences { horizontal: 1 << anchor, vertical: 0 });
        let vertical = anchors.map(|anchor| Fences { horizontal: 0, vertical: 1 << anchor });
        let fences = horizontal.chain(vertical);
        fences
            .map(|fence| self.board.symmetric_images(fence, [0, 0]).map(|image| image.0))
            .collect()
    }
}

impl PawnPairs for Quoridor {
    #[inline]
    fn squares(&self) -> u8 {
        self.board.squares()
    }

    #[inline]
    fn pawn_pair_rules(&self, tier: u64, rules: &mut PawnPairRules) {
        let (fences, _) = self.numbering().fences_and_hands(tier);
        let open_steps = self.board.open_steps(fences);
        let goals = self.board.goal_rows;
        let [white, black] = goals.map(|goal| open_steps.reachable(goal));
        rules.own = [white & !goals[0], black & !goals[1]];
        rules.other = [black, white];
        rules.lost = [goals[1], goals[0]];
        rules.steps = [(self.board.width, open_steps.north), (1, open_steps.east)];
        rules.jumps.clear();
        for over in 0..self.board.squares() {
            for from in SetBits(open_steps.neighbours(1 << over)) {
                let to = self.jump_targets(open_steps, from, over);
                if to != 0 {
                    rules.jumps.push(PawnJump { from, over, to });
                }
            }
        }
    }

    #[inline]
    fn tiers_after(&self, tier: u64, side: usize, out: &mut Vec<(u64, u8)>) {
        let (fences, mut hands) = self.numbering().fences_and_hands(tier);
        if hands[side] == 0 {
            return;
        }
        hands[side] -= 1;
        let placeable = self.board.placeable_fences(fences);
        let images = self.board.symmetric_images(fences, hands);
        let more_symmetries = &self.numbering().symmetries()[1..];
        let placeable = SetBits(self.numbering().fence_set(placeable));
        out.extend(placeable.map(|fence| {
            let more = self.fence_images[usize::from(fence)];
            let member = |i: usize| (images[i].0.with(more[i]), images[i].1);
            let least = more_symmetries.iter().fold((0, member(0)), |least, &i| {
                let member = member(i);
                if member < least.1 { (i, member) } else { least }
            });
            let (image, (fences, hands)) = least;
            (self.numbering().tier(fences, hands), image as u8)
        }));
    }

    #[inline]
    fn tiers_before(&self, tier: u64, side: usize, out: &mut Vec<(u64, u8)>) {
        let (fences, mut hands) = self.numbering().fences_and_hands(tier);
        let numbering = self.numbering();
        if hands[side] == numbering.stock()[side] {
            return;
        }
        hands[side] += 1;
        let images = self.board.symmetric_images(fences, hands);
        let set = numbering.fence_set(fences);
        for fence in SetBits(set & !numbering.fence_set(numbering.fixed())) {
            let removed = self.fence_images[usize::from(fence)];
            let member = |i: usize| (images[i].0.without(removed[i]), images[i].1);
            let members = || numbering.symmetries().iter().map(|&i| (i, member(i)));
            let least = members().map(|(_, member)| member).min();
            let least = least.expect("at least the identity");
            let tier = numbering.tier(least.0, least.1);
            let members = members().filter(|&(_, member)| member == least);
            out.extend(members.map(|(image, _)| (tier, image as u8)));
        }
    }

    #[inline]
    fn symmetries(&self) -> Vec<PawnPairSymmetry> {
        let squares = self.board.squares();
        let image = |mirrors: bool, swaps: bool| {
            let turned = |square: u8| if swaps { squares - 1 - square } else { square };
            let mirrored = |square: u8| {
                if mirrors { self.board.mirrored_square(square) } else { square }
            };
            PawnPairSymmetry {
                exchanges_players: swaps,
                squares: (0..squares).map(|s| turned(mirrored(s))).collect(),
            }
        };
        [(false, false), (true, false), (false, true), (true, true)]
            .map(|(mirrors, swaps)| image(mirrors, swaps))
            .to_vec()
    }
}

/// A subgame is the same game with another start and with numbers for the tiers after it. Texts and
/// moves are those of the whole game.
impl Subgames for Quoridor {
    type Subgame = Self;

    /// 64 bits number the tiers on every board if at most 13 fences are in hand.
    #[inline]
    fn subgame(&self, position: QuoridorPosition) -> Option<Self> {
        let numbering = TierNumbering::new(&self.board, position.fences, position.hands)?;
        let mut subgame = self.clone();
        subgame.start = position;
        subgame.numbering = Some(numbering);
        Some(subgame)
    }
}
