use alloc::vec::Vec;

use hindsight_combinatorics::SetBits;
use hindsight_core::{PawnJump, PawnPairRules, PawnPairSymmetry, PawnPairs};

use super::Quoridor;
use super::position::Fences;

impl Quoridor {
    /// Images of each single fence, in the order of [`Quoridor::symmetric_images`]. Index: `anchor`
    /// for a horizontal fence, `anchors + anchor` for a vertical one.
    #[inline]
    pub(super) fn images_of_fences(&self) -> Vec<[Fences; 4]> {
        let anchors = 0..self.board.anchors();
        let horizontal = anchors.clone().map(|anchor| Fences {
            horizontal: 1 << anchor,
            vertical: 0,
        });
        let vertical = anchors.map(|anchor| Fences {
            horizontal: 0,
            vertical: 1 << anchor,
        });
        let fences = horizontal.chain(vertical);
        fences
            .map(|fence| self.symmetric_images(fence, [0, 0]).map(|image| image.0))
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
        let images = self.symmetric_images(fences, hands);
        let symmetries = if self.has_equal_stocks() { 4 } else { 2 };
        let placeable = SetBits(self.numbering().fence_set(placeable));
        out.extend(placeable.map(|fence| {
            let more = self.fence_images[usize::from(fence)];
            let member = |i: usize| (images[i].0.with(more[i]), images[i].1);
            let least = (1..symmetries).fold((0, member(0)), |least, i| {
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
        if hands[side] == self.setup().stock[side] {
            return;
        }
        hands[side] += 1;
        let symmetries = if self.has_equal_stocks() { 4 } else { 2 };
        let set = self.numbering().fence_set(fences);
        for fence in SetBits(set) {
            let fewer = self.numbering().fences_in(set & !(1 << fence));
            let members = self.symmetric_images(fewer, hands);
            let members = &members[..symmetries];
            let least = members.iter().min().expect("at least two symmetries");
            let tier = self.numbering().tier(least.0, least.1);
            let images = (0..).zip(members).filter(|(_, member)| *member == least);
            out.extend(images.map(|(image, _)| (tier, image)));
        }
    }

    #[inline]
    fn symmetries(&self) -> Vec<PawnPairSymmetry> {
        let squares = self.board.squares();
        let image = |mirrors: bool, swaps: bool| {
            let turned = |square: u8| if swaps { squares - 1 - square } else { square };
            let mirrored = |square: u8| {
                if mirrors {
                    self.board.mirrored_square(square)
                } else {
                    square
                }
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
