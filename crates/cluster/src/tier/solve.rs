//! Loop over the plies of a layer.

use hindsight_checkpoint::bytes::Cursor;
use hindsight_core::Retro;
use hindsight_run::Layer;

use super::count::CountStep;
use super::exits::FinishedPart;
use super::part::{PlySet, TierPart};
use super::propagate::{PlyStep, PlyWork, Predecessors};
use crate::engine::Steps;
use crate::error::ClusterError;
use crate::layers::{Tools, commit};
use crate::ranks::Deal;
use crate::store::SolvePoint;

/// A layer, and the part of it that a worker solves.
pub(crate) struct LayerContext<'a, G> {
    pub(crate) game: &'a G,
    /// Tiers of the layer.
    pub(crate) shape: &'a Layer,
    pub(crate) deal: Deal,
    pub(crate) worker: usize,
    pub(crate) workers: usize,
    /// Own parts of the layers that this one looks up.
    pub(crate) finished: &'a [FinishedPart<'a>],
}

/// A part, and the next pass over it: pass 0 counts moves, pass `n + 1` propagates ply `n`.
pub(crate) struct StartedPart {
    pub(crate) part: TierPart,
    pub(crate) pass: u32,
}

/// Solves a layer, from its beginning or from where it was stopped.
///
/// # Errors
/// Any error of the solve; [`ClusterError::Lost`] if another process is lost.
pub(crate) fn solve_layer<G: Retro>(
    context: &LayerContext<'_, G>,
    tools: &mut Tools<'_, '_, '_>,
    started: Option<StartedPart>,
) -> Result<TierPart, ClusterError> {
    let len = context.deal.part_len(context.worker);
    if let Some(parts) = &mut tools.parts {
        parts.begin_layer(len);
    }
    let StartedPart { mut part, mut pass } = started.unwrap_or_else(|| StartedPart {
        part: TierPart::new(len),
        pass: 0,
    });
    if pass == 0 {
        let mut step = CountStep::new(context, &mut part, &mut tools.report, &mut tools.work);
        tools.steps.run(&mut step)?;
        pass = 1;
        keep(tools, &part, context.shape.layer, pass)?;
    }
    let mut predecessors = Predecessors::new(context.workers);
    let mut plies = agree_plies(tools.steps, &part)?;
    while let Some(ply) = next_ply(plies, pass - 1) {
        let work = PlyWork {
            context,
            part: &mut part,
            report: &mut tools.report,
            work: &mut tools.work,
            predecessors: &mut predecessors,
            journal: tools.parts.as_mut().map(|parts| parts.journal()),
        };
        let mut step = PlyStep::new(work, ply);
        tools.steps.run(&mut step)?;
        plies = step.plies();
        pass = u32::from(ply) + 2;
        keep(tools, &part, context.shape.layer, pass)?;
    }
    part.finish();
    Ok(part)
}

/// Keeps the part and commits the next pass, if there is a checkpoint.
fn keep(
    tools: &mut Tools<'_, '_, '_>,
    part: &TierPart,
    layer: u32,
    pass: u32,
) -> Result<(), ClusterError> {
    let point = SolvePoint { layer, pass };
    if let Some(parts) = &mut tools.parts {
        parts.keep_pass(part, point)?;
    }
    commit(tools, point)
}

/// First ply of a set from `from` on.
fn next_ply(plies: PlySet, from: u32) -> Option<u16> {
    (from..256)
        .find(|ply| plies[*ply as usize / 64] >> (ply % 64) & 1 != 0)
        .map(|ply| ply as u16)
}

/// Joins the sets of plies of all workers.
fn agree_plies(steps: &mut Steps<'_>, part: &TierPart) -> Result<PlySet, ClusterError> {
    let joined = steps.agree(ply_bytes(part.plies()), |all| {
        let mut joined = PlySet::default();
        for bytes in all {
            join(&mut joined, take_plies(&bytes)?);
        }
        Ok(ply_bytes(joined))
    })?;
    take_plies(&joined)
}

/// Adds the plies of a set to another.
pub(super) fn join(joined: &mut PlySet, plies: PlySet) {
    joined
        .iter_mut()
        .zip(plies)
        .for_each(|(joined, word)| *joined |= word);
}

pub(super) fn ply_bytes(plies: PlySet) -> Vec<u8> {
    plies.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Reads the bytes of [`ply_bytes`].
pub(super) fn take_plies(bytes: &[u8]) -> Result<PlySet, ClusterError> {
    let mut cursor = Cursor::new(bytes, "a set of plies");
    let mut plies = PlySet::default();
    for word in &mut plies {
        *word = cursor.u64().map_err(ClusterError::damaged)?;
    }
    Ok(plies)
}

#[cfg(test)]
mod tests {
    use super::next_ply;

    #[test]
    fn plies_come_in_order() {
        let plies = [1 << 3, 0, 1, 1 << 63];
        assert_eq!(next_ply(plies, 0), Some(3));
        assert_eq!(next_ply(plies, 4), Some(128));
        assert_eq!(next_ply(plies, 129), Some(255));
        assert_eq!(next_ply(plies, 256), None);
        assert_eq!(next_ply([0; 4], 0), None);
    }
}
