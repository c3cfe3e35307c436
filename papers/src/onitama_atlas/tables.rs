//! Report of the atlas: a summary of each board, and its fairest and least fair sets.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use super::entry::AtlasEntry;
use super::entry::DEALS;
use super::survey::Survey;
use hindsight_study::{BoardSize, Caption, Cell, StudyReport};

/// Sets in a list of the fairest or the least fair.
const SETS_PER_LIST: usize = 10;

pub(super) fn report(surveys: &BTreeMap<BoardSize, Survey>) -> StudyReport {
    let mut report = StudyReport::default();
    if surveys.is_empty() {
        return report;
    }
    report.captions.push(Caption {
        table: "boards".into(),
        text: "Every deal of five cards, by board".into(),
        note: Some(
            "a set has 30 deals; the first player's share: a win counts one, a draw half; \
             the first player moves first in all, whatever the stamps say"
                .into(),
        ),
    });
    for survey in surveys.values() {
        for (row, ours) in survey.summary_rows() {
            let column = survey.size.to_string();
            let cell = Cell::new("boards", row.into(), column, None, Some(ours));
            report.cells.push(cell);
        }
    }
    for survey in surveys.values() {
        let fairest = survey.fairest();
        let least = fairest.iter().rev();
        add_set_list(&mut report, survey, "fairest", fairest.iter().take(SETS_PER_LIST));
        add_set_list(&mut report, survey, "least fair", least.take(SETS_PER_LIST));
    }
    report
}

/// Adds a table of sets. `which` describes the sets, such as "fairest".
fn add_set_list<'a>(
    report: &mut StudyReport,
    survey: &Survey,
    which: &str,
    entries: impl Iterator<Item = &'a &'a AtlasEntry>,
) {
    let table = format!("{} {which}", survey.size);
    for entry in entries {
        let [won, lost, drawn] = entry.start_outcomes().map(|starts| starts.to_string());
        let plies = entry.mean_plies();
        let columns = [
            ("won", won),
            ("lost", lost),
            ("drawn", drawn),
            ("share", format!("{:.3}", entry.first_player_share())),
            ("mean plies", plies.map_or("-".into(), |plies| format!("{plies:.1}"))),
            ("longest win", entry.longest.to_string()),
            ("positions drawn", percent(entry.drawn_share())),
        ];
        for (column, ours) in columns {
            let row = entry.cards.join(" ");
            report.cells.push(Cell::new(&table, row, column.into(), None, Some(ours)));
        }
    }
    report.captions.push(Caption {
        table,
        text: format!("{}: the {which} sets", survey.size),
        note: Some(
            "won, lost, drawn: deals, for the first player; \
             of sets with equal shares those are fairer that draw more and last longer"
                .into(),
        ),
    });
}

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// Returns the distance of the first player's share from one half, in sixtieths.
fn unfairness(entry: &AtlasEntry) -> usize {
    let [wins, losses, _] = entry.start_outcomes();
    wins.abs_diff(losses)
}

/// Compares two sets; the fairer one comes first.
fn by_fairness(a: &AtlasEntry, b: &AtlasEntry) -> Ordering {
    let drawn = |entry: &AtlasEntry| entry.start_outcomes()[2];
    let plies = |entry: &AtlasEntry| entry.mean_plies().unwrap_or(f64::INFINITY);
    let share = unfairness(a).cmp(&unfairness(b));
    share
        .then_with(|| drawn(b).cmp(&drawn(a)))
        .then_with(|| plies(b).total_cmp(&plies(a)))
        .then_with(|| a.cards.cmp(&b.cards))
}

impl Survey {
    /// Returns the sets, the fairest first.
    ///
    /// Order: distance of the first player's share from one half, then more drawn starts, then
    /// longer games, then the names of the cards.
    #[must_use]
    pub fn fairest(&self) -> Vec<&AtlasEntry> {
        let mut entries: Vec<&AtlasEntry> = self.entries.iter().collect();
        entries.sort_by(|a, b| by_fairness(a, b));
        entries
    }

    fn mean_of(&self, number: impl Fn(&AtlasEntry) -> f64) -> f64 {
        self.entries.iter().map(number).sum::<f64>() / self.entries.len() as f64
    }

    fn count_where(&self, condition: impl Fn(&AtlasEntry) -> bool) -> String {
        let entries = self.entries.iter();
        entries.filter(|entry| condition(entry)).count().to_string()
    }

    fn summary_rows(&self) -> Vec<(&'static str, String)> {
        let mean_outcome = |outcome: usize| {
            let share = |entry: &AtlasEntry| entry.start_outcomes()[outcome] as f64 / DEALS as f64;
            percent(self.mean_of(share))
        };
        let every_deal =
            |outcome: usize| self.count_where(|entry| entry.start_outcomes()[outcome] == DEALS);
        let fair = self.count_where(|entry| unfairness(entry) == 0);
        let longest = self.entries.iter().map(|entry| entry.longest).max();
        let positions = self.entries.first().map_or(0, AtlasEntry::positions);
        let share = format!("{:.3}", self.mean_of(AtlasEntry::first_player_share));
        vec![
            ("sets", self.entries.len().to_string()),
            ("positions of a set", positions.to_string()),
            ("deals won by the first player", mean_outcome(0)),
            ("deals lost", mean_outcome(1)),
            ("deals drawn", mean_outcome(2)),
            ("first player's share", share),
            ("sets with a share of a half", fair),
            ("sets of which every deal is won", every_deal(0)),
            ("sets of which every deal is lost", every_deal(1)),
            ("sets of which every deal is drawn", every_deal(2)),
            ("positions drawn", percent(self.mean_of(AtlasEntry::drawn_share))),
            ("longest win in plies", longest.unwrap_or(0).to_string()),
        ]
    }
}
