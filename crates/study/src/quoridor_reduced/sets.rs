use hindsight_core::{Value, Wdl};
use hindsight_solve::bottom_up::{BottomUpSet, LayerChange};

use super::{Cells, Found, Table};
use crate::report::Cell;

/// Positions of a set's own layer that are not over.
pub(super) fn not_over(set: &BottomUpSet) -> u64 {
    let over = |value: &Value| matches!(value, Value::Loss(0) | Value::Win(0));
    let rows = set.histogram.rows().into_iter();
    rows.filter(|(value, _)| !over(value)).map(|(_, n)| n).sum()
}

/// `2 fences`.
pub(super) fn fences(n: usize) -> String {
    match n {
        1 => String::from("1 fence"),
        n => format!("{n} fences"),
    }
}

impl Found<'_> {
    /// The sets solved; none if a limit was reached.
    fn sets(&self) -> &[BottomUpSet] {
        self.outcome.as_ref().map_or(&[], |outcome| &outcome.sets)
    }

    /// How many sets there are, solved or not.
    fn layers(&self) -> usize {
        let [first, second] = self.setup.stock;
        let anchors = (self.setup.width - 1) * (self.setup.height - 1);
        usize::from((first + second).min(anchors)) + 1
    }

    /// What adding the next set changes in S'_j.
    fn next_change(&self, j: usize) -> Option<&LayerChange> {
        self.sets().get(j + 1)?.changes.get(j)
    }
}

/// Table 1.
pub(super) fn positions(found: &Found<'_>) -> Vec<Cell> {
    let mut cells = Cells::new(Table::Positions);
    for j in 0..found.layers() {
        let row = fences(j);
        let set = found.sets().get(j);
        let theirs = |number: Option<u64>| number.map(|n| n.to_string());
        let published = found.published.and_then(|p| p.positions(j));
        let ours = set.map(|set| set.added.positions);
        cells.beside(&row, "positions", theirs(published), ours);
        cells.add(&row, "not over", set.map(not_over));
        if j + 1 < found.layers() {
            let published = found.published.and_then(|p| p.changed(j));
            let change = found.next_change(j);
            cells.beside(
                &row,
                "changed",
                theirs(published),
                change.map(|c| c.wdl_changed),
            );
            cells.add(&row, "changed with plies", change.map(|c| c.value_changed));
        }
    }
    cells.cells
}

pub(super) fn changes(found: &Found<'_>) -> Vec<Cell> {
    let mut cells = Cells::new(Table::Changes);
    for k in 1..found.layers() {
        for j in 0..k {
            let row = format!("k={k} j={j}");
            let change = found.sets().get(k).map(|set| set.changes[j]);
            let mut add = |column, of: fn(LayerChange) -> u64| {
                cells.add(&row, column, change.map(of));
            };
            add("positions", |c| c.total.positions);
            add("changed", |c| c.wdl_changed);
            add("changed with plies", |c| c.value_changed);
            add("tiers", |c| c.total.tiers);
            add("tiers again", |c| c.solved_again.tiers);
            add("positions again", |c| c.solved_again.positions);
        }
    }
    cells.cells
}

/// Positions of tiers solved again.
fn again(set: &BottomUpSet) -> u64 {
    set.changes
        .iter()
        .map(|change| change.solved_again.positions)
        .sum()
}

/// Positions solved for all sets, some of them more than once.
pub(super) fn solved(sets: &[BottomUpSet]) -> u64 {
    sets.iter()
        .map(|set| set.added.positions + again(set))
        .sum()
}

pub(super) fn sets(found: &Found<'_>) -> Vec<Cell> {
    let mut cells = Cells::new(Table::Sets);
    for k in 0..found.layers() {
        let row = format!("S_{k}");
        let sets = found.sets().get(..=k);
        let set = sets.and_then(<[BottomUpSet]>::last);
        let all = sets.map(|sets| sets.iter().map(|set| set.added.positions).sum::<u64>());
        cells.add(&row, "positions", all);
        let start = set.and_then(|set| set.start);
        cells.add(&row, "start", start);
        let last = k + 1 == found.layers();
        let published = found.published.filter(|_| last).map(|p| p.winner());
        cells.beside(&row, "winner", published, start.map(winner));
        let solved = set.map(|set| set.added.positions + again(set));
        cells.add(&row, "solved", solved);
        cells.add(&row, "of these again", set.map(again));
    }
    cells.cells
}

/// White begins.
fn winner(start: Value) -> &'static str {
    match start.wdl() {
        Wdl::Win => "first player",
        Wdl::Loss => "second player",
        Wdl::Draw => "nobody",
    }
}

pub(super) fn shares(found: &Found<'_>) -> Vec<Cell> {
    let mut cells = Cells::new(Table::Shares);
    let percent = |part: u64, whole: u64| format!("{:.1} %", 100.0 * part as f64 / whole as f64);
    let rounded = |part: u64, whole: u64| format!("{:.0} %", 100.0 * part as f64 / whole as f64);
    let last = found.layers() - 1;
    let sizes: Vec<u64> = found.sets().iter().map(|set| set.added.positions).collect();
    let all: u64 = sizes.iter().sum();
    let largest = sizes.iter().copied().max();
    let row = "fewer positions at once";
    let published = found.published.map(|p| p.fewer_at_once());
    let of_largest = largest.map(|n| rounded(all - n, n));
    cells.beside(row, "of the largest layer", published, of_largest);
    cells.add(row, "of all", largest.map(|n| percent(all - n, all)));
    if last > 0 {
        let row = format!("changed in S'_{} by S'_{last}", last - 1);
        let change = found.next_change(last - 1);
        let share = |of: fn(&LayerChange) -> u64| change.map(|c| percent(of(c), c.total.positions));
        let published = found.published.map(|p| p.changed_share());
        let ours = change.map(|c| rounded(c.wdl_changed, c.total.positions));
        cells.beside(&row, "win draw loss", published, ours);
        cells.add(&row, "with plies", share(|c| c.value_changed));
        cells.add(&row, "solved again", share(|c| c.solved_again.positions));
    }
    cells.cells
}
