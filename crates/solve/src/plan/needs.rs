//! Needs of a solve, known before it starts.

use hindsight_core::{PackedGame, Structure};

use super::choice::Choice;
use super::method::Method;

/// Estimate of the bytes of a table per rank: the largest measured, with a margin.
fn table_bytes_per_rank(game: &PackedGame) -> f64 {
    match game.structure() {
        // 0.03 to 0.07
        Structure::PawnPairs => 0.1,
        // 0.09 to 0.19
        Structure::TwoSided => 0.2,
        // 0.13 to 0.29, of small games
        _ => 0.25,
    }
}

/// As [`table_bytes_per_rank`], for a table of states with more than some thousand positions.
const STATES_TABLE_BYTES_PER_RANK: f64 = 1.25;

/// Estimate of the bytes per rank of an unfinished tier of states in a checkpoint.
const STATES_CHECKPOINT_BYTES_PER_RANK: f64 = 2.0;

/// Bytes that a rank of a solved tier of states takes in memory.
pub(super) const STATE_BYTES_PER_RANK: u64 = 4;

/// Bytes of a table besides its ranks.
const TABLE_HEADER_BYTES: u64 = 1 << 20;

/// Positions or ranks that a solver decides in a second, per thread: rough, from the solves of
/// `runs/2026-11-25-xeon-2c/plans.md`; tiers from `runs/2026-11-29-epyc-2c/rates.md`.
pub(super) mod rate {
    /// Positions of a graph.
    pub(in crate::plan) const GRAPH: f64 = 7e5;
    /// Ranks of tiers, if nothing is measured.
    pub(in crate::plan) const TIERS: f64 = 4e6;
    /// Ranks of tiers that are pairs of pawn squares.
    pub(in crate::plan) const PAWN_PAIRS: f64 = 1e8;
    /// Ranks of tiers of states.
    pub(in crate::plan) const STATES: f64 = 1e6;
    /// Positions in planes or bytes in memory.
    pub(in crate::plan) const PLANES: f64 = 6e7;
    /// Positions in planes that are solved slice by slice.
    pub(in crate::plan) const SLICES: f64 = 2.5e7;
    /// Ranks that are written to a table, once its models are trained.
    pub(super) const TABLE: f64 = 1.8e7;
}

/// Seconds in which the models of a table are trained by a full sample, on any number of threads.
const TRAINING_SECONDS: f64 = 4.0;

/// Ranks of a full sample.
const SAMPLE_RANKS: f64 = (1 << 25) as f64;

/// Rough time of work on `positions` at `rate` per thread and second.
pub(super) fn rough_seconds(positions: u64, rate: f64) -> f64 {
    positions as f64 / rayon::current_num_threads() as f64 / rate
}

/// Rough time in which a table of `ranks` ranks is written.
pub(super) fn writing_seconds(ranks: u64) -> f64 {
    let sampled = (ranks as f64 / SAMPLE_RANKS).min(1.0);
    TRAINING_SECONDS * sampled + rough_seconds(ranks, rate::TABLE)
}

/// Needs of a solve.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SolveNeeds {
    /// Algorithm; never [`Method::Auto`].
    pub method: Method,
    /// Choice of the method; `None` if the request names one.
    pub choice: Option<Choice>,
    /// Positions to be solved.
    pub extent: Extent,
    /// Bytes of memory at the peak; 0 if they are not known before the solve.
    pub memory: u64,
    /// Bytes of memory that each position takes, about, if their number is not known before the
    /// solve; else 0.
    pub position_bytes: u64,
    /// Bytes of the values that are kept after the solve, a part of `memory`; 0 if none are.
    pub value_bytes: u64,
    /// Bytes of disk.
    pub disk: DiskNeeds,
    /// Rough time of the solve on the threads of the current rayon pool, in seconds: mostly right
    /// within a factor of two on a processor of 2023. `None` if the positions are not counted yet.
    pub seconds: Option<f64>,
    /// Rough time in which the table is written, in seconds; 0 without one.
    pub writing_seconds: f64,
    /// Largest remoteness that the solver stores, in plies; `None` without a limit that is met in
    /// practice.
    pub max_remoteness: Option<u16>,
}

