//! The values of a layer in memory, recomputed from those of their successors.

use std::ops::Range;

use hindsight_core::{Ranked, Value, Wdl};
use hindsight_solve::Layer;

use crate::ordinals::{LoadedLayers, checked_before, tier_pieces};
use crate::verify::{MAX_REPORTED, TableFault};

/// A layer whose values are recomputed.
pub(crate) struct PositionRecheck<'a, G> {
    pub(crate) game: &'a G,
    pub(crate) layer: &'a Layer,
    pub(crate) known: LoadedLayers<'a>,
}

/// The successors of a position, and where those that are not over lie.
struct SuccessorScratch<P> {
    successors: Vec<P>,
    addresses: Vec<(u64, u64)>,
}

impl<P> Default for SuccessorScratch<P> {
    fn default() -> Self {
        Self {
            successors: Vec::new(),
            addresses: Vec::new(),
        }
    }
}

impl<G: Ranked> PositionRecheck<'_, G> {
    /// Positions of some ordinals, and what is wrong with them.
    pub(crate) fn run(&self, ordinals: Range<u64>) -> (u64, Vec<TableFault>) {
        let begin = ordinals.start as usize;
        let (mut positions, mut faults) = (0, Vec::new());
        let (mut found, mut met) = (Vec::new(), SuccessorScratch::default());
        for piece in tier_pieces(&self.layer.tiers, &self.layer.starts, ordinals) {
            let codes = &self.layer.codes[begin + piece.span.start..begin + piece.span.end];
            let ranks = piece.rank..piece.rank + codes.len() as u64;
            found.clear();
            self.game.unrank_range(piece.tier, ranks, &mut found);
            positions += found.len() as u64;
            for &(rank, position) in &found {
                let code = codes[(rank - piece.rank) as usize];
                let said = self.layer.palette.get(usize::from(code)).copied().flatten();
                let what = match (said, self.recompute(position, &mut met)) {
                    (Some(said), Ok(value)) if said == value => continue,
                    (Some(said), Ok(value)) => {
                        format!("the table says {said}, the successors make it {value}")
                    }
                    (None, Ok(_)) => String::from("a position has no value"),
                    (_, Err(what)) => String::from(what),
                };
                if faults.len() < MAX_REPORTED {
                    faults.push(TableFault {
                        layer: Some(self.layer.layer),
                        address: Some((piece.tier, rank)),
                        description: what,
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
        met: &mut SuccessorScratch<G::Position>,
    ) -> Result<Value, &'static str> {
        const NONE: &str = "a successor has no value";
        if let Some(wdl) = self.game.terminal(position) {
            return Ok(Value::terminal(wdl));
        }
        let SuccessorScratch {
            successors,
            addresses: places,
        } = met;
        successors.clear();
        places.clear();
        self.game.successors(position, successors);
        let mut best = None;
        for &next in successors.iter() {
            match self.game.terminal(next) {
                // Nothing is better.
                Some(Wdl::Loss) => return Ok(Value::Win(1)),
                Some(wdl) => best = best.max(Some(Value::terminal(wdl).before())),
                None => places.push(self.game.rank(next).ok_or(NONE)?),
            }
        }
        // Apart from the ranking, so that the memory can be read ahead.
        for &(tier, rank) in places.iter() {
            let value = self
                .known
                .value(tier, rank)
                .and_then(checked_before)
                .ok_or(NONE)?;
            best = best.max(Some(value));
        }
        best.ok_or("a position that is not over has no successor")
    }
}
