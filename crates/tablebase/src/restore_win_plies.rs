//! The plies of wins, from those of their lost successors.

use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};

use hindsight_core::{Ranked, Value};
use hindsight_solve::{Layer, parallel};

use crate::ordinals::{LoadedLayers, ordinal_runs, tier_pieces, value_by_rules};

/// Gives every win of a layer its plies: one more than those of the lost successor nearest to its end.
/// Losses must be right, in this layer and in those it leads to. Returns the first place where no
/// lost successor, or a value that the layer lacks, was found.
pub(crate) fn restore_win_plies<G: Ranked>(
    game: &G,
    layer: &mut Layer,
    next: &[&Layer],
) -> Option<(u64, u64)> {
    const RUN: u64 = 1 << 16;
    let codes = std::mem::take(&mut layer.codes);
    let ranks = codes.len() as u64;
    let codes: Vec<AtomicU8> = codes.into_iter().map(AtomicU8::new).collect();
    let filler = WinRestorer {
        game,
        layer,
        codes: &codes,
        next: LoadedLayers(next.to_vec()),
    };
    let run = |i| filler.run(ordinal_runs(ranks, RUN)(i));
    let bad = parallel::map(0..ranks.div_ceil(RUN), &run);
    let bad = bad.into_iter().flatten().min();
    layer.codes = codes.into_iter().map(AtomicU8::into_inner).collect();
    bad
}

struct WinRestorer<'a, G> {
    game: &'a G,
    /// Its codes are taken out.
    layer: &'a Layer,
    codes: &'a [AtomicU8],
    next: LoadedLayers<'a>,
}

impl<G: Ranked> WinRestorer<'_, G> {
    /// Fills the wins of some ordinals.
    fn run(&self, ordinals: Range<u64>) -> Option<(u64, u64)> {
        let mut successors = Vec::new();
        let mut bad = None;
        let begin = ordinals.start as usize;
        for piece in tier_pieces(&self.layer.tiers, &self.layer.starts, ordinals) {
            let codes = &self.codes[begin + piece.span.start..begin + piece.span.end];
            for (rank, code) in (piece.rank..).zip(codes) {
                if !matches!(self.value(code), Some(Value::Win(_))) {
                    continue;
                }
                match self.win_code(piece.tier, rank, &mut successors) {
                    Some(found) => code.store(found, Ordering::Relaxed),
                    None => bad = bad.or(Some((piece.tier, rank))),
                }
            }
        }
        bad
    }

    fn value(&self, code: &AtomicU8) -> Option<Value> {
        let code = usize::from(code.load(Ordering::Relaxed));
        self.layer.palette.get(code).copied().flatten()
    }

    /// The code of a win.
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

    /// The plies of a position, if it is lost.
    fn loss_plies(&self, position: G::Position) -> Option<u16> {
        let value = match self.game.terminal(position) {
            Some(wdl) => Value::terminal(wdl),
            None => {
                let (tier, rank) = self.game.rank(position)?;
                match self.own_code(tier, rank) {
                    Some(code) => self.value(code)?,
                    None => self.next.value(tier, rank)?,
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
