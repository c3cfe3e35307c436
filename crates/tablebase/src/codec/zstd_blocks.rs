//! Blocks encoded by zstd.

use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::CParameter;

use crate::error::TableError;
use crate::models::sample::repeat_previous;
use crate::symbols::symbol_layout::SymbolLayout;

/// zstd level of blocks. Higher levels are slower and gain little on blocks this small.
pub(super) const SLOW_LEVEL: i32 = 19;

/// zstd level for comparisons. It takes a thirtieth of the time of [`SLOW_LEVEL`], which makes
/// blocks smaller by an eighth.
pub(super) const QUICK_LEVEL: i32 = 6;

/// First bytes of every zstd frame. They are not stored.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// Buffers that a thread reuses from block to block.
pub(crate) struct DecodeScratch {
    decompressor: Decompressor<'static>,
    frame: Vec<u8>,
}

impl DecodeScratch {
    pub(crate) fn new() -> Result<Self, TableError> {
        Ok(Self {
            decompressor: Decompressor::new().map_err(TableError::io("start zstd"))?,
            frame: Vec::new(),
        })
    }
}

/// Appends the bytes of a block, after [`repeat_previous`].
pub(super) fn encode_zstd(
    symbols: &[u16],
    symbol_layout: SymbolLayout,
    level: i32,
    out: &mut Vec<u8>,
) -> Result<(), TableError> {
    let plain = repeat_previous(symbols, symbol_layout);
    let compress = || {
        let mut compressor = Compressor::new(level)?;
        compressor.set_parameter(CParameter::ContentSizeFlag(false))?;
        compressor.set_parameter(CParameter::ChecksumFlag(false))?;
        compressor.compress(&plain)
    };
    let frame: Vec<u8> = compress().map_err(TableError::io("compress"))?;
    out.extend_from_slice(frame.strip_prefix(&ZSTD_MAGIC).unwrap_or(&frame));
    Ok(())
}

/// Decodes all symbols of a block.
pub(super) fn decode_zstd(
    bytes: &[u8],
    symbols: &mut [u8],
    scratch: &mut DecodeScratch,
) -> Result<(), TableError> {
    scratch.frame.clear();
    scratch.frame.extend_from_slice(&ZSTD_MAGIC);
    scratch.frame.extend_from_slice(bytes);
    let decoded = scratch.decompressor.decompress_to_buffer(&scratch.frame, symbols);
    match decoded {
        Ok(n) if n == symbols.len() => Ok(()),
        _ => Err(TableError::damaged("a block cannot be decoded")),
    }
}
