//! The text formats of a graph: DOT, GraphML and CSV.

use std::io::Write;

use anyhow::Result;
use hindsight_answers::report::CsvLine;
use hindsight_core::{Notation, Value};

use super::rows::SolvedGraph;

/// Writes the graph in the DOT language of Graphviz, with a colour for each result.
pub(super) fn write_dot(graph: &SolvedGraph<'_>, out: &mut impl Write) -> Result<()> {
    writeln!(out, "// {}\ndigraph game {{", graph.game.spec())?;
    writeln!(out, "  node [shape=circle, style=filled, label=\"\", width=0.15, penwidth=0.5];")?;
    writeln!(out, "  edge [arrowsize=0.3, color=\"#00000040\"];")?;
    for node in graph.nodes() {
        let colour = match node.value {
            Value::Win(_) => "#3b7dd8",
            Value::Loss(_) => "#d8483b",
            Value::Draw => "#c9c9c9",
        };
        let shape = if node.id == 0 { ", shape=doublecircle" } else { "" };
        let tooltip = format!("{}: {}", node.position, node.value);
        writeln!(
            out,
            "  {} [fillcolor=\"{colour}\", tooltip=\"{}\"{shape}];",
            node.id,
            tooltip.replace('"', "\\\"")
        )?;
    }
    for edge in graph.edges() {
        let style = if edge.best { " [color=\"#000000\", penwidth=1.2]" } else { "" };
        writeln!(out, "  {} -> {}{style};", edge.from, edge.to)?;
    }
    writeln!(out, "}}")?;
    Ok(())
}

/// Writes the graph as GraphML, with every property as data of its node or edge.
pub(super) fn write_graphml(graph: &SolvedGraph<'_>, out: &mut impl Write) -> Result<()> {
    writeln!(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>")?;
    writeln!(out, "<graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\">")?;
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
    writeln!(out, "  <graph id=\"{}\" edgedefault=\"directed\">", escape_xml(&graph.game.spec()))?;
    for node in graph.nodes() {
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
    for edge in graph.edges() {
        write!(out, "    <edge source=\"n{}\" target=\"n{}\">", edge.from, edge.to)?;
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

/// Writes nodes and edges as two files of comma-separated values.
pub(super) fn write_csv(
    graph: &SolvedGraph<'_>,
    nodes: &mut impl Write,
    edges: &mut impl Write,
) -> Result<()> {
    writeln!(nodes, "id,position,player,value,remoteness")?;
    for node in graph.nodes() {
        let line = CsvLine::default().field(node.id).quoted(&node.position);
        let line = line.field(node.player).value(node.value);
        nodes.write_all(line.end().as_bytes())?;
    }
    writeln!(edges, "from,to,move,value,remoteness,best")?;
    for edge in graph.edges() {
        let line = CsvLine::default().field(edge.from).field(edge.to);
        let line = line.quoted(&edge.mv).value(edge.value).field(edge.best);
        edges.write_all(line.end().as_bytes())?;
    }
    Ok(())
}

/// Returns a text with the special characters of XML escaped.
fn escape_xml(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
