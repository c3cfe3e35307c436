//! The command `info`: describes a table by its header.

use anyhow::Result;
use hindsight_answers::{TableDescription, ValuedPosition};
use hindsight_games::{Layout, Summary, Tablebase};
use hindsight_report::{TextTable, unbroken};
use serde::Serialize;

use super::open_any;
use crate::args::InfoArgs;
use crate::context::Context;
use crate::output::{escape_controls, fitted, print_json, print_text};
use crate::sizes::{counted, format_size, with_commas};

pub(crate) fn run(args: &InfoArgs, context: &Context) -> Result<()> {
    let table = open_any(&args.file)?;
    let file = TableFile { name: args.file.display().to_string(), bytes: table.bytes() };
    if table.info().layout == Layout::Distances {
        let report = DistanceInfoReport::new(file, &table);
        return match context.json {
            true => print_json(&report),
            false => print_text(&escape_controls(&report.text())),
        };
    }
    let described = TableDescription::new(file.name, file.bytes, &table)?;
    match context.json {
        true => print_json(&described),
        false => print_text(&escape_controls(&description_text(&described))),
    }
}

/// Name and size of the file of a table.
struct TableFile {
    name: String,
    bytes: u64,
}

/// The JSON report of `info` on a table of distances.
#[derive(Serialize)]
struct DistanceInfoReport {
    file: String,
    game: String,
    format_version: u32,
    layout: String,
    positions: u64,
    /// Positions that can be reached from the start.
    reached_positions: u64,
    reached_states: u64,
    /// First of the positions that are farthest from the start.
    farthest: Option<FarthestPosition>,
    layers: usize,
    ranks: u64,
    bytes: u64,
    bytes_per_position: f64,
}

/// A position with its distance from the start.
#[derive(Serialize)]
struct FarthestPosition {
    plies: u16,
    position: String,
}

impl DistanceInfoReport {
    fn new(file: TableFile, table: &Tablebase) -> Self {
        let info = table.info();
        let histogram = info.histogram();
        let positions = histogram.positions();
        let farthest = info.longest_loss().map(|example| {
            let valued = ValuedPosition::example(table, example);
            FarthestPosition { plies: valued.remoteness.unwrap_or(0), position: valued.position }
        });
        Self {
            file: file.name,
            game: info.spec.clone(),
            format_version: info.format_version,
            layout: info.layout.to_string(),
            positions,
            reached_positions: Summary::of(&histogram).losses,
            reached_states: info.states().map_or(0, |states| states.all.positions()),
            farthest,
            layers: info.layers.len(),
            ranks: info.ranks(),
            bytes: file.bytes,
            bytes_per_position: file.bytes as f64 / positions.max(1) as f64,
        }
    }

    fn text(&self) -> String {
        let farthest = self.farthest.as_ref();
        let farthest = farthest
            .map(|far| format!("{}: {}", counted(far.plies, "ply"), unbroken(&far.position)));
        let (size, each) = (format_size(self.bytes), self.bytes_per_position);
        let rows = [
            ("game", self.game.clone()),
            ("positions", with_commas(self.positions)),
            ("reached", with_commas(self.reached_positions)),
            ("states reached", with_commas(self.reached_states)),
            ("farthest", farthest.unwrap_or_else(|| String::from("-"))),
            ("layers", with_commas(self.layers as u64)),
            ("ranks", with_commas(self.ranks)),
            ("layout", self.layout.clone()),
            ("format", format!("version {}", self.format_version)),
            ("size", format!("{size}, {each:.4} bytes a position")),
        ];
        fitted(&TextTable::of_pairs(rows))
    }
}

/// Returns the description of a table of values as text.
fn description_text(table: &TableDescription) -> String {
    let text_of =
        |valued: &Option<ValuedPosition>| valued.as_ref().map_or(String::from("-"), valued_text);
    let (size, each) = (format_size(table.bytes), table.bytes_per_position);
    let mut rows = vec![
        ("game", table.game.clone()),
        ("start", valued_text(&table.start)),
        ("positions", with_commas(table.positions)),
        ("won", with_commas(table.wins)),
        ("lost", with_commas(table.losses)),
        ("drawn", with_commas(table.draws)),
        ("longest win", text_of(&table.longest_win)),
        ("longest loss", text_of(&table.longest_loss)),
        ("layers", with_commas(table.layers as u64)),
        ("tiers", with_commas(table.tiers)),
        ("ranks", with_commas(table.ranks)),
        ("layout", table.layout.clone()),
        ("format", format!("version {}", table.format_version)),
        ("size", format!("{size}, {each:.4} bytes a position")),
        ("signature", table.signature.clone()),
    ];
    if let (Some(states), Some(all)) = (table.states, table.all_states) {
        let text =
            format!("{}; {} with those that win at once", with_commas(states), with_commas(all));
        rows.insert(3, ("states", text));
    }
    fitted(&TextTable::of_pairs(rows))
}

/// Returns a position with its value as text.
fn valued_text(valued: &ValuedPosition) -> String {
    let position = unbroken(&valued.position);
    match valued.remoteness {
        Some(plies) => format!("{} in {plies}: {position}", valued.value),
        None => format!("{}: {position}", valued.value),
    }
}
