//! Check of a table of states.

use std::ops::Range;
use std::time::Instant;

use hindsight_core::{ForbiddenMove, Ranked};
use hindsight_solve::{Limits, Monitor, Progress};
use rayon::prelude::*;

use super::counts::{StateLayerCounts, count_states_reporting};
use super::decode::{StateFields, StateLayer, decode_states};
use super::recheck::StateRecheck;
use super::state_source::StateSource;
use crate::checksums::checksum_errors;
use crate::error::TableError;
use crate::header_checks::state_header_faults;
use crate::info::TableInfo;
use crate::layout::Layout;
use crate::ordinals::ordinal_runs;
use crate::read_at::ReadAt;
use crate::read_memory::states_check_memory;
use crate::table::Table;
use crate::verdict::{MAX_REPORTED, TableFault, TableVerdict};

/// Checks everything in a table of states, as [`crate::verify()`] does for positions: every byte by
/// its checksum, and the three symbols of every position by the states that its moves lead to.
///
/// The value with nothing forbidden must be the best of all moves. The exception must be the only
/// move that is better than all others, and its value the best of the others. Then every state
/// agrees with its successors: if another move is forbidden, the best one remains. So the argument
/// of [`crate::verify()`] holds for states.
///
/// The check goes layer by layer. A rank of the layer takes three bytes, a rank of its successor
/// layers one.
///
/// # Errors
/// - [`TableError::Memory`] if a layer needs more memory than allowed
///   ([`crate::verify_states_memory`]).
/// - [`TableError::Time`] or [`TableError::Stopped`] if the time limit is exceeded or the monitor
///   stops the check.
/// - [`TableError::OtherContent`] or [`TableError::Io`] if the table does not store states or
///   cannot be read.
///
/// A fault of the table is no error; it is listed in the verdict.
pub fn verify_states<G: ForbiddenMove, R: ReadAt>(
    table: &Table<R>,
    game: &G,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<TableVerdict, TableError> {
    table.info().layout.check_content(Layout::States)?;
    let mut verifier = StateVerifier {
        table,
        game,
        limits,
        begin: Instant::now(),
        monitor,
        verdict: TableVerdict::default(),
    };
    verifier.verdict.faults = state_header_faults(table.info(), game);
    if !verifier.verdict.faults.is_empty() {
        return Ok(verifier.verdict);
    }
    let layers = game.base().layers();
    let mut sound = Vec::new();
    for layer in 0..layers {
        sound.push(verifier.check_layer(layer, &sound)?);
        if verifier.verdict.faults.len() >= MAX_REPORTED {
            break;
        }
    }
    Ok(verifier.verdict)
}

/// Names the fields in a layer's header that differ from the counts.
pub(super) fn header_mismatches<G: ForbiddenMove>(
    game: &G,
    info: &TableInfo,
    states: &impl StateSource,
    counted: &StateLayerCounts,
) -> Vec<String> {
    let layer = states.layer();
    let header = &info.layers[layer as usize];
    let counts = &counted.counts;
    let start = game.rank_state(game.start());
    let start = start.filter(|start| start.0 == states.tier());
    let start = start.and_then(|(_, rank, move_id)| states.state(rank, move_id));
    let name = game.base().layer_name(layer);
    let checks = [
        (header.name == name, "name"),
        (header.tiers == counts.tiers, "number of tiers"),
        (header.first_tier == counts.first_tier, "first tier"),
        (header.histogram == counts.histogram, "histogram"),
        (header.longest_win == counts.longest_win, "longest win"),
        (header.longest_loss == counts.longest_loss, "longest loss"),
        (
            header.states.as_ref() == Some(&counted.histograms),
            "count of states",
        ),
        (header.symbols == counted.symbols, "list of symbols"),
        (
            start.is_none_or(|value| value == info.start.value),
            "value of the start",
        ),
    ];
    let wrong = checks.into_iter().filter(|(right, _)| !right);
    wrong
        .map(|(_, field)| format!("the header has another {field}"))
        .collect()
}

struct StateVerifier<'a, G, R> {
    table: &'a Table<R>,
    game: &'a G,
    limits: Limits,
    begin: Instant,
    monitor: &'a mut dyn Monitor,
    verdict: TableVerdict,
}

