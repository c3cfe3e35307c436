//! Results given away by class and by layer: a line for each, a column for each agent.

use std::collections::BTreeMap;

use hindsight_answers::report::TextTable;
use hindsight_answers::{AuditClass, AuditCounts, AuditRow};

use crate::output::fitted;
use crate::shown::sizes::with_commas;

/// The positions of a class or a layer, with the counts of each agent.
struct ClassLine<'a> {
    name: String,
    by_agent: Vec<Option<&'a AuditCounts>>,
}

/// Sort keys of the lines: all positions, classes by result, then layers.
const ALL: u32 = 0;
const WON: u32 = 1;
const DRAWN: u32 = 2;
const LOST: u32 = 3;
const LAYER: u32 = 4;

/// Returns the text table of the shares of results given away.
pub(super) fn text(rows: &[AuditRow]) -> String {
    let mut lines: BTreeMap<[u32; 2], ClassLine<'_>> = BTreeMap::new();
    for (agent, row) in rows.iter().enumerate() {
        let mut add = |key, name: String, counts| {
            let by_agent = vec![None; rows.len()];
            let line = lines.entry(key).or_insert(ClassLine { name, by_agent });
            line.by_agent[agent] = Some(counts);
        };
        add([ALL, 0], String::from("all"), &row.counts);
        for class in &row.by_remoteness {
            let (kind, name) = class_name(class);
            add([kind, class.from_plies.unwrap_or(0)], name, &class.counts);
        }
        for layer in &row.by_layer {
            add([LAYER, layer.layer], layer.name.clone(), &layer.counts);
        }
    }
    // Lines without critical positions have nothing to give away.
    lines.retain(|_, line| line.by_agent.iter().flatten().any(|counts| counts.critical > 0));
    let common = lines.values().all(ClassLine::has_common_positions);
    let mut table = TextTable::new(&format!("l{}", "r".repeat(rows.len() + 2)));
    table.push(headings(rows.len(), common));
    let mut last_kind = ALL;
    for (&[kind, _], line) in &lines {
        if kind == LAYER && last_kind != LAYER || kind == WON && last_kind == ALL {
            table.push([""; 0]);
        }
        last_kind = kind;
        table.push(line.cells(common));
    }
    let suffix = if common { "" } else { ", and their number" };
    format!(
        "Results given away, in per cent of the critical positions{suffix}\n\n{}",
        fitted(&table)
    )
}

/// Returns the sort key and the name of a class.
fn class_name(class: &AuditClass) -> (u32, String) {
    let (kind, word) = match class.value.as_str() {
        "win" => (WON, "won"),
        "loss" => (LOST, "lost"),
        _ => (DRAWN, "drawn"),
    };
    let plies = class.from_plies.zip(class.to_plies);
    let plies = plies.map(|(from, to)| format!(" in {from} to {to}"));
    (kind, format!("{word}{}", plies.unwrap_or_default()))
}

/// Returns the headings of the columns; `common` adds columns for counts that all agents share.
fn headings(agents: usize, common: bool) -> Vec<String> {
    let mut headings = vec![String::new()];
    if common {
        headings.extend(["critical", "by chance"].map(String::from));
    }
    headings.extend((1..=agents).map(|number| number.to_string()));
    headings
}

impl ClassLine<'_> {
    /// Returns true if all agents have equally many critical positions, as with `--from ranks`.
    fn has_common_positions(&self) -> bool {
        let critical = |counts: &Option<&AuditCounts>| counts.map(|counts| counts.critical);
        let first = self.by_agent.first().map(critical);
        self.by_agent.iter().all(|counts| Some(critical(counts)) == first)
    }

    /// Returns the cells of the line; `common` as for [`headings`].
    fn cells(&self, common: bool) -> Vec<String> {
        let percent = |share: Option<f64>| {
            share.map_or(String::from("-"), |share| format!("{:.1}", 100.0 * share))
        };
        let share =
            |counts: &Option<&AuditCounts>| percent(counts.and_then(AuditCounts::share_given_away));
        let mut cells = vec![self.name.clone()];
        if common {
            let first = self.by_agent.first().copied().flatten();
            cells.push(with_commas(first.map_or(0, |counts| counts.critical)));
            let kept_by_chance = first.and_then(|counts| counts.by_chance);
            cells.push(percent(kept_by_chance.map(|kept| 1.0 - kept)));
            cells.extend(self.by_agent.iter().map(share));
        } else {
            let critical =
                |counts: &Option<&AuditCounts>| counts.map_or(0, |counts| counts.critical);
            let cell = |counts| format!("{}/{}", share(counts), critical(counts));
            cells.extend(self.by_agent.iter().map(cell));
        }
        cells
    }
}
