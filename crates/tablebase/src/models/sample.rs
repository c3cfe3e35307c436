//! Samples of a layer, by which its coder is chosen.

use crate::symbols::symbol_layout::{ANY_SYMBOL, SymbolLayout};

/// Consecutive symbols of a layer; [`ANY_SYMBOL`] where nothing need be stored.
pub(crate) struct SampleRun {
    /// Ordinal of the first symbol in the layer.
    pub(crate) first: u64,
    pub(crate) symbols: Vec<u16>,
}

impl SampleRun {
    /// The run cut into blocks of [`SymbolLayout::model_block`] symbols.
    pub(crate) fn blocks(
        &self,
        symbol_layout: SymbolLayout,
    ) -> impl Iterator<Item = SampleBlock<'_>> {
        let block = symbol_layout.model_block();
        let firsts = (self.first..).step_by(block);
        let blocks = firsts.zip(self.symbols.chunks(block));
        blocks.map(|(first, symbols)| SampleBlock { first, symbols })
    }
}

/// A block of a [`SampleRun`].
#[derive(Clone, Copy)]
pub(crate) struct SampleBlock<'a> {
    /// Ordinal of the first symbol in the layer.
    pub(crate) first: u64,
    pub(crate) symbols: &'a [u16],
}

/// Replaces each [`ANY_SYMBOL`] by the last stored symbol before it in its channel, or by the first
/// stored one if there is none before it.
pub(crate) fn repeat_previous(block: &[u16], symbol_layout: SymbolLayout) -> Vec<u8> {
    let channels = symbol_layout.channels();
    let mut filled = vec![0; block.len()];
    for channel in 0..channels {
        let symbols = || block.iter().skip(channel).step_by(channels);
        let first = symbols().find(|&&symbol| symbol != ANY_SYMBOL);
        let mut last = first.map_or(0, |&symbol| symbol as u8);
        let out = filled.iter_mut().skip(channel).step_by(channels);
        for (out, &symbol) in out.zip(symbols()) {
            last = if symbol == ANY_SYMBOL { last } else { symbol as u8 };
            *out = last;
        }
    }
    filled
}
