//! Scans of the positions among which puzzles are looked for.

use std::path::Path;

use anyhow::{Result, bail};
use hindsight_answers::ScannedPositions;
use hindsight_core::{Packed, PackedGame, Ranked, States, Tiers, states_at};
use hindsight_games::TableBytes;
use hindsight_run::{Monitor, Progress};
use hindsight_solve::graph;
use hindsight_tablebase::{Table, draw_ranks};

use super::request::PuzzleRequest;
use crate::progress::ProgressDisplay;
use crate::sizes::counted;
use crate::tables::{
    check_memory, decode_layer, decode_state_layer, layer_bytes, state_layer_bytes,
};

/// Minimum number of positions in a batch, the last one excepted. A batch is searched on all
/// threads.
const BATCH_POSITIONS: usize = 1 << 14;

/// Ranks scanned between two progress reports.
const CHUNK_RANKS: u64 = 1 << 14;

/// Ranks of a table of states scanned between two progress reports.
const STATE_CHUNK_RANKS: u64 = 256;

/// Returns the scope of a scan of all of a table.
pub(super) fn all_scanned(positions: u64) -> ScannedPositions {
    ScannedPositions { scope: "all", positions, seed: None }
}

/// Describes scanned positions in words.
pub(super) fn scope_text(scanned: &ScannedPositions) -> String {
    let positions = counted(scanned.positions, "position");
    match (scanned.scope, scanned.seed) {
        ("sample", Some(seed)) => format!("{positions} drawn with seed {seed}"),
        ("reachable", _) => format!("all {positions} that are reachable, symmetric ones once"),
        _ => format!("all {positions} that are in the table"),
    }
}

/// Consumer of batches of positions.
pub(super) type TakePositions<'a> = &'a mut dyn FnMut(&[Packed]) -> Result<()>;

/// A set of positions that can be scanned.
pub(super) trait PuzzleScan {
    /// Hands over, in batches, every position whose value meets the criteria. Other positions may
    /// be among them.
    fn for_each_batch(
        &self,
        request: &PuzzleRequest<'_>,
        take: TakePositions<'_>,
    ) -> Result<ScannedPositions>;
}

/// Collects positions into batches, hands these over and reports progress.
struct PositionBatches<'a> {
    take: TakePositions<'a>,
    batch: Vec<Packed>,
    display: ProgressDisplay,
    scanned: u64,
    total: u64,
}

impl<'a> PositionBatches<'a> {
    fn new(request: &PuzzleRequest<'_>, total: u64, take: TakePositions<'a>) -> Self {
        Self {
            take,
            batch: Vec::new(),
            display: ProgressDisplay::new(request.context.quiet).saving_nothing(),
            scanned: 0,
            total,
        }
    }

    /// Adds `scanned` ranks to the progress; hands a full batch over. The caller has added the
    /// candidates of these ranks to the batch.
    fn advance(&mut self, scanned: u64) -> Result<()> {
        self.scanned += scanned;
        if self.batch.len() >= BATCH_POSITIONS {
            self.flush()?;
        }
        let progress = Progress { phase: "puzzles", done: self.scanned, total: Some(self.total) };
        if !self.display.report(progress) {
            return Err(hindsight_run::Error::Stopped.into());
        }
        Ok(())
    }

    /// Hands the batch over.
    fn flush(&mut self) -> Result<()> {
        (self.take)(&self.batch)?;
        self.batch.clear();
        Ok(())
    }
}

/// Scans the positions of a solved graph.
pub(super) struct GraphScan<'a> {
    pub(super) solved: &'a graph::GraphSolution,
}

impl PuzzleScan for GraphScan<'_> {
    fn for_each_batch(
        &self,
        request: &PuzzleRequest<'_>,
        take: TakePositions<'_>,
    ) -> Result<ScannedPositions> {
        let positions = self.solved.len();
        let mut batches = PositionBatches::new(request, positions as u64, take);
        for first in (0..positions).step_by(CHUNK_RANKS as usize) {
            let numbers = first..positions.min(first + CHUNK_RANKS as usize);
            let scanned = numbers.len() as u64;
            let wanted =
                numbers.filter(|&number| request.wanted.accepts_value(self.solved.value(number)));
            batches.batch.extend(wanted.filter_map(|number| self.solved.position(number)));
            batches.advance(scanned)?;
        }
        batches.flush()?;
        Ok(ScannedPositions { scope: "reachable", positions: positions as u64, seed: None })
    }
}

/// Scans the positions of a table.
pub(super) struct ValueTableScan<'a> {
    pub(super) game: &'a PackedGame,
    pub(super) table: &'a Table<TableBytes>,
    pub(super) path: &'a Path,
}

impl PuzzleScan for ValueTableScan<'_> {
    fn for_each_batch(
        &self,
        request: &PuzzleRequest<'_>,
        take: TakePositions<'_>,
    ) -> Result<ScannedPositions> {
        check_layers(self.path, self.table, self.game)?;
        if let Some((count, seed)) = request.sample() {
            let addresses = draw_ranks(self.game, self.table.info(), count, seed);
            let mut batches = PositionBatches::new(request, addresses.len() as u64, take);
            for addresses in addresses.chunks(CHUNK_RANKS as usize) {
                let positions = addresses.iter();
                let positions = positions.filter_map(|&(tier, rank)| self.game.unrank(tier, rank));
                batches.batch.extend(positions);
                batches.advance(addresses.len() as u64)?;
            }
            batches.flush()?;
            return Ok(sample_scope(addresses.len(), seed));
        }
        let (info, layers) = (self.table.info(), self.game.layers());
        check_memory(
            (0..layers).map(|layer| layer_bytes(self.table, self.game, layer)),
            request.context,
        )?;
        let ranks = info.layers.iter().map(|layer| layer.ranks).sum();
        let mut batches = PositionBatches::new(request, ranks, take);
        let mut scanned = 0;
        for layer in 0..layers {
            scanned += self.scan_layer(request, layer, &mut batches)?;
        }
        batches.flush()?;
        Ok(all_scanned(scanned))
    }
}

