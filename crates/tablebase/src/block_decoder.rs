//! Decoding of a block by models.

use crate::block_history::{BlockExtent, BlockStep, ClassedSymbol, Place, walk};
use crate::model::{
    ContextModel, ESCAPE, ESCAPED_SLOTS, FREQUENCY_BITS, FREQUENCY_TOTAL, MIN_STATE,
};

/// Decodes the first symbols of a block, or all if it is `whole`. `first` is the ordinal of the
/// first one in the layer. `None` if the block is damaged.
pub(crate) fn decode_block(
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
    let decoder = BlockDecoder {
        words: WordReader {
            state,
            words,
            read: 0,
        },
        symbols,
    };
    let WordReader { state, words, read } = walk(models, BlockExtent { first, len }, decoder)
        .ok()?
        .words;
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
        let listed = |i: usize| ClassedSymbol {
            symbol: row.symbols[i],
            class: row.classes[i],
        };
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
            let (words, symbol) = self.words.read_further(&place).ok_or(())?;
            self.words = words;
            symbol
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

    /// Decodes a symbol that is none of the first ones of its row. Returns the reader after it.
    #[inline(never)]
    fn read_further(mut self, place: &Place<'_>) -> Option<(Self, ClassedSymbol)> {
        let slot = self.slot();
        let mut begin = place.row.last_end();
        let mut further = place.model.further(place.row).iter();
        let found = further.find(|further| {
            let is_found = slot < u32::from(further.end);
            if !is_found {
                begin = further.end.into();
            }
            is_found
        })?;
        self.advance(begin, found.end.into());
        let symbol = if found.symbol == ESCAPE {
            let slot = self.slot();
            let begin = slot - slot % ESCAPED_SLOTS;
            self.advance(begin, begin + ESCAPED_SLOTS);
            (slot / ESCAPED_SLOTS) as u8
        } else {
            found.symbol as u8
        };
        let class = place.class_of(symbol);
        let is_known = usize::from(symbol) < place.model.shape().class_of.len();
        is_known.then_some((self, ClassedSymbol { symbol, class }))
    }

    /// Leaves the symbol whose slots are `begin..end`, and reads a word if there is room.
    #[inline(always)]
    fn advance(&mut self, begin: u32, end: u32) {
        let state = (end - begin) * (self.state >> FREQUENCY_BITS) + (self.slot() - begin);
        let word = self.words.get(self.read).copied().unwrap_or([0; 2]);
        let refills = state < MIN_STATE;
        self.state = if refills {
            state << 16 | u32::from(u16::from_le_bytes(word))
        } else {
            state
        };
        self.read += usize::from(refills);
    }
}
