//! A finished layer of states becomes bytes.

use std::ops::Range;

use hindsight_core::{ForbiddenMove, Ranked, Value};

use super::counts::{StateLayerCounts, count_states, move_number, value_key};
use super::{RankClass, StateSource, WIN_IN_ONE, classify_rank};
use crate::TableError;
use crate::checkpoint_layer::{self, LayerIdentity};
use crate::coder::ANY_SYMBOL;
use crate::info::{LayerInfo, PositionValue, Symbol};
use crate::layer_writer::{self, RequiredSymbols, SymbolSource};
use crate::layout::Layout;
use crate::new_file::NewFile;
use crate::ordinals::{is_storable, layer_shape};
use crate::symbol_layout::{Alphabet, SymbolLayout};
use crate::write_memory::WriteMemory;

/// Writes a layer of states to a file, in so many bytes of memory beside the layer, if they are enough.
pub(crate) fn write_states<G: ForbiddenMove>(
    new: NewFile,
    game: &G,
    states: &impl StateSource,
    memory: u64,
) -> Result<(), TableError> {
    let encoder = StateEncoder::new(game, states)?;
    let label = LayerIdentity {
        layer: states.layer(),
        layers: game.base().layers(),
        start: start_value(game, states),
    };
    checkpoint_layer::write_layer_file(new, label, |out| {
        let written = WriteMemory {
            ranks: states.ranks(),
            tiers: 1,
            layout: Layout::States,
            position_bytes: 0,
        };
        let room = written.coder_choice_room(memory, rayon::current_num_threads());
        let written = layer_writer::write_layer(&encoder, room, out)?;
        let StateLayerCounts {
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
fn start_value<G: ForbiddenMove>(game: &G, states: &impl StateSource) -> Option<PositionValue> {
    let (tier, rank, way) = game.rank_state(game.start())?;
    let value = (tier == states.tier()).then(|| states.state(rank, way));
    let value = value.flatten()?;
    Some(PositionValue { tier, rank, value })
}

/// A layer on its way. Symbols are found block by block, so that nothing is as long as the layer.
struct StateEncoder<'a, G, S> {
    game: &'a G,
    states: &'a S,
    counted: StateLayerCounts,
    /// By the keys of values, and by the ordinals of ways.
    value_symbols: Vec<u16>,
    move_symbols: [u16; 128],
}

/// What is asked of the game.
#[derive(Default)]
struct MoveScratch {
    outside: Vec<(u64, u64)>,
    move_ids: Vec<u8>,
}

impl<'a, G: ForbiddenMove, S: StateSource> StateEncoder<'a, G, S> {
    /// Counts the states. Fails where the layer is not one of the game, or has too many symbols.
    fn new(game: &'a G, states: &'a S) -> Result<Self, TableError> {
        check_layer_shape(game, states)?;
        let counted = count_states(game, states);
        if counted.symbols.len() > 256 {
            return Err(TableError::TooManySymbols {
                layer: states.layer(),
                symbols: counted.symbols.len(),
            });
        }
        let kept = counted.symbols.iter().all(|symbol| match *symbol {
            Symbol::Exact(value) => is_storable(value),
            Symbol::Win | Symbol::BestMove(_) => true,
        });
        if !kept {
            return Err(unfit_error(
                states,
                "it has a value of more than 65,534 plies",
            ));
        }
        let (mut value_symbols, mut way_symbols) = (Vec::new(), [ANY_SYMBOL; 128]);
        for (i, symbol) in (0_u16..).zip(&counted.symbols) {
            match *symbol {
                Symbol::Exact(value) => {
                    let key = value_key(value);
                    value_symbols.resize(value_symbols.len().max(key + 1), ANY_SYMBOL);
                    value_symbols[key] = i;
                }
                Symbol::BestMove(way) => way_symbols[usize::from(way)] = i,
                Symbol::Win => {}
            }
        }
        Ok(Self {
            game,
            states,
            counted,
            value_symbols,
            move_symbols: way_symbols,
        })
    }

    /// What must be stored at a rank.
    fn rank_symbols(&self, rank: u64, met: &mut MoveScratch) -> Result<[u16; 3], TableError> {
        let place = (self.states.tier(), rank);
        let Some(value) = self.states.value(rank) else {
            return match self.game.base().unrank(place.0, rank) {
                None => Ok([ANY_SYMBOL; 3]),
                Some(_) => Err(unfit_error(self.states, "a position has no value")),
            };
        };
        // Nothing else is given, so that it need not be asked for.
        if value == WIN_IN_ONE
            && classify_rank(self.game, Layout::States, place, &mut met.outside)
                == RankClass::WinInOne
        {
            return match self.states.exception(rank) {
                None => Ok([ANY_SYMBOL; 3]),
                Some(_) => Err(unfit_error(
                    self.states,
                    "a move that ends the game is forbidden",
                )),
            };
        }
        let symbol = |value: Value| self.value_symbols[value_key(value)];
        let Some((best, without)) = self.states.exception(rank) else {
            return Ok([symbol(value), self.move_symbols[0], ANY_SYMBOL]);
        };
        met.move_ids.clear();
        self.game.forbiddable_ids(place.0, rank, &mut met.move_ids);
        let ordinal = move_number(&met.move_ids, best).filter(|&ordinal| ordinal > 0);
        let reason = "the best way is none of its position";
        let ordinal = ordinal.ok_or_else(|| unfit_error(self.states, reason))?;
        let way = self.move_symbols[usize::from(ordinal)];
        Ok([symbol(value), way, symbol(without)])
    }
}

fn unfit_error(states: &impl StateSource, reason: &'static str) -> TableError {
    let layer = states.layer();
    TableError::Unfit { layer, reason }
}

/// Compares a layer's tier and length with the game's.
fn check_layer_shape<G: ForbiddenMove>(
    game: &G,
    states: &impl StateSource,
) -> Result<(), TableError> {
    if states.layer() >= game.base().layers() {
        return Err(unfit_error(states, "there is no such layer"));
    }
    let shape = layer_shape(game.base(), states.layer())?;
    if shape.tiers != [states.tier()] {
        return Err(unfit_error(
            states,
            "its tiers are others, or more than one",
        ));
    }
    if shape.starts != [0, states.ranks()] {
        return Err(unfit_error(states, "it has too few ranks, or too many"));
    }
    Ok(())
}

impl<G: ForbiddenMove, S: StateSource> SymbolSource for StateEncoder<'_, G, S> {
    fn ranks(&self) -> u64 {
        self.states.ranks()
    }

    fn alphabet(&self) -> Alphabet<'_> {
        Alphabet {
            symbols: &self.counted.symbols,
            symbol_layout: SymbolLayout::of(Layout::States),
        }
    }

    fn periods(&self) -> Vec<u32> {
        self.game.base().rank_periods()
    }

    fn required_symbols(&self, ordinals: Range<u64>) -> Result<RequiredSymbols, TableError> {
        let tier = self.states.tier();
        let first = (tier, ordinals.start);
        let mut symbols = Vec::with_capacity(3 * (ordinals.end - ordinals.start) as usize);
        let mut met = MoveScratch::default();
        for rank in ordinals {
            symbols.extend(self.rank_symbols(rank, &mut met)?);
        }
        Ok(RequiredSymbols {
            first,
            tiers: vec![(tier, 0)],
            symbols,
        })
    }
}
