//! Symbols of a piece of a layer of positions, and the checks of its values.

use std::ops::Range;

use hindsight_core::{Packed, Ranked, Value};

use super::layer_writer::{RequiredSymbols, SymbolSource};
use super::shape::{LayerPiece, LayerShape};
use crate::address::Address;
use crate::error::TableError;
use crate::layout::Layout;
use crate::symbols::ordinals::value_by_rules;
use crate::symbols::symbol::Symbol;
use crate::symbols::symbol_layout::{ANY_SYMBOL, Alphabet};

/// Symbols of a piece of a layer.
pub(crate) struct PieceSymbols<'a> {
    shape: LayerShape<'a>,
    alphabet: Alphabet<'a>,
    piece: LayerPiece<'a>,
    /// Symbol to be stored for each code. Codes beyond the palette are holes.
    stored: [StoredSymbol; 256],
}

/// Symbol to be stored for a rank, by its code alone.
#[derive(Clone, Copy, PartialEq, Eq)]
enum StoredSymbol {
    /// Any: the rank is a hole, or the rules give its value.
    Any,
    /// The symbol with this index.
    Exact(u16),
    /// [`StoredSymbol::Any`] if the rules give the value of the position, else this one. `None` if
    /// the layer lacks the value.
    UnlessByRules(Option<u16>),
}

impl<'a> PieceSymbols<'a> {
    /// `alphabet` has the symbols of the layer, and `layout` says which symbol a value has.
    pub(crate) fn new(
        shape: LayerShape<'a>,
        alphabet: Alphabet<'a>,
        layout: Layout,
        piece: LayerPiece<'a>,
    ) -> Self {
        let index = |value: Value| {
            let key = Symbol::of(value, layout).sort_key();
            let symbols = alphabet.symbols;
            let found = symbols.binary_search_by_key(&key, |symbol| symbol.sort_key());
            found.ok().map(|i| i as u16)
        };
        let of_value = |value: Value| match (shape.game.is_implied(value), index(value)) {
            (Some(false), _) if value.remoteness() == Some(0) => StoredSymbol::Any,
            (Some(true), _) => StoredSymbol::Any,
            (Some(false), Some(symbol)) => StoredSymbol::Exact(symbol),
            (_, symbol) => StoredSymbol::UnlessByRules(symbol),
        };
        let mut stored = [StoredSymbol::Any; 256];
        for (stored, value) in stored.iter_mut().zip(piece.palette) {
            *stored = value.map_or(StoredSymbol::Any, of_value);
        }
        Self { shape, alphabet, piece, stored }
    }

    /// Puts the symbols of a piece of a tier whose codes alone tell them. Returns false if some
    /// rank needs the rules.
    fn put_by_codes(&self, codes: &[u8], symbols: &mut [u16]) -> bool {
        let mut by_codes = true;
        for (symbol, &code) in symbols.iter_mut().zip(codes) {
            *symbol = match self.stored[usize::from(code)] {
                StoredSymbol::Any => ANY_SYMBOL,
                StoredSymbol::Exact(symbol) => symbol,
                StoredSymbol::UnlessByRules(_) => {
                    by_codes = false;
                    ANY_SYMBOL
                }
            };
        }
        by_codes
    }

    /// Symbol to be stored for a position. Asks the rules if its code alone does not tell it.
    fn symbol(&self, address: Address, position: Packed, code: u8) -> Result<u16, TableError> {
        let Address { tier, rank } = address;
        let shape = &self.shape;
        let solver_value = self.piece.value(code);
        let if_not_by_rules = match (self.stored[usize::from(code)], solver_value) {
            (StoredSymbol::Exact(symbol), _) => return Ok(symbol),
            (StoredSymbol::Any, Some(_)) => return Ok(ANY_SYMBOL),
            (StoredSymbol::UnlessByRules(symbol), _) => symbol,
            (StoredSymbol::Any, None) => None,
        };
        match (value_by_rules(shape.game, position), solver_value) {
            (Some(rule_value), solver_value) if solver_value != Some(rule_value) => {
                Err(TableError::Contradiction { tier, rank, solver_value, rule_value })
            }
            (Some(_), _) => Ok(ANY_SYMBOL),
            (None, Some(_)) => {
                if_not_by_rules.ok_or_else(|| shape.unfit_error("a value was not counted"))
            }
            (None, None) => Err(shape.unfit_error("a position has no value")),
        }
    }
}

impl SymbolSource for PieceSymbols<'_> {
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
            if self.put_by_codes(codes, symbols) {
                continue;
            }
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
