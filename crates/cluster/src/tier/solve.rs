//! Loop over the plies of a layer.

use super::context::LayerContext;
use super::count::CountStep;
use super::part::{PlySet, TierPart};
use super::plies::{join, next_ply, ply_bytes, take_plies};
use super::propagate::{PlyStep, PlyWork, Predecessors};
use crate::engine::Steps;
use crate::error::ClusterError;
use crate::layers::{Tools, commit};
use crate::store::SolvePoint;

/// A part, and the next pass over it: pass 0 counts moves, pass `n + 1` propagates ply `n`.
pub(crate) struct StartedPart {
    pub(crate) part: TierPart,
    pub(crate) pass: u32,
}

/// Solves a layer, from its beginning or from where it was stopped.
///
/// # Errors
/// Any error of the solve; [`ClusterError::Lost`] if another process is lost.
pub(crate) fn solve_layer(
    context: &LayerContext<'_>,
    tools: &mut Tools<'_, '_>,
    started: Option<StartedPart>,
) -> Result<TierPart, ClusterError> {
    let len = context.deal.part_len(context.worker);
    if let Some(parts) = &mut tools.parts {
        parts.begin_layer(len);
    }
    let StartedPart { mut part, mut pass } =
        started.unwrap_or_else(|| StartedPart { part: TierPart::new(len), pass: 0 });
    if pass == 0 {
        let mut step = CountStep::new(context, &mut part, &mut tools.work);
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
    tools: &mut Tools<'_, '_>,
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
