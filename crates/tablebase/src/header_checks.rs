//! Headers held against their games, before anything is drawn from them, decoded or allocated.

use hindsight_core::{ForbiddenMove, Ranked, Value, Wdl};
use hindsight_solve::Histogram;

use crate::checkpoint_layer::LayerTrailer;
use crate::info::{LayerInfo, PositionValue, Symbol, TableInfo};
use crate::layout::Layout;
use crate::verify::{MAX_REPORTED, TableFault};
use crate::{StateCounts, TableError};

/// The factor by which the ranks of a layer may differ from [`Ranked::estimated_ranks`], which is right within four.
const RANKS_TOLERANCE: u64 = 8;

/// States of a position: each forbids a way, of which there are 127, or none.
const MAX_STATES_PER_POSITION: u64 = 128;

impl TableInfo {
    /// True if this may be the header of a table of a game: it has its layers with their tiers and ranks, its
    /// start, and values that such positions can have. Lists the tiers of one layer after the other.
    ///
    /// # Errors
    /// [`Error::Damaged`] with the first thing that differs.
    pub fn fits<G: Ranked>(&self, game: &G) -> Result<(), TableError> {
        first_fault(position_header_faults(self, game))
    }

    /// As [`Info::fits`], for a table of states or of distances.
    ///
    /// # Errors
    /// As [`Info::fits`].
    pub fn fits_states<G: ForbiddenMove>(&self, game: &G) -> Result<(), TableError> {
        first_fault(state_header_faults(self, game))
    }
}

fn first_fault(lies: Vec<TableFault>) -> Result<(), TableError> {
    match lies.into_iter().next() {
        None => Ok(()),
        Some(fault) => Err(TableError::damaged(match fault.layer {
            None => fault.description,
            Some(layer) => format!("layer {layer}: {}", fault.description),
        })),
    }
}

/// The first claim of a header that cannot be true of a table of positions.
pub(crate) fn position_header_faults<G: Ranked>(info: &TableInfo, game: &G) -> Vec<TableFault> {
    let start = game.rank(game.start());
    header_faults(info, game, (start, Layout::Full))
}

/// The first claim of a header that cannot be true of a table of states or of distances.
pub(crate) fn state_header_faults<G: ForbiddenMove>(info: &TableInfo, game: &G) -> Vec<TableFault> {
    let start = game.rank_state(game.start());
    let start = start.map(|(tier, rank, _)| (tier, rank));
    header_faults(info, game.base(), (start, Layout::States))
}

fn header_faults<G: Ranked>(
    info: &TableInfo,
    game: &G,
    (start, layout): (Option<(u64, u64)>, Layout),
) -> Vec<TableFault> {
    let fault = |layer, place, what| TableFault {
        layer,
        address: place,
        description: what,
    };
    if info.layout.channels() != layout.channels() {
        let what = format!("a table of this game has not the layout '{}'", info.layout);
        return vec![fault(None, None, what)];
    }
    let (found, layers) = (info.layers.len(), game.layers());
    if found != layers as usize {
        let what = format!("it has {found} layers, the game {layers}");
        return vec![fault(None, None, what)];
    }
    let mut lies = Vec::new();
    let place = (info.start.tier, info.start.rank);
    if start != Some(place) {
        let what = String::from("the header has another start than the game");
        lies.push(fault(None, Some(place), what));
    }
    for (layer, said) in (0..).zip(&info.layers) {
        if let Some(what) = first_layer_mismatch(game, layer, (said, info.layout)) {
            let what = format!("the header has another {what}");
            lies.push(fault(Some(layer), None, what));
        }
    }
    lies.truncate(MAX_REPORTED);
    lies
}

/// True if the file of a layer in a checkpoint may be of a game with this start.
pub(crate) fn check_trailer<G: Ranked>(
    segment: &LayerTrailer,
    game: &G,
    (start, layout): (Option<(u64, u64)>, Layout),
) -> Result<(), TableError> {
    let layer = segment.layer;
    let what = if segment.layers == game.layers() {
        first_layer_mismatch(game, layer, (&segment.info, layout))
    } else {
        Some("number of layers")
    };
    let what = what.or_else(|| {
        let mut tiers = Vec::new();
        game.tiers(layer, &mut tiers);
        let here = start.filter(|(tier, _)| tiers.binary_search(tier).is_ok());
        let said = segment.start.map(|start| (start.tier, start.rank));
        (said != here).then_some("start")
    });
    match what {
        None => Ok(()),
        Some(what) => Err(TableError::damaged(format!(
            "the checkpoint's layer {layer} has another {what} than the game"
        ))),
    }
}

