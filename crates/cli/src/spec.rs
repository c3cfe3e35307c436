//! Game specs and positions from the command line, deck files, and errors that name the spec.

use anyhow::{Result, anyhow};
use hindsight_core::{Game, Notation, Packed, PackedGame};
use hindsight_play::AgentSpec;
use hindsight_rules::Setup;

use crate::args::SymmetryArg;

/// Setup of a game with a symmetry and with deck files read from disk.
pub(crate) fn setup(symmetry: SymmetryArg) -> Setup<'static> {
    Setup { symmetry: symmetry.into(), read_file: &hindsight_games::read_deck }
}

/// Game of a spec from the command line.
pub(crate) fn game_of(spec: &str, symmetry: SymmetryArg) -> Result<PackedGame> {
    hindsight_rules::by_name(spec, &setup(symmetry)).map_err(|error| spec_error(spec, &error))
}

/// Agent of a text from the command line.
pub(crate) fn parse_agent(text: &str) -> Result<AgentSpec> {
    text.parse().map_err(agent_error)
}

/// Error in the text of an agent, without the offset.
pub(crate) fn agent_error(error: hindsight_core::ParseError) -> anyhow::Error {
    anyhow!(error.message)
}

/// Error of a spec, with the spec in front.
pub(crate) fn spec_error(spec: &str, error: &hindsight_core::ParseError) -> anyhow::Error {
    anyhow!("'{spec}': {}", error.message)
}

/// Error of an argument that names neither a file nor a game.
pub(crate) fn file_or_spec_error(name: &str, error: &hindsight_core::ParseError) -> anyhow::Error {
    // A name with an extension and no colon is most likely a mistyped file name.
    match std::path::Path::new(name).extension() {
        Some(_) if !name.contains(':') => anyhow!("there is no file '{name}'"),
        _ => spec_error(name, error),
    }
}

/// Position of a text from the command line; the start for `None`.
pub(crate) fn parse_position(game: &PackedGame, text: Option<&str>) -> Result<Packed> {
    let Some(text) = text else {
        return Ok(game.start());
    };
    game.parse(text).map_err(|error| {
        anyhow!("position '{text}', character {}: {}", error.character(text), error.message)
    })
}
