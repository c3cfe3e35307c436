//! Symbols become coder, blocks and index.

use std::io::Write;
use std::ops::Range;

use hindsight_solve::parallel;

use crate::Error;
use crate::coder::Coder;
use crate::grain::Alphabet;
use crate::index::{IndexWriter, Place};
use crate::model::MOST_PERIOD;
use crate::shape::runs;
use crate::tiers::{Tiers, put_tiers};
use crate::train::Part;

/// Parts of a layer by which its coder is chosen, at most: 33 million symbols.
pub(crate) const SAMPLE: u64 = 2048;

/// Blocks that are encoded before they are written.
const BATCH: u64 = 256;

/// A layer as the symbols that are to be stored, asked for in any order.
pub(crate) trait Stream: Sync {
    /// Ranks, holes included.
    fn ranks(&self) -> u64;

    /// What the symbols are, and how many a rank has.
    fn alphabet(&self) -> Alphabet<'_>;

    /// Numbers of ranks modulo which symbols may be alike.
    fn periods(&self) -> Vec<u32>;

    /// What must be stored at some ordinals of ranks.
    fn wanted(&self, ordinals: Range<u64>) -> Result<Wanted, Error>;
}

/// What a block must say.
pub(crate) struct Wanted {
    pub(crate) first: Place,
    pub(crate) tiers: Tiers,
    /// Those of a rank follow each other; [`crate::coder::FREE`] where any will do.
    pub(crate) symbols: Vec<u16>,
}

/// What a layer became.
pub(crate) struct Written {
    pub(crate) block_ranks: u32,
    pub(crate) sections: [u64; 4],
}

/// Writes coder, blocks and index, the same bytes for any number of threads and any room for the choice of a
/// coder.
pub(crate) fn write(
    stream: &impl Stream,
    room: u64,
    out: &mut impl Write,
) -> Result<Written, Error> {
    let coder = choose(stream, room)?;
    let block_ranks = coder.block_ranks(stream.alphabet().grain);
    let head = coder.to_bytes()?;
    let mut put = |bytes: &[u8]| out.write_all(bytes).map_err(Error::io("write"));
    put(&head)?;
    let (mut index, mut length) = (IndexWriter::default(), 0);
    let (ranks, step) = (stream.ranks(), u64::from(block_ranks));
    let blocks = ranks.div_ceil(step);
    for batch in (0..blocks).step_by(BATCH as usize) {
        let block = |i| block(stream, &coder, runs(ranks, step)(i));
        let encoded = parallel::try_map(batch..blocks.min(batch + BATCH), &block)?;
        for (first, bytes) in encoded {
            put(&bytes)?;
            index.push(first, &bytes);
            length += bytes.len() as u64;
        }
    }
    let (pages, top) = index.finish();
    put(&pages)?;
    put(&top)?;
    Ok(Written {
        block_ranks,
        sections: [
            head.len() as u64,
            length,
            pages.len() as u64,
            top.len() as u64,
        ],
    })
}

/// The coder for a layer, by parts of it that lie evenly, with so many bytes of room beside the parts.
fn choose(stream: &impl Stream, room: u64) -> Result<Coder, Error> {
    let alphabet = stream.alphabet();
    let planes = alphabet.grain.planes();
    let unit = (alphabet.grain.unit() / planes) as u64;
    let ranks = stream.ranks();
    let units = ranks.div_ceil(unit);
    let step = units.div_ceil(SAMPLE).max(1);
    let part = |i: u64| {
        let ordinals = runs(ranks, unit)(i * step);
        Ok(Part {
            first: ordinals.start * planes as u64,
            symbols: stream.wanted(ordinals)?.symbols,
        })
    };
    let sample: Vec<Part> = parallel::try_map(0..units.div_ceil(step), &part)?;
    let mut periods = vec![1];
    let hints = stream.periods().into_iter().filter(|&period| period > 1);
    let hints = hints.filter_map(|period| period.checked_mul(planes as u32));
    periods.extend(hints.filter(|&period| period <= MOST_PERIOD));
    Coder::choose(&sample, alphabet, &periods, (ranks * planes as u64, room))
}

/// A block of some ordinals: the place it begins with, and its bytes.
fn block(
    stream: &impl Stream,
    coder: &Coder,
    ordinals: Range<u64>,
) -> Result<(Place, Vec<u8>), Error> {
    let grain = stream.alphabet().grain;
    let first = ordinals.start * grain.planes() as u64;
    let wanted = stream.wanted(ordinals)?;
    let mut bytes = Vec::new();
    put_tiers(&mut bytes, &wanted.tiers);
    coder.encode((first, grain), &wanted.symbols, &mut bytes)?;
    Ok((wanted.first, bytes))
}
