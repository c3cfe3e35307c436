//! A finished layer becomes bytes.

use std::io::Write;
use std::ops::Range;

use game::{Ranked, Value};
use rayon::prelude::*;
use solve::Layer;

use crate::Error;
use crate::coder::{Coder, FREE, UNIT};
use crate::counts::Counts;
use crate::index::{IndexWriter, Place};
use crate::info::{LayerInfo, Layout, Symbol};
use crate::model::MOST_PERIOD;
use crate::shape::{given, pieces, runs, shape};
use crate::tiers::{Tiers, put_tiers};
use crate::train::Part;

/// Parts of a layer by which its coder is chosen, at most: 33 million ranks.
const SAMPLE: u64 = 2048;

/// Blocks that are encoded before they are written.
const BATCH: u64 = 256;

/// A layer on its way, with the symbol of each code.
pub(crate) struct Encoder<'a, G> {
    game: &'a G,
    layer: &'a Layer,
    symbols: Vec<Symbol>,
    /// By code; [`FREE`] for holes and codes that are not used.
    symbol_of: Vec<u16>,
    counts: Counts,
}

impl<'a, G: Ranked> Encoder<'a, G> {
    /// Counts the values. Fails where the layer is not one of the game.
    pub(crate) fn new(game: &'a G, layer: &'a Layer, layout: Layout) -> Result<Self, Error> {
        fit(game, layer)?;
        let counts = Counts::new(game, layer);
        let symbols = counts.symbols(layout);
        let symbol_of = layer.palette.iter().map(|value| {
            let symbol = value.map(|value| Symbol::of(value, layout));
            let i = symbol.and_then(|symbol| symbols.iter().position(|&s| s == symbol));
            i.map_or(FREE, |i| i as u16)
        });
        Ok(Self {
            game,
            layer,
            symbol_of: symbol_of.collect(),
            symbols,
            counts,
        })
    }

    /// Writes coder, blocks and index, the same bytes for any number of threads.
    pub(crate) fn write(self, out: &mut impl Write) -> Result<LayerInfo, Error> {
        let ranks = self.layer.codes.len() as u64;
        let coder = self.choose()?;
        let step = u64::from(coder.block_ranks());
        let head = coder.to_bytes()?;
        let mut put = |bytes: &[u8]| out.write_all(bytes).map_err(Error::io("write"));
        put(&head)?;
        let (mut index, mut length) = (IndexWriter::default(), 0);
        let blocks = ranks.div_ceil(step);
        for batch in (0..blocks).step_by(BATCH as usize) {
            let encoded: Vec<_> = (batch..blocks.min(batch + BATCH))
                .into_par_iter()
                .map(|i| self.block(&coder, runs(ranks, step)(i)))
                .collect::<Result<_, Error>>()?;
            for (first, bytes) in encoded {
                put(&bytes)?;
                index.push(first, &bytes);
                length += bytes.len() as u64;
            }
        }
        let (pages, top) = index.finish();
        put(&pages)?;
        put(&top)?;
        let sections = [
            head.len() as u64,
            length,
            pages.len() as u64,
            top.len() as u64,
        ];
        Ok(self.info(coder.block_ranks(), sections))
    }

    /// The coder for the layer, by parts of it that lie evenly.
    fn choose(&self) -> Result<Coder, Error> {
        let ranks = self.layer.codes.len() as u64;
        let units = ranks.div_ceil(UNIT as u64);
        let step = units.div_ceil(SAMPLE).max(1);
        let part = |i: u64| {
            let ordinals = runs(ranks, UNIT as u64)(i * step);
            Ok(Part {
                first: ordinals.start,
                symbols: self.symbols_of(ordinals)?.symbols,
            })
        };
        let parts = (0..units.div_ceil(step)).into_par_iter();
        let sample: Vec<Part> = parts.map(part).collect::<Result<_, Error>>()?;
        let mut periods = vec![1];
        let possible = |period: &u32| (2..=MOST_PERIOD).contains(period);
        periods.extend(self.game.periods().into_iter().filter(possible));
        Coder::choose(&sample, &self.symbols, &periods, ranks)
    }

