//! The command `compare`: compares two tables of one game, value by value.

use anyhow::Result;
use hindsight_core::Value;
use hindsight_games::{AnyGame, TableComparison, Tablebase, ValueDifference};
use hindsight_report::unbroken;
use serde::Serialize;

use super::open;
use crate::args::CompareArgs;
use crate::context::Context;
use crate::output::{escape_controls, print_json, print_text};
use crate::sizes::with_commas;

/// The JSON report of `compare`.
#[derive(Serialize)]
struct CompareReport {
    game: String,
    files: [String; 2],
    positions_compared: u64,
    different: u64,
    /// The first differences, with both values.
    differences: Vec<Difference>,
    same_bytes: bool,
}

/// A position to which the tables give different values.
#[derive(Serialize)]
struct Difference {
    layer: u32,
    tier: u64,
    rank: u64,
    position: Option<String>,
    /// Value in each file; null where the file has a hole.
    values: [Option<TableValue>; 2],
}

/// A value as the report prints it.
#[derive(Serialize)]
struct TableValue {
    value: String,
    remoteness: Option<u16>,
    #[serde(skip)]
    text: String,
}

impl TableValue {
    fn new(value: Value) -> Self {
        Self {
            value: value.wdl().to_string(),
            remoteness: value.remoteness(),
            text: value.to_string(),
        }
    }
}

/// Compares two tables. Returns true if they have the same values.
pub(crate) fn run(args: &CompareArgs, context: &Context) -> Result<bool> {
    let [first, second] = [open(&args.first)?, open(&args.second)?];
    let comparison = context.run(|options| first.compare(&second, options))?;
    let report = CompareReport::new([&first, &second], comparison)?;
    if context.json {
        print_json(&report)?;
    } else {
        print_text(&escape_controls(&report.text()))?;
    }
    Ok(report.different == 0)
}

impl Difference {
    fn new(game: &AnyGame, difference: &ValueDifference) -> Self {
        let position = difference.position.as_ref();
        Self {
            layer: difference.layer,
            tier: difference.tier,
            rank: difference.rank,
            position: position.and_then(|position| game.format(position).ok()),
            values: difference.values.map(|value| value.map(TableValue::new)),
        }
    }
}

impl CompareReport {
    fn new(tables: [&Tablebase; 2], comparison: TableComparison) -> Result<Self> {
        let [first, second] = tables;
        let game = first.game();
        let differences = comparison.differences.iter();
        Ok(Self {
            game: game.spec().to_string(),
            files: tables.map(|table| table.path().display().to_string()),
            positions_compared: comparison.positions,
            different: comparison.different,
            differences: differences.map(|entry| Difference::new(game, entry)).collect(),
            same_bytes: first.has_same_bytes(second)?,
        })
    }

    fn text(&self) -> String {
        let [first, second] = &self.files;
        let bytes = if self.same_bytes { "the bytes are the same" } else { "the bytes differ" };
        let compared = with_commas(self.positions_compared);
        if self.different == 0 {
            let same = format!("all {compared} positions have the same value");
            return format!("{first} and {second} ({}): {}; {bytes}\n", self.game, unbroken(&same));
        }
        let differ = format!("{} of {compared} positions differ", with_commas(self.different));
        let mut text = format!("{first} and {second} ({}): {}\n", self.game, unbroken(&differ));
        for difference in &self.differences {
            let value_text = |value: &Option<TableValue>| {
                value.as_ref().map_or(String::from("no position"), |value| value.text.clone())
            };
            let [a, b] = difference.values.each_ref().map(value_text);
            let position = unbroken(difference.position.as_deref().unwrap_or("a hole"));
            text.push_str(&format!(
                "  layer {}, tier {}, rank {}, '{position}': {a} and {b}\n",
                difference.layer, difference.tier, difference.rank
            ));
        }
        text
    }
}
