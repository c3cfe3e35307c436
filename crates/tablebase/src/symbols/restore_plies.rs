//! Remoteness that the layout of a decoded layer leaves out.

use std::collections::BTreeSet;
use std::convert::Infallible;
use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

use hindsight_core::{Game, Packed, PackedGame, Ranked, Tiers, Value};
use hindsight_engine::{Layer, parallel};

use super::ordinals::{LoadedLayers, TierStarts, ordinal_runs, tier_pieces, value_by_rules};
use super::plies_search::PliesSearch;
use super::symbol::Symbol;
use crate::address::Address;
use crate::layout::Layout;

/// Layers other than a layer itself whose symbols tell the remoteness that `layout` leaves out.
pub(crate) fn layers_for_plies(game: &PackedGame, layer: u32, layout: Layout) -> BTreeSet<u32> {
    let mut found = BTreeSet::from([layer]);
    for _ in 0..layout.plies_searched() {
        let known: Vec<u32> = found.iter().copied().collect();
        found.extend(known.iter().flat_map(|&layer| game.layer_successors(layer)));
    }
    found.remove(&layer);
    found
}

/// Gives every win of a layer its remoteness, and every loss whose remoteness was rounded.
///
/// `others` are the layers of [`layers_for_plies`]; their remoteness may be restored or not.
/// Returns the first position whose remoteness the symbols do not tell, or whose value the palette
/// lacks; `None` if there is none.
pub(crate) fn restore_plies(
    game: &PackedGame,
    layout: Layout,
    layer: &mut Layer,
    others: &[&Layer],
) -> Option<Address> {
    const RUN: u64 = 1 << 16;
    let codes = std::mem::take(&mut layer.codes);
    let ranks = codes.len() as u64;
    let codes: Vec<AtomicU8> = codes.into_iter().map(AtomicU8::new).collect();
    let restorer =
        PliesRestorer { game, layout, layer, codes: &codes, others: LoadedLayers(others.to_vec()) };
    let run = |i| restorer.run(ordinal_runs(ranks, RUN)(i));
    let failures = parallel::map(0..ranks.div_ceil(RUN), &run);
    let first_failure = failures.into_iter().flatten().min();
    layer.codes = codes.into_iter().map(AtomicU8::into_inner).collect();
    first_failure
}

struct PliesRestorer<'a> {
    game: &'a PackedGame,
    layout: Layout,
    /// Layer without its codes, which were moved out.
    layer: &'a Layer,
    /// Codes of the layer. Restored ones stand for the same symbol as before, so threads may read
    /// what others write.
    codes: &'a [AtomicU8],
    others: LoadedLayers<'a>,
}

impl PliesRestorer<'_> {
    /// Restores the values in a range of ordinals.
    fn run(&self, ordinals: Range<u64>) -> Option<Address> {
        let mut successors = Vec::new();
        let mut failure = None;
        let begin = ordinals.start as usize;
        for piece in tier_pieces(TierStarts::of(self.layer), ordinals) {
            let codes = &self.codes[begin + piece.span.start..begin + piece.span.end];
            for (rank, code) in (piece.rank..).zip(codes) {
                let Some(symbol) = self.symbol_of_code(code) else {
                    continue;
                };
                if matches!(symbol, Symbol::Exact(_)) {
                    continue;
                }
                match self.restored(piece.address(rank), symbol, &mut successors) {
                    Some(restored) => code.store(restored, Ordering::Relaxed),
                    None => failure = failure.or(Some(piece.address(rank))),
                }
            }
        }
        failure
    }

    fn symbol_of_code(&self, code: &AtomicU8) -> Option<Symbol> {
        let code = usize::from(code.load(Ordering::Relaxed));
        let value = self.layer.palette.get(code).copied().flatten()?;
        Some(Symbol::of(value, self.layout))
    }

    /// Code of the value behind a symbol; `None` if it cannot be found, or has no code.
    fn restored(
        &self,
        Address { tier, rank }: Address,
        symbol: Symbol,
        successors: &mut Vec<Packed>,
    ) -> Option<u8> {
        let position = self.game.unrank(tier, rank)?;
        let search = PliesSearch {
            game: self.game,
            symbol: |position| Ok::<_, Infallible>(self.symbol(position)),
        };
        let by_rules = value_by_rules(self.game, position);
        let value = by_rules.or_else(|| match symbol {
            Symbol::Win => search.win(position, successors).ok()?,
            Symbol::LossWithin(within) => search.loss(position, within).ok(),
            Symbol::Exact(_) | Symbol::BestMove(_) => None,
        })?;
        let code = self.layer.palette.iter().position(|&known| known == Some(value));
        code.map(|code| code as u8)
    }

    fn symbol(&self, position: Packed) -> Option<Symbol> {
        if let Some(wdl) = self.game.terminal(position) {
            return Some(Symbol::Exact(Value::terminal(wdl)));
        }
        let Some((tier, rank)) = self.game.rank(position) else {
            return self.game.immediate_value(position).map(Symbol::Exact);
        };
        match self.own_code(tier, rank) {
            Some(code) => self.symbol_of_code(code),
            None => {
                let value = self.others.value(tier, rank)?;
                Some(Symbol::of(value, self.layout))
            }
        }
    }

    fn own_code(&self, tier: u64, rank: u64) -> Option<&AtomicU8> {
        let i = self.layer.tiers.binary_search(&tier).ok()?;
        let begin = self.layer.starts[i].checked_add(rank)?;
        (begin < self.layer.starts[i + 1]).then(|| &self.codes[begin as usize])
    }
}
