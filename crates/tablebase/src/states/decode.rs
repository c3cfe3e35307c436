//! The states of a whole layer, back from its bytes.

use hindsight_core::{ForbiddenMove, Value};
use hindsight_solve::Layer;

use super::{RankClass, StateSource, WIN_IN_ONE, classify_rank};
use crate::TableError;
use crate::decode::{decode_pieces, layer_shape_in_file};
use crate::info::Symbol;
use crate::layer_file::LayerFile;
use crate::layout::{Layout, MAX_CHANNELS};
use crate::ordinals::TierPiece;
use crate::read_at::ReadAt;

/// The states of a layer that has one tier: three bytes a rank, or one for the values with nothing
/// forbidden alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StateLayer {
    layer: u32,
    tier: u64,
    symbols: Vec<Symbol>,
    /// Of each rank: the index of the value's symbol, or of no way where there is no position; the best way,
    /// 0 if forbidding one changes nothing; the index of the value without it.
    codes: Vec<u8>,
    width: usize,
}

impl StateLayer {
    /// Which layer it is.
    #[must_use]
    pub fn layer(&self) -> u32 {
        self.layer
    }

    /// Its only tier.
    #[must_use]
    pub fn tier(&self) -> u64 {
        self.tier
    }

    /// How many ranks there are, holes included.
    #[must_use]
    pub fn ranks(&self) -> u64 {
        (self.codes.len() / self.width) as u64
    }

    /// The value at a rank with nothing forbidden; `None` for a hole.
    #[must_use]
    pub fn value(&self, rank: u64) -> Option<Value> {
        self.value_of_code(*self.codes_of_rank(rank)?.first()?)
    }

    /// The only best way at a rank and the value without it, where that differs.
    #[must_use]
    pub fn exception(&self, rank: u64) -> Option<(u8, Value)> {
        match *self.codes_of_rank(rank)? {
            [_, way, without] if way > 0 => Some((way, self.value_of_code(without)?)),
            _ => None,
        }
    }

    /// The value at a rank when a way is forbidden (0: nothing).
    #[must_use]
    pub fn state(&self, rank: u64, way: u8) -> Option<Value> {
        StateSource::state(self, rank, way)
    }

    /// The values with nothing forbidden, if nothing else was decoded.
    pub(crate) fn into_values(self) -> Layer {
        debug_assert_eq!(self.width, 1, "a byte a rank");
        let palette = self.symbols.iter().map(|symbol| match symbol {
            Symbol::Exact(value) => Some(*value),
            Symbol::Win | Symbol::BestMove(_) => None,
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
            Symbol::Win | Symbol::BestMove(_) => None,
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

/// What of the states of a layer is decoded.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum StateFields {
    /// All.
    All,
    /// The values with nothing forbidden.
    ValuesOnly,
}

impl StateFields {
    /// Bytes of a rank.
    pub(crate) fn width(self) -> usize {
        match self {
            Self::All => MAX_CHANNELS,
            Self::ValuesOnly => 1,
        }
    }
}

/// Decodes a layer of states or of distances.
pub(crate) fn decode_states<G: ForbiddenMove, R: ReadAt>(
    game: &G,
    layer: u32,
    file: &LayerFile<R>,
    part: StateFields,
) -> Result<StateLayer, TableError> {
    let shape = layer_shape_in_file(game.base(), layer, file)?;
    let [tier] = shape.tiers[..] else {
        let reason = "it has more than one tier";
        return Err(TableError::Unfit { layer, reason });
    };
    let width = part.width();
    let mut codes = vec![0; shape.starts[1] as usize * width];
    let symbols = file.info.symbols.clone();
    let codes_of = StateCodes::new(file.layout(), &symbols);
    let tiers = (shape.tiers.as_slice(), shape.starts.as_slice());
    decode_pieces(file, tiers, (&mut codes, width), |piece, symbols, out| {
        codes_of.decode_piece(game, piece, symbols, (out, width))
    })?;
    Ok(StateLayer {
        layer,
        tier,
        symbols,
        codes: codes,
        width,
    })
}

/// The codes of what the rules give, `None` where the layer lacks them.
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

    /// The codes of places where these symbols are stored.
    fn decode_piece<G: ForbiddenMove>(
        &self,
        game: &G,
        piece: &TierPiece,
        symbols: &[u8],
        (out, width): (&mut [u8], usize),
    ) -> Result<(), TableError> {
        let (mut outside, mut ways) = (Vec::new(), Vec::new());
        let stored = symbols.chunks(MAX_CHANNELS);
        for ((rank, stored), out) in (piece.rank..).zip(stored).zip(out.chunks_mut(width)) {
            let given = classify_rank(game, self.layout, (piece.tier, rank), &mut outside);
            let mut codes = self.rank_codes(given, stored);
            let way = |codes: &mut [u8; MAX_CHANNELS]| {
                if codes[1] > 0 && width > 1 {
                    ways.clear();
                    game.forbiddable_ids(piece.tier, rank, &mut ways);
                    codes[1] = *ways.get(usize::from(codes[1]) - 1)?;
                }
                Some(*codes)
            };
            let codes = codes.as_mut().and_then(way).ok_or_else(|| {
                let tier = piece.tier;
                let what = format!("tier {tier} rank {rank} has a state that its layer lacks");
                TableError::Damaged(what)
            })?;
            out.copy_from_slice(&codes[..width]);
        }
        Ok(())
    }

    /// The codes of a rank, the same whatever stands where any symbol may, with which of the ways is best in
    /// the place of its number.
    fn rank_codes(&self, given: RankClass, stored: &[u8]) -> Option<[u8; MAX_CHANNELS]> {
        let &[value, way, without] = stored else {
            return None;
        };
        match given {
            RankClass::Hole if self.symbols.is_empty() => Some([0; MAX_CHANNELS]),
            RankClass::Hole => Some([self.no_exception?, 0, 0]),
            RankClass::WinInOne => Some([self.win_in_one?, 0, self.win_in_one?]),
            RankClass::Open => {
                let symbol = |code: u8| self.symbols.get(usize::from(code));
                match (symbol(value)?, symbol(way)?, symbol(without)?) {
                    (Symbol::Exact(_), Symbol::BestMove(0), _) => Some([value, 0, value]),
                    (Symbol::Exact(_), &Symbol::BestMove(way), Symbol::Exact(_)) => {
                        Some([value, way, without])
                    }
                    _ => None,
                }
            }
        }
    }
}