impl ValueTableScan<'_> {
    /// Scans a layer. Returns the number of its positions.
    fn scan_layer(
        &self,
        request: &PuzzleRequest<'_>,
        layer: u32,
        batches: &mut PositionBatches<'_>,
    ) -> Result<u64> {
        let layer = decode_layer(self.path, self.table, self.game, layer)?;
        let (mut positions, mut scanned) = (Vec::new(), 0);
        for (i, &tier) in layer.tiers.iter().enumerate() {
            let codes = layer.tier_codes(i);
            let ranks = codes.len() as u64;
            for first in (0..ranks).step_by(CHUNK_RANKS as usize) {
                let chunk = first..ranks.min(first + CHUNK_RANKS);
                let value = |rank: u64| {
                    let code = usize::from(codes[rank as usize]);
                    layer.palette.get(code).copied().flatten()
                };
                scanned += chunk.clone().filter(|&rank| value(rank).is_some()).count() as u64;
                let has = |rank: u64| {
                    value(rank).is_some_and(|value| request.wanted.accepts_value(value))
                };
                if chunk.clone().any(has) {
                    positions.clear();
                    self.game.unrank_range(tier, chunk.clone(), &mut positions);
                    let wanted = positions.iter().filter(|&&(rank, _)| has(rank));
                    batches.batch.extend(wanted.map(|&(_, position)| position));
                }
                batches.advance(chunk.end - chunk.start)?;
            }
        }
        Ok(scanned)
    }
}

/// Scans the states of a table: positions with a forbidden move or none.
pub(super) struct StateTableScan<'a> {
    pub(super) game: &'a PackedGame,
    pub(super) table: &'a Table<TableBytes>,
    pub(super) path: &'a Path,
}

impl PuzzleScan for StateTableScan<'_> {
    fn for_each_batch(
        &self,
        request: &PuzzleRequest<'_>,
        take: TakePositions<'_>,
    ) -> Result<ScannedPositions> {
        let base = self.game.base();
        check_layers(self.path, self.table, base)?;
        if let Some((count, seed)) = request.sample() {
            let addresses = draw_ranks(base, self.table.info(), count, seed);
            let mut batches = PositionBatches::new(request, addresses.len() as u64, take);
            for &(tier, rank) in &addresses {
                batches.batch.extend(states_at(self.game, tier, rank));
                batches.advance(1)?;
            }
            batches.flush()?;
            return Ok(sample_scope(addresses.len(), seed));
        }
        let (info, layers) = (self.table.info(), base.layers());
        check_memory(
            (0..layers).map(|layer| state_layer_bytes(self.table, self.game, layer)),
            request.context,
        )?;
        let ranks = info.layers.iter().map(|layer| layer.ranks).sum();
        let mut batches = PositionBatches::new(request, ranks, take);
        let mut scanned = 0;
        for layer in 0..layers {
            scanned += self.scan_layer(request, layer, &mut batches)?;
        }
        batches.flush()?;
        Ok(all_scanned(scanned))
    }
}

impl StateTableScan<'_> {
    /// Scans a layer of states. Returns the number of its positions.
    fn scan_layer(
        &self,
        request: &PuzzleRequest<'_>,
        layer: u32,
        batches: &mut PositionBatches<'_>,
    ) -> Result<u64> {
        let layer = decode_state_layer(self.path, self.table, self.game, layer)?;
        let mut scanned = 0;
        for first in (0..layer.ranks()).step_by(STATE_CHUNK_RANKS as usize) {
            let chunk = first..layer.ranks().min(first + STATE_CHUNK_RANKS);
            for rank in chunk.clone() {
                let Some(value) = layer.value(rank) else {
                    continue;
                };
                scanned += 1;
                let without = layer.exception(rank).map(|(_, without)| without);
                let mut values = [Some(value), without].into_iter().flatten();
                if values.any(|value| request.wanted.accepts_value(value)) {
                    let states = states_at(self.game, layer.tier(), rank);
                    batches.batch.extend(states);
                }
            }
            batches.advance(chunk.end - chunk.start)?;
        }
        Ok(scanned)
    }
}

/// Returns the scope of a sample.
fn sample_scope(positions: usize, seed: u64) -> ScannedPositions {
    ScannedPositions { scope: "sample", positions: positions as u64, seed: Some(seed) }
}

/// Refuses a table that does not have the layers of its game.
pub(super) fn check_layers(
    path: &Path,
    table: &Table<TableBytes>,
    game: &PackedGame,
) -> Result<()> {
    let layers = table.info().layers.len();
    if layers != game.layers() as usize {
        bail!("'{}' has {layers} layers, its game {}", path.display(), game.layers());
    }
    Ok(())
}
