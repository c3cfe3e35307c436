use alloc::format;
use alloc::string::String;

use hindsight_core::{ParseError, Symmetry};

pub(crate) use hindsight_core::TextToken;

pub(crate) use crate::game_info::GameInfo;
pub(crate) use crate::into_packed::IntoPacked;
pub(crate) use crate::visitor::Visitor;

/// Game that specs name. The list in `spec/mod.rs` holds one line for each.
pub trait Registered: Sized {
    /// Description for lists and help.
    const INFO: GameInfo;

    /// Reads a spec that begins with the name of the game.
    ///
    /// If the form of the game is its name alone, the spec is that name: longer ones were refused.
    ///
    /// # Errors
    /// If the spec is malformed, or names a deck file that cannot be read.
    fn from_spec(spec: TextToken<'_>, setup: &Setup<'_>) -> Result<Self, ParseError>;

    /// Hands the game to the visitor: to [`Visitor::packed`] if its positions can be packed.
    fn accept<V: Visitor>(self, visitor: V) -> V::Output;
}

/// Arguments of [`crate::by_name`] beside the spec.
#[derive(Clone, Copy)]
pub struct Setup<'a> {
    /// Symmetries that `canonical` uses.
    pub symmetry: Symmetry,
    /// Reads a deck file by its name; the error is a sentence. The rules do not open files.
    pub read_file: &'a dyn Fn(&str) -> Result<String, String>,
}

impl Default for Setup<'_> {
    /// No symmetry, and an error for every file.
    fn default() -> Self {
        Self {
            symmetry: Symmetry::None,
            read_file: &|name| Err(format!("cannot read '{name}' here")),
        }
    }
}

impl core::fmt::Debug for Setup<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Setup").field("symmetry", &self.symmetry).finish_non_exhaustive()
    }
}
