//! Tables of states or distances of a game in which a move may be forbidden.

use std::ops::Range;

use hindsight_core::{
    Answer, ForbiddenMove, Game, Notation, OrbitRun, Packed, Probe, Ranked, States, Tiers, Value,
    state_at, states_at,
};
use hindsight_engine::{Error, Limits, Monitor};
use hindsight_solve::distance::{self, NearestDistances};
use hindsight_solve::tiered::TierPlan;
use hindsight_tablebase::{
    DistanceSearch, Layout, Recompute, Table, TableError, TableVerdict, addresses_in_layer,
};

use super::ranks::{check_spec, tier_len};
use super::reader::PackedReader;
use super::structure::StatesGame;
use crate::error::GamesError;
use crate::parts::table_ranks::{SecondSolve, TableFile, TableRanks};
use crate::positions::any_value::Position;
use crate::positions::decoded_layer::{DecodedLayer, TableRow};
use crate::table_bytes::TableBytes;
use crate::tasks::distances::AnyShortestLine;
use crate::tasks::folder::KeptWork;

fn keeps_distances(table: &Table<TableBytes>) -> bool {
    table.info().layout == Layout::Distances
}

impl TableRanks for StatesGame {
    fn layers(&self) -> u32 {
        self.named.game.base().layers()
    }

    fn layer_name(&self, layer: u32) -> String {
        self.named.game.base().layer_name(layer)
    }

    fn check_header(&self, table: &Table<TableBytes>) -> Result<(), TableError> {
        check_spec(table.info(), &self.named.spec)?;
        table.info().fits_states(&self.named.game)
    }

    fn check_size(&self, memory: u64) -> Result<(), Error> {
        TierPlan::check_tier_lists(self.named.game.base(), memory)
    }

    fn tier(&self, state: &Position) -> Option<u64> {
        let (base, _) = self.named.game.decode(self.named.unwrap(state).ok()?);
        self.named.game.base().tier(base)
    }

    fn position_at(&self, tier: u64, rank: u64, forbidden: u8) -> Option<Position> {
        state_at(&self.named.game, tier, rank, forbidden).map(|state| self.named.wrap(state))
    }

    fn tier_len(&self, tier: u64) -> Option<u64> {
        tier_len(self.named.game.base(), tier)
    }

    fn orbit_run(&self, tier: u64, rank: u64) -> OrbitRun {
        self.named.game.base().orbit_run(tier, rank)
    }

    fn address(&self, state: &Position) -> Result<Option<(u64, u64)>, GamesError> {
        let address = self.named.game.rank_state(self.named.unwrap(state)?);
        Ok(address.map(|(tier, rank, _)| (tier, rank)))
    }

    /// No move is forbidden.
    fn probe_ranks(
        &self,
        file: &TableFile,
        tier: u64,
        ranks: &[u64],
    ) -> Result<Vec<Answer>, GamesError> {
        let states = ranks.iter().map(|&rank| state_at(&self.named.game, tier, rank, 0));
        let states: Vec<Option<Packed>> = states.collect();
        let known: Vec<Packed> = states.iter().copied().flatten().collect();
        let mut answers = file
            .table
            .with_states(&self.named.game)
            .probe_many(&known)
            .map_err(|error| GamesError::of_table(&file.path, error))?
            .into_iter();
        let answer =
            |state: Option<_>| state.and_then(|_| answers.next()).unwrap_or(Answer::Unknown);
        Ok(states.into_iter().map(answer).collect())
    }

    fn addresses(&self, layer: u32, ranks: &[u64]) -> Vec<(u64, u64)> {
        addresses_in_layer(self.named.game.base(), layer, ranks)
    }

    /// The state with no move forbidden comes first.
    fn positions_at(&self, tier: u64, rank: u64) -> Vec<Position> {
        let states = states_at(&self.named.game, tier, rank).into_iter();
        states.map(|state| self.named.wrap(state)).collect()
    }

