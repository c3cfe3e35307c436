use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

use hindsight_core::combinatorics::SetBits;
use hindsight_core::{OrbitRun, Ranked, Retro, Tiers, Value};

use super::fence_sets::count_fence_sets;
use super::position::{Fences, QuoridorPosition};
use super::tier_enumerator::TierEnumerator;
use super::tier_numbering::TierNumbering;
use super::{Quoridor, QuoridorPlayer};

/// Data shared by all positions of a tier.
struct TierContents {
    fences: Fences,
    hands: [u8; 2],
    /// Squares with a path to the goal row of White and of Black.
    paths: [u128; 2],
}

impl Quoridor {
    /// Returns true if 64 bits can number all tiers. If not, the methods of [`Ranked`] panic.
    #[must_use]
    #[inline]
    pub fn ranks_fit(&self) -> bool {
        self.numbering.is_some()
    }

    #[inline]
    pub(super) fn numbering(&self) -> &TierNumbering {
        let numbering = self.numbering.as_ref();
        numbering.expect("tiers whose numbers fit 64 bits")
    }

    #[inline]
    fn tier_contents(&self, tier: u64) -> TierContents {
        let (fences, hands) = self.numbering().fences_and_hands(tier);
        let open_steps = self.board.open_steps(fences);
        TierContents {
            fences,
            hands,
            paths: self.board.goal_rows.map(|goal| open_steps.reachable(goal)),
        }
    }

    /// The position of a rank in a tier; `None` for a hole.
    #[inline]
    fn position_of_rank(&self, contents: &TierContents, rank: u64) -> Option<QuoridorPosition> {
        let squares = u64::from(self.board.squares());
        let (own, rest) = ((rank % squares) as u8, rank / squares);
        let other = (rest % squares) as u8;
        let (player, pawns) = match rest / squares {
            0 => (QuoridorPlayer::White, [own, other]),
            _ => (QuoridorPlayer::Black, [other, own]),
        };
        let on = |squares: u128, pawn: u8| squares >> pawn & 1 == 1;
        let is_hole = own == other
            || on(self.board.goal_rows[player as usize], own)
            || !on(contents.paths[0], pawns[0])
            || !on(contents.paths[1], pawns[1]);
        (!is_hole).then_some(QuoridorPosition {
            fences: contents.fences,
            pawns,
            hands: contents.hands,
            player,
        })
    }

    /// The image in the tier with the least number. If several images are, the first symmetry
    /// counts, the identity before all others.
    #[inline]
    fn ranked_image(&self, position: QuoridorPosition) -> QuoridorPosition {
        let images = (self.board).symmetric_images(position.fences, position.hands);
        let symmetries = self.numbering().symmetries().iter().copied();
        let least = symmetries.min_by_key(|&i| images[i]);
        self.image(position, least.expect("at least the identity"))
    }

    /// The image of a position under a symmetry, by its index in
    /// [`super::board::QuoridorBoard::symmetric_images`].
    #[inline]
    fn image(&self, position: QuoridorPosition, symmetry: usize) -> QuoridorPosition {
        match symmetry {
            0 => position,
            1 => self.mirrored(position),
            2 => self.swapped(position),
            _ => self.swapped(self.mirrored(position)),
        }
    }

    /// The first image whose tier has a number: the position itself, unless this is a subgame.
    #[inline]
    fn numbered_image(&self, position: QuoridorPosition) -> Option<QuoridorPosition> {
        let is_numbered = |&image: &QuoridorPosition| {
            let numbering = self.numbering();
            numbering.contains(image.fences, image.hands)
        };
        (0..4).map(|i| self.image(position, i)).find(is_numbered)
    }
}

/// A tier is a set of fences, up to symmetry, with the fences in each hand. Its layer is the number
/// of fences on the board, the most first. In a subgame, the fences of its first position are in
/// every tier.
impl Tiers for Quoridor {
    #[inline]
    fn layers(&self) -> u32 {
        self.numbering().layers()
    }

    /// Cost: less than 100 ns for each set of fences that neither overlap nor cross.
    #[inline]
    fn tiers(&self, layer: u32, out: &mut Vec<u64>) {
        let numbering = self.numbering();
        TierEnumerator::new(self, numbering, numbering.placed(layer), out).append_tiers();
    }

    /// Estimate from the number of fence sets, as if all images of each set were different.
    #[inline]
    fn estimated_tiers(&self, layer: u32) -> u64 {
        let placed = self.numbering().placed(layer);
        let numbering = self.numbering();
        let [row, rows] = [self.board.width - 1, self.board.height - 1];
        let placeable = self.board.placeable_fences(numbering.fixed());
        let tiers = count_fence_sets(row, rows, placeable, placed)
            .saturating_mul(numbering.splits(placed).count.into())
            .div_ceil(numbering.symmetries().len() as u128);
        u64::try_from(tiers).unwrap_or(u64::MAX)
    }

