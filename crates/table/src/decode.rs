//! The values of a whole layer, back from its bytes.

use std::sync::atomic::{AtomicU8, Ordering};

use game::{Ranked, Value};
use rayon::prelude::*;
use solve::Layer;

use crate::Error;
use crate::coder::Scratch;
use crate::index::{Entry, PAGE};
use crate::info::{LayerInfo, Layout, Symbol};
use crate::layer_file::{Block, LayerFile};
use crate::read::ReadAt;
use crate::shape::{Known, given, pieces, runs, shape};
use crate::tiers::Tiers;

/// Decodes a layer. `open` gives the layers of the file; with the layout [`Layout::Compact`] those that
/// this one leads to are decoded as well.
pub(crate) fn decode_layer<G: Ranked, R: ReadAt>(
    game: &G,
    layer: u32,
    layout: Layout,
    open: &dyn Fn(u32) -> Result<LayerFile<R>, Error>,
) -> Result<Layer, Error> {
    let mut decoded = decode(game, layer, &open(layer)?)?;
    if layout == Layout::Compact {
        let next = game.layer_successors(layer);
        let next: Vec<Layer> = next
            .into_iter()
            .map(|layer| decode(game, layer, &open(layer)?))
            .collect::<Result<_, _>>()?;
        let next: Vec<&Layer> = next.iter().collect();
        if let Some((tier, rank)) = fill_wins(game, &mut decoded, &next) {
            return Err(Error::damaged(format!(
                "tier {tier} rank {rank} is a win of no known length"
            )));
        }
    }
    Ok(decoded)
}

/// Decodes a layer. Of a win without plies only that it is one is right; it gets the code of the first
/// win of the palette.
pub(crate) fn decode<G: Ranked, R: ReadAt>(
    game: &G,
    layer: u32,
    file: &LayerFile<R>,
) -> Result<Layer, Error> {
    let mut decoded = shape(game, layer)?;
    let ranks = decoded.starts.last().copied().unwrap_or(0);
    if ranks != file.info.ranks {
        return Err(Error::damaged(format!(
            "layer {layer} has {} ranks, the game says {ranks}",
            file.info.ranks
        )));
    }
    let codes = Codes::new(&file.info)?;
    decoded.palette.clone_from(&codes.palette);
    decoded.codes = vec![0; ranks as usize];
    let step = u64::from(file.info.block_ranks);
    let (tiers, starts) = (&decoded.tiers, &decoded.starts);
    let pages = file.opened()?.index.pages();
    decoded
        .codes
        .par_chunks_mut(step as usize * PAGE)
        .zip(0..pages)
        .try_for_each(|(out, page)| {
            let mut scratch = Scratch::new()?;
            let entries = file.page(page)?;
            for ((out, entry), i) in out.chunks_mut(step as usize).zip(&entries).zip(0..) {
                let number = (page * PAGE) as u64 + i;
                let block = file.block((number, entry), &mut scratch)?;
                let ordinals = runs(ranks, step)(number);
                fit(&block, entry, pieces(tiers, starts, ordinals.clone()))?;
                for piece in pieces(tiers, starts, ordinals) {
                    let symbols = &block.symbols[piece.at.clone()];
                    let places = (piece.rank..).zip(symbols).zip(&mut out[piece.at.clone()]);
                    for ((rank, &symbol), code) in places {
                        *code = codes.of(game, (piece.tier, rank), symbol)?;
                    }
                }
            }
            Ok(())
        })?;
    Ok(decoded)
}

/// Compares the tiers of a block with those of the game.
fn fit(
    block: &Block,
    entry: &Entry,
    pieces: impl Iterator<Item = crate::shape::Piece>,
) -> Result<(), Error> {
    let mut rank = None;
    let tiers: Tiers = pieces
        .map(|piece| {
            rank.get_or_insert(piece.rank);
            (piece.tier, piece.at.start as u64)
        })
        .collect();
    if tiers == block.tiers && rank == Some(block.first_rank) {
        return Ok(());
    }
    let (tier, rank) = entry.first;
    Err(Error::damaged(format!(
        "the block from tier {tier} rank {rank} has not the tiers of the game"
    )))
}

/// The codes of a decoded layer.
struct Codes {
    palette: Vec<Option<Value>>,
    /// By symbol; `None` where no position has such a value.
    of_symbol: Vec<Option<u8>>,
}

impl Codes {
    /// The values of the histogram in its order, then the hole.
    fn new(info: &LayerInfo) -> Result<Self, Error> {
        let rows = info.histogram.rows();
        let mut palette: Vec<Option<Value>> = rows.iter().map(|&(value, _)| Some(value)).collect();
        if palette.len() < 256 {
            palette.push(None);
        }
        let of_symbol = |symbol: &Symbol| {
            let code = palette.iter().position(|&value| match (symbol, value) {
                (Symbol::Exact(exact), Some(value)) => *exact == value,
                (Symbol::Win, Some(Value::Win(_))) => true,
                _ => false,
            });
            code.map(|code| code as u8)
        };
        let of_symbol = info.symbols.iter().map(of_symbol).collect();
        Ok(Self { palette, of_symbol })
    }

