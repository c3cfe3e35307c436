//! Processes that do not fit together, or cannot begin.

use std::fs;
use std::path::Path;

use hindsight_cluster::ClusterError;

use crate::harness::{Shares, solve};

/// Text of the refusal of each process.
fn refusals(spec: &str, shares: &Shares) -> Vec<String> {
    let results = solve(spec, shares, None);
    let texts = results.into_iter().map(|result| match result {
        Err(ClusterError::Refused(text) | ClusterError::Lost(text)) => text,
        other => panic!("{other:?}"),
    });
    texts.collect()
}

#[test]
fn another_game_is_named() {
    let shares = Shares { other_spec: Some("onitama:3x3:ox"), ..Shares::new(2, 1) };
    for text in refusals("onitama:3x3:boar", &shares) {
        assert!(
            text.contains("solves onitama:3x3:boar") && text.contains("onitama:3x3:ox"),
            "{text}"
        );
    }
}

#[test]
fn more_processes_than_ranks_are_refused() {
    // The smallest game has 18 ranks.
    let spec = "onitama:2x2:boar:students=0";
    let results = solve(spec, &Shares::new(1, 1), None);
    let ranks = results[0].as_ref().expect("a solution").work[0].ranks;
    let processes = ranks as usize + 1;
    if processes <= 40 {
        for text in refusals(spec, &Shares::new(processes, 1)) {
            assert!(text.contains(&format!("{ranks} ranks")), "{text}");
        }
    }
}

#[test]
fn a_checkpoint_of_another_game_is_refused_everywhere() {
    let folder = tempfile::tempdir().expect("a folder");
    let dir = folder.path().join("checkpoint");
    let shares = Shares { checkpoint: Some(dir.clone()), ..Shares::new(2, 1) };
    for result in solve("onitama:3x3:boar", &shares, None) {
        result.expect("a solution");
    }
    let before: Vec<_> = fs::read_dir(&dir).expect("a folder").collect();
    for text in refusals("onitama:3x3:boar", &shares) {
        assert!(text.contains("holds a checkpoint already"), "{text}");
    }
    let resumed = Shares { resume: true, ..shares };
    for text in refusals("onitama:3x3:ox", &resumed) {
        assert!(text.contains("'onitama:3x3:boar', not of 'onitama:3x3:ox'"), "{text}");
    }
    // With another number of processes too.
    let resumed = Shares { processes: 3, ..resumed };
    for text in refusals("onitama:3x3:ox", &resumed) {
        assert!(text.contains("'onitama:3x3:boar', not of 'onitama:3x3:ox'"), "{text}");
    }
    assert_eq!(fs::read_dir(&dir).expect("a folder").count(), before.len());
}

/// Stops a solve of two processes, removes the folder of one, and returns how it is resumed.
fn begun_without(dir: &Path, lost: &str) -> Shares {
    let begun =
        Shares { checkpoint: Some(dir.to_owned()), stop: Some((0, 100)), ..Shares::new(2, 1) };
    solve("onitama:3x4:boar", &begun, None);
    fs::remove_dir_all(dir.join(lost)).expect("a folder");
    Shares { resume: true, stop: None, ..begun }
}

#[test]
fn a_missing_folder_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let dir = folder.path().join("checkpoint");
    let resumed = begun_without(&dir, "process-1-of-2");
    let resumed = Shares { processes: 3, ..resumed };
    for text in refusals("onitama:3x4:boar", &resumed) {
        assert!(text.contains("process-1-of-2"), "{text}");
    }
}

#[test]
fn parts_without_those_of_process_0_are_not_thrown_away() {
    let folder = tempfile::tempdir().expect("a folder");
    let dir = folder.path().join("checkpoint");
    let resumed = begun_without(&dir, "process-0-of-2");
    let names = || fs::read_dir(dir.join("process-1-of-2")).expect("a folder").count();
    let before = names();
    for text in refusals("onitama:3x4:boar", &resumed) {
        assert!(text.contains("process 0 has none"), "{text}");
    }
    assert_eq!(names(), before);
}
