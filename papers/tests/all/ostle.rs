//! Study of Ostle: the paper's numbers beside ours.

use hindsight_engine::Limits;
use hindsight_papers::ostle::{OstlePaperOptions, OstlePaperTable, run};
use hindsight_study::CellVerdict;

fn options(spec: &str, tables: &[OstlePaperTable], memory: u64) -> OstlePaperOptions {
    OstlePaperOptions {
        setup: spec.parse().expect("a spec"),
        tables: tables.to_vec(),
        solved: Vec::new(),
        distances: None,
        limits: Limits { memory, time: None },
    }
}

#[test]
fn table_1_is_equal() {
    let report = run(&options("ostle", &[OstlePaperTable::Positions], 0), &mut |_| true);
    assert_eq!(report.cells.len(), 28);
    assert!(report.cells.iter().all(|cell| cell.verdict == CellVerdict::Equal));
}

#[test]
fn solves_over_the_memory_limit_are_not_computed() {
    let report = run(&options("ostle", &[], 1 << 20), &mut |_| true);
    let cells_of =
        |table: &str| report.cells.iter().filter(|cell| cell.table == table).collect::<Vec<_>>();
    assert_eq!(cells_of("2").len(), 2 * 147);
    assert_eq!(cells_of("3").len(), 2 * 27);
    assert!(
        cells_of("2")
            .iter()
            .chain(&cells_of("totals"))
            .all(|cell| cell.verdict == CellVerdict::NotComputed)
    );
}

#[test]
fn a_variant_has_both_readings() {
    let report = run(&options("ostle:3x3:3:1", &[], 1 << 30), &mut |_| true);
    assert!(report.cells.iter().all(|cell| cell.verdict == CellVerdict::New));
    let ours = |table: &str, row: &str, column: &str| {
        let mut cells = report.cells.iter();
        let cell =
            cells.find(|cell| (&*cell.table, &*cell.row, &*cell.column) == (table, row, column));
        cell.and_then(|cell| cell.ours.clone()).expect("a number")
    };
    let sum = |table: &str, column: &str| -> u64 {
        let cells = report.cells.iter().filter(|cell| cell.table == table && cell.column == column);
        cells
            .map(|cell| cell.ours.as_ref().expect("a number").parse::<u64>().expect("a number"))
            .sum()
    };
    for column in ["paper", "exact"] {
        assert_eq!(sum("2", column).to_string(), ours("totals", "non-trivial states", column));
        let all = ours("totals", "all states", column);
        assert!(sum("3", column) <= all.parse().expect("a number"));
    }
    assert_eq!(ours("totals", "the start", "exact"), "win in 17");
}

#[test]
fn a_stopped_study_says_what_it_has() {
    let report = run(&options("ostle:3x3:2:1", &[], 1 << 30), &mut |_| false);
    let computed =
        |table: &str| report.cells.iter().any(|cell| cell.table == table && cell.ours.is_some());
    assert!(computed("1") && !computed("totals"));
}
