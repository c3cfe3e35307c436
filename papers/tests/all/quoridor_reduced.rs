//! Study of Quoridor's reduced versions: the paper's numbers beside ours.

use hindsight_engine::Limits;
use hindsight_papers::quoridor_reduced::{QuoridorPaperOptions, QuoridorPaperTable, run};
use hindsight_study::{Cell, CellVerdict};

fn cells(spec: &str, tables: &[QuoridorPaperTable]) -> Vec<Cell> {
    let options = QuoridorPaperOptions {
        setup: spec.parse().expect("a spec"),
        tables: tables.to_vec(),
        limits: Limits { memory: 1 << 30, time: None },
    };
    run(&options, &mut |_| true).cells
}

/// Returns our numbers of a row, column by column.
fn row<'a>(cells: &'a [Cell], table: QuoridorPaperTable, row: &str) -> Vec<&'a str> {
    let cells = cells.iter();
    cells
        .filter(|cell| cell.table == table.name() && cell.row == row)
        .map(|cell| cell.ours.as_deref().unwrap_or("-"))
        .collect()
}

#[test]
fn the_papers_table() {
    let cells = cells("quoridor:5x5:1", &[]);
    let ours = |table, name| row(&cells, table, name);
    assert_eq!(ours(QuoridorPaperTable::Positions, "0 fences"), ["960", "770", "122", "566"]);
    assert_eq!(ours(QuoridorPaperTable::Positions, "1 fence"), ["61440", "49280", "7496", "18284"]);
    assert_eq!(ours(QuoridorPaperTable::Positions, "2 fences")[0], "436364");
    assert_eq!(ours(QuoridorPaperTable::Changes, "k=2 j=0")[..3], ["960", "126", "234"]);
    assert_eq!(ours(QuoridorPaperTable::Sets, "S_0")[..2], ["960", "loss in 8"]);
    assert_eq!(ours(QuoridorPaperTable::Sets, "S_1")[..2], ["62400", "win in 9"]);
    assert_eq!(
        ours(QuoridorPaperTable::Sets, "S_2")[..3],
        ["498764", "loss in 12", "second player"]
    );
    let verdicts = |verdict| {
        let cells = cells.iter().filter(|cell| cell.verdict == verdict);
        cells.map(|cell| cell.published.as_deref()).collect::<Vec<_>>()
    };
    assert_eq!(
        verdicts(CellVerdict::Equal),
        ["960", "61440", "436364", "second player", "14 %"].map(Some)
    );
    assert_eq!(verdicts(CellVerdict::Different), ["764", "49273", "80 %"].map(Some));
    assert_eq!(verdicts(CellVerdict::NotComputed), []);
}

#[test]
fn partitions_have_all_positions() {
    let cells = cells("quoridor:5x5:1", &[QuoridorPaperTable::Partitions]);
    let ours = |name| row(&cells, QuoridorPaperTable::Partitions, name);
    assert_eq!(ours("one piece"), ["1", "498764", "0", "498764"]);
    assert_eq!(ours("by fences on the board"), ["3", "436364", "436364", "497804"]);
    assert_eq!(ours("by who has placed"), ["4", "436364", "436364", "467084"]);
    // Tiers: one without fences, one per fence and player, one per pair of fences that both can
    // have placed.
    assert_eq!(ours("by the fences themselves")[1], "960");
}

/// A game with a smaller stock is a set of positions of the larger game. So both directions of the
/// split and the smaller games must agree.
#[test]
fn smaller_stocks_are_sets_of_positions() {
    for spec in [
        "quoridor:2x2:1",
        "quoridor:2x5:2",
        "quoridor:2x4:2,1:edge=open:start=point",
        "quoridor:3x3:2,1",
        "quoridor:4x4:1",
        "quoridor:4x2:2,0",
    ] {
        let cells = cells(spec, &[QuoridorPaperTable::Stocks, QuoridorPaperTable::Boards]);
        assert!(cells.iter().all(|cell| cell.ours.is_some()), "{spec}");
    }
    let cells = cells("quoridor:5x5:1", &[QuoridorPaperTable::Stocks]);
    let ours = |name| row(&cells, QuoridorPaperTable::Stocks, name);
    assert_eq!(ours("White 0, Black 0"), ["960", "loss in 8"]);
    assert_eq!(ours("White 1, Black 0")[..2], ["31680", "win in 9"]);
    assert_eq!(ours("White 1, Black 1")[..2], ["498764", "loss in 12"]);
    // Equal by exchange of the players.
    assert_eq!(ours("White 1, Black 0")[2], ours("White 0, Black 1")[2]);
    assert_eq!(ours("White 1, Black 1")[2], ours("White 1, Black 1")[3]);
}

#[test]
fn solves_over_the_limits_are_not_computed() {
    let options = QuoridorPaperOptions {
        setup: "quoridor:9x9:10".parse().expect("a spec"),
        tables: Vec::new(),
        limits: Limits { memory: 1 << 24, time: Some(std::time::Duration::from_millis(100)) },
    };
    let report = run(&options, &mut |_| true);
    let computed = report.cells.iter().filter(|cell| cell.ours.is_some());
    // Smaller boards and stocks are computed if they fit.
    assert!(computed.count() < report.cells.len() / 2);
}
