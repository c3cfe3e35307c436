//! Decoding of a whole layer of states.

use hindsight_core::{ForbiddenMove, PackedGame, States, Value};
use hindsight_engine::Layer;

use super::rank_class::{RankClass, WIN_IN_ONE, classify_rank};
use crate::error::TableError;
use crate::format::layer_file::LayerFile;
use crate::layout::{Layout, MAX_CHANNELS};
use crate::read_at::ReadAt;
use crate::reading::decode::{decode_pieces, layer_shape_in_file};
use crate::symbols::ordinals::{TierPiece, TierStarts};
use crate::symbols::symbol::Symbol;
use hindsight_engine::StateSource;

/// The states of a layer with one tier: three bytes per rank, or one if only the values with
/// nothing forbidden were decoded.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateLayer {
    layer: u32,
    tier: u64,
    symbols: Vec<Symbol>,
    /// Three codes per rank, or only the first. Code 0: index of the value's symbol, or of
    /// `BestMove(0)` for a hole. Code 1: id of the only best forbiddable move, or 0. Code 2: index
    /// of the symbol of the value without that move.
    codes: Vec<u8>,
    width: usize,
}

impl StateLayer {
    /// Number of the layer.
    #[must_use]
    pub fn layer(&self) -> u32 {
        self.layer
    }

    /// The only tier of the layer.
    #[must_use]
    pub fn tier(&self) -> u64 {
        self.tier
    }

    /// Number of ranks, holes included.
    #[must_use]
    pub fn ranks(&self) -> u64 {
        (self.codes.len() / self.width) as u64
    }

    /// Value at a rank with nothing forbidden; `None` for a hole.
    #[must_use]
    pub fn value(&self, rank: u64) -> Option<Value> {
        self.value_of_code(*self.codes_of_rank(rank)?.first()?)
    }

    /// The only best forbiddable move at a rank, and the value without it. `None` if no forbidden
    /// move changes the value.
    #[must_use]
    pub fn exception(&self, rank: u64) -> Option<(u8, Value)> {
        match *self.codes_of_rank(rank)? {
            [_, best, without] if best > 0 => Some((best, self.value_of_code(without)?)),
            _ => None,
        }
    }

    /// Value at a rank with a move forbidden; move id 0 forbids nothing.
    #[must_use]
    pub fn state(&self, rank: u64, move_id: u8) -> Option<Value> {
        StateSource::state(self, rank, move_id)
    }

    /// The values with nothing forbidden. Nothing else may have been decoded.
    pub(super) fn into_values(self) -> Layer {
        debug_assert_eq!(self.width, 1, "a byte a rank");
        let palette = self.symbols.iter().map(|symbol| match symbol {
            Symbol::Exact(value) => Some(*value),
            Symbol::Win | Symbol::LossWithin(_) | Symbol::BestMove(_) => None,
        });
        Layer {
            layer: self.layer,
            tiers: vec![self.tier],
            starts: vec![0, self.codes.len() as u64],
            palette: palette.collect(),
            codes: self.codes,
        }
    }

    fn codes_of_rank(&self, rank: u64) -> Option<&[u8]> {
        let begin = usize::try_from(rank).ok()?.checked_mul(self.width)?;
        self.codes.get(begin..begin + self.width)
    }

    fn value_of_code(&self, code: u8) -> Option<Value> {
        match self.symbols.get(usize::from(code))? {
            Symbol::Exact(value) => Some(*value),
            Symbol::Win | Symbol::LossWithin(_) | Symbol::BestMove(_) => None,
        }
    }
}

impl StateSource for StateLayer {
    fn layer(&self) -> u32 {
        self.layer
    }

    fn tier(&self) -> u64 {
        self.tier
    }

    fn ranks(&self) -> u64 {
        StateLayer::ranks(self)
    }

    fn value(&self, rank: u64) -> Option<Value> {
        StateLayer::value(self, rank)
    }

    fn exception(&self, rank: u64) -> Option<(u8, Value)> {
        StateLayer::exception(self, rank)
    }
}

/// Fields of a rank that are decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StateFields {
    /// All three.
    All,
    /// The value with nothing forbidden.
    ValuesOnly,
}

