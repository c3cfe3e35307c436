//! Remoteness of wins in a compact layer, from their lost successors.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

use hindsight_core::{Ranked, Value};
use hindsight_solve::{Layer, parallel};

use crate::address::Address;
use crate::ordinals::{LoadedLayers, TierStarts, ordinal_runs, tier_pieces, value_by_rules};

/// Gives every win of a layer its remoteness: one ply more than its quickest lost successor.
///
/// The losses must be right, in this layer and in its successor layers. Returns the first win
/// without a lost successor, or whose value the palette lacks; `None` if there is none.
pub(crate) fn restore_win_plies<G: Ranked>(
    game: &G,
    layer: &mut Layer,
    successors: &[&Layer],
) -> Option<Address> {
    const RUN: u64 = 1 << 16;
    let codes = std::mem::take(&mut layer.codes);
    let ranks = codes.len() as u64;
    let codes: Vec<AtomicU8> = codes.into_iter().map(AtomicU8::new).collect();
    let restorer = WinRestorer {
        game,
        layer,
        codes: &codes,
        successor_layers: LoadedLayers(successors.to_vec()),
    };
    let run = |i| restorer.run(ordinal_runs(ranks, RUN)(i));
    let failures = parallel::map(0..ranks.div_ceil(RUN), &run);
    let first_failure = failures.into_iter().flatten().min();
    layer.codes = codes.into_iter().map(AtomicU8::into_inner).collect();
    first_failure
}

struct WinRestorer<'a, G> {
    game: &'a G,
    /// Layer without its codes, which were moved out.
    layer: &'a Layer,
    codes: &'a [AtomicU8],
    successor_layers: LoadedLayers<'a>,
}

impl<G: Ranked> WinRestorer<'_, G> {
    /// Restores the wins in a range of ordinals.
    fn run(&self, ordinals: Range<u64>) -> Option<Address> {
        let mut successors = Vec::new();
        let mut failure = None;
        let begin = ordinals.start as usize;
        for piece in tier_pieces(TierStarts::of(self.layer), ordinals) {
            let codes = &self.codes[begin + piece.span.start..begin + piece.span.end];
            for (rank, code) in (piece.rank..).zip(codes) {
                if !matches!(self.value(code), Some(Value::Win(_))) {
                    continue;
                }
                match self.win_code(piece.tier, rank, &mut successors) {
                    Some(win) => code.store(win, Ordering::Relaxed),
                    None => failure = failure.or(Some(piece.address(rank))),
                }
            }
        }
        failure
    }

    fn value(&self, code: &AtomicU8) -> Option<Value> {
        let code = usize::from(code.load(Ordering::Relaxed));
        self.layer.palette.get(code).copied().flatten()
    }

    /// Code of a win with its remoteness; `None` without a lost successor or without a code.
    fn win_code(&self, tier: u64, rank: u64, successors: &mut Vec<G::Position>) -> Option<u8> {
        let position = self.game.unrank(tier, rank)?;
        let value = value_by_rules(self.game, position).or_else(|| {
            successors.clear();
            self.game.successors(position, successors);
            let losses = successors.iter().filter_map(|&next| self.loss_plies(next));
            losses.min().and_then(|n| n.checked_add(1)).map(Value::Win)
        });
        let code = self.layer.palette.iter().position(|&known| known == value);
        code.map(|code| code as u8)
    }

    /// Remoteness of a position in plies, if it is lost.
    fn loss_plies(&self, position: G::Position) -> Option<u16> {
        let value = match self.game.terminal(position) {
            Some(wdl) => Value::terminal(wdl),
            None => {
                let (tier, rank) = self.game.rank(position)?;
                match self.own_code(tier, rank) {
                    Some(code) => self.value(code)?,
                    None => self.successor_layers.value(tier, rank)?,
                }
            }
        };
        match value {
            Value::Loss(n) => Some(n),
            Value::Draw | Value::Win(_) => None,
        }
    }

    fn own_code(&self, tier: u64, rank: u64) -> Option<&AtomicU8> {
        let i = self.layer.tiers.binary_search(&tier).ok()?;
        let begin = self.layer.starts[i].checked_add(rank)?;
        (begin < self.layer.starts[i + 1]).then(|| &self.codes[begin as usize])
    }
}
