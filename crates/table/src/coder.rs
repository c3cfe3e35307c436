//! How the symbols of a block become bytes.

use zstd::bulk::{Compressor, Decompressor};
use zstd::zstd_safe::CParameter;

use crate::Error;
use crate::bytes::{Cursor, seal, unseal};

/// Says that any symbol will do: the reader knows the value without.
pub(crate) const FREE: u16 = 256;

/// The level of zstd. Higher ones are slower and gain little on blocks this small.
const LEVEL: i32 = 19;

/// What every frame of zstd begins with; left out of the file.
const ZSTD_MAGIC: [u8; 4] = [0x28, 0xB5, 0x2F, 0xFD];

/// A way to write blocks, chosen for each layer.
pub(crate) enum Coder {
    /// zstd, a free symbol being the one before it.
    Zstd,
}

/// What a thread keeps from block to block.
pub(crate) struct Scratch {
    decompressor: Decompressor<'static>,
    frame: Vec<u8>,
}

impl Scratch {
    pub(crate) fn new() -> Result<Self, Error> {
        Ok(Self {
            decompressor: Decompressor::new().map_err(Error::io("start zstd"))?,
            frame: Vec::new(),
        })
    }
}

impl Coder {
    /// The ranks of a block.
    pub(crate) fn block_ranks(&self) -> u32 {
        16_384
    }

    /// The bytes from which `read` makes the same coder.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
        let mut out = match self {
            Self::Zstd => vec![0],
        };
        seal(&mut out, 0);
        out
    }

    pub(crate) fn read(bytes: &[u8]) -> Result<Self, Error> {
        let what = "the coder of a layer";
        let mut cursor = Cursor::new(unseal(bytes, what)?, what);
        let coder = match cursor.byte()? {
            0 => Self::Zstd,
            _ => return Err(cursor.fail("an unknown coder")),
        };
        cursor.end()?;
        Ok(coder)
    }

    /// Appends the symbols; those that are [`FREE`] become what costs least.
    pub(crate) fn encode(&self, symbols: &[u16], out: &mut Vec<u8>) -> Result<(), Error> {
        match self {
            Self::Zstd => encode_zstd(symbols, out),
        }
    }

    /// Fills `symbols` from the bytes of a block.
    pub(crate) fn decode(
        &self,
        bytes: &[u8],
        symbols: &mut [u8],
        scratch: &mut Scratch,
    ) -> Result<(), Error> {
        match self {
            Self::Zstd => decode_zstd(bytes, symbols, scratch),
        }
    }
}

fn encode_zstd(symbols: &[u16], out: &mut Vec<u8>) -> Result<(), Error> {
    let first = symbols.iter().find(|&&symbol| symbol != FREE);
    let mut last = first.map_or(0, |&symbol| symbol as u8);
    let plain: Vec<u8> = symbols
        .iter()
        .map(|&symbol| {
            last = if symbol == FREE { last } else { symbol as u8 };
            last
        })
        .collect();
    let compress = || {
        let mut compressor = Compressor::new(LEVEL)?;
        compressor.set_parameter(CParameter::ContentSizeFlag(false))?;
        compressor.set_parameter(CParameter::ChecksumFlag(false))?;
        compressor.compress(&plain)
    };
    let frame: Vec<u8> = compress().map_err(Error::io("compress"))?;
    out.extend_from_slice(frame.strip_prefix(&ZSTD_MAGIC).unwrap_or(&frame));
    Ok(())
}

fn decode_zstd(bytes: &[u8], symbols: &mut [u8], scratch: &mut Scratch) -> Result<(), Error> {
    scratch.frame.clear();
    scratch.frame.extend_from_slice(&ZSTD_MAGIC);
    scratch.frame.extend_from_slice(bytes);
    let n = scratch
        .decompressor
        .decompress_to_buffer(&scratch.frame, symbols);
    match n {
        Ok(n) if n == symbols.len() => Ok(()),
        _ => Err(Error::damaged("a block cannot be decoded")),
    }
}
