//! Boards, pictures, lines, progress, sizes and errors, as people see them.

pub(crate) mod board_form;
pub(crate) mod board_text;
pub(crate) mod charts;
pub(crate) mod errors;
pub(crate) mod lines;
pub(crate) mod picture_format;
pub(crate) mod progress;
pub(crate) mod sizes;
pub(crate) mod text;
