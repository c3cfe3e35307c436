//! Names of the blobs of a checkpoint.

use std::fmt;

use hindsight_engine::checkpoint::{Blobs, CheckpointError};

use super::folders::SolvePoint;

pub(crate) const COMMIT: &str = "commit";

/// Kind of a blob that a worker keeps of its part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum PartKind {
    State,
    Log,
    /// Array with a number.
    Array(usize),
}

impl PartKind {
    fn name(self) -> String {
        match self {
            Self::State => "state".into(),
            Self::Log => "log".into(),
            Self::Array(number) => format!("array{number}"),
        }
    }
}

/// Owner of a part.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Owner {
    pub(crate) worker: usize,
    pub(crate) workers: usize,
}

impl fmt::Display for Owner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-of-{}", self.worker, self.workers)
    }
}

/// Key of a worker's part at a point of the solve.
pub(crate) fn part_key(kind: PartKind, point: SolvePoint, owner: Owner) -> String {
    let SolvePoint { layer, pass } = point;
    format!("{}-{layer}-{pass}-{owner}", kind.name())
}

/// Key of an array of a worker at a point of the solve.
pub(crate) fn array_key(point: SolvePoint, number: usize, owner: Owner) -> String {
    part_key(PartKind::Array(number), point, owner)
}

/// Key of a worker's part of a finished layer.
pub(crate) fn finished_key(layer: u32, owner: Owner) -> String {
    format!("finished-{layer}-{owner}")
}

/// True for the key of a part that was dealt to another number of workers.
pub(crate) fn is_of_other_deal(key: &str, workers: usize) -> bool {
    match key.rsplit_once("-of-") {
        Some((_, of)) => of != workers.to_string(),
        None => false,
    }
}

/// Key of the counts of a finished layer.
pub(crate) fn tally_key(layer: u32) -> String {
    format!("tally-{layer}")
}

/// Reads the point of a key of [`part_key`] with this kind and owner.
pub(crate) fn point_of(key: &str, kind: PartKind, owner: Owner) -> Option<SolvePoint> {
    let key = key.strip_prefix(&kind.name())?.strip_prefix('-')?;
    let point = key.strip_suffix(&owner.to_string())?.strip_suffix('-')?;
    let (layer, pass) = point.split_once('-')?;
    Some(SolvePoint { layer: layer.parse().ok()?, pass: pass.parse().ok()? })
}

/// Points of all blobs of a kind that a worker has kept, ascending.
pub(crate) fn points_kept(
    blobs: &dyn Blobs,
    kind: PartKind,
    owner: Owner,
) -> Result<Vec<SolvePoint>, CheckpointError> {
    let keys = blobs.keys()?;
    let points = keys.iter().filter_map(|key| point_of(key, kind, owner));
    let mut points: Vec<SolvePoint> = points.collect();
    points.sort_unstable();
    Ok(points)
}

#[cfg(test)]
mod tests {
    use super::{Owner, PartKind, is_of_other_deal, part_key, point_of};
    use crate::store::folders::SolvePoint;

    #[test]
    fn a_key_has_a_point_and_an_owner() {
        let point = SolvePoint { layer: 3, pass: 12 };
        let owner = Owner { worker: 7, workers: 9 };
        let key = part_key(PartKind::State, point, owner);
        assert_eq!(key, "state-3-12-7-of-9");
        assert_eq!(point_of(&key, PartKind::State, owner), Some(point));
        assert_eq!(point_of(&key, PartKind::Log, owner), None);
        for other in [Owner { worker: 8, ..owner }, Owner { workers: 8, ..owner }] {
            assert_eq!(point_of(&key, PartKind::State, other), None);
        }
        for key in ["state-3-7-of-9", "state-3-x-7-of-9", "states-3-12-7-of-9"] {
            assert_eq!(point_of(key, PartKind::State, owner), None, "{key}");
        }
        let long = Owner { worker: 17, ..owner };
        assert_eq!(point_of(&part_key(PartKind::State, point, long), PartKind::State, owner), None);
        assert!(is_of_other_deal(&key, 8) && !is_of_other_deal(&key, 9));
        assert!(!is_of_other_deal("commit", 8));
    }
}
