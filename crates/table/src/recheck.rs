//! The values of a layer in memory, recomputed from those of their successors.

use std::ops::Range;

use game::{Ranked, Value};
use solve::Layer;

use crate::shape::{Known, pieces};
use crate::verify::{Fault, TOLD};

/// A layer whose values are recomputed.
pub(crate) struct Recheck<'a, G> {
    pub(crate) game: &'a G,
    pub(crate) layer: &'a Layer,
    pub(crate) known: Known<'a>,
}

impl<G: Ranked> Recheck<'_, G> {
    /// Positions of some ordinals, and what is wrong with them.
    pub(crate) fn run(&self, ordinals: Range<u64>) -> (u64, Vec<Fault>) {
        let begin = ordinals.start as usize;
        let (mut positions, mut faults) = (0, Vec::new());
        let (mut found, mut successors) = (Vec::new(), Vec::new());
        for piece in pieces(&self.layer.tiers, &self.layer.starts, ordinals) {
            let codes = &self.layer.codes[begin + piece.at.start..begin + piece.at.end];
            let ranks = piece.rank..piece.rank + codes.len() as u64;
            found.clear();
            self.game.unrank_range(piece.tier, ranks, &mut found);
            positions += found.len() as u64;
            for &(rank, position) in &found {
                let code = codes[(rank - piece.rank) as usize];
                let said = self.layer.palette.get(usize::from(code)).copied().flatten();
                let what = match (said, self.recompute(position, &mut successors)) {
                    (Some(said), Ok(value)) if said == value => continue,
                    (Some(said), Ok(value)) => {
                        format!("the table says {said}, the successors make it {value}")
                    }
                    (None, Ok(_)) => String::from("a position has no value"),
                    (_, Err(what)) => String::from(what),
                };
                if faults.len() < TOLD {
                    faults.push(Fault {
                        layer: Some(self.layer.layer),
                        place: Some((piece.tier, rank)),
                        what,
                    });
                }
            }
        }
        (positions, faults)
    }

    /// The value of a position from those of its successors.
    fn recompute(
        &self,
        position: G::Position,
        successors: &mut Vec<G::Position>,
    ) -> Result<Value, &'static str> {
        if let Some(wdl) = self.game.terminal(position) {
            return Ok(Value::terminal(wdl));
        }
        successors.clear();
        self.game.successors(position, successors);
        let mut best = None;
        for &next in successors.iter() {
            let value = self.known.before(self.game, next);
            best = best.max(Some(value.ok_or("a successor has no value")?));
        }
        best.ok_or("a position that is not over has no successor")
    }
}
