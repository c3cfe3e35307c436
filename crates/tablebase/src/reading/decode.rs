//! Decoding of a whole layer of positions.

use hindsight_core::{PackedGame, Ranked, Value};
use hindsight_engine::{Layer, parallel};

use crate::address::Address;
use crate::codec::coder::DecodeScratch;
use crate::error::TableError;
use crate::format::block_tiers::BlockTiers;
use crate::format::index::{IndexEntry, PAGE_ENTRIES};
use crate::format::info::LayerInfo;
use crate::format::layer_file::{DecodedBlock, LayerFile};
use crate::layout::Layout;
use crate::read_at::ReadAt;
use crate::stop_check::heed_stop;
use crate::symbols::ordinals::{
    TierPiece, TierStarts, layer_shape, ordinal_runs, tier_pieces, value_by_rules,
};
use crate::symbols::restore_plies::{layers_for_plies, restore_plies};
use crate::symbols::symbol::Symbol;

/// Decodes a layer. `open` opens layers of the same file. Where the layout leaves out remoteness,
/// the layers that tell it are decoded too.
pub(crate) fn decode_layer<R: ReadAt>(
    game: &PackedGame,
    layer: u32,
    layout: Layout,
    open: &dyn Fn(u32) -> Result<LayerFile<R>, TableError>,
) -> Result<Layer, TableError> {
    let mut decoded = decode_positions(game, layer, &open(layer)?)?;
    if layout.plies_searched() > 0 {
        let decoded_others: Vec<Layer> = layers_for_plies(game, layer, layout)
            .into_iter()
            .map(|layer| decode_positions(game, layer, &open(layer)?))
            .collect::<Result<_, _>>()?;
        let others: Vec<&Layer> = decoded_others.iter().collect();
        if let Some(address) = restore_plies(game, layout, &mut decoded, &others) {
            let Address { tier, rank } = address;
            return Err(TableError::damaged(format!(
                "tier {tier} rank {rank} is a win or loss of no known length"
            )));
        }
    }
    Ok(decoded)
}

/// Decodes a layer alone. A symbol that stands for several values gets the code of the first one.
pub(crate) fn decode_positions<R: ReadAt>(
    game: &PackedGame,
    layer: u32,
    file: &LayerFile<R>,
) -> Result<Layer, TableError> {
    file.check_content(Layout::Full)?;
    let mut decoded = layer_shape_in_file(game, layer, file)?;
    let ranks = file.info.ranks;
    let codes = PositionCodes::new(&file.info)?;
    decoded.palette.clone_from(&codes.palette);
    decoded.codes = vec![0; ranks as usize];
    let tier_starts = TierStarts { tiers: &decoded.tiers, starts: &decoded.starts };
    decode_pieces(file, tier_starts, &mut decoded.codes, 1, |piece, symbols, out| {
        codes.decode_piece(game, piece, symbols, out)
    })?;
    Ok(decoded)
}

/// Layer of the game without codes. Fails if the file has another number of ranks.
pub(crate) fn layer_shape_in_file<R: ReadAt>(
    game: &PackedGame,
    layer: u32,
    file: &LayerFile<R>,
) -> Result<Layer, TableError> {
    let shape = layer_shape(game, layer)?;
    let ranks = shape.starts.last().copied().unwrap_or(0);
    if ranks == file.info.ranks {
        Ok(shape)
    } else {
        Err(TableError::damaged(format!(
            "layer {layer} has {} ranks, the game says {ranks}",
            file.info.ranks
        )))
    }
}