impl<G: ForbiddenMove, R: ReadAt> StateVerifier<'_, G, R> {
    /// Checks a layer. Returns true if the layer can be decoded. `sound[i]` is this result for the
    /// earlier layer `i`.
    fn check_layer(&mut self, layer: u32, sound: &[bool]) -> Result<bool, TableError> {
        self.report_progress("checksums")?;
        let damaged = checksum_errors(&self.table.uncached_layer(layer)?)?;
        if !damaged.is_empty() {
            for error in damaged {
                self.verdict
                    .push_fault(Some(layer), None, error.with_causes());
            }
            return Ok(false);
        }
        let needed = states_check_memory(self.table, self.game, layer)?;
        if needed > self.limits.memory {
            return Err(TableError::Memory {
                layer,
                needed,
                limit: self.limits.memory,
            });
        }
        let Some(decoded) = self.decode(layer, StateFields::All)? else {
            return Ok(false);
        };
        let counted = self.count(&decoded)?;
        for fault in header_mismatches(self.game, self.table.info(), &decoded, &counted) {
            self.verdict.push_fault(Some(layer), None, fault);
        }
        let mut successor_layers = Vec::new();
        for successor in self.game.base().layer_successors(layer) {
            if !sound.get(successor as usize).is_some_and(|&sound| sound) {
                // The fault of the successor layer is listed already.
                return Ok(true);
            }
            successor_layers.extend(self.decode(successor, StateFields::ValuesOnly)?);
        }
        self.check_values(&decoded, &successor_layers)?;
        Ok(true)
    }

    /// Decodes a layer. Damage is recorded as a fault.
    fn decode(
        &mut self,
        layer: u32,
        fields: StateFields,
    ) -> Result<Option<StateLayer>, TableError> {
        self.report_progress("decode")?;
        match decode_states(self.game, layer, &self.table.uncached_layer(layer)?, fields) {
            Ok(decoded) => Ok(Some(decoded)),
            Err(error) if error.is_damage() => {
                self.verdict
                    .push_fault(Some(layer), None, error.with_causes());
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Counts the states of a layer, with progress reports.
    fn count(&mut self, layer: &StateLayer) -> Result<StateLayerCounts, TableError> {
        let total = Some(layer.ranks());
        count_states_reporting(self.game, layer, &mut |done| {
            self.send_progress(Progress {
                phase: "counting",
                done,
                total,
            })
        })
    }

    /// Recomputes every state of a layer.
    fn check_values(
        &mut self,
        layer: &StateLayer,
        successor_layers: &[StateLayer],
    ) -> Result<(), TableError> {
        const RUN_RANKS: u64 = 1 << 12;
        const BATCH_RUNS: u64 = 256;
        let game = self.game;
        let recheck = StateRecheck {
            game,
            layer,
            successor_layers,
        };
        let count = layer.ranks().div_ceil(RUN_RANKS);
        let ranks = |i: u64| -> Range<u64> { ordinal_runs(layer.ranks(), RUN_RANKS)(i) };
        for batch in (0..count).step_by(BATCH_RUNS as usize) {
            self.report_progress("values")?;
            let found: Vec<(u64, Vec<TableFault>)> = (batch..count.min(batch + BATCH_RUNS))
                .into_par_iter()
                .map(|i| recheck.run(ranks(i)))
                .collect();
            for (positions, faults) in found {
                self.verdict.positions_checked += positions;
                for fault in faults {
                    self.verdict
                        .push_fault(fault.layer, fault.address, fault.description);
                }
            }
        }
        Ok(())
    }

    fn report_progress(&mut self, phase: &'static str) -> Result<(), TableError> {
        let done = self.verdict.positions_checked;
        let total = Some(self.table.info().ranks());
        self.send_progress(Progress { phase, done, total })
    }

    fn send_progress(&mut self, progress: Progress) -> Result<(), TableError> {
        if !self.monitor.report(progress) {
            return Err(TableError::Stopped);
        }
        let positions = self.verdict.positions_checked;
        match self.limits.time {
            Some(time) if self.begin.elapsed() > time => Err(TableError::Time { positions }),
            _ => Ok(()),
        }
    }
}
