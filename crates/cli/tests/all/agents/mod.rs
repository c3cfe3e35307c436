//! Agents, and the games that they play.

pub(crate) mod agent;
pub(crate) mod audit;
pub(crate) mod bots;
pub(crate) mod matches;
pub(crate) mod play;
pub(crate) mod review;
mod tournament;
