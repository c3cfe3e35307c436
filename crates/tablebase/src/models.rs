//! Symbols predicted from earlier ones of the block, encoded by range asymmetric numeral systems
//! (rANS).
//!
//! Each channel has a model of its own. The code follows J. Duda, "Asymmetric numeral systems"
//! (arXiv:1311.2540), with a state of 32 bits that is refilled by words of 16 bits.

use crate::error::TableError;
use crate::layout::MAX_CHANNELS;
use crate::model::{self, ContextModel, Contexts, ESCAPE, FREQUENCY_BITS, FREQUENCY_TOTAL};
use crate::symbol_layout::ANY_SYMBOL;
use hindsight_checkpoint::bytes::{Cursor, put_varint};

/// The smallest state.
const MIN_STATE: u32 = 1 << 16;

/// Slots of a symbol after the escape, which is written as a byte of eight equiprobable bits.
const ESCAPED_SLOTS: u32 = FREQUENCY_TOTAL >> 8;

/// Most bytes of the models of a layer before compression.
const MAX_PLAIN_BYTES: u64 = 1 << 25;

/// Most bytes of `models` models before compression, in a layer of `ranks` ranks.
pub(crate) fn max_plain_bytes(ranks: u64, models: u64) -> u64 {
    let model_bytes = model::max_model_bytes(ranks);
    models.saturating_mul(model_bytes).min(MAX_PLAIN_BYTES)
}

/// One model per channel.
pub(crate) struct SymbolModels(Vec<ContextModel>);

/// The contexts of a block under each model, and the channel of the next symbol.
struct InterleavedContexts<'a> {
    models: &'a [ContextModel],
    contexts: Vec<Contexts<'a>>,
    /// Index of the next symbol's model.
    next_model: usize,
}

impl<'a> InterleavedContexts<'a> {
    /// Starts at the first of `len` symbols, which has ordinal `first` in the layer.
    fn new(models: &'a [ContextModel], first: u64, len: usize) -> Self {
        let contexts = models
            .iter()
            .map(|model| Contexts::new(model.shape(), first, len));
        Self {
            models,
            contexts: contexts.collect(),
            next_model: (first % models.len() as u64) as usize,
        }
    }

    /// Model and context of the next symbol.
    #[inline]
    fn next(&self) -> (&'a ContextModel, usize) {
        (
            &self.models[self.next_model],
            self.contexts[self.next_model].next(),
        )
    }

    #[inline]
    fn push(&mut self, symbol: u8) {
        for contexts in &mut self.contexts {
            contexts.push(symbol);
        }
        self.next_model += 1;
        if self.next_model == self.models.len() {
            self.next_model = 0;
        }
    }
}

impl SymbolModels {
    /// `models` must not be empty.
    pub(crate) fn new(models: Vec<ContextModel>) -> Self {
        assert!(!models.is_empty(), "a symbol has a model");
        Self(models)
    }

    pub(crate) fn all(&self) -> &[ContextModel] {
        &self.0
    }

    /// Number of different symbols in the layer.
    pub(crate) fn symbol_count(&self) -> usize {
        self.0[0].shape().class_of.len()
    }

    /// Replaces each [`ANY_SYMBOL`] by the likeliest symbol, and calls `take` with model, context
    /// and symbol of each. `first` is the ordinal of the first symbol in the layer.
    pub(crate) fn fill(
        &self,
        first: u64,
        required: &[u16],
        mut take: impl FnMut(&ContextModel, usize, u8),
    ) {
        let mut contexts = InterleavedContexts::new(&self.0, first, required.len());
        for &symbol in required {
            let (model, context) = contexts.next();
            let symbol = match symbol {
                ANY_SYMBOL => model.slots(context)[0].symbol,
                symbol => symbol,
            };
            let symbol = if symbol == ESCAPE { 0 } else { symbol as u8 };
            take(model, context, symbol);
            contexts.push(symbol);
        }
    }

    /// Appends a block. `first` is the ordinal of its first symbol in the layer.
    pub(crate) fn encode(&self, first: u64, required: &[u16], out: &mut Vec<u8>) {
        let mut symbols = Vec::with_capacity(required.len());
        self.fill(first, required, |model, context, symbol| {
            symbols.push((model.slots_of(context, symbol), symbol));
        });
        let mut state = MIN_STATE;
        let mut words = Vec::new();
        for (slots, symbol) in symbols.into_iter().rev() {
            if slots.symbol == ESCAPE {
                let begin = u32::from(symbol) * ESCAPED_SLOTS;
                state = push_symbol(state, begin, ESCAPED_SLOTS, &mut words);
            }
            state = push_symbol(state, slots.begin.into(), slots.freq.into(), &mut words);
        }
        out.extend_from_slice(&state.to_le_bytes());
        out.extend(words.iter().rev().flat_map(|word| word.to_le_bytes()));
    }

