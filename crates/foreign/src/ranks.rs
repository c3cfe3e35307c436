//! Ranks of foreign positions: tiers are layers, and are solved as those of any game.

use std::ops::Range;

use hindsight_core::{
    Game, MoveSummary, Packed, RankSummaries, RankSummary, Ranked, Retro, Tiers, Value,
};

use crate::edges::{BLOCK, BlockEdges};
use crate::fault::RulesFault;
use crate::game::{ForeignGame, MOST_SUCCESSORS};
use crate::rules::{MOST_POSITIONS, RankedPositions};

/// Ranks of a tier by which its moves are estimated.
const SAMPLES: u64 = 1024;
/// Bytes of a move while the moves of a tier are turned around, and of a rank.
const BYTES_PER_MOVE: u64 = 8;
const BYTES_PER_RANK: u64 = 4;

/// Tier and rank of a position; `None` for one where the game is over.
type Address = Option<(u64, u64)>;

impl ForeignGame {
    /// Asks for the ranks of any number of positions.
    fn addresses_of(&self, positions: &[u8], out: &mut Vec<Address>) {
        for positions in positions.chunks(MOST_POSITIONS * self.bytes) {
            let (first, count) = (out.len(), positions.len() / self.bytes);
            let told = self.rules.rank(positions, out);
            self.told(told.and_then(|()| self.check_addresses(positions, &out[first..])));
            debug_assert_eq!(out.len(), first + count);
        }
    }

    fn check_addresses(&self, positions: &[u8], addresses: &[Address]) -> Result<(), RulesFault> {
        let (asked, got) = (positions.len() / self.bytes, addresses.len());
        if asked != got {
            return Err(RulesFault::new(format!("{got} ranks of {asked} positions")));
        }
        let tiers = &self.description().tiers;
        for (position, address) in positions.chunks_exact(self.bytes).zip(addresses) {
            let Some((tier, rank)) = *address else { continue };
            let fault = match tiers.get(tier as usize) {
                None => format!("tier {tier}, but there are {}", tiers.len()),
                Some(&len) if rank >= len => {
                    format!("rank {rank} of tier {tier}, which has {len}")
                }
                Some(_) => continue,
            };
            return Err(RulesFault::new(fault).at(|| self.text_of(position)));
        }
        Ok(())
    }

    /// Asks for the positions of some ranks, [`MOST_POSITIONS`] at most.
    fn positions_of(&self, tier: u64, ranks: &[u64]) -> RankedPositions {
        let mut out = RankedPositions::default();
        let told = self.rules.unrank(tier, ranks, &mut out);
        self.told(told.and_then(|()| {
            let RankedPositions { positions, exist } = &out;
            if exist.len() == ranks.len() && positions.len() == ranks.len() * self.bytes {
                return Ok(());
            }
            let (got, asked) = (exist.len(), ranks.len());
            Err(RulesFault::new(format!("{got} positions of {asked} ranks, or of another size")))
        }));
        out
    }

    /// Returns the ranks that have positions, and the bytes of these.
    fn existing(&self, tier: u64, ranks: Range<u64>) -> (Vec<u64>, Vec<u8>) {
        let ranks: Vec<u64> = ranks.collect();
        let RankedPositions { mut positions, exist } = self.positions_of(tier, &ranks);
        if exist.iter().all(|&exists| exists) {
            return (ranks, positions);
        }
        let mut kept = Vec::new();
        for (place, &rank) in ranks.iter().enumerate().filter(|&(place, _)| exist[place]) {
            let bytes = place * self.bytes..(place + 1) * self.bytes;
            positions.copy_within(bytes, kept.len() * self.bytes);
            kept.push(rank);
        }
        positions.truncate(kept.len() * self.bytes);
        (kept, positions)
    }

    fn unranked(&self, position: &[u8]) -> RulesFault {
        RulesFault::new("there is no rank, although the game is not over")
            .at(|| self.text_of(position))
    }

