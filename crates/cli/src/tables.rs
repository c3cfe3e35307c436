//! Tables: opened, checked and decoded for every command that reads one.

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
/// When the file does not exist, or is not an ordinary file.
pub(crate) fn open_file(path: &Path) -> Result<File> {
    let name = path.display();
    match path.metadata() {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            bail!("there is no file '{name}'; `hindsight solve SPEC --out FILE` writes a table")
        }
        Err(error) => Err(error).with_context(|| format!("cannot read '{name}'")),
        Ok(metadata) if metadata.is_dir() => bail!("'{name}' is a folder; name a table in it"),
        Ok(metadata) if !metadata.is_file() => bail!("'{name}' is no ordinary file"),
        Ok(_) => File::open(path).with_context(|| format!("cannot read '{name}'")),
    }
}

/// Opens a table of values. Reads only its header.
///
/// # Errors
/// When the file does not exist, is no table, is damaged, has another version of the format, or
/// keeps distances.
pub(crate) fn open(path: &Path) -> Result<Table<File>> {
    let opened = open_any(path)?;
    if opened.info().layout == Layout::Distances {
        let name = path.display();
        bail!(
            "'{name}' keeps distances from the start, not values: \
             `hindsight reach {name}` reads it"
        );
    }
    Ok(opened)
}

/// Opens a table of values or distances, like [`open`].
///
/// Invariant: no command uses a header before it was checked against the game that it names.
pub(crate) fn open_any(path: &Path) -> Result<Table<File>> {
    let opened = Table::open(open_file(path)?).map_err(|error| table_error(path, error))?;
    let fits = visit(&opened.info().spec, HeaderCheck(opened.info()))??;
    fits.map_err(|error| table_error(path, error))?;
    Ok(opened)
}

/// Checks a header against the game that it names.
pub(crate) struct HeaderCheck<'a>(pub(crate) &'a TableInfo);

impl HeaderCheck<'_> {
    /// Refuses a spec that is not in its normal form: no writer puts another one there.
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

/// Adds the name of the file to an error of its table. An interruption keeps its type.
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

/// Describes a damage without the leading word "damaged".
pub(crate) fn damage_text(error: &hindsight_tablebase::TableError) -> String {
    let text = error.with_causes();
    text.strip_prefix("damaged: ").unwrap_or(&text).to_string()
}

/// Hands the game of a table to a visitor; `spec` is the one in the header.
///
/// The visitor's `visit` is called only for games without ranks: it should return
/// [`unranked_error`].
///
/// # Errors
/// When the spec names no game.
pub(crate) fn visit<V: Visitor>(spec: &str, visitor: V) -> Result<V::Output> {
    // A spec in its normal form needs no other files, so none that a header might name is read.
    hindsight_rules::by_name(spec, &Setup::default(), visitor)
        .map_err(|error| spec_error(spec, &error))
        .context("the table is of a game that this program does not have")
}

/// Returns the error of a game that has no ranks, and so no tables.
pub(crate) fn unranked_error<G: Notation>(game: &G) -> anyhow::Error {
    anyhow!(
        "there are no tables of {}: it has no numbering of all positions that fits 64 bits",
        game.spec()
    )
}

/// Returns the position at a tier and rank, which may be any numbers that a file holds.
///
/// `None` for a hole, and where the game has no such tier or rank.
pub(crate) fn position_at<G: Ranked>(game: &G, tier: u64, rank: u64) -> Option<G::Position> {
    // Tiers ascend from layer to layer, and `tier_len` takes any number up to the last tier. The
    // last layer has few tiers, so listing them is cheap.
    let mut tiers = Vec::new();
    game.tiers(game.layers() - 1, &mut tiers);
    let known = tiers.last().is_some_and(|&last| tier <= last) && rank < game.tier_len(tier);
    known.then(|| game.unrank(tier, rank)).flatten()
}

/// Formats the position at a tier and rank, if the game has it.
pub(crate) type TextAt<'a> = &'a dyn Fn(u64, u64) -> Option<String>;

/// Formats the position at a tier and rank.
pub(crate) fn position_text<G: Ranked + Notation>(
    game: &G,
    tier: u64,
    rank: u64,
) -> Option<String> {
    position_at(game, tier, rank).map(|position| game.format(position))
}

/// Formats the state at a tier and rank in which no move is forbidden.
pub(crate) fn unrestricted_text<G: ForbiddenMove + Notation>(
    game: &G,
    tier: u64,
    rank: u64,
) -> Option<String> {
    state_at(game, tier, rank, 0).map(|state| game.format(state))
}

/// Returns the state at a tier and rank; `forbidden` is the id of the forbidden move, 0 for none.
pub(crate) fn state_at<G: ForbiddenMove>(
    game: &G,
    tier: u64,
    rank: u64,
    forbidden: u8,
) -> Option<G::Position> {
    let base = position_at(game.base(), tier, rank)?;
    if forbidden == 0 {
        return Some(game.encode(base, None));
    }
    let mut moves = Vec::new();
    game.base().moves(base, &mut moves);
    let mv = moves
        .into_iter()
        .find(|&mv| game.move_id(base, mv) == forbidden)?;
    Some(game.encode(base, Some(mv)))
}

/// Returns the layers that an option selects: all, or one.
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

/// Returns the bytes of memory that [`decode_layer`] needs for a layer; 0 for an unreadable layer,
/// which `decode_layer` reports.
pub(crate) fn layer_bytes<G: Ranked>(opened: &Table<File>, game: &G, layer: u32) -> u64 {
    hindsight_tablebase::decode_layer_memory(opened, game, layer).unwrap_or(0)
}

/// Bytes of memory that [`decode_state_layer`] needs for a layer; 0 for an unreadable one.
pub(crate) fn state_layer_bytes<G: ForbiddenMove>(
    opened: &Table<File>,
    game: &G,
    layer: u32,
) -> u64 {
    hindsight_tablebase::decode_states_memory(opened, game, layer).unwrap_or(0)
}

/// Refuses work that does not fit in memory; `needed` yields the bytes of each step. Steps run one
/// after the other, so the largest decides.
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

/// Refuses a game whose tiers are too many to list; a header may name any game.
///
/// # Errors
/// When a solve of the game would take far more memory than allowed.
pub(crate) fn check_game_size<G: Ranked>(game: &G, context: &Context) -> Result<()> {
    let limit = context.limits().memory.max(ROUGH_CHECK_FLOOR);
    TierPlan::check_roughly(game, false, limit).map_err(solver_error)
}

/// Decodes all values of a layer.
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

/// Decodes all states of a layer.
///
/// # Errors
/// When the file is damaged, or cannot be read.
pub(crate) fn decode_state_layer<G: ForbiddenMove>(
    path: &Path,
    opened: &Table<File>,
    game: &G,
    layer: u32,
) -> Result<StateLayer> {
    let decoded = opened.decode_states(game, layer);
    decoded.map_err(|error| table_error(path, error))
}
