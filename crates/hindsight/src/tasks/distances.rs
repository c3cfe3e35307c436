//! Searches for distances from the start: their options and needs.

use std::error::Error;
use std::io::Write;

use hindsight_engine::{Limits, Monitor};
use hindsight_solve::plan::DiskNeeds;

use super::folder::SolveFolder;
use crate::positions::any_value::{AnyMove, Position};

/// A search for distances with all its options, for programs that show its needs, its progress and
/// its files.
///
/// [`AnyGame::distances`](crate::AnyGame::distances) is the short way.
pub struct DistanceTask<'a> {
    /// Memory and time allowed.
    pub limits: Limits,
    /// Folder of finished layers and unfinished work. A table needs one.
    pub folder: Option<SolveFolder<'a>>,
    /// Destination of the table.
    pub table: Option<&'a mut dyn Write>,
    /// Receives the needs before the search starts, and returns its monitor. An error refuses the
    /// search; [`Error::Refused`](crate::Error::Refused) holds it.
    pub begin: &'a mut BeginDistances<'a>,
}

/// See [`DistanceTask::begin`].
pub(crate) type BeginDistances<'a> =
    dyn FnMut(&DistanceNeeds) -> Result<Box<dyn Monitor + 'a>, Box<dyn Error + Send + Sync>> + 'a;

/// Needs of a search for distances.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DistanceNeeds {
    /// Number of positions, each with all its states.
    pub positions: u64,
    /// Bytes of memory at the peak.
    pub memory: u64,
    /// Bytes of disk.
    pub disk: DiskNeeds,
    /// Plies from which on a distance cannot be kept.
    pub max_distance: u16,
}

/// A shortest line from the start: each position with the move that leads to it; `None` for the
/// start.
pub(crate) type AnyShortestLine = Vec<(Position, Option<AnyMove>)>;
