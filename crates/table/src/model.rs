//! Symbols predicted from earlier ones of the block, written by range asymmetric numeral systems.
//!
//! Where a rank lies in its period, and the symbols at a few distances before it, each reduced to a class,
//! are its context; every context has frequencies of the symbols that follow, fixed for the layer. The code is rANS after J. Duda,
//! "Asymmetric numeral systems" (arXiv:1311.2540), with a state of 32 bits, renewed 16 at a time.

use crate::Error;
use crate::bytes::{Cursor, put_varint};
use crate::coder::FREE;

/// Frequencies of a context sum up to two to this.
pub(crate) const BITS: u32 = 15;
pub(crate) const TOTAL: u32 = 1 << BITS;

/// The smallest state.
const LOW: u32 = 1 << 16;

/// Says that a symbol follows that the context does not know: a byte of eight equal bits.
const ESCAPE: u16 = 256;
const ESCAPED: u32 = TOTAL >> 8;

/// At most so many neighbours, classes, and so long a distance.
const MOST_NEIGHBOURS: usize = 6;
const MOST_CLASSES: u64 = 32;
const MOST_DISTANCE: u64 = 4095;

/// The longest period, and the most contexts.
pub(crate) const MOST_PERIOD: u32 = 1 << 16;
const MOST_CONTEXTS: usize = 1 << 24;

/// The most bytes of a model before compression.
const MOST_BYTES: u64 = 1 << 25;

/// A symbol in a context: the slots `begin .. begin + freq` are its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Slots {
    pub(crate) begin: u16,
    pub(crate) freq: u16,
    pub(crate) symbol: u16,
}

/// What contexts are made of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Shape {
    /// Ranks that are equal modulo this number are alike.
    pub(crate) period: u32,
    /// How far before a rank its neighbours are.
    pub(crate) distances: Vec<u16>,
    /// The class of each symbol, from 1; class 0 is before the block.
    pub(crate) class_of: Vec<u8>,
    pub(crate) classes: usize,
}

impl Shape {
    /// `None` if there are too many.
    fn checked_contexts(&self) -> Option<usize> {
        let classes = self.classes.checked_pow(self.distances.len() as u32)?;
        let contexts = classes.checked_mul(self.period as usize)?;
        (contexts <= MOST_CONTEXTS).then_some(contexts)
    }

    pub(crate) fn contexts(&self) -> usize {
        self.checked_contexts()
            .expect("shapes have few contexts, or are not read")
    }
}

/// The contexts of a block, rank after rank.
pub(crate) struct Contexts<'a> {
    shape: &'a Shape,
    /// The class of each symbol so far, after as many zeros as the greatest distance.
    classes: Vec<u8>,
    reach: usize,
    phase: usize,
}

impl<'a> Contexts<'a> {
    /// Before the first rank, whose ordinal in the layer is `first`; of `ranks` ranks.
    pub(crate) fn new(shape: &'a Shape, first: u64, ranks: usize) -> Self {
        let reach = shape.distances.iter().max().copied().unwrap_or(0).into();
        let mut classes = Vec::with_capacity(reach + ranks);
        classes.resize(reach, 0);
        Self {
            shape,
            classes,
            reach,
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

    /// How many symbols were taken.
    fn len(&self) -> usize {
        self.classes.len() - self.reach
    }
}

/// Contexts with their frequencies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Model {
    shape: Shape,
    /// Where the slots of each context begin.
    starts: Vec<u32>,
    /// By context, the most frequent first, the escape last.
    slots: Vec<Slots>,
}

impl Model {
    /// A model of counted symbols: `all` for contexts that were not seen, then the seen ones.
    pub(crate) fn new(shape: Shape, lists: Vec<Vec<(u8, u32)>>) -> Self {
        let mut model = Self {
            shape,
            starts: Vec::with_capacity(lists.len()),
            slots: Vec::new(),
        };
        for list in lists {
            model.push(&list);
        }
        model
    }

