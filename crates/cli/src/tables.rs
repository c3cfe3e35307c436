//! Opening tables: the one way in for every command that reads one.

pub(crate) mod compare;
pub(crate) mod export;
pub(crate) mod info;
#[cfg(feature = "parquet")]
mod parquet_rows;
#[cfg_attr(not(feature = "plots"), path = "tables/no_plot.rs")]
pub(crate) mod plot;
mod rows;
pub(crate) mod sampling;
pub(crate) mod stats;
pub(crate) mod verify;

use std::fs::File;
use std::ops::Range;
use std::path::Path;

use anyhow::{Context as _, Result, anyhow, bail};
use hindsight_core::{ForbiddenMove, Game, Notation, Ranked, Retro};
use hindsight_rules::{Setup, Visitor};
use hindsight_solve::Layer;
use hindsight_solve::tiered::TierPlan;
use hindsight_tablebase::{Layout, StateLayer, Table, TableInfo};

use crate::context::Context;
use crate::errors::{needed_and_allowed, solver_error};
use crate::memory::ROUGH_CHECK_FLOOR;
use crate::spec::spec_error;

/// Opens a file for reading; a table is an ordinary file.
///
/// # Errors
/// When there is no such file, or it is something else, such as a folder.
pub(crate) fn open_file(path: &Path) -> Result<File> {
    let name = path.display();
    let found = path.metadata();
    match found {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            bail!("there is no file '{name}'; `hindsight solve SPEC --out FILE` writes a table")
        }
        Err(error) => Err(error).with_context(|| format!("cannot read '{name}'")),
        Ok(found) if found.is_dir() => bail!("'{name}' is a folder; name a table in it"),
        Ok(found) if !found.is_file() => bail!("'{name}' is no ordinary file"),
        Ok(_) => File::open(path).with_context(|| format!("cannot read '{name}'")),
    }
}

/// Opens a table of values: reads its header, and nothing else.
///
/// # Errors
/// When there is no such file, or it is no table, one of distances, damaged, or of another version.
pub(crate) fn open(path: &Path) -> Result<Table<File>> {
    let opened = open_any(path)?;
    if opened.info().layout == Layout::Distances {
        let name = path.display();
        bail!(
            "'{name}' keeps distances from the start, not values: `hindsight reach {name}` reads it"
        );
    }
    Ok(opened)
}

/// As [`open`], of distances too. The header is held against the game that it names: no command takes anything
/// from a table before that.
pub(crate) fn open_any(path: &Path) -> Result<Table<File>> {
    let opened = Table::open(open_file(path)?).map_err(|error| table_error(path, error))?;
    let fits = visit(&opened.info().spec, HeaderCheck(opened.info()))??;
    fits.map_err(|error| table_error(path, error))?;
    Ok(opened)
}

/// Holds a header against the game that it names.
pub(crate) struct HeaderCheck<'a>(pub(crate) &'a TableInfo);

impl HeaderCheck<'_> {
    /// A table names its game in the normal form.
    fn check_spec<G: Notation>(&self, game: &G) -> Result<(), hindsight_tablebase::TableError> {
        match game.spec() == self.0.spec {
            true => Ok(()),
            false => Err(hindsight_tablebase::TableError::Damaged(format!(
                "the header names the game '{}', whose tables have '{}' there",
                self.0.spec,
                game.spec()
            ))),
        }
    }
}

impl Visitor for HeaderCheck<'_> {
    type Output = Result<Result<(), hindsight_tablebase::TableError>>;

    fn visit<G: Game + Notation>(self, game: G) -> Self::Output {
        Err(unranked_error(&game))
    }

    fn ranked<G: Retro + Notation>(self, game: G) -> Self::Output {
        Ok(self.check_spec(&game).and_then(|()| self.0.fits(&game)))
    }

    fn forbidden_move<G: ForbiddenMove + Notation>(self, game: G) -> Self::Output {
        Ok(self
            .check_spec(&game)
            .and_then(|()| self.0.fits_states(&game)))
    }
}

/// An error of a table with the name of its file before it. A stop stays one.
pub(crate) fn table_error(path: &Path, error: hindsight_tablebase::TableError) -> anyhow::Error {
    let name = path.display();
    match error {
        hindsight_tablebase::TableError::Stopped => hindsight_solve::Error::Stopped.into(),
        hindsight_tablebase::TableError::NotATable => anyhow!(
            "'{name}' is not a Hindsight table; `hindsight solve SPEC --out FILE` writes one"
        ),
        hindsight_tablebase::TableError::Version { .. } => {
            anyhow!("'{name}' is of {error}; solve the game again with this program")
        }
        error if error.is_damage() => {
            anyhow!("'{name}' is damaged: {}", damage_text(&error))
        }
        error => anyhow::Error::new(error).context(format!("'{name}'")),
    }
}

/// What is wrong with the bytes, without the word "damaged".
pub(crate) fn damage_text(error: &hindsight_tablebase::TableError) -> String {
    let text = error.with_causes();
    text.strip_prefix("damaged: ").unwrap_or(&text).to_string()
}

