//! All counts of an audit as CSV.

use hindsight_answers::report::CsvLine;
use hindsight_games::TableInfo;
use hindsight_play::AuditTally;

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
        let line = CsvLine::default().quoted(&info.spec).field(seed);
        let line = line.quoted(&agent.to_string()).optional(agent.playouts());
        let part = |name| line.clone().field(name);
        let all = empty_fields(part("all"), 4);
        text.push_str(&end_with_counts(all, &judged.quality.all));
        for (&value, tally) in &judged.quality.by_value {
            let line = empty_fields(part("value").value(value), 2);
            text.push_str(&end_with_counts(line, tally));
        }
        for (&layer, tally) in &judged.quality.by_layer {
            let line = empty_fields(part("layer"), 2).field(layer);
            let line = line.quoted(layer_name(info, layer));
            text.push_str(&end_with_counts(line, tally));
        }
    }
    text
}

fn empty_fields(line: CsvLine, n: usize) -> CsvLine {
    (0..n).fold(line, |line, _| line.field(""))
}

fn end_with_counts(line: CsvLine, tally: &AuditTally) -> String {
    line.field(tally.choices)
        .field(tally.critical)
        .field(tally.blunders)
        .field(tally.expected_blunders)
        .field(tally.best_moves)
        .field(tally.wins_kept)
        .field(tally.plies_lost_in_wins)
        .field(tally.losses)
        .field(tally.plies_lost_in_losses)
        .field(tally.seconds)
        .end()
}
