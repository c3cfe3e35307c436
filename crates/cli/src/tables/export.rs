//! The command `export`: writes the positions of a table to a file.

use std::ops::Range;
use std::path::Path;

use anyhow::{Result, bail};
use hindsight_answers::ExportAnswer;
use hindsight_core::{Value, Wdl};
use hindsight_games::{Histogram, Monitor, Progress, TableInfo, Tablebase};

use super::rows::{CsvRows, RowSink};
use super::{open, selected_layers};
use crate::args::ExportArgs;
use crate::context::Context;
use crate::output::{
    NamedFile, Output, check_distinct, escape_controls, is_stdout, print_json, print_text,
};
#[cfg(not(feature = "parquet"))]
use crate::process::exit::not_built_in;
use crate::shown::progress::ProgressDisplay;
use crate::shown::sizes::{counted, with_commas};

pub(crate) fn run(args: &ExportArgs, context: &Context) -> Result<()> {
    let out = &args.out;
    let format = ExportFormat::by_name(out)?;
    let to_stdout = is_stdout(out);
    if to_stdout && context.json {
        bail!(
            "with --json the report is on standard output; give the positions a file, --out FILE"
        );
    }
    check_distinct(&[NamedFile::new("the table", &args.file)], &[NamedFile::new("--out", out)])?;
    let table = open(&args.file)?;
    let info = table.info();
    let layers = selected_layers(info, args.layer)?;
    let filter = RowFilter { wdl: args.value.map(Wdl::from), remoteness: args.remoteness };
    let max_rows = filter.max_rows(info, layers.clone());
    if max_rows > args.max_positions {
        bail!(
            "up to {} would be written, more than {}; add --max-positions N to allow them, \
             or choose with --layer, --value or --remoteness",
            counted(max_rows, "row"),
            with_commas(args.max_positions)
        );
    }
    let export = TableExport {
        table: &table,
        layers,
        filter,
        max_rows,
        sink: format.open(Output::file_or_stream(out, context.force)?)?,
        context,
    };
    let positions = export.run()?;
    if to_stdout {
        return Ok(());
    }
    let answer =
        ExportAnswer { game: info.spec.clone(), file: out.display().to_string(), positions };
    if context.json {
        return print_json(&answer);
    }
    let file = escape_controls(&answer.file);
    print_text(&format!("{file}: {}\n", counted(positions, "position")))
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
            Some("parquet") => Err(not_built_in("Parquet files", "parquet")),
            // A stream may have any name.
            _ if is_stdout(file) || file.exists() && !file.is_file() && !file.is_dir() => {
                Ok(Self::Csv)
            }
            _ => bail!("'{}' ends like no format; end it in .csv or .parquet", file.display()),
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
            && self.remoteness.is_none_or(|plies| value.remoteness() == Some(plies))
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
    table: &'a Tablebase,
    layers: Range<usize>,
    filter: RowFilter,
    max_rows: u64,
    sink: Box<dyn RowSink>,
    context: &'a Context,
}

impl TableExport<'_> {
    /// Writes the rows of each layer that may have some. Returns their number.
    fn run(mut self) -> Result<u64> {
        let layers = self.layers.start as u32..self.layers.end as u32;
        let table = self.table;
        self.context.run(|options| table.check_rows(layers, options))?;
        let mut display = ProgressDisplay::new(self.context.quiet).saving_nothing();
        let filter = self.filter;
        let wanted = move |value| filter.matches(value);
        let mut written = 0;
        for layer in self.layers.clone() {
            if filter.max_rows(table.info(), layer..layer + 1) == 0 {
                continue;
            }
            self.report_progress(&mut display, written)?;
            for rows in table.rows(layer as u32, wanted)? {
                written += rows.len() as u64;
                self.sink.append(rows)?;
                self.report_progress(&mut display, written)?;
            }
        }
        drop(display);
        self.sink.finish()?;
        Ok(written)
    }

    /// Reports progress in rows.
    ///
    /// # Errors
    /// When a signal asks to stop. The unfinished file is removed then.
    fn report_progress(&self, display: &mut ProgressDisplay, done: u64) -> Result<()> {
        let progress = Progress { phase: "export", done, total: Some(self.max_rows) };
        if display.report(progress) {
            Ok(())
        } else {
            Err(hindsight_games::SolverError::Stopped.into())
        }
    }
}
