//! Context model: frequencies of the symbols that may follow earlier ones of the block.
//!
//! The context of a symbol is its ordinal modulo a period, and the classes of the symbols at a few
//! distances before it. Frequencies are fixed for a layer.

use std::hint::select_unpredictable;

use crate::error::TableError;
use crate::symbols::symbol_layout::ANY_SYMBOL;
use hindsight_engine::checkpoint::bytes::{Cursor, put_varint};

/// Binary logarithm of [`FREQUENCY_TOTAL`].
pub(super) const FREQUENCY_BITS: u32 = 15;

/// Sum of the frequencies of a context.
pub(super) const FREQUENCY_TOTAL: u32 = 1 << FREQUENCY_BITS;

pub(super) const MIN_STATE: u32 = 1 << 16;

/// Slots of a symbol after the escape, which is written as a byte of eight equiprobable bits.
pub(super) const ESCAPED_SLOTS: u32 = FREQUENCY_TOTAL >> 8;

/// Pseudo-symbol for a symbol that its context does not list. The symbol follows as a byte of eight
/// equiprobable bits.
pub(super) const ESCAPE: u16 = 256;

const MAX_NEIGHBOURS: usize = 6;

const MAX_CLASSES: u64 = 32;

/// The largest distance to a neighbour.
const MAX_DISTANCE: u64 = 4095;

pub(crate) const MAX_PERIOD: u32 = 1 << 16;

pub(super) const MAX_CONTEXTS: usize = 1 << 18;

/// Most bytes of a model of a layer of `ranks` ranks: its shape, the number of symbols of each
/// context, and the frequencies. Each frequency of a context was seen at a rank of its own. The
/// list for all other contexts has at most 256 frequencies.
pub(super) fn max_model_bytes(ranks: u64) -> u64 {
    const SHAPE_BYTES: u64 = 512;
    const CONTEXT_BYTES: u64 = 2;
    const FREQUENCY_BYTES: u64 = 4;
    let contexts = CONTEXT_BYTES * (MAX_CONTEXTS as u64 + 1);
    let symbols = FREQUENCY_BYTES.saturating_mul(ranks.saturating_add(256));
    symbols.saturating_add(SHAPE_BYTES + contexts)
}

/// Memory of a model of `contexts` contexts, in bytes. Few contexts have many further symbols.
pub(crate) fn max_model_memory(contexts: u64) -> u64 {
    2 * size_of::<Row>() as u64 * contexts
}

/// Symbols of a context that are found without a search.
pub(super) const ROW_SYMBOLS: usize = 3;

/// The first symbols of a context: the likeliest ones, if a writer of this program made the model.
///
/// Symbol `i` owns the slots from the end of the symbol before, or 0, to `ends[i]`. A context with
/// fewer symbols repeats the last end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Row {
    pub(crate) ends: [u16; ROW_SYMBOLS],
    pub(crate) symbols: [u8; ROW_SYMBOLS],
    /// Classes of the symbols in the contexts of the next symbol.
    pub(super) classes: [u8; ROW_SYMBOLS],
    /// Index of the further symbols.
    rest: u32,
}

impl Row {
    /// A symbol that is to be stored, or the likeliest one for [`ANY_SYMBOL`].
    #[inline(always)]
    pub(super) fn likeliest_or(&self, required: u16) -> u8 {
        select_unpredictable(required == ANY_SYMBOL, self.symbols[0], required as u8)
    }

    /// End of the slots of the first symbols.
    #[inline]
    pub(super) fn last_end(&self) -> u32 {
        self.ends[ROW_SYMBOLS - 1].into()
    }
}

/// A further symbol of a context, or the escape, which ends them. Its slots begin where those of
/// the symbol before end.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct FurtherSymbol {
    pub(crate) end: u16,
    pub(crate) symbol: u16,
}

/// Definition of a model's contexts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ContextShape {
    /// Ordinals are taken modulo this number.
    pub(crate) period: u32,
    /// Distances from a symbol back to its neighbours.
    pub(crate) distances: Vec<u16>,
    /// Class of each symbol, from 1. Class 0 stands for a neighbour before the block.
    pub(super) class_of: Vec<u8>,
    pub(super) classes: usize,
}

