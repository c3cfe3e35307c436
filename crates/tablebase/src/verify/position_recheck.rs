//! Recomputation of a layer's values from the values of the successors.

use std::ops::Range;

use hindsight_core::{Expansion, Game, Packed, PackedGame, Ranked, Value, Wdl};
use hindsight_engine::Layer;

use super::verifier::difference;
use crate::symbols::ordinals::{LoadedLayers, TierStarts, checked_before, tier_pieces};
use crate::verdict::TableVerdict;

/// Faults of values that cannot be recomputed.
const NO_VALUE: &str = "a successor has no value";
const NO_SUCCESSOR: &str = "a position that is not over has no successor";
/// Successors that rules outside are asked for at once, about.
const MOST_SUCCESSORS: usize = 1 << 16;

/// A layer whose values are recomputed.
pub(super) struct PositionRecheck<'a> {
    pub(super) game: &'a PackedGame,
    /// True if the positions are keys, which are those of canonical members.
    pub(super) is_reachable: bool,
    pub(super) layer: &'a Layer,
    /// The layer itself and its successor layers.
    pub(super) layers: LoadedLayers<'a>,
}

/// Buffers for the successors of a position.
#[derive(Default)]
struct SuccessorScratch {
    successors: Vec<Packed>,
    /// Tier and rank of each ranked successor that is not terminal.
    addresses: Vec<(u64, u64)>,
}

impl PositionRecheck<'_> {
    pub(super) fn run(&self, ordinals: Range<u64>) -> TableVerdict {
        let begin = ordinals.start as usize;
        let mut verdict = TableVerdict::default();
        let (mut ranked, mut scratch) = (Vec::new(), SuccessorScratch::default());
        for piece in tier_pieces(TierStarts::of(self.layer), ordinals) {
            let codes = &self.layer.codes[begin + piece.span.start..begin + piece.span.end];
            let ranks = piece.rank..piece.rank + codes.len() as u64;
            ranked.clear();
            self.game.unrank_range(piece.tier, ranks.clone(), &mut ranked);
            verdict.positions_checked += ranked.len() as u64;
            if self.is_reachable {
                if ranked.len() < codes.len() {
                    let is_missing =
                        |rank: &u64| ranked.binary_search_by_key(rank, |&(rank, _)| rank).is_err();
                    let missing = ranks.clone().find(is_missing);
                    let fault = String::from("the key is that of no position");
                    let address = missing.map(|rank| (piece.tier, rank));
                    verdict.push_fault(Some(self.layer.layer), address, fault);
                }
                let mut canonical: Vec<Packed> = ranked.iter().map(|&(_, key)| key).collect();
                self.game.canonicalize(&mut canonical);
                let others = ranked.iter().zip(canonical);
                for (&(rank, _), _) in others.filter(|((_, key), member)| key != member) {
                    let fault = String::from("the position is not that of its class");
                    verdict.push_fault(Some(self.layer.layer), Some((piece.tier, rank)), fault);
                }
            }
            let mut check = |rank: u64, recomputed| {
                let code = codes[(rank - piece.rank) as usize];
                let stored = self.layer.palette.get(usize::from(code)).copied().flatten();
                if let Some(fault) = difference(stored, recomputed, |value| value.to_string()) {
                    verdict.push_fault(Some(self.layer.layer), Some((piece.tier, rank)), fault);
                }
            };
            if self.game.is_outside() {
                self.recompute_together(&ranked, &mut check);
                continue;
            }
            for &(rank, position) in &ranked {
                check(rank, self.recompute(position, &mut scratch));
            }
        }
        verdict
    }

    /// As [`PositionRecheck::recompute`] for each position, with few questions to rules that live
    /// outside.
    fn recompute_together(
        &self,
        ranked: &[(u64, Packed)],
        check: &mut dyn FnMut(u64, Result<Value, &'static str>),
    ) {
        let positions: Vec<Packed> = ranked.iter().map(|&(_, position)| position).collect();
        let mut rest = &positions[..];
        let mut ranks = ranked.iter().map(|&(rank, _)| rank);
        while !rest.is_empty() {
            let mut expansion = Expansion::default();
            self.game.expand(rest, MOST_SUCCESSORS, &mut expansion);
            rest = &rest[expansion.positions.len()..];
            let values = self.values_of(&expansion.successors);
            let mut values = values.into_iter();
            for (expanded, rank) in expansion.positions.iter().zip(ranks.by_ref()) {
                let after = values.by_ref().take(expanded.successors as usize);
                // No move is worth less than nothing known, so that is kept to the end.
                let mut best = Ok(None);
                for value in after {
                    let before = value.and_then(checked_before).ok_or(NO_VALUE);
                    best = best.and_then(|best| Ok(best.max(Some(before?))));
                }
                let recomputed = match expanded.value {
                    Some(value) => Ok(value),
                    None => best.and_then(|best| best.ok_or(NO_SUCCESSOR)),
                };
                check(rank, recomputed);
            }
        }
    }

    /// Returns the values of positions by the layers; where the game is over without a rank, those
    /// of the rules.
    fn values_of(&self, positions: &[Packed]) -> Vec<Option<Value>> {
        let mut addresses = Vec::new();
        self.game.rank_all(positions, &mut addresses);
        let asked = positions.iter().zip(&addresses).filter(|(_, address)| address.is_none());
        let asked: Vec<Packed> = asked.map(|(&position, _)| position).collect();
        let mut unranked = Expansion::default();
        while unranked.positions.len() < asked.len() {
            let rest = &asked[unranked.positions.len()..];
            self.game.expand(rest, MOST_SUCCESSORS, &mut unranked);
        }
        let mut by_rules = unranked.positions.into_iter().map(|expanded| expanded.value);
        let values = addresses.into_iter().map(|address| match address {
            Some((tier, rank)) => self.layers.value(tier, rank),
            None => by_rules.next().flatten(),
        });
        values.collect()
    }

    /// Value of a position from the values of its successors.
    fn recompute(
        &self,
        position: Packed,
        scratch: &mut SuccessorScratch,
    ) -> Result<Value, &'static str> {
        if let Some(wdl) = self.game.terminal(position) {
            return Ok(Value::terminal(wdl));
        }
        let SuccessorScratch { successors, addresses } = scratch;
        successors.clear();
        addresses.clear();
        self.game.successors(position, successors);
        let mut best = None;
        for &next in successors.iter() {
            match self.game.terminal(next) {
                // No value is better.
                Some(Wdl::Loss) => return Ok(Value::Win(1)),
                Some(wdl) => best = best.max(Some(Value::terminal(wdl).before())),
                None => match self.game.rank(next) {
                    Some(address) => addresses.push(address),
                    None => {
                        let value = self.game.immediate_value(next).and_then(checked_before);
                        best = best.max(Some(value.ok_or(NO_VALUE)?));
                    }
                },
            }
        }
        // A second loop, after all ranks are known, lets the processor fetch the values ahead.
        for &(tier, rank) in addresses.iter() {
            let value = self.layers.value(tier, rank).and_then(checked_before).ok_or(NO_VALUE)?;
            best = best.max(Some(value));
        }
        best.ok_or(NO_SUCCESSOR)
    }
}