/// Hands the game of a table to a visitor; `spec` is the one in its header. Its `visit` is called for
/// games without a numbering of all positions only: it should answer with [`unnumbered`].
///
/// # Errors
/// When the spec names no game.
pub(crate) fn visit<V: Visitor>(spec: &str, visitor: V) -> Result<V::Output> {
    // The normal form of a spec needs no files: what a header asks for is not read.
    hindsight_rules::by_name(spec, &Setup::default(), visitor)
        .map_err(|error| spec_error(spec, &error))
        .context("the table is of a game that this program does not have")
}

/// The error of a table whose game cannot have one.
pub(crate) fn unranked_error<G: Notation>(game: &G) -> anyhow::Error {
    anyhow!(
        "there are no tables of {}: it has no numbering of all positions that fits 64 bits",
        game.spec()
    )
}

/// The position at a place that a file names, which may be any; `None` where the game has none.
pub(crate) fn position_at<G: Ranked>(game: &G, (tier, rank): (u64, u64)) -> Option<G::Position> {
    // Tiers ascend from layer to layer, and numberings take any number up to the last; the last
    // layer has few tiers.
    let mut tiers = Vec::new();
    game.tiers(game.layers() - 1, &mut tiers);
    let known = tiers.last().is_some_and(|&last| tier <= last) && rank < game.tier_len(tier);
    known.then(|| game.unrank(tier, rank)).flatten()
}

/// Tells a place of a table as the text of its position, if the game has it.
pub(crate) type TextAt<'a> = &'a dyn Fn((u64, u64)) -> Option<String>;

/// The text of the position at a place.
pub(crate) fn position_text<G: Ranked + Notation>(game: &G, place: (u64, u64)) -> Option<String> {
    position_at(game, place).map(|position| game.format(position))
}

/// The text of the position at a place, with nothing forbidden.
pub(crate) fn unrestricted_text<G: ForbiddenMove + Notation>(
    game: &G,
    place: (u64, u64),
) -> Option<String> {
    state_at(game, place, 0).map(|state| game.format(state))
}

/// The state at a place with a way forbidden (0: nothing).
pub(crate) fn state_at<G: ForbiddenMove>(
    game: &G,
    place: (u64, u64),
    way: u8,
) -> Option<G::Position> {
    let base = position_at(game.base(), place)?;
    if way == 0 {
        return Some(game.encode(base, None));
    }
    let mut moves = Vec::new();
    game.base().moves(base, &mut moves);
    let mv = moves
        .into_iter()
        .find(|&mv| game.move_id(base, mv) == way)?;
    Some(game.encode(base, Some(mv)))
}

/// The layers that an option chooses: all, or one.
pub(crate) fn selected_layers(info: &TableInfo, layer: Option<u32>) -> Result<Range<usize>> {
    let layers = info.layers.len();
    match layer.map(|layer| layer as usize) {
        None => Ok(0..layers),
        Some(layer) if layer < layers => Ok(layer..layer + 1),
        Some(layer) => bail!(
            "there is no layer {layer}: {} has the layers 0 to {}",
            info.spec,
            layers.saturating_sub(1)
        ),
    }
}

/// Bytes of memory that [`decode`] needs for a layer; 0 for one that cannot be read, which `decode` tells.
pub(crate) fn layer_bytes<G: Ranked>(opened: &Table<File>, game: &G, layer: u32) -> u64 {
    hindsight_tablebase::decode_layer_memory(opened, game, layer).unwrap_or(0)
}

/// Bytes of memory that [`decode_states`] needs for a layer; 0 for one that cannot be read.
pub(crate) fn state_layer_bytes<G: ForbiddenMove>(
    opened: &Table<File>,
    game: &G,
    layer: u32,
) -> u64 {
    hindsight_tablebase::decode_states_memory(opened, game, layer).unwrap_or(0)
}

/// Refuses what does not fit in memory: `needed` are the bytes of its steps, one after the other.
pub(crate) fn check_memory(needed: impl Iterator<Item = u64>, context: &Context) -> Result<()> {
    let (needed, limit) = (needed.max().unwrap_or(0), context.limits().memory);
    if needed > limit {
        bail!(
            "this does not fit in memory: it takes at least {}",
            needed_and_allowed(needed, limit)
        );
    }
    Ok(())
}

/// Whether the tiers of a game can be listed: a header may name any.
///
/// # Errors
/// When a solve would take far more memory than allowed.
pub(crate) fn check_game_size<G: Ranked>(game: &G, context: &Context) -> Result<()> {
    let limit = context.limits().memory.max(ROUGH_CHECK_FLOOR);
    TierPlan::check_roughly(game, false, limit).map_err(solver_error)
}

/// All values of a layer.
///
/// # Errors
/// When the file is damaged, or cannot be read.
pub(crate) fn decode_layer<G: Ranked>(
    path: &Path,
    opened: &Table<File>,
    game: &G,
    layer: u32,
) -> Result<Layer> {
    let decoded = opened.decode_layer(game, layer);
    decoded.map_err(|error| table_error(path, error))
}

/// All states of a layer.
pub(crate) fn decode_state_layer<G: ForbiddenMove>(
    path: &Path,
    opened: &Table<File>,
    game: &G,
    layer: u32,
) -> Result<StateLayer> {
    let decoded = opened.decode_states(game, layer);
    decoded.map_err(|error| table_error(path, error))
}
