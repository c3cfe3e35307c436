//! Rows of a table: its positions with their values, layer by layer.

use std::ops::Range;

use hindsight_core::Value;

use super::tablebase::Tablebase;
use crate::error::GamesError;
use crate::positions::decoded_layer::{DecodedLayer, TableRow};
use crate::tasks::options::{Options, check_memory};

/// Ranks that are turned into rows together.
const BATCH_RANKS: u64 = 1 << 12;

/// Bytes of memory for a row: its texts, its position and its share of a file's buffer.
const ROW_BYTES: u64 = 512;

/// Rows of a layer, by [`Tablebase::rows`]: batches of some thousand ranks, in the order of tiers
/// and ranks.
///
/// Of a game in which a move may be forbidden, a position has a row with no move forbidden. A
/// second row has the only best move forbidden, where that changes the value.
#[must_use]
pub struct LayerRows {
    table: Tablebase,
    layer: DecodedLayer,
    wanted: Box<dyn Fn(Value) -> bool + Send + Sync>,
    /// Index of the tier of the next batch.
    tier: usize,
    /// First rank of the next batch.
    next: u64,
}

impl Tablebase {
    /// Returns the rows of a layer whose values are wanted. The layer is decoded at once, in the
    /// memory that [`Tablebase::check_rows`] checks.
    ///
    /// # Errors
    /// If the table has no such layer, is damaged or cannot be read.
    ///
    /// ```
    /// # let folder = tempfile::tempdir().expect("a folder");
    /// # std::env::set_current_dir(folder.path()).expect("a folder");
    /// # let options = hindsight_games::Options {
    /// #     table: Some("q.table".into()),
    /// #     ..Default::default()
    /// # };
    /// # hindsight_games::game("quoridor:3x3:1")?.solve(Default::default(), &options)?;
    /// let table = hindsight_games::open("q.table")?;
    /// let is_draw = |value| value == hindsight_games::Value::Draw;
    /// let draws: usize = table.rows(0, is_draw)?.map(|rows| rows.len()).sum();
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn rows(
        &self,
        layer: u32,
        wanted: impl Fn(Value) -> bool + Send + Sync + 'static,
    ) -> Result<LayerRows, GamesError> {
        Ok(LayerRows {
            table: self.clone(),
            layer: self.decode(layer)?,
            wanted: Box::new(wanted),
            tier: 0,
            next: 0,
        })
    }

    /// Checks that the rows of some layers, one layer after the other, fit in memory.
    ///
    /// # Errors
    /// [`Error::Memory`](crate::Error::Memory) or [`Error::Solve`](crate::Error::Solve) with the
    /// bytes needed.
    pub fn check_rows(&self, layers: Range<u32>, options: &Options) -> Result<(), GamesError> {
        let limits = options.limits();
        self.check_size(limits)?;
        let batch = BATCH_RANKS * ROW_BYTES;
        let needed = layers.map(|layer| self.layer_memory(layer).saturating_add(batch));
        check_memory(needed, limits)
    }
}

impl Iterator for LayerRows {
    type Item = Vec<TableRow>;

    fn next(&mut self) -> Option<Vec<TableRow>> {
        let mut len = self.layer.tier_len(self.tier)?;
        while self.next >= len {
            (self.tier, self.next) = (self.tier + 1, 0);
            len = self.layer.tier_len(self.tier)?;
        }
        let ranks = self.next..len.min(self.next + BATCH_RANKS);
        self.next = ranks.end;
        let game = self.table.ranks();
        Some(game.rows(&self.layer, self.tier, ranks, &*self.wanted))
    }
}

impl std::fmt::Debug for LayerRows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LayerRows")
            .field("layer", &self.layer.layer())
            .field("tier", &self.tier)
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}
