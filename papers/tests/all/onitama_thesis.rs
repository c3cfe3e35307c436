//! Reproduces every published cell of the thesis except times.

use std::time::Duration;

use hindsight_engine::Limits;
use hindsight_papers::onitama_thesis::{ThesisOptions, ThesisTable, run};
use hindsight_study::CellVerdict;

fn cells_with(seconds: u64, tables: &[ThesisTable]) -> Vec<hindsight_study::Cell> {
    let limits = Limits { memory: 4 << 30, time: Some(Duration::from_secs(seconds)) };
    run(&ThesisOptions { tables: tables.to_vec(), limits }, &mut |_| true).cells
}

#[test]
fn bounds_are_equal_in_every_cell() {
    let cells = cells_with(1, &[ThesisTable::UpperBound, ThesisTable::LowerBound]);
    assert_eq!(cells.len(), 20 + 16);
    assert!(cells.iter().all(|cell| cell.verdict == CellVerdict::Equal), "{cells:?}");
}

const COUNTS: [ThesisTable; 5] = [
    ThesisTable::Winner,
    ThesisTable::States,
    ThesisTable::Edges,
    ThesisTable::ForwardStates,
    ThesisTable::SymmetricStates,
];

#[test]
#[ignore = "slow: half a minute"]
fn small_boards_are_equal_within_a_second_a_cell() {
    let cells = cells_with(1, &COUNTS);
    for cell in &cells {
        assert_ne!(cell.verdict, CellVerdict::Different, "{cell:?}");
    }
    assert!(cells.iter().filter(|cell| cell.verdict == CellVerdict::Equal).count() >= 60);
}

#[test]
#[ignore = "slow: ten minutes, 4 GB; needs an optimised build"]
fn every_published_count_is_equal() {
    let mut tables = COUNTS.to_vec();
    tables.push(ThesisTable::Theorem1);
    let cells = cells_with(30, &tables);
    for cell in cells.iter().filter(|cell| cell.published.is_some()) {
        assert_eq!(cell.verdict, CellVerdict::Equal, "{cell:?}");
    }
    let ours = |table: &str, row: &str, column: &str| {
        let cell = cells
            .iter()
            .find(|cell| cell.table == table && cell.row == row && cell.column == column);
        cell.and_then(|cell| cell.ours.clone()).unwrap_or_default()
    };
    assert_eq!(ours("6", "m=3", "n=4"), "3106131");
    assert_eq!(ours("7", "m=3", "n=4"), "13425696");
    assert_eq!(ours("6", "m=5", "n=3"), "1850938");
    assert_eq!(ours("7", "m=5", "n=3"), "7733050");
    assert_eq!(ours("1", "m=5", "n=3"), "Draw");
    for (row, column, boards) in
        [("m=3", "n=3", "15 of 15"), ("m=4", "n=3", "111 of 111"), ("m=3", "n=4", "60 of 60")]
    {
        assert_eq!(ours("theorem1", row, column), boards);
    }
}
