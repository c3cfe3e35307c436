use hindsight_core::{Value, Wdl};
use hindsight_solve::Histogram;

use crate::bytes::{Cursor, push_checksum, put_text, put_varint, split_checksum};
use crate::coder::{MIN_CODER_BYTES, max_coder_bytes};
use crate::index::{MAX_PAGE_BYTES, MIN_ENTRY_BYTES, PAGE_ENTRIES, top_bytes};
use crate::symbol_layout::SymbolLayout;
use crate::{Layout, TableError};

/// The first bytes of a table. The first is no text, and line ends are in it: a file that was changed
/// on its way as text is found at once.
pub(crate) const MAGIC: [u8; 8] = *b"\x8AHSTAB\r\n";

/// The version of the format that this crate writes and reads.
pub const FORMAT_VERSION: u32 = 2;

/// Bytes before the header proper: magic, version, length of the header.
pub(crate) const PREFIX_BYTES: usize = 20;

/// The longest remoteness in a table. One ply before a position that is read there is still a [`Value`].
pub(crate) const MAX_PLIES: u16 = u16::MAX - 1;

/// Bytes of the longest header: some thousand layers.
pub(crate) const MAX_HEADER_BYTES: u64 = 1 << 24;

/// The most ranks of a layer. Three symbols of each are counted with 64 bits.
const MAX_RANKS: u64 = 1 << 61;

/// A position by its place, with its value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PositionValue {
    /// The tier.
    pub tier: u64,
    /// The rank in the tier.
    pub rank: u64,
    /// The value there.
    pub value: Value,
}

/// What is stored at a rank: an index into the symbols of its layer.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Symbol {
    /// This value.
    Exact(Value),
    /// A win; its plies come from the successors.
    Win,
    /// Which of the ways of a position, counted from 1, is the only best; 0 if forbidding one changes nothing.
    BestMove(u8),
}

impl Symbol {
    /// What a layout keeps of a value.
    pub(crate) fn of(value: Value, layout: Layout) -> Self {
        match (value, layout) {
            (Value::Win(_), Layout::Compact) => Self::Win,
            _ => Self::Exact(value),
        }
    }

    /// By remoteness, then loss before win; then draws, wins of any length, ways.
    pub(crate) fn sort_key(self) -> (u32, Wdl) {
        match self {
            Self::Exact(value) => (value.remoteness().map_or(1 << 16, u32::from), value.wdl()),
            Self::Win => (1 << 16, Wdl::Win),
            Self::BestMove(way) => ((1 << 17) + u32::from(way), Wdl::Loss),
        }
    }
}

/// How many states have each value: a position with the move that is forbidden, if any, that some move
/// leads to.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct StateCounts {
    /// All of them.
    pub all: Histogram,
    /// Those of positions that are not won by a move that ends the game. Not counted by distance.
    pub nontrivial: Histogram,
}

/// What a table says of one layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayerInfo {
    /// What its tiers have in common.
    pub name: String,
    /// Tiers that have ranks.
    pub tiers: u64,
    /// The first of those.
    pub first_tier: Option<u64>,
    /// Ranks, holes included.
    pub ranks: u64,
    /// How many positions have each value, with nothing forbidden; those of a tier that stands for several
    /// are counted as often.
    pub histogram: Histogram,
    /// A win of the most plies, the first by tier and rank.
    pub longest_win: Option<PositionValue>,
    /// A loss of the most plies, the first by tier and rank.
    pub longest_loss: Option<PositionValue>,
    /// States, with the layouts [`Layout::States`] and [`Layout::Distances`].
    pub states: Option<StateCounts>,
    /// What the blocks are made of.
    pub symbols: Vec<Symbol>,
    /// How many ranks a block has; the last may have fewer.
    pub block_ranks: u32,
    /// The lengths of the coder's tables, the blocks, the pages of the index and its top, in bytes;
    /// they follow each other.
    pub sections: [u64; 4],
}

impl LayerInfo {
    /// Bytes of the layer in the file.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.sections.iter().sum()
    }

    pub(crate) fn blocks(&self) -> u64 {
        self.ranks.div_ceil(u64::from(self.block_ranks))
    }

    /// Bytes of the longest block: its tiers, and symbols in any code.
    pub(crate) fn max_block_bytes(&self, layout: Layout) -> u64 {
        /// The ranks of a tier and its distance from the one before: 3 + 3 + 10 bytes.
        const OF_TIER: u64 = 16;
        /// Two words.
        const OF_SYMBOL: u64 = 4;
        let of_rank = OF_TIER + OF_SYMBOL * layout.channels() as u64;
        128 + u64::from(self.block_ranks) * of_rank
    }

    /// The first impossible number, if any, of those that say how much there is to read.
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
        let (number, of_index) = (self.blocks(), self.blocks().div_ceil(PAGE_ENTRIES as u64));
        let lengths = [
            (
                coder,
                MIN_CODER_BYTES..=max_coder_bytes(self.ranks, layout.channels()),
            ),
            (
                blocks,
                number..=number.saturating_mul(self.max_block_bytes(layout)),
            ),
            (
                pages,
                number * MIN_ENTRY_BYTES..=of_index.saturating_mul(MAX_PAGE_BYTES),
            ),
            (top, top_bytes(of_index)..=top_bytes(of_index)),
        ];
        let fits = lengths
            .into_iter()
            .all(|(length, range)| range.contains(&length));
        (!fits).then_some("sections of a length that they cannot have")
    }
}

