//! Words in and out: options, help, examples, names, boards.

pub(crate) mod advice;
pub(crate) mod boards;
pub(crate) mod examples;
pub(crate) mod help;
pub(crate) mod named_cards;
pub(crate) mod numbers;
pub(crate) mod typos;
pub(crate) mod width;
