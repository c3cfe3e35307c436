//! Tables of a game, by the numbering of its positions.

use std::ops::Range;
use std::path::PathBuf;

use hindsight_core::{Answer, OrbitRun, Value};
use hindsight_engine::{Error, Limits, Monitor};
use hindsight_tablebase::{Table, TableError, TableVerdict};

use super::reader::PackedReader;
use crate::error::GamesError;
use crate::positions::any_value::Position;
use crate::positions::decoded_layer::{DecodedLayer, TableRow};
use crate::table_bytes::TableBytes;
use crate::tasks::distances::AnyShortestLine;
use crate::tasks::folder::KeptWork;

/// Open table, with the name of its file.
pub(crate) struct TableFile {
    pub(crate) path: PathBuf,
    /// Length of the file.
    pub(crate) bytes: u64,
    pub(crate) table: Table<TableBytes>,
}

/// Numbering of the positions of a game, by which tables are read.
pub(crate) trait TableRanks: Send + Sync {
    fn layers(&self) -> u32;
    fn layer_name(&self, layer: u32) -> String;

    /// Compares a header with the game.
    fn check_header(&self, table: &Table<TableBytes>) -> Result<(), TableError>;

    /// Checks, without listing tiers, that they are not too many to be listed.
    fn check_size(&self, memory: u64) -> Result<(), Error>;

    /// Returns the tier of a position; `None` if it is terminal or has no rank.
    fn tier(&self, position: &Position) -> Option<u64>;

    /// Returns the position at any tier and rank; `forbidden` is the id of a forbidden move, or 0.
    fn position_at(&self, tier: u64, rank: u64, forbidden: u8) -> Option<Position>;

    /// Returns the number of ranks of a tier, holes included; `None` if there is no such tier.
    fn tier_len(&self, tier: u64) -> Option<u64>;

    /// Returns how many positions a rank stands for by symmetry, and the ranks from this one on
    /// that stand for as many.
    fn orbit_run(&self, tier: u64, rank: u64) -> OrbitRun;

    /// Returns the tier and rank of a position; `None` if it has none.
    fn address(&self, position: &Position) -> Result<Option<(u64, u64)>, GamesError>;

    /// Returns the values at some ranks of a tier, which it has; unknown for holes.
    fn probe_ranks(
        &self,
        file: &TableFile,
        tier: u64,
        ranks: &[u64],
    ) -> Result<Vec<Answer>, GamesError>;

    /// Returns the tier and rank of some ranks of a layer, which are counted from its first tier on
    /// and must ascend.
    fn addresses(&self, layer: u32, ranks: &[u64]) -> Vec<(u64, u64)>;

    /// Returns the position at an address, or its states that some move leads to. None for a hole.
    fn positions_at(&self, tier: u64, rank: u64) -> Vec<Position>;

    /// Returns the ranked member of a position's class; `None` if the position has no rank.
    fn ranked_member(&self, position: &Position) -> Result<Option<Position>, GamesError>;

    fn reader<'a>(&'a self, file: &'a TableFile) -> PackedReader<'a>;

    /// Returns a shortest line to a position, by a table of distances.
    fn line_to(
        &self,
        file: &TableFile,
        position: &Position,
    ) -> Result<Option<AnyShortestLine>, GamesError>;

    /// Returns the bytes of memory that [`TableRanks::decode`] needs.
    fn decode_memory(&self, table: &Table<TableBytes>, layer: u32) -> Result<u64, TableError>;
    fn decode(&self, table: &Table<TableBytes>, layer: u32) -> Result<DecodedLayer, TableError>;

    /// Returns the rows of some ranks of the `i`-th tier of a layer, those with a wanted value.
    fn rows(
        &self,
        layer: &DecodedLayer,
        i: usize,
        ranks: Range<u64>,
        wanted: &dyn Fn(Value) -> bool,
    ) -> Vec<TableRow>;

    /// Returns true if a second solve can keep its work.
    fn keeps_second_solve(&self) -> bool;

    /// Compares a table with a second solve, which may keep its work.
    fn verify_by_solving(
        &self,
        table: &Table<TableBytes>,
        limits: Limits,
        kept: Option<KeptWork<'_>>,
        monitor: &mut dyn Monitor,
    ) -> Result<SecondSolve, TableError>;

    /// Returns the bytes of memory that [`TableRanks::verify`] needs.
    fn verify_memory(&self, table: &Table<TableBytes>) -> Result<u64, TableError>;
    fn verify(
        &self,
        table: &Table<TableBytes>,
        limits: Limits,
        monitor: &mut dyn Monitor,
    ) -> Result<TableVerdict, TableError>;
}

/// Outcome of a check by a second solve.
pub(crate) enum SecondSolve {
    Compared(TableVerdict),
    /// No solver is faster than [`TableRanks::verify`], or the fast one did not solve the game.
    Unsolved {
        /// Bytes of memory of a solve that keeps its work, if the lack of memory was the cause.
        kept_memory: Option<u64>,
        /// Position that only the second solve or only the table has, in words.
        fault: Option<String>,
    },
}
