use std::fs::File;
use std::io::Write;
use std::ops::Range;
use std::path::Path;

use anyhow::{Result, bail};
use hindsight_core::{ForbiddenMove, Game, Notation, Ranked, Retro, Value, Wdl};
use hindsight_rules::Visitor;
use hindsight_solve::{Histogram, Layer, Monitor, Progress};
use hindsight_tablebase::{Info, StateLayer, Table};
use serde::Serialize;

use super::{
    check_game, check_memory, chosen, decode, decode_states, layer_bytes, open, state_at,
    states_bytes, unnumbered, visit,
};
use crate::args::ExportArgs;
use crate::context::Context;
use crate::output::{Named, Output, check_distinct, is_stdout, print, print_json, with_commas};
use crate::progress::Display;

/// Ranks that are turned into rows at a time.
const CHUNK: u64 = 1 << 12;

/// Bytes of a row with its texts, its position, and its share of the file's buffer.
const ROW: u64 = 512;

/// What `export --json` prints.
#[derive(Serialize)]
struct Report {
    game: String,
    file: String,
    positions: u64,
}

/// A position as it is written.
pub(crate) struct Row {
    pub(crate) tier: u64,
    pub(crate) rank: u64,
    pub(crate) copies: u64,
    pub(crate) position: String,
    pub(crate) player: &'static str,
    pub(crate) value: Value,
}

/// Takes rows, some at a time.
pub(crate) trait Sink {
    fn rows(&mut self, rows: Vec<Row>) -> Result<()>;

    /// Completes the file.
    fn finish(self: Box<Self>) -> Result<()>;
}

