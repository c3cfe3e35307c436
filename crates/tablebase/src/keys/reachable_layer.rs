//! Values of reachable positions as the one layer of a table.

use std::sync::Arc;

use hindsight_core::{PackedGame, RetroRules, Value};
use hindsight_engine::Layer;
use hindsight_engine::keys::{CodedPositions, KeySet, sorted, sorting_bytes};

use super::keyed_ranks::KeyedRanks;
use super::table_keys::Keys;

/// Values of reachable positions in the order of their keys.
#[derive(Debug)]
pub struct ReachableLayer {
    /// The game, in which these positions and no others have ranks.
    pub game: PackedGame,
    /// The values.
    pub layer: Arc<Layer>,
    pub(crate) keys: Arc<KeySet>,
}

impl ReachableLayer {
    /// Sorts all canonical positions of a game that can be reached. `palette` has the value of each
    /// code.
    ///
    /// Memory: [`ReachableLayer::sorting_bytes`] a position.
    #[must_use]
    pub fn new(
        game: &PackedGame,
        positions: &CodedPositions<'_>,
        palette: Vec<Option<Value>>,
    ) -> Self {
        let (keys, codes) = sorted(positions);
        let starts = vec![0, codes.len() as u64];
        let layer = Layer { layer: 0, tiers: vec![0], starts, codes, palette };
        Self::of_sorted(game, Arc::new(keys), Arc::new(layer))
    }

    /// Takes positions that are sorted, with their values in the same order.
    #[must_use]
    pub fn of_sorted(game: &PackedGame, keys: Arc<KeySet>, layer: Arc<Layer>) -> Self {
        Self { game: keyed_game(game, Arc::new(Arc::clone(&keys))), layer, keys }
    }

    /// Returns the most bytes that a position takes while it is sorted and written.
    #[must_use]
    pub fn sorting_bytes(game: &PackedGame) -> u64 {
        sorting_bytes(game.canonical_words())
    }
}

/// Returns a game in which the positions with keys have ranks, and no others.
pub(crate) fn keyed_game(game: &PackedGame, keys: Arc<dyn Keys>) -> PackedGame {
    let game = game.rules_alone();
    let ranks: Arc<RetroRules> = Arc::new(KeyedRanks { game: game.clone(), keys });
    game.with_ranks(ranks)
}