/// Decodes every block of a layer. `act` turns the symbols of a piece into its part of `out`, which
/// has `width` bytes per rank.
pub(crate) fn decode_pieces<R: ReadAt>(
    file: &LayerFile<R>,
    tier_starts: TierStarts<'_>,
    out: &mut [u8],
    width: usize,
    act: impl Fn(&TierPiece, &[u8], &mut [u8]) -> Result<(), TableError> + Sync,
) -> Result<(), TableError> {
    let (ranks, step) = (file.info.ranks, file.info.block_ranks as usize);
    let pages = file.opened()?.index.pages();
    parallel::try_chunks(out, step * PAGE_ENTRIES * width, &|page, out| {
        let page = page as usize;
        if page >= pages {
            return Ok(());
        }
        heed_stop()?;
        let mut scratch = DecodeScratch::new()?;
        let entries = file.page(page)?;
        for ((out, entry), i) in out.chunks_mut(step * width).zip(&entries).zip(0..) {
            let number = (page * PAGE_ENTRIES) as u64 + i;
            let block = file.block(number, entry, None, &mut scratch)?;
            let ordinals = ordinal_runs(ranks, step as u64)(number);
            check_tiers(&block, entry, tier_pieces(tier_starts, ordinals.clone()))?;
            for piece in tier_pieces(tier_starts, ordinals) {
                let scaled = |width: usize| piece.span.start * width..piece.span.end * width;
                act(&piece, &block.symbols[scaled(file.channels())], &mut out[scaled(width)])?;
            }
        }
        Ok(())
    })
}

/// Compares the tiers of a block with the game's.
pub(crate) fn check_tiers(
    block: &DecodedBlock,
    entry: &IndexEntry,
    pieces: impl Iterator<Item = TierPiece>,
) -> Result<(), TableError> {
    let mut rank = None;
    let tiers: BlockTiers = pieces
        .map(|piece| {
            rank.get_or_insert(piece.rank);
            (piece.tier, piece.span.start as u64)
        })
        .collect();
    if tiers == block.tiers && rank == Some(block.first_rank) {
        return Ok(());
    }
    let Address { tier, rank } = entry.first;
    Err(TableError::damaged(format!(
        "the block from tier {tier} rank {rank} has not the tiers of the game"
    )))
}

/// Codes of a decoded layer.
struct PositionCodes {
    palette: Vec<Option<Value>>,
    /// Code of each symbol; `None` if the histogram lacks its value.
    code_of_symbol: Vec<Option<u8>>,
}

impl PositionCodes {
    /// Lists the values of the histogram in its order, then the hole.
    fn new(info: &LayerInfo) -> Result<Self, TableError> {
        let rows = info.histogram.rows();
        let mut palette: Vec<Option<Value>> = rows.iter().map(|&(value, _)| Some(value)).collect();
        if palette.len() < 256 {
            palette.push(None);
        }
        let code_of = |symbol: &Symbol| {
            let code = palette.iter().position(|&value| match (symbol, value) {
                (Symbol::Exact(exact), Some(value)) => *exact == value,
                (Symbol::Win, Some(Value::Win(_))) => true,
                (Symbol::LossWithin(_), Some(value)) => Symbol::of(value, Layout::Wdl) == *symbol,
                _ => false,
            });
            code.map(|code| code as u8)
        };
        let code_of_symbol = info.symbols.iter().map(code_of).collect();
        Ok(Self { palette, code_of_symbol })
    }

    fn code_of_value(&self, value: Option<Value>) -> Option<u8> {
        let code = self.palette.iter().position(|&known| known == value);
        code.map(|code| code as u8)
    }

    /// Writes the codes of a piece to `out`.
    fn decode_piece(
        &self,
        game: &PackedGame,
        piece: &TierPiece,
        symbols: &[u8],
        out: &mut [u8],
    ) -> Result<(), TableError> {
        let missing = |rank| {
            let tier = piece.tier;
            let fault = format!("tier {tier} rank {rank} has a value that its layer lacks");
            TableError::Damaged(fault)
        };
        let mut positions = Vec::with_capacity(out.len());
        let ranks = piece.rank..piece.rank + out.len() as u64;
        game.unrank_range(piece.tier, ranks, &mut positions);
        if positions.len() < out.len() {
            let hole = self.code_of_value(None).ok_or_else(|| missing(piece.rank))?;
            out.fill(hole);
        }
        for (rank, position) in positions {
            let i = (rank - piece.rank) as usize;
            let code = match value_by_rules(game, position) {
                Some(value) => self.code_of_value(Some(value)),
                None => self.code_of_symbol.get(usize::from(symbols[i])).copied().flatten(),
            };
            out[i] = code.ok_or_else(|| missing(rank))?;
        }
        Ok(())
    }
}
