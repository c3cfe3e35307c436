//! Ordinals: the ranks of a layer in one sequence, tier after tier.

use std::ops::Range;

use hindsight_core::{Game, Packed, PackedGame, Ranked, Tiers, Value};
use hindsight_engine::Layer;

use crate::address::Address;
use crate::error::TableError;

/// Value of a position that the rules determine without the table: terminal, or implied.
pub(crate) fn value_by_rules(game: &PackedGame, position: Packed) -> Option<Value> {
    match game.terminal(position) {
        Some(wdl) => Some(Value::terminal(wdl)),
        None => game.implied_value(position),
    }
}

/// Tiers and starts of a layer of the game, without codes.
///
/// # Errors
/// [`TableError::MissingLayer`] if the game has no such layer; [`TableError::Unfit`] from 2^63
/// ranks on.
pub(crate) fn layer_shape(game: &PackedGame, layer: u32) -> Result<Layer, TableError> {
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
    Ok(Layer { layer, tiers, starts, codes: Vec::new(), palette: Vec::new() })
}

/// Consecutive ranks of one tier.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct TierPiece {
    pub(crate) tier: u64,
    /// The first rank.
    pub(crate) rank: u64,
    /// Range of the ranks within the ordinals asked for.
    pub(crate) span: Range<usize>,
}

impl TierPiece {
    /// Address of a rank of the piece's tier.
    pub(crate) fn address(&self, rank: u64) -> Address {
        Address { tier: self.tier, rank }
    }
}

/// Tiers of a layer, and the ordinals at which they start, as in [`Layer`].
#[derive(Clone, Copy)]
pub(crate) struct TierStarts<'a> {
    pub(crate) tiers: &'a [u64],
    pub(crate) starts: &'a [u64],
}

impl<'a> TierStarts<'a> {
    pub(crate) fn of(layer: &'a Layer) -> Self {
        Self { tiers: &layer.tiers, starts: &layer.starts }
    }
}

/// Cuts a range of ordinals at the borders of tiers.
pub(crate) fn tier_pieces(
    tier_starts: TierStarts<'_>,
    ordinals: Range<u64>,
) -> impl Iterator<Item = TierPiece> + '_ {
    let TierStarts { tiers, starts } = tier_starts;
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

/// Returns the function from `i` to the ordinals of run `i`. Runs have `step` ordinals; the last
/// run may have fewer.
pub(crate) fn ordinal_runs(ranks: u64, step: u64) -> impl Fn(u64) -> Range<u64> {
    move |i| i * step..ranks.min((i + 1) * step)
}

/// Layers in memory, looked up by tier.
pub(crate) struct LoadedLayers<'a>(pub(crate) Vec<&'a Layer>);

impl LoadedLayers<'_> {
    /// Value at an address, if one of the layers contains it.
    pub(crate) fn value(&self, tier: u64, rank: u64) -> Option<Value> {
        self.0.iter().find_map(|layer| {
            let may_have = layer.tiers.first() <= Some(&tier) && layer.tiers.last() >= Some(&tier);
            may_have.then(|| layer.value(tier, rank)).flatten()
        })
    }
}

/// Value of the predecessor, as [`Value::before`]; `None` if the remoteness would overflow.
pub(crate) fn checked_before(value: Value) -> Option<Value> {
    (value.remoteness() != Some(u16::MAX)).then(|| value.before())
}