    fn position(&self, value: Option<Value>) -> Option<u8> {
        let code = self.palette.iter().position(|&known| known == value);
        code.map(|code| code as u8)
    }

    /// The code of a place where a symbol is stored.
    fn of<G: Ranked>(&self, game: &G, place: (u64, u64), symbol: u8) -> Result<u8, Error> {
        let position = game.unrank(place.0, place.1);
        let value = position.map(|position| given(game, position));
        let code = match value {
            None => self.position(None),
            Some(Some(value)) => self.position(Some(value)),
            Some(None) => self.of_symbol.get(usize::from(symbol)).copied().flatten(),
        };
        code.ok_or_else(|| {
            let (tier, rank) = place;
            Error::damaged(format!(
                "tier {tier} rank {rank} has a value that its layer lacks"
            ))
        })
    }
}

/// Gives every win of a layer its plies: one more than those of the lost successor nearest to its end.
/// Losses must be right, in this layer and in those it leads to. Returns the first place where no
/// lost successor, or a value that the layer lacks, was found.
pub(crate) fn fill_wins<G: Ranked>(
    game: &G,
    layer: &mut Layer,
    next: &[&Layer],
) -> Option<(u64, u64)> {
    const RUN: u64 = 1 << 16;
    let codes = std::mem::take(&mut layer.codes);
    let ranks = codes.len() as u64;
    let codes: Vec<AtomicU8> = codes.into_iter().map(AtomicU8::new).collect();
    let filler = Filler {
        game,
        layer,
        codes: &codes,
        next: Known(next.to_vec()),
    };
    let bad = (0..ranks.div_ceil(RUN))
        .into_par_iter()
        .filter_map(|i| filler.run(runs(ranks, RUN)(i)))
        .min();
    layer.codes = codes.into_iter().map(AtomicU8::into_inner).collect();
    bad
}

struct Filler<'a, G> {
    game: &'a G,
    /// Its codes are taken out.
    layer: &'a Layer,
    codes: &'a [AtomicU8],
    next: Known<'a>,
}

impl<G: Ranked> Filler<'_, G> {
    /// Fills the wins of some ordinals.
    fn run(&self, ordinals: std::ops::Range<u64>) -> Option<(u64, u64)> {
        let mut successors = Vec::new();
        let mut bad = None;
        let begin = ordinals.start as usize;
        for piece in pieces(&self.layer.tiers, &self.layer.starts, ordinals) {
            let codes = &self.codes[begin + piece.at.start..begin + piece.at.end];
            for (rank, code) in (piece.rank..).zip(codes) {
                if !matches!(self.value(code), Some(Value::Win(_))) {
                    continue;
                }
                match self.win(piece.tier, rank, &mut successors) {
                    Some(found) => code.store(found, Ordering::Relaxed),
                    None => bad = bad.or(Some((piece.tier, rank))),
                }
            }
        }
        bad
    }

    fn value(&self, code: &AtomicU8) -> Option<Value> {
        let code = usize::from(code.load(Ordering::Relaxed));
        self.layer.palette.get(code).copied().flatten()
    }

    /// The code of a win.
    fn win(&self, tier: u64, rank: u64, successors: &mut Vec<G::Position>) -> Option<u8> {
        let position = self.game.unrank(tier, rank)?;
        let value = given(self.game, position).or_else(|| {
            successors.clear();
            self.game.successors(position, successors);
            let losses = successors.iter().filter_map(|&next| self.loss(next));
            losses.min().and_then(|n| n.checked_add(1)).map(Value::Win)
        });
        let code = self.layer.palette.iter().position(|&known| known == value);
        code.map(|code| code as u8)
    }

    /// The plies of a position, if it is lost.
    fn loss(&self, position: G::Position) -> Option<u16> {
        let value = match self.game.terminal(position) {
            Some(wdl) => Value::terminal(wdl),
            None => {
                let (tier, rank) = self.game.rank(position)?;
                match self.own(tier, rank) {
                    Some(code) => self.value(code)?,
                    None => self.next.value(tier, rank)?,
                }
            }
        };
        match value {
            Value::Loss(n) => Some(n),
            Value::Draw | Value::Win(_) => None,
        }
    }

    fn own(&self, tier: u64, rank: u64) -> Option<&AtomicU8> {
        let i = self.layer.tiers.binary_search(&tier).ok()?;
        let begin = self.layer.starts[i].checked_add(rank)?;
        (begin < self.layer.starts[i + 1]).then(|| &self.codes[begin as usize])
    }
}
