use std::ops::Range;
use std::time::Instant;

use hindsight_core::{ForbiddenMove, Ranked};
use hindsight_solve::{Limits, Monitor, Progress};
use rayon::prelude::*;

use super::StateSource;
use super::counts::{StateLayerCounts, count_states_reporting};
use super::decode::{StateFields, StateLayer, decode_states};
use super::recheck::StateRecheck;
use crate::checksums::checksum_errors;
use crate::header_checks::state_header_faults;
use crate::info::TableInfo;
use crate::layout::Layout;
use crate::ordinals::ordinal_runs;
use crate::read_at::ReadAt;
use crate::read_memory;
use crate::verify::{MAX_REPORTED, TableFault, TableVerdict};
use crate::{Table, TableError};

/// Checks everything in a table of states, as [`crate::verify()`] does for positions: every byte by its
/// checksum, and the three symbols of every position by the states that its moves lead to.
///
/// The value with nothing forbidden must be the best of all moves; the best way must be the only one that is
/// better than all others, and the value without it the best of the others. Then every state agrees with
/// its successors: one that forbids another way still has a best move. So the argument of
/// [`crate::verify()`] holds for states.
///
/// Goes layer by layer, with three bytes a rank of the layer in memory, and one of those it leads to.
///
/// # Errors
/// When a layer needs more memory than allowed ([`crate::states_memory_needed`]), the time is over, the monitor
/// stops the work, or the table keeps no states or cannot be read. What is wrong with the table is no
/// error, but a [`Fault`].
pub fn verify_states<G: ForbiddenMove, R: ReadAt>(
    table: &Table<R>,
    game: &G,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<TableVerdict, TableError> {
    table.info().layout.check_content(Layout::States)?;
    let mut check = StateVerifier {
        table,
        game,
        limits,
        begin: Instant::now(),
        monitor,
        verdict: TableVerdict::default(),
    };
    check.verdict.faults = state_header_faults(table.info(), game);
    if !check.verdict.faults.is_empty() {
        return Ok(check.verdict);
    }
    let layers = game.base().layers();
    let mut sound = Vec::new();
    for layer in 0..layers {
        sound.push(check.check_layer(layer, &sound)?);
        if check.verdict.faults.len() >= MAX_REPORTED {
            break;
        }
    }
    Ok(check.verdict)
}

/// What the header says wrongly of a layer.
pub(super) fn header_mismatches<G: ForbiddenMove>(
    game: &G,
    info: &TableInfo,
    (states, counted): (&impl StateSource, &StateLayerCounts),
) -> Vec<String> {
    let layer = states.layer();
    let said = &info.layers[layer as usize];
    let counts = &counted.counts;
    let start = game.rank_state(game.start());
    let start = start.filter(|start| start.0 == states.tier());
    let start = start.and_then(|(_, rank, way)| states.state(rank, way));
    let name = game.base().layer_name(layer);
    let checks = [
        (said.name == name, "name"),
        (said.tiers == counts.tiers, "number of tiers"),
        (said.first_tier == counts.first_tier, "first tier"),
        (said.histogram == counts.histogram, "histogram"),
        (said.longest_win == counts.longest_win, "longest win"),
        (said.longest_loss == counts.longest_loss, "longest loss"),
        (
            said.states.as_ref() == Some(&counted.states),
            "count of states",
        ),
        (said.symbols == counted.symbols, "list of symbols"),
        (
            start.is_none_or(|value| value == info.start.value),
            "value of the start",
        ),
    ];
    let wrong = checks.into_iter().filter(|(right, _)| !right);
    let told = wrong.map(|(_, what)| format!("the header has another {what}"));
    told.collect()
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
    /// Checks a layer; whether it can be decoded. `sound` says so of the layers before it.
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
        let needed = read_memory::states_check_memory(self.table, self.game, layer)?;
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
        for what in header_mismatches(self.game, self.table.info(), (&decoded, &counted)) {
            self.verdict.push_fault(Some(layer), None, what);
        }
        let mut next = Vec::new();
        for before in self.game.base().layer_successors(layer) {
            if !sound.get(before as usize).is_some_and(|&sound| sound) {
                // It was told of that layer; this one cannot be recomputed.
                return Ok(true);
            }
            next.extend(self.decode(before, StateFields::ValuesOnly)?);
        }
        self.check_values(&decoded, &next)?;
        Ok(true)
    }

    /// A layer in memory; damage is a fault.
    fn decode(&mut self, layer: u32, part: StateFields) -> Result<Option<StateLayer>, TableError> {
        self.report_progress("decode")?;
        match decode_states(self.game, layer, &self.table.uncached_layer(layer)?, part) {
            Ok(decoded) => Ok(Some(decoded)),
            Err(error) if error.is_damage() => {
                self.verdict
                    .push_fault(Some(layer), None, error.with_causes());
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Counts what is in a layer.
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
    fn check_values(&mut self, layer: &StateLayer, next: &[StateLayer]) -> Result<(), TableError> {
        const RUN: u64 = 1 << 12;
        const BATCH: u64 = 256;
        let game = self.game;
        let recheck = StateRecheck {
            game,
            layer,
            next_layers: next,
        };
        let count = layer.ranks().div_ceil(RUN);
        let ranks = |i: u64| -> Range<u64> { ordinal_runs(layer.ranks(), RUN)(i) };
        for batch in (0..count).step_by(BATCH as usize) {
            self.report_progress("values")?;
            let found: Vec<(u64, Vec<TableFault>)> = (batch..count.min(batch + BATCH))
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
