//! Headers of tables and of their layers.

use hindsight_core::{Symmetry, Value};
use hindsight_engine::keys::KeySections;
use hindsight_engine::{Histogram, StateHistograms};

use super::index::{MAX_PAGE_BYTES, MIN_ENTRY_BYTES, PAGE_ENTRIES, top_bytes};
use crate::codec::coder::{MIN_CODER_BYTES, max_coder_bytes};
use crate::error::TableError;
use crate::layout::Layout;
use crate::symbols::symbol::{Symbol, put_symbol, take_symbol, take_value};
use crate::symbols::symbol_layout::SymbolLayout;
use hindsight_engine::checkpoint::bytes::{
    Cursor, push_checksum, put_text, put_varint, split_checksum,
};

/// First bytes of a table. The first byte is not ASCII and a line end follows, so a transfer in
/// text mode is detected.
pub(crate) const MAGIC: [u8; 8] = *b"\x8AHSTAB\r\n";

/// Version of the format of tables of ranks that this crate writes.
pub const FORMAT_VERSION: u32 = 3;

/// Version of the format of tables of reachable positions.
pub(crate) const REACHABLE_FORMAT_VERSION: u32 = 4;

/// Oldest version of the format that this crate reads.
pub(crate) const OLDEST_FORMAT_VERSION: u32 = 2;

/// Last version in which the coder begins the layer.
const LAST_CODER_FIRST_VERSION: u32 = 2;

/// Bytes before the header proper: magic, version, length of the header.
pub(crate) const PREFIX_BYTES: usize = 20;

/// Longest header in bytes, enough for some thousand layers.
pub(crate) const MAX_HEADER_BYTES: u64 = 1 << 24;

/// Most ranks of a layer: three symbols per rank are still counted in 64 bits.
const MAX_RANKS: u64 = 1 << 61;

/// A position by its address, with its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PositionValue {
    /// The tier.
    pub tier: u64,
    /// The rank in the tier.
    pub rank: u64,
    /// The value for the side to move.
    pub value: Value,
}

/// Header of one layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayerInfo {
    /// Name for the tiers of the layer.
    pub name: String,
    /// Number of tiers that have ranks.
    pub tiers: u64,
    /// The first tier that has ranks.
    pub first_tier: Option<u64>,
    /// Number of ranks, holes included.
    pub ranks: u64,
    /// Positions per value, with nothing forbidden. A tier that stands for `n` tiers by symmetry
    /// counts `n` times.
    pub histogram: Histogram,
    /// The longest win; of several, the first by tier and rank.
    pub longest_win: Option<PositionValue>,
    /// The longest loss; of several, the first by tier and rank.
    pub longest_loss: Option<PositionValue>,
    /// Histograms of the states. Present with [`Layout::States`] and [`Layout::Distances`].
    pub states: Option<StateHistograms>,
    /// Symbols of the layer, sorted; blocks contain their indices.
    pub symbols: Vec<Symbol>,
    /// Ranks per block; the last block may have fewer.
    pub block_ranks: u32,
    /// Lengths in bytes of the four sections: coder, blocks, pages of the index, top of the index.
    /// They lie in the file as blocks, pages, coder, top; in version 2 as they are listed.
    pub sections: [u64; 4],
}

/// Offsets in the file of a layer's four sections, in bytes, in the order of
/// [`LayerInfo::sections`].
pub(super) type SectionOffsets = [u64; 4];

impl LayerInfo {
    /// Bytes of the layer in the file.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.sections.iter().sum()
    }

    /// Offsets of the sections of a layer that begins at offset `base`.
    pub(crate) fn section_offsets(&self, base: u64, format_version: u32) -> SectionOffsets {
        let [coder, blocks, pages, _] = self.sections;
        if format_version <= LAST_CODER_FIRST_VERSION {
            let pages_offset = base + coder + blocks;
            [base, base + coder, pages_offset, pages_offset + pages]
        } else {
            let coder_offset = base + blocks + pages;
            [coder_offset, base, base + blocks, coder_offset + coder]
        }
    }

    pub(crate) fn blocks(&self) -> u64 {
        self.ranks.div_ceil(u64::from(self.block_ranks))
    }

    /// Longest possible block in bytes.
    pub(crate) fn max_block_bytes(&self, layout: Layout) -> u64 {
        max_block_bytes(self.block_ranks, layout)
    }

    /// Describes the first impossible number, among the numbers that determine the bytes to read.
    fn first_impossible_number(&self, layout: Layout) -> Option<&'static str> {
        if self.ranks > MAX_RANKS {
            return Some("numbers too large");
        }
        let has_ranks = self.ranks > 0;
        if (self.tiers > 0, self.first_tier.is_some()) != (has_ranks, has_ranks)
            || self.tiers > self.ranks
        {
            return Some("tiers without ranks, or ranks without tiers");
        }
        let [coder, blocks, pages, top] = self.sections;
        let block_count = self.blocks();
        let page_count = block_count.div_ceil(PAGE_ENTRIES as u64);
        let lengths = [
            (coder, MIN_CODER_BYTES..=max_coder_bytes(self.ranks, layout.channels())),
            (blocks, block_count..=block_count.saturating_mul(self.max_block_bytes(layout))),
            (pages, block_count * MIN_ENTRY_BYTES..=page_count.saturating_mul(MAX_PAGE_BYTES)),
            (top, top_bytes(page_count)..=top_bytes(page_count)),
        ];
        let fits = lengths.into_iter().all(|(length, range)| range.contains(&length));
        (!fits).then_some("sections of a length that they cannot have")
    }
}

