//! A file with one finished layer, as a checkpoint keeps it: the layer as in a table, then what the
//! table's header will say of it.

use std::fs::File;
use std::io::{self, BufWriter, Read, Seek, SeekFrom, Write};
use std::path::Path;

use hindsight_core::Ranked;
use hindsight_solve::Layer;

use crate::bytes::{Cursor, put_varint, seal, unseal};
use crate::encode::Encoder;
use crate::info::{Example, LayerInfo, put_layer, put_perhaps, take_layer, take_perhaps};
use crate::new_file::NewFile;
use crate::{Error, Layout};

/// The last bytes of a segment.
const MAGIC: [u8; 8] = *b"HSPART\r\n";

/// Bytes after the description: its length, the checksum of the layer, one of all this, the magic.
const TAIL: u64 = 8 + 4 + 4 + 8;

/// Bytes of the longest description: three histograms of 256 values, as many symbols, and a name.
const MOST_DESCRIPTION: u64 = 1 << 16;

/// What a segment says of its layer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Segment {
    /// Which layer it is, of how many.
    pub(crate) layer: u32,
    pub(crate) layers: u32,
    /// The start of the game, if it is here.
    pub(crate) start: Option<Example>,
    pub(crate) info: LayerInfo,
    /// The checksum of the layer's bytes.
    pub(crate) sum: u32,
}

/// What the end of a segment says of its layer, beside what the layer says.
pub(crate) struct Label {
    pub(crate) layer: u32,
    pub(crate) layers: u32,
    pub(crate) start: Option<Example>,
}

/// Writes a layer of positions to a file, in so many bytes of memory beside the layer, if they are enough.
pub(crate) fn write<G: Ranked>(
    new: NewFile,
    game: &G,
    layer: &Layer,
    (layout, memory): (Layout, u64),
) -> Result<(), Error> {
    let encoder = Encoder::new(game, layer, layout)?;
    let label = Label {
        layer: layer.layer,
        layers: game.layers(),
        start: start(game, layer),
    };
    write_file(new, label, |out| encoder.write(memory, out))
}

/// Writes a file: a layer, which `write` writes, and its description.
pub(crate) fn write_file(
    new: NewFile,
    label: Label,
    write: impl FnOnce(&mut Summed<BufWriter<File>>) -> Result<LayerInfo, Error>,
) -> Result<(), Error> {
    let NewFile { path, file } = new;
    let path = &*path;
    let mut out = Summed::new(BufWriter::with_capacity(1 << 20, file));
    let info = write(&mut out).map_err(name(path))?;
    let segment = Segment {
        layer: label.layer,
        layers: label.layers,
        start: label.start,
        info,
        sum: out.sum.clone().finalize(),
    };
    let file = out.out.into_inner().map_err(|error| error.into_error());
    let write = || {
        let mut file = file?;
        file.write_all(&segment.encode())?;
        file.sync_all()
    };
    write().map_err(Error::file("write", path))
}

/// An error of writing bytes, with the file's name.
pub(crate) fn name(path: &Path) -> impl FnOnce(Error) -> Error {
    move |error| match error {
        Error::Io { doing, source } => Error::file(doing, path)(source),
        error => error,
    }
}

/// The start of the game, if the layer has it.
fn start<G: Ranked>(game: &G, layer: &Layer) -> Option<Example> {
    let (tier, rank) = game.rank(game.start())?;
    let value = layer.value(tier, rank)?;
    Some(Example { tier, rank, value })
}

impl Segment {
    fn encode(&self) -> Vec<u8> {
        let mut out = Vec::new();
        put_varint(&mut out, u64::from(self.layer));
        put_varint(&mut out, u64::from(self.layers));
        put_perhaps(&mut out, self.start.as_ref());
        put_layer(&mut out, &self.info);
        out.extend_from_slice(&(out.len() as u64).to_le_bytes());
        out.extend_from_slice(&self.sum.to_le_bytes());
        seal(&mut out, 0);
        out.extend_from_slice(&MAGIC);
        out
    }

    /// Reads the end of a segment; the layer itself is not looked at.
    pub(crate) fn read(path: &Path, file: &mut File, layout: Layout) -> Result<Self, Error> {
        let failed = |error| Error::file("read", path)(error);
        let damaged = |what| Error::damaged(format!("{}: {what}", path.display()));
        let length = file.seek(SeekFrom::End(0)).map_err(failed)?;
        let mut tail = [0; TAIL as usize];
        let tail_begin = length
            .checked_sub(TAIL)
            .ok_or_else(|| damaged("it is cut"))?;
        file.seek(SeekFrom::Start(tail_begin)).map_err(failed)?;
        file.read_exact(&mut tail).map_err(failed)?;
        if tail[16..] != MAGIC {
            return Err(damaged("it is cut"));
        }
        let [a, b, c, d, e, f, g, h, ..] = tail;
        let described = u64::from_le_bytes([a, b, c, d, e, f, g, h]);
        let begin = tail_begin
            .checked_sub(described)
            .filter(|_| described <= MOST_DESCRIPTION)
            .ok_or_else(|| damaged("its description is too long"))?;
        let mut bytes = vec![0; (length - begin) as usize - MAGIC.len()];
        file.seek(SeekFrom::Start(begin)).map_err(failed)?;
        file.read_exact(&mut bytes).map_err(failed)?;
        let segment = Self::decode(&bytes, layout)?;
        if segment.info.bytes() != begin {
            return Err(damaged("its layer has another length"));
        }
        Ok(segment)
    }

    fn decode(bytes: &[u8], layout: Layout) -> Result<Self, Error> {
        let what = "the description of a layer";
        let inner = unseal(bytes, what)?;
        let mut cursor = Cursor::new(inner, what);
        let number = |n: u64| u32::try_from(n).map_err(|_| Error::damaged(what));
        let segment = Self {
            layer: number(cursor.varint()?)?,
            layers: number(cursor.varint()?)?,
            start: take_perhaps(&mut cursor)?,
            info: take_layer(&mut cursor, layout)?,
            sum: {
                cursor.u64()?;
                cursor.u32()?
            },
        };
        cursor.end()?;
        let sections = segment.info.sections.iter();
        match sections.copied().try_fold(0, u64::checked_add) {
            Some(_) => Ok(segment),
            None => Err(Error::damaged(what)),
        }
    }
}

/// Copies the layer of a segment, its checksum compared.
pub(crate) fn copy(segment: &Segment, path: &Path, out: &mut impl Write) -> Result<(), Error> {
    let mut file = File::open(path)
        .map_err(Error::file("open", path))?
        .take(segment.info.bytes());
    let mut sum = crc32fast::Hasher::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match file.read(&mut buffer) {
            Ok(0) => break,
            Ok(n) => {
                sum.update(&buffer[..n]);
                out.write_all(&buffer[..n]).map_err(Error::io("write"))?;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::file("read", path)(error)),
        }
    }
    if sum.finalize() == segment.sum {
        Ok(())
    } else {
        let path = path.display();
        Err(Error::damaged(format!("{path}: the checksum differs")))
    }
}

/// Sums up what is written.
pub(crate) struct Summed<W> {
    out: W,
    sum: crc32fast::Hasher,
}

impl<W> Summed<W> {
    fn new(out: W) -> Self {
        let sum = crc32fast::Hasher::new();
        Self { out, sum }
    }
}

impl<W: Write> Write for Summed<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n = self.out.write(bytes)?;
        self.sum.update(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
