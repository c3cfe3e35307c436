//! Files of finished layers in a checkpoint: the layer as in a table, then a trailer with its part
//! of the table's header.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

use hindsight_core::{PackedGame, Tiers};
use hindsight_engine::checkpoint::bytes::{Cursor, push_checksum, put_varint, split_checksum};

use crate::address::Address;
use crate::error::TableError;
use crate::format::header_checks::first_layer_mismatch;
use crate::format::info::{
    FORMAT_VERSION, LayerInfo, PositionValue, put_layer, put_optional, take_layer, take_optional,
};
use crate::format::layer_file::LayerFile;
use crate::layout::Layout;
use crate::read_at::ReadAt;

/// Last bytes of the file.
const MAGIC: [u8; 8] = *b"HSPART\r\n";

/// Bytes after the description: its length, the checksum of the layer, the checksum of all this,
/// the magic.
const TAIL_BYTES: u64 = 8 + 4 + 4 + 8;

/// Longest description in bytes: three histograms of 256 values, 256 symbols, and a name.
const MAX_DESCRIPTION_BYTES: u64 = 1 << 16;

/// Trailer of a layer's file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct LayerTrailer {
    pub(crate) layer: u32,
    pub(crate) layers: u32,
    /// Start of the game, if it belongs to this layer.
    pub(crate) start: Option<PositionValue>,
    /// Header of the layer.
    pub(crate) info: LayerInfo,
    /// Checksum of the layer's bytes.
    pub(crate) checksum: u32,
}

/// Fields of a [`LayerTrailer`] that are known before the layer is encoded.
pub(crate) struct LayerIdentity {
    pub(crate) layer: u32,
    pub(crate) layers: u32,
    pub(crate) start: Option<PositionValue>,
}

/// Writes a file: the layer, which `write` writes, then its trailer.
pub(crate) fn write_layer_file(
    out: &mut dyn Write,
    identity: LayerIdentity,
    write: impl FnOnce(&mut ChecksumWriter<&mut dyn Write>) -> Result<LayerInfo, TableError>,
) -> Result<(), TableError> {
    let mut out = ChecksumWriter::new(out);
    let info = write(&mut out)?;
    let trailer = LayerTrailer {
        layer: identity.layer,
        layers: identity.layers,
        start: identity.start,
        info,
        checksum: out.sum.finalize(),
    };
    let written = out.out.write_all(&trailer.encode());
    written.map_err(TableError::io("write"))
}

