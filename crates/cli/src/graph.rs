use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow, bail};
use hindsight_core::{Game, Notation, Value};
use hindsight_rules::Visitor;
use hindsight_solve::{Monitor, Progress, graph};
use serde::Serialize;

use crate::args::{GraphArgs, GraphFormat};
use crate::context::Context;
use crate::errors::solver_error;
use crate::output::{
    NamedFile, Output, check_distinct, finish_all, is_stdout, print, print_json, with_commas,
};
use crate::progress::ProgressDisplay;
use crate::spec::{setup, spec_error};

pub(crate) fn run(args: &GraphArgs, context: &Context) -> Result<()> {
    let format = match args.format {
        Some(format) => format,
        None => format_by_name(&args.out)?,
    };
    if format == GraphFormat::Parquet && !cfg!(feature = "parquet") {
        bail!("Parquet is not built in; build with `cargo build --release --features parquet`");
    }
    let files = open_files(args, format, context)?;
    let export = GraphExport {
        args,
        context,
        format,
        files,
    };
    let visited = hindsight_rules::by_name(&args.spec, &setup(args.symmetry), export);
    visited.map_err(|error| spec_error(&args.spec, &error))?
}

/// Opens the files to write, before anything else is done.
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
    let inputs: Vec<_> = NamedFile::optional("the deck", deck.as_ref())
        .into_iter()
        .collect();
    let paths = file_paths(format, &args.out);
    let outputs = paths.iter().map(|path| NamedFile::new("--out", path));
    check_distinct(&inputs, &outputs.collect::<Vec<_>>())?;
    let open = |path: &PathBuf| Output::file_or_stream(path, context.force);
    paths.iter().map(open).collect()
}

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
        #[cfg(feature = "parquet")]
        "parquet" => Ok(GraphFormat::Parquet),
        #[cfg(not(feature = "parquet"))]
        "parquet" => {
            bail!("Parquet is not built in; build with `cargo build --release --features parquet`")
        }
        _ if is_stdout(file) => {
            bail!("standard output has no ending; add --format dot or --format graphml")
        }
        _ => bail!(
            "'{}' ends like no format; end it in .dot, .graphml or .csv, or add --format",
            file.display()
        ),
    }
}

/// The files that will be written: one, or one for the nodes and one for the edges.
fn file_paths(format: GraphFormat, out: &Path) -> Vec<PathBuf> {
    let both = |ending: &str| {
        ["nodes", "edges"]
            .map(|what| out.with_extension(format!("{what}.{ending}")))
            .to_vec()
    };
    match format {
        GraphFormat::Dot | GraphFormat::Graphml => vec![out.to_owned()],
        GraphFormat::Csv => both("csv"),
        GraphFormat::Parquet => both("parquet"),
    }
}

struct GraphExport<'a> {
    args: &'a GraphArgs,
    context: &'a Context,
    format: GraphFormat,
    /// As many as the format has.
    files: Vec<Output>,
}

/// Stops a solve that meets more positions than are wanted.
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

/// A node of the graph as it is written.
pub(crate) struct NodeRow {
    pub(crate) id: usize,
    pub(crate) position: String,
    pub(crate) player: &'static str,
    pub(crate) value: Value,
}

/// An edge of the graph as it is written; the value is for the one who moves.
pub(crate) struct EdgeRow {
    pub(crate) from: usize,
    pub(crate) to: usize,
    pub(crate) mv: String,
    pub(crate) value: Value,
    pub(crate) best: bool,
}

impl Visitor for GraphExport<'_> {
    type Output = Result<()>;

    fn visit<G: Game + Notation>(mut self, game: G) -> Result<()> {
        let most = self.args.max_positions.unwrap_or(match self.format {
            GraphFormat::Dot => 5_000,
            _ => 2_000_000,
        });
        let mut monitor = PositionLimit {
            display: ProgressDisplay::new(self.context.quiet),
            max_positions: most,
            exceeded: false,
        };
        let solved = graph::solve(&game, self.context.limits(), &mut monitor);
        let too_large = || {
            anyhow!(
                "the graph has more than {} positions, too many for a file of this kind to be of use; add --max-positions N to write it anyway, or merge some with --symmetry all",
                with_commas(most)
            )
        };
        if monitor.exceeded {
            return Err(too_large());
        }
        drop(monitor);
        let solved = solved.map_err(solver_error)?;
        if solved.positions().len() as u64 > most {
            return Err(too_large());
        }
        let graph = SolvedGraph {
            game: &game,
            solved: &solved,
        };
        match (self.format, self.files.as_mut_slice()) {
            (GraphFormat::Dot, [file]) => graph.dot(file),
            (GraphFormat::Graphml, [file]) => graph.graphml(file),
            (GraphFormat::Csv, [nodes, edges]) => graph.csv(nodes, edges),
            #[cfg(feature = "parquet")]
            (GraphFormat::Parquet, [nodes, edges]) => crate::parquet::write(&graph, nodes, edges),
            _ => {
                unreachable!("as many files as the format has, and only formats that are built in")
            }
        }?;
        let names = self
            .files
            .iter()
            .map(|file| file.name().display().to_string());
        let names: Vec<String> = names.collect();
        let to_stdout = self.files.iter().any(Output::is_stdout);
        finish_all(self.files)?;
        if to_stdout {
            return Ok(());
        }
        let summary = solved.summary();
        if self.context.json {
            let (positions, edges) = (summary.positions, summary.edges);
            return print_json(&GraphReport {
                game: game.spec(),
                files: names,
                positions,
                edges,
            });
        }
        print(&format!(
            "{}: {} positions, {} moves\n",
            names.join(" and "),
            with_commas(summary.positions),
            with_commas(summary.edges)
        ))
    }
}

