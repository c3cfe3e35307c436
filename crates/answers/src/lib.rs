//! Answers as JSON: those of the command `hindsight` with `--json`, and of its server.
//!
//! Each type is the answer of one command. Keys and values do not change but by additions.
