//! Check of a table of positions.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use hindsight_core::{PawnPairs, Ranked};
use hindsight_solve::{Layer, Limits, Monitor, Progress, parallel};
use rayon::prelude::*;

use crate::checksums::checksum_errors;
use crate::decode::decode_positions;
use crate::error::TableError;
use crate::header_checks::position_header_faults;
use crate::layer_counts::LayerCounts;
use crate::layout::Layout;
use crate::ordinals::{LoadedLayers, ordinal_runs};
use crate::read_at::ReadAt;
use crate::read_memory::{layers_for_check, layers_memory};
use crate::recheck::PositionRecheck;
use crate::restore_win_plies::restore_win_plies;
use crate::table::Table;
use crate::verdict::{MAX_REPORTED, TableFault, TableVerdict};

/// Checks everything in a table: every byte by its checksum, and every value by the values of its
/// successors.
///
/// Each value must be the best of its successors' values for the side that moves. Values that
/// fulfil this everywhere are the true ones, by induction on the plies `n`.
///
/// A stored `Win(n)` or `Loss(n)` is true. A terminal position is checked by the rules. A `Win(n)`
/// has a successor `Loss(n - 1)` and none that is lost in fewer plies. All successors of a
/// `Loss(n)` are wins, the longest of them `Win(n - 1)`.
///
/// A true win or loss in `n` plies is stored as such. A true `Win(n)` has a successor that is truly
/// `Loss(n - 1)` and stored so; no successor is better, or that would be true as well. A true draw
/// is stored as a draw, since it is neither a win nor a loss. A set of positions wrongly stored as
/// draws contains one with a winning move, or with losing moves only.
///
/// The check goes layer by layer. The layer and its successor layers are in memory, one byte per
/// rank.
///
/// # Errors
/// - [`TableError::Memory`] if a layer needs more memory than allowed ([`crate::verify_memory`]).
/// - [`TableError::Time`] or [`TableError::Stopped`] if the time limit is exceeded or the monitor
///   stops the check.
/// - [`TableError::OtherContent`] or [`TableError::Io`] if the table does not store positions or
///   cannot be read.
///
/// A fault of the table is no error; it is listed in the verdict.
pub fn verify<G: Ranked, R: ReadAt>(
    table: &Table<R>,
    game: &G,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<TableVerdict, TableError> {
    verify_with(table, game, None, limits, monitor)
}

/// As [`verify`], for a game whose tiers are pairs of pawn squares. Uses the solver's kernel for
/// pairs.
///
/// # Errors
/// As [`verify`].
pub fn verify_pairs<G: PawnPairs, R: ReadAt>(
    table: &Table<R>,
    game: &G,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<TableVerdict, TableError> {
    let faults = |layer: &Layer, successor: Option<&Layer>, report: &mut dyn FnMut(u64) -> bool| {
        hindsight_solve::pawn_pairs::wrong_ranks(game, layer, successor, MAX_REPORTED, report)
    };
    verify_with(table, game, Some(&faults), limits, monitor)
}

/// Function from a layer and its successor layer to the ordinals of wrong values. The callback gets
/// the number of ranks done. `None` if the kernel cannot check the layer.
type PairFaults<'a> =
    dyn Fn(&Layer, Option<&Layer>, &mut dyn FnMut(u64) -> bool) -> Option<Vec<u64>> + 'a;

fn verify_with<G: Ranked, R: ReadAt>(
    table: &Table<R>,
    game: &G,
    by_pairs: Option<&PairFaults<'_>>,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<TableVerdict, TableError> {
    table.info().layout.check_content(Layout::Full)?;
    let mut verifier = PositionVerifier {
        table,
        game,
        by_pairs,
        limits,
        begin: Instant::now(),
        monitor,
        held_layers: BTreeMap::new(),
        broken: BTreeSet::new(),
        ranks_checked: 0,
        verdict: TableVerdict::default(),
    };
    verifier.verdict.faults = position_header_faults(table.info(), game);
    if !verifier.verdict.faults.is_empty() {
        return Ok(verifier.verdict);
    }
    for layer in 0..game.layers() {
        verifier.check_layer(layer)?;
        if verifier.verdict.faults.len() >= MAX_REPORTED {
            break;
        }
    }
    Ok(verifier.verdict)
}

/// A layer in memory.
struct HeldLayer {
    layer: Layer,
    /// True if the wins have their remoteness.
    has_win_plies: bool,
}

struct PositionVerifier<'a, G, R> {
    table: &'a Table<R>,
    game: &'a G,
    by_pairs: Option<&'a PairFaults<'a>>,
    limits: Limits,
    begin: Instant,
    monitor: &'a mut dyn Monitor,
    held_layers: BTreeMap<u32, HeldLayer>,
    /// Layers that cannot be decoded.
    broken: BTreeSet<u32>,
    /// Ranks whose values were recomputed, holes included.
    ranks_checked: u64,
    verdict: TableVerdict,
}

impl<G: Ranked, R: ReadAt> PositionVerifier<'_, G, R> {
    /// Records damage as a fault of the layer. Passes on any other error.
    fn report_damage<T>(
        &mut self,
        layer: u32,
        result: Result<T, TableError>,
    ) -> Result<Option<T>, TableError> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(error) if error.is_damage() => {
                self.verdict
                    .push_fault(Some(layer), None, error.with_causes());
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    fn check_layer(&mut self, layer: u32) -> Result<(), TableError> {
        self.report_progress("checksums")?;
        if !self.check_checksums(layer)? {
            self.broken.insert(layer);
            return Ok(());
        }
        let loaded = layers_for_check(self.table.info(), self.game, layer);
        let needed = layers_memory(self.table, self.game, &loaded)?;
        if needed > self.limits.memory {
            return Err(TableError::Memory {
                layer,
                needed,
                limit: self.limits.memory,
            });
        }
        let successors = self.game.layer_successors(layer);
        for needed in successors.iter().copied().chain([layer]) {
            self.load(needed, &loaded)?;
        }
        let needed = successors.iter().copied().chain([layer]);
        let layers: Option<Vec<&Layer>> = needed
            .map(|needed| self.held_layers.get(&needed).map(|held| &held.layer))
            .collect();
        let Some(layers) = layers else {
            self.broken.insert(layer);
            return Ok(());
        };
        let faults = self.header_mismatches(layer, layers[layers.len() - 1]);
        for fault in faults {
            self.verdict.push_fault(Some(layer), None, fault);
        }
        self.check_values(layer, &successors)
    }

    /// Compares every checksum of a layer. Returns true if all are right.
    fn check_checksums(&mut self, layer: u32) -> Result<bool, TableError> {
        let damaged = checksum_errors(&self.table.uncached_layer(layer)?)?;
        let sound = damaged.is_empty();
        for error in damaged {
            self.verdict
                .push_fault(Some(layer), None, error.with_causes());
        }
        Ok(sound)
    }

    /// Loads a layer into memory, its wins with their remoteness.
    fn load(&mut self, layer: u32, keep: &BTreeSet<u32>) -> Result<(), TableError> {
        self.decode(layer, keep)?;
        let is_compact = self.table.info().layout == Layout::Compact;
        match self.held_layers.get(&layer) {
            Some(held) if is_compact && !held.has_win_plies => {}
            _ => return Ok(()),
        }
        let successors = self.game.layer_successors(layer);
        for &successor in &successors {
            self.decode(successor, keep)?;
        }
        let Some(mut held) = self.held_layers.remove(&layer) else {
            return Ok(());
        };
        let layers = successors
            .iter()
            .map(|successor| self.held_layers.get(successor).map(|held| &held.layer));
        if let Some(layers) = layers.collect::<Option<Vec<_>>>() {
            // A win without a lost successor is reported later, when its value is recomputed.
            restore_win_plies(self.game, &mut held.layer, &layers);
            held.has_win_plies = true;
            self.held_layers.insert(layer, held);
        }
        Ok(())
    }

    /// Loads a layer into memory, unless it cannot be decoded.
    fn decode(&mut self, layer: u32, keep: &BTreeSet<u32>) -> Result<(), TableError> {
        if self.held_layers.contains_key(&layer) || self.broken.contains(&layer) {
            return Ok(());
        }
        self.report_progress("decode")?;
        self.make_room(layer, keep)?;
        let table = self.table;
        let decoded = decode_positions(self.game, layer, &table.uncached_layer(layer)?);
        match self.report_damage(layer, decoded)? {
            Some(mut decoded) => {
                if self.by_pairs.is_some() {
                    hindsight_solve::pawn_pairs::recode(&mut decoded);
                }
                let layer = decoded.layer;
                let held = HeldLayer {
                    layer: decoded,
                    has_win_plies: false,
                };
                self.held_layers.insert(layer, held);
            }
            None => {
                self.broken.insert(layer);
            }
        }
        Ok(())
    }

    /// Drops layers that need not be kept until another one fits.
    fn make_room(&mut self, layer: u32, keep: &BTreeSet<u32>) -> Result<(), TableError> {
        loop {
            let mut all: BTreeSet<u32> = self.held_layers.keys().copied().collect();
            all.insert(layer);
            if layers_memory(self.table, self.game, &all)? <= self.limits.memory {
                return Ok(());
            }
            let spare = self
                .held_layers
                .keys()
                .find(|held| !keep.contains(held))
                .copied();
            match spare {
                Some(spare) => self.held_layers.remove(&spare),
                None => return Ok(()),
            };
        }
    }

    /// Compares the header of a layer with the decoded layer.
    fn header_mismatches(&self, layer: u32, decoded: &Layer) -> Vec<String> {
        let info = self.table.info();
        let header = &info.layers[layer as usize];
        let counts = LayerCounts::new(self.game, decoded);
        let start = info.start;
        let value = decoded.value(start.tier, start.rank);
        let checks = [
            (header.name == self.game.layer_name(layer), "name"),
            (header.tiers == counts.tiers, "number of tiers"),
            (header.first_tier == counts.first_tier, "first tier"),
            (header.histogram == counts.histogram, "histogram"),
            (header.longest_win == counts.longest_win, "longest win"),
            (header.longest_loss == counts.longest_loss, "longest loss"),
            (
                header.symbols == counts.symbols(info.layout),
                "list of symbols",
            ),
            (
                value.is_none_or(|value| value == start.value),
                "value of the start",
            ),
        ];
        let wrong = checks.into_iter().filter(|(right, _)| !right);
        wrong
            .map(|(_, field)| format!("the header has another {field}"))
            .collect()
    }

    /// Recomputes every value of a layer by the kernel for pairs. Returns false if the kernel
    /// cannot check the layer.
    fn check_values_by_pairs(
        &mut self,
        layer: u32,
        successors: &[u32],
    ) -> Result<bool, TableError> {
        let (Some(pair_faults), [] | [_]) = (self.by_pairs, successors) else {
            return Ok(false);
        };
        let held = std::mem::take(&mut self.held_layers);
        let checked = &held[&layer].layer;
        let successor = successors.first().map(|layer| &held[layer].layer);
        let mut stopped = Ok(());
        let ranks = self.ranks_checked;
        let wrong = pair_faults(checked, successor, &mut |done| {
            self.ranks_checked = ranks + done;
            stopped = self.report_progress("values");
            stopped.is_ok()
        });
        self.ranks_checked = ranks;
        let explained = wrong.as_ref().map(|wrong| {
            let layers = [layer].into_iter().chain(successors.iter().copied());
            let recheck = PositionRecheck {
                game: self.game,
                layer: checked,
                layers: LoadedLayers(layers.map(|layer| &held[&layer].layer).collect()),
            };
            let explain = |&ordinal: &u64| recheck.run(ordinal..ordinal + 1).1;
            let faults: Vec<TableFault> = wrong.iter().flat_map(explain).collect();
            (faults, count_positions(checked))
        });
        self.held_layers = held;
        stopped?;
        let Some((faults, positions)) = explained else {
            return Ok(false);
        };
        if faults.is_empty() && wrong.is_some_and(|wrong| !wrong.is_empty()) {
            let fault = String::from("values do not agree with their successors");
            self.verdict.push_fault(Some(layer), None, fault);
        }
        for fault in faults {
            self.verdict
                .push_fault(fault.layer, fault.address, fault.description);
        }
        self.verdict.positions_checked += positions;
        self.ranks_checked += self.table.info().layers[layer as usize].ranks;
        Ok(true)
    }

    /// Recomputes every value of a layer.
    fn check_values(&mut self, layer: u32, successors: &[u32]) -> Result<(), TableError> {
        if self.check_values_by_pairs(layer, successors)? {
            return Ok(());
        }
        const RUN_RANKS: u64 = 1 << 14;
        const BATCH_RUNS: u64 = 256;
        let ranks = self.table.info().layers[layer as usize].ranks;
        let count = ranks.div_ceil(RUN_RANKS);
        for batch in (0..count).step_by(BATCH_RUNS as usize) {
            self.report_progress("values")?;
            let recheck = PositionRecheck {
                game: self.game,
                layer: &self.held_layers[&layer].layer,
                layers: LoadedLayers(
                    [layer]
                        .iter()
                        .chain(successors)
                        .map(|layer| &self.held_layers[layer].layer)
                        .collect(),
                ),
            };
            let run = |i| recheck.run(ordinal_runs(ranks, RUN_RANKS)(i));
            let found = parallel::map(batch..count.min(batch + BATCH_RUNS), &run);
            for (positions, faults) in found {
                self.verdict.positions_checked += positions;
                for fault in faults {
                    self.verdict
                        .push_fault(fault.layer, fault.address, fault.description);
                }
            }
            self.ranks_checked += ranks.min((batch + BATCH_RUNS) * RUN_RANKS) - batch * RUN_RANKS;
        }
        Ok(())
    }

    fn report_progress(&mut self, phase: &'static str) -> Result<(), TableError> {
        let done = self.ranks_checked;
        let total = Some(self.table.info().ranks());
        if !self.monitor.report(Progress { phase, done, total }) {
            return Err(TableError::Stopped);
        }
        let positions = self.verdict.positions_checked;
        match self.limits.time {
            Some(time) if self.begin.elapsed() > time => Err(TableError::Time { positions }),
            _ => Ok(()),
        }
    }
}

/// Number of ranks that have positions.
fn count_positions(layer: &Layer) -> u64 {
    let has_position = |code: &&u8| layer.palette[usize::from(**code)].is_some();
    layer.codes.par_iter().filter(has_position).count() as u64
}
