//! Tables and games that are served, each under a name of its own.

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Result, anyhow, bail};
use hindsight_games::names_table;
use hindsight_web::Shelf;

use crate::inputs::game_with_values::file_or_game_error;
use crate::tables;

/// Opens what the arguments name: `FILE`, `NAME=FILE` or a spec.
///
/// # Errors
/// A file that is no table, a text that is no game, a name that is none, or one given twice.
pub(super) fn open(arguments: &[String]) -> Result<Shelf> {
    let (mut shelf, mut names) = (Shelf::default(), BTreeSet::new());
    for argument in arguments {
        let name = add(&mut shelf, argument)?;
        if !names.insert(name.clone()) {
            bail!(
                "'{name}' is named twice; leave one out, or name a table otherwise, as in NAME=FILE"
            );
        }
    }
    Ok(shelf)
}

/// Adds what an argument names; returns its name.
fn add(shelf: &mut Shelf, argument: &str) -> Result<String> {
    if let Some((name, path)) = named_file(argument)? {
        let table = tables::open(path)?;
        shelf.add_table(name.clone(), table)?;
        return Ok(name);
    }
    let game = hindsight_games::game(argument).map_err(file_or_game_error)?;
    shelf.add_game(game.spec())?;
    Ok(game.spec().to_owned())
}

/// Returns the name and the path of an argument that is no spec.
fn named_file(argument: &str) -> Result<Option<(String, &Path)>> {
    let path = Path::new(argument);
    if names_table(path) {
        let stem = path.file_stem().unwrap_or_default();
        let name = stem.to_str().filter(|name| is_name(name));
        let name = name.ok_or_else(|| {
            anyhow!(
                "the name of '{argument}' is none for an address: name it, as in NAME=FILE, with \
                 letters, digits, '.', '_' and '-'"
            )
        })?;
        return Ok(Some((name.to_owned(), path)));
    }
    // A spec has a colon before its first `=`.
    let Some((name, file)) = argument.split_once('=').filter(|pair| !pair.0.contains(':')) else {
        return Ok(None);
    };
    if !is_name(name) {
        bail!("'{name}' is no name: it may have letters, digits, '.', '_' and '-'");
    }
    Ok(Some((name.to_owned(), Path::new(file))))
}

/// Returns true for a text that stands in an address as it is.
fn is_name(text: &str) -> bool {
    let is_allowed = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
    // A part of dots alone would be taken for a way through folders.
    !text.trim_matches('.').is_empty() && text.chars().all(is_allowed)
}
