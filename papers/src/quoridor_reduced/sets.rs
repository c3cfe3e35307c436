use crate::bottom_up::{BottomUpSet, LayerChange};
use hindsight_core::{Value, Wdl};

use super::study::QuoridorStudy;
use super::table::{QuoridorPaperTable, TableCells};
use hindsight_study::Cell;

/// Returns the number of positions of the set's own layer that are not terminal.
pub(super) fn nonterminal_positions(set: &BottomUpSet) -> u64 {
    let over = |value: &Value| matches!(value, Value::Loss(0) | Value::Win(0));
    let rows = set.histogram.rows().into_iter();
    rows.filter(|(value, _)| !over(value)).map(|(_, n)| n).sum()
}

/// Returns a text such as `2 fences`.
pub(super) fn fences_text(n: usize) -> String {
    match n {
        1 => String::from("1 fence"),
        n => format!("{n} fences"),
    }
}

impl QuoridorStudy<'_> {
    /// Returns the solved sets; empty if a limit was reached.
    fn sets(&self) -> &[BottomUpSet] {
        self.bottom_up.as_ref().map_or(&[], |outcome| &outcome.sets)
    }

    /// Returns the number of sets, solved or not.
    fn layer_count(&self) -> usize {
        let [first, second] = self.setup.stock;
        let anchors = (self.setup.width - 1) * (self.setup.height - 1);
        usize::from((first + second).min(anchors)) + 1
    }

    /// Returns the changes in `S'_j` by the next set.
    fn next_change(&self, j: usize) -> Option<&LayerChange> {
        self.sets().get(j + 1)?.changes.get(j)
    }
}

/// Returns the cells of Table 1.
pub(super) fn positions(study: &QuoridorStudy<'_>) -> Vec<Cell> {
    let mut cells = TableCells::new(QuoridorPaperTable::Positions);
    for j in 0..study.layer_count() {
        let row = fences_text(j);
        let set = study.sets().get(j);
        let theirs = |number: Option<u64>| number.map(|n| n.to_string());
        let published = study.published.and_then(|p| p.positions(j));
        let ours = set.map(|set| set.added.positions);
        cells.add_beside_published(&row, "positions", theirs(published), ours);
        cells.add(&row, "not over", set.map(nonterminal_positions));
        if j + 1 < study.layer_count() {
            let published = study.published.and_then(|p| p.changed(j));
            let change = study.next_change(j);
            cells.add_beside_published(
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

/// Returns the note of Table 1: an explanation of the paper's changes where ours differ.
pub(super) fn positions_note(study: &QuoridorStudy<'_>) -> Option<String> {
    let published = study.published?;
    let solution = study.bottom_up.as_ref()?;
    let mut notes = vec![String::from(
        "changed: by win, draw or loss, from the solution of S_(k-1) to that of S_k. \
         The paper's numbers are a few less than the positions that are not over, \
         so it seems to count those that received a value",
    )];
    for (fences, set) in solution.sets.iter().enumerate() {
        let Some(changed) = published.changed(fences) else {
            continue;
        };
        let nonterminal = nonterminal_positions(set);
        let rest = nonterminal.checked_sub(changed)?;
        notes.push(format!("{changed} = {nonterminal} - {rest}"));
        let tiers = solution.layers[fences].tiers.iter();
        let images = tiers.map(|&tier| study.game.tier_orbit_size(tier)).min()?;
        if changed % images != 0 {
            notes.push(format!(
                "{changed} is no count of changed values: \
                 a position with {} has {images} different images \
                 by the mirror and the half turn with the players exchanged, \
                 all of one value, so that every such count is a multiple of {images}",
                fences_text(fences)
            ));
        }
    }
    Some(notes.join("; "))
}

/// Returns the cells about the changes by every set `S_k` in every layer `S'_j`.
pub(super) fn changes(study: &QuoridorStudy<'_>) -> Vec<Cell> {
    let mut cells = TableCells::new(QuoridorPaperTable::Changes);
    for k in 1..study.layer_count() {
        for j in 0..k {
            let row = format!("k={k} j={j}");
            let change = study.sets().get(k).map(|set| set.changes[j]);
            let mut add = |column, number: fn(LayerChange) -> u64| {
                cells.add(&row, column, change.map(number));
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

/// Returns the number of positions in tiers that were solved again.
fn positions_solved_again(set: &BottomUpSet) -> u64 {
    set.changes.iter().map(|change| change.solved_again.positions).sum()
}

/// Returns the number of positions solved for all sets. Positions solved again count again.
pub(super) fn positions_solved(sets: &[BottomUpSet]) -> u64 {
    sets.iter().map(|set| set.added.positions + positions_solved_again(set)).sum()
}

/// Returns the cells about the sets `S_k`.
pub(super) fn sets(study: &QuoridorStudy<'_>) -> Vec<Cell> {
    let mut cells = TableCells::new(QuoridorPaperTable::Sets);
    for k in 0..study.layer_count() {
        let row = format!("S_{k}");
        let sets = study.sets().get(..=k);
        let set = sets.and_then(<[BottomUpSet]>::last);
        let all = sets.map(|sets| sets.iter().map(|set| set.added.positions).sum::<u64>());
        cells.add(&row, "positions", all);
        let start = set.and_then(|set| set.start);
        cells.add(&row, "start", start);
        let last = k + 1 == study.layer_count();
        let published = study.published.filter(|_| last).map(|p| p.winner());
        cells.add_beside_published(&row, "winner", published, start.map(winner_text));
        let solved = set.map(|set| set.added.positions + positions_solved_again(set));
        cells.add(&row, "solved", solved);
        cells.add(&row, "of these again", set.map(positions_solved_again));
    }
    cells.cells
}

/// Returns the winner by the value of the start. The first player is White.
fn winner_text(start: Value) -> &'static str {
    match start.wdl() {
        Wdl::Win => "first player",
        Wdl::Loss => "second player",
        Wdl::Draw => "nobody",
    }
}

/// Returns the cells of the percentages.
pub(super) fn shares(study: &QuoridorStudy<'_>) -> Vec<Cell> {
    let mut cells = TableCells::new(QuoridorPaperTable::Shares);
    let percent = |part: u64, whole: u64| format!("{:.1} %", 100.0 * part as f64 / whole as f64);
    let rounded = |part: u64, whole: u64| format!("{:.0} %", 100.0 * part as f64 / whole as f64);
    let last = study.layer_count() - 1;
    let sizes: Vec<u64> = study.sets().iter().map(|set| set.added.positions).collect();
    let all: u64 = sizes.iter().sum();
    let largest = sizes.iter().copied().max();
    let row = "fewer positions at once";
    let published = study.published.map(|p| p.fewer_at_once());
    let of_largest = largest.map(|n| rounded(all - n, n));
    cells.add_beside_published(row, "of the largest layer", published, of_largest);
    cells.add(row, "of all", largest.map(|n| percent(all - n, all)));
    if last > 0 {
        let row = format!("changed in S'_{} by S'_{last}", last - 1);
        let change = study.next_change(last - 1);
        let share =
            |number: fn(&LayerChange) -> u64| change.map(|c| percent(number(c), c.total.positions));
        let published = study.published.map(|p| p.changed_share());
        let ours = change.map(|c| rounded(c.wdl_changed, c.total.positions));
        cells.add_beside_published(&row, "win draw loss", published, ours);
        cells.add(&row, "with plies", share(|c| c.value_changed));
        cells.add(&row, "solved again", share(|c| c.solved_again.positions));
    }
    cells.cells
}