/// What a table says of itself, without a look at its blocks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableInfo {
    /// The game, in the normal form of its spec.
    pub spec: String,
    /// What of a value is kept.
    pub layout: Layout,
    /// The position the game begins with.
    pub start: PositionValue,
    /// The layers, the first solved first.
    pub layers: Vec<LayerInfo>,
}

impl TableInfo {
    /// Ranks of all layers, holes included.
    #[must_use]
    pub fn ranks(&self) -> u64 {
        self.layers.iter().map(|layer| layer.ranks).sum()
    }

    /// Tiers of all layers.
    #[must_use]
    pub fn tiers(&self) -> u64 {
        self.layers.iter().map(|layer| layer.tiers).sum()
    }

    /// How many positions of all layers have each value.
    #[must_use]
    pub fn histogram(&self) -> Histogram {
        let rows = self.layers.iter().flat_map(|layer| layer.histogram.rows());
        rows.collect()
    }

    /// How many states of all layers have each value, if the table keeps states.
    #[must_use]
    pub fn states(&self) -> Option<StateCounts> {
        let counts = self.layers.iter().map(|layer| layer.states.as_ref());
        let counts: Vec<&StateCounts> = counts.collect::<Option<_>>()?;
        let sum = |part: fn(&StateCounts) -> &Histogram| {
            let rows = counts.iter().flat_map(|counts| part(counts).rows());
            rows.collect()
        };
        Some(StateCounts {
            all: sum(|counts| &counts.all),
            nontrivial: sum(|counts| &counts.nontrivial),
        })
    }

    /// The longest win of all layers; the first of those.
    #[must_use]
    pub fn longest_win(&self) -> Option<PositionValue> {
        longest(self.layers.iter().map(|layer| layer.longest_win))
    }

    /// The longest loss of all layers; the first of those.
    #[must_use]
    pub fn longest_loss(&self) -> Option<PositionValue> {
        longest(self.layers.iter().map(|layer| layer.longest_loss))
    }

