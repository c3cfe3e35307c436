//! Symbols predicted from earlier ones of the block, written by range asymmetric numeral systems.
//!
//! Each symbol has a model of what follows; where a rank has several symbols, each of them has its own. The
//! code is rANS after J. Duda, "Asymmetric numeral systems" (arXiv:1311.2540), with a state of 32 bits,
//! renewed 16 at a time.

use crate::Error;
use crate::bytes::{Cursor, put_varint};
use crate::coder::FREE;
use crate::layout::MOST_PLANES;
use crate::model::{self, BITS, Contexts, ESCAPE, Model, TOTAL};

/// The smallest state.
const LOW: u32 = 1 << 16;

/// Slots of a symbol after the escape: a byte of eight equal bits.
const ESCAPED: u32 = TOTAL >> 8;

/// The most bytes of models before compression.
const MOST_BYTES: u64 = 1 << 25;

/// Bytes of so many models of a layer of so many ranks before compression, at most: contexts have few
/// frequencies together, as each was seen.
pub(crate) fn most_plain(ranks: u64, models: u64) -> u64 {
    let of_model = model::most_bytes(ranks);
    models.saturating_mul(of_model).min(MOST_BYTES)
}

/// A model for every symbol, or for each symbol of a rank in turn.
pub(crate) struct Models(Vec<Model>);

/// The contexts of a block under every model, and which is next.
struct InTurn<'a> {
    models: &'a [Model],
    contexts: Vec<Contexts<'a>>,
    turn: usize,
}

impl<'a> InTurn<'a> {
    /// Before the first of `len` symbols, whose ordinal in the layer is `first`.
    fn new(models: &'a [Model], first: u64, len: usize) -> Self {
        let contexts = models
            .iter()
            .map(|model| Contexts::new(model.shape(), first, len));
        Self {
            models,
            contexts: contexts.collect(),
            turn: (first % models.len() as u64) as usize,
        }
    }

    /// The model of the next symbol, and its context there.
    #[inline]
    fn next(&self) -> (&'a Model, usize) {
        (&self.models[self.turn], self.contexts[self.turn].next())
    }

    #[inline]
    fn push(&mut self, symbol: u8) {
        for contexts in &mut self.contexts {
            contexts.push(symbol);
        }
        self.turn += 1;
        if self.turn == self.models.len() {
            self.turn = 0;
        }
    }
}

impl Models {
    /// At least one.
    pub(crate) fn new(models: Vec<Model>) -> Self {
        assert!(!models.is_empty(), "a symbol has a model");
        Self(models)
    }

    pub(crate) fn all(&self) -> &[Model] {
        &self.0
    }

    /// Puts the likeliest symbol where any will do, and hands every symbol over with its model and context.
    /// `first` is the ordinal of the first.
    pub(crate) fn fill(&self, first: u64, wanted: &[u16], mut take: impl FnMut(&Model, usize, u8)) {
        let mut in_turn = InTurn::new(&self.0, first, wanted.len());
        for &wanted in wanted {
            let (model, context) = in_turn.next();
            let symbol = match wanted {
                FREE => model.slots(context)[0].symbol,
                wanted => wanted,
            };
            let symbol = if symbol == ESCAPE { 0 } else { symbol as u8 };
            take(model, context, symbol);
            in_turn.push(symbol);
        }
    }

    /// Appends a block whose first symbol has the ordinal `first`.
    pub(crate) fn encode(&self, first: u64, wanted: &[u16], out: &mut Vec<u8>) {
        let mut symbols = Vec::with_capacity(wanted.len());
        self.fill(first, wanted, |model, context, symbol| {
            symbols.push((model.find(context, symbol), symbol));
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

    /// Fills `symbols` from a block whose first symbol has the ordinal `first`; `whole` if they are all of
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
        let known = self.0[0].shape().class_of.len();
        let mut in_turn = InTurn::new(&self.0, first, symbols.len());
        for out in symbols.iter_mut() {
            let slot = (state & (TOTAL - 1)) as u16;
            let (model, context) = in_turn.next();
            let mut slots = model.slots(context).iter();
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
            if usize::from(*out) >= known {
                return Err(damaged());
            }
            in_turn.push(*out);
        }
        let at_end = state == LOW && words.next().is_none();
        if past_end || !rest.is_empty() || whole && !at_end {
            return Err(damaged());
        }
        Ok(())
    }

    /// Appends everything `read` needs beside the number of models.
    pub(crate) fn write(&self, out: &mut Vec<u8>) -> Result<(), Error> {
        let mut plain = Vec::new();
        for model in &self.0 {
            model.put(&mut plain);
        }
        put_varint(out, plain.len() as u64);
        let packed = zstd::bulk::compress(&plain, 19).map_err(Error::io("compress"))?;
        out.extend_from_slice(&packed);
        Ok(())
    }

    /// Reads the length of so many models before compression, of a layer of so many ranks.
    pub(crate) fn take_length(
        cursor: &mut Cursor<'_>,
        models: u64,
        ranks: u64,
    ) -> Result<u64, Error> {
        if !(1..=MOST_PLANES as u64).contains(&models) {
            return Err(cursor.fail("too many models, or none"));
        }
        match cursor.varint()? {
            length if length > most_plain(ranks, models) => {
                Err(cursor.fail("it is larger than its layer makes it"))
            }
            length => Ok(length),
        }
    }

    /// Bytes of memory that models of so many bytes take while they are read: these bytes; up to four for each
    /// in slots; one of four for each context.
    pub(crate) fn bytes_to_read(length: u64) -> u64 {
        9 * length
    }

    /// Reads what `write` writes of so many models, of a layer of so many ranks.
    pub(crate) fn read(mut cursor: Cursor<'_>, models: u64, ranks: u64) -> Result<Self, Error> {
        let length = Self::take_length(&mut cursor, models, ranks)?;
        let plain = zstd::bulk::decompress(cursor.rest(), length as usize)
            .map_err(|_| Error::damaged("the model of a layer cannot be decoded"))?;
        let mut cursor = Cursor::new(&plain, "the model of a layer");
        let all = (0..models).map(|_| Model::take(&mut cursor));
        let all: Vec<Model> = all.collect::<Result<_, _>>()?;
        let symbols = |model: &Model| model.shape().class_of.len();
        if all.iter().any(|model| symbols(model) != symbols(&all[0])) {
            return Err(cursor.fail("models of different symbols"));
        }
        cursor.end()?;
        Ok(Self(all))
    }
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
