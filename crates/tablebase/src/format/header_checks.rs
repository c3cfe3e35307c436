//! Checks of headers against their games, before any layer is decoded or memory allocated for it.

use hindsight_core::{
    ForbiddenMove, Game, OrbitRun, PackedGame, Ranked, States, Tiers, Value, Wdl, orbit_runs,
};
use hindsight_engine::Histogram;
use hindsight_engine::StateHistograms;

use super::info::{LayerInfo, PositionValue, TableInfo};
use crate::address::Address;
use crate::error::TableError;
use crate::layout::Layout;
use crate::symbols::symbol::{Symbol, symbols_of};
use crate::verdict::{MAX_REPORTED, TableFault};

/// Factor by which the ranks of a layer may differ from [`Ranked::estimated_ranks`]. The estimate
/// is right within a factor of four.
const RANKS_TOLERANCE: u64 = 8;

/// Most states per position: one for each of at most 127 forbidden moves, and one without.
const MAX_STATES_PER_POSITION: u64 = 128;

impl TableInfo {
    /// As [`Table::fits`](crate::Table::fits), for a table of states or of distances.
    ///
    /// # Errors
    /// As [`Table::fits`](crate::Table::fits).
    pub fn fits_states(&self, game: &PackedGame) -> Result<(), TableError> {
        first_fault(state_header_faults(self, game))
    }
}

pub(crate) fn first_fault(faults: Vec<TableFault>) -> Result<(), TableError> {
    match faults.into_iter().next() {
        None => Ok(()),
        Some(fault) => Err(TableError::damaged(match fault.layer {
            None => fault.description,
            Some(layer) => format!("layer {layer}: {}", fault.description),
        })),
    }
}

/// Claims of a header that cannot be true of a table of positions; the first per layer. The start
/// has its tier and rank.
pub(crate) fn position_header_faults(
    info: &TableInfo,
    game: &PackedGame,
    start: Option<(u64, u64)>,
) -> Vec<TableFault> {
    let start = start.map(|(tier, rank)| Address { tier, rank });
    header_faults(info, game, start, Layout::Full)
}

/// Claims of a header that cannot be true of a table of states or of distances; the first per
/// layer.
pub(crate) fn state_header_faults(info: &TableInfo, game: &PackedGame) -> Vec<TableFault> {
    let start = game.rank_state(game.start());
    let start = start.map(|(tier, rank, _)| Address { tier, rank });
    header_faults(info, game.base(), start, Layout::States)
}

fn header_faults(
    info: &TableInfo,
    game: &PackedGame,
    start: Option<Address>,
    layout: Layout,
) -> Vec<TableFault> {
    let fault = |layer, address, description| TableFault { layer, address, description };
    if info.layout.channels() != layout.channels() {
        let description = format!("a table of this game has not the layout '{}'", info.layout);
        return vec![fault(None, None, description)];
    }
    let (found, layers) = (info.layers.len(), game.layers());
    if found != layers as usize {
        let description = format!("it has {found} layers, the game {layers}");
        return vec![fault(None, None, description)];
    }
    let mut faults = Vec::new();
    let PositionValue { tier, rank, .. } = info.start;
    if start != Some(Address { tier, rank }) {
        let description = String::from("the header has another start than the game");
        faults.push(fault(None, Some((tier, rank)), description));
    }
    for (layer, header) in (0..).zip(&info.layers) {
        if let Some(field) = first_layer_mismatch(game, layer, header, info.layout) {
            let description = format!("the header has another {field}");
            faults.push(fault(Some(layer), None, description));
        }
    }
    faults.truncate(MAX_REPORTED);
    faults
}

