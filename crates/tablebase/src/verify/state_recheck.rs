//! Recomputation of a layer's states from the states that their moves lead to.

use std::ops::Range;

use hindsight_core::{ForbiddenMove, OutEdge, PackedGame, Value};

use super::verifier::difference;
use crate::states::decode::StateLayer;
use crate::states::rank_class::WIN_IN_ONE;
use crate::symbols::ordinals::checked_before;
use crate::verdict::TableVerdict;
use hindsight_engine::StateValues;

/// A layer whose states are recomputed, and the values of its successor layers with nothing
/// forbidden.
pub(super) struct StateRecheck<'a> {
    pub(super) game: &'a PackedGame,
    pub(super) layer: &'a StateLayer,
    pub(super) successor_layers: &'a [StateLayer],
}

/// Buffers for the moves of a position.
#[derive(Default)]
struct EdgeScratch {
    outside: Vec<(u64, u64)>,
    edges: Vec<OutEdge>,
}

/// The best move so far, and the best value without it.
#[derive(Default)]
struct BestMoves {
    /// Value of the best move.
    value: Option<Value>,
    /// Id of the best move; 0 if it cannot be forbidden.
    move_id: u8,
    /// True if another move is as good.
    tied: bool,
    /// Best value without the best move.
    second: Option<Value>,
}

impl BestMoves {
    fn add(&mut self, value: Value, move_id: u8) {
        let value = Some(value);
        if value > self.value {
            self.second = self.value;
            (self.value, self.move_id, self.tied) = (value, move_id, false);
        } else {
            self.tied |= value == self.value;
            self.second = self.second.max(value);
        }
    }

    fn values(&self) -> Result<StateValues, &'static str> {
        let value = self.value.ok_or("a position that is not over has no move")?;
        if self.move_id == 0 || self.tied {
            return Ok((value, None));
        }
        let second = self.second.ok_or("a position has no move but one that can be forbidden")?;
        Ok((value, Some((self.move_id, second))))
    }
}

impl StateRecheck<'_> {
    pub(super) fn run(&self, ranks: Range<u64>) -> TableVerdict {
        let mut verdict = TableVerdict::default();
        let mut scratch = EdgeScratch::default();
        for rank in ranks {
            let Some(recomputed) = self.recompute(rank, &mut scratch) else {
                continue;
            };
            verdict.positions_checked += 1;
            let stored = self.layer.value(rank);
            let stored = stored.map(|value| (value, self.layer.exception(rank)));
            if let Some(fault) = difference(stored, recomputed, values_text) {
                let address = Some((self.layer.tier(), rank));
                verdict.push_fault(Some(self.layer.layer()), address, fault);
            }
        }
        verdict
    }

    /// Recomputes a rank from the states that its moves lead to. `None` for a hole.
    fn recompute(
        &self,
        rank: u64,
        scratch: &mut EdgeScratch,
    ) -> Option<Result<StateValues, &'static str>> {
        let tier = self.layer.tier();
        scratch.outside.clear();
        let summary = self.game.summarize_moves(tier, rank, &mut scratch.outside)?;
        if summary.best == Some(WIN_IN_ONE) {
            // No value is better, and the move cannot be forbidden.
            return Some(Ok((WIN_IN_ONE, None)));
        }
        let mut best = BestMoves::default();
        if let Some(value) = summary.best {
            best.add(value, 0);
        }
        scratch.edges.clear();
        self.game.edges_from(tier, rank, &mut scratch.edges);
        for edge in &scratch.edges {
            let Some(value) = self.successor_value(edge).and_then(checked_before) else {
                return Some(Err("a successor has no value"));
            };
            best.add(value, edge.move_id);
        }
        Some(best.values())
    }

    /// Value of the state that a move leads to.
    fn successor_value(&self, edge: &OutEdge) -> Option<Value> {
        if edge.tier == self.layer.tier() {
            return self.layer.state(edge.rank, edge.forbids);
        }
        // Successor layers are decoded without exceptions, so a move to them must neither forbid a
        // move nor be forbiddable.
        let layer = self.successor_layers.iter().find(|layer| layer.tier() == edge.tier)?;
        layer.value(edge.rank).filter(|_| edge.forbids == 0 && edge.move_id == 0)
    }
}

/// Describes the values of a position.
fn values_text(values: StateValues) -> String {
    let (value, exception) = values;
    match exception {
        None => format!("{value}, whatever is forbidden"),
        Some((move_id, without)) => format!("{value}, and {without} without move {move_id}"),
    }
}

#[cfg(test)]
mod tests {
    use super::BestMoves;
    use hindsight_core::Value::{Draw, Loss, Win};

    #[test]
    fn only_a_single_best_move_makes_an_exception() {
        let values = |moves: &[(hindsight_core::Value, u8)]| {
            let mut best = BestMoves::default();
            moves.iter().for_each(|&(value, id)| best.add(value, id));
            best.values()
        };
        assert_eq!(values(&[(Win(3), 7), (Draw, 0)]), Ok((Win(3), Some((7, Draw)))));
        assert_eq!(values(&[(Draw, 2), (Win(3), 7)]), Ok((Win(3), Some((7, Draw)))));
        assert_eq!(values(&[(Win(3), 7), (Win(3), 8), (Draw, 1)]), Ok((Win(3), None)));
        assert_eq!(values(&[(Loss(4), 0), (Loss(2), 5)]), Ok((Loss(4), None)));
        assert_eq!(
            values(&[(Loss(2), 5), (Loss(4), 6), (Loss(2), 7)]),
            Ok((Loss(4), Some((6, Loss(2)))))
        );
        assert!(values(&[]).is_err() && values(&[(Draw, 1)]).is_err());
    }
}
