//! Report of the study of deals: counts by time, and the deals that were decided.

use std::collections::BTreeMap;

use hindsight_core::Wdl;

use super::result::DealResult;
use crate::report::{Caption, Cell, StudyReport};

pub(super) fn report(deals: &[DealResult]) -> StudyReport {
    let mut report = StudyReport::default();
    let mut times: Vec<f64> = deals.iter().map(|deal| deal.allowed_seconds).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    for &time in &times {
        // Value of each deal as far as it is known after `time`. Deals that had less time are left
        // out, unless they were decided.
        let mut values: BTreeMap<u64, Option<Wdl>> = BTreeMap::new();
        for deal in deals {
            let value = deal.value().filter(|_| deal.seconds <= time);
            if deal.allowed_seconds >= time || value.is_some() {
                let known = values.entry(deal.number).or_default();
                *known = known.or(value);
            }
        }
        let count = |value| values.values().filter(|&&known| known == value).count();
        let columns = [
            ("deals", values.len()),
            ("first wins", count(Some(Wdl::Win))),
            ("second wins", count(Some(Wdl::Loss))),
            ("neither", count(Some(Wdl::Draw))),
            ("not decided", count(None)),
        ];
        let row = format!("{time} s");
        for (column, n) in columns {
            let cell = Cell::new("time", row.clone(), column.into(), None, Some(n.to_string()));
            report.cells.push(cell);
        }
    }
    let decided: BTreeMap<u64, &DealResult> = deals
        .iter()
        .filter(|deal| deal.value().is_some())
        .map(|deal| (deal.number, deal))
        .collect();
    for deal in decided.values() {
        let value = deal.value().map(|value| value.to_string());
        let columns = [
            ("value", value),
            ("best move", deal.best_move.clone()),
            ("students", Some(deal.students.to_string())),
            ("positions", Some(deal.positions.to_string())),
            ("seconds", Some(format!("{:.1}", deal.seconds))),
        ];
        for (column, ours) in columns {
            let row = deal.spec.clone();
            report.cells.push(Cell::new("decided", row, column.into(), None, ours));
        }
    }
    let captions = [
        (
            "time",
            "Deals by what is known of them after a time",
            "first is the player who moves first; \
             a deal that was decided sooner counts in every longer time",
        ),
        (
            "decided",
            "Deals that were decided",
            "the value is for the player who moves first; \
             students: the most a side in the tables used",
        ),
    ];
    for (table, text, note) in captions {
        if report.cells.iter().any(|cell| cell.table == table) {
            report.captions.push(Caption {
                table: table.into(),
                text: text.into(),
                note: Some(note.into()),
            });
        }
    }
    report
}