    /// Takes the frequencies of the next context; they sum up to less than [`TOTAL`].
    fn push(&mut self, list: &[(u8, u32)]) {
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
            freq: (TOTAL - begin) as u16,
            symbol: ESCAPE,
        });
    }

    /// The slots of a context and whatever follows; the escape ends them.
    #[inline]
    fn slots(&self, context: usize) -> &[Slots] {
        &self.slots[self.starts[context + 1] as usize..]
    }

    /// The slots of a symbol in a context, or of the escape.
    pub(crate) fn find(&self, context: usize, symbol: u8) -> Slots {
        let wanted = u16::from(symbol);
        let mut slots = self.slots(context).iter();
        let found = slots.find(|slots| slots.symbol == wanted || slots.symbol == ESCAPE);
        *found.expect("an escape ends every context")
    }

    pub(crate) fn shape(&self) -> &Shape {
        &self.shape
    }

    /// Puts the likeliest symbol where any will do, and hands every symbol over with its context. `first`
    /// is the ordinal of the first rank.
    pub(crate) fn fill(&self, first: u64, wanted: &[u16], mut take: impl FnMut(usize, u8)) {
        let mut contexts = Contexts::new(&self.shape, first, wanted.len());
        for &wanted in wanted {
            let context = contexts.next();
            let symbol = match wanted {
                FREE => self.slots(context)[0].symbol,
                wanted => wanted,
            };
            let symbol = if symbol == ESCAPE { 0 } else { symbol as u8 };
            take(context, symbol);
            contexts.push(symbol);
        }
    }

    /// Appends a block whose first rank has the ordinal `first`.
    pub(crate) fn encode(&self, first: u64, wanted: &[u16], out: &mut Vec<u8>) {
        let mut symbols = Vec::with_capacity(wanted.len());
        self.fill(first, wanted, |context, symbol| {
            symbols.push((self.find(context, symbol), symbol));
        });
        let mut state = LOW;
        let mut words = Vec::new();
        for (slots, symbol) in symbols.into_iter().rev() {
            if slots.symbol == ESCAPE {
                let begin = u32::from(symbol) * ESCAPED;
                state = push(state, begin, ESCAPED, &mut words);
            }
            state = push(state, slots.begin.into(), slots.freq.into(), &mut words);
        }
        out.extend_from_slice(&state.to_le_bytes());
        out.extend(words.iter().rev().flat_map(|word| word.to_le_bytes()));
    }

    /// Fills `symbols` from a block whose first rank has the ordinal `first`; `whole` if they are all of
    /// the block.
    pub(crate) fn decode(
        &self,
        bytes: &[u8],
        first: u64,
        symbols: &mut [u8],
        whole: bool,
    ) -> Result<(), Error> {
        let mut cursor = Cursor::new(bytes, "a block");
        let mut state = cursor.u32()?;
        let (words, rest) = cursor.rest().as_chunks::<2>();
        let mut words = words.iter();
        let damaged = || Error::damaged("a block cannot be decoded");
        let mut past_end = false;
        let mut contexts = Contexts::new(&self.shape, first, symbols.len());
        for out in symbols.iter_mut() {
            let slot = (state & (TOTAL - 1)) as u16;
            let mut slots = self.slots(contexts.next()).iter();
            let found = slots.find(|slots| slot < slots.begin + slots.freq);
            let found = *found.ok_or_else(damaged)?;
            state = u32::from(found.freq) * (state >> BITS) + u32::from(slot - found.begin);
            state = renew(state, &mut words, &mut past_end);
            *out = if found.symbol == ESCAPE {
                let slot = state & (TOTAL - 1);
                state = ESCAPED * (state >> BITS) + slot % ESCAPED;
                state = renew(state, &mut words, &mut past_end);
                (slot / ESCAPED) as u8
            } else {
                found.symbol as u8
            };
            if usize::from(*out) >= self.shape.class_of.len() {
                return Err(damaged());
            }
            contexts.push(*out);
        }
        debug_assert_eq!(contexts.len(), symbols.len());
        let at_end = state == LOW && words.next().is_none();
        if past_end || !rest.is_empty() || whole && !at_end {
            return Err(damaged());
        }
        Ok(())
    }

    /// Appends everything `read` needs.
    pub(crate) fn write(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        let mut plain = Vec::new();
        put_varint(&mut plain, u64::from(self.shape.period));
        put_varint(&mut plain, self.shape.distances.len() as u64);
        for &distance in &self.shape.distances {
            put_varint(&mut plain, u64::from(distance));
        }
        put_varint(&mut plain, self.shape.classes as u64);
        put_varint(&mut plain, self.shape.class_of.len() as u64);
        plain.extend_from_slice(&self.shape.class_of);
        for (i, &start) in self.starts.iter().enumerate() {
            let known = self.slots[start as usize..].iter();
            let known = known.take_while(|slots| slots.symbol != ESCAPE);
            let again = i > 0 && start == self.starts[0];
            let n = if again { 0 } else { known.clone().count() };
            put_varint(&mut plain, n as u64);
            for slots in known.take(n) {
                plain.push(slots.symbol as u8);
                put_varint(&mut plain, u64::from(slots.freq));
            }
        }
        put_varint(out, plain.len() as u64);
        let packed = zstd::bulk::compress(&plain, 19).map_err(Error::io("compress"))?;
        out.extend_from_slice(&packed);
        Ok(())
    }

    /// Reads what `write` writes.
    pub(crate) fn read(mut cursor: Cursor<'_>) -> Result<Self, Error> {
        let length = cursor.varint()?;
        if length > MOST_BYTES {
            return Err(cursor.fail("it is too large"));
        }
        let plain = zstd::bulk::decompress(cursor.rest(), length as usize)
            .map_err(|_| Error::damaged("the model of a layer cannot be decoded"))?;
        let mut cursor = Cursor::new(&plain, "the model of a layer");
        let mut model = Self {
            shape: take_shape(&mut cursor)?,
            starts: Vec::new(),
            slots: Vec::new(),
        };
        for _ in 0..=model.shape.contexts() {
            let list = take_list(&mut cursor)?;
            model.push(&list);
        }
        cursor.end()?;
        Ok(model)
    }
}

