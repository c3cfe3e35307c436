//! Encoding of a finished layer of states.

use std::io::Write;
use std::ops::Range;

use hindsight_core::{ForbiddenMove, Game, PackedGame, Ranked, States, Tiers, Value};

use super::counts::{count_states, move_number, value_key};
use super::rank_class::{RankClass, WIN_IN_ONE, classify_rank};
use crate::address::Address;
use crate::checkpoint::checkpoint_layer::{self, LayerIdentity};
use crate::error::TableError;
use crate::format::info::PositionValue;
use crate::layout::Layout;
use crate::symbols::ordinals::layer_shape;
use crate::symbols::symbol::{Symbol, is_storable};
use crate::symbols::symbol_layout::{ANY_SYMBOL, Alphabet, SymbolLayout};
use crate::writing::layer_counts::LayerCounts;
use crate::writing::layer_writer::{self, RequiredSymbols, SymbolSource};
use crate::writing::memory::WriteMemory;
use hindsight_engine::StateSource;

/// Writes a layer of states to a file. Takes `memory` bytes besides the layer, or the minimum if
/// that is more.
pub(super) fn write_states(
    out: &mut dyn Write,
    game: &PackedGame,
    states: &dyn StateSource,
    memory: u64,
) -> Result<(), TableError> {
    let encoder = StateEncoder::new(game, states)?;
    let identity = LayerIdentity {
        layer: states.layer(),
        layers: game.base().layers(),
        start: start_value(game, states),
    };
    checkpoint_layer::write_layer_file(out, identity, |out| {
        let needed = WriteMemory {
            ranks: states.ranks(),
            tiers: 1,
            layout: Layout::States,
            position_bytes: 0,
        };
        let room = needed.coder_choice_room(memory, rayon::current_num_threads());
        let written = layer_writer::write_layer(&encoder, room, out)?;
        let name = game.base().layer_name(states.layer());
        Ok(encoder.counts.into_info(name, states.ranks(), written))
    })
}

/// Start of the game, if it belongs to the layer.
pub(crate) fn start_value(game: &PackedGame, states: &dyn StateSource) -> Option<PositionValue> {
    let (tier, rank, move_id) = game.rank_state(game.start())?;
    let value = (tier == states.tier()).then(|| states.state(rank, move_id));
    let value = value.flatten()?;
    Some(PositionValue { tier, rank, value })
}

/// A layer to be written. Symbols are computed block by block, so no buffer is as long as the
/// layer.
struct StateEncoder<'a> {
    game: &'a PackedGame,
    states: &'a dyn StateSource,
    counts: LayerCounts,
    /// Index of the symbol of each value, by [`value_key`].
    value_symbols: Vec<u16>,
    /// Index of the symbol of each move number.
    move_symbols: [u16; 128],
}

/// Buffers for queries to the game.
#[derive(Default)]
struct MoveScratch {
    outside: Vec<(u64, u64)>,
    move_ids: Vec<u8>,
}

impl<'a> StateEncoder<'a> {
    /// Counts the states. Fails if the layer does not belong to the game, or has too many symbols.
    fn new(game: &'a PackedGame, states: &'a dyn StateSource) -> Result<Self, TableError> {
        check_layer_shape(game, states)?;
        let counts = count_states(game, states);
        if counts.symbols.len() > 256 {
            return Err(TableError::TooManySymbols {
                layer: states.layer(),
                symbols: counts.symbols.len(),
            });
        }
        let are_storable = counts.symbols.iter().all(|symbol| match *symbol {
            Symbol::Exact(value) => is_storable(value),
            Symbol::Win | Symbol::LossWithin(_) | Symbol::BestMove(_) => true,
        });
        if !are_storable {
            return Err(unfit_error(states, "it has a value of more than 65,534 plies"));
        }
        let (mut value_symbols, mut move_symbols) = (Vec::new(), [ANY_SYMBOL; 128]);
        for (i, symbol) in (0_u16..).zip(&counts.symbols) {
            match *symbol {
                Symbol::Exact(value) => {
                    let key = value_key(value);
                    value_symbols.resize(value_symbols.len().max(key + 1), ANY_SYMBOL);
                    value_symbols[key] = i;
                }
                Symbol::BestMove(number) => move_symbols[usize::from(number)] = i,
                Symbol::Win | Symbol::LossWithin(_) => {}
            }
        }
        Ok(Self { game, states, counts, value_symbols, move_symbols })
    }

