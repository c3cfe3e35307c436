//! Decoding of a block by models.

use super::block_history::{BlockExtent, BlockStep, ClassedSymbol, Place, walk};
use super::model::{
    ContextModel, ESCAPE, ESCAPED_SLOTS, FREQUENCY_BITS, FREQUENCY_TOTAL, FurtherSymbol, MIN_STATE,
};

/// Decodes the first symbols of a block, or all if it is `whole`. `first` is the ordinal of the
/// first one in the layer. `None` if the block is damaged.
pub(super) fn decode_block(
    models: &[ContextModel],
    bytes: &[u8],
    first: u64,
    symbols: &mut [u8],
    whole: bool,
) -> Option<()> {
    let (state, words) = bytes.split_first_chunk()?;
    let (words, []) = words.as_chunks() else {
        return None;
    };
    let state = u32::from_le_bytes(*state);
    let len = symbols.len();
    let decoder = BlockDecoder { words: WordReader { state, words, read: 0 }, symbols };
    let WordReader { state, words, read } =
        walk(models, BlockExtent { first, len }, decoder).ok()?.words;
    let is_end = state == MIN_STATE && read == words.len();
    (read <= words.len() && (is_end || !whole)).then_some(())
}

/// A block that is being decoded.
struct BlockDecoder<'a> {
    words: WordReader<'a>,
    symbols: &'a mut [u8],
}

/// State of a block, and the words that will go into it.
#[derive(Clone, Copy)]
struct WordReader<'a> {
    state: u32,
    words: &'a [[u8; 2]],
    /// Number of words read. Words past the end are counted, too.
    read: usize,
}

impl BlockStep for BlockDecoder<'_> {
    type Error = ();

    #[inline(always)]
    fn step(&mut self, place: Place<'_>) -> Result<ClassedSymbol, ()> {
        let row = place.row;
        let slot = self.words.slot() as u16;
        let listed = |i: usize| ClassedSymbol { symbol: row.symbols[i], class: row.classes[i] };
        let [first, second, third] = row.ends;
        let symbol = if slot < first {
            self.words.advance(0, first.into());
            listed(0)
        } else if slot < second {
            self.words.advance(first.into(), second.into());
            listed(1)
        } else if slot < third {
            self.words.advance(second.into(), third.into());
            listed(2)
        } else {
            let further = FurtherSymbols {
                symbols: place.model.further(row),
                class_of: place.class_of,
                begin: row.last_end(),
            };
            let WordReader { state, words, read } = self.words;
            let decoded = further.decode(state, words, read).ok_or(())?;
            // Field by field, so that they stay in registers.
            self.words.state = decoded.state;
            self.words.read = decoded.read;
            decoded.symbol
        };
        self.symbols[place.index] = symbol.symbol;
        Ok(symbol)
    }
}

impl WordReader<'_> {
    #[inline(always)]
    fn slot(&self) -> u32 {
        self.state & (FREQUENCY_TOTAL - 1)
    }

    /// Leaves the symbol whose slots are `begin..end`, and reads a word if there is room.
    #[inline(always)]
    fn advance(&mut self, begin: u32, end: u32) {
        let state = (end - begin) * (self.state >> FREQUENCY_BITS) + (self.slot() - begin);
        let word = self.words.get(self.read).copied().unwrap_or([0; 2]);
        let refills = state < MIN_STATE;
        self.state =
            if refills { state << 16 | u32::from(u16::from_le_bytes(word)) } else { state };
        self.read += usize::from(refills);
    }
}

/// Symbols of a context but the first ones.
struct FurtherSymbols<'a> {
    symbols: &'a [FurtherSymbol],
    class_of: &'a [u8],
    /// First slot of the first one.
    begin: u32,
}

/// A symbol, with state and number of words after it.
struct DecodedSymbol {
    symbol: ClassedSymbol,
    state: u32,
    read: usize,
}

impl FurtherSymbols<'_> {
    #[inline(never)]
    fn decode(self, state: u32, words: &[[u8; 2]], read: usize) -> Option<DecodedSymbol> {
        let mut reader = WordReader { state, words, read };
        let (slot, mut begin) = (reader.slot(), self.begin);
        let found = self.symbols.iter().find(|further| {
            let is_found = slot < u32::from(further.end);
            if !is_found {
                begin = further.end.into();
            }
            is_found
        })?;
        reader.advance(begin, found.end.into());
        let symbol = if found.symbol == ESCAPE {
            let slot = reader.slot();
            let begin = slot - slot % ESCAPED_SLOTS;
            reader.advance(begin, begin + ESCAPED_SLOTS);
            (slot / ESCAPED_SLOTS) as u8
        } else {
            found.symbol as u8
        };
        // All models have the same symbols.
        let class = *self.class_of.get(usize::from(symbol))?;
        Some(DecodedSymbol {
            symbol: ClassedSymbol { symbol, class },
            state: reader.state,
            read: reader.read,
        })
    }
}