fn take_shape(cursor: &mut Cursor<'_>) -> Result<Shape, Error> {
    let period = cursor.varint()?;
    if !(1..=u64::from(MOST_PERIOD)).contains(&period) {
        return Err(cursor.fail("a period out of range"));
    }
    let neighbours = cursor.count()?;
    if neighbours > MOST_NEIGHBOURS {
        return Err(cursor.fail("too many neighbours"));
    }
    let mut distances = Vec::new();
    for _ in 0..neighbours {
        match cursor.varint()? {
            distance @ 1..=MOST_DISTANCE => distances.push(distance as u16),
            _ => return Err(cursor.fail("a distance out of range")),
        }
    }
    let classes = cursor.varint()?;
    let symbols = cursor.count()?;
    let class_of = cursor.take(symbols)?.to_vec();
    let fits = class_of.iter().all(|&class| u64::from(class) < classes);
    if !(1..=MOST_CLASSES).contains(&classes) || symbols > 256 || !fits {
        return Err(cursor.fail("classes out of range"));
    }
    let shape = Shape {
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

fn take_list(cursor: &mut Cursor<'_>) -> Result<Vec<(u8, u32)>, Error> {
    let mut sum = 0;
    (0..cursor.count()?)
        .map(|_| {
            let (symbol, freq) = (cursor.byte()?, cursor.varint()?);
            sum += freq.min(u64::from(TOTAL));
            if freq == 0 || sum >= u64::from(TOTAL) {
                return Err(cursor.fail("frequencies out of range"));
            }
            Ok((symbol, freq as u32))
        })
        .collect()
}

/// Adds a symbol with these slots to a state.
fn push(mut state: u32, begin: u32, freq: u32, words: &mut Vec<u16>) -> u32 {
    if u64::from(state) >= u64::from(freq) << (32 - BITS) {
        words.push(state as u16);
        state >>= 16;
    }
    ((state / freq) << BITS) + state % freq + begin
}

#[inline]
fn renew<'a>(
    state: u32,
    words: &mut impl Iterator<Item = &'a [u8; 2]>,
    past_end: &mut bool,
) -> u32 {
    if state >= LOW {
        return state;
    }
    match words.next() {
        Some(&word) => state << 16 | u32::from(u16::from_le_bytes(word)),
        None => {
            *past_end = true;
            LOW
        }
    }
}
