//! Specs, as people type them: the games that they name, and what is wrong with them.

use anyhow::anyhow;
use hindsight_rules::Setup;

use crate::args::SymmetryArg;
use crate::input::read_text;

/// Reads a deck file for a spec.
pub(crate) fn read_deck(name: &str) -> Result<String, String> {
    /// No deck is larger.
    const MOST: u64 = 1 << 20;
    match read_text(name.as_ref(), MOST) {
        Ok(Some(text)) => Ok(text),
        Ok(None) => Err(format!("'{name}' is no deck: it is larger than a megabyte")),
        Err(error) => Err(format!("cannot read '{name}': {error}")),
    }
}

/// The rules' side of a call.
pub(crate) fn setup(symmetry: SymmetryArg) -> Setup<'static> {
    Setup {
        symmetry: symmetry.into(),
        read_file: &read_deck,
    }
}

/// The error of a spec with the spec before it.
pub(crate) fn spec_error(spec: &str, error: &hindsight_core::ParseError) -> anyhow::Error {
    anyhow!("'{spec}': {}", error.message)
}

/// The error of what names neither a file nor a game.
pub(crate) fn file_or_spec_error(name: &str, error: &hindsight_core::ParseError) -> anyhow::Error {
    // What ends as a file does was meant as one.
    match std::path::Path::new(name).extension() {
        Some(_) if !name.contains(':') => anyhow!("there is no file '{name}'"),
        _ => spec_error(name, error),
    }
}
