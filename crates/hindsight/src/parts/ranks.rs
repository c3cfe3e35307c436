//! Tables of positions, read by the numbering of a packed game.

use std::ops::Range;
use std::sync::Arc;

use hindsight_core::{
    Answer, Game, Notation, OrbitRun, Packed, PackedGame, Probe, Ranked, Structure, Tiers, Value,
    position_at,
};
use hindsight_engine::{Error, Limits, Monitor, Store};
use hindsight_solve::plan::{self, KeptValues, Method, Request, SolveIo, StartedWork, Storage};
use hindsight_solve::tiered::TierPlan;
use hindsight_tablebase::{
    ReachableLayer, Recompute, Table, TableError, TableInfo, TableVerdict, addresses_in_layer,
};

use super::game::NamedGame;
use super::reachable::sorted_layer;
use super::reader::PackedReader;
use crate::error::GamesError;
use crate::parts::table_ranks::{SecondSolve, TableFile, TableRanks};
use crate::positions::any_value::Position;
use crate::positions::decoded_layer::{DecodedLayer, TableRow, value_of_code};
use crate::table_bytes::TableBytes;
use crate::tasks::distances::AnyShortestLine;
use crate::tasks::folder::KeptWork;

/// Structure of a game that ranks its positions.
pub(super) struct RankedGame {
    pub(super) named: Arc<NamedGame>,
    /// True if the ranks are those of a table of reachable positions. Solvers of every position do
    /// not know them.
    pub(super) is_reachable: bool,
}

impl RankedGame {
    /// Returns the fastest solver of every position.
    fn fast_solver(&self) -> Method {
        match self.named.game.structure() {
            Structure::TwoSided => Method::Planes,
            _ => Method::Tiered,
        }
    }
}

/// Refuses a spec that is not in its normal form: no writer puts another one into a header.
pub(super) fn check_spec(info: &TableInfo, spec: &str) -> Result<(), TableError> {
    if info.spec == spec {
        return Ok(());
    }
    Err(TableError::Damaged(format!(
        "the header names the game '{}', whose tables have '{spec}' there",
        info.spec
    )))
}

impl TableRanks for RankedGame {
    fn layers(&self) -> u32 {
        self.named.game.layers()
    }

    fn layer_name(&self, layer: u32) -> String {
        self.named.game.layer_name(layer)
    }

    fn check_header(&self, table: &Table<TableBytes>) -> Result<(), TableError> {
        check_spec(table.info(), &self.named.table_spec)?;
        table.fits(&self.named.game)
    }

    fn check_size(&self, memory: u64) -> Result<(), Error> {
        TierPlan::check_tier_lists(&self.named.game, memory)
    }

    fn tier(&self, position: &Position) -> Option<u64> {
        self.named.game.tier(self.named.unwrap(position).ok()?)
    }

    fn position_at(&self, tier: u64, rank: u64, _: u8) -> Option<Position> {
        position_at(&self.named.game, tier, rank).map(|position| self.named.wrap(position))
    }

    fn tier_len(&self, tier: u64) -> Option<u64> {
        tier_len(&self.named.game, tier)
    }

    fn orbit_run(&self, tier: u64, rank: u64) -> OrbitRun {
        self.named.game.orbit_run(tier, rank)
    }

    fn address(&self, position: &Position) -> Result<Option<(u64, u64)>, GamesError> {
        Ok(self.named.game.rank(self.named.unwrap(position)?))
    }

    fn probe_ranks(
        &self,
        file: &TableFile,
        tier: u64,
        ranks: &[u64],
    ) -> Result<Vec<Answer>, GamesError> {
        file.load_keys()?;
        let answers = file.table.with(&self.named.game).probe_ranks(tier, ranks);
        answers.map_err(|error| GamesError::of_table(&file.path, error))
    }

    fn addresses(&self, layer: u32, ranks: &[u64]) -> Vec<(u64, u64)> {
        addresses_in_layer(&self.named.game, layer, ranks)
    }

    fn positions_at(&self, tier: u64, rank: u64) -> Vec<Position> {
        let position = self.named.game.unrank(tier, rank).into_iter();
        position.map(|position| self.named.wrap(position)).collect()
    }

    fn ranked_member(&self, position: &Position) -> Result<Option<Position>, GamesError> {
        let address = self.named.game.rank(self.named.unwrap(position)?);
        let member = address.and_then(|(tier, rank)| self.named.game.unrank(tier, rank));
        Ok(member.map(|member| self.named.wrap(member)))
    }

    fn reader<'a>(&'a self, file: &'a TableFile) -> PackedReader<'a> {
        let reader = file.table.with(&self.named.game);
        let explain = |error| GamesError::of_table(&file.path, error);
        let probe_many = move |positions: &[_]| reader.probe_many(positions).map_err(explain);
        PackedReader::new(&self.named, probe_many)
    }

    fn line_to(&self, _: &TableFile, _: &Position) -> Result<Option<AnyShortestLine>, GamesError> {
        Err(GamesError::NoDistances(self.named.spec.to_string()))
    }

    fn decode_memory(&self, table: &Table<TableBytes>, layer: u32) -> Result<u64, TableError> {
        hindsight_tablebase::decode_layer_memory(table, &self.named.game, layer)
    }

    fn decode(&self, table: &Table<TableBytes>, layer: u32) -> Result<DecodedLayer, TableError> {
        table.load_keys()?;
        let decoded = table.decode_layer(&self.named.game, layer)?;
        Ok(DecodedLayer::Positions(decoded))
    }

