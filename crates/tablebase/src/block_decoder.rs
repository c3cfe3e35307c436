//! Decoding of a block by models.

use crate::block_history::{BlockExtent, ClassedSymbol, Place, walk};
use crate::model::{
    ContextModel, ESCAPE, ESCAPED_SLOTS, FREQUENCY_BITS, FREQUENCY_TOTAL, MIN_STATE, ROW_SYMBOLS,
};

/// A block that is being decoded.
pub(crate) struct BlockDecoder<'a> {
    state: u32,
    words: &'a [[u8; 2]],
    /// Number of words read. Words past the end are counted, too.
    read: usize,
}

/// Owner of a slot: its slots, and the symbol with its class.
struct Owner {
    begin: u32,
    end: u32,
    symbol: ClassedSymbol,
}

impl<'a> BlockDecoder<'a> {
    /// Reads the state. `None` if bytes are missing, or half a word is left.
    pub(crate) fn new(bytes: &'a [u8]) -> Option<Self> {
        let (state, words) = bytes.split_first_chunk()?;
        let (words, []) = words.as_chunks() else {
            return None;
        };
        Some(Self {
            state: u32::from_le_bytes(*state),
            words,
            read: 0,
        })
    }

    /// Decodes symbols. `None` if the block is damaged.
    pub(crate) fn decode(
        mut self,
        models: &[ContextModel],
        first: u64,
        symbols: &mut [u8],
        whole: bool,
    ) -> Option<()> {
        let len = symbols.len();
        let step = |place: Place<'_>| {
            let symbol = self.next(&place).ok_or(())?;
            symbols[place.index] = symbol.symbol;
            Ok::<_, ()>(symbol)
        };
        walk(models, BlockExtent { first, len }, step).ok()?;
        let is_end = self.state == MIN_STATE && self.read == self.words.len();
        let is_right = self.read <= self.words.len() && (is_end || !whole);
        is_right.then_some(())
    }

    #[inline(always)]
    fn next(&mut self, place: &Place<'_>) -> Option<ClassedSymbol> {
        let row = place.row;
        let slot = (self.state & (FREQUENCY_TOTAL - 1)) as u16;
        let owner = |i: usize| Owner {
            begin: if i == 0 { 0 } else { row.ends[i - 1].into() },
            end: row.ends[i].into(),
            symbol: ClassedSymbol {
                symbol: row.symbols[i],
                class: row.classes[i],
            },
        };
        let owner = if slot < row.ends[0] {
            owner(0)
        } else if slot < row.ends[1] {
            owner(1)
        } else if slot < row.ends[2] {
            owner(2)
        } else {
            return self.next_further(place);
        };
        self.advance(owner.begin, owner.end);
        Some(owner.symbol)
    }

    /// Decodes a symbol that is none of the first ones of its row.
    #[inline(never)]
    fn next_further(&mut self, place: &Place<'_>) -> Option<ClassedSymbol> {
        let slot = (self.state & (FREQUENCY_TOTAL - 1)) as u16;
        let mut begin = place.row.ends[ROW_SYMBOLS - 1];
        let further = place.model.further(place.row).iter();
        let mut found = None;
        for further in further {
            if slot < further.end {
                found = Some(further);
                break;
            }
            begin = further.end;
        }
        let found = found?;
        self.advance(begin.into(), found.end.into());
        let symbol = if found.symbol == ESCAPE {
            let slot = self.state & (FREQUENCY_TOTAL - 1);
            let begin = slot - slot % ESCAPED_SLOTS;
            self.advance(begin, begin + ESCAPED_SLOTS);
            (slot / ESCAPED_SLOTS) as u8
        } else {
            found.symbol as u8
        };
        let is_known = usize::from(symbol) < place.model.shape().class_of.len();
        is_known.then(|| ClassedSymbol {
            symbol,
            class: place.class_of(symbol),
        })
    }

    /// Leaves the symbol whose slots are `begin..end`, and reads a word if there is room.
    #[inline(always)]
    fn advance(&mut self, begin: u32, end: u32) {
        let slot = self.state & (FREQUENCY_TOTAL - 1);
        // A state below 2^15 is only one of a damaged block; the product always fits.
        let state = (end - begin) * (self.state >> FREQUENCY_BITS) + (slot - begin);
        let refills = state < MIN_STATE;
        let word = self
            .words
            .get(self.read)
            .map_or(0, |&word| u16::from_le_bytes(word));
        self.state = if refills {
            state << 16 | u32::from(word)
        } else {
            state
        };
        self.read += usize::from(refills);
    }
}
