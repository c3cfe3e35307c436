//! The command `verify`: recomputes a table by its successors and reports its faults.

use std::path::Path;
use std::time::Instant;

use anyhow::Result;
use hindsight_games::{Options, TableFault, TableVerdict, Tablebase};
use hindsight_report::unbroken;
use serde::Serialize;

use super::position_text;
use crate::args::VerifyArgs;
use crate::context::Context;
use crate::output::{escape_controls, print_json, print_text};
use crate::progress::ProgressDisplay;
use crate::sizes::counted;

/// The JSON report of `verify`.
#[derive(Serialize)]
struct VerifyReport {
    file: String,
    game: Option<String>,
    positions_checked: u64,
    faults: Vec<ReportedFault>,
    seconds: f64,
}

/// A fault, with the names of its layer and position.
#[derive(Serialize)]
struct ReportedFault {
    layer: Option<u32>,
    layer_name: Option<String>,
    tier: Option<u64>,
    rank: Option<u64>,
    position: Option<String>,
    what: String,
}

/// Verifies a table. Returns true if no fault was found.
pub(crate) fn run(args: &VerifyArgs, context: &Context) -> Result<bool> {
    let begin = Instant::now();
    let mut report = match hindsight_games::open_any(&args.file) {
        Ok(table) => {
            let display = ProgressDisplay::new(context.quiet);
            let display = match args.checkpoint {
                Some(_) => display.saving_later(),
                None => display.saving_nothing(),
            };
            let verdict = context.run_with(display, |options| {
                table.verify(&Options {
                    checkpoint: args.checkpoint.clone(),
                    resume: args.resume,
                    ..options.clone()
                })
            })?;
            VerifyReport::new(&table, verdict)
        }
        // A spec that names no game counts as damage: no writer puts one there.
        Err(error) => match error.fault_of_file() {
            Some(fault) => VerifyReport::unreadable(&args.file, fault),
            None => return Err(error.into()),
        },
    };
    report.seconds = begin.elapsed().as_secs_f64();
    if context.json {
        print_json(&report)?;
    } else {
        print_text(&escape_controls(&report.text()))?;
    }
    Ok(report.faults.is_empty())
}

impl ReportedFault {
    fn new(table: &Tablebase, fault: TableFault) -> Self {
        Self {
            layer: fault.layer,
            layer_name: fault.layer.and_then(|layer| table.layer_name(layer)),
            tier: fault.address.map(|(tier, _)| tier),
            rank: fault.address.map(|(_, rank)| rank),
            position: fault.address.and_then(|(tier, rank)| position_text(table, tier, rank)),
            what: fault.description,
        }
    }
}

impl VerifyReport {
    fn new(table: &Tablebase, verdict: TableVerdict) -> Self {
        let faults = verdict.faults.into_iter();
        Self {
            file: table.path().display().to_string(),
            game: Some(table.game().spec().to_string()),
            positions_checked: verdict.positions_checked,
            faults: faults.map(|fault| ReportedFault::new(table, fault)).collect(),
            seconds: 0.0,
        }
    }

    /// Returns the report on a file that cannot be opened as a table.
    fn unreadable(path: &Path, fault: String) -> Self {
        Self {
            file: path.display().to_string(),
            game: None,
            positions_checked: 0,
            faults: vec![ReportedFault {
                layer: None,
                layer_name: None,
                tier: None,
                rank: None,
                position: None,
                what: fault,
            }],
            seconds: 0.0,
        }
    }
}

impl VerifyReport {
    fn text(&self) -> String {
        let game = self.game.as_ref();
        let game = game.map_or(String::new(), |game| format!(" ({game})"));
        let faults = match self.faults.len() {
            0 => String::from("no fault"),
            1 => String::from("1 fault"),
            // A verification stops at the tenth fault.
            n @ 10.. => format!("{n} faults or more"),
            n => format!("{n} faults"),
        };
        let mut text = format!(
            "{}{game}: {}; {} checked in {:.3} s\n",
            self.file,
            unbroken(&faults),
            counted(self.positions_checked, "position"),
            self.seconds
        );
        for fault in &self.faults {
            text.push_str(&format!("  {}{}\n", fault.location_text(), fault.what));
        }
        text
    }
}

impl ReportedFault {
    /// Describes the location as far as it is known, with a colon at the end.
    fn location_text(&self) -> String {
        let mut parts = Vec::new();
        if let Some(layer) = self.layer {
            let name = self.layer_name.as_deref();
            let name = name.map_or(String::new(), |name| format!(" ({name})"));
            parts.push(format!("layer {layer}{name}"));
        }
        if let Some((tier, rank)) = self.tier.zip(self.rank) {
            parts.push(format!("tier {tier}, rank {rank}"));
        }
        parts.extend(self.position.as_ref().map(|text| format!("'{}'", unbroken(text))));
        if parts.is_empty() {
            return String::new();
        }
        format!("{}: ", parts.join(", "))
    }
}
