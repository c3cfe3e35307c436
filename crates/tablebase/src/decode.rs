//! The values of a whole layer, back from its bytes.

use hindsight_core::{Ranked, Value};
use hindsight_solve::{Layer, parallel};

use crate::Error;
use crate::coder::Scratch;
use crate::fill::fill_wins;
use crate::index::{Entry, PAGE};
use crate::info::{LayerInfo, Symbol};
use crate::layer_file::{Block, LayerFile};
use crate::layout::Layout;
use crate::read::ReadAt;
use crate::shape::{Piece, given, pieces, runs, shape};
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
    file.keeps(Layout::Full)?;
    let mut decoded = shape_in_file(game, layer, file)?;
    let ranks = file.info.ranks;
    let codes = Codes::new(&file.info)?;
    decoded.palette.clone_from(&codes.palette);
    decoded.codes = vec![0; ranks as usize];
    let shape = (decoded.tiers.as_slice(), decoded.starts.as_slice());
    each_piece(
        file,
        shape,
        (&mut decoded.codes, 1),
        |piece, symbols, out| codes.of_piece(game, piece, symbols, out),
    )?;
    Ok(decoded)
}

/// A layer of the game with no codes yet, if the file has as many ranks.
pub(crate) fn shape_in_file<G: Ranked, R: ReadAt>(
    game: &G,
    layer: u32,
    file: &LayerFile<R>,
) -> Result<Layer, Error> {
    let shape = shape(game, layer)?;
    let ranks = shape.starts.last().copied().unwrap_or(0);
    if ranks == file.info.ranks {
        Ok(shape)
    } else {
        Err(Error::damaged(format!(
            "layer {layer} has {} ranks, the game says {ranks}",
            file.info.ranks
        )))
    }
}

/// Decodes every block of a layer whose tiers and starts are given. `act` turns the symbols of a piece into
/// its bytes of `out`, which has `width` for each rank.
pub(crate) fn each_piece<R: ReadAt>(
    file: &LayerFile<R>,
    (tiers, starts): (&[u64], &[u64]),
    (out, width): (&mut [u8], usize),
    act: impl Fn(&Piece, &[u8], &mut [u8]) -> Result<(), Error> + Sync,
) -> Result<(), Error> {
    let (ranks, step) = (file.info.ranks, file.info.block_ranks as usize);
    let pages = file.opened()?.index.pages();
    parallel::try_chunks(out, step * PAGE * width, &|page, out| {
        let page = page as usize;
        if page >= pages {
            return Ok(());
        }
        let mut scratch = Scratch::new()?;
        let entries = file.page(page)?;
        for ((out, entry), i) in out.chunks_mut(step * width).zip(&entries).zip(0..) {
            let number = (page * PAGE) as u64 + i;
            let block = file.block((number, entry), None, &mut scratch)?;
            let ordinals = runs(ranks, step as u64)(number);
            fit(&block, entry, pieces(tiers, starts, ordinals.clone()))?;
            for piece in pieces(tiers, starts, ordinals) {
                let of = |width: usize| piece.at.start * width..piece.at.end * width;
                act(
                    &piece,
                    &block.symbols[of(file.planes())],
                    &mut out[of(width)],
                )?;
            }
        }
        Ok(())
    })
}

/// Compares the tiers of a block with those of the game.
fn fit(block: &Block, entry: &Entry, pieces: impl Iterator<Item = Piece>) -> Result<(), Error> {
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

    /// The codes of places where these symbols are stored.
    fn of_piece<G: Ranked>(
        &self,
        game: &G,
        piece: &Piece,
        symbols: &[u8],
        out: &mut [u8],
    ) -> Result<(), Error> {
        let lacks = |rank| {
            let tier = piece.tier;
            let what = format!("tier {tier} rank {rank} has a value that its layer lacks");
            Error::Damaged(what)
        };
        let mut positions = Vec::with_capacity(out.len());
        let ranks = piece.rank..piece.rank + out.len() as u64;
        game.unrank_range(piece.tier, ranks, &mut positions);
        if positions.len() < out.len() {
            let hole = self.position(None).ok_or_else(|| lacks(piece.rank))?;
            out.fill(hole);
        }
        for (rank, position) in positions {
            let at = (rank - piece.rank) as usize;
            let code = match given(game, position) {
                Some(value) => self.position(Some(value)),
                None => self
                    .of_symbol
                    .get(usize::from(symbols[at]))
                    .copied()
                    .flatten(),
            };
            out[at] = code.ok_or_else(|| lacks(rank))?;
        }
        Ok(())
    }
}