    /// Estimate from that of the tiers, which have the same length.
    #[inline]
    fn estimated_ranks(&self, layer: u32) -> u64 {
        let tiers = self.estimated_tiers(layer);
        tiers.saturating_mul(self.tier_len(0))
    }

    #[inline]
    fn layer_successors(&self, layer: u32) -> Vec<u32> {
        layer.checked_sub(1).into_iter().collect()
    }

    #[inline]
    fn layer_name(&self, layer: u32) -> String {
        let numbering = self.numbering();
        match numbering.fixed().len() as u8 + numbering.placed(layer) {
            0 => String::from("no fence on the board"),
            1 => String::from("1 fence on the board"),
            placed => format!("{placed} fences on the board"),
        }
    }

    #[inline]
    fn tier_len(&self, _: u64) -> u64 {
        2 * u64::from(self.board.squares()).pow(2)
    }

    #[inline]
    fn orbit_run(&self, tier: u64, rank: u64) -> OrbitRun {
        OrbitRun { ranks: rank..self.tier_len(tier), orbit_size: self.tier_orbit_size(tier) }
    }
}

impl Quoridor {
    /// Returns the number of tiers equal to a tier by symmetry, itself included.
    #[must_use]
    pub fn tier_orbit_size(&self, tier: u64) -> u64 {
        let (fences, hands) = self.numbering().fences_and_hands(tier);
        let images = self.board.symmetric_images(fences, hands);
        let symmetries = self.numbering().symmetries();
        let unmoved = symmetries.iter().filter(|&&i| images[i] == images[0]);
        (symmetries.len() / unmoved.count()) as u64
    }
}

/// `rank = (player * squares + other) * squares + own`, where `own` is the pawn of the player to
/// move. Lost positions, with the other pawn on its goal row, have ranks too. A position outside a
/// subgame has none.
impl Ranked for Quoridor {
    #[inline]
    fn rank_periods(&self) -> Vec<u32> {
        let squares = u32::from(self.board.squares());
        alloc::vec![squares, 2 * squares * squares]
    }

    #[inline]
    fn rank(&self, position: QuoridorPosition) -> Option<(u64, u64)> {
        let position = self.ranked_image(self.numbered_image(position)?);
        let [own, other] = position.own_and_other().map(u64::from);
        let squares = u64::from(self.board.squares());
        let rank = (position.player as u64 * squares + other) * squares + own;
        let tier = self.numbering().tier(position.fences, position.hands);
        Some((tier, rank))
    }

    #[inline]
    fn unrank(&self, tier: u64, rank: u64) -> Option<QuoridorPosition> {
        self.position_of_rank(&self.tier_contents(tier), rank)
    }

    /// Decodes the tier once; each rank then takes about 5 ns.
    #[inline]
    fn unrank_range(&self, tier: u64, ranks: Range<u64>, out: &mut Vec<(u64, QuoridorPosition)>) {
        let contents = self.tier_contents(tier);
        out.extend(ranks.filter_map(|rank| Some((rank, self.position_of_rank(&contents, rank)?))));
    }

    /// Returns `Win(1)` if the pawn can step or jump to its goal row.
    #[inline]
    fn immediate_value(&self, position: QuoridorPosition) -> Option<Value> {
        let open_steps = self.board.open_steps(position.fences);
        let [own, other] = position.own_and_other();
        let wins = self.pawn_targets(open_steps, own, other)
            & self.board.goal_rows[position.player as usize];
        (wins != 0).then_some(Value::Win(1))
    }

    /// A win in one may also leave the opponent without a move, which the rule does not see.
    #[inline]
    fn is_implied(&self, value: Value) -> Option<bool> {
        (value != Value::Win(1)).then_some(false)
    }
}

impl Retro for Quoridor {
    #[inline]
    fn predecessors(&self, position: QuoridorPosition, out: &mut Vec<QuoridorPosition>) {
        let open_steps = self.board.open_steps(position.fences);
        let [still, moved] = position.own_and_other();
        let mover = position.player.opponent();
        let square = 1_u128 << moved;
        let steps = open_steps.neighbours(square) & !(1 << still);
        let jumps: u128 = SetBits(open_steps.neighbours(1 << still))
            .filter(|&from| self.jump_targets(open_steps, from, still) & square != 0)
            .map(|from| 1 << from)
            .sum();
        // A pawn on its goal row cannot have moved: the game was over.
        let from = (steps | jumps) & !self.board.goal_rows[mover as usize];
        out.extend(SetBits(from).map(|from| {
            let mut before = position;
            before.pawns[mover as usize] = from;
            before.player = mover;
            before
        }));
    }
}
