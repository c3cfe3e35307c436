//! The check of a table, whatever it stores.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;
use std::time::Instant;

use hindsight_core::Value;
use hindsight_engine::{Limits, Monitor, Progress, parallel};

use super::checksums::checksum_errors;
use crate::error::TableError;
use crate::format::info::TableInfo;
use crate::format::layer_file::LayerFile;
use crate::read_at::ReadAt;
use crate::reading::table::Table;
use crate::symbols::ordinals::ordinal_runs;
use crate::verdict::{MAX_REPORTED, TableFault, TableVerdict};
use crate::writing::layer_counts::LayerCounts;

/// Part of a table's header that follows from a layer.
pub(super) struct ExpectedHeader {
    /// Name of the layer in the game.
    pub(super) name: String,
    pub(super) counts: LayerCounts,
    /// Value of the game's start, if the layer has it.
    pub(super) start: Option<Value>,
}

impl ExpectedHeader {
    /// Names of the fields that the header has otherwise.
    fn mismatches(&self, info: &TableInfo, layer: u32) -> impl Iterator<Item = &'static str> {
        let header = &info.layers[layer as usize];
        let counts = &self.counts;
        let checks = [
            (header.name == self.name, "name"),
            (header.tiers == counts.tiers, "number of tiers"),
            (header.first_tier == counts.first_tier, "first tier"),
            (header.histogram == counts.histogram, "histogram"),
            (header.longest_win == counts.longest.win, "longest win"),
            (header.longest_loss == counts.longest.loss, "longest loss"),
            (header.states == counts.states, "count of states"),
            (header.symbols == counts.symbols, "list of symbols"),
            (self.start.is_none_or(|value| value == info.start.value), "value of the start"),
        ];
        let wrong = checks.into_iter().filter(|(right, _)| !right);
        wrong.map(|(_, field)| field)
    }
}

/// Describes the difference between a stored value and the one recomputed; `None` if they agree.
#[inline]
pub(super) fn difference<V: PartialEq>(
    stored: Option<V>,
    recomputed: Result<V, &'static str>,
    text: impl Fn(V) -> String,
) -> Option<String> {
    match (stored, recomputed) {
        (Some(stored), Ok(recomputed)) if stored == recomputed => None,
        (Some(stored), Ok(recomputed)) => {
            let (stored, recomputed) = (text(stored), text(recomputed));
            Some(format!("the table says {stored}, the successors make it {recomputed}"))
        }
        (None, Ok(_)) => Some(String::from("a position has no value")),
        (_, Err(fault)) => Some(String::from(fault)),
    }
}

/// A check in progress.
pub(super) struct Verifier<'a, R> {
    pub(super) table: &'a Table<R>,
    pub(super) limits: Limits,
    pub(super) monitor: &'a mut dyn Monitor,
    begin: Instant,
    /// Layers that cannot be checked.
    damaged_layers: BTreeSet<u32>,
    /// Ranks whose values were recomputed, holes included.
    ranks_checked: u64,
    verdict: TableVerdict,
}

impl<'a, R: ReadAt> Verifier<'a, R> {
    /// Runs a check, unless the header has faults.
    pub(super) fn run(
        table: &'a Table<R>,
        header_faults: Vec<TableFault>,
        limits: Limits,
        monitor: &'a mut dyn Monitor,
        check: impl FnOnce(&mut Self) -> Result<(), TableError>,
    ) -> Result<TableVerdict, TableError> {
        let mut verifier = Self {
            table,
            limits,
            monitor,
            begin: Instant::now(),
            damaged_layers: BTreeSet::new(),
            ranks_checked: 0,
            verdict: TableVerdict { positions_checked: 0, faults: header_faults },
        };
        if verifier.verdict.faults.is_empty() {
            check(&mut verifier)?;
        }
        Ok(verifier.verdict)
    }

    /// Checks layer by layer, until enough faults are found. `check_layer` gets a layer whose
    /// checksums are right; it returns false after a fault that prevents its check.
    pub(super) fn check_layers(
        &mut self,
        mut check_layer: impl FnMut(&mut Self, u32) -> Result<bool, TableError>,
    ) -> Result<(), TableError> {
        for layer in self.layers() {
            if self.check_checksums(layer)? && !check_layer(self, layer)? {
                self.damaged_layers.insert(layer);
            }
            if self.verdict.faults.len() >= MAX_REPORTED {
                break;
            }
        }
        Ok(())
    }

