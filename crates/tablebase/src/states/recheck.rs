//! The states of a layer in memory, recomputed from those of their successors.

use std::ops::Range;

use hindsight_core::{ForbiddenMove, OutEdge, Value};

use super::WIN_IN_ONE;
use super::decode::StateLayer;
use crate::ordinals::checked_before;
use crate::verify::{MAX_REPORTED, TableFault};

/// A layer whose states are recomputed, and the values with nothing forbidden of those it leads to.
pub(crate) struct StateRecheck<'a, G> {
    pub(crate) game: &'a G,
    pub(crate) layer: &'a StateLayer,
    pub(crate) next_layers: &'a [StateLayer],
}

/// A value with nothing forbidden, and what is worth knowing of the only best way.
type StateValues = (Value, Option<(u8, Value)>);

/// The moves of a position.
#[derive(Default)]
struct EdgeScratch {
    outside: Vec<(u64, u64)>,
    edges: Vec<OutEdge>,
}

/// The best of some moves: its value, its way or 0, whether it is the only one; and the best without it.
#[derive(Default)]
struct BestMoves {
    value: Option<Value>,
    move_id: u8,
    tied: bool,
    second: Option<Value>,
}

impl BestMoves {
    fn add(&mut self, value: Value, way: u8) {
        let value = Some(value);
        if value > self.value {
            self.second = self.value;
            (self.value, self.move_id, self.tied) = (value, way, false);
        } else {
            self.tied |= value == self.value;
            self.second = self.second.max(value);
        }
    }

    fn values(&self) -> Result<StateValues, &'static str> {
        let value = self
            .value
            .ok_or("a position that is not over has no move")?;
        if self.move_id == 0 || self.tied {
            return Ok((value, None));
        }
        let second = self
            .second
            .ok_or("a position has no move but one that can be forbidden")?;
        Ok((value, Some((self.move_id, second))))
    }
}

impl<G: ForbiddenMove> StateRecheck<'_, G> {
    /// Positions of some ranks, and what is wrong with them.
    pub(crate) fn run(&self, ranks: Range<u64>) -> (u64, Vec<TableFault>) {
        let (mut positions, mut faults) = (0, Vec::new());
        let mut met = EdgeScratch::default();
        for rank in ranks {
            let Some(found) = self.recompute(rank, &mut met) else {
                continue;
            };
            positions += 1;
            let said = self
                .layer
                .value(rank)
                .map(|value| (value, self.layer.exception(rank)));
            let what = match (said, found) {
                (Some(said), Ok(found)) if said == found => continue,
                (Some(said), Ok(found)) => {
                    let (said, found) = (values_text(said), values_text(found));
                    format!("the table says {said}, the successors make it {found}")
                }
                (None, Ok(_)) => String::from("a position has no value"),
                (_, Err(what)) => String::from(what),
            };
            if faults.len() < MAX_REPORTED {
                faults.push(TableFault {
                    layer: Some(self.layer.layer()),
                    address: Some((self.layer.tier(), rank)),
                    description: what,
                });
            }
        }
        (positions, faults)
    }

    /// What is known of a rank, from the states that its moves lead to; `None` for a hole.
    fn recompute(
        &self,
        rank: u64,
        met: &mut EdgeScratch,
    ) -> Option<Result<StateValues, &'static str>> {
        let tier = self.layer.tier();
        met.outside.clear();
        let outlook = self.game.summarize_moves(tier, rank, &mut met.outside)?;
        if outlook.best == Some(WIN_IN_ONE) {
            // Nothing is better, and nothing forbids it.
            return Some(Ok((WIN_IN_ONE, None)));
        }
        let mut best = BestMoves::default();
        if let Some(value) = outlook.best {
            best.add(value, 0);
        }
        met.edges.clear();
        self.game.edges_from(tier, rank, &mut met.edges);
        for step in &met.edges {
            let Some(value) = self.successor_value(step).and_then(checked_before) else {
                return Some(Err("a successor has no value"));
            };
            best.add(value, step.move_id);
        }
        Some(best.values())
    }

    /// The value of the state that a move leads to.
    fn successor_value(&self, step: &OutEdge) -> Option<Value> {
        if step.tier == self.layer.tier() {
            return self.layer.state(step.rank, step.forbids);
        }
        // What such a move forbids would not be known.
        let next = self
            .next_layers
            .iter()
            .find(|next| next.tier() == step.tier)?;
        next.value(step.rank)
            .filter(|_| step.forbids == 0 && step.move_id == 0)
    }
}

/// What is known of a position, in words.
fn values_text((value, exception): StateValues) -> String {
    match exception {
        None => format!("{value}, whatever is forbidden"),
        Some((way, without)) => format!("{value}, and {without} without way {way}"),
    }
}

#[cfg(test)]
mod tests {
    use super::BestMoves;
    use hindsight_core::Value::{Draw, Loss, Win};

    #[test]
    fn only_the_single_best_way_makes_an_exception() {
        let known = |moves: &[(hindsight_core::Value, u8)]| {
            let mut best = BestMoves::default();
            moves.iter().for_each(|&(value, way)| best.add(value, way));
            best.values()
        };
        assert_eq!(
            known(&[(Win(3), 7), (Draw, 0)]),
            Ok((Win(3), Some((7, Draw))))
        );
        assert_eq!(
            known(&[(Draw, 2), (Win(3), 7)]),
            Ok((Win(3), Some((7, Draw))))
        );
        assert_eq!(
            known(&[(Win(3), 7), (Win(3), 8), (Draw, 1)]),
            Ok((Win(3), None))
        );
        assert_eq!(known(&[(Loss(4), 0), (Loss(2), 5)]), Ok((Loss(4), None)));
        assert_eq!(
            known(&[(Loss(2), 5), (Loss(4), 6), (Loss(2), 7)]),
            Ok((Loss(4), Some((6, Loss(2)))))
        );
        assert!(known(&[]).is_err() && known(&[(Draw, 1)]).is_err());
    }
}