/// Longest possible block of `block_ranks` ranks in bytes: its tiers, and its symbols by either
/// coder.
pub(crate) fn max_block_bytes(block_ranks: u32, layout: Layout) -> u64 {
    /// Run length, ranks of each tier in the run, difference of tier numbers: 3 + 3 + 10 bytes.
    const TIER_BYTES: u64 = 16;
    /// Two words of rANS: one for a symbol, one more after an escape.
    const SYMBOL_BYTES: u64 = 4;
    let rank_bytes = TIER_BYTES + SYMBOL_BYTES * layout.channels() as u64;
    128 + u64::from(block_ranks) * rank_bytes
}

/// Positions of a table of those that can be reached.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reachable {
    /// Symmetry by which positions are merged.
    pub symmetry: Symmetry,
    /// Lengths of the keys, which follow the layers.
    pub keys: KeySections,
}

/// Header of a table.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableInfo {
    /// Version of the format, [`FORMAT_VERSION`] or an earlier one.
    pub format_version: u32,
    /// The game, as a normalised spec.
    pub spec: String,
    /// Content and form of the values.
    pub layout: Layout,
    /// Set of positions, of a table of those that can be reached; `None` if the game ranks its
    /// positions.
    pub reachable: Option<Reachable>,
    /// Start of the game.
    pub start: PositionValue,
    /// The layers in the order in which they are solved.
    pub layers: Vec<LayerInfo>,
}

impl LayerInfo {
    /// Returns the positions of some layers per value.
    #[must_use]
    pub fn sum_histograms(layers: &[Self]) -> Histogram {
        layers.iter().flat_map(|layer| layer.histogram.rows()).collect()
    }

    /// Returns the states of some layers per value; `None` if the table stores no states.
    #[must_use]
    pub fn sum_states(layers: &[Self]) -> Option<StateHistograms> {
        let counts = layers.iter().map(|layer| layer.states.as_ref());
        let counts: Vec<&StateHistograms> = counts.collect::<Option<_>>()?;
        let sum = |part: fn(&StateHistograms) -> &Histogram| {
            let rows = counts.iter().flat_map(|counts| part(counts).rows());
            rows.collect()
        };
        Some(StateHistograms {
            all: sum(|counts| &counts.all),
            nontrivial: sum(|counts| &counts.nontrivial),
        })
    }
}

impl TableInfo {
    /// Number of ranks in all layers, holes included.
    #[must_use]
    pub fn ranks(&self) -> u64 {
        self.layers.iter().map(|layer| layer.ranks).sum()
    }

    /// Number of tiers in all layers.
    #[must_use]
    pub fn tiers(&self) -> u64 {
        self.layers.iter().map(|layer| layer.tiers).sum()
    }

    /// Positions of all layers per value.
    #[must_use]
    pub fn histogram(&self) -> Histogram {
        LayerInfo::sum_histograms(&self.layers)
    }

    /// States of all layers per value, if the table stores states.
    #[must_use]
    pub fn states(&self) -> Option<StateHistograms> {
        LayerInfo::sum_states(&self.layers)
    }

    /// The longest win of all layers; of several, the first.
    #[must_use]
    pub fn longest_win(&self) -> Option<PositionValue> {
        longest(self.layers.iter().map(|layer| layer.longest_win))
    }

    /// The longest loss of all layers; of several, the first.
    #[must_use]
    pub fn longest_loss(&self) -> Option<PositionValue> {
        longest(self.layers.iter().map(|layer| layer.longest_loss))
    }

