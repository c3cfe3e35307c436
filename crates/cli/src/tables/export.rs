//! The command `export`: writes the positions of a table to a file.

use std::fs::File;
use std::ops::Range;
use std::path::Path;

use anyhow::{Result, bail};
use hindsight_core::{ForbiddenMove, Game, Notation, Ranked, Retro, Value, Wdl};
use hindsight_rules::Visitor;
use hindsight_solve::{Histogram, Layer, Monitor, Progress};
use hindsight_tablebase::{StateLayer, Table, TableInfo};
use serde::Serialize;

use super::rows::{CsvRows, PositionRow, RowSink};
use super::{
    check_game_size, check_memory, decode_layer, decode_state_layer, layer_bytes, open,
    selected_layers, state_at, state_layer_bytes, unranked_error, visit,
};
use crate::args::ExportArgs;
use crate::context::Context;
use crate::output::{NamedFile, Output, check_distinct, is_stdout, print, print_json, with_commas};
use crate::progress::ProgressDisplay;

/// Ranks that are turned into rows together.
const CHUNK_RANKS: u64 = 1 << 12;

/// Bytes of memory for a row: its texts, its position and its share of the file's buffer.
const ROW_BYTES: u64 = 512;

/// The JSON report of `export`.
#[derive(Serialize)]
struct ExportReport {
    game: String,
    file: String,
    positions: u64,
}

pub(crate) fn run(args: &ExportArgs, context: &Context) -> Result<()> {
    let out = &args.out;
    let format = ExportFormat::by_name(out)?;
    let to_stdout = is_stdout(out);
    if to_stdout && context.json {
        bail!(
            "with --json the report is on standard output; give the positions a file, --out FILE"
        );
    }
    check_distinct(
        &[NamedFile::new("the table", &args.file)],
        &[NamedFile::new("--out", out)],
    )?;
    let opened = open(&args.file)?;
    let info = opened.info();
    let layers = selected_layers(info, args.layer)?;
    let filter = RowFilter {
        wdl: args.value.map(Wdl::from),
        remoteness: args.remoteness,
    };
    let max_rows = filter.max_rows(info, layers.clone());
    if max_rows > args.max_positions {
        bail!(
            "up to {} rows would be written, more than {}; add --max-positions N to allow them, \
             or choose with --layer, --value or --remoteness",
            with_commas(max_rows),
            with_commas(args.max_positions)
        );
    }
    let export = TableExport {
        path: &args.file,
        opened: &opened,
        layers,
        filter,
        max_rows,
        written: 0,
        sink: format.open(Output::file_or_stream(out, context.force)?)?,
        context,
    };
    let exported = visit(&info.spec, export)?;
    let positions = exported?;
    if to_stdout {
        return Ok(());
    }
    let report = ExportReport {
        game: info.spec.clone(),
        file: out.display().to_string(),
        positions,
    };
    if context.json {
        return print_json(&report);
    }
    print(&format!(
        "{}: {} positions\n",
        report.file,
        with_commas(positions)
    ))
}

#[derive(Clone, Copy)]
enum ExportFormat {
    Csv,
    #[cfg(feature = "parquet")]
    Parquet,
}

impl ExportFormat {
    fn by_name(file: &Path) -> Result<Self> {
        let ending = file.extension().map(|ending| ending.to_ascii_lowercase());
        match ending.as_ref().and_then(|ending| ending.to_str()) {
            Some("csv") => Ok(Self::Csv),
            #[cfg(feature = "parquet")]
            Some("parquet") => Ok(Self::Parquet),
            #[cfg(not(feature = "parquet"))]
            Some("parquet") => bail!(
                "Parquet is not built in; build with `cargo build --release --features parquet`"
            ),
            // A stream may have any name.
            _ if is_stdout(file) || file.exists() && !file.is_file() && !file.is_dir() => {
                Ok(Self::Csv)
            }
            _ => bail!(
                "'{}' ends like no format; end it in .csv or .parquet",
                file.display()
            ),
        }
    }

