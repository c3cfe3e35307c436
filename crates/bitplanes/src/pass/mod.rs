//! Passes: sweeps over every block, and incremental passes that take moves back from a frontier.

pub(crate) mod dense_sweep;
pub(crate) mod frontier;
pub(crate) mod incremental;
pub(crate) mod recorder;
pub(crate) mod schedule;
pub(crate) mod sweep;
pub(crate) mod unmoved_line;
