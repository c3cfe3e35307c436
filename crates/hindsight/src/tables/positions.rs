//! Positions of a table by number.

use hindsight_tablebase::LayerInfo;

use crate::error::GamesError;
use crate::parts::table_ranks::{TableFile, TableRanks};
use crate::positions::any_value::Position;
use crate::positions::numbered::NumberedPart;

/// Most tiers of a layer in which ranks are looked up.
const MAX_TIERS: u64 = 1 << 22;
/// Most ranks of a layer that is scanned.
const MAX_SCANNED_RANKS: u64 = 1 << 24;
/// Most bytes of memory for a layer that is scanned.
const MAX_SCAN_BYTES: u64 = 1 << 28;

impl TableFile {
    /// Reads the keys of a table of reachable positions, before their ranks are asked for.
    pub(crate) fn load_keys(&self) -> Result<(), GamesError> {
        self.table.load_keys().map_err(|error| GamesError::of_table(&self.path, error))
    }

    /// Returns the layers.
    pub(crate) fn parts(&self, game: &dyn TableRanks) -> Vec<NumberedPart> {
        let layers = (0..).zip(&self.table.info().layers);
        let parts = layers.map(|(layer, info)| NumberedPart {
            places: info.ranks,
            histogram: match &info.states {
                Some(states) => states.all.clone(),
                None => info.histogram.clone(),
            },
            is_listed: info.tiers <= MAX_TIERS,
            is_scanned: self.is_scanned(game, layer, info),
            longest: longest_positions(game, info),
        });
        parts.collect()
    }

    fn is_scanned(&self, game: &dyn TableRanks, layer: u32, info: &LayerInfo) -> bool {
        let bytes = || game.decode_memory(&self.table, layer);
        info.ranks <= MAX_SCANNED_RANKS
            && info.tiers <= MAX_TIERS
            && bytes().is_ok_and(|bytes| bytes <= MAX_SCAN_BYTES)
    }

    /// Returns the positions in some places of a layer, which must ascend.
    pub(crate) fn positions_in(
        game: &dyn TableRanks,
        layer: u32,
        places: &[u64],
    ) -> Vec<Vec<Position>> {
        let addresses = game.addresses(layer, places).into_iter();
        let positions = addresses.map(|(tier, rank)| game.positions_at(tier, rank));
        positions.collect()
    }
}

fn longest_positions(game: &dyn TableRanks, info: &LayerInfo) -> Vec<Position> {
    let longest = [info.longest_win, info.longest_loss].into_iter().flatten();
    let positions = longest.filter_map(|at| game.position_at(at.tier, at.rank, 0));
    positions.collect()
}