    fn info(self, block_ranks: u32, sections: [u64; 4]) -> LayerInfo {
        LayerInfo {
            name: self.game.layer_name(self.layer.layer),
            tiers: self.counts.tiers,
            first_tier: self.counts.first_tier,
            ranks: self.layer.codes.len() as u64,
            histogram: self.counts.histogram,
            longest_win: self.counts.longest_win,
            longest_loss: self.counts.longest_loss,
            symbols: self.symbols,
            block_ranks,
            sections,
        }
    }

    /// A block of some ordinals: the place it begins with, and its bytes.
    fn block(&self, coder: &Coder, ordinals: Range<u64>) -> Result<(Place, Vec<u8>), Error> {
        let first = ordinals.start;
        let wanted = self.symbols_of(ordinals)?;
        let mut bytes = Vec::new();
        put_tiers(&mut bytes, &wanted.tiers);
        coder.encode(first, &wanted.symbols, &mut bytes)?;
        Ok((wanted.first, bytes))
    }

    /// What must be stored at some ordinals.
    fn symbols_of(&self, ordinals: Range<u64>) -> Result<Wanted, Error> {
        let begin = ordinals.start as usize;
        let mut wanted = Wanted {
            first: (0, 0),
            tiers: Vec::new(),
            symbols: vec![FREE; (ordinals.end - ordinals.start) as usize],
        };
        let mut positions = Vec::new();
        for piece in pieces(&self.layer.tiers, &self.layer.starts, ordinals) {
            if wanted.tiers.is_empty() {
                wanted.first = (piece.tier, piece.rank);
            }
            wanted.tiers.push((piece.tier, piece.at.start as u64));
            let codes = &self.layer.codes[begin + piece.at.start..begin + piece.at.end];
            let symbols = &mut wanted.symbols[piece.at.clone()];
            positions.clear();
            let ranks = piece.rank..piece.rank + codes.len() as u64;
            self.game.unrank_range(piece.tier, ranks, &mut positions);
            for &(rank, position) in &positions {
                let at = (rank - piece.rank) as usize;
                symbols[at] = self.symbol((piece.tier, rank), position, codes[at])?;
            }
            let values = codes.iter().filter(|&&code| self.value(code).is_some());
            if values.count() != positions.len() {
                return Err(self.unfit("a hole has a value"));
            }
        }
        Ok(wanted)
    }

    fn value(&self, code: u8) -> Option<Value> {
        self.layer.palette.get(usize::from(code)).copied().flatten()
    }

    fn unfit(&self, reason: &'static str) -> Error {
        let layer = self.layer.layer;
        Error::Unfit { layer, reason }
    }

    /// What must be stored for a position.
    fn symbol(&self, place: Place, position: G::Position, code: u8) -> Result<u16, Error> {
        let (tier, rank) = place;
        let said = self.value(code);
        match (given(self.game, position), said) {
            (Some(given), said) if said != Some(given) => Err(Error::Contradiction {
                tier,
                rank,
                said,
                given,
            }),
            (Some(_), _) => Ok(FREE),
            (None, Some(_)) => Ok(self.symbol_of[usize::from(code)]),
            (None, None) => Err(self.unfit("a position has no value")),
        }
    }
}

/// What a block must say.
struct Wanted {
    first: Place,
    tiers: Tiers,
    symbols: Vec<u16>,
}

/// Compares a layer's tiers and lengths with the game's.
fn fit<G: Ranked>(game: &G, layer: &Layer) -> Result<(), Error> {
    let unfit = |reason| {
        Err(Error::Unfit {
            layer: layer.layer,
            reason,
        })
    };
    if layer.layer >= game.layers() {
        return unfit("there is no such layer");
    }
    let shape = shape(game, layer.layer)?;
    if shape.tiers != layer.tiers || shape.starts != layer.starts {
        return unfit("its tiers are others");
    }
    if layer.starts.last() != Some(&(layer.codes.len() as u64)) {
        return unfit("it has too few codes, or too many");
    }
    if layer.palette.len() > 256 {
        return unfit("it has more than 256 codes");
    }
    Ok(())
}
