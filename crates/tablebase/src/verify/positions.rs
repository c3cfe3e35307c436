//! Check of a table of positions.

use std::collections::{BTreeMap, BTreeSet};

use hindsight_core::{PackedGame, Tiers};
use hindsight_engine::{Layer, Limits, Monitor};
use rayon::prelude::*;

use super::memory::{layers_for_check, layers_memory};
use super::position_recheck::PositionRecheck;
use super::verifier::{ExpectedHeader, Verifier};
use crate::error::TableError;
use crate::read_at::ReadAt;
use crate::reading::decode::decode_positions;
use crate::reading::table::Table;
use crate::symbols::ordinals::LoadedLayers;
use crate::symbols::restore_plies::{layers_for_plies, restore_plies};
use crate::verdict::{TableFault, TableVerdict};
use crate::writing::layer_counts::LayerCounts;

/// Recomputes every value from the values of the successors. The layer and its successor layers are
/// in memory, one byte per rank.
pub(super) fn verify_positions<R: ReadAt>(
    table: &Table<R>,
    game: &PackedGame,
    limits: Limits,
    monitor: &mut dyn Monitor,
) -> Result<TableVerdict, TableError> {
    let mut header_faults = table.header_faults(game)?;
    if let Some(keys) = table.keys()? {
        let pages = (0..keys.page_count()).into_par_iter();
        let fault = pages.find_map_first(|page| keys.check_keys(page).err());
        let description = fault.map(|fault| fault.to_string());
        header_faults.extend(description.map(|description| TableFault {
            layer: None,
            address: None,
            description,
        }));
    }
    let mut content = PositionContent { game, held_layers: BTreeMap::new() };
    Verifier::run(table, header_faults, limits, monitor, |verifier| {
        verifier.check_layers(|verifier, layer| content.check_layer(verifier, layer))
    })
}

/// A layer in memory.
struct HeldLayer {
    layer: Layer,
    /// True if all wins and losses have their remoteness.
    has_plies: bool,
}

struct PositionContent<'a> {
    game: &'a PackedGame,
    held_layers: BTreeMap<u32, HeldLayer>,
}

impl PositionContent<'_> {
    /// Checks a layer. Returns false if it or a successor layer cannot be decoded.
    fn check_layer<R: ReadAt>(
        &mut self,
        verifier: &mut Verifier<'_, R>,
        layer: u32,
    ) -> Result<bool, TableError> {
        let info = verifier.table.info();
        let keep = layers_for_check(info, self.game, layer);
        verifier.check_memory(layer, layers_memory(verifier.table, &keep)?)?;
        let successors = self.game.layer_successors(layer);
        for &needed in successors.iter().chain([&layer]) {
            self.load_with_plies(verifier, needed, &keep)?;
        }
        let layers: Option<Vec<&Layer>> = [layer]
            .iter()
            .chain(&successors)
            .map(|needed| self.held_layers.get(needed).map(|held| &held.layer))
            .collect();
        let Some(layers) = layers else {
            return Ok(false);
        };
        let expected = ExpectedHeader {
            name: self.game.layer_name(layer),
            counts: LayerCounts::new(self.game, layers[0], info.layout),
            start: layers[0].value(info.start.tier, info.start.rank),
        };
        verifier.compare_header(layer, &expected);
        self.recheck(verifier, layers)?;
        Ok(true)
    }

    /// Recomputes every value of a layer, the first of `layers`. The others are its successor
    /// layers.
    fn recheck<R: ReadAt>(
        &self,
        verifier: &mut Verifier<'_, R>,
        layers: Vec<&Layer>,
    ) -> Result<(), TableError> {
        const RUN_RANKS: u64 = 1 << 14;
        let info = verifier.table.info();
        let recheck = PositionRecheck {
            game: self.game,
            is_reachable: info.reachable.is_some(),
            layer: layers[0],
            layers: LoadedLayers(layers),
        };
        let ranks = recheck.layer.codes.len() as u64;
        verifier.recheck_runs(ranks, RUN_RANKS, &|ordinals| recheck.run(ordinals))
    }

    /// Loads a layer into memory, with all remoteness, unless damage prevents it.
    fn load_with_plies<R: ReadAt>(
        &mut self,
        verifier: &mut Verifier<'_, R>,
        layer: u32,
        keep: &BTreeSet<u32>,
    ) -> Result<(), TableError> {
        self.decode(verifier, layer, keep)?;
        let layout = verifier.table.info().layout;
        match self.held_layers.get(&layer) {
            Some(held) if !held.has_plies => {}
            _ => return Ok(()),
        }
        let others = layers_for_plies(self.game, layer, layout);
        for &other in &others {
            self.decode(verifier, other, keep)?;
        }
        let Some(mut held) = self.held_layers.remove(&layer) else {
            return Ok(());
        };
        let layers = others.iter().map(|other| self.held_layers.get(other).map(|held| &held.layer));
        if let Some(layers) = layers.collect::<Option<Vec<_>>>() {
            // A win without a lost successor is reported later, when its value is recomputed.
            restore_plies(self.game, layout, &mut held.layer, &layers);
            held.has_plies = true;
            self.held_layers.insert(layer, held);
        }
        Ok(())
    }

    /// Loads a layer into memory, unless it cannot be decoded.
    fn decode<R: ReadAt>(
        &mut self,
        verifier: &mut Verifier<'_, R>,
        layer: u32,
        keep: &BTreeSet<u32>,
    ) -> Result<(), TableError> {
        if self.held_layers.contains_key(&layer) || verifier.is_damaged(layer) {
            return Ok(());
        }
        self.make_room(verifier, layer, keep)?;
        let layout = verifier.table.info().layout;
        let decoded = verifier.decode(layer, |file| decode_positions(self.game, layer, file))?;
        if let Some(decoded) = decoded {
            let held = HeldLayer { layer: decoded, has_plies: layout.plies_searched() == 0 };
            self.held_layers.insert(layer, held);
        }
        Ok(())
    }

    /// Drops layers that need not be kept until another one fits.
    fn make_room<R: ReadAt>(
        &mut self,
        verifier: &Verifier<'_, R>,
        layer: u32,
        keep: &BTreeSet<u32>,
    ) -> Result<(), TableError> {
        loop {
            let mut all: BTreeSet<u32> = self.held_layers.keys().copied().collect();
            all.insert(layer);
            if layers_memory(verifier.table, &all)? <= verifier.limits.memory {
                return Ok(());
            }
            let mut held = self.held_layers.keys().copied();
            let Some(spare) = held.find(|held| !keep.contains(held)) else {
                return Ok(());
            };
            self.held_layers.remove(&spare);
        }
    }
}