    /// The bytes before the first layer.
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut header = vec![self.layout as u8];
        put_text(&mut header, &self.spec);
        put_position_value(&mut header, &self.start);
        put_varint(&mut header, self.layers.len() as u64);
        for layer in &self.layers {
            put_layer(&mut header, layer);
        }
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(&FORMAT_VERSION.to_le_bytes());
        out.extend_from_slice(&(header.len() as u64).to_le_bytes());
        out.extend_from_slice(&header);
        push_checksum(&mut out, 0);
        out
    }

    /// Reads what `encode` writes, whole.
    pub(crate) fn decode(bytes: &[u8]) -> Result<Self, TableError> {
        let bytes = split_checksum(bytes, "the header")?;
        let mut cursor = Cursor::new(bytes, "the header");
        cursor.take(PREFIX_BYTES)?;
        let layout = take_layout(&mut cursor)?;
        let spec = cursor.text()?;
        let start = take_position_value(&mut cursor)?;
        let layers = (0..cursor.count()?)
            .map(|_| take_layer(&mut cursor, layout))
            .collect::<Result<Vec<_>, _>>()?;
        let info = Self {
            spec,
            layout,
            start,
            layers,
        };
        info.check_sums(&cursor)?;
        cursor.end()?;
        Ok(info)
    }

    /// No sum of the header may leave 64 bits.
    fn check_sums(&self, cursor: &Cursor<'_>) -> Result<(), TableError> {
        let sum = |part: fn(&LayerInfo) -> Option<u64>| {
            self.layers
                .iter()
                .try_fold(0_u64, |sum, layer| sum.checked_add(part(layer)?))
        };
        let positions = |layer: &LayerInfo| {
            let rows = layer.histogram.rows();
            rows.iter()
                .try_fold(0_u64, |sum, row| sum.checked_add(row.1))
        };
        let states = |layer: &LayerInfo| {
            let all = layer.states.as_ref().map_or(0, |states| {
                let parts = [&states.all, &states.nontrivial];
                parts
                    .map(Histogram::positions)
                    .into_iter()
                    .max()
                    .unwrap_or(0)
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
        .ok_or_else(|| cursor.fail("numbers too large"))
    }
}

fn longest(examples: impl Iterator<Item = Option<PositionValue>>) -> Option<PositionValue> {
    let plies = |example: &PositionValue| example.value.remoteness();
    examples.flatten().fold(None, |best, example| match best {
        Some(best) if plies(&best) >= plies(&example) => Some(best),
        _ => Some(example),
    })
}

pub(crate) fn take_layout(cursor: &mut Cursor<'_>) -> Result<Layout, TableError> {
    match cursor.byte()? {
        0 => Ok(Layout::Full),
        1 => Ok(Layout::Compact),
        2 => Ok(Layout::States),
        3 => Ok(Layout::Distances),
        _ => Err(cursor.fail("an unknown layout")),
    }
}

pub(crate) fn put_symbol(out: &mut Vec<u8>, symbol: Symbol) {
    let (kind, plies) = match symbol {
        Symbol::Exact(Value::Loss(n)) => (0, n),
        Symbol::Exact(Value::Draw) => (1, 0),
        Symbol::Exact(Value::Win(n)) => (2, n),
        Symbol::Win => (3, 0),
        Symbol::BestMove(way) => (4, u16::from(way)),
    };
    out.push(kind);
    put_varint(out, u64::from(plies));
}

fn take_symbol(cursor: &mut Cursor<'_>) -> Result<Symbol, TableError> {
    let kind = cursor.byte()?;
    let plies = u16::try_from(cursor.varint()?).ok();
    let plies = plies.filter(|&plies| plies <= MAX_PLIES);
    let plies = plies.ok_or_else(|| cursor.fail("a value of more than 65,534 plies"))?;
    match (kind, plies) {
        (0, n) => Ok(Symbol::Exact(Value::Loss(n))),
        (1, 0) => Ok(Symbol::Exact(Value::Draw)),
        (2, n) => Ok(Symbol::Exact(Value::Win(n))),
        (3, 0) => Ok(Symbol::Win),
        (4, way @ 0..=127) => Ok(Symbol::BestMove(way as u8)),
        _ => Err(cursor.fail("an unknown value")),
    }
}

pub(crate) fn take_value(cursor: &mut Cursor<'_>) -> Result<Value, TableError> {
    match take_symbol(cursor)? {
        Symbol::Exact(value) => Ok(value),
        Symbol::Win | Symbol::BestMove(_) => Err(cursor.fail("a value without plies")),
    }
}

pub(crate) fn put_position_value(out: &mut Vec<u8>, example: &PositionValue) {
    put_varint(out, example.tier);
    put_varint(out, example.rank);
    put_symbol(out, Symbol::Exact(example.value));
}

pub(crate) fn take_position_value(cursor: &mut Cursor<'_>) -> Result<PositionValue, TableError> {
    Ok(PositionValue {
        tier: cursor.varint()?,
        rank: cursor.varint()?,
        value: take_value(cursor)?,
    })
}

/// Appends one byte that says whether there is an example, and the example.
pub(crate) fn put_optional(out: &mut Vec<u8>, example: Option<&PositionValue>) {
    out.push(u8::from(example.is_some()));
    if let Some(example) = example {
        put_position_value(out, example);
    }
}

pub(crate) fn take_optional(cursor: &mut Cursor<'_>) -> Result<Option<PositionValue>, TableError> {
    match cursor.byte()? {
        0 => Ok(None),
        1 => take_position_value(cursor).map(Some),
        _ => Err(cursor.fail("neither an example nor none")),
    }
}

/// Appends what a table says of a layer.
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
        _ => return Err(cursor.fail("neither a tier nor none")),
    };
    let ranks = cursor.varint()?;
    let histogram = take_histogram(cursor)?;
    let longest_win = take_optional(cursor)?;
    let longest_loss = take_optional(cursor)?;
    let states = match layout {
        Layout::Full | Layout::Compact => None,
        Layout::States | Layout::Distances => Some(StateCounts {
            all: take_histogram(cursor)?,
            nontrivial: take_histogram(cursor)?,
        }),
    };
    let symbols = (0..cursor.count()?)
        .map(|_| take_symbol(cursor))
        .collect::<Result<Vec<_>, _>>()?;
    let ascend = symbols.is_sorted_by(|a, b| a.sort_key() < b.sort_key());
    if symbols.len() > 256 || !ascend {
        return Err(cursor.fail("symbols out of order"));
    }
    let block_ranks = cursor.varint()?;
    let sizes = SymbolLayout::of(layout).block_ranks();
    let block_ranks = sizes.into_iter().find(|&n| u64::from(n) == block_ranks);
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
        Some(what) => Err(cursor.fail(what)),
    }
}

fn take_histogram(cursor: &mut Cursor<'_>) -> Result<Histogram, TableError> {
    let n = cursor.count()?;
    let rows = (0..n)
        .map(|_| Ok((take_value(cursor)?, cursor.varint()?)))
        .collect::<Result<Vec<_>, TableError>>()?;
    // Rows of one value are added up: sums may not leave 64 bits.
    let sum = rows
        .iter()
        .try_fold(0_u64, |sum, row| sum.checked_add(row.1));
    let histogram: Histogram = match sum {
        Some(_) => rows.iter().copied().collect(),
        None => return Err(cursor.fail("numbers too large")),
    };
    if n > 256 || histogram.rows() != rows {
        return Err(cursor.fail("values out of order"));
    }
    Ok(histogram)
}
