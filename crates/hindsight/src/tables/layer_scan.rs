//! Values of a layer of a table, rank by rank.

use std::ops::Range;

use hindsight_core::Value;

use super::tablebase::Tablebase;
use crate::error::GamesError;
use crate::positions::decoded_layer::DecodedLayer;
use crate::tasks::options::{Options, check_memory};

/// Ranks of one batch of a scan, holes included; fewer at the end.
const BATCH_RANKS: u64 = 1 << 16;

/// Values of a layer, by [`Tablebase::scan`]: batches of ranks, in the order of tiers and ranks.
#[must_use]
pub struct LayerScan {
    table: Tablebase,
    layer: DecodedLayer,
    /// Index of the tier of the next batch.
    tier: usize,
    /// First rank of the next batch.
    next: u64,
}

/// Ranks of a layer and their values, without holes: lists of one length. No move is
/// forbidden.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ScannedRanks {
    /// Tiers, ascending.
    pub tiers: Vec<u64>,
    /// Ranks, ascending in each tier.
    pub ranks: Vec<u64>,
    /// Numbers of positions that a rank stands for by a symmetry of tiers, itself included.
    pub copies: Vec<u64>,
    /// Values for the side to move.
    pub values: Vec<Value>,
}

impl Tablebase {
    /// Returns the values of a layer, which is decoded at once: a byte a rank.
    ///
    /// # Errors
    /// [`Error::Memory`](crate::Error::Memory) if the layer does not fit; if the table is damaged
    /// or cannot be read.
    ///
    /// # Panics
    /// If the table has no such layer.
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
    /// let mut positions = 0;
    /// for batch in table.scan(0, &hindsight_games::Options::default())? {
    ///     assert_eq!(batch.ranks.len(), batch.values.len());
    ///     positions += batch.copies.iter().sum::<u64>();
    /// }
    /// assert_eq!(positions, table.stats()[0].histogram.positions());
    /// # Ok::<(), hindsight_games::Error>(())
    /// ```
    pub fn scan(&self, layer: u32, options: &Options) -> Result<LayerScan, GamesError> {
        let limits = options.limits();
        self.check_size(limits)?;
        check_memory([self.layer_memory(layer)].into_iter(), limits)?;
        Ok(LayerScan { table: self.clone(), layer: self.decode(layer)?, tier: 0, next: 0 })
    }
}

impl Iterator for LayerScan {
    type Item = ScannedRanks;

    fn next(&mut self) -> Option<ScannedRanks> {
        let mut batch = ScannedRanks::default();
        let mut room = BATCH_RANKS;
        while room > 0
            && let Some(len) = self.layer.tier_len(self.tier)
        {
            let ranks = self.next..len.min(self.next + room);
            room -= ranks.end - ranks.start;
            self.next = ranks.end;
            batch.add(&self.table, &self.layer, self.tier, ranks);
            if self.next == len {
                (self.tier, self.next) = (self.tier + 1, 0);
            }
        }
        (room < BATCH_RANKS).then_some(batch)
    }
}

impl ScannedRanks {
    fn add(&mut self, table: &Tablebase, layer: &DecodedLayer, i: usize, ranks: Range<u64>) {
        let tier = layer.tier(i);
        let mut run = table.ranks().orbit_run(tier, ranks.start);
        for rank in ranks {
            if rank == run.ranks.end {
                run = table.ranks().orbit_run(tier, rank);
            }
            if let Some(value) = layer.value(i, rank) {
                self.tiers.push(tier);
                self.copies.push(run.orbit_size);
                self.ranks.push(rank);
                self.values.push(value);
            }
        }
    }
}

impl std::fmt::Debug for LayerScan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("LayerScan")
            .field("layer", &self.layer.layer())
            .field("tier", &self.tier)
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}
