use std::ops::Range;

use crate::report::{HistogramRow, histogram_rows};
use hindsight_games::{Histogram, LayerInfo, StateHistograms, Tablebase};
use serde::Serialize;

use crate::tables::value_counts::ValueCounts;
use crate::valued_position::ValuedPosition;

/// Counts of the positions of a table by value.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct TableStats {
    /// Name of the table.
    pub file: String,
    /// Name of the game in the header: its spec, or `rules:` with name and version.
    pub game: String,
    /// Layout of the values.
    pub layout: String,
    /// Counts of each layer.
    pub layers: Vec<LayerStats>,
    /// Counts of all layers that are listed.
    pub total: PositionStats,
}

/// Counts of a layer.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct LayerStats {
    /// Number of the layer, from 0.
    pub layer: usize,
    /// Name of the layer.
    pub name: String,
    /// Counts of its positions.
    #[serde(flatten)]
    pub stats: PositionStats,
}

/// Counts of the positions of some layers.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct PositionStats {
    /// Tiers.
    pub tiers: u64,
    /// Ranks, holes included.
    pub ranks: u64,
    /// Counts by value.
    #[serde(flatten)]
    pub counts: ValueCounts,
    /// First of the wins that take the most plies.
    pub longest_win: Option<ValuedPosition>,
    /// First of the losses that take the most plies.
    pub longest_loss: Option<ValuedPosition>,
    /// Positions by value and plies.
    pub histogram: Vec<HistogramRow>,
    /// States, without those of positions that are won at once, if the table keeps states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// These states by value and plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub state_histogram: Option<Vec<HistogramRow>>,
    /// All states.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_states: Option<u64>,
    /// All states by value and plies.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub all_state_histogram: Option<Vec<HistogramRow>>,
}

impl TableStats {
    /// Counts some layers of a table whose file has a name.
    ///
    /// # Panics
    /// If the table does not have the layers.
    #[must_use]
    pub fn new(file: String, table: &Tablebase, layers: Range<usize>) -> Self {
        let counts = &table.stats()[layers.clone()];
        let layers: Vec<LayerStats> = layers.map(|layer| LayerStats::new(table, layer)).collect();
        let sum =
            |count: fn(&PositionStats) -> u64| layers.iter().map(|layer| count(&layer.stats)).sum();
        let total = PositionStats {
            longest_win: longest(layers.iter().map(|layer| &layer.stats.longest_win)),
            longest_loss: longest(layers.iter().map(|layer| &layer.stats.longest_loss)),
            ..PositionStats::new(
                sum(|stats| stats.tiers),
                sum(|stats| stats.ranks),
                &LayerInfo::sum_histograms(counts),
                LayerInfo::sum_states(counts).as_ref(),
            )
        };
        Self {
            file,
            game: table.info().spec.clone(),
            layout: table.info().layout.to_string(),
            layers,
            total,
        }
    }
}

impl LayerStats {
    fn new(table: &Tablebase, layer: usize) -> Self {
        let info = &table.stats()[layer];
        let valued = |example| ValuedPosition::example(table, example);
        let stats = PositionStats {
            longest_win: info.longest_win.map(valued),
            longest_loss: info.longest_loss.map(valued),
            ..PositionStats::new(info.tiers, info.ranks, &info.histogram, info.states.as_ref())
        };
        Self { layer, name: info.name.clone(), stats }
    }
}

impl PositionStats {
    /// Counts a histogram, and those of states. The longest win and loss are left empty.
    fn new(
        tiers: u64,
        ranks: u64,
        histogram: &Histogram,
        states: Option<&StateHistograms>,
    ) -> Self {
        Self {
            tiers,
            ranks,
            counts: ValueCounts::new(histogram),
            longest_win: None,
            longest_loss: None,
            histogram: histogram_rows(histogram),
            states: states.map(|states| states.nontrivial.positions()),
            state_histogram: states.map(|states| histogram_rows(&states.nontrivial)),
            all_states: states.map(|states| states.all.positions()),
            all_state_histogram: states.map(|states| histogram_rows(&states.all)),
        }
    }
}

/// Returns the position with the greatest remoteness; the first of several.
fn longest<'a>(valued: impl Iterator<Item = &'a Option<ValuedPosition>>) -> Option<ValuedPosition> {
    let longest = valued
        .flatten()
        .reduce(|best, valued| if valued.remoteness > best.remoteness { valued } else { best });
    longest.cloned()
}
