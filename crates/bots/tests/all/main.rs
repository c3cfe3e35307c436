//! Bots as processes, and agents that are served as bots.

mod any_text;
mod faults;
mod serving;
