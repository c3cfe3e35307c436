//! Every published cell of the thesis that is no time, reproduced.

use std::time::Duration;

use hindsight_solve::Limits;
use hindsight_study::Verdict;
use hindsight_study::onitama_thesis::{Options, Table, run};

fn cells_with(seconds: u64, tables: &[Table]) -> Vec<hindsight_study::Cell> {
    let limits = Limits {
        memory: 4 << 30,
        time: Some(Duration::from_secs(seconds)),
    };
    run(
        &Options {
            tables: tables.to_vec(),
            limits,
        },
        &mut |_| true,
    )
    .cells
}

#[test]
fn bounds_are_equal_in_every_cell() {
    let cells = cells_with(1, &[Table::UpperBound, Table::LowerBound]);
    assert_eq!(cells.len(), 20 + 16);
    assert!(
        cells.iter().all(|cell| cell.verdict == Verdict::Equal),
        "{cells:?}"
    );
}

const COUNTS: [Table; 5] = [
    Table::Winner,
    Table::States,
    Table::Edges,
    Table::ForwardStates,
    Table::SymmetricStates,
];

#[test]
#[ignore = "slow: half a minute"]
fn small_boards_are_equal_within_a_second_a_cell() {
    let cells = cells_with(1, &COUNTS);
    for cell in &cells {
        assert_ne!(cell.verdict, Verdict::Different, "{cell:?}");
    }
    assert!(
        cells
            .iter()
            .filter(|cell| cell.verdict == Verdict::Equal)
            .count()
            >= 60
    );
}

#[test]
#[ignore = "slow: ten minutes, 4 GB; needs an optimised build"]
fn every_published_count_is_equal() {
    let mut tables = COUNTS.to_vec();
    tables.push(Table::Theorem1);
    let cells = cells_with(30, &tables);
    for cell in cells.iter().filter(|cell| cell.published.is_some()) {
        assert_eq!(cell.verdict, Verdict::Equal, "{cell:?}");
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
    for (row, column, boards) in [
        ("m=3", "n=3", "15 of 15"),
        ("m=4", "n=3", "111 of 111"),
        ("m=3", "n=4", "60 of 60"),
    ] {
        assert_eq!(ours("theorem1", row, column), boards);
    }
}
