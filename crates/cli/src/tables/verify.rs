//! The command `verify`: recomputes a table by its successors and reports its faults.

use std::time::Instant;

use anyhow::Result;
use hindsight_answers::report::unbroken;
use hindsight_answers::{FaultAnswer, VerifyAnswer};
use hindsight_games::Options;

use crate::args::VerifyArgs;
use crate::context::Context;
use crate::output::{escape_controls, print_json, print_text};
use crate::shown::progress::ProgressDisplay;
use crate::shown::sizes::counted;

/// Verifies a table. Returns true if no fault was found.
pub(crate) fn run(args: &VerifyArgs, context: &Context) -> Result<bool> {
    let begin = Instant::now();
    let answer = match hindsight_games::open_any(&args.file) {
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
            VerifyAnswer::new(&table, verdict, begin.elapsed().as_secs_f64())
        }
        // A spec that names no game counts as damage: no writer puts one there.
        Err(error) => match error.fault_of_file() {
            Some(fault) => {
                VerifyAnswer::unreadable(&args.file, fault, begin.elapsed().as_secs_f64())
            }
            None => return Err(error.into()),
        },
    };
    if context.json {
        print_json(&answer)?;
    } else {
        print_text(&escape_controls(&text(&answer)))?;
    }
    Ok(answer.faults.is_empty())
}

fn text(answer: &VerifyAnswer) -> String {
    let game = answer.game.as_ref();
    let game = game.map_or(String::new(), |game| format!(" ({game})"));
    let faults = match answer.faults.len() {
        0 => String::from("no fault"),
        1 => String::from("1 fault"),
        // A verification stops at the tenth fault.
        n @ 10.. => format!("{n} faults or more"),
        n => format!("{n} faults"),
    };
    let mut text = format!(
        "{}{game}: {}; {} checked in {:.3} s\n",
        answer.file,
        unbroken(&faults),
        counted(answer.positions_checked, "position"),
        answer.seconds
    );
    for fault in &answer.faults {
        text.push_str(&format!("  {}{}\n", location_text(fault), fault.what));
    }
    text
}

/// Describes the location as far as it is known, with a colon at the end.
fn location_text(fault: &FaultAnswer) -> String {
    let mut parts = Vec::new();
    if let Some(layer) = fault.layer {
        let name = fault.layer_name.as_deref();
        let name = name.map_or(String::new(), |name| format!(" ({name})"));
        parts.push(format!("layer {layer}{name}"));
    }
    if let Some((tier, rank)) = fault.tier.zip(fault.rank) {
        parts.push(format!("tier {tier}, rank {rank}"));
    }
    parts.extend(fault.position.as_ref().map(|text| format!("'{}'", unbroken(text))));
    if parts.is_empty() {
        return String::new();
    }
    format!("{}: ", parts.join(", "))
}