    /// Bytes of the file before the first layer.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut header = vec![self.layout as u8];
        put_text(&mut header, &self.spec);
        if let Some(Reachable { symmetry, keys }) = self.reachable {
            header.push(symmetry as u8);
            put_varint(&mut header, keys.top);
            put_varint(&mut header, keys.pages);
        }
        put_position_value(&mut header, &self.start);
        put_varint(&mut header, self.layers.len() as u64);
        for layer in &self.layers {
            put_layer(&mut header, layer);
        }
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(&self.format_version.to_le_bytes());
        out.extend_from_slice(&(header.len() as u64).to_le_bytes());
        out.extend_from_slice(&header);
        push_checksum(&mut out, 0);
        out
    }

    /// Reads the bytes of [`TableInfo::encode`], checksum included.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, TableError> {
        let bytes = split_checksum(bytes, "the header")?;
        let mut cursor = Cursor::new(bytes, "the header");
        cursor.take(MAGIC.len())?;
        let format_version = cursor.u32()?;
        cursor.u64()?;
        let layout = take_layout(&mut cursor)?;
        let spec = cursor.text()?;
        let reachable = match format_version {
            REACHABLE_FORMAT_VERSION => Some(take_reachable(&mut cursor)?),
            _ => None,
        };
        let start = take_position_value(&mut cursor)?;
        let layers = (0..cursor.count()?)
            .map(|_| take_layer(&mut cursor, layout))
            .collect::<Result<Vec<_>, _>>()?;
        let info = Self { format_version, spec, layout, reachable, start, layers };
        info.check_sums(&cursor)?;
        cursor.end()?;
        Ok(info)
    }

    /// Fails if a sum over all layers exceeds 64 bits.
    fn check_sums(&self, cursor: &Cursor<'_>) -> Result<(), TableError> {
        let sum = |part: fn(&LayerInfo) -> Option<u64>| {
            self.layers.iter().try_fold(0_u64, |sum, layer| sum.checked_add(part(layer)?))
        };
        let positions = |layer: &LayerInfo| {
            let rows = layer.histogram.rows();
            rows.iter().try_fold(0_u64, |sum, row| sum.checked_add(row.1))
        };
        let states = |layer: &LayerInfo| {
            let all = layer.states.as_ref().map_or(0, |states| {
                let parts = [&states.all, &states.nontrivial];
                parts.map(Histogram::positions).into_iter().max().unwrap_or(0)
            });
            Some(all)
        };
        let bytes = |layer: &LayerInfo| {
            let mut sections = layer.sections.iter();
            sections.try_fold(0_u64, |sum, &length| sum.checked_add(length))
        };
        [
            sum(|layer| Some(layer.ranks)),
            sum(|layer| Some(layer.tiers)),
            sum(positions),
            sum(states),
            sum(bytes),
        ]
        .into_iter()
        .all(|sum| sum.is_some())
        .then_some(())
        .ok_or_else(|| cursor.fail("numbers too large").into())
    }
}

fn longest(examples: impl Iterator<Item = Option<PositionValue>>) -> Option<PositionValue> {
    let plies = |example: &PositionValue| example.value.remoteness();
    examples.flatten().fold(None, |best, example| match best {
        Some(best) if plies(&best) >= plies(&example) => Some(best),
        _ => Some(example),
    })
}

fn take_reachable(cursor: &mut Cursor<'_>) -> Result<Reachable, TableError> {
    let symmetry = Symmetry::of_code(cursor.byte()?);
    let symmetry = symmetry.ok_or_else(|| cursor.fail("an unknown symmetry"))?;
    let keys = KeySections { top: cursor.varint()?, pages: cursor.varint()? };
    Ok(Reachable { symmetry, keys })
}

pub(super) fn take_layout(cursor: &mut Cursor<'_>) -> Result<Layout, TableError> {
    match cursor.byte()? {
        0 => Ok(Layout::Full),
        1 => Ok(Layout::Compact),
        2 => Ok(Layout::States),
        3 => Ok(Layout::Distances),
        4 => Ok(Layout::Wdl),
        _ => Err(cursor.fail("an unknown layout").into()),
    }
}

pub(super) fn put_position_value(out: &mut Vec<u8>, position: &PositionValue) {
    put_varint(out, position.tier);
    put_varint(out, position.rank);
    put_symbol(out, Symbol::Exact(position.value));
}

pub(super) fn take_position_value(cursor: &mut Cursor<'_>) -> Result<PositionValue, TableError> {
    Ok(PositionValue { tier: cursor.varint()?, rank: cursor.varint()?, value: take_value(cursor)? })
}