pub(crate) fn run(args: &ExportArgs, context: &Context) -> Result<()> {
    let out = &args.out;
    let format = Format::of(out)?;
    let to_stdout = is_stdout(out);
    if to_stdout && context.json {
        bail!(
            "with --json the report is on standard output; give the positions a file, --out FILE"
        );
    }
    check_distinct(
        &[Named::new("the table", &args.file)],
        &[Named::new("--out", out)],
    )?;
    let opened = open(&args.file)?;
    let info = opened.info();
    let layers = chosen(info, args.layer)?;
    let wanted = Wanted {
        wdl: args.value.map(Wdl::from),
        remoteness: args.remoteness,
    };
    let most = wanted.most(info, layers.clone());
    if most > args.max_positions {
        bail!(
            "up to {} rows would be written, more than {}; add --max-positions N to allow them, or choose with --layer, --value or --remoteness",
            with_commas(most),
            with_commas(args.max_positions)
        );
    }
    let export = Export {
        path: &args.file,
        opened: &opened,
        layers,
        wanted,
        most,
        written: 0,
        sink: format.sink(Output::file_or_stream(out, context.force)?)?,
        context,
    };
    let exported = visit(&info.spec, export)?;
    let positions = exported?;
    if to_stdout {
        return Ok(());
    }
    let report = Report {
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
enum Format {
    Csv,
    #[cfg(feature = "parquet")]
    Parquet,
}

impl Format {
    fn of(file: &Path) -> Result<Self> {
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

    fn sink(self, out: Output) -> Result<Box<dyn Sink>> {
        match self {
            Self::Csv => Ok(Box::new(Csv::new(out)?)),
            #[cfg(feature = "parquet")]
            Self::Parquet => Ok(Box::new(crate::parquet::Rows::new(out)?)),
        }
    }
}

/// The positions that are wanted.
#[derive(Clone, Copy)]
struct Wanted {
    wdl: Option<Wdl>,
    remoteness: Option<u16>,
}

impl Wanted {
    fn has(self, value: Value) -> bool {
        self.wdl.is_none_or(|wdl| wdl == value.wdl())
            && self
                .remoteness
                .is_none_or(|plies| value.remoteness() == Some(plies))
    }

    /// How many rows some layers may have: as many as ranks, and as positions that are wanted. A table of
    /// states has up to two rows of a position, the second of a state that a move leads to.
    fn most(self, info: &Info, layers: Range<usize>) -> u64 {
        let most = info.layers[layers].iter().map(|layer| {
            let positions = self.count(&layer.histogram).min(layer.ranks);
            let states = layer.states.as_ref();
            let states = states.map_or(0, |states| self.count(&states.nontrivial));
            positions.saturating_add(states.min(layer.ranks))
        });
        most.fold(0, u64::saturating_add)
    }

    fn count(self, histogram: &Histogram) -> u64 {
        let rows = histogram.rows().into_iter();
        let rows = rows.filter(|&(value, _)| self.has(value));
        rows.map(|(_, positions)| positions).sum()
    }
}

struct Export<'a> {
    path: &'a Path,
    opened: &'a Table<File>,
    layers: Range<usize>,
    wanted: Wanted,
    most: u64,
    /// Rows so far.
    written: u64,
    sink: Box<dyn Sink>,
    context: &'a Context,
}

impl Visitor for Export<'_> {
    type Output = Result<u64>;

    fn visit<G: Game + Notation>(self, game: G) -> Result<u64> {
        Err(unnumbered(&game))
    }

    fn ranked<G: Retro + Notation>(mut self, game: G) -> Result<u64> {
        check_game(&game, self.context)?;
        let (path, opened) = (self.path, self.opened);
        self.check((game.spec(), game.layers()), |layer| {
            layer_bytes(opened, &game, layer)
        })?;
        self.layers(|export, layer, display| {
            let layer = decode(path, opened, &game, layer)?;
            export.layer(&game, &layer, display)
        })?;
        self.finish()
    }

    fn forbidden_move<G: ForbiddenMove + Notation>(mut self, game: G) -> Result<u64> {
        check_game(game.base(), self.context)?;
        let (path, opened) = (self.path, self.opened);
        self.check((game.spec(), game.base().layers()), |layer| {
            states_bytes(opened, &game, layer)
        })?;
        self.layers(|export, layer, display| {
            let layer = decode_states(path, opened, &game, layer)?;
            export.states(&game, &layer, display)
        })?;
        self.finish()
    }
}

/// Ctrl-C ends the work: the file is not completed, and goes.
fn report(display: &mut Display, done: u64, most: u64) -> Result<()> {
    let progress = Progress {
        phase: "export",
        done,
        total: Some(most),
    };
    if display.report(progress) {
        Ok(())
    } else {
        Err(hindsight_solve::Error::Stopped.into())
    }
}

impl Export<'_> {
    /// Whether the game has the layers, and they fit in memory one by one.
    fn check(&self, (game, layers): (String, u32), needed: impl Fn(u32) -> u64) -> Result<()> {
        let wanted = self.layers.start as u32..self.layers.end as u32;
        if wanted.end > layers {
            bail!("'{}' has layers that {game} has not", self.path.display());
        }
        let needed = |layer| needed(layer).saturating_add(CHUNK * ROW);
        check_memory(wanted.map(needed), self.context)
    }

    /// Writes the layers that have rows to write.
    fn layers(&mut self, write: impl Fn(&mut Self, u32, &mut Display) -> Result<()>) -> Result<()> {
        let mut display = Display::new(self.context.quiet);
        for layer in self.layers.clone() {
            let wanted = self.wanted.most(self.opened.info(), layer..layer + 1);
            if wanted > 0 {
                report(&mut display, self.written, self.most)?;
                write(self, layer as u32, &mut display)?;
            }
        }
        Ok(())
    }

    fn finish(self) -> Result<u64> {
        self.sink.finish()?;
        Ok(self.written)
    }

    /// Hands rows over.
    fn sink(&mut self, rows: Vec<Row>, display: &mut Display) -> Result<()> {
        self.written += rows.len() as u64;
        self.sink.rows(rows)?;
        report(display, self.written, self.most)
    }

    fn layer<G: Retro + Notation>(
        &mut self,
        game: &G,
        layer: &Layer,
        display: &mut Display,
    ) -> Result<()> {
        let mut positions = Vec::new();
        for (i, &tier) in layer.tiers.iter().enumerate() {
            let codes = layer.tier_codes(i);
            let ranks = codes.len() as u64;
            let copies = game.tier_copies(tier);
            for first in (0..ranks).step_by(CHUNK as usize) {
                positions.clear();
                game.unrank_range(tier, first..ranks.min(first + CHUNK), &mut positions);
                let row = |&(rank, position): &(u64, G::Position)| {
                    let code = usize::from(codes[rank as usize]);
                    let value = layer.palette.get(code).copied().flatten()?;
                    self.wanted.has(value).then(|| Row {
                        tier,
                        rank,
                        copies,
                        position: game.format(position),
                        player: game.players()[game.player_to_move(position)],
                        value,
                    })
                };
                let rows: Vec<Row> = positions.iter().filter_map(row).collect();
                self.sink(rows, display)?;
            }
        }
        Ok(())
    }

    /// A row for each position with nothing forbidden, and one for the only best way forbidden where that
    /// changes the value.
    fn states<G: ForbiddenMove + Notation>(
        &mut self,
        game: &G,
        layer: &StateLayer,
        display: &mut Display,
    ) -> Result<()> {
        let tier = layer.tier();
        let copies = game.base().tier_copies(tier);
        for first in (0..layer.ranks()).step_by(CHUNK as usize) {
            let mut rows = Vec::new();
            for rank in first..layer.ranks().min(first + CHUNK) {
                let ways = [Some(0), layer.exception(rank).map(|(way, _)| way)];
                for way in ways.into_iter().flatten() {
                    let value = layer.state(rank, way);
                    let Some(value) = value.filter(|&value| self.wanted.has(value)) else {
                        continue;
                    };
                    let state = state_at(game, (tier, rank), way);
                    rows.extend(state.map(|state| Row {
                        tier,
                        rank,
                        copies,
                        position: game.format(state),
                        player: game.players()[game.player_to_move(state)],
                        value,
                    }));
                }
            }
            self.sink(rows, display)?;
        }
        Ok(())
    }
}

/// Comma-separated values.
struct Csv(Output);

impl Csv {
    fn new(mut out: Output) -> Result<Self> {
        writeln!(out, "tier,rank,copies,position,player,value,remoteness")?;
        Ok(Self(out))
    }
}

impl Sink for Csv {
    fn rows(&mut self, rows: Vec<Row>) -> Result<()> {
        for row in rows {
            let plies = row.value.remoteness();
            let plies = plies.map_or(String::new(), |plies| plies.to_string());
            let Row {
                tier,
                rank,
                copies,
                position,
                player,
                value,
            } = row;
            writeln!(
                self.0,
                "{tier},{rank},{copies},\"{position}\",{player},{},{plies}",
                value.wdl()
            )?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<()> {
        self.0.finish()
    }
}
