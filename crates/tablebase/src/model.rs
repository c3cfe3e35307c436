//! Context model: frequencies of the symbols that may follow earlier ones of the block.
//!
//! The context of a symbol is its ordinal modulo a period, and the classes of the symbols at a few
//! distances before it. Frequencies are fixed for a layer.

use crate::error::TableError;
use hindsight_checkpoint::bytes::{Cursor, put_varint};

/// Binary logarithm of [`FREQUENCY_TOTAL`].
pub(crate) const FREQUENCY_BITS: u32 = 15;

/// Sum of the frequencies of a context.
pub(crate) const FREQUENCY_TOTAL: u32 = 1 << FREQUENCY_BITS;

/// Pseudo-symbol for a symbol that its context does not list. The symbol follows as a byte of eight
/// equiprobable bits.
pub(crate) const ESCAPE: u16 = 256;

/// Neighbours of a context, at most.
const MAX_NEIGHBOURS: usize = 6;

/// Classes of symbols, at most.
const MAX_CLASSES: u64 = 32;

/// The largest distance to a neighbour.
const MAX_DISTANCE: u64 = 4095;

/// The longest period.
pub(crate) const MAX_PERIOD: u32 = 1 << 16;

/// Contexts of a model, at most.
pub(crate) const MAX_CONTEXTS: usize = 1 << 18;

/// Most bytes of a model of a layer of `ranks` ranks: its shape, the number of symbols of each
/// context, and the frequencies. Each frequency of a context was seen at a rank of its own. The
/// list for all other contexts has at most 256 frequencies.
pub(crate) fn max_model_bytes(ranks: u64) -> u64 {
    const SHAPE_BYTES: u64 = 512;
    const CONTEXT_BYTES: u64 = 2;
    const FREQUENCY_BYTES: u64 = 4;
    let contexts = CONTEXT_BYTES * (MAX_CONTEXTS as u64 + 1);
    let symbols = FREQUENCY_BYTES.saturating_mul(ranks.saturating_add(256));
    symbols.saturating_add(SHAPE_BYTES + contexts)
}

/// Slots of a symbol in a context: `begin..begin + freq`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slots {
    pub(crate) begin: u16,
    pub(crate) freq: u16,
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
    pub(crate) class_of: Vec<u8>,
    pub(crate) classes: usize,
}

impl ContextShape {
    /// Number of contexts; `None` if there are too many.
    fn checked_contexts(&self) -> Option<usize> {
        let classes = self.classes.checked_pow(self.distances.len() as u32)?;
        let contexts = classes.checked_mul(self.period as usize)?;
        (contexts <= MAX_CONTEXTS).then_some(contexts)
    }

    pub(crate) fn contexts(&self) -> usize {
        self.checked_contexts()
            .expect("shapes have few contexts, or are not read")
    }
}

/// The contexts of a block, symbol after symbol.
pub(crate) struct Contexts<'a> {
    shape: &'a ContextShape,
    /// Classes of the symbols so far, after `n` zeros if `n` is the largest distance.
    classes: Vec<u8>,
    phase: usize,
}

impl<'a> Contexts<'a> {
    /// Starts before the first of `len` symbols. `first` is its ordinal in the layer.
    pub(crate) fn new(shape: &'a ContextShape, first: u64, len: usize) -> Self {
        let reach = shape.distances.iter().max().copied().unwrap_or(0).into();
        let mut classes = Vec::with_capacity(reach + len);
        classes.resize(reach, 0);
        Self {
            shape,
            classes,
            phase: (first % u64::from(shape.period)) as usize,
        }
    }

    /// The context of the next symbol.
    #[inline]
    pub(crate) fn next(&self) -> usize {
        let end = self.classes.len();
        self.shape
            .distances
            .iter()
            .fold(self.phase, |context, &distance| {
                context * self.shape.classes
                    + usize::from(self.classes[end - usize::from(distance)])
            })
    }

    /// Adds the next symbol.
    #[inline]
    pub(crate) fn push(&mut self, symbol: u8) {
        self.classes.push(self.shape.class_of[usize::from(symbol)]);
        self.phase += 1;
        if self.phase == self.shape.period as usize {
            self.phase = 0;
        }
    }
}

/// Contexts with their frequencies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ContextModel {
    shape: ContextShape,
    /// Index of the first slots of context `c` at `c + 1`. Entry 0 belongs to the list for contexts
    /// that have no list of their own.
    starts: Vec<u32>,
    /// Slots by context, the most frequent symbol first, the escape last.
    slots: Vec<Slots>,
}

impl ContextModel {
    /// A model without contexts yet. `all` is the list for the contexts that are skipped.
    pub(crate) fn new(shape: ContextShape, all: &[(u8, u32)]) -> Self {
        let mut model = Self {
            starts: Vec::with_capacity(shape.contexts() + 1),
            slots: Vec::new(),
            shape,
        };
        model.push(all);
        model
    }

    /// Leaves out the next `contexts` contexts, which were not seen.
    pub(crate) fn skip(&mut self, contexts: usize) {
        let skipped = self.starts.len() + contexts;
        self.starts.resize(skipped, self.starts[0]);
    }

    /// Adds the frequencies of the next context. Their sum is less than [`FREQUENCY_TOTAL`].
    pub(crate) fn push(&mut self, list: &[(u8, u32)]) {
        if list.is_empty() && !self.starts.is_empty() {
            self.starts.push(self.starts[0]);
            return;
        }
        self.starts.push(self.slots.len() as u32);
        let mut begin = 0;
        for &(symbol, freq) in list {
            self.slots.push(Slots {
                begin: begin as u16,
                freq: freq as u16,
                symbol: u16::from(symbol),
            });
            begin += freq;
        }
        self.slots.push(Slots {
            begin: begin as u16,
            freq: (FREQUENCY_TOTAL - begin) as u16,
            symbol: ESCAPE,
        });
    }

    /// The slots of a context and of all later ones. The escape ends the context.
    #[inline]
    pub(crate) fn slots(&self, context: usize) -> &[Slots] {
        &self.slots[self.starts[context + 1] as usize..]
    }

    /// The slots of a symbol in a context, or of the escape.
    pub(crate) fn slots_of(&self, context: usize, symbol: u8) -> Slots {
        let wanted = u16::from(symbol);
        let mut slots = self.slots(context).iter();
        let found = slots.find(|slots| slots.symbol == wanted || slots.symbol == ESCAPE);
        *found.expect("an escape ends every context")
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
        for (i, &start) in self.starts.iter().enumerate() {
            let listed = self.slots[start as usize..].iter();
            let listed = listed.take_while(|slots| slots.symbol != ESCAPE);
            let is_skipped = i > 0 && start == self.starts[0];
            let n = if is_skipped {
                0
            } else {
                listed.clone().count()
            };
            put_varint(plain, n as u64);
            for slots in listed.take(n) {
                plain.push(slots.symbol as u8);
                put_varint(plain, u64::from(slots.freq));
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
            starts: Vec::with_capacity(lists),
            // A list of one symbol takes three bytes and two slots; a longer list takes more bytes
            // per slot.
            slots: Vec::with_capacity(cursor.remaining() * 2 / 3 + 2),
        };
        let mut list = Vec::new();
        for _ in 0..lists {
            take_frequencies(cursor, model.shape.class_of.len(), &mut list)?;
            model.push(&list);
        }
        model.slots.shrink_to_fit();
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
    let shape = ContextShape {
        period: period as u32,
        distances,
        class_of,
        classes: classes as usize,
    };
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
