use std::fs::File;
use std::path::Path;

use anyhow::{Result, bail};
use hindsight_core::{ForbiddenMove, Game, Notation, Ranked, Retro};
use hindsight_solve::{Monitor, Progress, graph};
use hindsight_tablebase::Table;
use serde::Serialize;

use super::PuzzleRequest;
use crate::progress::ProgressDisplay;
use crate::tables::sampling::{positions_at, sample_ranks};
use crate::tables::{
    check_memory, decode_layer, decode_state_layer, layer_bytes, state_at, state_layer_bytes,
};

/// Positions that are looked at together, at least.
const BATCH_POSITIONS: usize = 1 << 14;

/// Ranks that are looked at between two reports.
const CHUNK_RANKS: u64 = 1 << 14;

/// Where puzzles were looked for.
#[derive(Clone, Serialize)]
pub(super) struct ScanScope {
    /// `all` of a table, those `reachable`, or a `sample`.
    pub(super) scope: &'static str,
    pub(super) positions: u64,
    /// By which positions were drawn.
    pub(super) seed: Option<u64>,
}

impl ScanScope {
    pub(super) fn all(positions: u64) -> Self {
        Self {
            scope: "all",
            positions,
            seed: None,
        }
    }
}

/// Takes positions, some at a time.
pub(super) type TakePositions<'a, P> = &'a mut dyn FnMut(&[P]) -> Result<()>;

/// Goes through positions.
pub(super) trait PuzzleScan<G: Game> {
    /// Hands over every position whose value is wanted, and maybe others.
    fn for_each_batch(
        &self,
        call: &PuzzleRequest<'_>,
        take: TakePositions<'_, G::Position>,
    ) -> Result<ScanScope>;
}

/// Hands positions over in batches, and says how far it has come.
struct PositionBatches<'a, P> {
    take: TakePositions<'a, P>,
    batch: Vec<P>,
    display: ProgressDisplay,
    scanned: u64,
    total: u64,
}

impl<'a, P> PositionBatches<'a, P> {
    fn new(call: &PuzzleRequest<'_>, total: u64, take: TakePositions<'a, P>) -> Self {
        Self {
            take,
            batch: Vec::new(),
            display: ProgressDisplay::new(call.context.quiet),
            scanned: 0,
            total,
        }
    }

    /// After so many more positions were looked at, those worth a closer look are in the batch.
    fn advance(&mut self, positions: u64) -> Result<()> {
        self.scanned += positions;
        if self.batch.len() >= BATCH_POSITIONS {
            self.flush()?;
        }
        let progress = Progress {
            phase: "puzzles",
            done: self.scanned,
            total: Some(self.total),
        };
        if !self.display.report(progress) {
            return Err(hindsight_solve::Error::Stopped.into());
        }
        Ok(())
    }

    fn flush(&mut self) -> Result<()> {
        (self.take)(&self.batch)?;
        self.batch.clear();
        Ok(())
    }
}

/// The positions of a solved graph.
pub(super) struct GraphScan<'a, G: Game> {
    pub(super) solved: &'a graph::GraphSolution<G>,
}

impl<G: Game> PuzzleScan<G> for GraphScan<'_, G> {
    fn for_each_batch(
        &self,
        call: &PuzzleRequest<'_>,
        take: TakePositions<'_, G::Position>,
    ) -> Result<ScanScope> {
        let positions = self.solved.positions();
        let mut batches = PositionBatches::new(call, positions.len() as u64, take);
        for first in (0..positions.len()).step_by(CHUNK_RANKS as usize) {
            let numbers = first..positions.len().min(first + CHUNK_RANKS as usize);
            let looked_at = numbers.len() as u64;
            let wanted =
                numbers.filter(|&number| call.wanted.accepts_value(self.solved.value(number)));
            batches.batch.extend(wanted.map(|number| positions[number]));
            batches.advance(looked_at)?;
        }
        batches.flush()?;
        Ok(ScanScope {
            scope: "reachable",
            positions: positions.len() as u64,
            seed: None,
        })
    }
}

/// The positions of a table.
pub(super) struct ValueTableScan<'a, G> {
    pub(super) game: &'a G,
    pub(super) table: &'a Table<File>,
    pub(super) path: &'a Path,
}

impl<G: Retro + Notation> PuzzleScan<G> for ValueTableScan<'_, G> {
    fn for_each_batch(
        &self,
        call: &PuzzleRequest<'_>,
        take: TakePositions<'_, G::Position>,
    ) -> Result<ScanScope> {
        check_layers(self.path, self.table, self.game)?;
        if let Some((count, seed)) = call.sample() {
            let places = sample_ranks(self.game, self.table.info(), count, seed);
            let mut batches = PositionBatches::new(call, places.len() as u64, take);
            for places in places.chunks(CHUNK_RANKS as usize) {
                batches.batch.extend(positions_at(self.game, places));
                batches.advance(places.len() as u64)?;
            }
            batches.flush()?;
            return Ok(sample_scope(places.len(), seed));
        }
        let (info, layers) = (self.table.info(), self.game.layers());
        check_memory(
            (0..layers).map(|layer| layer_bytes(self.table, self.game, layer)),
            call.context,
        )?;
        let ranks = info.layers.iter().map(|layer| layer.ranks).sum();
        let mut batches = PositionBatches::new(call, ranks, take);
        let mut looked_at = 0;
        for layer in 0..layers {
            looked_at += self.scan_layer(call, layer, &mut batches)?;
        }
        batches.flush()?;
        Ok(ScanScope::all(looked_at))
    }
}

