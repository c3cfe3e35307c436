//! Solves that were stopped go on, with any number of processes, to the same table.

use std::fs;
use std::path::Path;

use hindsight_cluster::{CheckpointOf, ClusterError, ProcessFolder};
use hindsight_engine::Error;
use hindsight_tablebase::Layout;

use crate::harness::{Results, Shares, solve, write_alone};

const SMALL: &str = "onitama:3x3:boar";

/// Checks that a solve was stopped in one process, of which all others were told.
fn check_stopped(results: &Results, process: usize) {
    for (i, result) in results.iter().enumerate() {
        match result {
            Err(ClusterError::Solve(Error::Stopped)) => assert_eq!(i, process),
            // The process may stop before the others have reached it.
            Err(ClusterError::Lost(sentence) | ClusterError::Unreachable(sentence)) => {
                assert!(sentence.starts_with(&format!("process {process} (")), "{sentence}");
            }
            other => panic!("process {i}: {other:?}"),
        }
    }
}

/// Stops a solve of `from` processes at some reports, goes on with `to` processes, and compares
/// the table.
fn check_resume(spec: &str, from: [usize; 2], to: [usize; 2], stops: &[u64]) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    write_alone(spec, Layout::Full, &path("alone.table"));
    let alone = fs::read(path("alone.table")).expect("a table");
    for &stop in stops {
        let checkpoint = path(&format!("checkpoint-{stop}"));
        let begun = Shares {
            checkpoint: Some(checkpoint.clone()),
            stop: Some((from[0] - 1, stop)),
            ..Shares::new(from[0], from[1])
        };
        let table = path(&format!("{stop}.table"));
        let results = solve(spec, &begun, Some(&table));
        if results.iter().any(Result::is_err) {
            check_stopped(&results, from[0] - 1);
            assert!(!table.exists());
        }
        if table.exists() {
            // The solve was faster than the stop.
            continue;
        }
        // The second run is stopped as well: what it has taken over must be safe.
        let again = Shares {
            checkpoint: Some(checkpoint.clone()),
            resume: true,
            stop: Some((0, 2)),
            ..Shares::new(to[0], to[1])
        };
        let results = solve(spec, &again, Some(&table));
        if results.iter().any(Result::is_err) {
            check_stopped(&results, 0);
        }
        let last = Shares { stop: None, ..again };
        if !table.exists() {
            for result in solve(spec, &last, Some(&table)) {
                result.expect("a solution");
            }
        }
        assert!(fs::read(&table).expect("a table") == alone, "{spec}, stopped at {stop}");
        check_folders(&checkpoint, to[0]);
    }
}

/// Checks that the folders of a checkpoint are those of `processes` processes.
fn check_folders(checkpoint: &Path, processes: usize) {
    let mut names: Vec<String> = fs::read_dir(checkpoint)
        .expect("a folder")
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort_unstable();
    let expected: Vec<String> =
        (0..processes).map(|process| format!("process-{process}-of-{processes}")).collect();
    assert_eq!(names, expected);
}

#[test]
fn plies_go_on_with_the_same_processes() {
    check_resume("onitama:3x4:boar", [2, 1], [2, 1], &[0, 3, 20, 60, 150, 300]);
}

#[test]
fn plies_go_on_with_more_or_fewer_processes() {
    check_resume("onitama:3x4:boar", [2, 1], [3, 1], &[5, 80, 200]);
    check_resume("onitama:3x4:boar", [3, 1], [1, 1], &[40, 120]);
    check_resume("onitama:3x4:boar", [2, 2], [2, 1], &[90]);
    check_resume("onitama:3x4:boar", [1, 1], [2, 2], &[90]);
}

#[test]
fn pairs_go_on() {
    check_resume("quoridor:4x4:2", [2, 1], [2, 1], &[1, 10, 40]);
    check_resume("quoridor:4x4:2", [3, 1], [2, 1], &[10, 30]);
    check_resume("quoridor:4x4:2", [1, 1], [4, 1], &[30]);
}

/// Begins the checkpoint of a process and leaves it without parts.
fn begin_and_leave(dir: &Path, process: usize, processes: usize) {
    let game = CheckpointOf { spec: SMALL, layout: Layout::Full, resume: true };
    drop(ProcessFolder::open(dir, process, processes, game).expect("a folder"));
}

#[test]
fn folders_without_parts_are_removed_on_every_disk() {
    for has_own_disks in [true, false] {
        let folder = tempfile::tempdir().expect("a folder");
        let disk = |process: usize| {
            if has_own_disks {
                folder.path().join(process.to_string())
            } else {
                folder.path().to_owned()
            }
        };
        (0..2).for_each(|process| begin_and_leave(&disk(process), process, 2));
        let shares = Shares {
            checkpoint: Some(folder.path().to_owned()),
            has_own_disks,
            resume: true,
            ..Shares::new(3, 1)
        };
        for result in solve(SMALL, &shares, None) {
            result.expect("a solution");
        }
        for process in 0..2 {
            let left = disk(process).join(format!("process-{process}-of-2"));
            assert!(!left.exists(), "{}", left.display());
        }
    }
}
