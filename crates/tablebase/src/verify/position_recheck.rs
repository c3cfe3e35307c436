//! Recomputation of a layer's values from the values of the successors.

use std::ops::Range;

use hindsight_core::{Game, Packed, PackedGame, Ranked, Value, Wdl};
use hindsight_engine::Layer;

use super::verifier::difference;
use crate::symbols::ordinals::{LoadedLayers, TierStarts, checked_before, tier_pieces};
use crate::verdict::TableVerdict;

/// A layer whose values are recomputed.
pub(super) struct PositionRecheck<'a> {
    pub(super) game: &'a PackedGame,
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
            self.game.unrank_range(piece.tier, ranks, &mut ranked);
            verdict.positions_checked += ranked.len() as u64;
            for &(rank, position) in &ranked {
                let code = codes[(rank - piece.rank) as usize];
                let stored = self.layer.palette.get(usize::from(code)).copied().flatten();
                let recomputed = self.recompute(position, &mut scratch);
                if let Some(fault) = difference(stored, recomputed, |value| value.to_string()) {
                    verdict.push_fault(Some(self.layer.layer), Some((piece.tier, rank)), fault);
                }
            }
        }
        verdict
    }

    /// Value of a position from the values of its successors.
    fn recompute(
        &self,
        position: Packed,
        scratch: &mut SuccessorScratch,
    ) -> Result<Value, &'static str> {
        const NO_VALUE: &str = "a successor has no value";
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
        best.ok_or("a position that is not over has no successor")
    }
}
