//! Symbols of a piece of a layer of positions, and the checks of its values.

use std::ops::Range;

use hindsight_core::{Ranked, Value};

use super::shape::{LayerPiece, LayerShape};
use crate::address::Address;
use crate::error::TableError;
use crate::layer_writer::{RequiredSymbols, SymbolSource};
use crate::layout::Layout;
use crate::ordinals::value_by_rules;
use crate::symbol::Symbol;
use crate::symbol_layout::{ANY_SYMBOL, Alphabet};

/// Symbols of a piece of a layer.
pub(super) struct PieceSymbols<'a, G> {
    shape: LayerShape<'a, G>,
    alphabet: Alphabet<'a>,
    piece: LayerPiece<'a>,
    /// Index of the symbol of each code. [`ANY_SYMBOL`] for holes, and for values that the layer
    /// lacks.
    symbol_of_code: Vec<u16>,
}

impl<'a, G: Ranked> PieceSymbols<'a, G> {
    /// `alphabet` has the symbols of the layer, and `layout` says which symbol a value has.
    pub(super) fn new(
        shape: LayerShape<'a, G>,
        alphabet: Alphabet<'a>,
        layout: Layout,
        piece: LayerPiece<'a>,
    ) -> Self {
        let index = |value: &Option<Value>| {
            let key = Symbol::of((*value)?, layout).sort_key();
            let symbols = alphabet.symbols;
            let found = symbols.binary_search_by_key(&key, |symbol| symbol.sort_key());
            found.ok().map(|i| i as u16)
        };
        let of_code = piece.palette.iter();
        let of_code = of_code.map(|value| index(value).unwrap_or(ANY_SYMBOL));
        Self {
            shape,
            alphabet,
            piece,
            symbol_of_code: of_code.collect(),
        }
    }

    /// Symbol to be stored for a position.
    fn symbol(&self, address: Address, position: G::Position, code: u8) -> Result<u16, TableError> {
        let Address { tier, rank } = address;
        let shape = &self.shape;
        let solver_value = self.piece.value(code);
        match (value_by_rules(shape.game, position), solver_value) {
            (Some(rule_value), solver_value) if solver_value != Some(rule_value) => {
                Err(TableError::Contradiction {
                    tier,
                    rank,
                    solver_value,
                    rule_value,
                })
            }
            (Some(_), _) => Ok(ANY_SYMBOL),
            (None, Some(_)) => match self.symbol_of_code[usize::from(code)] {
                ANY_SYMBOL => Err(shape.unfit_error("a value was not counted")),
                symbol => Ok(symbol),
            },
            (None, None) => Err(shape.unfit_error("a position has no value")),
        }
    }
}

impl<G: Ranked> SymbolSource for PieceSymbols<'_, G> {
    fn ranks(&self) -> u64 {
        self.shape.ranks()
    }

    fn alphabet(&self) -> Alphabet<'_> {
        self.alphabet
    }

    fn periods(&self) -> Vec<u32> {
        self.shape.game.rank_periods()
    }

    fn required_symbols(&self, ordinals: Range<u64>) -> Result<RequiredSymbols, TableError> {
        let shape = &self.shape;
        let block = self.piece.part(ordinals.clone());
        let mut required = RequiredSymbols {
            first: Address { tier: 0, rank: 0 },
            tiers: Vec::new(),
            symbols: vec![ANY_SYMBOL; block.codes.len()],
        };
        let mut positions = Vec::new();
        for piece in shape.tier_pieces(ordinals) {
            if required.tiers.is_empty() {
                required.first = piece.address(piece.rank);
            }
            required.tiers.push((piece.tier, piece.span.start as u64));
            let codes = &block.codes[piece.span.clone()];
            let symbols = &mut required.symbols[piece.span.clone()];
            positions.clear();
            let ranks = piece.rank..piece.rank + codes.len() as u64;
            shape.game.unrank_range(piece.tier, ranks, &mut positions);
            for &(rank, position) in &positions {
                let i = (rank - piece.rank) as usize;
                symbols[i] = self.symbol(piece.address(rank), position, codes[i])?;
            }
            let values = codes.iter().filter(|&&code| block.value(code).is_some());
            if values.count() != positions.len() {
                return Err(shape.unfit_error("a hole has a value"));
            }
        }
        Ok(required)
    }
}
