//! Rules in Python as rules of the house: classes, and arrays of NumPy.
//!
//! A door, an object of `_own_door.py` or `_array_door.py`, calls the methods of the user and says
//! what they did wrong. Solvers, agents, files and pages are not known here.

mod array_rules;
mod bits;
mod caller;
mod class_rules;
mod codec;
mod faults;
mod kept;
mod own_rules;
mod pace;
mod shape;
mod tables;

pub(crate) use caller::{Caller, Calls};
pub(crate) use faults::{catch_rules, exception_of_fault};
pub(crate) use own_rules::OwnRules;