    fn open(self, out: Output) -> Result<Box<dyn RowSink>> {
        match self {
            Self::Csv => Ok(Box::new(CsvRows::new(out)?)),
            #[cfg(feature = "parquet")]
            Self::Parquet => Ok(Box::new(super::parquet_rows::ParquetRows::new(out)?)),
        }
    }
}

/// The values of the rows to write.
#[derive(Clone, Copy)]
struct RowFilter {
    wdl: Option<Wdl>,
    remoteness: Option<u16>,
}

impl RowFilter {
    fn matches(self, value: Value) -> bool {
        self.wdl.is_none_or(|wdl| wdl == value.wdl())
            && self
                .remoteness
                .is_none_or(|plies| value.remoteness() == Some(plies))
    }

    /// Returns an upper bound of the rows of some layers.
    ///
    /// A layer has at most `min(ranks, positions with a matching value)` rows. A table of states
    /// has a second row for a position whose value a forbidden move changes.
    fn max_rows(self, info: &TableInfo, layers: Range<usize>) -> u64 {
        let bounds = info.layers[layers].iter().map(|layer| {
            let positions = self.matching_positions(&layer.histogram).min(layer.ranks);
            let states = layer.states.as_ref();
            let states = states.map_or(0, |states| self.matching_positions(&states.nontrivial));
            positions.saturating_add(states.min(layer.ranks))
        });
        bounds.fold(0, u64::saturating_add)
    }

    fn matching_positions(self, histogram: &Histogram) -> u64 {
        let rows = histogram.rows().into_iter();
        let rows = rows.filter(|&(value, _)| self.matches(value));
        rows.map(|(_, positions)| positions).sum()
    }
}

/// Writes the rows of a table.
struct TableExport<'a> {
    path: &'a Path,
    opened: &'a Table<File>,
    layers: Range<usize>,
    filter: RowFilter,
    max_rows: u64,
    /// Rows written so far.
    written: u64,
    sink: Box<dyn RowSink>,
    context: &'a Context,
}

impl Visitor for TableExport<'_> {
    type Output = Result<u64>;

    fn visit<G: Game + Notation>(self, game: G) -> Result<u64> {
        Err(unranked_error(&game))
    }

    fn ranked<G: Retro + Notation>(mut self, game: G) -> Result<u64> {
        check_game_size(&game, self.context)?;
        let (path, opened) = (self.path, self.opened);
        self.check_layers(game.spec(), game.layers(), |layer| {
            layer_bytes(opened, &game, layer)
        })?;
        self.for_each_layer(|export, layer, display| {
            let layer = decode_layer(path, opened, &game, layer)?;
            export.write_layer(&game, &layer, display)
        })?;
        self.finish()
    }

    fn forbidden_move<G: ForbiddenMove + Notation>(mut self, game: G) -> Result<u64> {
        check_game_size(game.base(), self.context)?;
        let (path, opened) = (self.path, self.opened);
        self.check_layers(game.spec(), game.base().layers(), |layer| {
            state_layer_bytes(opened, &game, layer)
        })?;
        self.for_each_layer(|export, layer, display| {
            let layer = decode_state_layer(path, opened, &game, layer)?;
            export.write_state_layer(&game, &layer, display)
        })?;
        self.finish()
    }
}

/// Reports progress in rows.
///
/// # Errors
/// When a signal asks to stop. The unfinished file is removed then.
fn report_progress(display: &mut ProgressDisplay, done: u64, total: u64) -> Result<()> {
    let progress = Progress {
        phase: "export",
        done,
        total: Some(total),
    };
    if display.report(progress) {
        Ok(())
    } else {
        Err(hindsight_solve::Error::Stopped.into())
    }
}

