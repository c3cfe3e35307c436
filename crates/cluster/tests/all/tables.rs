//! Tables of several processes are those of one.

use std::fs;

use hindsight_tablebase::Layout;

use crate::harness::{Shares, solve, write_alone};

/// Solves a game by several numbers of processes and threads, and compares all tables with that of
/// the solver of one process.
fn check_tables(spec: &str, layout: Layout, shares: &[(usize, usize)]) {
    let folder = tempfile::tempdir().expect("a folder");
    let alone = folder.path().join("alone.table");
    write_alone(spec, layout, &alone);
    let alone = fs::read(alone).expect("a table");
    for &(processes, threads) in shares {
        let table = folder.path().join(format!("{processes}-{threads}.table"));
        let shares = Shares { layout, ..Shares::new(processes, threads) };
        let results = solve(spec, &shares, Some(&table));
        let first = results[0].as_ref().expect("a solution").clone();
        assert_eq!(first.work.len(), processes * threads);
        for result in &results {
            let solved = result.as_ref().expect("a solution");
            assert_eq!(solved.solution, first.solution, "{spec}, {processes} processes");
        }
        let bytes = fs::read(&table).expect("a table");
        assert!(bytes == alone, "{spec}, {processes} processes, {threads} threads");
    }
}

#[test]
fn tiers_of_one_cyclic_class() {
    let shares = [(1, 1), (2, 1), (3, 1), (4, 1), (1, 2), (2, 2)];
    check_tables("onitama:3x3:boar", Layout::Full, &shares);
    check_tables("onitama:3x3:boar,ox,elephant,horse,crab", Layout::Compact, &[(2, 1)]);
}

#[test]
fn a_layer_of_several_runs() {
    check_tables("onitama:3x4:boar", Layout::Full, &[(2, 1), (3, 1)]);
}

#[test]
fn whole_tiers_of_pairs() {
    let shares = [(1, 1), (2, 1), (3, 1), (4, 1), (1, 3), (2, 2)];
    check_tables("quoridor:3x3:2", Layout::Full, &shares);
    check_tables("quoridor:4x4:1", Layout::Compact, &[(2, 1), (3, 1)]);
    check_tables("quoridor:4x4:2", Layout::Full, &[(2, 1), (3, 2)]);
}

#[test]
fn games_of_other_shapes() {
    check_tables("tic-tac-toe", Layout::Full, &[(1, 1), (3, 1)]);
    check_tables("dodgem:3x3", Layout::Full, &[(2, 1), (4, 1)]);
}

#[test]
fn traffic_is_counted() {
    let shares = Shares::new(2, 1);
    let results = solve("onitama:3x4:boar", &shares, None);
    let solved: Vec<_> = results.into_iter().map(|result| result.expect("a solution")).collect();
    assert_eq!(solved[0].traffic.sent, solved[1].traffic.received);
    assert_eq!(solved[1].traffic.sent, solved[0].traffic.received);
    let away: u64 = solved[0].work.iter().map(|work| work.edges_away).sum();
    assert!(away > 10_000 && solved[0].traffic.sent > 10_000, "{solved:?}");
    let alone = solve("onitama:3x4:boar", &Shares::new(1, 1), None);
    let alone = alone[0].as_ref().expect("a solution");
    assert_eq!((alone.traffic.sent, alone.work[0].edges_away), (0, 0));
    let edges = |work: &[hindsight_cluster::WorkCounts]| work.iter().map(|w| w.edges).sum::<u64>();
    assert_eq!(edges(&alone.work), edges(&solved[0].work));
}
