//! The command `compare`: compares two tables of one game, value by value.

use anyhow::Result;
use hindsight_answers::CompareAnswer;
use hindsight_answers::report::unbroken;
use hindsight_core::Value;
use hindsight_games::TableComparison;

use super::open;
use crate::args::CompareArgs;
use crate::context::Context;
use crate::output::{escape_controls, print_json, print_text};
use crate::shown::sizes::with_commas;

/// Compares two tables. Returns true if they have the same values.
pub(crate) fn run(args: &CompareArgs, context: &Context) -> Result<bool> {
    let [first, second] = [open(&args.first)?, open(&args.second)?];
    let comparison = context.run(|options| first.compare(&second, options))?;
    let answer = CompareAnswer::new([&first, &second], &comparison)?;
    if context.json {
        print_json(&answer)?;
    } else {
        print_text(&escape_controls(&text(&answer, &comparison)))?;
    }
    Ok(answer.different == 0)
}

fn text(answer: &CompareAnswer, comparison: &TableComparison) -> String {
    let [first, second] = &answer.files;
    let bytes = if answer.same_bytes { "the bytes are the same" } else { "the bytes differ" };
    let compared = with_commas(answer.positions_compared);
    if answer.different == 0 {
        let same = format!("all {compared} positions have the same value");
        return format!("{first} and {second} ({}): {}; {bytes}\n", answer.game, unbroken(&same));
    }
    let differ = format!("{} of {compared} positions differ", with_commas(answer.different));
    let mut text = format!("{first} and {second} ({}): {}\n", answer.game, unbroken(&differ));
    for (difference, named) in comparison.differences.iter().zip(&answer.differences) {
        let value_text =
            |value: Option<Value>| value.map_or(String::from("no position"), |v| v.to_string());
        let [a, b] = difference.values.map(value_text);
        let position = unbroken(named.position.as_deref().unwrap_or("a hole"));
        text.push_str(&format!(
            "  layer {}, tier {}, rank {}, '{position}': {a} and {b}\n",
            difference.layer, difference.tier, difference.rank
        ));
    }
    text
}