impl StateFields {
    /// Bytes per rank.
    pub(crate) fn width(self) -> usize {
        match self {
            Self::All => MAX_CHANNELS,
            Self::ValuesOnly => 1,
        }
    }
}

/// Decodes a layer of states or of distances.
pub(crate) fn decode_states<R: ReadAt>(
    game: &PackedGame,
    layer: u32,
    file: &LayerFile<R>,
    fields: StateFields,
) -> Result<StateLayer, TableError> {
    let shape = layer_shape_in_file(game.base(), layer, file)?;
    let [tier] = shape.tiers[..] else {
        let reason = "it has more than one tier";
        return Err(TableError::Unfit { layer, reason });
    };
    let width = fields.width();
    let mut codes = vec![0; shape.starts[1] as usize * width];
    let symbols = file.info.symbols.clone();
    let state_codes = StateCodes::new(file.layout(), &symbols);
    let tier_starts = TierStarts::of(&shape);
    decode_pieces(file, tier_starts, &mut codes, width, |piece, symbols, out| {
        state_codes.decode_piece(game, piece, symbols, out, width)
    })?;
    Ok(StateLayer { layer, tier, symbols, codes, width })
}

/// Codes of ranks that the rules determine; `None` if the layer lacks the symbol.
struct StateCodes<'a> {
    layout: Layout,
    symbols: &'a [Symbol],
    win_in_one: Option<u8>,
    no_exception: Option<u8>,
}

impl<'a> StateCodes<'a> {
    fn new(layout: Layout, symbols: &'a [Symbol]) -> Self {
        let find = |wanted| symbols.iter().position(|&symbol| symbol == wanted);
        Self {
            layout,
            symbols,
            win_in_one: find(Symbol::Exact(WIN_IN_ONE)).map(|code| code as u8),
            no_exception: find(Symbol::BestMove(0)).map(|code| code as u8),
        }
    }

    /// Writes the codes of a piece to `out`, which has `width` bytes per rank.
    fn decode_piece(
        &self,
        game: &PackedGame,
        piece: &TierPiece,
        symbols: &[u8],
        out: &mut [u8],
        width: usize,
    ) -> Result<(), TableError> {
        let (mut scratch, mut move_ids) = (Vec::new(), Vec::new());
        let stored = symbols.chunks(MAX_CHANNELS);
        for ((rank, stored), out) in (piece.rank..).zip(stored).zip(out.chunks_mut(width)) {
            let class = classify_rank(game, self.layout, piece.address(rank), &mut scratch);
            let mut codes = self.rank_codes(class, stored);
            let with_move_id = |codes: &mut [u8; MAX_CHANNELS]| {
                if codes[1] > 0 && width > 1 {
                    move_ids.clear();
                    game.forbiddable_ids(piece.tier, rank, &mut move_ids);
                    codes[1] = *move_ids.get(usize::from(codes[1]) - 1)?;
                }
                Some(*codes)
            };
            let codes = codes.as_mut().and_then(with_move_id).ok_or_else(|| {
                let tier = piece.tier;
                let fault = format!("tier {tier} rank {rank} has a state that its layer lacks");
                TableError::Damaged(fault)
            })?;
            out.copy_from_slice(&codes[..width]);
        }
        Ok(())
    }

    /// Codes of a rank, but with the number of the best move instead of its id. The result does not
    /// depend on symbols that need not be stored.
    fn rank_codes(&self, class: RankClass, stored: &[u8]) -> Option<[u8; MAX_CHANNELS]> {
        let &[value, best, without] = stored else {
            return None;
        };
        match class {
            RankClass::Hole if self.symbols.is_empty() => Some([0; MAX_CHANNELS]),
            RankClass::Hole => Some([self.no_exception?, 0, 0]),
            RankClass::WinInOne => Some([self.win_in_one?, 0, self.win_in_one?]),
            RankClass::Open => {
                let symbol = |code: u8| self.symbols.get(usize::from(code));
                match (symbol(value)?, symbol(best)?, symbol(without)?) {
                    (Symbol::Exact(_), Symbol::BestMove(0), _) => Some([value, 0, value]),
                    (Symbol::Exact(_), &Symbol::BestMove(number), Symbol::Exact(_)) => {
                        Some([value, number, without])
                    }
                    _ => None,
                }
            }
        }
    }
}
