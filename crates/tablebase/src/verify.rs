use std::collections::{BTreeMap, BTreeSet};
use std::time::Instant;

use hindsight_core::{PawnPairs, Ranked};
use hindsight_solve::{Layer, Limits, Monitor, Progress, parallel};
use rayon::prelude::*;

use crate::checksums::checksum_errors;
use crate::decode::decode_positions;
use crate::header_checks::position_header_faults;
use crate::layer_counts::LayerCounts;
use crate::layout::Layout;
use crate::ordinals::{LoadedLayers, ordinal_runs};
use crate::read_at::ReadAt;
use crate::read_memory::{self, layers_for_check};
use crate::recheck::PositionRecheck;
use crate::restore_win_plies::restore_win_plies;
use crate::{Table, TableError};

/// Faults that are told apart; more are counted.
pub(crate) const MAX_REPORTED: usize = 10;

/// What a check of a table found.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct TableVerdict {
    /// Positions whose values were recomputed, one of each class.
    pub positions_checked: u64,
    /// The first faults, at most ten; none if all is well.
    pub faults: Vec<TableFault>,
}

/// Something that is not as it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TableFault {
    /// The layer, if it is one layer's.
    pub layer: Option<u32>,
    /// Tier and rank, if it is one position's.
    pub address: Option<(u64, u64)>,
    /// What is wrong.
    pub description: String,
}

impl TableVerdict {
    /// Tells of a fault, unless many are told already.
    pub(crate) fn push_fault(
        &mut self,
        layer: Option<u32>,
        place: Option<(u64, u64)>,
        what: String,
    ) {
        if self.faults.len() < MAX_REPORTED {
            self.faults.push(TableFault {
                layer,
                address: place,
                description: what,
            });
        }
    }
}