    pub(super) fn layers(&self) -> Range<u32> {
        0..self.table.info().layers.len() as u32
    }

    /// Number of faults found so far.
    pub(super) fn faults(&self) -> usize {
        self.verdict.faults.len()
    }

    /// Returns true if a layer cannot be checked.
    pub(super) fn is_damaged(&self, layer: u32) -> bool {
        self.damaged_layers.contains(&layer)
    }

    fn push_damage(&mut self, layer: u32, error: &TableError) {
        self.damaged_layers.insert(layer);
        self.verdict.push_fault(Some(layer), None, error.with_causes());
    }

    /// Compares every checksum of a layer. Returns false if one is wrong.
    pub(super) fn check_checksums(&mut self, layer: u32) -> Result<bool, TableError> {
        self.report_progress("checksums", 0)?;
        for error in checksum_errors(&self.table.uncached_layer(layer)?)? {
            self.push_damage(layer, &error);
        }
        Ok(!self.is_damaged(layer))
    }

    /// Fails if more memory is needed than allowed.
    pub(super) fn check_memory(&self, layer: u32, needed: u64) -> Result<(), TableError> {
        let limit = self.limits.memory;
        if needed <= limit {
            return Ok(());
        }
        Err(TableError::Memory { layer, needed, limit })
    }

    /// Decodes a layer. Damage becomes a fault; `None` then.
    pub(super) fn decode<T>(
        &mut self,
        layer: u32,
        decode: impl FnOnce(&LayerFile<Arc<R>>) -> Result<T, TableError>,
    ) -> Result<Option<T>, TableError> {
        self.report_progress("decode", 0)?;
        match decode(&self.table.uncached_layer(layer)?) {
            Ok(decoded) => Ok(Some(decoded)),
            Err(error) if error.is_damage() => {
                self.push_damage(layer, &error);
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// Compares the header of a layer with the one expected.
    pub(super) fn compare_header(&mut self, layer: u32, expected: &ExpectedHeader) {
        for field in expected.mismatches(self.table.info(), layer) {
            let fault = format!("the header has another {field}");
            self.verdict.push_fault(Some(layer), None, fault);
        }
    }

    /// Rechecks all ordinals of a layer, in parallel runs of `run_ranks`.
    pub(super) fn recheck_runs(
        &mut self,
        ranks: u64,
        run_ranks: u64,
        recheck: &(dyn Fn(Range<u64>) -> TableVerdict + Sync),
    ) -> Result<(), TableError> {
        const BATCH_RUNS: u64 = 256;
        let ordinals = ordinal_runs(ranks, BATCH_RUNS * run_ranks);
        for batch in 0..ranks.div_ceil(BATCH_RUNS * run_ranks) {
            self.report_progress("values", 0)?;
            let Range { start, end } = ordinals(batch);
            let runs = 0..(end - start).div_ceil(run_ranks);
            let run = |i| start + i * run_ranks..end.min(start + (i + 1) * run_ranks);
            let verdicts = parallel::map(runs, &|i| recheck(run(i)));
            for verdict in verdicts {
                self.verdict.add(verdict);
            }
            self.ranks_checked += end - start;
        }
        Ok(())
    }

    /// Adds the verdict on a layer that was rechecked in one piece.
    pub(super) fn add_layer(&mut self, ranks: u64, verdict: TableVerdict) {
        self.verdict.add(verdict);
        self.ranks_checked += ranks;
    }

    /// Reports progress; `further` ranks are rechecked besides those counted.
    pub(super) fn report_progress(
        &mut self,
        phase: &'static str,
        further: u64,
    ) -> Result<(), TableError> {
        self.send_progress(Progress {
            phase,
            done: self.ranks_checked + further,
            total: Some(self.table.info().ranks()),
        })
    }

    /// Sends a report. Fails if the monitor stops the check, or out of time.
    pub(super) fn send_progress(&mut self, progress: Progress) -> Result<(), TableError> {
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