    /// Returns the values of positions without a rank, in which the game must be over.
    fn values_of_unranked(&self, positions: &[u8]) -> Vec<Value> {
        let mut values = Vec::new();
        for positions in positions.chunks(MOST_POSITIONS * self.bytes) {
            let answers = self.ask_bytes(positions);
            for (position, &(result, _)) in
                positions.chunks_exact(self.bytes).zip(&answers.positions)
            {
                let result = result.ok_or_else(|| self.unranked(position));
                values.push(Value::terminal(self.told(result)));
            }
        }
        values
    }

    /// Summarizes the moves of at most [`MOST_POSITIONS`] ranks, and returns those that stay in the
    /// tier.
    fn summarize(&self, tier: u64, ranks: Range<u64>, out: &mut RankSummaries) -> BlockEdges {
        let mut edges = BlockEdges::default();
        let (existing, positions) = self.existing(tier, ranks.clone());
        let (mut own, mut addresses) = (Vec::new(), Vec::new());
        self.addresses_of(&positions, &mut own);
        let (mut existing, mut positions) = (&existing[..], &positions[..]);
        for ((position, &rank), &address) in
            positions.chunks_exact(self.bytes).zip(existing).zip(&own)
        {
            if address != Some((tier, rank)) {
                let met = match address {
                    Some((tier, rank)) => format!("rank {rank} of tier {tier}"),
                    None => "no rank".to_string(),
                };
                let fault = format!("rank {rank} of tier {tier} is that of a position with {met}");
                self.told(Err(RulesFault::new(fault).at(|| self.text_of(position))))
            }
        }
        while !existing.is_empty() {
            let asked = self.batch_len(MOST_SUCCESSORS).min(existing.len());
            let (batch, rest) = positions.split_at(asked * self.bytes);
            let (ranks_of_batch, others) = existing.split_at(asked);
            (existing, positions) = (others, rest);
            let answers = self.ask_bytes(batch);
            addresses.clear();
            self.addresses_of(&answers.successors, &mut addresses);
            let mut unranked = Vec::new();
            let successors = answers.successors.chunks_exact(self.bytes).zip(&addresses);
            for (successor, _) in successors.filter(|(_, address)| address.is_none()) {
                unranked.extend_from_slice(successor);
            }
            let mut values = self.values_of_unranked(&unranked).into_iter();
            let mut addresses = addresses.iter();
            let asked = batch.chunks_exact(self.bytes).zip(ranks_of_batch).zip(&answers.positions);
            for ((position, &rank), &(result, count)) in asked {
                let mut moves = MoveSummary { best: result.map(Value::terminal), open: 0 };
                let mut exits = 0;
                for address in addresses.by_ref().take(count as usize) {
                    match *address {
                        Some((to, _)) if to > tier => {
                            let fault = format!(
                                "a move leads from tier {tier} to tier {to}, which is solved later"
                            );
                            self.told(Err(RulesFault::new(fault).at(|| self.text_of(position))))
                        }
                        Some((to, target)) if to == tier => {
                            moves.open += 1;
                            edges.targets.push(target as u32);
                        }
                        Some(address) => {
                            exits += 1;
                            out.exits.push(address);
                        }
                        None => {
                            let value = values.next().expect("a value for each");
                            moves.best = moves.best.max(Some(value.before()));
                        }
                    }
                }
                if moves.open > 0 {
                    edges.sources.push(((rank - ranks.start) as u16, moves.open as u16));
                }
                // A move into the tier is open even where it ends the game: whether it does is not
                // known here. So positions in which the game is over are propagated as others are.
                out.ranks.push(RankSummary { rank, value: None, moves, exits });
            }
        }
        edges
    }

    /// Returns the ranks of a block.
    fn block(&self, tier: u64, block: u64) -> Range<u64> {
        block * BLOCK..self.tier_len(tier).min((block + 1) * BLOCK)
    }
}

impl Tiers for ForeignGame {
    fn layers(&self) -> u32 {
        self.description().tiers.len() as u32
    }

    fn tier_len(&self, tier: u64) -> u64 {
        let len = usize::try_from(tier).ok().and_then(|tier| self.description().tiers.get(tier));
        len.copied().unwrap_or(0)
    }

