//! Symbols: the values and move numbers that a layer stores, and their bytes.

use hindsight_core::{Value, Wdl};
use hindsight_engine::Histogram;

use crate::error::TableError;
use crate::layout::Layout;
use hindsight_engine::checkpoint::bytes::{Cursor, put_varint};

/// The longest remoteness in a table, in plies. One ply more still fits a [`Value`], so a probe can
/// step back from any stored value.
pub(super) const MAX_PLIES: u16 = u16::MAX - 1;

/// One entry of a layer's list of symbols. A rank stores indices into this list.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Symbol {
    /// An exact value.
    Exact(Value),
    /// A win whose remoteness follows from the successors.
    Win,
    /// A loss in this number of plies, a multiple of four, or in two plies fewer.
    LossWithin(u16),
    /// Number of the only best move that can be forbidden, counted from 1 in the order of
    /// [`hindsight_core::ForbiddenMove::forbiddable_ids`]; 0 if no single forbidden move changes
    /// the value.
    BestMove(u8),
}

impl Symbol {
    /// Returns the symbol that a table of positions stores for a value.
    pub(crate) fn of(value: Value, layout: Layout) -> Self {
        match (value, layout) {
            (Value::Win(_), Layout::Compact | Layout::Wdl) => Self::Win,
            (Value::Loss(plies), Layout::Wdl) => Self::rounded_loss(plies),
            _ => Self::Exact(value),
        }
    }

    /// Even plies are rounded up to a multiple of four. Odd ones occur in few games.
    fn rounded_loss(plies: u16) -> Self {
        let within = plies.checked_next_multiple_of(4);
        match within.filter(|&within| plies > 0 && plies.is_multiple_of(2) && within <= MAX_PLIES) {
            Some(within) => Self::LossWithin(within),
            None => Self::Exact(Value::Loss(plies)),
        }
    }

    /// Sort key of a layer's symbols: by remoteness, at equal remoteness loss before win; then
    /// draws, wins of unknown length, move numbers.
    pub(crate) fn sort_key(self) -> (u32, Wdl) {
        match self {
            Self::Exact(value) => (value.remoteness().map_or(1 << 16, u32::from), value.wdl()),
            Self::Win => (1 << 16, Wdl::Win),
            Self::LossWithin(plies) => (plies.into(), Wdl::Loss),
            Self::BestMove(number) => ((1 << 17) + u32::from(number), Wdl::Loss),
        }
    }
}

/// Returns the symbols that a table of positions stores for the values of a histogram, sorted.
pub(crate) fn symbols_of(histogram: &Histogram, layout: Layout) -> Vec<Symbol> {
    let rows = histogram.rows();
    let symbols = rows.iter().map(|&(value, _)| Symbol::of(value, layout));
    let mut symbols: Vec<Symbol> = symbols.collect();
    symbols.sort_by_key(|symbol| symbol.sort_key());
    symbols.dedup();
    symbols
}

/// Returns true if a value is short enough to be stored.
pub(crate) fn is_storable(value: Value) -> bool {
    value.remoteness().is_none_or(|plies| plies <= MAX_PLIES)
}

/// Appends a symbol: a byte for its kind, then its plies or move number.
pub(crate) fn put_symbol(out: &mut Vec<u8>, symbol: Symbol) {
    let (kind, number) = match symbol {
        Symbol::Exact(Value::Loss(n)) => (0, n),
        Symbol::Exact(Value::Draw) => (1, 0),
        Symbol::Exact(Value::Win(n)) => (2, n),
        Symbol::Win => (3, 0),
        Symbol::BestMove(number) => (4, u16::from(number)),
        Symbol::LossWithin(n) => (5, n),
    };
    out.push(kind);
    put_varint(out, u64::from(number));
}

/// Reads the bytes of [`put_symbol`].
pub(crate) fn take_symbol(cursor: &mut Cursor<'_>) -> Result<Symbol, TableError> {
    let kind = cursor.byte()?;
    let number = u16::try_from(cursor.varint()?)
        .ok()
        .filter(|&number| number <= MAX_PLIES)
        .ok_or_else(|| cursor.fail("a value of more than 65,534 plies"))?;
    match (kind, number) {
        (0, n) => Ok(Symbol::Exact(Value::Loss(n))),
        (1, 0) => Ok(Symbol::Exact(Value::Draw)),
        (2, n) => Ok(Symbol::Exact(Value::Win(n))),
        (3, 0) => Ok(Symbol::Win),
        (4, number @ 0..=127) => Ok(Symbol::BestMove(number as u8)),
        (5, n) if n > 0 && n.is_multiple_of(4) => Ok(Symbol::LossWithin(n)),
        _ => Err(cursor.fail("an unknown value").into()),
    }
}

/// Reads a symbol that must be an exact value.
pub(crate) fn take_value(cursor: &mut Cursor<'_>) -> Result<Value, TableError> {
    match take_symbol(cursor)? {
        Symbol::Exact(value) => Ok(value),
        Symbol::Win | Symbol::LossWithin(_) | Symbol::BestMove(_) => {
            Err(cursor.fail("a value without plies").into())
        }
    }
}
