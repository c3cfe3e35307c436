//! The command `graph`: writes all reachable positions and moves of a solved game to files.

mod formats;
#[cfg(feature = "parquet")]
mod parquet_graph;
mod rows;

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use hindsight_answers::GraphAnswer;
use hindsight_answers::report::unbroken;
use hindsight_core::{Notation, PackedGame};
use hindsight_games::{Monitor, Progress, game_with_symmetry};
use hindsight_solve::graph;

use self::rows::SolvedGraph;
use crate::args::{GraphArgs, GraphFormat};
use crate::context::Context;
use crate::output::{
    NamedFile, Output, check_distinct, finish_all, is_stdout, print_json, print_text,
};
use crate::process::exit::not_built_in;
use crate::shown::progress::ProgressDisplay;
use crate::shown::sizes::{counted, with_commas};

pub(crate) fn run(args: &GraphArgs, context: &Context) -> Result<()> {
    let format = match args.format {
        Some(format) => format,
        None => format_by_name(&args.out)?,
    };
    if format == GraphFormat::Parquet && !cfg!(feature = "parquet") {
        return Err(not_built_in("Parquet files", "parquet"));
    }
    let files = open_files(args, format, context)?;
    let export = GraphExport { args, context, format, files };
    export.run(game_with_symmetry(&args.spec, args.symmetry.into())?.rules())
}

/// Opens the output files, before any other work, so that a bad name fails at once.
fn open_files(args: &GraphArgs, format: GraphFormat, context: &Context) -> Result<Vec<Output>> {
    let to_stdout = is_stdout(&args.out);
    let is_one_file = matches!(format, GraphFormat::Dot | GraphFormat::Graphml);
    if to_stdout && context.json {
        bail!("with --json the report is on standard output; give the graph a file, --out FILE");
    }
    if to_stdout && !is_one_file {
        bail!("nodes and edges are two files; only dot and graphml go to standard output");
    }
    let deck = hindsight_rules::deck_file(&args.spec).map(PathBuf::from);
    let inputs: Vec<_> = NamedFile::optional("the deck", deck.as_ref()).into_iter().collect();
    let paths = file_paths(format, &args.out);
    let outputs = paths.iter().map(|path| NamedFile::new("--out", path));
    check_distinct(&inputs, &outputs.collect::<Vec<_>>())?;
    let open = |path: &PathBuf| Output::file_or_stream(path, context.force);
    paths.iter().map(open).collect()
}

/// Returns the format that the ending of a file name stands for.
fn format_by_name(file: &Path) -> Result<GraphFormat> {
    let ending = file
        .extension()
        .and_then(|ending| ending.to_str())
        .unwrap_or_default()
        .to_ascii_lowercase();
    match ending.as_str() {
        "dot" | "gv" => Ok(GraphFormat::Dot),
        "graphml" | "xml" => Ok(GraphFormat::Graphml),
        "csv" => Ok(GraphFormat::Csv),
        "parquet" => Ok(GraphFormat::Parquet),
        _ if is_stdout(file) => {
            bail!("standard output has no ending; add --format dot or --format graphml")
        }
        _ => bail!(
            "'{}' ends like no format; end it in .dot, .graphml or .csv, or add --format",
            file.display()
        ),
    }
}

/// Returns the paths to write: one file, or one for the nodes and one for the edges.
fn file_paths(format: GraphFormat, out: &Path) -> Vec<PathBuf> {
    let node_and_edge_paths = |ending: &str| {
        ["nodes", "edges"].map(|rows| out.with_extension(format!("{rows}.{ending}"))).to_vec()
    };
    match format {
        GraphFormat::Dot | GraphFormat::Graphml => vec![out.to_owned()],
        GraphFormat::Csv => node_and_edge_paths("csv"),
        GraphFormat::Parquet => node_and_edge_paths("parquet"),
    }
}

/// Solves a game and writes its graph.
struct GraphExport<'a> {
    args: &'a GraphArgs,
    context: &'a Context,
    format: GraphFormat,
    /// Files of the format: one or two.
    files: Vec<Output>,
}

/// Stops a solve that finds more positions than allowed.
struct PositionLimit {
    display: ProgressDisplay,
    max_positions: u64,
    exceeded: bool,
}

impl Monitor for PositionLimit {
    fn report(&mut self, progress: Progress) -> bool {
        self.exceeded |= progress.done > self.max_positions;
        self.display.report(progress) && !self.exceeded
    }
}

impl GraphExport<'_> {
    /// Solves a game and writes its graph.
    fn run(mut self, game: &PackedGame) -> Result<()> {
        let max_positions = self.args.max_positions.unwrap_or(match self.format {
            GraphFormat::Dot => 5_000,
            _ => 2_000_000,
        });
        let mut monitor = PositionLimit {
            display: ProgressDisplay::new(self.context.quiet).saving_nothing(),
            max_positions,
            exceeded: false,
        };
        let context = self.context;
        let solved = graph::solve(game, context.limits(), &mut monitor);
        let too_large = || {
            anyhow!(
                "the graph has more than {} positions, too many for a file of this kind \
                 to be of use; add --max-positions N to write it anyway, \
                 or merge some with --symmetry all",
                with_commas(max_positions)
            )
        };
        if monitor.exceeded {
            return Err(too_large());
        }
        drop(monitor);
        let solved = solved.map_err(|error| context.solver_error(error))?;
        if solved.len() as u64 > max_positions {
            return Err(too_large());
        }
        let graph = SolvedGraph { game, solved: &solved };
        match (self.format, self.files.as_mut_slice()) {
            (GraphFormat::Dot, [file]) => formats::write_dot(&graph, file),
            (GraphFormat::Graphml, [file]) => formats::write_graphml(&graph, file),
            (GraphFormat::Csv, [nodes, edges]) => formats::write_csv(&graph, nodes, edges),
            #[cfg(feature = "parquet")]
            (GraphFormat::Parquet, [nodes, edges]) => parquet_graph::write(&graph, nodes, edges),
            _ => {
                unreachable!("the files fit the format, and the format is built in")
            }
        }?;
        let names = self.files.iter().map(|file| file.name().display().to_string());
        let names: Vec<String> = names.collect();
        let to_stdout = self.files.iter().any(Output::is_stdout);
        finish_all(self.files)?;
        if to_stdout {
            return Ok(());
        }
        let summary = solved.summary();
        if self.context.json {
            let (positions, edges) = (summary.positions, summary.edges);
            return print_json(&GraphAnswer { game: game.spec(), files: names, positions, edges });
        }
        let positions = counted(summary.positions, "position");
        let counts = format!("{positions}, {}", counted(summary.edges, "move"));
        print_text(&format!("{}: {}\n", names.join(" and "), unbroken(&counts)))
    }
}
