use std::collections::BTreeMap;

use hindsight_core::{Value, Wdl};

/// How many positions have each value: the golden number of a solved game. A wrong solver can get
/// start value and counts right, hardly this.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Histogram {
    counts: BTreeMap<Value, u64>,
}

impl Histogram {
    /// Adds positions of a value.
    pub fn add(&mut self, value: Value, positions: u64) {
        *self.counts.entry(value).or_default() += positions;
    }

    /// Adds the positions of another histogram.
    pub fn merge(&mut self, other: &Self) {
        for (&value, &positions) in &other.counts {
            self.add(value, positions);
        }
    }

    /// Values with their counts, by remoteness, the draws last.
    #[must_use]
    pub fn rows(&self) -> Vec<(Value, u64)> {
        let mut rows: Vec<_> = self.counts.iter().map(|(&value, &n)| (value, n)).collect();
        rows.sort_by_key(|(value, _)| {
            (value.remoteness().map_or(u32::MAX, u32::from), value.wdl())
        });
        rows
    }

    /// All positions.
    #[must_use]
    pub fn positions(&self) -> u64 {
        self.counts.values().sum()
    }

    /// A fingerprint of the rows: 64-bit FNV-1a of lines `value remoteness positions`.
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

/// What was counted in a solve.
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
    /// Counts of a histogram; edges are not counted (0).
    #[must_use]
    pub fn of(histogram: &Histogram) -> Self {
        let of = |wdl| {
            let rows = histogram.rows().into_iter();
            let of_it = rows.filter(|(value, _)| value.wdl() == wdl);
            of_it.map(|(_, positions)| positions).sum()
        };
        Self {
            positions: histogram.positions(),
            edges: 0,
            wins: of(Wdl::Win),
            losses: of(Wdl::Loss),
            draws: of(Wdl::Draw),
        }
    }

    /// One word that any change of the solve's outcome changes: positions, positions decided, and
    /// the hash of the histogram if there is one.
    #[must_use]
    pub fn signature(&self, histogram: Option<&Histogram>) -> String {
        let decided = self.wins + self.losses;
        let hash = histogram.map_or(String::from("-"), |histogram| {
            format!("{:016x}", histogram.hash())
        });
        format!("{}-{decided}-{hash}", self.positions)
    }
}
