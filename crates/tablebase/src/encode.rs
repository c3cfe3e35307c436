//! A finished layer of positions becomes bytes.

use std::io::Write;
use std::ops::Range;

use hindsight_core::{Ranked, Value};
use hindsight_solve::Layer;

use crate::Error;
use crate::coder::FREE;
use crate::counts::Counts;
use crate::grain::{Alphabet, Grain};
use crate::index::Place;
use crate::info::{LayerInfo, Symbol};
use crate::layout::Layout;
use crate::shape::{can_be_kept, given, pieces, shape};
use crate::stream::{self, Stream, Wanted};
use crate::writing::Written;

/// A layer on its way, with the symbol of each code.
pub(crate) struct Encoder<'a, G> {
    game: &'a G,
    layer: &'a Layer,
    layout: Layout,
    symbols: Vec<Symbol>,
    /// By code; [`FREE`] for holes and codes that are not used.
    symbol_of: Vec<u16>,
    counts: Counts,
}

impl<'a, G: Ranked> Encoder<'a, G> {
    /// Counts the values. Fails where the layer is not one of the game.
    pub(crate) fn new(game: &'a G, layer: &'a Layer, layout: Layout) -> Result<Self, Error> {
        layout.keeps(Layout::Full)?;
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
            layout,
            symbol_of: symbol_of.collect(),
            symbols,
            counts,
        })
    }

    /// Writes coder, blocks and index, the same bytes for any number of threads and any memory: so many bytes
    /// beside the layer, if they are enough.
    pub(crate) fn write(self, memory: u64, out: &mut impl Write) -> Result<LayerInfo, Error> {
        let written = Written {
            ranks: self.ranks(),
            tiers: self.layer.tiers.len() as u64,
            layout: self.layout,
            position: size_of::<G::Position>(),
        };
        let room = written.room(memory, rayon::current_num_threads());
        let written = stream::write(&self, room, out)?;
        Ok(LayerInfo {
            name: self.game.layer_name(self.layer.layer),
            tiers: self.counts.tiers,
            first_tier: self.counts.first_tier,
            ranks: self.ranks(),
            histogram: self.counts.histogram,
            longest_win: self.counts.longest_win,
            longest_loss: self.counts.longest_loss,
            states: None,
            symbols: self.symbols,
            block_ranks: written.block_ranks,
            sections: written.sections,
        })
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

impl<G: Ranked> Stream for Encoder<'_, G> {
    fn ranks(&self) -> u64 {
        self.layer.codes.len() as u64
    }

    fn alphabet(&self) -> Alphabet<'_> {
        Alphabet {
            symbols: &self.symbols,
            grain: Grain::of(self.layout),
        }
    }

    fn periods(&self) -> Vec<u32> {
        self.game.periods()
    }

    fn wanted(&self, ordinals: Range<u64>) -> Result<Wanted, Error> {
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
    if !layer
        .palette
        .iter()
        .flatten()
        .all(|&value| can_be_kept(value))
    {
        return unfit("it has a value of more than 65,534 plies");
    }
    Ok(())
}
