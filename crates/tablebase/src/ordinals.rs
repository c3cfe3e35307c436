//! How the ranks of a layer follow each other: tier after tier, in one line of ordinals.

use std::ops::Range;

use hindsight_core::{Ranked, Value};
use hindsight_solve::Layer;

use crate::TableError;
use crate::info::MAX_PLIES;

/// The value of a position without a look at the table: terminal, or obvious.
pub(crate) fn value_by_rules<G: Ranked>(game: &G, position: G::Position) -> Option<Value> {
    match game.terminal(position) {
        Some(wdl) => Some(Value::terminal(wdl)),
        None => game.implied_value(position),
    }
}

/// A layer of the game with no codes yet.
pub(crate) fn layer_shape<G: Ranked>(game: &G, layer: u32) -> Result<Layer, TableError> {
    if layer >= game.layers() {
        return Err(TableError::MissingLayer(layer));
    }
    let mut tiers = Vec::new();
    game.tiers(layer, &mut tiers);
    let mut starts = Vec::with_capacity(tiers.len() + 1);
    let mut end = 0_u64;
    starts.push(end);
    for &tier in &tiers {
        let reason = "it has more than 2^63 ranks";
        end = end
            .checked_add(game.tier_len(tier))
            .filter(|&end| end < 1 << 63)
            .ok_or(TableError::Unfit { layer, reason })?;
        starts.push(end);
    }
    Ok(Layer {
        layer,
        tiers,
        starts,
        codes: Vec::new(),
        palette: Vec::new(),
    })
}

/// Ranks of one tier that follow each other.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TierPiece {
    pub(crate) tier: u64,
    /// The first of the ranks.
    pub(crate) rank: u64,
    /// Where they lie among the ordinals asked for.
    pub(crate) span: Range<usize>,
}

/// The ordinals of a range, tier by tier. `starts` is as in [`Layer`].
pub(crate) fn tier_pieces<'a>(
    tiers: &'a [u64],
    starts: &'a [u64],
    ordinals: Range<u64>,
) -> impl Iterator<Item = TierPiece> + 'a {
    let first = starts.partition_point(|&start| start <= ordinals.start);
    let first = first.saturating_sub(1);
    tiers
        .iter()
        .zip(starts.windows(2))
        .skip(first)
        .take_while(move |(_, ends)| ends[0] < ordinals.end)
        .filter_map(move |(&tier, ends)| {
            let begin = ends[0].max(ordinals.start);
            let end = ends[1].min(ordinals.end);
            (begin < end).then(|| TierPiece {
                tier,
                rank: begin - ends[0],
                span: (begin - ordinals.start) as usize..(end - ordinals.start) as usize,
            })
        })
}

/// The ordinals of a layer in runs of `step`, the last perhaps shorter.
pub(crate) fn ordinal_runs(ranks: u64, step: u64) -> impl Fn(u64) -> Range<u64> {
    move |i| i * step..ranks.min((i + 1) * step)
}

/// Layers in memory, looked up by tier.
pub(crate) struct LoadedLayers<'a>(pub(crate) Vec<&'a Layer>);

impl LoadedLayers<'_> {
    /// The value at a place, if one of the layers has it.
    pub(crate) fn value(&self, tier: u64, rank: u64) -> Option<Value> {
        self.0.iter().find_map(|layer| {
            let near = layer.tiers.first() <= Some(&tier) && layer.tiers.last() >= Some(&tier);
            near.then(|| layer.value(tier, rank)).flatten()
        })
    }
}

/// [`Value::before`], or `None` where that has too many plies.
pub(crate) fn checked_before(value: Value) -> Option<Value> {
    (value.remoteness() != Some(u16::MAX)).then(|| value.before())
}

/// True if a table can keep a value.
pub(crate) fn is_storable(value: Value) -> bool {
    value.remoteness().is_none_or(|plies| plies <= MAX_PLIES)
}
