//! Bots as processes, and agents that are served as bots.

mod faults;
mod serving;
