//! The states of a whole layer, back from its bytes.

use hindsight_core::{ForbiddenMove, Value};
use hindsight_solve::Layer;

use super::{AT_ONCE, Given, States, given};
use crate::Error;
use crate::decode::{each_piece, shape_in_file};
use crate::info::Symbol;
use crate::layer_file::LayerFile;
use crate::layout::{Layout, MOST_PLANES};
use crate::read::ReadAt;
use crate::shape::Piece;

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
        self.meaning(*self.codes_at(rank)?.first()?)
    }

    /// The only best way at a rank and the value without it, where that differs.
    #[must_use]
    pub fn exception(&self, rank: u64) -> Option<(u8, Value)> {
        match *self.codes_at(rank)? {
            [_, way, without] if way > 0 => Some((way, self.meaning(without)?)),
            _ => None,
        }
    }

    /// The value at a rank when a way is forbidden (0: nothing).
    #[must_use]
    pub fn state(&self, rank: u64, way: u8) -> Option<Value> {
        States::state(self, rank, way)
    }

    /// The values with nothing forbidden, if nothing else was decoded.
    pub(crate) fn into_values(self) -> Layer {
        debug_assert_eq!(self.width, 1, "a byte a rank");
        let palette = self.symbols.iter().map(|symbol| match symbol {
            Symbol::Exact(value) => Some(*value),
            Symbol::Win | Symbol::Way(_) => None,
        });
        Layer {
            layer: self.layer,
            tiers: vec![self.tier],
            starts: vec![0, self.codes.len() as u64],
            palette: palette.collect(),
            codes: self.codes,
        }
    }

    fn codes_at(&self, rank: u64) -> Option<&[u8]> {
        let begin = usize::try_from(rank).ok()?.checked_mul(self.width)?;
        self.codes.get(begin..begin + self.width)
    }

    fn meaning(&self, code: u8) -> Option<Value> {
        match self.symbols.get(usize::from(code))? {
            Symbol::Exact(value) => Some(*value),
            Symbol::Win | Symbol::Way(_) => None,
        }
    }
}

impl States for StateLayer {
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
pub(crate) enum Part {
    /// All.
    States,
    /// The values with nothing forbidden.
    Plain,
}

impl Part {
    /// Bytes of a rank.
    pub(crate) fn width(self) -> usize {
        match self {
            Self::States => MOST_PLANES,
            Self::Plain => 1,
        }
    }
}

/// Decodes a layer of states or of distances.
pub(crate) fn decode<G: ForbiddenMove, R: ReadAt>(
    game: &G,
    layer: u32,
    file: &LayerFile<R>,
    part: Part,
) -> Result<StateLayer, Error> {
    let shape = shape_in_file(game.base(), layer, file)?;
    let [tier] = shape.tiers[..] else {
        let reason = "it has more than one tier";
        return Err(Error::Unfit { layer, reason });
    };
    let width = part.width();
    let mut codes = vec![0; shape.starts[1] as usize * width];
    let symbols = file.info.symbols.clone();
    let codes_of = Codes::new(file.layout(), &symbols);
    let tiers = (shape.tiers.as_slice(), shape.starts.as_slice());
    each_piece(file, tiers, (&mut codes, width), |piece, symbols, out| {
        codes_of.of_piece(game, piece, symbols, (out, width))
    })?;
    Ok(StateLayer {
        layer,
        tier,
        symbols,
        codes,
        width,
    })
}

/// The codes of what the rules give, `None` where the layer lacks them.
struct Codes<'a> {
    layout: Layout,
    symbols: &'a [Symbol],
    at_once: Option<u8>,
    no_way: Option<u8>,
}

impl<'a> Codes<'a> {
    fn new(layout: Layout, symbols: &'a [Symbol]) -> Self {
        let find = |wanted| symbols.iter().position(|&symbol| symbol == wanted);
        Self {
            layout,
            symbols,
            at_once: find(Symbol::Exact(AT_ONCE)).map(|code| code as u8),
            no_way: find(Symbol::Way(0)).map(|code| code as u8),
        }
    }

    /// The codes of places where these symbols are stored.
    fn of_piece<G: ForbiddenMove>(
        &self,
        game: &G,
        piece: &Piece,
        symbols: &[u8],
        (out, width): (&mut [u8], usize),
    ) -> Result<(), Error> {
        let (mut outside, mut ways) = (Vec::new(), Vec::new());
        let stored = symbols.chunks(MOST_PLANES);
        for ((rank, stored), out) in (piece.rank..).zip(stored).zip(out.chunks_mut(width)) {
            let given = given(game, self.layout, (piece.tier, rank), &mut outside);
            let mut codes = self.codes(given, stored);
            let way = |codes: &mut [u8; MOST_PLANES]| {
                if codes[1] > 0 && width > 1 {
                    ways.clear();
                    game.forbidden_ids(piece.tier, rank, &mut ways);
                    codes[1] = *ways.get(usize::from(codes[1]) - 1)?;
                }
                Some(*codes)
            };
            let codes = codes.as_mut().and_then(way).ok_or_else(|| {
                let tier = piece.tier;
                let what = format!("tier {tier} rank {rank} has a state that its layer lacks");
                Error::Damaged(what)
            })?;
            out.copy_from_slice(&codes[..width]);
        }
        Ok(())
    }

    /// The codes of a rank, the same whatever stands where any symbol may, with which of the ways is best in
    /// the place of its number.
    fn codes(&self, given: Given, stored: &[u8]) -> Option<[u8; MOST_PLANES]> {
        let &[value, way, without] = stored else {
            return None;
        };
        match given {
            Given::Hole if self.symbols.is_empty() => Some([0; MOST_PLANES]),
            Given::Hole => Some([self.no_way?, 0, 0]),
            Given::AtOnce => Some([self.at_once?, 0, self.at_once?]),
            Given::Open => {
                let symbol = |code: u8| self.symbols.get(usize::from(code));
                match (symbol(value)?, symbol(way)?, symbol(without)?) {
                    (Symbol::Exact(_), Symbol::Way(0), _) => Some([value, 0, value]),
                    (Symbol::Exact(_), &Symbol::Way(way), Symbol::Exact(_)) => {
                        Some([value, way, without])
                    }
                    _ => None,
                }
            }
        }
    }
}
