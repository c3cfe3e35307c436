//! A game whose ranks are the numbers of the keys of its reachable positions.

use std::ops::Range;
use std::sync::Arc;

use hindsight_core::{Game, Packed, PackedGame, PackedMove, Ranked, Retro, Tiers, Value, Wdl};
use hindsight_engine::keys::KeySet;

use super::table_keys::Keys;

/// Ranks of positions that a table has; all others have none. In a forged table a key may be that
/// of no position: its rank is a hole.
///
/// Moves are not taken back: such a game has values from its table alone.
pub(crate) struct KeyedRanks {
    pub(crate) game: PackedGame,
    pub(crate) keys: Arc<dyn Keys>,
}

impl KeyedRanks {
    /// Returns all keys; `None` if their bytes cannot be read. Whoever must know that asks before,
    /// by [`Table::load_keys`](crate::Table::load_keys).
    fn keys(&self) -> Option<&KeySet> {
        self.keys.whole().ok().map(|keys| &**keys)
    }
}

impl Game for KeyedRanks {
    type Position = Packed;
    type Move = PackedMove;

    fn start(&self) -> Packed {
        self.game.start()
    }

    fn player_to_move(&self, position: Packed) -> usize {
        self.game.player_to_move(position)
    }

    fn terminal(&self, position: Packed) -> Option<Wdl> {
        self.game.terminal(position)
    }

    fn moves(&self, position: Packed, out: &mut Vec<PackedMove>) {
        self.game.moves(position, out);
    }

    fn play(&self, position: Packed, mv: PackedMove) -> Packed {
        self.game.play(position, mv)
    }

    fn successors(&self, position: Packed, out: &mut Vec<Packed>) {
        self.game.successors(position, out);
    }
}

impl Tiers for KeyedRanks {
    fn layer_name(&self, _: u32) -> String {
        "positions that can be reached".into()
    }

    fn tier_len(&self, tier: u64) -> u64 {
        if tier == 0 { self.keys.len() } else { 0 }
    }
}

impl Ranked for KeyedRanks {
    fn rank(&self, position: Packed) -> Option<(u64, u64)> {
        let rank = self.keys.find(&self.game.canonical(position)).ok()??;
        Some((0, rank))
    }

    fn rank_all(&self, positions: &[Packed], out: &mut Vec<Option<(u64, u64)>>) {
        let mut canonical = positions.to_vec();
        self.game.canonicalize(&mut canonical);
        match self.keys() {
            None => out.extend(positions.iter().map(|_| None)),
            Some(keys) => {
                let ranks = keys.find_all(&canonical).into_iter();
                out.extend(ranks.map(|rank| rank.map(|rank| (0, rank))));
            }
        }
    }

    fn unrank(&self, tier: u64, rank: u64) -> Option<Packed> {
        let position = if tier == 0 { self.keys.get(rank).ok()? } else { None };
        position.filter(|&position| self.game.is_position(position))
    }

    fn unrank_range(&self, tier: u64, ranks: Range<u64>, out: &mut Vec<(u64, Packed)>) {
        if let (0, Some(keys)) = (tier, self.keys()) {
            keys.each(ranks, &mut |rank, position| {
                if self.game.is_position(position) {
                    out.push((rank, position));
                }
                true
            });
        }
    }

    fn is_implied(&self, _: Value) -> Option<bool> {
        Some(false)
    }
}

impl Retro for KeyedRanks {}
