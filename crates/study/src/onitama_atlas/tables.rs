//! The report: each board, and its fairest and least fair sets.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::entry::DEALS;
use super::{Entry, Size, Survey};
use crate::report::{Caption, Cell, Report};

/// Sets in a list of the fairest or the least fair.
const LISTED: usize = 10;

pub(super) fn report(surveys: &BTreeMap<Size, Survey>) -> Report {
    let mut report = Report::default();
    if surveys.is_empty() {
        return report;
    }
    report.captions.push(Caption {
        table: "boards".into(),
        text: "Every deal of five cards, by board".into(),
        note: Some(
            "a set has 30 deals; the first player's share: a win counts one, a draw half; the first player moves first in all, whatever the stamps say".into(),
        ),
    });
    for survey in surveys.values() {
        for (row, found) in survey.rows() {
            let column = survey.size.to_string();
            let cell = Cell::new("boards", row.into(), column, None, Some(found));
            report.cells.push(cell);
        }
    }
    for survey in surveys.values() {
        let fairest = survey.fairest();
        let least = fairest.iter().rev();
        list(&mut report, survey, "fairest", fairest.iter().take(LISTED));
        list(&mut report, survey, "least fair", least.take(LISTED));
    }
    report
}

/// Adds a table of sets.
fn list<'a>(
    report: &mut Report,
    survey: &Survey,
    which: &str,
    entries: impl Iterator<Item = &'a &'a Entry>,
) {
    let table = format!("{} {which}", survey.size);
    for entry in entries {
        let [won, lost, drawn] = entry.outcomes().map(|starts| starts.to_string());
        let plies = entry.mean_plies();
        let columns = [
            ("won", won),
            ("lost", lost),
            ("drawn", drawn),
            ("share", format!("{:.3}", entry.share())),
            (
                "mean plies",
                plies.map_or("-".into(), |plies| format!("{plies:.1}")),
            ),
            ("longest win", entry.longest.to_string()),
            ("positions drawn", percent(entry.drawn())),
        ];
        for (column, found) in columns {
            let row = entry.cards.join(" ");
            report
                .cells
                .push(Cell::new(&table, row, column.into(), None, Some(found)));
        }
    }
    report.captions.push(Caption {
        table,
        text: format!("{}: the {which} sets", survey.size),
        note: Some(
            "won, lost, drawn: deals, for the first player; of sets with equal shares those are fairer that draw more and last longer".into(),
        ),
    });
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// How far the first player's share is from a half, in sixtieths.
fn unfairness(entry: &Entry) -> usize {
    let [wins, losses, _] = entry.outcomes();
    wins.abs_diff(losses)
}

/// The fairer first.
fn by_fairness(one: &Entry, other: &Entry) -> Ordering {
    let drawn = |entry: &Entry| entry.outcomes()[2];
    let plies = |entry: &Entry| entry.mean_plies().unwrap_or(f64::INFINITY);
    let share = unfairness(one).cmp(&unfairness(other));
    share
        .then_with(|| drawn(other).cmp(&drawn(one)))
        .then_with(|| plies(other).total_cmp(&plies(one)))
        .then_with(|| one.cards.cmp(&other.cards))
}

impl Survey {
    /// The sets, the fairest first: those whose first player's share is nearest to a half; of equal ones those
    /// that draw more from the start, then those that last longer.
    #[must_use]
    pub fn fairest(&self) -> Vec<&Entry> {
        let mut entries: Vec<&Entry> = self.entries.iter().collect();
        entries.sort_by(|one, other| by_fairness(one, other));
        entries
    }

    fn mean(&self, of: impl Fn(&Entry) -> f64) -> f64 {
        self.entries.iter().map(of).sum::<f64>() / self.entries.len() as f64
    }

    fn count(&self, is: impl Fn(&Entry) -> bool) -> String {
        let entries = self.entries.iter();
        entries.filter(|entry| is(entry)).count().to_string()
    }

    fn rows(&self) -> Vec<(&'static str, String)> {
        let deals = |which: usize| {
            let share = |entry: &Entry| entry.outcomes()[which] as f64 / DEALS as f64;
            percent(self.mean(share))
        };
        let all = |which: usize| self.count(|entry| entry.outcomes()[which] == DEALS);
        let fair = self.count(|entry| unfairness(entry) == 0);
        let longest = self.entries.iter().map(|entry| entry.longest).max();
        let positions = self.entries.first().map_or(0, Entry::positions);
        let share = format!("{:.3}", self.mean(Entry::share));
        vec![
            ("sets", self.entries.len().to_string()),
            ("positions of a set", positions.to_string()),
            ("deals won by the first player", deals(0)),
            ("deals lost", deals(1)),
            ("deals drawn", deals(2)),
            ("first player's share", share),
            ("sets with a share of a half", fair),
            ("sets of which every deal is won", all(0)),
            ("sets of which every deal is lost", all(1)),
            ("sets of which every deal is drawn", all(2)),
            ("positions drawn", percent(self.mean(Entry::drawn))),
            ("longest win in plies", longest.unwrap_or(0).to_string()),
        ]
    }
}
