//! The states of a layer in memory, recomputed from those of their successors.

use std::ops::Range;

use hindsight_core::{ForbiddenMove, OutEdge, Value};

use super::AT_ONCE;
use super::decode::StateLayer;
use crate::shape::before;
use crate::verify::{Fault, TOLD};

/// A layer whose states are recomputed, and the values with nothing forbidden of those it leads to.
pub(crate) struct Recheck<'a, G> {
    pub(crate) game: &'a G,
    pub(crate) layer: &'a StateLayer,
    pub(crate) next: &'a [StateLayer],
}

/// A value with nothing forbidden, and what is worth knowing of the only best way.
type Known = (Value, Option<(u8, Value)>);

/// The moves of a position.
#[derive(Default)]
struct Met {
    outside: Vec<(u64, u64)>,
    steps: Vec<OutEdge>,
}

/// The best of some moves: its value, its way or 0, whether it is the only one; and the best without it.
#[derive(Default)]
struct Best {
    value: Option<Value>,
    way: u8,
    tied: bool,
    second: Option<Value>,
}

impl Best {
    fn add(&mut self, value: Value, way: u8) {
        let value = Some(value);
        if value > self.value {
            self.second = self.value;
            (self.value, self.way, self.tied) = (value, way, false);
        } else {
            self.tied |= value == self.value;
            self.second = self.second.max(value);
        }
    }

    fn known(&self) -> Result<Known, &'static str> {
        let value = self
            .value
            .ok_or("a position that is not over has no move")?;
        if self.way == 0 || self.tied {
            return Ok((value, None));
        }
        let second = self
            .second
            .ok_or("a position has no move but one that can be forbidden")?;
        Ok((value, Some((self.way, second))))
    }
}

impl<G: ForbiddenMove> Recheck<'_, G> {
    /// Positions of some ranks, and what is wrong with them.
    pub(crate) fn run(&self, ranks: Range<u64>) -> (u64, Vec<Fault>) {
        let (mut positions, mut faults) = (0, Vec::new());
        let mut met = Met::default();
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
                    let (said, found) = (tell(said), tell(found));
                    format!("the table says {said}, the successors make it {found}")
                }
                (None, Ok(_)) => String::from("a position has no value"),
                (_, Err(what)) => String::from(what),
            };
            if faults.len() < TOLD {
                faults.push(Fault {
                    layer: Some(self.layer.layer()),
                    place: Some((self.layer.tier(), rank)),
                    what,
                });
            }
        }
        (positions, faults)
    }

    /// What is known of a rank, from the states that its moves lead to; `None` for a hole.
    fn recompute(&self, rank: u64, met: &mut Met) -> Option<Result<Known, &'static str>> {
        let tier = self.layer.tier();
        met.outside.clear();
        let outlook = self.game.classify_moves(tier, rank, &mut met.outside)?;
        if outlook.best == Some(AT_ONCE) {
            // Nothing is better, and nothing forbids it.
            return Some(Ok((AT_ONCE, None)));
        }
        let mut best = Best::default();
        if let Some(value) = outlook.best {
            best.add(value, 0);
        }
        met.steps.clear();
        self.game.edges_from(tier, rank, &mut met.steps);
        for step in &met.steps {
            let Some(value) = self.after(step).and_then(before) else {
                return Some(Err("a successor has no value"));
            };
            best.add(value, step.move_id);
        }
        Some(best.known())
    }

    /// The value of the state that a move leads to.
    fn after(&self, step: &OutEdge) -> Option<Value> {
        if step.tier == self.layer.tier() {
            return self.layer.state(step.rank, step.forbids);
        }
        // What such a move forbids would not be known.
        let next = self.next.iter().find(|next| next.tier() == step.tier)?;
        next.value(step.rank)
            .filter(|_| step.forbids == 0 && step.move_id == 0)
    }
}

/// What is known of a position, in words.
fn tell((value, exception): Known) -> String {
    match exception {
        None => format!("{value}, whatever is forbidden"),
        Some((way, without)) => format!("{value}, and {without} without way {way}"),
    }
}

#[cfg(test)]
mod tests {
    use super::Best;
    use hindsight_core::Value::{Draw, Loss, Win};

    #[test]
    fn only_the_single_best_way_makes_an_exception() {
        let known = |moves: &[(hindsight_core::Value, u8)]| {
            let mut best = Best::default();
            moves.iter().for_each(|&(value, way)| best.add(value, way));
            best.known()
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