    /// Decodes the first `symbols.len()` symbols of a block. `first` is the ordinal of the first
    /// one in the layer, and `whole` is true if they are all of the block.
    pub(crate) fn decode(
        &self,
        bytes: &[u8],
        first: u64,
        symbols: &mut [u8],
        whole: bool,
    ) -> Result<(), TableError> {
        let mut cursor = Cursor::new(bytes, "a block");
        let mut state = cursor.u32()?;
        let (words, rest) = cursor.rest().as_chunks::<2>();
        let mut words = words.iter();
        let damaged = || TableError::damaged("a block cannot be decoded");
        let mut past_end = false;
        let symbol_count = self.symbol_count();
        let mut contexts = InterleavedContexts::new(&self.0, first, symbols.len());
        for out in symbols.iter_mut() {
            let slot = (state & (FREQUENCY_TOTAL - 1)) as u16;
            let (model, context) = contexts.next();
            let mut slots = model.slots(context).iter();
            let found = slots.find(|slots| slot < slots.begin + slots.freq);
            let found = *found.ok_or_else(damaged)?;
            state =
                u32::from(found.freq) * (state >> FREQUENCY_BITS) + u32::from(slot - found.begin);
            state = refill(state, &mut words, &mut past_end);
            *out = if found.symbol == ESCAPE {
                let slot = state & (FREQUENCY_TOTAL - 1);
                state = ESCAPED_SLOTS * (state >> FREQUENCY_BITS) + slot % ESCAPED_SLOTS;
                state = refill(state, &mut words, &mut past_end);
                (slot / ESCAPED_SLOTS) as u8
            } else {
                found.symbol as u8
            };
            if usize::from(*out) >= symbol_count {
                return Err(damaged());
            }
            contexts.push(*out);
        }
        let at_end = state == MIN_STATE && words.next().is_none();
        if past_end || !rest.is_empty() || whole && !at_end {
            return Err(damaged());
        }
        Ok(())
    }

    /// Appends the length of the models and a zstd frame of them.
    pub(crate) fn write(&self, out: &mut Vec<u8>) -> Result<(), TableError> {
        let mut plain = Vec::new();
        for model in &self.0 {
            model.put(&mut plain);
        }
        put_varint(out, plain.len() as u64);
        let packed = zstd::bulk::compress(&plain, 19).map_err(TableError::io("compress"))?;
        out.extend_from_slice(&packed);
        Ok(())
    }

    /// Reads the length of the models before compression, in bytes.
    pub(crate) fn take_length(
        cursor: &mut Cursor<'_>,
        models: u64,
        ranks: u64,
    ) -> Result<u64, TableError> {
        if !(1..=MAX_CHANNELS as u64).contains(&models) {
            return Err(cursor.fail("too many models, or none").into());
        }
        match cursor.varint()? {
            length if length > max_plain_bytes(ranks, models) => {
                Err(cursor.fail("it is larger than its layer makes it").into())
            }
            length => Ok(length),
        }
    }

    /// Memory to read models of `length` bytes, in bytes. Each byte takes itself, up to four bytes
    /// of slots, and up to four bytes for the start of a context.
    pub(crate) fn read_memory(length: u64) -> u64 {
        9 * length
    }

    /// Reads the bytes of [`SymbolModels::write`] for `models` models of a layer of `ranks` ranks.
    pub(crate) fn read(
        mut cursor: Cursor<'_>,
        models: u64,
        ranks: u64,
    ) -> Result<Self, TableError> {
        let length = Self::take_length(&mut cursor, models, ranks)?;
        let plain = zstd::bulk::decompress(cursor.rest(), length as usize)
            .map_err(|_| TableError::damaged("the model of a layer cannot be decoded"))?;
        let mut cursor = Cursor::new(&plain, "the model of a layer");
        let all = (0..models).map(|_| ContextModel::take(&mut cursor));
        let all: Vec<ContextModel> = all.collect::<Result<_, _>>()?;
        let symbols = |model: &ContextModel| model.shape().class_of.len();
        if all.iter().any(|model| symbols(model) != symbols(&all[0])) {
            return Err(cursor.fail("models of different symbols").into());
        }
        cursor.end()?;
        Ok(Self(all))
    }
}

/// Adds a symbol to a state. Its slots are `begin..begin + freq`.
fn push_symbol(mut state: u32, begin: u32, freq: u32, words: &mut Vec<u16>) -> u32 {
    if u64::from(state) >= u64::from(freq) << (32 - FREQUENCY_BITS) {
        words.push(state as u16);
        state >>= 16;
    }
    ((state / freq) << FREQUENCY_BITS) + state % freq + begin
}

#[inline]
fn refill<'a>(
    state: u32,
    words: &mut impl Iterator<Item = &'a [u8; 2]>,
    past_end: &mut bool,
) -> u32 {
    if state >= MIN_STATE {
        return state;
    }
    match words.next() {
        Some(&word) => state << 16 | u32::from(u16::from_le_bytes(word)),
        None => {
            *past_end = true;
            MIN_STATE
        }
    }
}
