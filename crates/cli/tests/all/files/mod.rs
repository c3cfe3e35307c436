//! Tables, checkpoints and other files.

pub(crate) mod checkpoints;
pub(crate) mod exports;
pub(crate) mod forged;
pub(crate) mod forged_keys;
pub(crate) mod full_disk;
pub(crate) mod sqlite;
pub(crate) mod states;
pub(crate) mod tables;
