//! Results given away, by plies to the end and by layer: a line for each, a column for each agent.

use std::collections::BTreeMap;

use super::report::{Counts, InClass, Row};
use crate::output::{table, with_commas};

/// Some positions, and what each agent did there.
struct Line<'a> {
    name: String,
    of: Vec<Option<&'a Counts>>,
}

/// Classes of a result come before layers, as these numbers do.
const ALL: u32 = 0;
const WON: u32 = 1;
const DRAWN: u32 = 2;
const LOST: u32 = 3;
const LAYER: u32 = 4;

pub(super) fn text(rows: &[Row]) -> String {
    let mut lines: BTreeMap<[u32; 2], Line<'_>> = BTreeMap::new();
    for (agent, row) in rows.iter().enumerate() {
        let mut add = |key, name: String, counts| {
            let of = vec![None; rows.len()];
            let line = lines.entry(key).or_insert(Line { name, of });
            line.of[agent] = Some(counts);
        };
        add([ALL, 0], String::from("all"), &row.counts);
        for class in &row.by_remoteness {
            let (kind, name) = named(class);
            add([kind, class.from_plies.unwrap_or(0)], name, &class.counts);
        }
        for layer in &row.by_layer {
            add([LAYER, layer.layer], layer.name.clone(), &layer.counts);
        }
    }
    // Where nothing can be given away there is nothing to tell.
    lines.retain(|_, line| line.of.iter().flatten().any(|counts| counts.critical > 0));
    let alike = lines.values().all(Line::is_alike);
    let mut cells = vec![heads(rows.len(), alike)];
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
        table(&cells, &format!("l{columns}"))
    )
}

fn named(class: &InClass) -> (u32, String) {
    let (kind, word) = match class.value.as_str() {
        "win" => (WON, "won"),
        "loss" => (LOST, "lost"),
        _ => (DRAWN, "drawn"),
    };
    let plies = class.from_plies.zip(class.to_plies);
    let plies = plies.map(|(from, to)| format!(" in {from} to {to}"));
    (kind, format!("{word}{}", plies.unwrap_or_default()))
}

fn heads(agents: usize, alike: bool) -> Vec<String> {
    let mut heads = vec![String::new()];
    if alike {
        heads.extend(["critical", "by chance"].map(String::from));
    }
    heads.extend((1..=agents).map(|number| number.to_string()));
    heads
}

impl Line<'_> {
    /// Whether all agents chose in as many positions, as they do in those of a table.
    fn is_alike(&self) -> bool {
        let critical = |counts: &Option<&Counts>| counts.map(|counts| counts.critical);
        let first = self.of.first().map(critical);
        self.of.iter().all(|counts| Some(critical(counts)) == first)
    }

    fn cells(&self, alike: bool) -> Vec<String> {
        let percent = |share: Option<f64>| {
            share.map_or(String::from("-"), |share| format!("{:.1}", 100.0 * share))
        };
        let share = |counts: &Option<&Counts>| percent(counts.and_then(Counts::share_given_away));
        let mut cells = vec![self.name.clone()];
        if alike {
            let first = self.of.first().copied().flatten();
            cells.push(with_commas(first.map_or(0, |counts| counts.critical)));
            let kept = first.and_then(|counts| counts.by_chance);
            cells.push(percent(kept.map(|kept| 1.0 - kept)));
            cells.extend(self.of.iter().map(share));
        } else {
            let critical = |of: &Option<&Counts>| of.map_or(0, |counts| counts.critical);
            let both = |of| format!("{}/{}", share(of), critical(of));
            cells.extend(self.of.iter().map(both));
        }
        cells
    }
}
