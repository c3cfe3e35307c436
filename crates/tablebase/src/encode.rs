//! Encoding of a finished layer of positions.

use std::io::Write;
use std::ops::Range;

use hindsight_core::{Ranked, Value};
use hindsight_solve::Layer;

use crate::address::Address;
use crate::error::TableError;
use crate::info::LayerInfo;
use crate::layer_counts::LayerCounts;
use crate::layer_writer::{self, RequiredSymbols, SymbolSource};
use crate::layout::Layout;
use crate::ordinals::{TierStarts, layer_shape, tier_pieces, value_by_rules};
use crate::symbol::{Symbol, is_storable};
use crate::symbol_layout::{ANY_SYMBOL, Alphabet, SymbolLayout};
use crate::write_memory::WriteMemory;

/// A layer to be written, with the symbol of each code.
pub(crate) struct PositionEncoder<'a, G> {
    game: &'a G,
    layer: &'a Layer,
    layout: Layout,
    /// Index of the symbol of each code; [`ANY_SYMBOL`] for holes and unused codes.
    symbol_of_code: Vec<u16>,
    counts: LayerCounts,
}

impl<'a, G: Ranked> PositionEncoder<'a, G> {
    /// Counts the values. Fails if the layer does not belong to the game.
    pub(crate) fn new(game: &'a G, layer: &'a Layer, layout: Layout) -> Result<Self, TableError> {
        layout.check_content(Layout::Full)?;
        check_layer_shape(game, layer)?;
        let counts = LayerCounts::new(game, layer, layout);
        let symbol_of_code = layer.palette.iter().map(|value| {
            let symbol = value.map(|value| Symbol::of(value, layout));
            let i = symbol.and_then(|symbol| counts.symbols.iter().position(|&s| s == symbol));
            i.map_or(ANY_SYMBOL, |i| i as u16)
        });
        Ok(Self {
            game,
            layer,
            layout,
            symbol_of_code: symbol_of_code.collect(),
            counts,
        })
    }

    /// Writes coder, blocks and index. Takes `memory` bytes besides the layer, or the minimum if
    /// that is more. The bytes written depend neither on it nor on the number of threads.
    pub(crate) fn write(self, memory: u64, out: &mut impl Write) -> Result<LayerInfo, TableError> {
        let needed = WriteMemory {
            ranks: self.ranks(),
            tiers: self.layer.tiers.len() as u64,
            layout: self.layout,
            position_bytes: size_of::<G::Position>(),
        };
        let room = needed.coder_choice_room(memory, rayon::current_num_threads());
        let written = layer_writer::write_layer(&self, room, out)?;
        let name = self.game.layer_name(self.layer.layer);
        let ranks = self.ranks();
        Ok(self.counts.into_info(name, ranks, written))
    }

    fn value(&self, code: u8) -> Option<Value> {
        self.layer.palette.get(usize::from(code)).copied().flatten()
    }

    fn unfit_error(&self, reason: &'static str) -> TableError {
        let layer = self.layer.layer;
        TableError::Unfit { layer, reason }
    }

    /// Symbol to be stored for a position.
    fn symbol(&self, address: Address, position: G::Position, code: u8) -> Result<u16, TableError> {
        let Address { tier, rank } = address;
        let solver_value = self.value(code);
        match (value_by_rules(self.game, position), solver_value) {
            (Some(rule_value), solver_value) if solver_value != Some(rule_value) => {
                Err(TableError::Contradiction {
                    tier,
                    rank,
                    solver_value,
                    rule_value,
                })
            }
            (Some(_), _) => Ok(ANY_SYMBOL),
            (None, Some(_)) => Ok(self.symbol_of_code[usize::from(code)]),
            (None, None) => Err(self.unfit_error("a position has no value")),
        }
    }
}

impl<G: Ranked> SymbolSource for PositionEncoder<'_, G> {
    fn ranks(&self) -> u64 {
        self.layer.codes.len() as u64
    }

    fn alphabet(&self) -> Alphabet<'_> {
        Alphabet {
            symbols: &self.counts.symbols,
            symbol_layout: SymbolLayout::of(self.layout),
        }
    }

    fn periods(&self) -> Vec<u32> {
        self.game.rank_periods()
    }

    fn required_symbols(&self, ordinals: Range<u64>) -> Result<RequiredSymbols, TableError> {
        let begin = ordinals.start as usize;
        let mut required = RequiredSymbols {
            first: Address { tier: 0, rank: 0 },
            tiers: Vec::new(),
            symbols: vec![ANY_SYMBOL; (ordinals.end - ordinals.start) as usize],
        };
        let mut positions = Vec::new();
        for piece in tier_pieces(TierStarts::of(self.layer), ordinals) {
            if required.tiers.is_empty() {
                required.first = piece.address(piece.rank);
            }
            required.tiers.push((piece.tier, piece.span.start as u64));
            let codes = &self.layer.codes[begin + piece.span.start..begin + piece.span.end];
            let symbols = &mut required.symbols[piece.span.clone()];
            positions.clear();
            let ranks = piece.rank..piece.rank + codes.len() as u64;
            self.game.unrank_range(piece.tier, ranks, &mut positions);
            for &(rank, position) in &positions {
                let i = (rank - piece.rank) as usize;
                symbols[i] = self.symbol(piece.address(rank), position, codes[i])?;
            }
            let values = codes.iter().filter(|&&code| self.value(code).is_some());
            if values.count() != positions.len() {
                return Err(self.unfit_error("a hole has a value"));
            }
        }
        Ok(required)
    }
}

/// Compares a layer's tiers, lengths and codes with the game.
fn check_layer_shape<G: Ranked>(game: &G, layer: &Layer) -> Result<(), TableError> {
    let unfit = |reason| {
        Err(TableError::Unfit {
            layer: layer.layer,
            reason,
        })
    };
    if layer.layer >= game.layers() {
        return unfit("there is no such layer");
    }
    let shape = layer_shape(game, layer.layer)?;
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
        .all(|&value| is_storable(value))
    {
        return unfit("it has a value of more than 65,534 plies");
    }
    Ok(())
}
