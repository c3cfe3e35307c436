use std::collections::BTreeMap;

use hindsight_core::{Value, Wdl};

/// Number of positions with each value: the golden number of a solved game.
///
/// A wrong solver can get the value of the start and all counts right, but hardly this.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Histogram {
    counts: BTreeMap<Value, u64>,
}

impl Histogram {
    /// Counts `positions` more with this value.
    pub fn add(&mut self, value: Value, positions: u64) {
        *self.counts.entry(value).or_default() += positions;
    }

    /// Adds all counts of another histogram.
    pub fn merge(&mut self, other: &Self) {
        for (&value, &positions) in &other.counts {
            self.add(value, positions);
        }
    }

    /// Values with their counts, by remoteness; at equal remoteness the loss first. Draws come
    /// last.
    #[must_use]
    pub fn rows(&self) -> Vec<(Value, u64)> {
        let mut rows: Vec<_> = self.counts.iter().map(|(&value, &n)| (value, n)).collect();
        rows.sort_by_key(|(value, _)| {
            (value.remoteness().map_or(u32::MAX, u32::from), value.wdl())
        });
        rows
    }

    /// Number of all positions.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.counts.values().sum()
    }

    /// Fingerprint of the rows: 64-bit FNV-1a of a line per row.
    ///
    /// A line is `win in N POSITIONS`, `loss in N POSITIONS` or `draw POSITIONS`.
    #[must_use]
    pub fn hash(&self) -> u64 {
        let mut hash = 0xCBF2_9CE4_8422_2325_u64;
        for (value, positions) in self.rows() {
            for byte in format!("{value} {positions}\n").bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3);
            }
        }
        hash
    }
}

impl FromIterator<(Value, u64)> for Histogram {
    fn from_iter<I: IntoIterator<Item = (Value, u64)>>(rows: I) -> Self {
        let mut histogram = Self::default();
        for (value, positions) in rows {
            histogram.add(value, positions);
        }
        histogram
    }
}

/// Totals of a solve.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Positions met.
    pub positions: u64,
    /// Moves between them.
    pub edges: u64,
    /// Positions won for the side to move.
    pub wins: u64,
    /// Positions lost for the side to move.
    pub losses: u64,
    /// Positions drawn.
    pub draws: u64,
}

impl Summary {
    /// Totals of a histogram; edges are not counted (0).
    #[must_use]
    pub fn of(histogram: &Histogram) -> Self {
        let count = |wdl| {
            let rows = histogram.rows().into_iter();
            let rows = rows.filter(|(value, _)| value.wdl() == wdl);
            rows.map(|(_, positions)| positions).sum()
        };
        Self {
            positions: histogram.positions(),
            edges: 0,
            wins: count(Wdl::Win),
            losses: count(Wdl::Loss),
            draws: count(Wdl::Draw),
        }
    }

    /// Signature of a solve: `positions-decided-hash`, with `-` for the hash if there is no
    /// histogram.
    ///
    /// `decided` is the number of wins and losses. Edges do not enter.
    #[must_use]
    pub fn signature(&self, histogram: Option<&Histogram>) -> String {
        let decided = self.wins + self.losses;
        let hash =
            histogram.map_or(String::from("-"), |histogram| format!("{:016x}", histogram.hash()));
        format!("{}-{decided}-{hash}", self.positions)
    }
}

/// Outcome of a strong solve: a value for every position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StrongSolution {
    /// The value of the start.
    pub start: Value,
    /// Positions, with every copy of a tier; edges are not counted (0).
    pub summary: Summary,
    /// Positions by value, with every copy of a tier.
    pub histogram: Histogram,
}
