//! Solves that store their work: a checkpoint on the way, a table at the end.

use std::error::Error;
use std::fmt;
use std::io::Write;
use std::time::Duration;

use hindsight_core::{Random, Scope, Value};
use hindsight_engine::{Limits, Monitor};
use hindsight_solve::forward::ForwardVariant;
use hindsight_solve::plan::{KeptValues, Method, Request, SolveNeeds};
use hindsight_tablebase::Layout;

use super::folder::SolveFolder;
use crate::positions::any_value::Position;

/// A solve with all its options, for programs that show its needs, its progress and its files.
///
/// [`AnyGame::solve`](crate::AnyGame::solve) is the short way.
pub struct SolveTask<'a> {
    /// Algorithm.
    pub method: Method,
    /// Position from which the game is solved; `None` for its start. Another one is for
    /// [`Method::Auto`], [`Method::Reachable`], [`Method::Proof`] and [`Method::Search`].
    pub start: Option<&'a Position>,
    /// Set of positions that [`Method::Auto`] solves; `None` for the default of the game.
    pub scope: Option<Scope>,
    /// Memory and time allowed.
    pub limits: Limits,
    /// Values kept in memory.
    pub kept_values: KeptValues,
    /// Variant of [`Method::Forward`].
    pub forward_variant: ForwardVariant,
    /// Check of [`Method::Planes`] by positions drawn at random.
    pub sample: Option<SampleTask<'a>>,
    /// Layout of stored layers; `None` for the default of the game.
    pub layout: Option<Layout>,
    /// Folder of finished layers and unfinished work. A table needs one.
    pub folder: Option<SolveFolder<'a>>,
    /// Destination of the table.
    pub table: Option<&'a mut dyn Write>,
    /// Receives the needs before the solve starts, and returns its monitor. An error refuses the
    /// solve; [`Error::Refused`](crate::Error::Refused) holds it.
    pub begin: &'a mut BeginSolve<'a>,
}

/// See [`SolveTask::begin`].
pub(crate) type BeginSolve<'a> =
    dyn FnMut(&SolveNeeds) -> Result<Box<dyn Monitor + 'a>, Box<dyn Error + Send + Sync>> + 'a;

/// Check of planes that write no table, by positions drawn at random and all their successors.
///
/// The check begins with the solve. A solve slice by slice can be resumed with the same number of
/// positions and the same random bits.
pub struct SampleTask<'a> {
    /// Number of positions, at least 1.
    pub positions: u32,
    /// Source of the random bits by which they are drawn.
    pub random: &'a mut dyn Random,
}

impl<'a> SolveTask<'a> {
    /// Returns the task with the default method, without limits and files.
    #[must_use]
    pub fn new(begin: &'a mut BeginSolve<'a>) -> Self {
        let request = Request::default();
        Self {
            method: request.method,
            start: None,
            scope: request.scope,
            limits: request.limits,
            kept_values: request.kept_values,
            forward_variant: request.forward_variant,
            sample: None,
            layout: None,
            folder: None,
            table: None,
            begin,
        }
    }

    /// Returns the request of a plan without its storage.
    pub(crate) fn request(&self) -> Request<'static> {
        Request {
            method: self.method,
            scope: self.scope,
            limits: self.limits,
            kept_values: self.kept_values,
            forward_variant: self.forward_variant,
            sample: self.sample.as_ref().map_or(0, |sample| sample.positions),
            ..Request::default()
        }
    }
}

impl fmt::Debug for SolveTask<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolveTask")
            .field("request", &self.request())
            .field("layout", &self.layout)
            .field("folder", &self.folder)
            .field("table", &self.table.is_some())
            .finish_non_exhaustive()
    }
}

/// Table that was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct WrittenTable {
    /// Layout of the table.
    pub layout: Layout,
    /// Length of the table, in bytes.
    pub bytes: u64,
    /// Time of writing, with that of storing its layers, and unfinished work, during the solve.
    pub time: Duration,
}

/// Counts of a check by positions drawn at random, and its first fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SampleCounts {
    /// Number of positions drawn.
    pub positions: u64,
    /// Number of their successors, counted with multiplicity.
    pub successors: u64,
    /// First position whose value contradicts those of its successors.
    pub fault: Option<SampleContradiction>,
}

/// A position whose value contradicts those of its successors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SampleContradiction {
    /// The position as text.
    pub position: String,
    /// Value by the solve.
    pub value: Value,
    /// Value by the solved values of its successors.
    pub by_successors: Value,
}
