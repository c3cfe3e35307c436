//! Texts from people: their places, their faults, and the names that they meant.

pub(crate) mod nearest_name;
pub(crate) mod parse_error;
pub(crate) mod shown_text;
pub(crate) mod spec_options;
pub(crate) mod text_token;
