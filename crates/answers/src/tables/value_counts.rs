use crate::report::{HistogramRow, histogram_rows};
use hindsight_core::Value;
use hindsight_games::{Histogram, SolvedGame, Summary};
use serde::Serialize;

/// Number of positions by value.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct ValueCounts {
    /// Positions.
    pub positions: u64,
    /// Positions that the side to move wins.
    pub wins: u64,
    /// Positions that the side to move loses.
    pub losses: u64,
    /// Drawn positions.
    pub draws: u64,
    /// Mean plies of wins and losses; null if there are none.
    pub mean_remoteness: Option<f64>,
}

impl ValueCounts {
    /// Counts a histogram.
    #[must_use]
    pub fn new(histogram: &Histogram) -> Self {
        let counts = Summary::of(histogram);
        let plies = |&(value, n): &(Value, u64)| Some(f64::from(value.remoteness()?) * n as f64);
        let sum: f64 = histogram.rows().iter().filter_map(plies).sum();
        let decided = counts.wins + counts.losses;
        Self {
            positions: counts.positions,
            wins: counts.wins,
            losses: counts.losses,
            draws: counts.draws,
            mean_remoteness: (decided > 0).then(|| sum / decided as f64),
        }
    }
}

/// Counts of a game solved in memory.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct SolvedStats {
    /// Spec of the game in its normal form.
    pub game: String,
    /// Positions that were solved: `all` or `reachable`.
    pub scope: &'static str,
    /// Counts by value.
    #[serde(flatten)]
    pub counts: ValueCounts,
    /// Positions by value and plies.
    pub histogram: Vec<HistogramRow>,
}

impl SolvedStats {
    /// Counts a solved game; `None` if its solver has no histogram.
    #[must_use]
    pub fn new(solved: &SolvedGame, scope: &'static str) -> Option<Self> {
        let histogram = solved.histogram()?;
        Some(Self {
            game: solved.values().game().spec().to_string(),
            scope,
            counts: ValueCounts::new(&histogram),
            histogram: histogram_rows(&histogram),
        })
    }
}