/// Checks everything in a table: every byte by its checksum, and every value by the values of its
/// successors.
///
/// The value of a position is the best of its successors' for the one who moves to them. Values that
/// agree everywhere are the true ones. By induction on the plies `n`, a stored `Win(n)` or `Loss(n)` is
/// true: a terminal position is checked by the rules, and the agreement makes `Win(n)` have a
/// successor `Loss(n - 1)`, and none of fewer plies, and makes all successors of `Loss(n)` wins, the
/// longest `Win(n - 1)`. The other way round, a true win or loss of `n` plies is stored as such: a true
/// `Win(n)` has a successor that is truly `Loss(n - 1)`, which is stored so, and the best of the
/// successors cannot be better, for then it would be true. A true draw is neither, so it is stored as
/// a draw, and a set of positions called draws by mistake finds a member with a winning move, or with
/// losing moves only.
///
/// Goes layer by layer, with the layer and those it leads to in memory, a byte a rank.
///
/// # Errors
/// When a layer needs more memory than allowed ([`crate::memory_needed`]), the time is over, the monitor stops
/// the work, or the table cannot be read. What is wrong with the table is no error, but a [`Fault`].
pub fn verify<G: Ranked, R: ReadAt>(
    table: &Table<R>,
    game: &G,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<TableVerdict, TableError> {
    verify_with(table, game, None, limits, monitor)
}

/// As [`verify`], for a game whose tiers are pairs of squares: ten times faster.
///
/// # Errors
/// As [`verify`].
pub fn verify_pairs<G: PawnPairs, R: ReadAt>(
    table: &Table<R>,
    game: &G,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<TableVerdict, TableError> {
    let faults = |layer: &Layer, before: Option<&Layer>, report: &mut dyn FnMut(u64) -> bool| {
        hindsight_solve::pawn_pairs::wrong_ranks(game, layer, before, MAX_REPORTED, report)
    };
    verify_with(table, game, Some(&faults), limits, monitor)
}

/// Finds the ordinals of a layer whose values are wrong by the layer before it, told how many are done;
/// `None` if it cannot.
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
    let mut check = PositionVerifier {
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
    check.verdict.faults = position_header_faults(table.info(), game);
    if !check.verdict.faults.is_empty() {
        return Ok(check.verdict);
    }
    for layer in 0..game.layers() {
        check.check_layer(layer)?;
        if check.verdict.faults.len() >= MAX_REPORTED {
            break;
        }
    }
    Ok(check.verdict)
}

/// A layer in memory.
struct HeldLayer {
    layer: Layer,
    /// Whether its wins have their plies.
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
    /// Damage is a fault of a layer, anything else an error.
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
        let together = layers_for_check(self.table.info(), self.game, layer);
        let needed = read_memory::layers_memory(self.table, self.game, &together)?;
        if needed > self.limits.memory {
            return Err(TableError::Memory {
                layer,
                needed,
                limit: self.limits.memory,
            });
        }
        let next = self.game.layer_successors(layer);
        for needed in next.iter().copied().chain([layer]) {
            self.load(needed, &together)?;
        }
        let needed = next.iter().copied().chain([layer]);
        let held: Option<Vec<&Layer>> = needed
            .map(|needed| self.held_layers.get(&needed).map(|held| &held.layer))
            .collect();
        let Some(known) = held else {
            self.broken.insert(layer);
            return Ok(());
        };
        let faults = self.header_mismatches(layer, known[known.len() - 1]);
        for what in faults {
            self.verdict.push_fault(Some(layer), None, what);
        }
        self.check_values(layer, &next)
    }

    /// Compares every checksum of a layer; whether all are right.
    fn check_checksums(&mut self, layer: u32) -> Result<bool, TableError> {
        let damaged = checksum_errors(&self.table.uncached_layer(layer)?)?;
        let sound = damaged.is_empty();
        for error in damaged {
            self.verdict
                .push_fault(Some(layer), None, error.with_causes());
        }
        Ok(sound)
    }

    /// Sees to it that a layer is in memory, its wins with their plies.
    fn load(&mut self, layer: u32, keep: &BTreeSet<u32>) -> Result<(), TableError> {
        self.decode(layer, keep)?;
        let compact = self.table.info().layout == Layout::Compact;
        match self.held_layers.get(&layer) {
            Some(held) if compact && !held.has_win_plies => {}
            _ => return Ok(()),
        }
        let next = self.game.layer_successors(layer);
        for &next in &next {
            self.decode(next, keep)?;
        }
        let Some(mut held) = self.held_layers.remove(&layer) else {
            return Ok(());
        };
        let known = next
            .iter()
            .map(|next| self.held_layers.get(next).map(|held| &held.layer));
        if let Some(known) = known.collect::<Option<Vec<_>>>() {
            // A place it cannot fill does not agree with its successors either: a fault later.
            restore_win_plies(self.game, &mut held.layer, &known);
            held.has_win_plies = true;
            self.held_layers.insert(layer, held);
        }
        Ok(())
    }

    /// Sees to it that a layer is in memory, if it can be decoded.
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
                let filled = false;
                let layer = decoded.layer;
                let held = HeldLayer {
                    layer: decoded,
                    has_win_plies: filled,
                };
                self.held_layers.insert(layer, held);
            }
            None => {
                self.broken.insert(layer);
            }
        }
        Ok(())
    }

    /// Drops layers that are not to be kept, until another fits.
    fn make_room(&mut self, layer: u32, keep: &BTreeSet<u32>) -> Result<(), TableError> {
        loop {
            let mut all: BTreeSet<u32> = self.held_layers.keys().copied().collect();
            all.insert(layer);
            if read_memory::layers_memory(self.table, self.game, &all)? <= self.limits.memory {
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

    /// Compares what the header says of a layer.
    fn header_mismatches(&self, layer: u32, decoded: &Layer) -> Vec<String> {
        let info = self.table.info();
        let said = &info.layers[layer as usize];
        let counts = LayerCounts::new(self.game, decoded);
        let start = info.start;
        let value = decoded.value(start.tier, start.rank);
        let checks = [
            (said.name == self.game.layer_name(layer), "name"),
            (said.tiers == counts.tiers, "number of tiers"),
            (said.first_tier == counts.first_tier, "first tier"),
            (said.histogram == counts.histogram, "histogram"),
            (said.longest_win == counts.longest_win, "longest win"),
            (said.longest_loss == counts.longest_loss, "longest loss"),
            (
                said.symbols == counts.symbols(info.layout),
                "list of symbols",
            ),
            (
                value.is_none_or(|value| value == start.value),
                "value of the start",
            ),
        ];
        let wrong = checks.into_iter().filter(|(right, _)| !right);
        wrong
            .map(|(_, what)| format!("the header has another {what}"))
            .collect()
    }

    /// Recomputes every value of a layer with a solver's knowledge of pairs; whether it could.
    fn check_values_by_pairs(&mut self, layer: u32, next: &[u32]) -> Result<bool, TableError> {
        let (Some(faults), [] | [_]) = (self.by_pairs, next) else {
            return Ok(false);
        };
        let held = std::mem::take(&mut self.held_layers);
        let checked = &held[&layer].layer;
        let before = next.first().map(|next| &held[next].layer);
        let mut stopped = Ok(());
        let ranks = self.ranks_checked;
        let found = faults(checked, before, &mut |done| {
            self.ranks_checked = ranks + done;
            stopped = self.report_progress("values");
            stopped.is_ok()
        });
        self.ranks_checked = ranks;
        let wrong = found.as_ref().map(|wrong| {
            let known = [layer].into_iter().chain(next.iter().copied());
            let recheck = PositionRecheck {
                game: self.game,
                layer: checked,
                known: LoadedLayers(known.map(|layer| &held[&layer].layer).collect()),
            };
            let explain = |&ordinal: &u64| recheck.run(ordinal..ordinal + 1).1;
            let told: Vec<TableFault> = wrong.iter().flat_map(explain).collect();
            (told, count_positions(checked))
        });
        self.held_layers = held;
        stopped?;
        let Some((told, count)) = wrong else {
            return Ok(false);
        };
        if told.is_empty() && found.is_some_and(|wrong| !wrong.is_empty()) {
            let what = String::from("values do not agree with their successors");
            self.verdict.push_fault(Some(layer), None, what);
        }
        for fault in told {
            self.verdict
                .push_fault(fault.layer, fault.address, fault.description);
        }
        self.verdict.positions_checked += count;
        self.ranks_checked += self.table.info().layers[layer as usize].ranks;
        Ok(true)
    }

    /// Recomputes every value of a layer.
    fn check_values(&mut self, layer: u32, next: &[u32]) -> Result<(), TableError> {
        if self.check_values_by_pairs(layer, next)? {
            return Ok(());
        }
        const RUN: u64 = 1 << 14;
        const BATCH: u64 = 256;
        let ranks = self.table.info().layers[layer as usize].ranks;
        let count = ranks.div_ceil(RUN);
        for batch in (0..count).step_by(BATCH as usize) {
            self.report_progress("values")?;
            let recheck = PositionRecheck {
                game: self.game,
                layer: &self.held_layers[&layer].layer,
                known: LoadedLayers(
                    [layer]
                        .iter()
                        .chain(next)
                        .map(|layer| &self.held_layers[layer].layer)
                        .collect(),
                ),
            };
            let run = |i| recheck.run(ordinal_runs(ranks, RUN)(i));
            let found = parallel::map(batch..count.min(batch + BATCH), &run);
            for (positions, faults) in found {
                self.verdict.positions_checked += positions;
                for fault in faults {
                    self.verdict
                        .push_fault(fault.layer, fault.address, fault.description);
                }
            }
            self.ranks_checked += ranks.min((batch + BATCH) * RUN) - batch * RUN;
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

/// The ranks of a layer that have positions.
fn count_positions(layer: &Layer) -> u64 {
    let stands = |code: &&u8| layer.palette[usize::from(**code)].is_some();
    layer.codes.par_iter().filter(stands).count() as u64
}