impl<G: Retro + Notation> ValueTableScan<'_, G> {
    /// The positions of a layer; how many there are.
    fn scan_layer(
        &self,
        call: &PuzzleRequest<'_>,
        layer: u32,
        batches: &mut PositionBatches<'_, G::Position>,
    ) -> Result<u64> {
        let layer = decode_layer(self.path, self.table, self.game, layer)?;
        let (mut positions, mut looked_at) = (Vec::new(), 0);
        for (i, &tier) in layer.tiers.iter().enumerate() {
            let codes = layer.tier_codes(i);
            let ranks = codes.len() as u64;
            for first in (0..ranks).step_by(CHUNK_RANKS as usize) {
                let chunk = first..ranks.min(first + CHUNK_RANKS);
                let value = |rank: u64| {
                    let code = usize::from(codes[rank as usize]);
                    layer.palette.get(code).copied().flatten()
                };
                looked_at += chunk.clone().filter(|&rank| value(rank).is_some()).count() as u64;
                let has =
                    |rank: u64| value(rank).is_some_and(|value| call.wanted.accepts_value(value));
                if chunk.clone().any(has) {
                    positions.clear();
                    self.game.unrank_range(tier, chunk.clone(), &mut positions);
                    let wanted = positions.iter().filter(|&&(rank, _)| has(rank));
                    batches.batch.extend(wanted.map(|&(_, position)| position));
                }
                batches.advance(chunk.end - chunk.start)?;
            }
        }
        Ok(looked_at)
    }
}

/// The states of a table.
pub(super) struct StateTableScan<'a, G> {
    pub(super) game: &'a G,
    pub(super) table: &'a Table<File>,
    pub(super) path: &'a Path,
}

impl<G: ForbiddenMove + Notation> PuzzleScan<G> for StateTableScan<'_, G> {
    fn for_each_batch(
        &self,
        call: &PuzzleRequest<'_>,
        take: TakePositions<'_, G::Position>,
    ) -> Result<ScanScope> {
        let base = self.game.base();
        check_layers(self.path, self.table, base)?;
        if let Some((count, seed)) = call.sample() {
            let places = sample_ranks(base, self.table.info(), count, seed);
            let mut batches = PositionBatches::new(call, places.len() as u64, take);
            for &place in &places {
                self.push_states(place, &mut batches.batch);
                batches.advance(1)?;
            }
            batches.flush()?;
            return Ok(sample_scope(places.len(), seed));
        }
        let (info, layers) = (self.table.info(), base.layers());
        check_memory(
            (0..layers).map(|layer| state_layer_bytes(self.table, self.game, layer)),
            call.context,
        )?;
        let ranks = info.layers.iter().map(|layer| layer.ranks).sum();
        let mut batches = PositionBatches::new(call, ranks, take);
        let mut looked_at = 0;
        for layer in 0..layers {
            looked_at += self.layer(call, layer, &mut batches)?;
        }
        batches.flush()?;
        Ok(ScanScope::all(looked_at))
    }
}

impl<G: ForbiddenMove + Notation> StateTableScan<'_, G> {
    /// The states of a layer; how many positions it has.
    fn layer(
        &self,
        call: &PuzzleRequest<'_>,
        layer: u32,
        batches: &mut PositionBatches<'_, G::Position>,
    ) -> Result<u64> {
        let layer = decode_state_layer(self.path, self.table, self.game, layer)?;
        let mut looked_at = 0;
        for first in (0..layer.ranks()).step_by(256) {
            let chunk = first..layer.ranks().min(first + 256);
            for rank in chunk.clone() {
                let Some(value) = layer.value(rank) else {
                    continue;
                };
                looked_at += 1;
                let without = layer.exception(rank).map(|(_, without)| without);
                let mut values = [Some(value), without].into_iter().flatten();
                if values.any(|value| call.wanted.accepts_value(value)) {
                    self.push_states((layer.tier(), rank), &mut batches.batch);
                }
            }
            batches.advance(chunk.end - chunk.start)?;
        }
        Ok(looked_at)
    }

    /// The states of a position that a move leads to; that with nothing forbidden first.
    fn push_states(&self, (tier, rank): (u64, u64), out: &mut Vec<G::Position>) {
        let Some(base) = self.game.base().unrank(tier, rank) else {
            return;
        };
        let mut ways = Vec::new();
        self.game.forbidden_ids(tier, rank, &mut ways);
        if self.game.reached_unrestricted(base) {
            ways.insert(0, 0);
        }
        let states = ways
            .into_iter()
            .filter_map(|way| state_at(self.game, (tier, rank), way));
        out.extend(states);
    }
}

fn sample_scope(positions: usize, seed: u64) -> ScanScope {
    ScanScope {
        scope: "sample",
        positions: positions as u64,
        seed: Some(seed),
    }
}

/// Whether a table has the layers of its game.
pub(super) fn check_layers<G: Ranked>(path: &Path, table: &Table<File>, game: &G) -> Result<()> {
    let layers = table.info().layers.len();
    if layers != game.layers() as usize {
        bail!(
            "'{}' has {layers} layers, its game {}",
            path.display(),
            game.layers()
        );
    }
    Ok(())
}