    /// Symbols to be stored at a rank.
    fn rank_symbols(&self, rank: u64, scratch: &mut MoveScratch) -> Result<[u16; 3], TableError> {
        let tier = self.states.tier();
        let Some(value) = self.states.value(rank) else {
            return match self.game.base().unrank(tier, rank) {
                None => Ok([ANY_SYMBOL; 3]),
                Some(_) => Err(unfit_error(self.states, "a position has no value")),
            };
        };
        // The rules determine no value but a win in one, so other values need no classification.
        if value == WIN_IN_ONE
            && RankClass::WinInOne
                == classify_rank(
                    self.game,
                    Layout::States,
                    Address { tier, rank },
                    &mut scratch.outside,
                )
        {
            return match self.states.exception(rank) {
                None => Ok([ANY_SYMBOL; 3]),
                Some(_) => Err(unfit_error(self.states, "a move that ends the game is forbidden")),
            };
        }
        let symbol = |value: Value| self.value_symbols[value_key(value)];
        let Some((best, without)) = self.states.exception(rank) else {
            return Ok([symbol(value), self.move_symbols[0], ANY_SYMBOL]);
        };
        scratch.move_ids.clear();
        self.game.forbiddable_ids(tier, rank, &mut scratch.move_ids);
        let number = move_number(&scratch.move_ids, best).filter(|&number| number > 0);
        let reason = "the only best move is not one that can be forbidden there";
        let number = number.ok_or_else(|| unfit_error(self.states, reason))?;
        let best = self.move_symbols[usize::from(number)];
        Ok([symbol(value), best, symbol(without)])
    }
}

fn unfit_error(states: &dyn StateSource, reason: &'static str) -> TableError {
    let layer = states.layer();
    TableError::Unfit { layer, reason }
}

/// Compares a layer's tier and length with the game's.
fn check_layer_shape(game: &PackedGame, states: &dyn StateSource) -> Result<(), TableError> {
    if states.layer() >= game.base().layers() {
        return Err(unfit_error(states, "there is no such layer"));
    }
    let shape = layer_shape(game.base(), states.layer())?;
    if shape.tiers != [states.tier()] {
        return Err(unfit_error(states, "its tiers are others, or more than one"));
    }
    if shape.starts != [0, states.ranks()] {
        return Err(unfit_error(states, "it has too few ranks, or too many"));
    }
    Ok(())
}

impl SymbolSource for StateEncoder<'_> {
    fn ranks(&self) -> u64 {
        self.states.ranks()
    }

    fn alphabet(&self) -> Alphabet<'_> {
        Alphabet { symbols: &self.counts.symbols, symbol_layout: SymbolLayout::of(Layout::States) }
    }

    fn periods(&self) -> Vec<u32> {
        self.game.base().rank_periods()
    }

    fn required_symbols(&self, ordinals: Range<u64>) -> Result<RequiredSymbols, TableError> {
        let tier = self.states.tier();
        let first = Address { tier, rank: ordinals.start };
        let mut symbols = Vec::with_capacity(3 * (ordinals.end - ordinals.start) as usize);
        let mut scratch = MoveScratch::default();
        for rank in ordinals {
            symbols.extend(self.rank_symbols(rank, &mut scratch)?);
        }
        Ok(RequiredSymbols { first, tiers: vec![(tier, 0)], symbols })
    }
}
