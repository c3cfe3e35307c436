//! The server, and tables on one.

pub(crate) mod http;
pub(crate) mod serve;
pub(crate) mod serve_answers;
