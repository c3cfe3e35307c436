//! Tables and other files.

pub(crate) mod compare;
pub(crate) mod files;
pub(crate) mod table_description;
pub(crate) mod table_stats;
pub(crate) mod value_counts;
pub(crate) mod verify;
