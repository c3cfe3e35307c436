//! Results given away, by plies to the end and by layer: a line for each, a column for each agent.

use std::collections::BTreeMap;

use super::report::{AuditClass, AuditCounts, AuditRow};
use crate::output::{align_columns, with_commas};

/// Some positions, and what each agent did there.
struct ClassLine<'a> {
    name: String,
    by_agent: Vec<Option<&'a AuditCounts>>,
}

/// Classes of a result come before layers, as these numbers do.
const ALL: u32 = 0;
const WON: u32 = 1;
const DRAWN: u32 = 2;
const LOST: u32 = 3;
const LAYER: u32 = 4;

pub(super) fn text(rows: &[AuditRow]) -> String {
    let mut lines: BTreeMap<[u32; 2], ClassLine<'_>> = BTreeMap::new();
    for (agent, row) in rows.iter().enumerate() {
        let mut add = |key, name: String, counts| {
            let of = vec![None; rows.len()];
            let line = lines.entry(key).or_insert(ClassLine { name, by_agent: of });
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
    // Where nothing can be given away there is nothing to tell.
    lines.retain(|_, line| {
        line.by_agent
            .iter()
            .flatten()
            .any(|counts| counts.critical > 0)
    });
    let alike = lines.values().all(ClassLine::has_common_positions);
    let mut cells = vec![headings(rows.len(), alike)];
    let mut kind = ALL;
    for (&[new, _], line) in &lines {
        if new == LAYER && kind != LAYER || new == WON && kind == ALL {
            cells.push(Vec::new());
        }
        kind = new;
        cells.push(line.cells(alike));
    }
    let columns = "r".repeat(rows.len() + 2);
    let what = if alike {
        ""
    } else {
        ", and how many these are"
    };
    format!(
        "Results given away, in per cent of the critical positions{what}\n\n{}",
        align_columns(&cells, &format!("l{columns}"))
    )
}

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

fn headings(agents: usize, alike: bool) -> Vec<String> {
    let mut heads = vec![String::new()];
    if alike {
        heads.extend(["critical", "by chance"].map(String::from));
    }
    heads.extend((1..=agents).map(|number| number.to_string()));
    heads
}

impl ClassLine<'_> {
    /// Whether all agents chose in as many positions, as they do in those of a table.
    fn has_common_positions(&self) -> bool {
        let critical = |counts: &Option<&AuditCounts>| counts.map(|counts| counts.critical);
        let first = self.by_agent.first().map(critical);
        self.by_agent
            .iter()
            .all(|counts| Some(critical(counts)) == first)
    }

    fn cells(&self, alike: bool) -> Vec<String> {
        let percent = |share: Option<f64>| {
            share.map_or(String::from("-"), |share| format!("{:.1}", 100.0 * share))
        };
        let share =
            |counts: &Option<&AuditCounts>| percent(counts.and_then(AuditCounts::share_given_away));
        let mut cells = vec![self.name.clone()];
        if alike {
            let first = self.by_agent.first().copied().flatten();
            cells.push(with_commas(first.map_or(0, |counts| counts.critical)));
            let kept = first.and_then(|counts| counts.by_chance);
            cells.push(percent(kept.map(|kept| 1.0 - kept)));
            cells.extend(self.by_agent.iter().map(share));
        } else {
            let critical = |of: &Option<&AuditCounts>| of.map_or(0, |counts| counts.critical);
            let both = |of| format!("{}/{}", share(of), critical(of));
            cells.extend(self.by_agent.iter().map(both));
        }
        cells
    }
}