    fn work_bytes(&self, tier: u64) -> u64 {
        let len = self.tier_len(tier);
        let step = len.div_ceil(SAMPLES).max(1);
        let ranks: Vec<u64> = (0..len).step_by(step as usize).collect();
        let RankedPositions { positions, exist } = self.positions_of(tier, &ranks);
        let mut moves = 0;
        for (position, _) in positions.chunks_exact(self.bytes).zip(exist).filter(|&(_, e)| e) {
            moves += u64::from(self.known(self.pack(position, 0)).moves);
        }
        let moves = (u128::from(moves) * u128::from(len)).div_ceil(ranks.len().max(1) as u128);
        BYTES_PER_RANK * len + BYTES_PER_MOVE * moves as u64
    }
}

impl Ranked for ForeignGame {
    fn rank(&self, position: Packed) -> Option<(u64, u64)> {
        let known = self.known(position);
        let address = known.address.get_or_init(|| {
            let bytes = &self.unpack(&position)[..self.bytes];
            let mut addresses = Vec::new();
            self.addresses_of(bytes, &mut addresses);
            if addresses[0].is_none() && (known.result.is_none() || position == self.start()) {
                self.told(Err(self.unranked(bytes)))
            }
            addresses[0]
        });
        *address
    }

    fn rank_all(&self, positions: &[Packed], out: &mut Vec<Address>) {
        self.addresses_of(&self.bytes_of_all(positions), out);
    }

    fn unrank(&self, tier: u64, rank: u64) -> Option<Packed> {
        let RankedPositions { positions, exist } = self.positions_of(tier, &[rank]);
        exist[0].then(|| self.pack(&positions, 0))
    }

    fn is_implied(&self, _value: Value) -> Option<bool> {
        Some(false)
    }

    /// Asks for the answers too: whoever lists positions looks whether the game is over there.
    fn unrank_range(&self, tier: u64, ranks: Range<u64>, out: &mut Vec<(u64, Packed)>) {
        let mut begin = ranks.start;
        while begin < ranks.end {
            let end = ranks.end.min(begin + self.batch_len(MOST_SUCCESSORS) as u64);
            let (ranks, bytes) = self.existing(tier, begin..end);
            let first = out.len();
            let positions = bytes.chunks_exact(self.bytes).map(|bytes| self.pack(bytes, 0));
            out.extend(ranks.into_iter().zip(positions));
            let listed: Vec<Packed> = out[first..].iter().map(|&(_, position)| position).collect();
            if !listed.is_empty() {
                self.ask_and_keep(&listed);
            }
            begin = end;
        }
    }
}

impl Retro for ForeignGame {
    fn predecessors(&self, position: Packed, out: &mut Vec<Packed>) {
        let Some((tier, rank)) = self.rank(position) else { return };
        let mut ranks = Vec::new();
        self.predecessors_of_ranks(tier, &[rank], &mut ranks);
        for ranks in ranks.chunks(MOST_POSITIONS) {
            let positions = self.positions_of(tier, ranks).positions;
            out.extend(positions.chunks_exact(self.bytes).map(|bytes| self.pack(bytes, 0)));
        }
    }

    fn summarize_ranks(&self, tier: u64, ranks: Range<u64>, out: &mut RankSummaries) {
        let mut begin = ranks.start;
        while begin < ranks.end {
            let block = begin / BLOCK;
            let end = ranks.end.min((block + 1) * BLOCK);
            let edges = self.summarize(tier, begin..end, out);
            if self.block(tier, block) == (begin..end) {
                self.edges.of(tier, self.tier_len(tier)).record(block, edges);
            }
            begin = end;
        }
    }

    fn predecessors_of_ranks(&self, tier: u64, ranks: &[u64], out: &mut Vec<u64>) {
        if ranks.is_empty() {
            return;
        }
        let len = self.tier_len(tier);
        let look =
            |block| self.summarize(tier, self.block(tier, block), &mut RankSummaries::default());
        let mut visit = |source: u32| out.push(source.into());
        let edges = self.edges.of(tier, len);
        self.told(edges.each_source(ranks, len, &look, &mut visit));
    }

    fn leave_tier(&self, tier: u64) {
        self.edges.leave(tier);
    }
}
