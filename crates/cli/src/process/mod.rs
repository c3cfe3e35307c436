//! The process: its memory, its signals, its exit codes, its temporary files.

pub(crate) mod exit;
#[expect(unsafe_code, reason = "an allocator cannot be written without; it gains 8 % of the time")]
pub(crate) mod huge_pages;
pub(crate) mod memory;
pub(crate) mod signals;
pub(crate) mod temporary;
