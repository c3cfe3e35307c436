//! Symbols, which a layer stores of its ranks, and the plies that a layout leaves out and the rules
//! restore. Bytes and files are not known here.

pub(crate) mod ordinals;
pub(crate) mod plies_search;
pub(crate) mod restore_plies;
pub(crate) mod symbol;
pub(crate) mod symbol_layout;