/// Positions of a solve, in the unit of its method.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Extent {
    /// Positions reachable from the start; their number is not known before the solve.
    Reachable,
    /// The same, sorted, with their moves on disk.
    Sorted,
    /// Positions that a search looks at; their number has no bound.
    Search,
    /// Positions that a search with a table of bounds looks at; their number has no bound.
    BoundedSearch,
    /// Tiers of positions.
    Tiers {
        /// Ranks, holes included.
        ranks: u64,
        /// Number of layers.
        layers: u32,
        /// True if layer 0 does not fit and is not kept.
        streamed: bool,
    },
    /// Tiers of states.
    States {
        /// Ranks of positions, holes included.
        ranks: u64,
        /// Number of layers.
        layers: u32,
    },
    /// Positions in planes in memory.
    Planes(u64),
    /// Positions in tiers of bytes in memory.
    Bytes(u64),
    /// Positions in planes that are solved slice by slice.
    Slices(u64),
}

impl Extent {
    /// Number of positions or ranks; `None` if not known before the solve.
    #[must_use]
    pub fn positions(self) -> Option<u64> {
        match self {
            Self::Reachable | Self::Sorted | Self::Search | Self::BoundedSearch => None,
            Self::Tiers { ranks, .. } | Self::States { ranks, .. } => Some(ranks),
            Self::Planes(positions) | Self::Bytes(positions) | Self::Slices(positions) => {
                Some(positions)
            }
        }
    }
}

/// Estimated bytes of disk that a solve takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct DiskNeeds {
    /// Bytes of the table, if one is written.
    pub table: u64,
    /// Bytes of finished layers, in the checkpoint or beside the table.
    pub layers: u64,
    /// Bytes of unfinished work, in the checkpoint.
    pub unfinished: u64,
}

impl DiskNeeds {
    /// Returns the needs of finished layers of `ranks` positions of a game, and of a table of them.
    #[must_use]
    pub fn of_values(game: &PackedGame, ranks: u64, has_table: bool) -> Self {
        Self::of_layers(table_bytes_per_rank(game) * ranks as f64, has_table)
    }

    /// Returns the needs of finished layers of states or distances, and of a table of them.
    ///
    /// `largest` is the number of ranks of the largest layer, whose last two saves are unfinished
    /// work.
    #[must_use]
    pub fn of_states(ranks: u64, largest: u64, has_table: bool) -> Self {
        Self {
            unfinished: (2.0 * STATES_CHECKPOINT_BYTES_PER_RANK * largest as f64) as u64,
            ..Self::of_layers(STATES_TABLE_BYTES_PER_RANK * ranks as f64, has_table)
        }
    }

    fn of_layers(bytes: f64, has_table: bool) -> Self {
        let layers = bytes as u64 + TABLE_HEADER_BYTES;
        Self { table: if has_table { layers } else { 0 }, layers, unfinished: 0 }
    }

    /// Sum of all needs, in bytes.
    #[must_use]
    pub fn total(self) -> u64 {
        self.table.saturating_add(self.layers).saturating_add(self.unfinished)
    }
}

/// Bytes of a graph for each position besides the position itself, which is in memory four times
/// while its table grows. An upper bound, from solves of Onitama.
const GRAPH_BYTES_PER_POSITION: u64 = 40;

/// Returns the most bytes that a graph of some positions may need.
pub(super) fn graph_bytes(game: &PackedGame, positions: u64) -> u64 {
    let position = (game.canonical_words() * size_of::<u32>()) as u64;
    positions.saturating_mul(GRAPH_BYTES_PER_POSITION + 4 * position)
}
