//! A finished layer of states becomes bytes.

use std::ops::Range;

use hindsight_core::{ForbiddenMove, Ranked, Value};

use super::counts::{Counted, count, key, ordinal};
use super::{AT_ONCE, Given, States, given};
use crate::Error;
use crate::coder::FREE;
use crate::grain::{Alphabet, Grain};
use crate::info::{Example, LayerInfo, Symbol};
use crate::layout::Layout;
use crate::new_file::NewFile;
use crate::segment::{self, Label};
use crate::shape::{can_be_kept, shape};
use crate::stream::{self, Stream, Wanted};
use crate::writing::Written;

/// Writes a layer of states to a file, in so many bytes of memory beside the layer, if they are enough.
pub(crate) fn write<G: ForbiddenMove>(
    new: NewFile,
    game: &G,
    states: &impl States,
    memory: u64,
) -> Result<(), Error> {
    let encoder = Encoder::new(game, states)?;
    let label = Label {
        layer: states.layer(),
        layers: game.base().layers(),
        start: start(game, states),
    };
    segment::write_file(new, label, |out| {
        let written = Written {
            ranks: states.ranks(),
            tiers: 1,
            layout: Layout::States,
            position: 0,
        };
        let room = written.room(memory, rayon::current_num_threads());
        let written = stream::write(&encoder, room, out)?;
        let Counted {
            counts,
            states: counted,
            symbols,
        } = encoder.counted;
        Ok(LayerInfo {
            name: game.base().layer_name(states.layer()),
            tiers: counts.tiers,
            first_tier: counts.first_tier,
            ranks: states.ranks(),
            histogram: counts.histogram,
            longest_win: counts.longest_win,
            longest_loss: counts.longest_loss,
            states: Some(counted),
            symbols,
            block_ranks: written.block_ranks,
            sections: written.sections,
        })
    })
}

/// The start of the game, if the layer has it.
fn start<G: ForbiddenMove>(game: &G, states: &impl States) -> Option<Example> {
    let (tier, rank, way) = game.rank_state(game.start())?;
    let value = (tier == states.tier()).then(|| states.state(rank, way));
    let value = value.flatten()?;
    Some(Example { tier, rank, value })
}

/// A layer on its way. Symbols are found block by block, so that nothing is as long as the layer.
struct Encoder<'a, G, S> {
    game: &'a G,
    states: &'a S,
    counted: Counted,
    /// By the keys of values, and by the ordinals of ways.
    value_symbols: Vec<u16>,
    way_symbols: [u16; 128],
}

/// What is asked of the game.
#[derive(Default)]
struct Met {
    outside: Vec<(u64, u64)>,
    ways: Vec<u8>,
}

impl<'a, G: ForbiddenMove, S: States> Encoder<'a, G, S> {
    /// Counts the states. Fails where the layer is not one of the game, or has too many symbols.
    fn new(game: &'a G, states: &'a S) -> Result<Self, Error> {
        fit(game, states)?;
        let counted = count(game, states);
        if counted.symbols.len() > 256 {
            return Err(Error::TooManySymbols {
                layer: states.layer(),
                symbols: counted.symbols.len(),
            });
        }
        let kept = counted.symbols.iter().all(|symbol| match *symbol {
            Symbol::Exact(value) => can_be_kept(value),
            Symbol::Win | Symbol::Way(_) => true,
        });
        if !kept {
            return Err(unfit(states, "it has a value of more than 65,534 plies"));
        }
        let (mut value_symbols, mut way_symbols) = (Vec::new(), [FREE; 128]);
        for (i, symbol) in (0_u16..).zip(&counted.symbols) {
            match *symbol {
                Symbol::Exact(value) => {
                    let key = key(value);
                    value_symbols.resize(value_symbols.len().max(key + 1), FREE);
                    value_symbols[key] = i;
                }
                Symbol::Way(way) => way_symbols[usize::from(way)] = i,
                Symbol::Win => {}
            }
        }
        Ok(Self {
            game,
            states,
            counted,
            value_symbols,
            way_symbols,
        })
    }

    /// What must be stored at a rank.
    fn rank(&self, rank: u64, met: &mut Met) -> Result<[u16; 3], Error> {
        let place = (self.states.tier(), rank);
        let Some(value) = self.states.value(rank) else {
            return match self.game.base().unrank(place.0, rank) {
                None => Ok([FREE; 3]),
                Some(_) => Err(unfit(self.states, "a position has no value")),
            };
        };
        // Nothing else is given, so that it need not be asked for.
        if value == AT_ONCE
            && given(self.game, Layout::States, place, &mut met.outside) == Given::AtOnce
        {
            return match self.states.exception(rank) {
                None => Ok([FREE; 3]),
                Some(_) => Err(unfit(self.states, "a move that ends the game is forbidden")),
            };
        }
        let symbol = |value: Value| self.value_symbols[key(value)];
        let Some((best, without)) = self.states.exception(rank) else {
            return Ok([symbol(value), self.way_symbols[0], FREE]);
        };
        met.ways.clear();
        self.game.forbidden_ids(place.0, rank, &mut met.ways);
        let ordinal = ordinal(&met.ways, best).filter(|&ordinal| ordinal > 0);
        let reason = "the best way is none of its position";
        let ordinal = ordinal.ok_or_else(|| unfit(self.states, reason))?;
        let way = self.way_symbols[usize::from(ordinal)];
        Ok([symbol(value), way, symbol(without)])
    }
}

fn unfit(states: &impl States, reason: &'static str) -> Error {
    let layer = states.layer();
    Error::Unfit { layer, reason }
}

/// Compares a layer's tier and length with the game's.
fn fit<G: ForbiddenMove>(game: &G, states: &impl States) -> Result<(), Error> {
    if states.layer() >= game.base().layers() {
        return Err(unfit(states, "there is no such layer"));
    }
    let shape = shape(game.base(), states.layer())?;
    if shape.tiers != [states.tier()] {
        return Err(unfit(states, "its tiers are others, or more than one"));
    }
    if shape.starts != [0, states.ranks()] {
        return Err(unfit(states, "it has too few ranks, or too many"));
    }
    Ok(())
}

impl<G: ForbiddenMove, S: States> Stream for Encoder<'_, G, S> {
    fn ranks(&self) -> u64 {
        self.states.ranks()
    }

    fn alphabet(&self) -> Alphabet<'_> {
        Alphabet {
            symbols: &self.counted.symbols,
            grain: Grain::of(Layout::States),
        }
    }

    fn periods(&self) -> Vec<u32> {
        self.game.base().periods()
    }

    fn wanted(&self, ordinals: Range<u64>) -> Result<Wanted, Error> {
        let tier = self.states.tier();
        let first = (tier, ordinals.start);
        let mut symbols = Vec::with_capacity(3 * (ordinals.end - ordinals.start) as usize);
        let mut met = Met::default();
        for rank in ordinals {
            symbols.extend(self.rank(rank, &mut met)?);
        }
        Ok(Wanted {
            first,
            tiers: vec![(tier, 0)],
            symbols,
        })
    }
}
