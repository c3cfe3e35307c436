//! Names of the blobs of a checkpoint.

use hindsight_checkpoint::{Blobs, CheckpointError};

use super::folders::SolvePoint;

/// Key of the commit.
pub(crate) const COMMIT: &str = "commit";

/// Kind of a blob that a worker keeps of its part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PartKind {
    State,
    Log,
}

impl PartKind {
    fn name(self) -> &'static str {
        match self {
            Self::State => "state",
            Self::Log => "log",
        }
    }
}

/// Key of a worker's part at a point of the solve.
pub(crate) fn part_key(kind: PartKind, point: SolvePoint, worker: usize) -> String {
    let SolvePoint { layer, pass } = point;
    format!("{}-{layer}-{pass}-{worker}", kind.name())
}

/// Key of a worker's part of a finished layer.
pub(crate) fn finished_key(layer: u32, worker: usize) -> String {
    format!("finished-{layer}-{worker}")
}

/// Key of the counts of a finished layer.
pub(crate) fn tally_key(layer: u32) -> String {
    format!("tally-{layer}")
}

/// Reads the point of a key of [`part_key`] with this kind and worker.
pub(crate) fn point_of(key: &str, kind: PartKind, worker: usize) -> Option<SolvePoint> {
    let numbers = key.strip_prefix(kind.name())?.strip_prefix('-')?;
    let mut numbers = numbers.split('-').map(str::parse::<u32>);
    let mut next = || numbers.next()?.ok();
    let (layer, pass, found) = (next()?, next()?, next()?);
    let is_own = found as usize == worker && numbers.next().is_none();
    is_own.then_some(SolvePoint { layer, pass })
}

/// Points of all blobs of a kind that a worker has kept, ascending.
pub(crate) fn points_kept(
    blobs: &dyn Blobs,
    kind: PartKind,
    worker: usize,
) -> Result<Vec<SolvePoint>, CheckpointError> {
    let keys = blobs.keys()?;
    let points = keys.iter().filter_map(|key| point_of(key, kind, worker));
    let mut points: Vec<SolvePoint> = points.collect();
    points.sort_unstable();
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::{PartKind, part_key, point_of};
    use crate::store::folders::SolvePoint;

    #[test]
    fn a_key_has_a_point_and_a_worker() {
        let point = SolvePoint { layer: 3, pass: 12 };
        let key = part_key(PartKind::State, point, 7);
        assert_eq!(key, "state-3-12-7");
        assert_eq!(point_of(&key, PartKind::State, 7), Some(point));
        for (kind, worker) in [(PartKind::Log, 7), (PartKind::State, 8)] {
            assert_eq!(point_of(&key, kind, worker), None);
        }
        for key in ["state-3-12", "state-3-12-7-1", "state-3-x-7", "states-3-12-7"] {
            assert_eq!(point_of(key, PartKind::State, 7), None, "{key}");
        }
    }
}