impl ContextShape {
    /// Number of contexts; `None` if there are too many.
    fn checked_contexts(&self) -> Option<usize> {
        let classes = self.classes.checked_pow(self.distances.len() as u32)?;
        let contexts = classes.checked_mul(self.period as usize)?;
        (contexts <= MAX_CONTEXTS).then_some(contexts)
    }

    /// Returns true if there are at most `most` contexts.
    pub(super) fn has_at_most(&self, most: u64) -> bool {
        self.checked_contexts().is_some_and(|contexts| contexts as u64 <= most)
    }

    pub(super) fn contexts(&self) -> usize {
        self.checked_contexts().expect("shapes have few contexts, or are not read")
    }
}

/// Contexts with their frequencies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ContextModel {
    shape: ContextShape,
    /// The row of context `c` is entry `c + 1`. Entry 0 belongs to the list for contexts that have
    /// no list of their own, which repeat it.
    rows: Vec<Row>,
    /// Further symbols by context.
    further: Vec<FurtherSymbol>,
}

impl ContextModel {
    /// A model without contexts yet. `all` is the list for the contexts that are skipped.
    pub(crate) fn new(shape: ContextShape, all: &[(u8, u32)]) -> Self {
        let mut model =
            Self { rows: Vec::with_capacity(shape.contexts() + 1), further: Vec::new(), shape };
        model.push(all);
        model
    }

    /// Leaves out the next `contexts` contexts, which use the first list.
    pub(crate) fn skip(&mut self, contexts: usize) {
        let rows = self.rows.len() + contexts;
        self.rows.resize(rows, self.rows[0]);
    }

    /// Adds the frequencies of the next context. Their sum is less than [`FREQUENCY_TOTAL`].
    pub(crate) fn push(&mut self, list: &[(u8, u32)]) {
        if list.is_empty() && !self.rows.is_empty() {
            return self.skip(1);
        }
        let mut row = Row {
            ends: [0; ROW_SYMBOLS],
            symbols: [0; ROW_SYMBOLS],
            classes: [0; ROW_SYMBOLS],
            rest: self.further.len() as u32,
        };
        let mut end = 0;
        for (i, &(symbol, freq)) in list.iter().enumerate() {
            end += freq as u16;
            if i < ROW_SYMBOLS {
                row.ends[i..].fill(end);
                row.symbols[i] = symbol;
            } else {
                let symbol = u16::from(symbol);
                self.further.push(FurtherSymbol { end, symbol });
            }
        }
        self.further.push(FurtherSymbol { end: FREQUENCY_TOTAL as u16, symbol: ESCAPE });
        self.rows.push(row);
    }

    /// Notes the classes of the symbols in the contexts of the next symbol, whose model has the
    /// shape `next`.
    pub(super) fn link(&mut self, next: &ContextShape) {
        for row in &mut self.rows {
            let class_of = |symbol: u8| next.class_of.get(usize::from(symbol)).copied();
            row.classes = row.symbols.map(|symbol| class_of(symbol).unwrap_or(0));
        }
    }

    /// Rows by context.
    #[inline]
    pub(crate) fn rows(&self) -> &[Row] {
        &self.rows[1..]
    }

    /// The further symbols of a row and of later ones. The escape ends the row.
    #[inline]
    pub(crate) fn further(&self, row: &Row) -> &[FurtherSymbol] {
        &self.further[row.rest as usize..]
    }

    /// Returns true if a row repeats the first list.
    pub(super) fn is_skipped(&self, row: &Row) -> bool {
        row.rest == self.rows[0].rest
    }

    /// The list of a row, without the escape.
    fn list(&self, row: &Row) -> Vec<(u8, u16)> {
        let mut begin = 0;
        let first = row.symbols.into_iter().zip(row.ends);
        let further = self
            .further(row)
            .iter()
            .take_while(|further| further.symbol != ESCAPE)
            .map(|further| (further.symbol as u8, further.end));
        let with_end = first.chain(further);
        let list = with_end.map(|(symbol, end)| (symbol, end - std::mem::replace(&mut begin, end)));
        list.filter(|&(_, freq)| freq > 0).collect()
    }

