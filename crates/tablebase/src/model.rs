//! How likely a symbol is after earlier ones of the block.
//!
//! Where a symbol lies in its period, and the symbols at a few distances before it, each reduced to a class,
//! are its context; every context has frequencies of the symbols that follow, fixed for the layer.

use crate::TableError;
use crate::bytes::{Cursor, put_varint};

/// Frequencies of a context sum up to two to this.
pub(crate) const FREQUENCY_BITS: u32 = 15;
pub(crate) const FREQUENCY_TOTAL: u32 = 1 << FREQUENCY_BITS;

/// Says that a symbol follows that the context does not know: a byte of eight equal bits.
pub(crate) const ESCAPE: u16 = 256;

/// At most so many neighbours, classes, and so long a distance.
const MAX_NEIGHBOURS: usize = 6;
const MAX_CLASSES: u64 = 32;
const MAX_DISTANCE: u64 = 4095;

/// The longest period, and the most contexts.
pub(crate) const MAX_PERIOD: u32 = 1 << 16;
pub(crate) const MAX_CONTEXTS: usize = 1 << 18;

/// Bytes of a model of a layer of so many ranks, at most: its shape; for each context how many symbols it has;
/// these symbols with their frequencies, each of which was seen at some rank, and those of all contexts together.
pub(crate) fn max_model_bytes(ranks: u64) -> u64 {
    const OF_SHAPE: u64 = 512;
    const OF_CONTEXT: u64 = 2;
    const OF_SYMBOL: u64 = 4;
    let contexts = OF_CONTEXT * (MAX_CONTEXTS as u64 + 1);
    let symbols = OF_SYMBOL.saturating_mul(ranks.saturating_add(256));
    symbols.saturating_add(OF_SHAPE + contexts)
}

/// A symbol in a context: the slots `begin .. begin + freq` are its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slots {
    pub(crate) begin: u16,
    pub(crate) freq: u16,
    pub(crate) symbol: u16,
}

/// What contexts are made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ContextShape {
    /// Ranks that are equal modulo this number are alike.
    pub(crate) period: u32,
    /// How far before a rank its neighbours are.
    pub(crate) distances: Vec<u16>,
    /// The class of each symbol, from 1; class 0 is before the block.
    pub(crate) class_of: Vec<u8>,
    pub(crate) classes: usize,
}

impl ContextShape {
    /// `None` if there are too many.
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

/// The contexts of a block, rank after rank.
pub(crate) struct Contexts<'a> {
    shape: &'a ContextShape,
    /// The class of each symbol so far, after as many zeros as the greatest distance.
    classes: Vec<u8>,
    phase: usize,
}

impl<'a> Contexts<'a> {
    /// Before the first rank, whose ordinal in the layer is `first`; of `ranks` ranks.
    pub(crate) fn new(shape: &'a ContextShape, first: u64, ranks: usize) -> Self {
        let reach = shape.distances.iter().max().copied().unwrap_or(0).into();
        let mut classes = Vec::with_capacity(reach + ranks);
        classes.resize(reach, 0);
        Self {
            shape,
            classes,
            phase: (first % u64::from(shape.period)) as usize,
        }
    }

    /// The context of the next rank.
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

    /// Takes the symbol of the next rank.
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
    /// Where the slots of each context begin.
    starts: Vec<u32>,
    /// By context, the most frequent first, the escape last.
    slots: Vec<Slots>,
}

impl ContextModel {
    /// A model of no context yet; `all` is for those that are skipped.
    pub(crate) fn new(shape: ContextShape, all: &[(u8, u32)]) -> Self {
        let mut model = Self {
            starts: Vec::with_capacity(shape.contexts() + 1),
            slots: Vec::new(),
            shape,
        };
        model.push(all);
        model
    }

    /// Leaves so many contexts out, which were not seen.
    pub(crate) fn skip(&mut self, contexts: usize) {
        let skipped = self.starts.len() + contexts;
        self.starts.resize(skipped, self.starts[0]);
    }

    /// Takes the frequencies of the next context; they sum up to less than [`TOTAL`].
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

    /// The slots of a context and whatever follows; the escape ends them.
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

    /// Appends everything `take` needs.
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
            let known = self.slots[start as usize..].iter();
            let known = known.take_while(|slots| slots.symbol != ESCAPE);
            let again = i > 0 && start == self.starts[0];
            let n = if again { 0 } else { known.clone().count() };
            put_varint(plain, n as u64);
            for slots in known.take(n) {
                plain.push(slots.symbol as u8);
                put_varint(plain, u64::from(slots.freq));
            }
        }
    }

    /// Reads what `put` writes.
    pub(crate) fn take(cursor: &mut Cursor<'_>) -> Result<Self, TableError> {
        let shape = take_shape(cursor)?;
        let lists = shape.contexts() + 1;
        if lists > cursor.remaining() {
            return Err(cursor.fail("it ends too early"));
        }
        let mut model = Self {
            shape,
            starts: Vec::with_capacity(lists),
            // A list of one symbol has three bytes and two slots; of longer ones slots have more bytes.
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
        return Err(cursor.fail("a period out of range"));
    }
    let neighbours = cursor.count()?;
    if neighbours > MAX_NEIGHBOURS {
        return Err(cursor.fail("too many neighbours"));
    }
    let mut distances = Vec::new();
    for _ in 0..neighbours {
        match cursor.varint()? {
            distance @ 1..=MAX_DISTANCE => distances.push(distance as u16),
            _ => return Err(cursor.fail("a distance out of range")),
        }
    }
    let classes = cursor.varint()?;
    let symbols = cursor.count()?;
    let class_of = cursor.take(symbols)?.to_vec();
    let fits = class_of.iter().all(|&class| u64::from(class) < classes);
    if !(1..=MAX_CLASSES).contains(&classes) || symbols > 256 || !fits {
        return Err(cursor.fail("classes out of range"));
    }
    let shape = ContextShape {
        period: period as u32,
        distances,
        class_of,
        classes: classes as usize,
    };
    match shape.checked_contexts() {
        Some(_) => Ok(shape),
        None => Err(cursor.fail("too many contexts")),
    }
}

/// Reads the frequencies of a context, those of so many symbols at most.
fn take_frequencies(
    cursor: &mut Cursor<'_>,
    symbols: usize,
    list: &mut Vec<(u8, u32)>,
) -> Result<(), TableError> {
    list.clear();
    let count = cursor.count()?;
    if count > symbols.max(1) {
        return Err(cursor.fail("more frequencies than symbols"));
    }
    let mut sum = 0;
    for _ in 0..count {
        let (symbol, freq) = (cursor.byte()?, cursor.varint()?);
        sum += freq.min(u64::from(FREQUENCY_TOTAL));
        if freq == 0 || sum >= u64::from(FREQUENCY_TOTAL) {
            return Err(cursor.fail("frequencies out of range"));
        }
        list.push((symbol, freq as u32));
    }
    Ok(())
}
