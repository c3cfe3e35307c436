//! All counts of an audit as CSV.

use hindsight_core::Value;
use hindsight_play::AuditTally;
use hindsight_tablebase::TableInfo;

use super::judged::JudgedAgent;
use super::rows::layer_name;

const HEADINGS: &str = "game,seed,agent,playouts,part,value,plies,layer,layer_name,\
    positions,critical,given_away,given_away_by_chance,best,wins_kept,plies_lost_in_wins,\
    losses,plies_lost_in_losses,seconds\n";

/// Returns the CSV file.
///
/// Each agent has a line for all its positions (column `part`: `all`), one for each value (`value`)
/// and one for each layer (`layer`).
pub(super) fn text(seed: u64, info: &TableInfo, judged: &[JudgedAgent]) -> String {
    let mut text = String::from(HEADINGS);
    for judged in judged {
        let agent = &judged.agent;
        let playouts = agent.playouts().map_or(String::new(), |n| n.to_string());
        let mut add = |part: String, tally: &AuditTally| {
            let agent = format!("{},{seed},\"{agent}\",{playouts}", quoted(&info.spec));
            text.push_str(&format!("{agent},{part},{}\n", count_cells(tally)));
        };
        add(String::from("all,,,,"), &judged.quality.all);
        for (value, tally) in &judged.quality.by_value {
            add(format!("value,{},,", value_cells(*value)), tally);
        }
        for (&layer, tally) in &judged.quality.by_layer {
            let name = quoted(layer_name(info, layer));
            add(format!("layer,,,{layer},{name}"), tally);
        }
    }
    text
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}

fn value_cells(value: Value) -> String {
    let plies = value.remoteness();
    let plies = plies.map_or(String::new(), |plies| plies.to_string());
    format!("{},{plies}", value.wdl())
}

fn count_cells(tally: &AuditTally) -> String {
    format!(
        "{},{},{},{},{},{},{},{},{},{}",
        tally.choices,
        tally.critical,
        tally.blunders,
        tally.expected_blunders,
        tally.best_moves,
        tally.wins_kept,
        tally.plies_lost_in_wins,
        tally.losses,
        tally.plies_lost_in_losses,
        tally.seconds
    )
}