    fn rows(
        &self,
        layer: &DecodedLayer,
        i: usize,
        ranks: Range<u64>,
        wanted: &dyn Fn(Value) -> bool,
    ) -> Vec<TableRow> {
        let DecodedLayer::Positions(layer) = layer else {
            panic!("a layer of positions has no states");
        };
        let (game, tier, codes) = (&self.named.game, layer.tiers[i], layer.tier_codes(i));
        let mut positions = Vec::new();
        game.unrank_range(tier, ranks, &mut positions);
        let row = |&(rank, position): &(u64, Packed)| {
            let value = value_of_code(layer, codes[rank as usize])?;
            wanted(value).then(|| TableRow {
                tier,
                rank,
                copies: game.orbit_run(tier, rank).orbit_size,
                position: game.format(position),
                player: game.player_names()[game.player_to_move(position)],
                value,
            })
        };
        positions.iter().filter_map(row).collect()
    }

    fn keeps_second_solve(&self) -> bool {
        // Other solvers keep whole layers only, and those are compared, not stored.
        self.fast_solver() == Method::Planes
    }

    fn verify_by_solving(
        &self,
        table: &Table<TableBytes>,
        limits: Limits,
        kept: Option<KeptWork<'_>>,
        monitor: &mut dyn Monitor,
    ) -> Result<SecondSolve, TableError> {
        let game = &self.named.game;
        if self.is_reachable {
            return self.verify_by_graph(table, limits, monitor);
        }
        let mut kept_memory = None;
        let solve = &mut |store: &mut dyn Store, monitor: &mut dyn Monitor| {
            let plan = |checkpoint| {
                let storage = Storage {
                    table: true,
                    checkpoint,
                    started: kept.map_or(StartedWork::Nothing, |kept| kept.started),
                    layers: &*store,
                    position_bytes: 0,
                };
                let request = Request {
                    method: self.fast_solver(),
                    limits,
                    kept_values: KeptValues::OfSmallGames,
                    storage,
                    ..Request::default()
                };
                plan::plan(game, game.start(), &request).ok()
            };
            let Some(plan) = plan(kept.is_some()).filter(|plan| plan.check().is_ok()) else {
                let kept = plan(true).filter(|_| self.keeps_second_solve());
                kept_memory = kept.map(|plan| plan.needs().memory);
                return Ok(false);
            };
            let io = SolveIo {
                layers: Some(store),
                checkpoint: kept.map(|kept| kept.checkpoint),
                ..SolveIo::new(monitor)
            };
            plan.run(io).map(|_| true)
        };
        match hindsight_tablebase::verify(table, game, Recompute::Solve(solve), limits, monitor) {
            Ok(verdict) => Ok(SecondSolve::Compared(verdict)),
            Err(TableError::NotSolved) => Ok(SecondSolve::Unsolved { kept_memory, fault: None }),
            Err(error) => Err(error),
        }
    }

    fn verify_memory(&self, table: &Table<TableBytes>) -> Result<u64, TableError> {
        hindsight_tablebase::verify_memory(table, &self.named.game)
    }

    fn verify(
        &self,
        table: &Table<TableBytes>,
        limits: Limits,
        monitor: &mut dyn Monitor,
    ) -> Result<TableVerdict, TableError> {
        let game = &self.named.game;
        hindsight_tablebase::verify(table, game, Recompute::Successors, limits, monitor)
    }
}

impl RankedGame {
    /// Compares a table of reachable positions with a second solve, if that fits in memory and has
    /// the same positions. If not, names one that only the table or only the solve has.
    fn verify_by_graph(
        &self,
        table: &Table<TableBytes>,
        limits: Limits,
        monitor: &mut dyn Monitor,
    ) -> Result<SecondSolve, TableError> {
        let game = &self.named.game;
        let mut fault = None;
        let solve = &mut |store: &mut dyn Store, monitor: &mut dyn Monitor| {
            let plain = game.rules_alone();
            let request = Request {
                method: Method::Reachable,
                limits,
                storage: Storage {
                    table: true,
                    layers: &*store,
                    position_bytes: ReachableLayer::sorting_bytes(game),
                    ..Storage::default()
                },
                ..Request::default()
            };
            let plan = plan::plan(&plain, plain.start(), &request);
            let Some(plan) = plan.ok().filter(|plan| plan.check().is_ok()) else {
                return Ok(false);
            };
            let sorted = sorted_layer(&plain, &plan.run(SolveIo::new(monitor))?)?;
            let different = table.different_position(&sorted);
            if let Some(position) = different.map_err(|error| Error::Store(error.into()))? {
                let is_reached = sorted.game.rank(position).is_some();
                let who = if is_reached { "is missing" } else { "cannot be reached" };
                let text = plain.is_position(position).then(|| plain.format(position));
                let text = text.map_or("one".into(), |text| format!("the position '{text}'"));
                fault = Some(format!("{text} {who}, by a second solve"));
                return Ok(false);
            }
            store.put(&sorted.layer, &mut || Ok(())).map(|()| true)
        };
        match hindsight_tablebase::verify(table, game, Recompute::Solve(solve), limits, monitor) {
            Ok(verdict) => Ok(SecondSolve::Compared(verdict)),
            Err(TableError::NotSolved) => Ok(SecondSolve::Unsolved { kept_memory: None, fault }),
            Err(error) => Err(error),
        }
    }
}

/// Returns the number of ranks of a tier, which may be any number; `None` if there is no such tier.
pub(super) fn tier_len(game: &PackedGame, tier: u64) -> Option<u64> {
    // Tiers ascend from layer to layer, and the last layer has few, so that it is listed quickly.
    let mut last_tiers = Vec::new();
    game.tiers(game.layers() - 1, &mut last_tiers);
    let is_known = last_tiers.last().is_some_and(|&last| tier <= last);
    is_known.then(|| game.tier_len(tier))
}