    pub(crate) fn shape(&self) -> &ContextShape {
        &self.shape
    }

    /// Appends the shape, then the list of frequencies of each context.
    pub(crate) fn put(&self, plain: &mut Vec<u8>) {
        put_varint(plain, u64::from(self.shape.period));
        put_varint(plain, self.shape.distances.len() as u64);
        for &distance in &self.shape.distances {
            put_varint(plain, u64::from(distance));
        }
        put_varint(plain, self.shape.classes as u64);
        put_varint(plain, self.shape.class_of.len() as u64);
        plain.extend_from_slice(&self.shape.class_of);
        for (i, row) in self.rows.iter().enumerate() {
            if i > 0 && self.is_skipped(row) {
                plain.push(0);
                continue;
            }
            let list = self.list(row);
            put_varint(plain, list.len() as u64);
            for (symbol, freq) in list {
                plain.push(symbol);
                put_varint(plain, u64::from(freq));
            }
        }
    }

    /// Reads the bytes of [`ContextModel::put`].
    pub(crate) fn take(cursor: &mut Cursor<'_>) -> Result<Self, TableError> {
        let shape = take_shape(cursor)?;
        let lists = shape.contexts() + 1;
        if lists > cursor.remaining() {
            return Err(cursor.fail("it ends too early").into());
        }
        let mut model = Self {
            shape,
            rows: Vec::with_capacity(lists),
            // A list of one symbol takes three bytes and an escape; a list of four takes nine, a
            // further symbol and an escape; a longer one takes more bytes per entry.
            further: Vec::with_capacity(cursor.remaining() / 3 + 2),
        };
        let mut list = Vec::new();
        for _ in 0..lists {
            take_frequencies(cursor, model.shape.class_of.len(), &mut list)?;
            model.push(&list);
        }
        model.further.shrink_to_fit();
        Ok(model)
    }
}

fn take_shape(cursor: &mut Cursor<'_>) -> Result<ContextShape, TableError> {
    let period = cursor.varint()?;
    if !(1..=u64::from(MAX_PERIOD)).contains(&period) {
        return Err(cursor.fail("a period out of range").into());
    }
    let neighbours = cursor.count()?;
    if neighbours > MAX_NEIGHBOURS {
        return Err(cursor.fail("too many neighbours").into());
    }
    let mut distances = Vec::new();
    for _ in 0..neighbours {
        match cursor.varint()? {
            distance @ 1..=MAX_DISTANCE => distances.push(distance as u16),
            _ => return Err(cursor.fail("a distance out of range").into()),
        }
    }
    let classes = cursor.varint()?;
    let symbols = cursor.count()?;
    let class_of = cursor.take(symbols)?.to_vec();
    let fits = class_of.iter().all(|&class| u64::from(class) < classes);
    if !(1..=MAX_CLASSES).contains(&classes) || symbols > 256 || !fits {
        return Err(cursor.fail("classes out of range").into());
    }
    let shape =
        ContextShape { period: period as u32, distances, class_of, classes: classes as usize };
    match shape.checked_contexts() {
        Some(_) => Ok(shape),
        None => Err(cursor.fail("too many contexts").into()),
    }
}

/// Reads the frequencies of a context, of at most `symbols` symbols.
fn take_frequencies(
    cursor: &mut Cursor<'_>,
    symbols: usize,
    list: &mut Vec<(u8, u32)>,
) -> Result<(), TableError> {
    list.clear();
    let count = cursor.count()?;
    if count > symbols.max(1) {
        return Err(cursor.fail("more frequencies than symbols").into());
    }
    let mut sum = 0;
    for _ in 0..count {
        let (symbol, freq) = (cursor.byte()?, cursor.varint()?);
        sum += freq.min(u64::from(FREQUENCY_TOTAL));
        if freq == 0 || sum >= u64::from(FREQUENCY_TOTAL) {
            return Err(cursor.fail("frequencies out of range").into());
        }
        if usize::from(symbol) >= symbols.max(1) {
            return Err(cursor.fail("a symbol that the layer lacks").into());
        }
        list.push((symbol, freq as u32));
    }
    Ok(())
}
