//! Tables on disk or on web servers, read by position, rank or layer. Analyses and agents are not
//! known here.

pub(crate) mod comparison;
pub(crate) mod layer_scan;
mod positions;
mod ranks;
pub(crate) mod rows;
mod sacrifices;
pub(crate) mod tablebase;
