//! Check of a table of states.

use hindsight_core::{PackedGame, States, Tiers};
use hindsight_engine::{Limits, Monitor, Progress};

use super::memory::states_check_memory;
use super::state_recheck::StateRecheck;
use super::verifier::{ExpectedHeader, Verifier};
use crate::error::TableError;
use crate::format::header_checks::state_header_faults;
use crate::read_at::ReadAt;
use crate::reading::table::Table;
use crate::states::counts::count_states_reporting;
use crate::states::decode::{StateFields, StateLayer, decode_states};
use crate::states::encode::start_value;
use crate::verdict::TableVerdict;
use hindsight_engine::StateSource;

/// Recomputes the three symbols of every position from the states that its moves lead to.
///
/// The value with nothing forbidden must be the best of all moves. The exception must be the only
/// move that is better than all others, and its value the best of the others. Then every state
/// agrees with its successors: if another move is forbidden, the best one remains. So the argument
/// of [`Recompute::Successors`](super::Recompute::Successors) holds for states.
///
/// The check goes layer by layer. A rank of the layer takes three bytes, a rank of its successor
/// layers one.
pub(super) fn verify_states<R: ReadAt>(
    table: &Table<R>,
    game: &PackedGame,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<TableVerdict, TableError> {
    let header_faults = state_header_faults(table.info(), game);
    Verifier::run(table, header_faults, limits, monitor, |verifier| {
        verifier.check_layers(|verifier, layer| check_layer(verifier, game, layer))
    })
}

/// Checks a layer. Returns false if it cannot be decoded.
fn check_layer<R: ReadAt>(
    verifier: &mut Verifier<'_, R>,
    game: &PackedGame,
    layer: u32,
) -> Result<bool, TableError> {
    const RUN_RANKS: u64 = 1 << 12;
    verifier.check_memory(layer, states_check_memory(verifier.table, game, layer)?)?;
    let Some(decoded) = decode(verifier, game, layer, StateFields::All)? else {
        return Ok(false);
    };
    compare_state_header(verifier, game, &decoded)?;
    let mut successor_layers = Vec::new();
    for successor in game.base().layer_successors(layer) {
        if verifier.is_damaged(successor) {
            // The fault of the successor layer is listed already.
            return Ok(true);
        }
        successor_layers.extend(decode(verifier, game, successor, StateFields::ValuesOnly)?);
    }
    let recheck = StateRecheck { game, layer: &decoded, successor_layers: &successor_layers };
    verifier.recheck_runs(decoded.ranks(), RUN_RANKS, &|ranks| recheck.run(ranks))?;
    Ok(true)
}

/// Decodes a layer of states or of distances. Damage becomes a fault; `None` then.
pub(super) fn decode<R: ReadAt>(
    verifier: &mut Verifier<'_, R>,
    game: &PackedGame,
    layer: u32,
    fields: StateFields,
) -> Result<Option<StateLayer>, TableError> {
    verifier.decode(layer, |file| decode_states(game, layer, file, fields))
}

/// Compares the header of a layer with the counts of its states, or of its distances.
pub(super) fn compare_state_header<R: ReadAt>(
    verifier: &mut Verifier<'_, R>,
    game: &PackedGame,
    states: &dyn StateSource,
) -> Result<(), TableError> {
    let total = Some(states.ranks());
    let mut report = |done| verifier.send_progress(Progress { phase: "counting", done, total });
    let expected = ExpectedHeader {
        name: game.base().layer_name(states.layer()),
        counts: count_states_reporting(game, states, &mut report)?,
        start: start_value(game, states).map(|start| start.value),
    };
    verifier.compare_header(states.layer(), &expected);
    Ok(())
}