    /// The forbidden move is that of the member.
    fn ranked_member(&self, state: &Position) -> Result<Option<Position>, GamesError> {
        let address = self.named.game.rank_state(self.named.unwrap(state)?);
        let member =
            address.and_then(|(tier, rank, id)| state_at(&self.named.game, tier, rank, id));
        Ok(member.map(|member| self.named.wrap(member)))
    }

    fn reader<'a>(&'a self, file: &'a TableFile) -> PackedReader<'a> {
        let reader = file.table.with_states(&self.named.game);
        let explain = |error| GamesError::of_table(&file.path, error);
        let probe_many = move |states: &[_]| reader.probe_many(states).map_err(explain);
        PackedReader::new(&self.named, probe_many)
    }

    fn line_to(
        &self,
        file: &TableFile,
        position: &Position,
    ) -> Result<Option<AnyShortestLine>, GamesError> {
        let reader = file.table.with_distances(&self.named.game);
        let probe = |tier, rank| {
            let values = reader.value_and_exception(tier, rank)?;
            Ok(values.and_then(NearestDistances::of_values))
        };
        let line = self.line_by(&probe, position)?;
        line.map_err(|error| GamesError::of_table(&file.path, error))
    }

    fn decode_memory(&self, table: &Table<TableBytes>, layer: u32) -> Result<u64, TableError> {
        hindsight_tablebase::decode_states_memory(table, &self.named.game, layer)
    }

    fn decode(&self, table: &Table<TableBytes>, layer: u32) -> Result<DecodedLayer, TableError> {
        let decoded = table.decode_states(&self.named.game, layer)?;
        Ok(DecodedLayer::States(decoded))
    }

    /// Returns a row for each position with no move forbidden. A second row has the only best move
    /// forbidden, where that changes the value.
    fn rows(
        &self,
        layer: &DecodedLayer,
        _: usize,
        ranks: Range<u64>,
        wanted: &dyn Fn(Value) -> bool,
    ) -> Vec<TableRow> {
        let DecodedLayer::States(layer) = layer else {
            panic!("a layer of states has no positions without them");
        };
        let (game, tier) = (&self.named.game, layer.tier());
        let row = |rank, id| {
            let value = layer.state(rank, id).filter(|&value| wanted(value))?;
            let state = state_at(game, tier, rank, id)?;
            Some(TableRow {
                tier,
                rank,
                copies: game.base().orbit_run(tier, rank).orbit_size,
                position: game.format(state),
                player: game.player_names()[game.player_to_move(state)],
                value,
            })
        };
        let mut rows = Vec::new();
        for rank in ranks {
            rows.extend(row(rank, 0));
            let exception = layer.exception(rank);
            rows.extend(exception.and_then(|(id, _)| row(rank, id)));
        }
        rows
    }

    fn keeps_second_solve(&self) -> bool {
        false
    }

    fn verify_by_solving(
        &self,
        _: &Table<TableBytes>,
        _: Limits,
        _: Option<KeptWork<'_>>,
        _: &mut dyn Monitor,
    ) -> Result<SecondSolve, TableError> {
        Ok(SecondSolve::Unsolved { kept_memory: None, fault: None })
    }

    fn verify_memory(&self, table: &Table<TableBytes>) -> Result<u64, TableError> {
        let game = &self.named.game;
        let search = if keeps_distances(table) { distance::peak(game) } else { 0 };
        Ok(hindsight_tablebase::verify_memory(table, game)?.saturating_add(search))
    }

    fn verify(
        &self,
        table: &Table<TableBytes>,
        limits: Limits,
        monitor: &mut dyn Monitor,
    ) -> Result<TableVerdict, TableError> {
        let game = &self.named.game;
        let recompute = if keeps_distances(table) {
            Recompute::Search(DistanceSearch {
                bytes: distance::peak(game),
                run: &|limits, monitor| distance::solve_layers(game, limits, monitor),
            })
        } else {
            Recompute::Successors
        };
        hindsight_tablebase::verify(table, game, recompute, limits, monitor)
    }
}
