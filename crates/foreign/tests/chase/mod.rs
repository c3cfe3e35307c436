//! A game with moves that can be taken back, tiers, holes, and positions without a rank.

use hindsight_core::Wdl;
use hindsight_foreign::{Answers, Description, ForeignRules, RankedPositions, RulesFault, Turns};

/// Cells of the ring.
const CELLS: u8 = 5;
/// Stones at the start.
const STONES: u8 = 3;

/// Two men on a ring of five cells, and some stones. A move steps to a cell beside, or takes a
/// stone. Who steps onto the other man wins. Without stones, a side to move on cell 0 has drawn;
/// with one left, on cell 2 it has won.
///
/// A position is the cell of the side to move, that of the other, the stones left, and the player
/// where it is told. The stones are its tier. Where one man was caught there is no rank if the
/// stones are odd.
pub(crate) struct Chase {
    description: Description,
    broken: Broken,
}

/// Fault of the answers about tier 2.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Broken {
    Nothing,
    OtherRank,
    NoRank,
    FarRank,
    FarTier,
    LaterTier,
    Size,
    Count,
}

impl Chase {
    pub(crate) fn new(turns: Turns, broken: Broken) -> Self {
        let mut start = vec![0, 2, STONES];
        start.extend((turns == Turns::Told).then_some(0));
        let players = if turns == Turns::Told { 2 } else { 1 };
        let tiers = vec![players * u64::from(CELLS * CELLS); usize::from(STONES) + 1];
        let description = Description { tiers, ..Description::new("chase", turns, start) };
        Self { description, broken }
    }

    fn tells(&self) -> bool {
        self.description.turns == Turns::Told
    }

    fn result(position: &[u8]) -> Option<Wdl> {
        match *position {
            [own, other, ..] if own == other => Some(Wdl::Loss),
            [0, _, 0, ..] => Some(Wdl::Draw),
            [2, _, 1, ..] => Some(Wdl::Win),
            _ => None,
        }
    }

    fn successors(position: &[u8]) -> Vec<Vec<u8>> {
        let (own, other, stones) = (position[0], position[1], position[2]);
        let mut next = vec![[other, (own + 1) % CELLS, stones]];
        next.push([other, (own + CELLS - 1) % CELLS, stones]);
        next.extend((stones > 0).then(|| [other, own, stones.wrapping_sub(1)]));
        let player = position.get(3).map(|player| 1 - player);
        next.into_iter().map(|next| next.into_iter().chain(player).collect()).collect()
    }

    fn size(&self) -> usize {
        self.description.position_bytes()
    }
}

impl ForeignRules for Chase {
    fn description(&self) -> &Description {
        &self.description
    }

    fn expand(&self, positions: &[u8], answers: &mut Answers) -> Result<(), RulesFault> {
        for position in positions.chunks_exact(self.size()) {
            let result = Self::result(position);
            let mut next = if result.is_none() { Self::successors(position) } else { Vec::new() };
            if self.broken == Broken::LaterTier && position[2] == 2 && result.is_none() {
                next[0][2] = 3;
            }
            answers.add(result, next);
        }
        Ok(())
    }

    fn players(&self, positions: &[u8], players: &mut Vec<u8>) -> Result<(), RulesFault> {
        players.extend(positions.chunks_exact(self.size()).map(|position| position[3]));
        Ok(())
    }

    fn rank(
        &self,
        positions: &[u8],
        addresses: &mut Vec<Option<(u64, u64)>>,
    ) -> Result<(), RulesFault> {
        if self.broken == Broken::Count {
            return Ok(());
        }
        for position in positions.chunks_exact(self.size()) {
            let (own, other, stones) = (position[0], position[1], position[2]);
            let player = position.get(3).copied().unwrap_or(0);
            let rank = u64::from((player * CELLS + own) * CELLS + other);
            let address = Some((u64::from(stones), rank));
            let address = match self.broken {
                _ if own == other && stones % 2 == 1 => None,
                Broken::NoRank if rank == 8 && stones == 2 => None,
                Broken::OtherRank if rank == 7 && stones == 2 => Some((2, 8)),
                Broken::FarRank if rank == 7 && stones == 2 => Some((2, 99)),
                Broken::FarTier if rank == 7 && stones == 2 => Some((9, 0)),
                _ => address,
            };
            addresses.push(address);
        }
        Ok(())
    }

    fn unrank(
        &self,
        tier: u64,
        ranks: &[u64],
        out: &mut RankedPositions,
    ) -> Result<(), RulesFault> {
        let cells = u64::from(CELLS);
        for &rank in ranks {
            let (own, other) = ((rank / cells % cells) as u8, (rank % cells) as u8);
            let player = (rank / (cells * cells)) as u8;
            out.positions.extend([own, other, tier as u8]);
            out.positions.extend(self.tells().then_some(player));
            out.exist.push(own != other || tier.is_multiple_of(2));
        }
        if self.broken == Broken::Size {
            out.positions.push(0);
        }
        Ok(())
    }
}