impl LayerTrailer {
    fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_varint(&mut out, u64::from(self.layer));
        put_varint(&mut out, u64::from(self.layers));
        put_optional(&mut out, self.start.as_ref());
        put_layer(&mut out, &self.info);
        out.extend_from_slice(&(out.len() as u64).to_le_bytes());
        out.extend_from_slice(&self.checksum.to_le_bytes());
        push_checksum(&mut out, 0);
        out.extend_from_slice(&MAGIC);
        out
    }

    /// Returns the layer of this trailer's file.
    pub(crate) fn layer_file<R: ReadAt>(self, file: R, layout: Layout) -> LayerFile<R> {
        let offsets = self.info.section_offsets(0, FORMAT_VERSION);
        LayerFile::new(file, offsets, self.info, layout)
    }

    /// Reads the trailer of a layer's file, and nothing of the layer itself.
    pub(crate) fn read(path: &Path, file: &mut File, layout: Layout) -> Result<Self, TableError> {
        let failed = |error| TableError::file("read", path)(error);
        let damaged = |fault| TableError::damaged(format!("{}: {fault}", path.display()));
        let length = file.seek(SeekFrom::End(0)).map_err(failed)?;
        let mut tail = [0; TAIL_BYTES as usize];
        let tail_begin = length.checked_sub(TAIL_BYTES).ok_or_else(|| damaged("it is cut"))?;
        file.seek(SeekFrom::Start(tail_begin)).map_err(failed)?;
        file.read_exact(&mut tail).map_err(failed)?;
        if tail[16..] != MAGIC {
            return Err(damaged("it is cut"));
        }
        let [a, b, c, d, e, f, g, h, ..] = tail;
        let described = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
        let begin = tail_begin
            .checked_sub(described)
            .filter(|_| described <= MAX_DESCRIPTION_BYTES)
            .ok_or_else(|| damaged("its description is too long"))?;
        let mut bytes = vec![0; (length - begin) as usize - MAGIC.len()];
        file.seek(SeekFrom::Start(begin)).map_err(failed)?;
        file.read_exact(&mut bytes).map_err(failed)?;
        let trailer = Self::decode(&bytes, layout)?;
        if trailer.info.bytes() != begin {
            return Err(damaged("its layer has another length"));
        }
        Ok(trailer)
    }

    fn decode(bytes: &[u8], layout: Layout) -> Result<Self, TableError> {
        let subject = "the description of a layer";
        let inner = split_checksum(bytes, subject)?;
        let mut cursor = Cursor::new(inner, subject);
        let number = |n: u64| u32::try_from(n).map_err(|_| TableError::damaged(subject));
        let trailer = Self {
            layer: number(cursor.varint()?)?,
            layers: number(cursor.varint()?)?,
            start: take_optional(&mut cursor)?,
            info: take_layer(&mut cursor, layout)?,
            checksum: {
                cursor.u64()?;
                cursor.u32()?
            },
        };
        cursor.end()?;
        let sections = trailer.info.sections.iter();
        match sections.copied().try_fold(0, u64::checked_add) {
            Some(_) => Ok(trailer),
            None => Err(TableError::damaged(subject)),
        }
    }
}

/// Checks that a layer's file in a checkpoint can belong to the game.
///
/// # Errors
/// [`TableError::Damaged`] with the first difference.
pub(crate) fn check_trailer(
    trailer: &LayerTrailer,
    game: &PackedGame,
    start: Option<Address>,
    layout: Layout,
) -> Result<(), TableError> {
    let layer = trailer.layer;
    let wrong = if trailer.layers == game.layers() {
        first_layer_mismatch(game, layer, &trailer.info, layout)
    } else {
        Some("number of layers")
    };
    let wrong = wrong.or_else(|| {
        let mut tiers = Vec::new();
        game.tiers(layer, &mut tiers);
        let expected = start.filter(|start| tiers.binary_search(&start.tier).is_ok());
        let stored = trailer.start.map(|start| Address { tier: start.tier, rank: start.rank });
        (stored != expected).then_some("start")
    });
    match wrong {
        None => Ok(()),
        Some(field) => Err(TableError::damaged(format!(
            "the checkpoint's layer {layer} has another {field} than the game"
        ))),
    }
}

/// Copies the layer of a file to `out`, and compares its checksum.
pub(super) fn copy_layer(
    trailer: &LayerTrailer,
    path: &Path,
    out: &mut impl Write,
) -> Result<(), TableError> {
    let mut file =
        File::open(path).map_err(TableError::file("open", path))?.take(trailer.info.bytes());
    let mut sum = crc32fast::Hasher::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => {
                sum.update(&buffer[..n]);
                out.write_all(&buffer[..n]).map_err(TableError::io("write"))?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(TableError::file("read", path)(error)),
        }
    }
    if sum.finalize() == trailer.checksum {
        Ok(())
    } else {
        let path = path.display();
        Err(TableError::damaged(format!("{path}: the checksum differs")))
    }
}

/// A writer that computes the checksum of everything written.
pub(crate) struct ChecksumWriter<W> {
    out: W,
    sum: crc32fast::Hasher,
}

impl<W> ChecksumWriter<W> {
    fn new(out: W) -> Self {
        let sum = crc32fast::Hasher::new();
        Self { out, sum }
    }
}

impl<W: Write> Write for ChecksumWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.out.write(bytes)?;
        self.sum.update(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