/// What `graph --json` prints.
#[derive(Serialize)]
struct GraphReport {
    game: String,
    files: Vec<String>,
    positions: u64,
    edges: u64,
}

/// A solved game on its way into a file.
pub(crate) struct SolvedGraph<'a, G: Game> {
    game: &'a G,
    solved: &'a graph::GraphSolution<G>,
}

impl<G: Game + Notation> SolvedGraph<'_, G> {
    /// All positions with their numbers.
    fn numbered(&self) -> impl Iterator<Item = (usize, G::Position)> {
        self.solved.positions().iter().copied().enumerate()
    }

    pub(crate) fn nodes(&self) -> impl Iterator<Item = NodeRow> {
        self.numbered().map(|(id, position)| NodeRow {
            id,
            position: self.game.format(position),
            player: self.game.players()[self.game.player_to_move(position)],
            value: self.solved.value(id),
        })
    }

    pub(crate) fn edges(&self) -> impl Iterator<Item = EdgeRow> {
        self.numbered().flat_map(move |(from, position)| {
            let mut moves = Vec::new();
            self.game.moves(position, &mut moves);
            moves.into_iter().map(move |mv| {
                let to = self.solved.number(self.game, self.game.play(position, mv));
                let to = to.expect("a successor of a reachable position is reachable");
                let value = self.solved.value(to).before();
                let best = value == self.solved.value(from);
                EdgeRow {
                    from,
                    to,
                    mv: self.game.format_move(position, mv),
                    value,
                    best,
                }
            })
        })
    }

    fn dot(&self, out: &mut impl Write) -> Result<()> {
        writeln!(out, "// {}\ndigraph game {{", self.game.spec())?;
        writeln!(
            out,
            "  node [shape=circle, style=filled, label=\"\", width=0.15, penwidth=0.5];"
        )?;
        writeln!(out, "  edge [arrowsize=0.3, color=\"#00000040\"];")?;
        for node in self.nodes() {
            let colour = match node.value {
                Value::Win(_) => "#3b7dd8",
                Value::Loss(_) => "#d8483b",
                Value::Draw => "#c9c9c9",
            };
            let shape = if node.id == 0 {
                ", shape=doublecircle"
            } else {
                ""
            };
            let tip = format!("{}: {}", node.position, node.value);
            writeln!(
                out,
                "  {} [fillcolor=\"{colour}\", tooltip=\"{}\"{shape}];",
                node.id,
                tip.replace('"', "\\\"")
            )?;
        }
        for edge in self.edges() {
            let style = if edge.best {
                " [color=\"#000000\", penwidth=1.2]"
            } else {
                ""
            };
            writeln!(out, "  {} -> {}{style};", edge.from, edge.to)?;
        }
        writeln!(out, "}}")?;
        Ok(())
    }

    fn graphml(&self, out: &mut impl Write) -> Result<()> {
        writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
        writeln!(
            out,
            "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">"
        )?;
        let keys = [
            ("position", "node", "string"),
            ("player", "node", "string"),
            ("value", "node", "string"),
            ("remoteness", "node", "int"),
            ("move", "edge", "string"),
            ("move_value", "edge", "string"),
            ("move_remoteness", "edge", "int"),
            ("best", "edge", "boolean"),
        ];
        for (name, domain, kind) in keys {
            writeln!(
                out,
                "  <key id=\"{name}\" for=\"{domain}\" attr.name=\"{name}\" attr.type=\"{kind}\"/>"
            )?;
        }
        writeln!(
            out,
            "  <graph id=\"{}\" edgedefault=\"directed\">",
            escape_xml(&self.game.spec())
        )?;
        for node in self.nodes() {
            write!(
                out,
                "    <node id=\"n{}\"><data key=\"position\">{}</data>",
                node.id,
                escape_xml(&node.position)
            )?;
            write!(
                out,
                "<data key=\"player\">{}</data><data key=\"value\">{}</data>",
                node.player,
                node.value.wdl()
            )?;
            if let Some(plies) = node.value.remoteness() {
                write!(out, "<data key=\"remoteness\">{plies}</data>")?;
            }
            writeln!(out, "</node>")?;
        }
        for edge in self.edges() {
            write!(
                out,
                "    <edge source=\"n{}\" target=\"n{}\">",
                edge.from, edge.to
            )?;
            write!(
                out,
                "<data key=\"move\">{}</data><data key=\"move_value\">{}</data>",
                escape_xml(&edge.mv),
                edge.value.wdl()
            )?;
            if let Some(plies) = edge.value.remoteness() {
                write!(out, "<data key=\"move_remoteness\">{plies}</data>")?;
            }
            writeln!(out, "<data key=\"best\">{}</data></edge>", edge.best)?;
        }
        writeln!(out, "  </graph>\n</graphml>")?;
        Ok(())
    }

    fn csv(&self, nodes: &mut impl Write, edges: &mut impl Write) -> Result<()> {
        let plies = |value: Value| {
            value
                .remoteness()
                .map_or(String::new(), |plies| plies.to_string())
        };
        writeln!(nodes, "id,position,player,value,remoteness")?;
        for node in self.nodes() {
            let NodeRow {
                id,
                position,
                player,
                value,
            } = node;
            writeln!(
                nodes,
                "{id},\"{position}\",{player},{},{}",
                value.wdl(),
                plies(value)
            )?;
        }
        writeln!(edges, "from,to,move,value,remoteness,best")?;
        for edge in self.edges() {
            let EdgeRow {
                from,
                to,
                mv,
                value,
                best,
            } = edge;
            writeln!(
                edges,
                "{from},{to},\"{mv}\",{},{},{best}",
                value.wdl(),
                plies(value)
            )?;
        }
        Ok(())
    }
}

/// Text between the tags of XML.
fn escape_xml(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