/// Appends a byte, 1 if there is a value and else 0, then the value.
pub(crate) fn put_optional(out: &mut Vec<u8>, position: Option<&PositionValue>) {
    out.push(u8::from(position.is_some()));
    if let Some(position) = position {
        put_position_value(out, position);
    }
}

pub(crate) fn take_optional(cursor: &mut Cursor<'_>) -> Result<Option<PositionValue>, TableError> {
    match cursor.byte()? {
        0 => Ok(None),
        1 => take_position_value(cursor).map(Some),
        _ => Err(cursor.fail("neither an example nor none").into()),
    }
}

/// Appends the header of a layer.
pub(crate) fn put_layer(out: &mut Vec<u8>, layer: &LayerInfo) {
    put_text(out, &layer.name);
    put_varint(out, layer.tiers);
    out.push(u8::from(layer.first_tier.is_some()));
    if let Some(tier) = layer.first_tier {
        put_varint(out, tier);
    }
    put_varint(out, layer.ranks);
    put_histogram(out, &layer.histogram);
    put_optional(out, layer.longest_win.as_ref());
    put_optional(out, layer.longest_loss.as_ref());
    if let Some(states) = &layer.states {
        put_histogram(out, &states.all);
        put_histogram(out, &states.nontrivial);
    }
    put_varint(out, layer.symbols.len() as u64);
    for &symbol in &layer.symbols {
        put_symbol(out, symbol);
    }
    put_varint(out, u64::from(layer.block_ranks));
    for length in layer.sections {
        put_varint(out, length);
    }
}

fn put_histogram(out: &mut Vec<u8>, histogram: &Histogram) {
    let rows = histogram.rows();
    put_varint(out, rows.len() as u64);
    for (value, positions) in rows {
        put_symbol(out, Symbol::Exact(value));
        put_varint(out, positions);
    }
}

pub(crate) fn take_layer(cursor: &mut Cursor<'_>, layout: Layout) -> Result<LayerInfo, TableError> {
    let name = cursor.text()?;
    let tiers = cursor.varint()?;
    let first_tier = match cursor.byte()? {
        0 => None,
        1 => Some(cursor.varint()?),
        _ => return Err(cursor.fail("neither a tier nor none").into()),
    };
    let ranks = cursor.varint()?;
    let histogram = take_histogram(cursor)?;
    let longest_win = take_optional(cursor)?;
    let longest_loss = take_optional(cursor)?;
    let states = match layout {
        Layout::Full | Layout::Compact | Layout::Wdl => None,
        Layout::States | Layout::Distances => Some(StateHistograms {
            all: take_histogram(cursor)?,
            nontrivial: take_histogram(cursor)?,
        }),
    };
    let symbols =
        (0..cursor.count()?).map(|_| take_symbol(cursor)).collect::<Result<Vec<_>, _>>()?;
    let ascend = symbols.is_sorted_by(|a, b| a.sort_key() < b.sort_key());
    if symbols.len() > 256 || !ascend {
        return Err(cursor.fail("symbols out of order").into());
    }
    let stored_ranks = cursor.varint()?;
    let sizes = SymbolLayout::of(layout).block_ranks();
    let block_ranks = sizes.into_iter().find(|&n| u64::from(n) == stored_ranks);
    let block_ranks =
        block_ranks.ok_or_else(|| cursor.fail("blocks of a number of ranks that none has"))?;
    let mut sections = [0; 4];
    for length in &mut sections {
        *length = cursor.varint()?;
    }
    let layer = LayerInfo {
        name,
        tiers,
        first_tier,
        ranks,
        histogram,
        longest_win,
        longest_loss,
        states,
        symbols,
        block_ranks,
        sections,
    };
    match layer.first_impossible_number(layout) {
        None => Ok(layer),
        Some(fault) => Err(cursor.fail(fault).into()),
    }
}

fn take_histogram(cursor: &mut Cursor<'_>) -> Result<Histogram, TableError> {
    let n = cursor.count()?;
    let rows = (0..n)
        .map(|_| Ok((take_value(cursor)?, cursor.varint()?)))
        .collect::<Result<Vec<_>, TableError>>()?;
    // A histogram adds rows of equal value, so their sum must fit 64 bits.
    let sum = rows.iter().try_fold(0_u64, |sum, row| sum.checked_add(row.1));
    let histogram: Histogram = match sum {
        Some(_) => rows.iter().copied().collect(),
        None => return Err(cursor.fail("numbers too large").into()),
    };
    if n > 256 || histogram.rows() != rows {
        return Err(cursor.fail("values out of order").into());
    }
    Ok(histogram)
}
