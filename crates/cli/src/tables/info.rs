//! The command `info`: describes a table by its header.

use anyhow::Result;
use hindsight_answers::report::{TextTable, unbroken};
use hindsight_answers::{DistanceDescription, TableDescription, ValuedPosition};
use hindsight_games::Layout;

use super::open_any;
use crate::args::InfoArgs;
use crate::context::Context;
use crate::output::{escape_controls, fitted, print_json, print_text};
use crate::shown::sizes::{counted, format_size, with_commas};

pub(crate) fn run(args: &InfoArgs, context: &Context) -> Result<()> {
    let table = open_any(&args.file)?;
    let file = TableFile { name: args.file.display().to_string(), bytes: table.bytes() };
    if table.info().layout == Layout::Distances {
        let described = DistanceDescription::new(file.name, file.bytes, &table);
        return if context.json {
            print_json(&described)
        } else {
            print_text(&escape_controls(&distances_text(&described)))
        };
    }
    let described = TableDescription::new(file.name, file.bytes, &table)?;
    if context.json {
        print_json(&described)
    } else {
        print_text(&escape_controls(&description_text(&described)))
    }
}

/// Name and size of the file of a table.
struct TableFile {
    name: String,
    bytes: u64,
}

/// Returns the description of a table of distances as text.
fn distances_text(table: &DistanceDescription) -> String {
    let farthest = table.farthest.as_ref();
    let farthest =
        farthest.map(|far| format!("{}: {}", counted(far.plies, "ply"), unbroken(&far.position)));
    let (size, each) = (format_size(table.bytes), table.bytes_per_position);
    let rows = [
        ("game", table.game.clone()),
        ("positions", with_commas(table.positions)),
        ("reached", with_commas(table.reached_positions)),
        ("states reached", with_commas(table.reached_states)),
        ("farthest", farthest.unwrap_or_else(|| String::from("-"))),
        ("layers", with_commas(table.layers as u64)),
        ("ranks", with_commas(table.ranks)),
        ("layout", table.layout.clone()),
        ("format", format!("version {}", table.format_version)),
        ("size", format!("{size}, {each:.4} bytes a position")),
    ];
    fitted(&TextTable::of_pairs(rows))
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