impl TableExport<'_> {
    /// Refuses layers that the game does not have, or that do not fit in memory one by one.
    fn check_layers(&self, game: String, layers: u32, needed: impl Fn(u32) -> u64) -> Result<()> {
        let layers_to_write = self.layers.start as u32..self.layers.end as u32;
        if layers_to_write.end > layers {
            bail!("'{}' has layers that {game} has not", self.path.display());
        }
        let needed = |layer| needed(layer).saturating_add(CHUNK_RANKS * ROW_BYTES);
        check_memory(layers_to_write.map(needed), self.context)
    }

    /// Calls `write` for each layer that may have matching rows.
    fn for_each_layer(
        &mut self,
        write: impl Fn(&mut Self, u32, &mut ProgressDisplay) -> Result<()>,
    ) -> Result<()> {
        let mut display = ProgressDisplay::new(self.context.quiet);
        for layer in self.layers.clone() {
            let rows = self.filter.max_rows(self.opened.info(), layer..layer + 1);
            if rows > 0 {
                report_progress(&mut display, self.written, self.max_rows)?;
                write(self, layer as u32, &mut display)?;
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<u64> {
        self.sink.finish()?;
        Ok(self.written)
    }

    /// Appends rows to the file.
    fn push_rows(&mut self, rows: Vec<PositionRow>, display: &mut ProgressDisplay) -> Result<()> {
        self.written += rows.len() as u64;
        self.sink.append(rows)?;
        report_progress(display, self.written, self.max_rows)
    }

    fn write_layer<G: Retro + Notation>(
        &mut self,
        game: &G,
        layer: &Layer,
        display: &mut ProgressDisplay,
    ) -> Result<()> {
        let mut positions = Vec::new();
        for (i, &tier) in layer.tiers.iter().enumerate() {
            let codes = layer.tier_codes(i);
            let ranks = codes.len() as u64;
            let copies = game.tier_orbit_size(tier);
            for first in (0..ranks).step_by(CHUNK_RANKS as usize) {
                positions.clear();
                game.unrank_range(tier, first..ranks.min(first + CHUNK_RANKS), &mut positions);
                let row = |&(rank, position): &(u64, G::Position)| {
                    let code = usize::from(codes[rank as usize]);
                    let value = layer.palette.get(code).copied().flatten()?;
                    self.filter.matches(value).then(|| PositionRow {
                        tier,
                        rank,
                        copies,
                        position: game.format(position),
                        player: game.player_names()[game.player_to_move(position)],
                        value,
                    })
                };
                let rows: Vec<PositionRow> = positions.iter().filter_map(row).collect();
                self.push_rows(rows, display)?;
            }
        }
        Ok(())
    }

    /// Writes a row for each position with no move forbidden. A second row has the only best move
    /// forbidden, where that changes the value.
    fn write_state_layer<G: ForbiddenMove + Notation>(
        &mut self,
        game: &G,
        layer: &StateLayer,
        display: &mut ProgressDisplay,
    ) -> Result<()> {
        let tier = layer.tier();
        let copies = game.base().tier_orbit_size(tier);
        for first in (0..layer.ranks()).step_by(CHUNK_RANKS as usize) {
            let mut rows = Vec::new();
            for rank in first..layer.ranks().min(first + CHUNK_RANKS) {
                let forbidden_ids = [Some(0), layer.exception(rank).map(|(id, _)| id)];
                for id in forbidden_ids.into_iter().flatten() {
                    let value = layer.state(rank, id);
                    let Some(value) = value.filter(|&value| self.filter.matches(value)) else {
                        continue;
                    };
                    let state = state_at(game, tier, rank, id);
                    rows.extend(state.map(|state| PositionRow {
                        tier,
                        rank,
                        copies,
                        position: game.format(state),
                        player: game.player_names()[game.player_to_move(state)],
                        value,
                    }));
                }
            }
            self.push_rows(rows, display)?;
        }
        Ok(())
    }
}