/// Name of the first field in a layer's header that cannot be right. The game must have the layer.
pub(crate) fn first_layer_mismatch(
    game: &PackedGame,
    layer: u32,
    header: &LayerInfo,
    layout: Layout,
) -> Option<&'static str> {
    if header.name != game.layer_name(layer) {
        return Some("name");
    }
    // The estimate comes before the list of tiers, since a forged header may name a game with too
    // many.
    let estimate = game.estimated_ranks(layer);
    if estimate / RANKS_TOLERANCE > header.ranks || header.ranks / RANKS_TOLERANCE > estimate {
        return Some("number of ranks");
    }
    let mut tiers = Vec::new();
    game.tiers(layer, &mut tiers);
    let lens = tiers.iter().map(|&tier| (tier, game.tier_len(tier)));
    let (mut number, mut first_tier, mut ranks, mut copies) = (0, None, 0_u64, 0_u64);
    for (tier, len) in lens.filter(|&(_, len)| len > 0) {
        number += 1;
        first_tier = first_tier.or(Some(tier));
        ranks = ranks.saturating_add(len);
        for OrbitRun { ranks, orbit_size } in orbit_runs(game, tier, 0..len) {
            copies = copies.saturating_add((ranks.end - ranks.start).saturating_mul(orbit_size));
        }
    }
    let is_possible = |wdl: Wdl, example: &Option<PositionValue>| {
        example.as_ref().is_none_or(|example| {
            let tier = example.tier;
            example.value.wdl() == wdl
                && tiers.binary_search(&tier).is_ok()
                && example.rank < game.tier_len(tier)
                && game.unrank(tier, example.rank).is_some()
        })
    };
    let longest = |wdl| max_plies(&header.histogram, wdl);
    let plies = |example: &Option<PositionValue>| example.as_ref().map(|e| e.value.remoteness());
    let (win, loss) = (&header.longest_win, &header.longest_loss);
    let checks = [
        (header.ranks == ranks, "number of ranks"),
        (header.tiers == number, "number of tiers"),
        (header.first_tier == first_tier, "first tier"),
        (header.histogram.positions() <= copies, "histogram"),
        (state_counts_fit(header, layout, copies), "count of states"),
        (plies(win) == longest(Wdl::Win) && is_possible(Wdl::Win, win), "longest win"),
        (plies(loss) == longest(Wdl::Loss) && is_possible(Wdl::Loss, loss), "longest loss"),
        (symbols_fit(header, layout), "list of symbols"),
    ];
    let wrong = checks.into_iter().find(|(right, _)| !right);
    wrong.map(|(_, field)| field)
}

/// Largest remoteness among the values of an outcome; `None` if no position has the outcome.
fn max_plies(histogram: &Histogram, wdl: Wdl) -> Option<Option<u16>> {
    let rows = histogram.rows().into_iter();
    let with_outcome = rows.filter(|(value, _)| value.wdl() == wdl);
    with_outcome.map(|(value, _)| value.remoteness()).max()
}

fn state_counts_fit(header: &LayerInfo, layout: Layout, copies: u64) -> bool {
    let max_states = copies.saturating_mul(MAX_STATES_PER_POSITION);
    match (&header.states, layout) {
        (None, Layout::Full | Layout::Compact | Layout::Wdl) => true,
        (Some(StateHistograms { all, nontrivial }), Layout::States | Layout::Distances) => {
            all.positions() <= max_states && nontrivial.positions() <= all.positions()
        }
        _ => false,
    }
}

/// Returns true if the values of a layer can have its symbols.
fn symbols_fit(header: &LayerInfo, layout: Layout) -> bool {
    let symbols = &header.symbols;
    let values = header.histogram.rows();
    if layout.channels() == 1 {
        return *symbols == symbols_of(&header.histogram, layout);
    }
    let has = |value: &Value| symbols.contains(&Symbol::Exact(*value));
    let may_be = |symbol: &Symbol| match symbol {
        Symbol::Win | Symbol::LossWithin(_) => false,
        Symbol::Exact(Value::Win(_)) => layout == Layout::States,
        Symbol::Exact(_) | Symbol::BestMove(_) => true,
    };
    let state_rows = header.states.iter().flat_map(|states| states.all.rows());
    let is_distance = |value: Value| value.wdl() != Wdl::Win || layout == Layout::States;
    values.iter().all(|(value, _)| has(value))
        && symbols.iter().all(may_be)
        && state_rows.into_iter().all(|(value, _)| is_distance(value))
}