/// The first thing that is said wrongly of a layer which the game has.
fn first_layer_mismatch<G: Ranked>(
    game: &G,
    layer: u32,
    (said, layout): (&LayerInfo, Layout),
) -> Option<&'static str> {
    // Before tiers are listed: a header may name a game that has too many.
    let about = game.estimated_ranks(layer);
    if about / RANKS_TOLERANCE > said.ranks || said.ranks / RANKS_TOLERANCE > about {
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
        copies = copies.saturating_add(len.saturating_mul(game.tier_orbit_size(tier)));
    }
    let place = |value: Value, example: &Option<PositionValue>| {
        example.as_ref().is_none_or(|example| {
            let tier = example.tier;
            example.value.wdl() == value.wdl()
                && tiers.binary_search(&tier).is_ok()
                && example.rank < game.tier_len(tier)
                && game.unrank(tier, example.rank).is_some()
        })
    };
    let most = |wdl| max_plies(&said.histogram, wdl);
    let plies = |example: &Option<PositionValue>| example.as_ref().map(|e| e.value.remoteness());
    let (win, loss) = (&said.longest_win, &said.longest_loss);
    let checks = [
        (said.ranks == ranks, "number of ranks"),
        (said.tiers == number, "number of tiers"),
        (said.first_tier == first_tier, "first tier"),
        (positions(&said.histogram) <= copies, "histogram"),
        (state_counts_fit(said, layout, copies), "count of states"),
        (
            plies(win) == most(Wdl::Win) && place(Value::Win(0), win),
            "longest win",
        ),
        (
            plies(loss) == most(Wdl::Loss) && place(Value::Loss(0), loss),
            "longest loss",
        ),
        (symbols_fit(said, layout), "list of symbols"),
    ];
    let wrong = checks.into_iter().find(|(right, _)| !right);
    wrong.map(|(_, what)| what)
}

fn positions(histogram: &Histogram) -> u64 {
    histogram.positions()
}

/// The most plies of a kind of values, if there is such a value.
fn max_plies(histogram: &Histogram, wdl: Wdl) -> Option<Option<u16>> {
    let rows = histogram.rows().into_iter();
    let of_kind = rows.filter(|(value, _)| value.wdl() == wdl);
    of_kind.map(|(value, _)| value.remoteness()).max()
}

fn state_counts_fit(said: &LayerInfo, layout: Layout, copies: u64) -> bool {
    let most = copies.saturating_mul(MAX_STATES_PER_POSITION);
    match (&said.states, layout) {
        (None, Layout::Full | Layout::Compact) => true,
        (Some(StateCounts { all, nontrivial }), Layout::States | Layout::Distances) => {
            positions(all) <= most && positions(nontrivial) <= positions(all)
        }
        _ => false,
    }
}

/// True if the symbols of a layer may be those of its values.
fn symbols_fit(said: &LayerInfo, layout: Layout) -> bool {
    let symbols = &said.symbols;
    let values = said.histogram.rows();
    if layout.channels() == 1 {
        return *symbols == symbols_of(&said.histogram, layout);
    }
    let has = |value: &Value| symbols.contains(&Symbol::Exact(*value));
    let may_be = |symbol: &Symbol| match symbol {
        Symbol::Win => false,
        Symbol::Exact(Value::Win(_)) => layout == Layout::States,
        Symbol::Exact(_) | Symbol::BestMove(_) => true,
    };
    let of_states = said.states.iter().flat_map(|states| states.all.rows());
    let is_distance = |value: Value| value.wdl() != Wdl::Win || layout == Layout::States;
    values.iter().all(|(value, _)| has(value))
        && symbols.iter().all(may_be)
        && of_states.into_iter().all(|(value, _)| is_distance(value))
}

/// The symbols that a table of positions stores for these values, in their order.
pub(crate) fn symbols_of(histogram: &Histogram, layout: Layout) -> Vec<Symbol> {
    let rows = histogram.rows();
    let symbols = rows.iter().map(|&(value, _)| Symbol::of(value, layout));
    let mut symbols: Vec<Symbol> = symbols.collect();
    symbols.sort_by_key(|symbol| symbol.sort_key());
    symbols.dedup();
    symbols
}
